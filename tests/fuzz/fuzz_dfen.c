/* SPDX-License-Identifier: MIT */
/* DFEN: any bytes. The verdict is that of the slow twin, and what was read survives every text form
 * and symmetry. */
#include "fuzz/fuzz.h"

#include "ref/ref_dfen.h"

#include <string.h>

/* snprintf rules: the same text into a buffer that just fits, a cut one into less. */
static void check_writer(size_t (*write)(const hz_position *, char *, size_t), const hz_position *p,
                         char text[HZ_DFEN_CAPACITY]) {
    char cut[HZ_DFEN_CAPACITY];
    size_t length = write(p, text, HZ_DFEN_CAPACITY);
    FUZZ_CHECK(length < HZ_DFEN_CAPACITY && strlen(text) == length);
    FUZZ_CHECK(write(p, cut, length + 1) == length && strcmp(cut, text) == 0);
    FUZZ_CHECK(write(p, cut, length / 2 + 1) == length && strlen(cut) == length / 2);
    FUZZ_CHECK(memcmp(cut, text, length / 2) == 0);
    FUZZ_CHECK(write(p, NULL, 0) == length);
}

static void check_symmetry(const hz_position *p) {
    hz_position flipped = hz_position_flip(p), mirrored = hz_position_mirror(p);
    hz_position twice = hz_position_flip(&flipped);
    FUZZ_CHECK(fuzz_same_position(&twice, p));
    twice = hz_position_mirror(&mirrored);
    FUZZ_CHECK(fuzz_same_position(&twice, p));
    FUZZ_CHECK(flipped.key == hz_position_fresh_key(&flipped));
    FUZZ_CHECK(mirrored.key == hz_position_fresh_key(&mirrored));
    hz_position canonical = hz_position_canonical(p), again = hz_position_canonical(&canonical);
    hz_position of_flipped = hz_position_canonical(&flipped);
    FUZZ_CHECK(canonical.side == HZ_WHITE && canonical.key == hz_position_fresh_key(&canonical));
    FUZZ_CHECK(fuzz_same_position(&canonical, &again));
    FUZZ_CHECK(fuzz_same_position(&canonical, &of_flipped));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    hz_position p = hz_position_empty(), unchanged = p;
    hz_error err;
    size_t offset = 0;
    const char *verdict = ref_dfen_check(text, size, &offset);
    hz_status status = hz_position_from_dfen(&p, text, size, &err);
    FUZZ_CHECK(strcmp(verdict, hz_status_name(status)) == 0);
    FUZZ_CHECK(hz_position_from_dfen(&unchanged, text, size, NULL) == status);
    if (status != HZ_OK) {
        fuzz_check_error(&err, status, size);
        FUZZ_CHECK(err.offset == offset);
        hz_position empty = hz_position_empty();
        FUZZ_CHECK(fuzz_same_position(&p, &empty));
        return 0;
    }
    FUZZ_CHECK(p.key == hz_position_fresh_key(&p));
    char dfen[HZ_DFEN_CAPACITY], key[HZ_DFEN_CAPACITY], book_key[HZ_DFEN_CAPACITY];
    check_writer(hz_position_to_dfen, &p, dfen);
    hz_position again;
    FUZZ_CHECK(hz_position_from_dfen(&again, dfen, strlen(dfen), &err) == HZ_OK);
    FUZZ_CHECK(fuzz_same_position(&p, &again));
    check_writer(hz_position_key4, &p, key);
    check_writer(hz_position_book_key, &p, book_key);
    FUZZ_CHECK(p.pool ? strncmp(book_key, key, strlen(key)) == 0 : book_key[0] == '\0');
    FUZZ_CHECK((hz_position_capturable_targets(&p) & ~p.targets) == 0);
    check_symmetry(&p);
    for (int square = 0; square < HZ_SQUARES; square++) {
        uint64_t white = hz_position_attackers(&p, square, HZ_WHITE);
        FUZZ_CHECK((white & ~p.colors[HZ_WHITE]) == 0);
        FUZZ_CHECK((white != 0) == (hz_position_attacked(&p, HZ_WHITE) >> square & 1));
    }
    return 0;
}
