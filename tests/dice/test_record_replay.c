/* SPDX-License-Identifier: MIT */
/* Replaying game records: every way in which a game can end rightly or break a rule. */
#include "dice/record_games.h"

#include <stdio.h>

/* ---- replay ---- */

#define ROOK_ENDING "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1"
#define KINGS(clock) "4k3/8/8/8/8/8/8/4K3 w - - " clock " 80"

typedef struct game_case {
    const char *text;
    uint32_t line, column; /* 0 = the game is right */
    const char *says;
} game_case;

static const game_case games[] = {
    /* right ends */
    {PLAIN(ROOK_ENDING, "1-0", "king", "1. RNN e1e8\n"), 0, 0, ""},
    {PLAIN(ROOK_ENDING, "1-0", "king", "1. RRN e1e2,e2e8\n"), 0, 0, ""},
    {PLAIN(KINGS("0"), "*", "unterminated", ""), 0, 0, ""},
    {PLAIN(KINGS("0"), "*", "unterminated", "80. NNN -\n80... nnb -\n"), 0, 0, ""},
    {PLAIN(KINGS("0"), "1/2-1/2", "length", "80. NNN -\n"), 0, 0, ""},
    {PLAIN(KINGS("0"), "1/2-1/2", "agreement", "80. NNN -\n"), 0, 0, ""},
    {PLAIN(KINGS("0"), "1-0", "resignation", ""), 0, 0, ""},
    {PLAIN(KINGS("0"), "0-1", "resignation", ""), 0, 0, ""},
    {PLAIN(KINGS("0"), "0-1", "time", ""), 0, 0, ""},
    {PLAIN(KINGS("0"), "1-0", "time", "80. NNN -\n"), 0, 0, ""},
    {PLAIN(KINGS("0"), "1-0", "illegal", "80. NNN -\n"), 0, 0, ""},
    {PLAIN(KINGS("0"), "1-0", "lost", "80. NNN -\n"), 0, 0, ""},
    {PLAIN(KINGS("100"), "1/2-1/2", "fifty", ""), 0, 0, ""},
    {PLAIN(KINGS("99"), "1/2-1/2", "fifty", "80. KNN e1d1\n"), 0, 0, ""},
    {PLAIN(KINGS("99"), "1/2-1/2", "fifty", "80. NNN -\n80... kkn e8d8,d8e8\n"), 0, 0, ""},
    {PLAIN(KINGS("100"), "*", "unterminated", ""), 0, 0, ""},
    {PLAIN("4k3/4K3/8/8/8/8/8/8 w - - 99 80", "1-0", "king", "80. KNN e7e8\n"), 0, 0, ""},
    {PLAIN("4k3/8/8/8/8/8/8/8 w - - 0 1", "*", "unterminated", ""), 0, 0, ""},
    {PLAIN("4k1k1/8/8/8/8/8/8/4RK2 w - - 0 1", "1-0", "king", "1. RNN e1e8\n"), 0, 0, ""},
    /* a king capture may spend fewer dice than another turn */
    {PLAIN("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "1-0", "king", "1. RKK e1e8\n"), 0, 0, ""},
    /* the maximum rule */
    {PLAIN(KINGS("0"), "*", "unterminated", "80. KKN e1e2\n"), 8, 9, "turn 1: e1e2 is not a legal"},
    {PLAIN(ROOK_ENDING, "*", "unterminated", "1. RKN e1e2\n"), 8, 8, "turn 1: e1e2 is not a legal"},
    /* passes */
    {PLAIN(KINGS("0"), "*", "unterminated", "80. NNK -\n"), 8, 9, "turn 1: - is no pass"},
    {PLAIN(ROOK_ENDING, "*", "unterminated", "1. NNN -\n1... kkk -\n"), 9, 10, "turn 2: - is no"},
    /* play after the end */
    {PLAIN(KINGS("99"), "*", "unterminated", "80. KNN e1d1\n80... nnn -\n"), 9, 11,
     "turn 2: the half-move clock is 100"},
    {PLAIN(KINGS("127"), "*", "unterminated", "80. NNN -\n"), 8, 9, "clock is 127"},
    {PLAIN("4k3/8/8/8/8/8/8/8 w - - 0 1", "*", "unterminated", "1. NNN -\n"), 8, 8,
     "a king is missing"},
    /* wrong ends */
    {PLAIN(ROOK_ENDING, "0-1", "king", "1. RNN e1e8\n"), 9, 1, "White took the king and wins"},
    {PLAIN(ROOK_ENDING, "*", "unterminated", "1. RNN e1e8\n"), 9, 1, "the king was taken"},
    {PLAIN(ROOK_ENDING, "1-0", "time", "1. RNN e1e8\n"), 9, 1, "the king was taken"},
    {PLAIN(ROOK_ENDING, "1/2-1/2", "length", "1. RNN e1e8\n"), 9, 1, "the king was taken"},
    {PLAIN(ROOK_ENDING, "1-0", "king", "1. NNN -\n"), 9, 1, "the last turn takes no king"},
    {PLAIN(ROOK_ENDING, "1-0", "king", ""), 8, 1, "the last turn takes no king"},
    {PLAIN(KINGS("98"), "1/2-1/2", "fifty", "80. KNN e1d1\n"), 9, 1, "clock of 99"},
    {PLAIN(KINGS("99"), "1/2-1/2", "length", "80. KNN e1d1\n"), 9, 1, "clock of 100"},
    {PLAIN(KINGS("99"), "1-0", "time", "80. KNN e1d1\n"), 9, 1, "clock of 100"},
    {PLAIN(KINGS("0"), "1-0", "time", ""), 8, 1, "White was to move and does not win"},
    {PLAIN(KINGS("0"), "0-1", "illegal", "80. NNN -\n"), 9, 1, "Black was to move and does not"},
    {PLAIN(KINGS("0"), "0-1", "lost", "80. NNN -\n"), 9, 1, "Black was to move and does not"},
};

static void games_are_right_or_break_a_named_rule_at_a_named_place(void **state) {
    fixture *f = *state;
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        const game_case *g = &games[i];
        read_good(f, g->text);
        hz_error_clear(&f->error);
        hz_status status = hz_record_replay(&f->record, false, NULL, NULL, NULL, &f->error);
        if (status != (g->line ? HZ_RECORD_REPLAY : HZ_OK) || f->error.line != g->line ||
            f->error.column != g->column || !strstr(f->error.message, g->says)) {
            fail_msg("%s\n%s %u:%u \"%s\", wanted %u:%u \"%s\"", g->text, hz_status_name(status),
                     f->error.line, f->error.column, f->error.message, g->line, g->column, g->says);
        }
    }
}

static void a_turn_that_cannot_be_played_breaks_the_replay(void **state) {
    fixture *f = *state;
    read_good(f, PLAIN(ROOK_ENDING, "1-0", "king", "1. RNN e1e8\n"));
    hz_record_turn *turn = &f->record.turns[0];
    hz_record_turn right = *turn;

#define BROKEN(change, says)                                                                       \
    do {                                                                                           \
        *turn = right;                                                                             \
        change;                                                                                    \
        hz_status status = hz_record_replay(&f->record, false, NULL, NULL, NULL, &f->error);       \
        if (status != HZ_RECORD_REPLAY || !strstr(f->error.message, says)) {                       \
            fail_msg("%s: %s \"%s\"", #change, hz_status_name(status), f->error.message);          \
        }                                                                                          \
    } while (0)

    BROKEN(turn->roll = hz_pool_from_faces(2, 2, 2), "e1e8 is not a legal turn with NNN");
    BROKEN(turn->roll = hz_pool_from_faces(4, 2, 0), "a roll has three dice");
    BROKEN(turn->roll = 0, "a roll has three dice");
    BROKEN(turn->turn.count = 4, "more than three micro-moves");
    BROKEN(turn->turn.moves[0] = hz_move_make(4, 61, HZ_MOVE_CAPTURE), "not a legal turn");
    BROKEN(turn->turn.moves[0] = hz_move_make(4, 60, HZ_MOVE_QUIET), "not a legal turn");
    BROKEN(turn->turn.took_king = 0, "turn 1 takes a king");
    f->record.outcome = HZ_OUTCOME_OPEN;
    BROKEN((void)0, "a game does not end * with reason king");
    f->record.reason = HZ_REASON_UNTERMINATED;
    BROKEN(turn->turn = ((hz_turn){.count = 1, .took_king = 1, .moves = {hz_move_make(4, 12, 0)}}),
           "turn 1 does not take a king");
#undef BROKEN
    /* A record that was not read from a text has no place to name. */
    *turn = right;
    turn->place = (hz_record_place){0};
    turn->turn.took_king = 0;
    assert_int_equal(hz_record_replay(&f->record, false, NULL, NULL, NULL, &f->error),
                     HZ_RECORD_REPLAY);
    assert_int_equal(f->error.line, 0);
    assert_true(f->error.offset == HZ_NO_OFFSET);
    f->record.start.pool = 1;
    assert_int_equal(hz_record_replay(&f->record, false, NULL, NULL, NULL, &f->error),
                     HZ_RECORD_HEADER);
}

static void no_turn_follows_a_capture_even_when_another_king_stands(void **state) {
    fixture *f = *state;
    read_good(f, PLAIN("4k1k1/8/8/8/8/8/8/4RK2 w - - 0 1", "1-0", "king", "1. RNN e1e8\n"));
    hz_record_turn turns[2] = {f->record.turns[0], {.roll = hz_pool_from_faces(2, 2, 2)}};
    f->record.turns = turns;
    f->record.turn_count = 2;
    assert_int_equal(hz_record_replay(&f->record, false, NULL, NULL, NULL, &f->error),
                     HZ_RECORD_REPLAY);
    assert_string_equal(f->error.message, "turn 2: the king was taken before, the game is over");
}

static void a_seed_is_checked_when_asked(void **state) {
    fixture *f = *state;
    /* Seed 42 begins 3 6 3, 1 5 1, 2 5 1 (rolls BBK, PPQ, PNQ). */
    static const char text[] =
        "[HazardRecord \"1\"]\n[White \"w\"]\n[Black \"b\"]\n"
        "[Start \"" KINGS("0") "\"]\n[Seed \"42\"]\n"
                               "[Result \"*\"]\n[Reason \"unterminated\"]\n\n"
                               "80. BBK e1e2\n80... ppq -\n81. NPQ -\n*\n";
    read_good(f, text);
    assert_int_equal(hz_record_replay(&f->record, true, NULL, NULL, NULL, &f->error), HZ_OK);
    f->record.turns[2].roll = hz_pool_from_faces(2, 5, 2);
    assert_int_equal(hz_record_replay(&f->record, false, NULL, NULL, NULL, &f->error), HZ_OK);
    assert_int_equal(hz_record_replay(&f->record, true, NULL, NULL, NULL, &f->error),
                     HZ_RECORD_REPLAY);
    assert_string_equal(f->error.message, "turn 3: the roll is NNQ, the seed gives PNQ");
    assert_int_equal(f->error.line, 11);
    f->record.has_seed = false;
    assert_int_equal(hz_record_replay(&f->record, true, NULL, NULL, NULL, &f->error),
                     HZ_RECORD_HEADER);
    /* With PNQ, White must pass at turn 3: nobody is asked, so nobody fails to answer. */
    f->record.has_seed = true;
    f->record.turn_count = 2;
    f->record.outcome = HZ_OUTCOME_BLACK;
    f->record.reason = HZ_REASON_TIME;
    assert_int_equal(hz_record_replay(&f->record, false, NULL, NULL, NULL, &f->error), HZ_OK);
    assert_int_equal(hz_record_replay(&f->record, true, NULL, NULL, NULL, &f->error),
                     HZ_RECORD_REPLAY);
    assert_string_equal(f->error.message, "White had to pass and does not lose by reason time");
    f->record.turn_count = 0;
    assert_int_equal(hz_record_replay(&f->record, true, NULL, NULL, NULL, &f->error), HZ_OK);
}

static bool stop_at_second(void *context, const hz_record_step *step) {
    *(size_t *)context = step->ply;
    return step->ply < 1;
}

static void a_visitor_may_stop_the_replay(void **state) {
    fixture *f = *state;
    size_t seen = 0;
    read_good(f, GAME);
    assert_int_equal(hz_record_replay(&f->record, false, stop_at_second, &seen, NULL, &f->error),
                     HZ_INCOMPLETE);
    assert_int_equal(seen, 1);
}

static void words_name_outcomes_and_reasons(void **state) {
    (void)state;
    assert_string_equal(hz_game_outcome_text(HZ_OUTCOME_DRAW), "1/2-1/2");
    assert_string_equal(hz_game_reason_text(HZ_REASON_FIFTY), "fifty");
    assert_string_equal(hz_game_outcome_text((hz_game_outcome)99), "?");
    assert_string_equal(hz_game_reason_text((hz_game_reason)99), "?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        RECORD_TEST(games_are_right_or_break_a_named_rule_at_a_named_place),
        RECORD_TEST(a_turn_that_cannot_be_played_breaks_the_replay),
        RECORD_TEST(no_turn_follows_a_capture_even_when_another_king_stands),
        RECORD_TEST(a_seed_is_checked_when_asked),
        RECORD_TEST(a_visitor_may_stop_the_replay),
        RECORD_TEST(words_name_outcomes_and_reasons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
