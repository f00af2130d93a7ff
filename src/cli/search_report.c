/* SPDX-License-Identifier: MIT */
/* The record of a search and its candidates; see search_report.h. */
#include "cli/search_report.h"

#include <inttypes.h>

static const char *fate_name(hz_candidate_fate fate) {
    switch (fate) {
    case HZ_CANDIDATE_COMPLETE:
        return "complete";
    case HZ_CANDIDATE_FROM_TABLE:
        return "table";
    case HZ_CANDIDATE_COLLAPSED:
        return "collapsed";
    case HZ_CANDIDATE_PRUNED:
        return "pruned";
    case HZ_CANDIDATE_ABANDONED:
        return "abandoned";
    case HZ_CANDIDATE_WAITING:
        break;
    }
    return "waiting";
}

static bool has_value(const hz_candidate *candidate) {
    return candidate->fate == HZ_CANDIDATE_COMPLETE || candidate->fate == HZ_CANDIDATE_FROM_TABLE ||
           candidate->fate == HZ_CANDIDATE_COLLAPSED;
}

/* The list that candidates count in. False without memory: they are then left out. */
static bool list_results(const hz_position *position, const hz_expectimax_answer *search,
                         hz_arena *arena, hz_result_list *list) {
    *list = (hz_result_list){0};
    return search->candidate_count > 0 &&
           hz_results_list(position, NULL, arena, list, NULL) == HZ_OK;
}

static void json_record(hzc_json *json, const hz_root_stats *stats) {
    hzc_json_count(json, "legalResults", stats->legal_results);
    if (stats->has_legal_sequences) {
        hzc_json_count(json, "legalSequences", stats->legal_sequences);
    } else {
        hzc_json_null(json, "legalSequences");
    }
    hzc_json_count(json, "candidatesSelected", stats->candidates_selected);
    hzc_json_count(json, "candidatesCompleted", stats->candidates_completed);
    hzc_json_count(json, "candidatesAbandoned", stats->candidates_abandoned);
    hzc_json_count(json, "cutoffs", stats->cutoffs);
    hzc_json_count(json, "rollsSaved", stats->rolls_saved);
    hzc_json_count(json, "probeCutoffs", stats->probe_cutoffs);
    hzc_json_count(json, "ttProbes", stats->tt_probes);
    hzc_json_count(json, "ttHits", stats->tt_hits);
    hzc_json_count(json, "ttCutoffs", stats->tt_cutoffs);
    hzc_json_count(json, "candidatesCollapsed", stats->candidates_collapsed);
    hzc_json_bool(json, "collapseRejected", stats->collapse_rejected);
    hzc_json_bool(json, "preRankRejected", stats->pre_rank_rejected);
    hzc_json_bool(json, "rescoreRejected", stats->rescore_rejected);
    hzc_json_bool(json, "leafRejected", stats->leaf_rejected);
    hzc_json_count(json, "resolved", hz_root_stats_resolved(stats));
    hzc_json_bool(json, "deadlineTruncated", hz_root_stats_deadline_truncated(stats));
    hzc_json_bool(json, "fellBackToPreRank", hz_root_stats_fell_back(stats));
}

void hzc_json_search(hzc_json *json, const hz_position *position,
                     const hz_expectimax_answer *search, bool effort, hz_arena *arena) {
    hz_result_list list;
    if (!search) {
        return;
    }
    hzc_json_object(json, "search");
    json_record(json, &search->stats);
    if (effort) {
        hzc_json_count(json, "leaves", search->leaves);
        hzc_json_count(json, "leafBatches", search->leaf_batches);
        hzc_json_count(json, "chanceNodes", search->nodes);
    }
    hzc_json_integer(json, "denominator", search->denominator);
    hzc_json_array(json, "candidates");
    if (list_results(position, search, arena, &list)) {
        for (size_t i = 0; i < search->candidate_count; i++) {
            const hz_candidate *candidate = &search->candidates[i];
            hzc_json_object(json, NULL);
            hzc_json_turn(json, "turn", &list.results[candidate->result].turn);
            hzc_json_text(json, "fate", fate_name(candidate->fate));
            hzc_json_integer(json, "preRank", candidate->pre_rank);
            if (has_value(candidate)) {
                hzc_json_double(json, "value", candidate->final_value);
                hzc_json_integer(json, "sum", candidate->sum);
                hzc_json_bool(json, "lossTainted", candidate->loss_tainted);
            } else {
                hzc_json_null(json, "value");
            }
            hzc_json_end_object(json);
        }
    }
    hzc_json_end_array(json);
    hzc_json_end_object(json);
}

static void text_record(hzc_out *out, const hz_expectimax_answer *search) {
    const hz_root_stats *s = &search->stats;
    hzc_out_format(out,
                   "Searched %" PRIu64 " of %" PRIu64 " results: %" PRIu64 " completed, %" PRIu64
                   " cut off (%" PRIu64 " by probes, %" PRIu64 " rolls saved)",
                   s->candidates_selected, s->legal_results, s->candidates_completed, s->cutoffs,
                   s->probe_cutoffs, s->rolls_saved);
    if (s->candidates_collapsed > 0) {
        hzc_out_format(out, ", %" PRIu64 " collapsed", s->candidates_collapsed);
    }
    if (s->candidates_abandoned > 0) {
        hzc_out_format(out, ", %" PRIu64 " abandoned", s->candidates_abandoned);
    }
    if (s->tt_probes > 0) {
        hzc_out_format(out, ", table asked %" PRIu64 " times (%" PRIu64 " hits, %" PRIu64 " cuts)",
                       s->tt_probes, s->tt_hits, s->tt_cutoffs);
    }
    hzc_out_format(out, ";\n%" PRIu64 " positions judged\n", search->leaves);
    if (hz_root_stats_fell_back(s)) {
        hzc_out_text(out, "Nothing could be searched: the first of the pre-ranking is played\n");
    } else if (hz_root_stats_deadline_truncated(s)) {
        hzc_out_text(out, "The time ended before all candidates were searched\n");
    }
    if (s->leaf_rejected || s->collapse_rejected || s->rescore_rejected || s->pre_rank_rejected) {
        hzc_out_format(out, "A model failed and was not heard:%s%s%s%s\n",
                       s->leaf_rejected ? " leaves" : "", s->collapse_rejected ? " collapse" : "",
                       s->rescore_rejected ? " rescore" : "",
                       s->pre_rank_rejected ? " pre-rank" : "");
    }
}

void hzc_text_search(hzc_out *out, const hz_position *position, const hz_expectimax_answer *search,
                     hz_arena *arena) {
    hz_result_list list;
    if (!search || !list_results(position, search, arena, &list)) {
        return;
    }
    text_record(out, search);
    hzc_out_format(out, "%12s  %9s  %s\n", "value", "pre-rank", "candidate");
    for (size_t i = 0; i < search->candidate_count; i++) {
        const hz_candidate *candidate = &search->candidates[i];
        char turn[HZ_TURN_CAPACITY];
        (void)hz_turn_to_text(&list.results[candidate->result].turn, turn);
        if (has_value(candidate)) {
            hzc_out_format(out, "%12.1f  %9" PRId32 "  %s\n", candidate->final_value,
                           candidate->pre_rank, turn);
        } else {
            hzc_out_format(out, "%12s  %9" PRId32 "  %s\n", fate_name(candidate->fate),
                           candidate->pre_rank, turn);
        }
    }
    hzc_out_char(out, '\n');
}
