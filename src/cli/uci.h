/* SPDX-License-Identifier: MIT */
/*
 * The Universal Chess Interface: a dialogue of lines in which a search runs beside the reading of
 * further commands. One session; the two games differ in how a position is read and how a move is
 * chosen (uci_chess.c, uci_dice.c).
 *
 * Output is written by the reading thread and by the working one: always whole lines, under the
 * session's lock, flushed at once. What a line tells the other side to be true ("bestmove": no
 * search runs any more) is made true under the same lock.
 */
#ifndef HAZARD_CLI_UCI_H
#define HAZARD_CLI_UCI_H

#include "cli/args.h"

#include <pthread.h>

/* ---- words --------------------------------------------------------------------------------------- */

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
/* The same without regard to case. */
bool hzc_word_is_name(hzc_word word, const char *text);
/* A decimal number, perhaps negative, saturating; false when the word is none. */
bool hzc_word_number(hzc_word word, int64_t *value);
/* The beginning of a word as it can be shown in a message: printable ASCII, 60 characters at most. */
enum { HZC_SHOWN_CAPACITY = 64 };
const char *hzc_word_shown(hzc_word word, char buffer[HZC_SHOWN_CAPACITY]);

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

/* ---- the session ---------------------------------------------------------------------------------- */

/* What the working thread is doing. */
typedef enum hzc_job { HZC_JOB_NONE, HZC_JOB_SEARCH, HZC_JOB_PERFT, HZC_JOB_BENCH } hzc_job;

typedef struct hzc_uci {
    hzc_out *out;
    bool tame;            /* see hzc_uci_run */
    pthread_mutex_t lock; /* of out, job, held */
    pthread_cond_t changed;
    /* The working thread. */
    pthread_t thread;
    bool started;  /* the thread exists and was not joined */
    hzc_job job;   /* what it has not answered yet */
    bool held;     /* it must not answer before stop or ponderhit */
    bool endless;  /* nothing but stop ends the search */
    int job_depth; /* of perft and bench */
    hz_cancel cancel;
    hz_cancel hit; /* "ponderhit" has come */
    /* Options */
    int64_t hash_mb, threads, lines, overhead_ms;
    int64_t eval_unit; /* centipawns of a model's unit, 0 = as its file says */
    bool show_wdl, dice;
    char eval_file[1024];         /* "" = the handcrafted evaluation */
    char bot[1024];               /* Dice Chess */
    bool stale_chess, stale_dice; /* an option changed what is built below */
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
    /* What the working thread works on. */
    hzc_go go;
    hz_chess_limits limits;
    hz_move root_moves[HZ_CHESS_MOVES_MAX];
    hz_chess_game job_game;
    hz_position job_board;
} hzc_uci;

/* One line of output, a newline is added; control characters become '?'. Safe in both threads. When
 * output fails, what runs is cancelled. */
void hzc_uci_say(hzc_uci *uci, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* The last line of a job, which is done with it; for the working thread. A search that must not
 * answer yet waits here. */
void hzc_uci_answer(hzc_uci *uci, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Whether the word behind "startpos" is "moves"; false after an info string. */
bool hzc_uci_is_moves(hzc_uci *uci, hzc_word word);

/* uci_options.c. */
void hzc_uci_options_init(hzc_uci *uci);
void hzc_uci_options_say(hzc_uci *uci);
/* The words behind "setoption". */
void hzc_uci_options_set(hzc_uci *uci, hzc_words *words);

/* uci_chess.c. `position` reads the words behind the command; after an info string nothing has
 * changed. ready builds what all searches need, prepare what the next one does (both false after an
 * info string); search is the work. */
void hzc_uci_chess_position(hzc_uci *uci, hzc_words *words);
bool hzc_uci_chess_ready(hzc_uci *uci);
bool hzc_uci_chess_prepare(hzc_uci *uci);
void hzc_uci_chess_search(hzc_uci *uci);
void hzc_uci_chess_new_game(hzc_uci *uci);
void hzc_uci_chess_close(hzc_uci *uci);

/* uci_bench.c: counting moves of the present chess position; searching fixed positions to a depth,
 * with nodes that are a signature. */
void hzc_uci_perft(hzc_uci *uci);
void hzc_uci_bench(hzc_uci *uci);

/* uci_dice.c, the same for Dice Chess. */
void hzc_uci_dice_position(hzc_uci *uci, hzc_words *words);
bool hzc_uci_dice_ready(hzc_uci *uci);
bool hzc_uci_dice_prepare(hzc_uci *uci);
void hzc_uci_dice_search(hzc_uci *uci);
void hzc_uci_dice_close(hzc_uci *uci);

/*
 * The whole dialogue: lines from a file descriptor until `quit` or its end. At the end of the lines
 * a search that ends by itself is waited for, unless nobody reads the output any more. model: a file
 * for EvalFile, or NULL. tame: for lines that come from nowhere: no file is opened, little memory is
 * taken, the end of the lines ends everything. Returns an exit code.
 */
int hzc_uci_run(hzc_out *out, int fd, const char *model, bool tame);

#endif
