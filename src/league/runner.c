/* SPDX-License-Identifier: MIT */
/*
 * The child's side of the sandbox: closes itself in before it looks at the file, then checks it or
 * plays with it, one frame after the other, until the parent hangs up.
 */
#include "league/check.h"
#include "league/sandbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAME_MAX = HZ_LEAGUE_FILE_MAX + 4096, EXIT_BROKEN = 4 };

typedef struct runner {
    int descriptor;
    hzi_set_limits limits;
    hz_league_limits league;
    hz_model *warm; /* keeps ONNX Runtime's environment */
    hz_league_model *model;
    hz_league_player *player;
} runner;

static bool read_all(int descriptor, void *to, size_t length) {
    unsigned char *at = to;
    while (length > 0) {
        ssize_t got = read(descriptor, at, length);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        at += got;
        length -= (size_t)got;
    }
    return true;
}

static bool write_all(int descriptor, const void *from, size_t length) {
    const unsigned char *at = from;
    while (length > 0) {
        ssize_t put = write(descriptor, at, length);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return false;
        }
        at += put;
        length -= (size_t)put;
    }
    return true;
}

static bool answer(const runner *r, int kind, const void *content, size_t length) {
    unsigned char head[5] = {(unsigned char)((length + 1) & 255),
                             (unsigned char)((length + 1) >> 8 & 255),
                             (unsigned char)((length + 1) >> 16 & 255), 0, (unsigned char)kind};
    return write_all(r->descriptor, head, sizeof head) && write_all(r->descriptor, content, length);
}

static bool answer_text(const runner *r, int kind, const char *text) {
    return answer(r, kind, text, strlen(text));
}

/* ---- closing in ----------------------------------------------------------------------------------- */

/* Loads ONNX Runtime and has it make its environment, while files may still be opened. */
static void warm_up(runner *r) {
    static const int64_t SHAPE[] = {1, 1};
    const hz_executor *runtime;
    const void *bytes;
    size_t length;
    hz_arena arena;
    if (hz_executor_onnxruntime(&runtime, NULL, NULL, NULL) != HZ_OK) {
        return;
    }
    hz_arena_init(&arena, 0);
    hz_builder *builder = hz_builder_new("warm", 8, 13, 0);
    if (builder) {
        hz_builder_input(builder, "x", HZ_ELEMENT_FLOAT, SHAPE, 2);
        hz_builder_output(builder, "y", HZ_ELEMENT_FLOAT, SHAPE, 2);
        hz_builder_node(builder, "", "Relu", (const char *[]){"x"}, 1, (const char *[]){"y"}, 1);
        if (hz_builder_finish(builder, &arena, &bytes, &length, NULL) == HZ_OK) {
            float x = 1.0F, y;
            hz_model_options options = {.executor = runtime};
            if (hz_model_open(bytes, length, &options, &r->warm, NULL) == HZ_OK) {
                (void)hz_model_rows(r->warm, &x, 1, 1, &y, NULL);
            }
        }
    }
    hz_builder_free(builder);
    hz_arena_fini(&arena);
}

static bool close_in(runner *r, const unsigned char *content, size_t length) {
    char why[200];
    if (length != sizeof r->limits) {
        return false;
    }
    memcpy(&r->limits, content, sizeof r->limits);
    r->limits.executor[sizeof r->limits.executor - 1] = '\0';
    r->league = (hz_league_limits){.position_ms = r->limits.position_ms,
                                   .memory_bytes = r->limits.memory_bytes,
                                   .parameters = r->limits.parameters,
                                   .executor = r->limits.executor[0] ? r->limits.executor : NULL};
    hzi_lockdown_begin();
    if (r->limits.runtime) {
        warm_up(r);
    }
    if (!hzi_lockdown(&r->limits, why, sizeof why)) {
        (void)answer_text(r, HZI_UNSAFE, why);
        return false;
    }
    return answer(r, HZI_READY, "", 0);
}

/* ---- checking -------------------------------------------------------------------------------------- */

static void tell_stage(void *state, int stage) {
    unsigned char number = (unsigned char)stage;
    (void)answer(state, HZI_STAGE, &number, 1);
}

static bool check(runner *r, const unsigned char *content, size_t length) {
    hz_league_verdict verdict;
    hzi_league_examine(content, length, &r->league, tell_stage, r, &verdict);
    return answer(r, HZI_VERDICT, &verdict, sizeof verdict);
}

/* ---- playing --------------------------------------------------------------------------------------- */

static bool open_player(runner *r, const unsigned char *content, size_t length) {
    hzi_open_model wanted;
    hz_error err;
    if (length < sizeof wanted || r->player) {
        return false;
    }
    memcpy(&wanted, content, sizeof wanted);
    hz_status status =
        hz_league_model_open(content + sizeof wanted, length - sizeof wanted, r->league.executor,
                             (size_t)(r->limits.memory_bytes / 2), &r->model, &err);
    if (status == HZ_OK) {
        hz_league_player_config config = {.judge = hz_league_model_judge(r->model),
                                          .depth = 1,
                                          .evade = wanted.evade != 0,
                                          .cached = true,
                                          .batched = hz_league_model_prefers_batches(r->model)};
        status = hz_league_player_new(&config, &r->player, &err);
    }
    return status == HZ_OK ? answer_text(r, HZI_OPENED, hz_league_model_executor(r->model))
                           : answer_text(r, HZI_REFUSED, err.message);
}

/* The game so far; false when it cannot be. */
static bool replay(const hzi_position_to_choose *wanted, const unsigned char *moves,
                   hz_chess_game *game) {
    hz_position start;
    if (hz_chess_from_fen(&start, wanted->start, strlen(wanted->start), NULL) != HZ_OK ||
        hz_chess_game_init(game, &start, NULL) != HZ_OK) {
        return false;
    }
    for (unsigned i = 0; i < wanted->count; i++) {
        hz_move move;
        memcpy(&move, moves + i * sizeof move, sizeof move);
        if (hz_chess_game_play(game, move, NULL) != HZ_OK) {
            hz_chess_game_fini(game);
            return false;
        }
    }
    return true;
}

static bool choose(runner *r, const unsigned char *content, size_t length) {
    hzi_position_to_choose wanted;
    hz_chess_game game;
    uint64_t now = hz_clock_now_ns();
    if (length < sizeof wanted || !r->player) {
        return false;
    }
    memcpy(&wanted, content, sizeof wanted);
    wanted.start[sizeof wanted.start - 1] = '\0';
    if (length != sizeof wanted + wanted.count * sizeof(hz_move) ||
        !replay(&wanted, content + sizeof wanted, &game)) {
        return false;
    }
    if (wanted.first) {
        hz_league_player_new_game(r->player);
    }
    hz_deadline deadline = hz_deadline_none();
    if (wanted.budget_ns) {
        deadline.at_ns = now + wanted.budget_ns;
    }
    hz_league_choice choice = {.reason = HZ_LEAGUE_CRASH};
    hz_status status = hz_league_player_choose(r->player, &game, &deadline, &choice, NULL);
    hz_chess_game_fini(&game);
    hzi_chosen chosen;
    memset(&chosen, 0, sizeof chosen);
    if (status == HZ_OK) {
        chosen.move = choice.move;
        chosen.score = choice.score;
        chosen.nodes = choice.nodes;
        chosen.judgements = choice.judgements;
    } else {
        chosen.failed = 1 + (int32_t)choice.reason;
    }
    return answer(r, HZI_CHOICE, &chosen, sizeof chosen);
}

/* ---- frames ---------------------------------------------------------------------------------------- */

static bool obey(runner *r, bool *closed_in, int kind, const unsigned char *content,
                 size_t length) {
    if (!*closed_in) {
        *closed_in = kind == HZI_SET_LIMITS && close_in(r, content, length);
        return *closed_in;
    }
    switch (kind) {
    case HZI_CHECK:
        return check(r, content, length);
    case HZI_OPEN:
        return open_player(r, content, length);
    case HZI_CHOOSE:
        return choose(r, content, length);
    default:
        return false;
    }
}

int hz_league_runner(int descriptor) {
    runner *r = calloc(1, sizeof *r);
    bool closed_in = false, good = true;
    unsigned char head[5];
    unsigned char *content = NULL;
    size_t capacity = 0;
    if (!r) {
        return EXIT_BROKEN;
    }
    r->descriptor = descriptor;
    while (good && read_all(descriptor, head, sizeof head)) {
        size_t length =
            (size_t)head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16 | (size_t)head[3] << 24;
        if (length < 1 || length > FRAME_MAX) {
            good = false;
            break;
        }
        length--;
        if (length > capacity) {
            free(content);
            content = malloc(length);
            capacity = content ? length : 0;
        }
        good = length <= capacity && (length == 0 || read_all(descriptor, content, length)) &&
               obey(r, &closed_in, head[4], content, length);
    }
    free(content);
    hz_league_player_free(r->player);
    hz_league_model_close(r->model);
    free(r);
    return good ? 0 : EXIT_BROKEN;
}
