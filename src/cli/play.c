/* SPDX-License-Identifier: MIT */
/*
 * `hazard play`: a game of Dice Chess in the terminal, against a bot or between two people. This
 * file is the dialogue; the game itself is in game.c, what is shown of it in play_text.c and
 * play_json.c. It works the same through pipes, only without prompts, and the end of the input ends
 * the game.
 */
#include "cli/play.h"

#include <errno.h>
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
    "With --json a program can play: the words on the standard input are the same, and everything "
    "on the standard output is one JSON object a line, written out at once. Its member event is "
    "start, then roll and turn for every turn, and end, or quit when the table was left, perhaps "
    "record. A human's turn needs words between roll and turn; each is answered by move, undo, "
    "moves, odds, danger, hint, board, dfen, draw or help, or by error when it is refused, and "
    "then "
    "the rest of its line is dropped. The events roll, move, undo, board and error carry the state "
    "of the turn: number, side, player, dice, played, left, dfen, and in next the micro-moves that "
    "may follow. docs/play.md describes all members.",
    NULL};

static const hzc_option options[] = {
    {"side", 0, "SIDE",
     "your side: white (the default), black, both for two people, none to watch"},
    HZC_OPTION_BOT,
    HZC_OPTION_MODEL,
    HZC_OPTION_BOOK,
    HZC_OPTION_BUDGET,
    HZC_OPTION_SEED,
    {"record", 0, "FILE", "append the record of the game to this file"},
    {"json", 0, NULL, "print every event as one line of JSON"},
    HZC_OPTION_BOARD,
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {
    {"hazard play", "A game against greedy."},
    {"hazard play --bot aggressive --side black --seed 7", "Repeatable dice."},
    {"hazard play --side none --seed 1", "Watch a bot play itself."},
    {"echo 'moves quit' | hazard play --json --seed 7", "What a program sees."},
    {0}};

enum { MOST_LINE_BYTES = 1024 };

hz_color hzc_mover(const hzc_table *t) {
    return (hz_color)t->game.root.side;
}

const char *hzc_player_name(const hzc_table *t, hz_color color) {
    return t->human[color] ? "human" : t->player.bot.info->id;
}

static void fail(hzc_table *t, const hz_error *err) {
    t->code = hzc_report(t->args, err, NULL, 0);
    t->failure = *err;
    t->left = HZC_FAILED;
}

/* ---- words of the dialogue ---- */

static hzc_outcome refuse(hzc_table *t, hz_status status, const char *message) {
    hz_error err;
    (void)hz_fail(&err, status, HZ_NO_OFFSET, "%s", message);
    t->view->refusal(t, &err, NULL, 0);
    return HZC_REFUSED;
}

static hzc_outcome say_moves(hzc_table *t) {
    t->view->moves(t);
    return HZC_SHOWN;
}

static hzc_outcome say_odds(hzc_table *t) {
    t->view->odds(t);
    return HZC_SHOWN;
}

static hzc_outcome say_danger(hzc_table *t) {
    t->view->danger(t);
    return HZC_SHOWN;
}

static hzc_outcome say_board(hzc_table *t) {
    t->view->board(t);
    return HZC_SHOWN;
}

static hzc_outcome say_dfen(hzc_table *t) {
    t->view->dfen(t);
    return HZC_SHOWN;
}

static hzc_outcome say_help(hzc_table *t) {
    t->view->help(t);
    return HZC_SHOWN;
}

static hzc_outcome say_hint(hzc_table *t) {
    hz_bot_answer answer;
    hz_error err;
    if (hzc_player_choose(&t->player, &t->game.root, &t->hints, &answer, &err) != HZ_OK) {
        return refuse(t, err.code, err.message);
    }
    t->view->hint(t, &answer);
    return HZC_SHOWN;
}

static hzc_outcome undo(hzc_table *t) {
    int count = t->game.played.count;
    if (count == 0) {
        return refuse(t, HZ_NOT_FOUND, "nothing was played on this roll yet");
    }
    hz_move taken = t->game.played.moves[count - 1];
    (void)hzc_game_undo(&t->game);
    t->view->undo(t, taken);
    return HZC_TURN_CHANGED;
}

static hzc_outcome offer_draw(hzc_table *t) {
    hz_color other = (hz_color)!hzc_mover(t);
    bool yes = true;
    if (!t->human[other]) {
        /* The bot judges its own side, as if it were to move. */
        hz_position position = t->game.board;
        hz_error err;
        hz_position_set_pool(&position, 0);
        hz_position_set_side(&position, other);
        if (hz_bot_decide(&t->player.bot, HZ_ACCEPT_DRAW, &position, other, &t->streams[other],
                          &yes, &err) != HZ_OK) {
            fail(t, &err);
            return HZC_GAME_ENDED;
        }
    }
    t->view->draw(t, yes);
    if (!yes) {
        return HZC_SHOWN;
    }
    hzc_game_end(&t->game, HZ_OUTCOME_DRAW, HZ_REASON_AGREEMENT);
    return HZC_GAME_ENDED;
}

static hzc_outcome resign(hzc_table *t) {
    hzc_game_end(&t->game, hzc_mover(t) == HZ_WHITE ? HZ_OUTCOME_BLACK : HZ_OUTCOME_WHITE,
                 HZ_REASON_RESIGNATION);
    return HZC_GAME_ENDED;
}

static hzc_outcome quit(hzc_table *t) {
    t->left = HZC_QUIT;
    return HZC_GAME_ENDED;
}

const hzc_word hzc_words[] = {
    {"moves", "list the micro-moves you may play now", say_moves},
    {"odds", "show how many rolls take the kings and queens", say_odds},
    {"danger", "show beside every piece how many rolls take it", say_danger},
    {"hint", "ask the bot what it would play", say_hint},
    {"undo", "take back the latest micro-move of this turn", undo},
    {"board", "draw the board again", say_board},
    {"dfen", "print the position as DFEN", say_dfen},
    {"draw", "offer a draw", offer_draw},
    {"resign", "give the game up", resign},
    {"quit", "leave without a result", quit},
    {"help", "show this list", say_help},
    {0},
};

/* ---- the human's turn ---- */

static hzc_outcome do_word(hzc_table *t, const char *word, size_t length) {
    for (const hzc_word *w = hzc_words; w->name; w++) {
        if (strlen(w->name) == length && memcmp(w->name, word, length) == 0) {
            return w->run(t);
        }
    }
    hz_error err;
    if (hzc_game_play(&t->game, word, length, &err) != HZ_OK) {
        t->view->refusal(t, &err, word, length);
        return HZC_REFUSED;
    }
    t->view->move(t);
    return HZC_TURN_CHANGED;
}

/* Words of a line one after the other, until one is refused or the turn is complete. */
static hzc_outcome do_line(hzc_table *t, const char *line, size_t length) {
    static const char blanks[] = " ,\t\r";
    hzc_outcome result = HZC_SHOWN;
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
            (void)refuse(t, HZ_NOT_LEGAL, "the turn is complete; the rest of the line is ignored");
            break;
        }
        hzc_outcome now = do_word(t, line + i, end - i);
        if (now == HZC_GAME_ENDED) {
            return now;
        }
        if (now == HZC_REFUSED) {
            break;
        }
        result = now == HZC_TURN_CHANGED ? now : result;
        i = end;
    }
    return result;
}

static hzc_outcome read_line(hzc_table *t) {
    const char *line;
    size_t length;
    hz_error err;
    t->view->prompt(t);
    if (!hzc_out_flush(t->out)) {
        t->code = HZC_ENVIRONMENT;
        t->left = HZC_FAILED;
        return HZC_GAME_ENDED;
    }
    switch (hzc_lines_next(&t->lines, &line, &length)) {
    case HZC_LINE:
        return do_line(t, line, length);
    case HZC_LINE_TOO_LONG:
        return refuse(t, HZ_INVALID_ARGUMENT, "that line is too long");
    case HZC_LINE_FAILED:
        (void)hz_fail(&err, HZ_IO, HZ_NO_OFFSET, "reading failed: %s", strerror(errno));
        fail(t, &err);
        return HZC_GAME_ENDED;
    default:
        t->left = HZC_INPUT_ENDED;
        return HZC_GAME_ENDED;
    }
}

/* False when the game ended within the turn. */
static bool human_turn(hzc_table *t) {
    hz_move_list next;
    while (hzc_game_next(&t->game, &next), next.count > 0) {
        hzc_outcome now = read_line(t);
        if (now == HZC_GAME_ENDED) {
            return false;
        }
        hzc_game_next(&t->game, &next);
        if (now == HZC_TURN_CHANGED && next.count > 0) {
            t->view->progress(t);
        }
    }
    return true;
}

/* ---- the game ---- */

static void play_turn(hzc_table *t) {
    hz_bot_answer answer;
    const hz_bot_answer *given = NULL;
    hz_error err;
    hz_move_list next;
    t->view->roll(t);
    hzc_game_next(&t->game, &next);
    if (next.count > 0 && t->human[hzc_mover(t)]) {
        if (!human_turn(t)) {
            return;
        }
    } else if (next.count > 0) {
        if (hzc_player_choose(&t->player, &t->game.root, &t->streams[hzc_mover(t)], &answer,
                              &err) != HZ_OK) {
            fail(t, &err);
            return;
        }
        hzc_game_play_turn(&t->game, &answer.turn);
        given = &answer;
    }
    t->view->turn(t, given);
    if (hzc_game_end_turn(&t->game, given ? &given->score : NULL) != HZ_OK) {
        (void)hz_fail(&err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
        fail(t, &err);
    }
}

static bool write_record(void *context, const char *text, size_t length) {
    return fwrite(text, 1, length, context) == length;
}

static int save_record(hzc_table *t, FILE *file, const char *path) {
    hz_error err;
    hz_record record =
        hzc_game_record(&t->game, hzc_player_name(t, HZ_WHITE), hzc_player_name(t, HZ_BLACK));
    hz_status status = hz_record_write(&record, write_record, file, &err);
    bool closed = fclose(file) == 0;
    if (status != HZ_OK || !closed) {
        return hzc_complain(t->args, HZC_ENVIRONMENT, "%s: the record could not be written", path);
    }
    t->view->record(t, path);
    return HZC_DONE;
}

static bool read_side(hzc_table *t) {
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
static void seed_streams(hzc_table *t, uint64_t seed) {
    static const uint64_t tags[] = {0xA5A5A5A5A5A5A5A5, 0x5A5A5A5A5A5A5A5A, 0x3C3C3C3C3C3C3C3C};
    t->streams[HZ_WHITE] = hz_random_from_seed(hz_random_mix(seed ^ tags[HZ_WHITE]));
    t->streams[HZ_BLACK] = hz_random_from_seed(hz_random_mix(seed ^ tags[HZ_BLACK]));
    t->hints = hz_random_from_seed(hz_random_mix(seed ^ tags[2]));
}

static int play_game(hzc_table *t) {
    const char *path = hzc_args_value(t->args, "record");
    FILE *file = NULL;
    if (path && !(file = fopen(path, "ab"))) {
        return hzc_complain(t->args, HZC_ENVIRONMENT, "%s: %s", path, strerror(errno));
    }
    t->view->start(t);
    while (t->left == HZC_STAYS && !t->out->failed && hzc_game_roll(&t->game)) {
        play_turn(t);
    }
    t->view->finish(t);
    int code = file ? save_record(t, file, path) : HZC_DONE;
    return t->code != HZC_DONE ? t->code : code;
}

static int run(const hzc_args *args) {
    hz_position start;
    uint64_t seed;
    hzc_allowance allowance;
    hzc_table t = {.args = args,
                   .out = args->out,
                   .view = hzc_args_has(args, "json") ? &hzc_play_json : &hzc_play_text};
    const char *initial = HZ_START_DFEN;
    if (!hzc_style_read(args, &t.style) || !read_side(&t) || !hzc_args_seed(args, &seed) ||
        !hzc_allowance_read(args, &allowance)) {
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
    t.player.allowance = allowance;
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
