/* SPDX-License-Identifier: MIT */
/*
 * The Universal Chess Interface: a dialogue of lines in which a search runs beside the reading of
 * further commands. One session; the two games differ in how a position is read and how a move is
 * chosen (uci_chess.c, uci_dice.c).
 *
 * Output is written by the reading thread and by the searching one: always whole lines, under the
 * session's lock, flushed at once.
 */
#ifndef HAZARD_CLI_UCI_H
#define HAZARD_CLI_UCI_H

#include "cli/args.h"

#include <pthread.h>

/* Words of a line, separated by blanks and tabs. */
typedef struct hzc_words {
    const char *text;
    size_t length, at;
} hzc_words;
typedef struct hzc_word {
    const char *text;
    size_t length;
} hzc_word;
/* The next word; false at the end of the line. */
bool hzc_words_next(hzc_words *words, hzc_word *word);
bool hzc_word_is(hzc_word word, const char *text);
/* A decimal number, perhaps negative, saturating; false when the word is none. */
bool hzc_word_number(hzc_word word, int64_t *value);

/* The arguments of `go`; times in ms, 0 or -1 as said. */
typedef struct hzc_go {
    bool has_clock[2];
    int64_t time_ms[2], increment_ms[2]; /* by colour */
    int64_t moves_to_go;                 /* 0 = not said */
    int64_t depth, nodes, mate;          /* 0 = not said */
    int64_t move_time_ms;                /* -1 = not said */
    int64_t perft;                       /* -1 = not said */
    bool infinite, ponder;
    hzc_words search_moves; /* the words behind `searchmoves`; length 0 = all moves */
    hzc_word dice;          /* Dice Chess: the roll; length 0 = not said */
} hzc_go;
/* Reads the words behind `go`. Returns the first word that was not understood, length 0 = none. */
hzc_word hzc_go_read(hzc_words *words, hzc_go *go);

typedef struct hzc_uci hzc_uci;
struct hzc_uci {
    hzc_out *out;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* The searching thread. */
    pthread_t thread;
    bool started;   /* the thread exists and was not joined */
    bool searching; /* it has not answered yet */
    bool held;      /* it must not answer before stop or ponderhit */
    hz_cancel cancel;
    hz_cancel hit; /* "ponderhit" has come */
    /* Options */
    int64_t hash_mb, threads, lines, overhead_ms;
    bool show_wdl, dice;
    char eval_file[1024]; /* "" = the handcrafted evaluation */
    char bot[1024];       /* Dice Chess */
    uint64_t seed;
    bool stale; /* an option changed what is built below */
    /* Chess */
    hz_chess_game game;
    hz_chess_search *search;
    hz_evaluator *evaluators; /* one per thread, NULL = handcrafted */
    unsigned evaluator_count;
    /* Dice Chess */
    hz_position board;
    hz_registry *registry;
    hz_bot player;
    bool has_player;
    hz_random random;
    hz_arena arena;
    /* The job of the searching thread. */
    hzc_go go;
    hz_chess_limits limits;
    hz_move root_moves[HZ_CHESS_MOVES_MAX];
    hz_chess_game job;
    hz_position job_board;
};

/* One line of output, a newline is added. Safe in both threads. */
void hzc_uci_say(hzc_uci *uci, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* Waits until nothing keeps the answer back; for the searching thread. */
void hzc_uci_wait_for_stop(hzc_uci *uci);
/* Says "bestmove", with a move to ponder on unless that is NULL, and ends the search in one step: the
 * next "go" may come as soon as the line is out. For the searching thread, at its end. */
void hzc_uci_answer(hzc_uci *uci, const char *best, const char *ponder);

/* uci_chess.c. `position` reads the words behind the command; false after an info string, nothing
 * has changed then. prepare builds what a search needs (false after an info string); search is the
 * body of the searching thread. */
bool hzc_uci_chess_position(hzc_uci *uci, hzc_words *words);
bool hzc_uci_chess_prepare(hzc_uci *uci);
void *hzc_uci_chess_search(void *uci);
void hzc_uci_chess_perft(hzc_uci *uci, int depth);
void hzc_uci_chess_new_game(hzc_uci *uci);
void hzc_uci_chess_close(hzc_uci *uci);
/* Searches fixed positions to a depth and says nodes and speed; the nodes are a signature. */
void hzc_uci_chess_bench(hzc_uci *uci, int depth);

/* uci_dice.c, the same for Dice Chess. */
bool hzc_uci_dice_position(hzc_uci *uci, hzc_words *words);
bool hzc_uci_dice_prepare(hzc_uci *uci);
void *hzc_uci_dice_search(void *uci);
void hzc_uci_dice_close(hzc_uci *uci);

/* The whole dialogue: lines from a file descriptor until `quit` or its end. Returns an exit code. */
int hzc_uci_run(hzc_out *out, int fd, const char *model);

#endif
