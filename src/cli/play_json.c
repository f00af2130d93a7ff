/* SPDX-License-Identifier: MIT */
/*
 * `hazard play --json` for programs: one JSON object per event and line, written out at once, so
 * that whoever plays may wait for it. docs/play.md is the contract. Events after which the human
 * may play on carry the whole state of the turn; nobody has to remember the one before.
 */
#include "cli/captures.h"
#include "cli/play.h"

#include <string.h>

static const char *const colors[] = {[HZ_WHITE] = "white", [HZ_BLACK] = "black"};

static hzc_json begin(hzc_table *t, const char *event) {
    hzc_json json = hzc_json_to(t->out);
    hzc_json_object(&json, NULL);
    hzc_json_text(&json, "event", event);
    return json;
}

static void end(hzc_json *json) {
    hzc_json_end_object(json);
    hzc_out_char(json->out, '\n');
    (void)hzc_out_flush(json->out); /* the error stays set in *out */
}

/* ---- members that several events share ---- */

/* Whose turn it is. */
static void put_turn(hzc_json *json, const hzc_table *t) {
    hzc_json_count(json, "number", t->game.ply + 1);
    hzc_json_text(json, "side", colors[hzc_mover(t)]);
    hzc_json_text(json, "player", hzc_player_name(t, hzc_mover(t)));
    hzc_json_pool(json, "dice", t->game.root.pool, hzc_mover(t));
}

static void put_next(hzc_json *json, const hzc_table *t) {
    hz_move_list next;
    hzc_game_next(&t->game, &next);
    hzc_json_array(json, "next");
    for (int i = 0; i < next.count; i++) {
        hzc_json_move(json, NULL, next.moves[i]);
    }
    hzc_json_end_array(json);
}

/* The turn under way: its dice, what was played of it, what may follow. */
static void put_state(hzc_json *json, const hzc_table *t) {
    put_turn(json, t);
    hzc_json_turn(json, "played", &t->game.played);
    hzc_json_pool(json, "left", t->game.board.pool, hzc_mover(t));
    hzc_json_dfen(json, "dfen", &t->game.board);
    put_next(json, t);
}

/* What a bot says of its turn; nothing is said of a human's. */
static void put_score(hzc_json *json, const hz_bot_answer *answer) {
    if (answer) {
        hzc_json_integer(json, "score", answer->score);
    } else {
        hzc_json_null(json, "score");
    }
    hzc_json_bool(json, "from_book", answer && answer->from_book);
}

static void put_error(hzc_json *json, const hz_error *err) {
    hzc_json_text(json, "code", hz_status_name(err->code));
    hzc_json_text(json, "message", err->message);
}

/* ---- the game ---- */

static void start(hzc_table *t) {
    hzc_json json = begin(t, "start");
    hzc_json_seed(&json, "seed", t->game.seed);
    hzc_json_text(&json, "white", hzc_player_name(t, HZ_WHITE));
    hzc_json_text(&json, "black", hzc_player_name(t, HZ_BLACK));
    hzc_json_dfen(&json, "dfen", &t->game.start);
    end(&json);
}

static void show_state(hzc_table *t, const char *event) {
    hzc_json json = begin(t, event);
    put_state(&json, t);
    end(&json);
}

static void roll(hzc_table *t) {
    show_state(t, "roll");
}

/* Programs need no prompt, and `move` and `undo` have said all there is to say of a line. */
static void nothing(hzc_table *t) {
    (void)t;
}

static void move(hzc_table *t) {
    hzc_json json = begin(t, "move");
    hzc_json_move(&json, "move", t->game.played.moves[t->game.played.count - 1]);
    put_state(&json, t);
    end(&json);
}

static void undo(hzc_table *t, hz_move taken) {
    hzc_json json = begin(t, "undo");
    hzc_json_move(&json, "move", taken);
    put_state(&json, t);
    end(&json);
}

static void turn(hzc_table *t, const hz_bot_answer *answer) {
    const hz_turn *played = &t->game.played;
    hz_position after = t->game.board;
    hzc_json json = begin(t, "turn");
    put_turn(&json, t);
    hzc_json_bool(&json, "pass", played->count == 0);
    hzc_json_turn(&json, "turn", played);
    hzc_json_bool(&json, "takes_king", played->took_king);
    put_score(&json, answer);
    if (!played->took_king) {
        hz_hand_over(&after);
    }
    hzc_json_dfen(&json, "dfen", &after);
    end(&json);
}

static void draw(hzc_table *t, bool accepted) {
    hzc_json json = begin(t, "draw");
    hzc_json_bool(&json, "accepted", accepted);
    end(&json);
}

static void refusal(hzc_table *t, const hz_error *err, const char *word, size_t length) {
    hzc_json json = begin(t, "error");
    put_error(&json, err);
    if (word) {
        hzc_json_bytes(&json, "word", word, length);
    } else {
        hzc_json_null(&json, "word");
    }
    put_state(&json, t);
    end(&json);
}

static void put_ending(hzc_json *json, const hzc_table *t) {
    const hzc_game *game = &t->game;
    hzc_json_text(json, "outcome", hz_game_outcome_text(game->outcome));
    if (game->outcome == HZ_OUTCOME_WHITE || game->outcome == HZ_OUTCOME_BLACK) {
        hzc_json_text(json, "winner", colors[game->outcome == HZ_OUTCOME_BLACK]);
    } else {
        hzc_json_null(json, "winner");
    }
    hzc_json_text(json, "reason", hz_game_reason_text(game->reason));
}

static void put_leaving(hzc_json *json, const hzc_table *t) {
    hzc_json_text(json, "cause",
                  t->left == HZC_QUIT          ? "quit"
                  : t->left == HZC_INPUT_ENDED ? "end_of_input"
                                               : "failure");
    if (t->left == HZC_FAILED) {
        put_error(json, &t->failure);
    }
}

static void finish(hzc_table *t) {
    bool over = hzc_game_over(&t->game);
    hzc_json json = begin(t, over ? "end" : "quit");
    (over ? put_ending : put_leaving)(&json, t);
    hzc_json_count(&json, "turns", t->game.ply);
    hzc_json_seed(&json, "seed", t->game.seed);
    hzc_json_dfen(&json, "dfen", &t->game.board);
    end(&json);
}

static void record(hzc_table *t, const char *path) {
    hzc_json json = begin(t, "record");
    hzc_json_text(&json, "file", path);
    end(&json);
}

/* ---- what was asked for ---- */

static void moves(hzc_table *t) {
    hzc_json json = begin(t, "moves");
    put_next(&json, t);
    end(&json);
}

static void odds(hzc_table *t) {
    hzc_captures captures = hzc_captures_of(&t->game.board);
    hzc_json json = begin(t, "odds");
    hzc_json_captures(&json, "odds", &captures);
    end(&json);
}

static void danger(hzc_table *t) {
    hzc_json json = begin(t, "danger");
    hzc_json_danger(&json, "danger", &t->game.board);
    end(&json);
}

static void hint(hzc_table *t, const hz_bot_answer *answer) {
    hzc_json json = begin(t, "hint");
    hzc_json_text(&json, "bot", t->player.bot.info->id);
    hzc_json_turn(&json, "turn", &answer->turn);
    hzc_json_bool(&json, "takes_king", answer->turn.took_king);
    put_score(&json, answer);
    end(&json);
}

static void board(hzc_table *t) {
    show_state(t, "board");
}

static void dfen(hzc_table *t) {
    hzc_json json = begin(t, "dfen");
    hzc_json_dfen(&json, "dfen", &t->game.board);
    end(&json);
}

static void help(hzc_table *t) {
    hzc_json json = begin(t, "help");
    hzc_json_array(&json, "words");
    for (const hzc_word *w = hzc_words; w->name; w++) {
        hzc_json_object(&json, NULL);
        hzc_json_text(&json, "name", w->name);
        hzc_json_text(&json, "help", w->help);
        hzc_json_end_object(&json);
    }
    hzc_json_end_array(&json);
    end(&json);
}

const hzc_view hzc_play_json = {
    .start = start,
    .roll = roll,
    .prompt = nothing,
    .move = move,
    .undo = undo,
    .progress = nothing,
    .turn = turn,
    .draw = draw,
    .refusal = refusal,
    .finish = finish,
    .record = record,
    .moves = moves,
    .odds = odds,
    .danger = danger,
    .hint = hint,
    .board = board,
    .dfen = dfen,
    .help = help,
};
