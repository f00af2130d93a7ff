/* SPDX-License-Identifier: MIT */
/* What the arena reads: the first byte says whether the rest is a list of start positions (o, of
 * chess O), time controls (t) or a finished pair of a checkpoint (p). */
#include "fuzz/fuzz.h"

#include "arena/pair.h"

#include <stdlib.h>
#include <string.h>

static void openings(const char *text, size_t size, hz_match_game game) {
    hz_openings list = {0};
    hz_error err;
    hz_status status = hz_openings_parse(text, size, game, &list, &err);
    if (status != HZ_OK) {
        FUZZ_CHECK(status == HZ_OPENINGS && !list.positions);
        fuzz_check_error(&err, status, size);
        return;
    }
    FUZZ_CHECK(list.count > 0);
    /* Written as lines they are the same list again. */
    hzi_text again = {0};
    for (size_t i = 0; i < list.count; i++) {
        char line[HZ_DFEN_CAPACITY];
        FUZZ_CHECK(list.positions[i].pool == 0);
        (void)(game == HZ_MATCH_CHESS ? hz_chess_to_fen(&list.positions[i], line, sizeof line)
                                      : hz_position_to_dfen(&list.positions[i], line, sizeof line));
        hzi_text_puts(&again, line);
        hzi_text_add(&again, "\n", 1);
    }
    hz_openings same = {0};
    FUZZ_CHECK(hz_openings_parse(again.bytes, again.length, game, &same, &err) == HZ_OK);
    FUZZ_CHECK(same.count == list.count);
    for (size_t i = 0; i < list.count && game == HZ_MATCH_DICE; i++) {
        FUZZ_CHECK(fuzz_same_position(&same.positions[i], &list.positions[i]));
    }
    hz_openings_free(&same);
    hz_openings_free(&list);
    hzi_text_fini(&again);
}

static void controls(const char *text) {
    hz_match_control list[8];
    hz_error err;
    size_t count = 0;
    hz_status status = hz_match_controls_parse(text, list, 8, &count, &err);
    if (status != HZ_OK) {
        fuzz_check_error(&err, status, strlen(text));
        return;
    }
    FUZZ_CHECK(count >= 1 && count <= 8);
    for (size_t i = 0; i < count; i++) {
        hz_match_control again;
        size_t one = 0;
        FUZZ_CHECK(list[i].base_ms > 0 && list[i].increment_ms >= 0);
        FUZZ_CHECK(hz_match_controls_parse(list[i].label, &again, 1, &one, &err) == HZ_OK);
        FUZZ_CHECK(again.base_ms == list[i].base_ms && again.increment_ms == list[i].increment_ms);
    }
}

static void pair(const char *line, size_t size) {
    hzi_text latencies = {0}, json = {0}, again = {0};
    hz_match_pair read;
    hz_error err;
    hz_status status = hzi_pair_from_json(line, size, &latencies, &read, &err);
    if (status != HZ_OK) {
        fuzz_check_error(&err, status, size);
    } else {
        hzi_pair_to_json(&read, &json);
        FUZZ_CHECK(hzi_pair_from_json(json.bytes, json.length, &latencies, &read, &err) == HZ_OK);
        hzi_pair_to_json(&read, &again);
        FUZZ_CHECK(json.length == again.length &&
                   memcmp(json.bytes, again.bytes, json.length) == 0);
        hz_match_tally tally = {0};
        FUZZ_CHECK(hz_match_tally_add(&tally, &read, false, &err) == HZ_OK);
        FUZZ_CHECK(tally.counts.games[0] + tally.counts.games[1] + tally.counts.games[2] == 2);
        hz_match_tally_fini(&tally);
    }
    hzi_text_fini(&latencies);
    hzi_text_fini(&json);
    hzi_text_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) {
        return 0;
    }
    const char *rest = (const char *)data + 1;
    char *text;
    switch (data[0]) {
    case 'o':
        openings(rest, size - 1, HZ_MATCH_DICE);
        break;
    case 'O':
        openings(rest, size - 1, HZ_MATCH_CHESS);
        break;
    case 'p':
        pair(rest, size - 1);
        break;
    case 't':
        text = calloc(size, 1);
        FUZZ_CHECK(text != NULL);
        memcpy(text, rest, size - 1);
        controls(text);
        free(text);
        break;
    default:
        break;
    }
    return 0;
}
