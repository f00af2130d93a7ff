/* SPDX-License-Identifier: MIT */
/*
 * Orthodox chess: legal moves counted in trees, moves as SAN, games as PGN. The trees are counted
 * by stockfish as well where it is installed: it is started once and kept, so that its start is in
 * none of its best times.
 */
#include "bench/items.h"

#include "ref/ref_chess.h"

#include <hazard/chess.h>

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- trees -------------------------------------------------------------------------------------- */

typedef struct tree {
    hz_position position;
    const char *fen;
    int depth;
    int engine; /* socket to the other program, -1 before its start */
} tree;

static uint64_t perft(void *state, uint64_t n) {
    const tree *t = state;
    uint64_t leaves = 0;
    for (uint64_t i = 0; i < n; i++) {
        leaves = hz_chess_perft(&t->position, t->depth);
    }
    return leaves;
}

/* Where the program is, in the path or where Debian keeps games; false without. */
static bool find_engine(char *path, size_t capacity) {
    const char *folders = getenv("PATH");
    char all[4096];
    (void)snprintf(all, sizeof all, "%s:/usr/games", folders ? folders : "");
    for (char *save = NULL, *folder = strtok_r(all, ":", &save); folder;
         folder = strtok_r(NULL, ":", &save)) {
        int length = snprintf(path, capacity, "%s/stockfish", folder);
        if (length > 0 && (size_t)length < capacity && access(path, X_OK) == 0) {
            return true;
        }
    }
    return false;
}

/* Starts it with a socket for input and output, so that its end is an error and no signal. */
static int start_engine(void) {
    char path[1024], *arguments[] = {path, NULL}, *environment[] = {NULL};
    int ends[2];
    pid_t child;
    posix_spawn_file_actions_t actions;
    if (!find_engine(path, sizeof path) || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        return -1;
    }
    bool good = posix_spawn_file_actions_init(&actions) == 0;
    if (good) {
        good = posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO) == 0 &&
               posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO) == 0 &&
               posix_spawn_file_actions_addclose(&actions, ends[0]) == 0 &&
               posix_spawn(&child, path, &actions, NULL, arguments, environment) == 0;
        (void)posix_spawn_file_actions_destroy(&actions);
    }
    (void)close(ends[1]);
    if (!good) {
        (void)close(ends[0]);
    }
    return good ? ends[0] : -1;
}

/* The number behind "Nodes searched: ", 0 when the program has ended. */
static uint64_t read_count(int engine) {
    static const char key[] = "Nodes searched: ";
    char line[512];
    size_t used = 0;
    for (;;) {
        char c;
        if (recv(engine, &c, 1, 0) != 1) {
            return 0;
        }
        if (c != '\n') {
            used += used + 1 < sizeof line;
            line[used - 1] = c;
            continue;
        }
        line[used] = '\0';
        if (strncmp(line, key, sizeof key - 1) == 0) {
            return strtoull(line + sizeof key - 1, NULL, 10);
        }
        used = 0;
    }
}

static uint64_t perft_of_engine(void *state, uint64_t n) {
    tree *t = state;
    uint64_t leaves = 0;
    if (t->engine < 0) {
        t->engine = start_engine();
    }
    for (uint64_t i = 0; i < n && t->engine >= 0; i++) {
        char text[256];
        int length =
            snprintf(text, sizeof text, "position fen %s\ngo perft %d\n", t->fen, t->depth);
        if (send(t->engine, text, (size_t)length, MSG_NOSIGNAL) != length) {
            return 0;
        }
        leaves = read_count(t->engine);
    }
    return leaves;
}

static hzb_item tree_item(const char *name, const char *fen, int depth, double leaves) {
    char path[1024];
    tree *t = malloc(sizeof *t);
    if (t) {
        *t = (tree){.fen = fen, .depth = depth, .engine = -1};
        (void)hz_chess_from_fen(&t->position, fen, strlen(fen), NULL);
    }
    return (hzb_item){.group = "chess",
                      .name = name,
                      .unit = "Mleaves/s",
                      .unit_ns = 1000,
                      .work = leaves,
                      .rate = true,
                      .windows = 3,
                      .run = perft,
                      .twin = find_engine(path, sizeof path) ? perft_of_engine : NULL,
                      .same_number = true,
                      .state = t};
}

/* ---- SAN ---------------------------------------------------------------------------------------- */

static uint64_t sum_text(uint64_t sum, const char *text) {
    for (; *text; text++) {
        sum += (unsigned char)*text;
    }
    return sum;
}

static uint64_t write_san(void *state, uint64_t n) {
    const hzb_case *c = state;
    hz_move moves[HZ_CHESS_MOVES_MAX];
    int count = hz_chess_moves(&c->position, moves);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        sum = 0;
        for (int k = 0; k < count; k++) {
            char san[HZ_SAN_CAPACITY];
            (void)hz_san_from_move(&c->position, moves[k], san);
            sum = sum_text(sum, san);
        }
    }
    return sum;
}

static uint64_t write_san_slowly(void *state, uint64_t n) {
    const hzb_case *c = state;
    ref_position position;
    ref_moves list;
    uint64_t sum = 0;
    (void)ref_from_dfen(&position, c->dfen);
    for (uint64_t i = 0; i < n; i++) {
        sum = 0;
        ref_chess_moves(&position, &list);
        for (int k = 0; k < list.count; k++) {
            char san[REF_SAN_CAPACITY];
            ref_chess_san(&position, &list, list.move[k].text, san);
            sum = sum_text(sum, san);
        }
    }
    return sum;
}

static uint64_t read_san(void *state, uint64_t n) {
    const hzb_case *c = state;
    hz_move moves[HZ_CHESS_MOVES_MAX];
    char texts[HZ_CHESS_MOVES_MAX][HZ_SAN_CAPACITY];
    size_t lengths[HZ_CHESS_MOVES_MAX];
    int count = hz_chess_moves(&c->position, moves);
    for (int k = 0; k < count; k++) {
        lengths[k] = hz_san_from_move(&c->position, moves[k], texts[k]);
    }
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        sum = 0;
        for (int k = 0; k < count; k++) {
            hz_move move = 0;
            (void)hz_san_to_move(&c->position, texts[k], lengths[k], &move, NULL);
            sum += move;
        }
    }
    return sum;
}

/* ---- PGN ---------------------------------------------------------------------------------------- */

enum { GAMES = 200, PLIES = 90 };

/* Games of random moves, always the same, as one text. */
typedef struct book {
    char *text;
    size_t length, capacity;
    uint64_t plies;
} book;

static bool into_book(void *context, const char *text, size_t length) {
    book *b = context;
    if (b->length + length > b->capacity) {
        size_t capacity = 2 * (b->length + length) + 65536;
        char *grown = realloc(b->text, capacity);
        if (!grown) {
            return false;
        }
        b->text = grown;
        b->capacity = capacity;
    }
    memcpy(b->text + b->length, text, length);
    b->length += length;
    return true;
}

static book *make_book(void) {
    book *b = calloc(1, sizeof *b);
    hz_random random = hz_random_from_seed(1);
    for (int game = 0; b && game < GAMES; game++) {
        static const hz_pgn_tag tags[] = {{"Event", "Random moves"}, {"White", "Somebody"}};
        hz_pgn_move line[PLIES];
        hz_pgn_game pgn = {.tag_count = 2, .tags = tags};
        (void)hz_chess_from_fen(&pgn.start, HZB_START, strlen(HZB_START), NULL);
        hz_position position = pgn.start;
        for (size_t ply = 0; ply < PLIES; ply++) {
            hz_move moves[HZ_CHESS_MOVES_MAX];
            int count = hz_chess_moves(&position, moves);
            if (count == 0) {
                break;
            }
            line[ply] = (hz_pgn_move){.move = moves[hz_random_draw(&random, (uint32_t)count)]};
            if (ply > 0) {
                line[ply - 1].next = &line[ply];
            }
            hz_chess_play(&position, line[ply].move, &position);
            pgn.plies++;
        }
        pgn.moves = line;
        if (hz_pgn_write(&pgn, into_book, b, NULL) != HZ_OK) {
            free(b->text);
            free(b);
            return NULL;
        }
        b->plies += pgn.plies;
    }
    return b;
}

static uint64_t read_pgn(void *state, uint64_t n) {
    const book *b = state;
    hz_arena arena;
    hz_pgn_game game;
    uint64_t plies = 0;
    hz_arena_init(&arena, 0);
    for (uint64_t i = 0; i < n; i++) {
        plies = 0;
        hz_pgn_reader *reader = hz_pgn_reader_text(b->text, b->length, true, true);
        while (reader && hz_pgn_read(reader, &arena, &game, NULL) == HZ_OK) {
            plies += game.plies;
            hz_arena_reset(&arena);
        }
        hz_pgn_reader_free(reader);
    }
    hz_arena_fini(&arena);
    return plies;
}

static hzb_item san_item(const char *name, hzb_case *position,
                         uint64_t (*measured)(void *, uint64_t),
                         uint64_t (*twin)(void *, uint64_t)) {
    return (hzb_item){.group = "chess",
                      .name = name,
                      .unit = "ns",
                      .unit_ns = 1,
                      .work = position ? hz_chess_move_count(&position->position) : 1,
                      .run = measured,
                      .twin = twin,
                      .same_number = true,
                      .state = position};
}

size_t hzb_chess_items(hzb_item *items) {
    size_t n = 0;
    items[n++] = tree_item("perft 6, start (twin: stockfish)", HZB_START, 6, 119060324);
    items[n++] = tree_item("perft 5, kiwipete (twin: stockfish)", HZB_KIWIPETE, 5, 193690690);
    items[n++] = san_item("a move to SAN, kiwipete", hzb_case_new(HZB_KIWIPETE, ""), write_san,
                          write_san_slowly);
    items[n++] =
        san_item("SAN to a move, kiwipete", hzb_case_new(HZB_KIWIPETE, ""), read_san, NULL);
    book *games = make_book();
    items[n++] = (hzb_item){.group = "chess",
                            .name = "PGN read",
                            .unit = "MB/s",
                            .unit_ns = 1e9,
                            .work = games ? (double)games->length * 1e-6 : 1,
                            .rate = true,
                            .first = 20,
                            .aim = 50,
                            .run = read_pgn,
                            .state = games};
    items[n++] = (hzb_item){.group = "chess",
                            .name = "moves of PGN read",
                            .unit = "M/s",
                            .unit_ns = 1000,
                            .work = games ? (double)games->plies : 1,
                            .rate = true,
                            .first = 0.1,
                            .aim = 5,
                            .run = read_pgn,
                            .state = games};
    return n;
}
