/* SPDX-License-Identifier: MIT */
/* Settings and answers of the expectimax bots; see searcher.h. */
#include "bots/searcher.h"

hz_bot_search hz_bot_search_default(void) {
    return (hz_bot_search){
        .candidate_limit = HZ_EXPECTIMAX_LIMIT, .search_depth = HZ_EXPECTIMAX_DEPTH, .threads = 1};
}

hz_bot_search hzi_search_from_values(const hz_option_value *values) {
    hz_bot_search settings = hz_bot_search_default();
    settings.candidate_limit = (int64_t)values[HZI_OPTION_LIMIT].count;
    settings.search_depth = (int)values[HZI_OPTION_DEPTH].count;
    settings.exact_only = values[HZI_OPTION_EXACT_ONLY].count != 0;
    settings.no_pruning = values[HZI_OPTION_NO_PRUNING].count != 0;
    settings.threads = (unsigned)values[HZI_OPTION_THREADS].count;
    if (values[HZI_OPTION_TABLE].count > 0) {
        settings.table_entries = (size_t)1 << values[HZI_OPTION_TABLE].count;
    }
    return settings;
}

hz_status hzi_search_config(const hz_bot_search *settings, hz_expectimax_config *config,
                            hz_table **table, hz_error *err) {
    *table = NULL;
    if (settings->threads < 1 || settings->threads > HZI_MOST_THREADS) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "a search has 1 to %d threads, not %u", HZI_MOST_THREADS, settings->threads);
    }
    config->candidate_limit = settings->candidate_limit;
    config->search_depth = settings->search_depth;
    config->exact_only = settings->exact_only;
    config->no_pruning = settings->no_pruning;
    config->threads = settings->threads;
    config->sink = settings->sink;
    config->sink_context = settings->sink_context;
    if (settings->table_entries > 0) {
        hz_status status = hz_table_new(settings->table_entries, table, err);
        if (status != HZ_OK) {
            return status;
        }
    }
    config->table = *table;
    return HZ_OK;
}

hz_status hzi_search_choose(hz_expectimax *search, const hz_bot_request *request,
                            hz_bot_answer *answer, hz_error *err) {
    hz_expectimax_answer *found = hz_arena_alloc(request->arena, sizeof *found);
    if (!found) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the answer of a search");
    }
    hz_status status = hz_expectimax_choose(search, request->position, request->random,
                                            request->deadline, request->arena, found, err);
    if (status != HZ_OK) {
        return status;
    }
    answer->pass = found->pass;
    answer->turn = found->turn;
    answer->after = found->after;
    answer->score = found->score;
    answer->results = found->results;
    answer->tie_count = found->tie_count;
    answer->ties = found->ties;
    answer->search = found;
    return HZ_OK;
}
