/* SPDX-License-Identifier: MIT */
/* The rules on any position: the lists of micro-moves, turns, results and counts agree with each
 * other, with the mirror image in colours, and on small positions with the slow twin. */
#include "fuzz/fuzz.h"

#include "ref/ref_dice.h"

#include <string.h>

enum { MOST_LINES = 12000, MOST_TWIN_LINES = 2000, SMALL_MEMORY = 64 * 1024 };

/* In strictly ascending order of their texts, and each a member of `whole`. */
static void check_moves(const hz_move_list *part, const hz_move_list *whole) {
    int j = 0;
    FUZZ_CHECK(part->count >= 0 && part->count <= HZ_MOVES_CAPACITY);
    for (int i = 0; i < part->count; i++) {
        FUZZ_CHECK(i == 0 ||
                   hz_move_text_order(part->moves[i - 1]) < hz_move_text_order(part->moves[i]));
        while (j < whole->count && whole->moves[j] != part->moves[i]) {
            j++;
        }
        FUZZ_CHECK(j < whole->count);
    }
}

static void check_twin_moves(const hz_move_list *list, const ref_moves *twin) {
    FUZZ_CHECK(list->count == twin->count);
    for (int i = 0; i < list->count; i++) {
        char text[HZ_MOVE_CAPACITY];
        hz_move_to_text(list->moves[i], text);
        FUZZ_CHECK(strcmp(text, twin->move[i].text) == 0);
    }
}

/* Each micro-move keeps the key, removes what it costs, and can be found by its text. */
static void check_playing(const hz_position *p, const hz_move_list *list) {
    for (int i = 0; i < list->count; i++) {
        hz_position after = *p;
        hz_move move = 0;
        char text[HZ_MOVE_CAPACITY];
        size_t length = hz_move_to_text(list->moves[i], text);
        FUZZ_CHECK(hz_move_from_text(p, text, length, &move, NULL) == HZ_OK);
        FUZZ_CHECK(move == list->moves[i]);
        FUZZ_CHECK(hz_move_apply(&after, move, NULL, NULL) == HZ_OK);
        FUZZ_CHECK(after.key == hz_position_fresh_key(&after) && after.side == p->side);
        FUZZ_CHECK((after.colors[0] & after.colors[1]) == 0);
        hz_hand_over(&after);
        FUZZ_CHECK(after.key == hz_position_fresh_key(&after) && after.side != p->side);
        FUZZ_CHECK(after.pool == 0);
    }
}

static void check_lists(const hz_position *p) {
    hz_move_list pseudo, playable, first;
    hz_moves_pseudo(p, &pseudo);
    hz_moves_playable(p, &playable);
    hz_moves_first(p, &first);
    check_moves(&pseudo, &pseudo);
    check_moves(&playable, &pseudo);
    check_moves(&first, &playable);
    FUZZ_CHECK((first.count == 0) == (playable.count == 0));
    check_playing(p, p->pool ? &playable : &pseudo);
    FUZZ_CHECK(hz_dice_perft(p, 0) == 1);
    FUZZ_CHECK(hz_dice_perft(p, 1) == (uint64_t)pseudo.count);

    char dfen[HZ_DFEN_CAPACITY];
    ref_position twin;
    ref_moves twin_list;
    hz_position_to_dfen(p, dfen, sizeof dfen);
    FUZZ_CHECK(ref_from_dfen(&twin, dfen));
    ref_pseudo(&twin, &twin_list);
    check_twin_moves(&pseudo, &twin_list);
    ref_playable(&twin, &twin_list);
    check_twin_moves(&playable, &twin_list);
}

/* All turns, listed, against the counts and the results. */
static void check_turns(const hz_position *p) {
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_turn_list turns;
    hz_result_list results;
    hz_turn_counts counts, few;
    hz_error err;
    FUZZ_CHECK(hz_turns_list(p, 0, &arena, &turns, &err) == HZ_OK);
    FUZZ_CHECK(hz_results_list(p, NULL, &arena, &results, &err) == HZ_OK);
    FUZZ_CHECK(hz_turns_count(p, 0, &counts, &err) == HZ_OK);
    FUZZ_CHECK(hz_turns_count(p, SMALL_MEMORY, &few, &err) == HZ_OK);
    FUZZ_CHECK(counts.turns == turns.count && results.sequences == turns.count);
    FUZZ_CHECK(counts.first == few.first && counts.turns == few.turns &&
               counts.king_turns == few.king_turns && counts.results == few.results &&
               counts.max_dice == few.max_dice);
    FUZZ_CHECK(hz_turns_perft(p, NULL) == turns.count);
    FUZZ_CHECK(counts.max_dice == hz_dice_max(p));
    FUZZ_CHECK((results.winning >= 0) == (counts.king_turns > 0));

    uint64_t kings = 0, first = 0;
    for (size_t i = 0; i < turns.count; i++) {
        const hz_turn *turn = &turns.turns[i];
        FUZZ_CHECK(i == 0 || hz_turn_text_order(&turns.turns[i - 1]) < hz_turn_text_order(turn));
        first += i == 0 || turns.turns[i - 1].moves[0] != turn->moves[0];
        kings += turn->took_king;
    }
    FUZZ_CHECK(counts.king_turns == kings && counts.first == first);

    /* The king-capturing results count one by one in `counts`, as one class in the list. */
    size_t quiet = 0;
    for (size_t i = 0; i < results.count; i++) {
        const hz_result *r = &results.results[i];
        FUZZ_CHECK(i == 0 ||
                   hz_turn_text_order(&results.results[i - 1].turn) < hz_turn_text_order(&r->turn));
        FUZZ_CHECK(r->turn.took_king == ((ptrdiff_t)i == results.winning));
        FUZZ_CHECK(r->after.key == hz_position_fresh_key(&r->after));
        quiet += !r->turn.took_king;
    }
    FUZZ_CHECK(quiet <= counts.results);
    FUZZ_CHECK(counts.king_turns ? counts.results > quiet : counts.results == quiet);

    hz_position flipped = hz_position_flip(p);
    FUZZ_CHECK(hz_turns_count(&flipped, 0, &few, &err) == HZ_OK);
    FUZZ_CHECK(counts.first == few.first && counts.turns == few.turns &&
               counts.king_turns == few.king_turns && counts.results == few.results &&
               counts.max_dice == few.max_dice);
    hz_arena_fini(&arena);
}

static void check_twin_turns(const hz_position *p) {
    char dfen[HZ_DFEN_CAPACITY];
    ref_position twin;
    ref_turns twins;
    hz_arena arena;
    hz_turn_list turns;
    hz_turn_counts counts;
    hz_position_to_dfen(p, dfen, sizeof dfen);
    FUZZ_CHECK(ref_from_dfen(&twin, dfen));
    if (!ref_legal_turns(&twin, MOST_TWIN_LINES, &twins)) {
        return;
    }
    hz_arena_init(&arena, 0);
    FUZZ_CHECK(hz_turns_list(p, 0, &arena, &turns, NULL) == HZ_OK && turns.count == twins.count);
    for (size_t i = 0; i < turns.count; i++) {
        char text[HZ_TURN_CAPACITY];
        hz_turn_to_text(&turns.turns[i], text);
        FUZZ_CHECK(strcmp(text, twins.turn[i].text) == 0);
    }
    FUZZ_CHECK(hz_turns_count(p, 0, &counts, NULL) == HZ_OK);
    FUZZ_CHECK(counts.results == ref_distinct_results(&twin, &twins));
    FUZZ_CHECK(counts.king_turns == ref_king_turns(&twins));
    hz_arena_fini(&arena);
    ref_turns_free(&twins);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hz_position p;
    if (!fuzz_position(data, size, &p)) {
        return 0;
    }
    check_lists(&p);
    if (fuzz_is_small(&p, MOST_LINES)) {
        check_turns(&p);
    }
    if (fuzz_is_small(&p, (uint64_t)2 * MOST_TWIN_LINES)) {
        check_twin_turns(&p);
    }
    return 0;
}
