/* SPDX-License-Identifier: MIT */
/* `hazard play` for people: boards, odds and sentences; see play.h. */
#include "cli/captures.h"
#include "cli/play.h"

#include <inttypes.h>

static void show_board(hzc_table *t) {
    hzc_board board = {&t->game.board, hzc_turn_marks(&t->game.played)};
    hzc_draw_boards(t->out, t->style, &board, 1);
}

static void show_odds(hzc_table *t) {
    hzc_captures captures = hzc_captures_of(&t->game.board);
    for (int i = 0; i < HZC_TARGETS; i++) {
        char odds[HZC_ODDS_CAPACITY];
        (void)hzc_odds_text(hz_roll_set_weight(captures.rolls[i]), odds);
        if (hzc_target_stands(&t->game.board, i)) {
            hzc_out_format(t->out, "  %-14s is taken by %s of fresh dice\n", hzc_targets[i].title,
                           odds);
        }
    }
}

static void show_dice(hzc_table *t) {
    char roll[4], left[4];
    (void)hz_pool_to_text(t->game.root.pool, hzc_mover(t), roll);
    (void)hz_pool_to_text(t->game.board.pool, hzc_mover(t), left);
    hzc_out_format(t->out, "%s rolled %s", hzc_color_name(hzc_mover(t)), roll);
    if (t->game.played.count > 0) {
        hzc_out_format(t->out, ", left: %s", left);
    }
    hzc_out_char(t->out, '\n');
}

/* ---- the game ---- */

static void start(hzc_table *t) {
    if (t->human[HZ_WHITE] || t->human[HZ_BLACK]) {
        hzc_out_text(t->out, "Dice Chess. 'help' lists the commands.\n");
    }
}

static void roll(hzc_table *t) {
    hz_move_list next;
    hzc_game_next(&t->game, &next);
    hzc_out_format(t->out, "\nTurn %" PRIu64 "\n", t->game.ply + 1);
    if (t->human[hzc_mover(t)] && next.count > 0) {
        show_board(t);
        show_odds(t);
    }
    show_dice(t);
}

static void prompt(hzc_table *t) {
    if (t->prompt) {
        hzc_out_format(t->out, "%s> ", hzc_color_name(hzc_mover(t)));
    }
}

static void board(hzc_table *t) {
    show_board(t);
    show_dice(t);
}

/* The board is drawn once per line, by `progress`, not after each micro-move. */
static void move(hzc_table *t) {
    (void)t;
}

static void undo(hzc_table *t, hz_move taken) {
    (void)t;
    (void)taken;
}

static void turn(hzc_table *t, const hz_bot_answer *answer) {
    char text[HZ_TURN_CAPACITY];
    const char *color = hzc_color_name(hzc_mover(t));
    (void)answer;
    if (t->game.played.count == 0) {
        hzc_out_format(t->out, "%s has no legal turn and passes\n", color);
        return;
    }
    (void)hz_turn_to_text(&t->game.played, text);
    hzc_out_format(t->out, "%s plays %s%s\n", color, text,
                   t->game.played.took_king ? " and takes the king" : "");
}

static void draw(hzc_table *t, bool accepted) {
    if (!accepted) {
        hzc_out_format(t->out, "  %s declines\n", hzc_color_name((hz_color)!hzc_mover(t)));
    }
}

/* Foreign text is repeated only when it can do no harm to a terminal. */
static void refusal(hzc_table *t, const hz_error *err, const char *word, size_t length) {
    bool plain = word && length <= 20;
    for (size_t i = 0; i < length && plain; i++) {
        plain = word[i] > ' ' && word[i] < 127;
    }
    if (word) {
        hzc_out_format(t->out, "  %.*s: %s; 'moves' lists what you may play, 'help' the commands\n",
                       plain ? (int)length : 4, plain ? word : "that", err->message);
    } else {
        hzc_out_format(t->out, "  %s\n", err->message);
    }
}

static void finish(hzc_table *t) {
    static const char *const endings[] = {
        [HZ_OUTCOME_WHITE] = "White wins",
        [HZ_OUTCOME_BLACK] = "Black wins",
        [HZ_OUTCOME_DRAW] = "A draw",
    };
    if (t->prompt && t->left == HZC_INPUT_ENDED) {
        hzc_out_char(t->out, '\n');
    }
    hzc_out_char(t->out, '\n');
    show_board(t);
    if (hzc_game_over(&t->game)) {
        hzc_out_format(t->out, "%s: %s, %s", endings[t->game.outcome],
                       hz_game_outcome_text(t->game.outcome), hz_game_reason_text(t->game.reason));
    } else {
        hzc_out_text(t->out, "The game is not finished");
    }
    hzc_out_format(t->out, ", after %" PRIu64 " turns. Seed %" PRIu64 ".\n", t->game.ply,
                   t->game.seed);
}

static void record(hzc_table *t, const char *path) {
    hzc_out_format(t->out, "The record is in %s.\n", path);
}

/* ---- what was asked for ---- */

static void moves(hzc_table *t) {
    hz_move_list list;
    hzc_game_next(&t->game, &list);
    for (int i = 0; i < list.count; i++) {
        char text[HZ_MOVE_CAPACITY];
        (void)hz_move_to_text(list.moves[i], text);
        hzc_out_format(t->out, "%s%s", i % 12 == 0 ? i > 0 ? "\n  " : "  " : " ", text);
    }
    hzc_out_char(t->out, '\n');
}

static void danger(hzc_table *t) {
    hzc_draw_danger(t->out, t->style, &t->game.board);
    hzc_out_text(t->out, "  beside each piece: the rolls of 216 that take it\n");
}

static void hint(hzc_table *t, const hz_bot_answer *answer) {
    char text[HZ_TURN_CAPACITY];
    (void)hz_turn_to_text(&answer->turn, text);
    hzc_out_format(t->out, "  %s would play %s%s\n", t->player.bot.info->id, text,
                   t->game.played.count > 0 ? " on the whole roll" : "");
}

static void dfen(hzc_table *t) {
    char text[HZ_DFEN_CAPACITY];
    (void)hz_position_to_dfen(&t->game.board, text, sizeof text);
    hzc_out_format(t->out, "  %s\n", text);
}

static void help(hzc_table *t) {
    hzc_out_text(t->out, "  a micro-move such as e2e4 or e7e8q, or several: e2e4 g1f3\n");
    for (const hzc_word *w = hzc_words; w->name; w++) {
        hzc_out_format(t->out, "  %-8s %s\n", w->name, w->help);
    }
}

const hzc_view hzc_play_text = {
    .start = start,
    .roll = roll,
    .prompt = prompt,
    .move = move,
    .undo = undo,
    .progress = board,
    .turn = turn,
    .draw = draw,
    .refusal = refusal,
    .finish = finish,
    .record = record,
    .moves = moves,
    .odds = show_odds,
    .danger = danger,
    .hint = hint,
    .board = board,
    .dfen = dfen,
    .help = help,
};
