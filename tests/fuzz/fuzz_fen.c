/* SPDX-License-Identifier: MIT */
/* FEN for chess: any bytes, or bytes that describe a board. Text, flaws, repair, legal moves and
 * their notation agree with each other. */
#include "fuzz/fuzz.h"

#include <hazard/chess.h>

#include <string.h>

static void check_text(const hz_position *p) {
    char fen[HZ_DFEN_CAPACITY], cut[HZ_DFEN_CAPACITY];
    size_t length = hz_chess_to_fen(p, fen, sizeof fen);
    FUZZ_CHECK(length < sizeof fen && strlen(fen) == length);
    FUZZ_CHECK(hz_chess_to_fen(p, cut, length / 2 + 1) == length && strlen(cut) == length / 2);
    hz_position read;
    hz_error err;
    FUZZ_CHECK(hz_chess_from_fen(&read, fen, length, &err) == HZ_OK);
    FUZZ_CHECK(hz_chess_repetition_key(&read) == hz_chess_repetition_key(p) ||
               (p->targets & (p->targets - 1)));
    FUZZ_CHECK(hz_chess_to_fen(&read, cut, sizeof cut) == length && strcmp(cut, fen) == 0);
    FUZZ_CHECK(read.halfmove == p->halfmove && read.fullmove == p->fullmove);
}

static void check_flaws(const hz_position *p) {
    hz_error err;
    hz_chess_flaw flaw = hz_chess_validate(p, &err);
    FUZZ_CHECK((flaw == HZ_CHESS_SOUND) == (err.code == HZ_OK));
    FUZZ_CHECK((flaw == HZ_CHESS_SOUND) == (err.message[0] == '\0'));
    hz_position repaired = *p, twice;
    hz_chess_repair(&repaired);
    twice = repaired;
    hz_chess_repair(&twice);
    FUZZ_CHECK(fuzz_same_position(&repaired, &twice));
    FUZZ_CHECK(repaired.key == hz_position_fresh_key(&repaired));
    hz_chess_flaw left = hz_chess_validate(&repaired, NULL);
    FUZZ_CHECK(flaw < HZ_CHESS_RIGHTS ? left == flaw : left == HZ_CHESS_SOUND);
    FUZZ_CHECK(flaw != HZ_CHESS_SOUND || fuzz_same_position(p, &repaired));
}

static void check_moves(const hz_position *p) {
    hz_move moves[HZ_CHESS_MOVES_MAX], tactical[HZ_CHESS_MOVES_MAX];
    int count = hz_chess_moves(p, moves), quiet = 0;
    uint64_t en_passant = 0;
    FUZZ_CHECK(count <= HZ_CHESS_MOVES_MAX && count == hz_chess_move_count(p));
    FUZZ_CHECK(hz_chess_has_move(p) == (count > 0));
    for (int i = 0; i < count; i++) {
        hz_position after;
        hz_move read = 0;
        char text[HZ_SAN_CAPACITY];
        FUZZ_CHECK(hz_chess_is_legal(p, moves[i]));
        hz_chess_play(p, moves[i], &after);
        FUZZ_CHECK(after.key == hz_position_fresh_key(&after));
        FUZZ_CHECK(!hz_chess_in_check(&after, (hz_color)p->side));
        size_t length = hz_move_to_text(moves[i], text);
        FUZZ_CHECK(hz_chess_move_from_text(p, text, length, &read, NULL) == HZ_OK);
        FUZZ_CHECK(read == moves[i]);
        length = hz_san_from_move(p, moves[i], text);
        FUZZ_CHECK(length < sizeof text && strlen(text) == length);
        FUZZ_CHECK(hz_san_to_move(p, text, length, &read, NULL) == HZ_OK && read == moves[i]);
        quiet += !(hz_move_flags(moves[i]) & (HZ_MOVE_CAPTURE | HZ_MOVE_PROMOTION));
        if (hz_move_flags(moves[i]) == HZ_MOVE_EN_PASSANT) {
            en_passant |= UINT64_C(1) << hz_move_to(moves[i]);
        }
    }
    FUZZ_CHECK(hz_chess_tactical_moves(p, tactical) == count - quiet);
    FUZZ_CHECK(hz_chess_legal_en_passant(p) == en_passant);
    FUZZ_CHECK(hz_chess_perft(p, 1) == (uint64_t)count);
    hz_chess_end end = hz_chess_position_end(p);
    FUZZ_CHECK((end == HZ_CHESS_CHECKMATE || end == HZ_CHESS_STALEMATE) == (count == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hz_position p = hz_position_empty(), empty = p;
    hz_error err;
    hz_status status = hz_chess_from_fen(&p, (const char *)data, size, &err);
    if (status != HZ_OK) {
        fuzz_check_error(&err, status, size);
        FUZZ_CHECK(status <= HZ_FIELD_COUNT && status >= HZ_BOARD_CHAR && status != HZ_DICE);
        FUZZ_CHECK(fuzz_same_position(&p, &empty));
        if (!fuzz_position(data, size, &p)) {
            return 0;
        }
        hz_position_set_pool(&p, 0);
    }
    FUZZ_CHECK(p.key == hz_position_fresh_key(&p));
    check_text(&p);
    check_flaws(&p);
    check_moves(&p);
    return 0;
}
