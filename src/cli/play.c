/* SPDX-License-Identifier: MIT */
/*
 * `hazard play`: a game of Dice Chess in the terminal, against a bot or between two people. This
 * file is the dialogue; the game itself is in game.c. It works the same through pipes, only without
 * prompts, and the end of the input ends the game.
 */
#include "cli/captures.h"
#include "cli/draw.h"
#include "cli/game.h"
#include "cli/lines.h"
#include "cli/player.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const about[] = {
    "Plays a game of Dice Chess. Each turn three dice say which pieces may move; you play up to "
    "three micro-moves, each a from-square and a to-square: e2e4, or e7e8q for a promotion. "
    "As many dice must be spent as can be. Whoever takes the enemy king wins.",
    "Between micro-moves there are commands: moves, odds, danger, hint, undo, board, dfen, draw, "
    "resign, quit; help explains them. A micro-move can be taken back until the turn is complete.",
    "The same seed gives the same dice. A game without pawn move or capture for 100 micro-moves is "
    "a draw.",
    NULL};

static const hzc_option options[] = {
    {"side", 0, "SIDE",
     "your side: white (the default), black, both for two people, none to watch"},
    HZC_OPTION_BOT,
    HZC_OPTION_BOOK,
    HZC_OPTION_SEED,
    {"record", 0, "FILE", "append the record of the game to this file"},
    HZC_OPTION_BOARD,
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {
    {"hazard play", "A game against greedy."},
    {"hazard play --bot aggressive --side black --seed 7", "Repeatable dice."},
    {"hazard play --side none --seed 1", "Watch a bot play itself."},
    {0}};

enum { MOST_LINE_BYTES = 1024 };

typedef struct table {
    const hzc_args *args;
    hzc_out *out;
    hzc_style style;
    hzc_game game;
    hzc_player player;
    bool human[2];
    hz_random streams[2]; /* of the bots, by colour */
    hz_random hints;
    hzc_lines lines;
    bool prompt;
    bool left; /* the human left the table */
    int code;  /* exit code when something failed */
} table;

/* ---- what is shown ---- */

static hz_color mover(const table *t) {
    return (hz_color)t->game.root.side;
}

static void show_board(table *t) {
    hzc_board board = {&t->game.board, hzc_turn_marks(&t->game.played)};
    hzc_draw_boards(t->out, t->style, &board, 1);
}

static void show_odds(table *t) {
    hzc_captures captures = hzc_captures_of(&t->game.board);
    for (int i = 0; i < HZC_TARGETS; i++) {
        char odds[HZC_ODDS_CAPACITY];
        (void)hzc_odds_text(hz_roll_set_weight(captures.rolls[i]), odds);
        hzc_out_format(t->out, "  %-14s is taken by %s of fresh dice\n", hzc_targets[i].title,
                       odds);
    }
}

static void show_dice(table *t) {
    char roll[4], left[4];
    (void)hz_pool_to_text(t->game.root.pool, mover(t), roll);
    (void)hz_pool_to_text(t->game.board.pool, mover(t), left);
    hzc_out_format(t->out, "%s rolled %s", hzc_color_name(mover(t)), roll);
    if (t->game.played.count > 0) {
        hzc_out_format(t->out, ", left: %s", left);
    }
    hzc_out_char(t->out, '\n');
}

static void show_turn(table *t) {
    char text[HZ_TURN_CAPACITY];
    (void)hz_turn_to_text(&t->game.played, text);
    hzc_out_format(t->out, "%s plays %s%s\n", hzc_color_name(mover(t)), text,
                   t->game.played.took_king ? " and takes the king" : "");
}

/* ---- commands of the dialogue ---- */

typedef enum outcome { AGAIN, TURN_CHANGED, GAME_ENDED } outcome;

typedef struct dialogue_command {
    const char *name;
    const char *help;
    outcome (*run)(table *t);
} dialogue_command;

static outcome do_help(table *t);

static outcome do_moves(table *t) {
    hz_move_list list;
    hzc_game_next(&t->game, &list);
    for (int i = 0; i < list.count; i++) {
        char text[HZ_MOVE_CAPACITY];
        (void)hz_move_to_text(list.moves[i], text);
        hzc_out_format(t->out, "%s%s", i % 12 == 0 ? i > 0 ? "\n  " : "  " : " ", text);
    }
    hzc_out_char(t->out, '\n');
    return AGAIN;
}

static outcome do_odds(table *t) {
    show_odds(t);
    return AGAIN;
}

static outcome do_danger(table *t) {
    hzc_draw_danger(t->out, t->style, &t->game.board);
    hzc_out_text(t->out, "  beside each piece: the rolls of 216 that take it\n");
    return AGAIN;
}

static outcome do_board(table *t) {
    show_board(t);
    show_dice(t);
    return AGAIN;
}

static outcome do_dfen(table *t) {
    char text[HZ_DFEN_CAPACITY];
    (void)hz_position_to_dfen(&t->game.board, text, sizeof text);
    hzc_out_format(t->out, "  %s\n", text);
    return AGAIN;
}

static outcome do_undo(table *t) {
    if (!hzc_game_undo(&t->game)) {
        hzc_out_text(t->out, "  nothing was played on this roll yet\n");
        return AGAIN;
    }
    return TURN_CHANGED;
}

static outcome do_hint(table *t) {
    hz_bot_answer answer;
    int code = hzc_player_ask(&t->player, t->args, &t->game.root, &t->hints, &answer);
    if (code == HZC_DONE) {
        char text[HZ_TURN_CAPACITY];
        (void)hz_turn_to_text(&answer.turn, text);
        hzc_out_format(t->out, "  %s would play %s%s\n", t->player.bot.info->id, text,
                       t->game.played.count > 0 ? " on the whole roll" : "");
    }
    return AGAIN;
}

static outcome do_draw(table *t) {
    hz_color other = (hz_color)!mover(t);
    bool yes = true;
    if (!t->human[other]) {
        /* The bot judges its own side, as if it were to move. */
        hz_position position = t->game.board;
        hz_error err;
        hz_position_set_pool(&position, 0);
        hz_position_set_side(&position, other);
        if (hz_bot_decide(&t->player.bot, HZ_ACCEPT_DRAW, &position, other, &t->streams[other],
                          &yes, &err) != HZ_OK) {
            t->code = hzc_report(t->args, &err, NULL, 0);
            yes = false;
        }
    }
    if (!yes) {
        hzc_out_format(t->out, "  %s declines\n", hzc_color_name(other));
        return AGAIN;
    }
    hzc_game_end(&t->game, HZ_OUTCOME_DRAW, HZ_REASON_AGREEMENT);
    return GAME_ENDED;
}

static outcome do_resign(table *t) {
    hzc_game_end(&t->game, mover(t) == HZ_WHITE ? HZ_OUTCOME_BLACK : HZ_OUTCOME_WHITE,
                 HZ_REASON_RESIGNATION);
    return GAME_ENDED;
}

static outcome do_quit(table *t) {
    t->left = true;
    return GAME_ENDED;
}

static const dialogue_command dialogue_commands[] = {
    {"moves", "list the micro-moves you may play now", do_moves},
    {"odds", "show how many rolls take the kings and queens", do_odds},
    {"danger", "show beside every piece how many rolls take it", do_danger},
    {"hint", "ask the bot what it would play", do_hint},
    {"undo", "take back the latest micro-move of this turn", do_undo},
    {"board", "draw the board again", do_board},
    {"dfen", "print the position as DFEN", do_dfen},
    {"draw", "offer a draw", do_draw},
    {"resign", "give the game up", do_resign},
    {"quit", "leave without a result", do_quit},
    {"help", "show this list", do_help},
    {0},
};

static outcome do_help(table *t) {
    hzc_out_text(t->out, "  a micro-move such as e2e4 or e7e8q, or several: e2e4 g1f3\n");
    for (const dialogue_command *c = dialogue_commands; c->name; c++) {
        hzc_out_format(t->out, "  %-8s %s\n", c->name, c->help);
    }
    return AGAIN;
}

/* ---- the human's turn ---- */

/* Foreign text is repeated only when it can do no harm to a terminal. */
static void complain_about(table *t, const char *word, size_t length, const char *what) {
    bool plain = length <= 20;
    for (size_t i = 0; i < length && plain; i++) {
        plain = word[i] > ' ' && word[i] < 127;
    }
    hzc_out_format(t->out, "  %.*s: %s; 'moves' lists what you may play, 'help' the commands\n",
                   plain ? (int)length : 4, plain ? word : "that", what);
}

static outcome do_word(table *t, const char *word, size_t length) {
    for (const dialogue_command *c = dialogue_commands; c->name; c++) {
        if (strlen(c->name) == length && memcmp(c->name, word, length) == 0) {
            return c->run(t);
        }
    }
    hz_error err;
    if (hzc_game_play(&t->game, word, length, &err) != HZ_OK) {
        complain_about(t, word, length, err.message);
        return AGAIN;
    }
    return TURN_CHANGED;
}

/* Words of a line one after the other, until one is refused or the turn is complete. */
static outcome do_line(table *t, const char *line, size_t length) {
    static const char blanks[] = " ,\t\r";
    outcome result = AGAIN;
    for (size_t i = 0; i < length;) {
        if (line[i] && strchr(blanks, line[i])) {
            i++;
            continue;
        }
        size_t end = i;
        while (end < length && !(line[end] && strchr(blanks, line[end]))) {
            end++;
        }
        hz_move_list next;
        hzc_game_next(&t->game, &next);
        if (next.count == 0) {
            hzc_out_text(t->out, "  the turn is complete; the rest of the line is ignored\n");
            break;
        }
        outcome now = do_word(t, line + i, end - i);
        if (now == GAME_ENDED) {
            return now;
        }
        result = now == TURN_CHANGED ? now : result;
        if (now == AGAIN && result == TURN_CHANGED) {
            break;
        }
        i = end;
    }
    return result;
}

static outcome read_line(table *t) {
    const char *line;
    size_t length;
    if (t->prompt) {
        hzc_out_format(t->out, "%s> ", hzc_color_name(mover(t)));
    }
    if (!hzc_out_flush(t->out)) {
        t->code = HZC_ENVIRONMENT;
        return do_quit(t);
    }
    switch (hzc_lines_next(&t->lines, &line, &length)) {
    case HZC_LINE:
        return do_line(t, line, length);
    case HZC_LINE_TOO_LONG:
        hzc_out_text(t->out, "  that line is too long\n");
        return AGAIN;
    case HZC_LINE_FAILED:
        t->code = hzc_complain(t->args, HZC_ENVIRONMENT, "reading failed: %s", strerror(errno));
        return do_quit(t);
    default:
        if (t->prompt) {
            hzc_out_char(t->out, '\n');
        }
        return do_quit(t);
    }
}

static void human_turn(table *t) {
    hz_move_list next;
    show_board(t);
    show_odds(t);
    show_dice(t);
    while (hzc_game_next(&t->game, &next), next.count > 0) {
        outcome now = read_line(t);
        if (now == GAME_ENDED) {
            return;
        }
        hzc_game_next(&t->game, &next);
        if (now == TURN_CHANGED && next.count > 0) {
            (void)do_board(t);
        }
    }
    show_turn(t);
}

/* ---- the game ---- */

static void bot_turn(table *t, hz_bot_answer *answer) {
    show_dice(t);
    int code = hzc_player_ask(&t->player, t->args, &t->game.root, &t->streams[mover(t)], answer);
    if (code != HZC_DONE) {
        t->code = code;
        t->left = true;
        return;
    }
    hzc_game_play_turn(&t->game, &answer->turn);
    show_turn(t);
}

static void play_turn(table *t) {
    hz_bot_answer answer;
    const int32_t *score = NULL;
    hz_move_list next;
    hzc_out_format(t->out, "\nTurn %" PRIu64 "\n", t->game.ply + 1);
    hzc_game_next(&t->game, &next);
    if (next.count == 0) {
        show_dice(t);
        hzc_out_format(t->out, "%s has no legal turn and passes\n", hzc_color_name(mover(t)));
    } else if (t->human[mover(t)]) {
        human_turn(t);
    } else {
        bot_turn(t, &answer);
        score = &answer.score;
    }
    if (!t->left && !hzc_game_over(&t->game) && hzc_game_end_turn(&t->game, score) != HZ_OK) {
        t->code = hzc_complain(t->args, HZC_ENVIRONMENT, "out of memory");
        t->left = true;
    }
}

static void show_result(table *t) {
    static const char *const endings[] = {
        [HZ_OUTCOME_WHITE] = "White wins",
        [HZ_OUTCOME_BLACK] = "Black wins",
        [HZ_OUTCOME_DRAW] = "A draw",
    };
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

static bool write_record(void *context, const char *text, size_t length) {
    return fwrite(text, 1, length, context) == length;
}

static int save_record(table *t, FILE *file, const char *path) {
    const char *names[2];
    hz_error err;
    for (int color = 0; color < 2; color++) {
        names[color] = t->human[color] ? "human" : t->player.bot.info->id;
    }
    hz_record record = hzc_game_record(&t->game, names[HZ_WHITE], names[HZ_BLACK]);
    hz_status status = hz_record_write(&record, write_record, file, &err);
    bool closed = fclose(file) == 0;
    if (status != HZ_OK || !closed) {
        return hzc_complain(t->args, HZC_ENVIRONMENT, "%s: the record could not be written", path);
    }
    hzc_out_format(t->out, "The record is in %s.\n", path);
    return HZC_DONE;
}

static bool read_side(table *t) {
    const char *side = hzc_args_value(t->args, "side");
    if (!side || strcmp(side, "white") == 0 || strcmp(side, "w") == 0) {
        t->human[HZ_WHITE] = true;
    } else if (strcmp(side, "black") == 0 || strcmp(side, "b") == 0) {
        t->human[HZ_BLACK] = true;
    } else if (strcmp(side, "both") == 0) {
        t->human[HZ_WHITE] = t->human[HZ_BLACK] = true;
    } else if (strcmp(side, "none") != 0) {
        (void)hzc_usage(t->args, "--side: '%s' is not white, black, both or none", side);
        return false;
    }
    return true;
}

/* Streams of the players as the arena gives them, from the seed of the dice. */
static void seed_streams(table *t, uint64_t seed) {
    static const uint64_t tags[] = {0xA5A5A5A5A5A5A5A5, 0x5A5A5A5A5A5A5A5A, 0x3C3C3C3C3C3C3C3C};
    t->streams[HZ_WHITE] = hz_random_from_seed(hz_random_mix(seed ^ tags[HZ_WHITE]));
    t->streams[HZ_BLACK] = hz_random_from_seed(hz_random_mix(seed ^ tags[HZ_BLACK]));
    t->hints = hz_random_from_seed(hz_random_mix(seed ^ tags[2]));
}

static int play_game(table *t) {
    const char *path = hzc_args_value(t->args, "record");
    FILE *file = NULL;
    if (path && !(file = fopen(path, "ab"))) {
        return hzc_complain(t->args, HZC_ENVIRONMENT, "%s: %s", path, strerror(errno));
    }
    if (t->human[HZ_WHITE] || t->human[HZ_BLACK]) {
        hzc_out_text(t->out, "Dice Chess. 'help' lists the commands.\n");
    }
    while (!t->left && !t->out->failed && hzc_game_roll(&t->game)) {
        play_turn(t);
    }
    show_result(t);
    int code = file ? save_record(t, file, path) : HZC_DONE;
    return t->code != HZC_DONE ? t->code : code;
}

static int run(const hzc_args *args) {
    hz_position start;
    uint64_t seed;
    table t = {.args = args, .out = args->out};
    const char *initial = HZ_START_DFEN;
    if (!hzc_style_read(args, &t.style) || !read_side(&t) || !hzc_args_seed(args, &seed)) {
        return HZC_USAGE;
    }
    if (args->operand_count == 0) {
        (void)hz_position_from_dfen(&start, initial, strlen(initial), NULL);
    } else if (!hzc_args_position(args, 0, &start)) {
        return HZC_USAGE;
    }
    if (hz_game_over(&start, NULL, NULL)) {
        return hzc_complain(args, HZC_USAGE, "a king is missing: that game is over");
    }
    hzc_game_init(&t.game, &start, seed);
    seed_streams(&t, seed);
    hzc_lines_init(&t.lines, STDIN_FILENO, MOST_LINE_BYTES);
    t.prompt = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    int code = hzc_player_open(&t.player, args);
    if (code == HZC_DONE) {
        code = play_game(&t);
    }
    hzc_player_fini(&t.player);
    hzc_lines_fini(&t.lines);
    hzc_game_fini(&t.game);
    return code;
}

const hzc_command hzc_command_play = {
    .name = "play",
    .summary = "play a game against a bot or another person",
    .operands = "[DFEN]",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .run = run,
};
