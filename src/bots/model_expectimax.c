/* SPDX-License-Identifier: MIT */
/*
 * The bot `onnx-expectimax`: expectimax whose leaves a model judges, and which further models may
 * order (pre-ranker), correct at the root (rescorer) or shorten (chance collapse).
 *
 * Everything that can be refused without opening a model is refused first: settings by the search's
 * own check, then the roles of packages. Judges are handed to the search before their handles are
 * open; they look through a slot that is filled later.
 */
#include "bots/roster.h"

#include "bots/model_handles.h"
#include "bots/searcher.h"

#include <stdlib.h>
#include <string.h>

/* The places a model is wired to, in the order in which they are opened. */
typedef enum seam { LEAF, RESCORE, COLLAPSE, PRE_RANK, SEAMS } seam;

typedef struct model_search {
    hzi_handles handles;
    hz_expectimax *search;
    hz_table *table; /* NULL = none */
    int depth;
    size_t thread_leaves;    /* further handles of the leaf */
    hz_scorer *seams[SEAMS]; /* borrowed from `handles`; NULL = not wired */
    hz_scorer *opened[];     /* SEAMS + threads - 1: what `handles` holds, ... */
    /* ... followed by the slots of the further leaves' judges */
} model_search;

static const hz_bot_info info = {"onnx-expectimax",
                                 "Model Expectimax",
                                 "expectimax whose positions a model judges",
                                 9,
                                 true,
                                 true};

static void release(model_search *m) {
    hz_expectimax_free(m->search);
    hz_table_free(m->table);
    free(m);
}

static hz_scorer **leaf_slots(model_search *m) {
    return m->opened + SEAMS + m->thread_leaves;
}

static hz_judge leaf_of_thread(void *context, unsigned worker) {
    model_search *m = context;
    return hzi_handle_judge(worker == 0 ? &m->seams[LEAF] : &leaf_slots(m)[worker - 1]);
}

static hz_status choose(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                        hz_error *err) {
    const model_search *m = state;
    uint64_t before = hzi_handles_non_finite(&m->handles);
    hz_status status = hzi_search_choose(m->search, request, answer, err);
    answer->non_finite_rows = hzi_handles_non_finite(&m->handles) - before;
    return status;
}

static bool judge(void *state, hz_bot_judgement *judgement) {
    model_search *m = state;
    *judgement = (hz_bot_judgement){.judge = hzi_handle_judge(&m->seams[LEAF]),
                                    .depth = m->depth,
                                    .win = HZ_SCORE_UPPER,
                                    .loss = 0,
                                    .schema = hz_scorer_schema(m->seams[LEAF]),
                                    .name = "model"};
    return true;
}

static hz_status shut(void *state, hz_error *err) {
    model_search *m = state;
    hz_status status = hzi_handles_close(&m->handles, err);
    release(m);
    return status;
}

/* What a seam is wired to, and the role it asks for. */
typedef struct wire {
    const hz_model_source *source; /* NULL = nothing */
    hz_role role;
} wire;

static void wires_of(const hz_bot_model_expectimax_config *config, wire wires[SEAMS]) {
    wires[LEAF] = (wire){&config->leaf, HZ_ROLE_POSITION_VALUE};
    wires[RESCORE] = (wire){&config->rescore, HZ_ROLE_POSITION_VALUE};
    wires[COLLAPSE] = (wire){&config->collapse, HZ_ROLE_CHANCE_COLLAPSE};
    wires[PRE_RANK] = (wire){&config->pre_rank, HZ_ROLE_MOVE_PRERANK};
    if (!(config->rescore_weight > 0)) {
        wires[RESCORE].source = NULL;
    }
    for (int i = 0; i < SEAMS; i++) {
        if (wires[i].source && !hzi_source_given(wires[i].source)) {
            wires[i].source = NULL;
        }
    }
}

/* The search with its judges, before any of them can answer. */
static hz_status make_search(const hz_bot_model_expectimax_config *config, const wire wires[SEAMS],
                             model_search *m, hz_error *err) {
    hz_expectimax_config search = hz_expectimax_config_default();
    hz_status status = hzi_search_config(&config->search, &search, &m->table, err);
    if (status != HZ_OK) {
        return status;
    }
    search.leaf = hzi_handle_judge(&m->seams[LEAF]);
    if (config->search.threads > 1) {
        search.leaf_of_thread = leaf_of_thread;
        search.leaf_context = m;
    }
    search.rescore_weight = config->rescore_weight;
    search.loss_guard = config->loss_guard;
    search.pre_rank_with_leaf = config->pre_rank_with_model;
    search.chunk_size = config->chunk_size;
    if (hzi_source_given(&config->rescore)) {
        search.rescore = hzi_handle_judge(&m->seams[RESCORE]); /* never called at weight 0 */
    }
    if (wires[COLLAPSE].source) {
        search.collapse = hzi_handle_judge(&m->seams[COLLAPSE]);
    }
    if (wires[PRE_RANK].source) {
        search.pre_rank = hzi_handle_judge(&m->seams[PRE_RANK]);
    }
    return hz_expectimax_new(&search, &m->search, err);
}

static hz_status open_handles(const hz_bot_model_expectimax_config *config, const wire wires[SEAMS],
                              model_search *m, const hz_model_source **failed, hz_error *err) {
    hz_status status = HZ_OK;
    for (int i = 0; i < SEAMS && status == HZ_OK; i++) {
        if (wires[i].source) {
            *failed = wires[i].source;
            status = hzi_handles_open(&m->handles, wires[i].source, &config->scorer, err);
            if (status == HZ_OK) {
                m->seams[i] = m->handles.scorers[m->handles.count - 1];
            }
        }
    }
    for (size_t i = 0; i < m->thread_leaves && status == HZ_OK; i++) {
        *failed = &config->leaf;
        status = hzi_handles_open(&m->handles, &config->leaf, &config->scorer, err);
        if (status == HZ_OK) {
            leaf_slots(m)[i] = m->handles.scorers[m->handles.count - 1];
        }
    }
    if (status != HZ_OK) {
        hzi_handles_abandon(&m->handles, err);
    }
    return status;
}

/* *failed: the source that was refused, NULL when it was a setting. */
static hz_status make(const hz_bot_model_expectimax_config *config, hz_bot *bot,
                      const hz_model_source **failed, hz_error *err) {
    wire wires[SEAMS];
    unsigned threads = config->search.threads;
    size_t more = threads > 1 && threads <= HZI_MOST_THREADS ? threads - 1 : 0;
    wires_of(config, wires);
    if (!wires[LEAF].source) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "onnx-expectimax needs a model");
    }
    model_search *m = calloc(1, sizeof *m + (SEAMS + 2 * more) * sizeof(void *));
    if (!m) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a model bot");
    }
    m->handles.scorers = m->opened;
    m->thread_leaves = more;
    m->depth = config->search.search_depth;
    hz_status status = make_search(config, wires, m, err);
    for (int i = 0; i < SEAMS && status == HZ_OK; i++) {
        if (wires[i].source) {
            *failed = wires[i].source;
            status = hz_model_source_role(wires[i].source, wires[i].role, i == LEAF, err);
        }
    }
    if (status == HZ_OK) {
        status = open_handles(config, wires, m, failed, err);
    }
    if (status != HZ_OK) {
        release(m);
        return status;
    }
    *bot = (hz_bot){.info = &info, .state = m, .choose = choose, .shut = shut, .judge = judge};
    return HZ_OK;
}

hz_bot_model_expectimax_config hz_bot_model_expectimax_config_default(void) {
    return (hz_bot_model_expectimax_config){
        .search = hz_bot_search_default(), .rescore_weight = 0.5, .chunk_size = HZ_PRERANK_CHUNK};
}

hz_status hz_bot_model_expectimax(const hz_bot_model_expectimax_config *config, hz_bot *bot,
                                  hz_error *err) {
    const hz_model_source *failed = NULL;
    return make(config, bot, &failed, err);
}

/* ---- from text ---- */

enum {
    OPTION_MODEL = HZI_SEARCH_OPTIONS,
    OPTION_SCHEMA,
    OPTION_EXECUTOR,
    OPTION_COLLAPSE,
    OPTION_LOSS_GUARD,
    OPTION_PRE_RANK,
    OPTION_PRE_RANK_WITH_MODEL,
    OPTION_CHUNK,
    OPTION_RESCORE,
    OPTION_WEIGHT
};

static const hz_bot_option options[] = {
    HZI_SEARCH_OPTION_TABLE,
    {"model", HZ_OPTION_FILE, 0, 0, NULL, "a package's folder or an ONNX file",
     "the model that judges positions; always needed", 0},
    HZI_SCHEMA_OPTION,
    HZI_EXECUTOR_OPTION,
    {"collapse", HZ_OPTION_FILE, 0, 0, NULL, "a package's folder or an ONNX file",
     "a model that answers in place of the search below each candidate", 0},
    {"lossguard", HZ_OPTION_SWITCH, 0, 1, "0", NULL,
     "with collapse and rescore: candidates that risk the king are not rescored", 0},
    {"prerank", HZ_OPTION_FILE, 0, 0, NULL, "a package's folder or an ONNX file",
     "a model that orders the results; by default material does", 0},
    {"prerankwithmodel", HZ_OPTION_SWITCH, 0, 1, "0", NULL, "the judging model orders the results",
     0},
    {"chunk", HZ_OPTION_COUNT, 1, 1000000, "256", NULL, "results ordered in one run of prerank", 0},
    {"rescore", HZ_OPTION_FILE, 0, 0, NULL, "a package's folder or an ONNX file",
     "a model whose opinion of the candidates is mixed in", 0},
    {"weight", HZ_OPTION_REAL, 0, 1, "0.5", NULL, "the share of rescore in the mixture", 0},
};

static hz_status read_models(const hz_option_value *values, hz_bot_model_expectimax_config *config,
                             hzi_model_texts *texts, hz_error *err) {
    hz_status status = hzi_model_texts_add(texts, &values[OPTION_MODEL], &config->leaf, err);
    if (status == HZ_OK && config->rescore_weight > 0) {
        status = hzi_model_texts_add(texts, &values[OPTION_RESCORE], &config->rescore, err);
    }
    if (status == HZ_OK) {
        status = hzi_model_texts_add(texts, &values[OPTION_COLLAPSE], &config->collapse, err);
    }
    if (status == HZ_OK) {
        status = hzi_model_texts_add(texts, &values[OPTION_PRE_RANK], &config->pre_rank, err);
    }
    if (status == HZ_OK) {
        status = hzi_model_texts_schema(texts, &values[OPTION_SCHEMA], err);
    }
    return status == HZ_OK ? hzi_executor_of(&values[OPTION_EXECUTOR], &config->scorer, err)
                           : status;
}

static hz_status open(void *context, const hz_option_value *values, hz_bot *bot, hz_error *err) {
    (void)context;
    hz_bot_model_expectimax_config config = hz_bot_model_expectimax_config_default();
    hzi_model_texts texts = {0};
    if (!values[OPTION_MODEL].given) {
        return hz_fail(err, HZ_BAD_OPTION, values[OPTION_MODEL].offset,
                       "onnx-expectimax needs the option \"model\"");
    }
    config.search = hzi_search_from_values(values);
    config.loss_guard = values[OPTION_LOSS_GUARD].count != 0;
    config.pre_rank_with_model = values[OPTION_PRE_RANK_WITH_MODEL].count != 0;
    config.chunk_size = (int64_t)values[OPTION_CHUNK].count;
    config.rescore_weight = values[OPTION_WEIGHT].real;
    if (config.pre_rank_with_model && values[OPTION_PRE_RANK].given) {
        return hz_fail(
            err, HZ_CONFLICT, values[OPTION_PRE_RANK_WITH_MODEL].offset,
            "the options \"prerank\" and \"prerankwithmodel\" contradict each other: one "
            "model orders the results");
    }
    hz_status status = read_models(values, &config, &texts, err);
    if (status == HZ_OK) {
        const hz_model_source *failed = NULL;
        status = make(&config, bot, &failed, err);
        if (status != HZ_OK && failed) {
            hzi_model_texts_place(&texts, failed, err);
        }
    }
    hzi_model_texts_fini(&texts);
    return status;
}

const hz_bot_kind hzi_model_expectimax_kind = {.info = &info,
                                               .option_count = sizeof options / sizeof *options,
                                               .options = options,
                                               .open = open};
