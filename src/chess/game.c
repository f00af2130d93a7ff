/* SPDX-License-Identifier: MIT */
/*
 * A game of chess and how it ends: mate and stalemate, draws with and without a claim, material
 * that cannot mate. Repetition compares keys in which a target counts only when it can be taken.
 */
#include <hazard/chess.h>

#include "chess/moves.h"

#include <stdlib.h>

const char *hz_chess_end_text(hz_chess_end end) {
    switch (end) {
    case HZ_CHESS_CHECKMATE:
        return "checkmate";
    case HZ_CHESS_STALEMATE:
        return "stalemate";
    case HZ_CHESS_DEAD_MATERIAL:
        return "dead-material";
    case HZ_CHESS_SEVENTY_FIVE:
        return "seventy-five-moves";
    case HZ_CHESS_FIVEFOLD:
        return "fivefold-repetition";
    case HZ_CHESS_FIFTY:
        return "fifty-moves";
    case HZ_CHESS_THREEFOLD:
        return "threefold-repetition";
    case HZ_CHESS_GOES_ON:
        break;
    }
    return "none";
}

bool hz_chess_dead_material(const hz_position *position) {
    uint64_t kings = position->pieces[HZ_KING];
    uint64_t others = (position->colors[0] | position->colors[1]) & ~kings;
    uint64_t minors = position->pieces[HZ_KNIGHT] | position->pieces[HZ_BISHOP];
    if (!others) {
        return true;
    }
    if (others & ~minors) {
        return false;
    }
    if (!hzi_several(others)) {
        return true;
    }
    return !(others & position->pieces[HZ_KNIGHT]) &&
           (!(others & HZI_DARK_SQUARES) || !(others & ~HZI_DARK_SQUARES));
}

uint64_t hz_chess_repetition_key(const hz_position *position) {
    if (!position->targets && !position->pool) {
        return position->key;
    }
    hz_position plain = *position;
    hz_position_set_pool(&plain, 0);
    hz_position_set_targets(&plain, position->targets ? hz_chess_legal_en_passant(position) : 0);
    return plain.key;
}

hz_chess_end hz_chess_position_end(const hz_position *position) {
    if (!hz_chess_has_move(position)) {
        return hz_chess_in_check(position, (hz_color)position->side) ? HZ_CHESS_CHECKMATE
                                                                     : HZ_CHESS_STALEMATE;
    }
    if (hz_chess_dead_material(position)) {
        return HZ_CHESS_DEAD_MATERIAL;
    }
    if (position->halfmove >= 150) {
        return HZ_CHESS_SEVENTY_FIVE;
    }
    return position->halfmove >= 100 ? HZ_CHESS_FIFTY : HZ_CHESS_GOES_ON;
}

/* ---- games ------------------------------------------------------------------------------------ */

static hz_status no_memory(size_t capacity, hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a game of %zu moves", capacity);
}

/* Makes room for `capacity` moves. On failure some lists have more room than they need. */
static hz_status reserve(hz_chess_game *game, size_t capacity, hz_error *err) {
    hz_move *moves = realloc(game->moves, capacity * sizeof *moves);
    if (!moves) {
        return no_memory(capacity, err);
    }
    game->moves = moves;
    uint64_t *keys = realloc(game->keys, (capacity + 1) * sizeof *keys);
    if (!keys) {
        return no_memory(capacity, err);
    }
    game->keys = keys;
    hz_position *past = realloc(game->past, capacity * sizeof *past);
    if (!past) {
        return no_memory(capacity, err);
    }
    game->past = past;
    game->capacity = capacity;
    return HZ_OK;
}

hz_status hz_chess_game_init(hz_chess_game *game, const hz_position *start, hz_error *err) {
    enum { FIRST = 64 };
    *game = (hz_chess_game){.start = *start, .now = *start};
    hz_status status = reserve(game, FIRST, err);
    if (status != HZ_OK) {
        hz_chess_game_fini(game);
        return status;
    }
    game->keys[0] = hz_chess_repetition_key(start);
    return HZ_OK;
}

void hz_chess_game_fini(hz_chess_game *game) {
    if (game) {
        free(game->moves);
        free(game->keys);
        free(game->past);
        *game = (hz_chess_game){.count = 0};
    }
}

hz_status hz_chess_game_play(hz_chess_game *game, hz_move move, hz_error *err) {
    if (!hz_chess_is_legal(&game->now, move)) {
        char text[HZ_MOVE_CAPACITY];
        (void)hz_move_to_text(move, text);
        return hz_fail(err, HZ_NOT_LEGAL, HZ_NO_OFFSET, "%s is no legal move here", text);
    }
    if (game->count == game->capacity) {
        hz_status status = reserve(game, 2 * game->capacity, err);
        if (status != HZ_OK) {
            return status;
        }
    }
    game->past[game->count] = game->now;
    hz_chess_play(&game->now, move, &game->now);
    game->moves[game->count++] = move;
    game->keys[game->count] = hz_chess_repetition_key(&game->now);
    return HZ_OK;
}

bool hz_chess_game_undo(hz_chess_game *game) {
    if (game->count == 0) {
        return false;
    }
    game->now = game->past[--game->count];
    return true;
}

int hz_chess_game_occurrences(const hz_chess_game *game) {
    uint64_t key = game->keys[game->count];
    int occurrences = 1;
    /* What a capture or a pawn move left behind does not come back. */
    size_t back = game->now.halfmove < UINT8_MAX ? game->now.halfmove : game->count;
    for (size_t i = 1; i <= back && i <= game->count; i++) {
        occurrences += game->keys[game->count - i] == key;
    }
    return occurrences;
}

hz_chess_end hz_chess_game_end(const hz_chess_game *game) {
    hz_chess_end end = hz_chess_position_end(&game->now);
    if (end != HZ_CHESS_GOES_ON && end != HZ_CHESS_FIFTY) {
        return end;
    }
    int occurrences = hz_chess_game_occurrences(game);
    if (occurrences >= 5) {
        return HZ_CHESS_FIVEFOLD;
    }
    return end == HZ_CHESS_FIFTY ? end : occurrences >= 3 ? HZ_CHESS_THREEFOLD : HZ_CHESS_GOES_ON;
}
