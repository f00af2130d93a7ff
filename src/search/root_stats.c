/* SPDX-License-Identifier: MIT */
/* What the record of a search says, and the rules that hold between its numbers. */
#include <hazard/search.h>

enum { ROLLS = 56 };

uint64_t hz_root_stats_resolved(const hz_root_stats *s) {
    return s->candidates_completed + s->cutoffs + s->tt_hits + s->tt_cutoffs +
           s->candidates_collapsed;
}

/* A batch was refused, so the search ended for another reason than the clock. */
static bool rejected(const hz_root_stats *s) {
    return s->collapse_rejected || s->leaf_rejected;
}

bool hz_root_stats_deadline_truncated(const hz_root_stats *s) {
    return !rejected(s) && hz_root_stats_resolved(s) < s->candidates_selected;
}

bool hz_root_stats_fell_back(const hz_root_stats *s) {
    return s->candidates_completed == 0 && s->tt_hits == 0 && s->candidates_collapsed == 0 &&
           (s->candidates_abandoned > 0 || rejected(s));
}

/* Nothing was selected, so nothing else happened. */
static bool is_untouched(const hz_root_stats *s) {
    return hz_root_stats_resolved(s) == 0 && s->candidates_abandoned == 0 && s->rolls_saved == 0 &&
           s->probe_cutoffs == 0 && s->tt_probes == 0 && !s->collapse_rejected &&
           !s->pre_rank_rejected && !s->rescore_rejected && !s->leaf_rejected;
}

static const char *check_list(const hz_root_stats *s) {
    if (!s->has_legal_sequences && s->legal_sequences != 0) {
        return "legal sequences are 0 when they were not counted";
    }
    if (s->has_legal_sequences && s->legal_sequences < s->legal_results) {
        return "legal results <= legal sequences";
    }
    if (s->legal_results == 0 && s->legal_sequences != 0) {
        return "a pass has no legal sequences";
    }
    if (s->candidates_selected > s->legal_results) {
        return "candidates selected <= legal results";
    }
    if (s->candidates_selected == 0 && !is_untouched(s)) {
        return "nothing selected, nothing done";
    }
    return NULL;
}

static const char *check_cutoffs(const hz_root_stats *s) {
    if (s->candidates_abandoned > 1) {
        return "abandoned <= 1";
    }
    if (hz_root_stats_resolved(s) + s->candidates_abandoned > s->candidates_selected) {
        return "resolved + abandoned <= selected";
    }
    if (s->probe_cutoffs > s->cutoffs) {
        return "probe cutoffs <= cutoffs";
    }
    if (s->rolls_saved < s->cutoffs || s->rolls_saved > ROLLS * s->cutoffs) {
        return "cutoffs <= rolls saved <= 56 * cutoffs";
    }
    if (s->cutoffs + s->tt_cutoffs > 0 && s->candidates_completed + s->tt_hits == 0) {
        return "the first candidate is never pruned";
    }
    return NULL;
}

static const char *check_table(const hz_root_stats *s, bool has_table) {
    if (!has_table && (s->tt_probes || s->tt_hits || s->tt_cutoffs)) {
        return "no table, no table fields";
    }
    if (s->tt_hits + s->tt_cutoffs > s->tt_probes) {
        return "table hits + table cutoffs <= table probes";
    }
    if (s->tt_probes > s->candidates_selected) {
        return "table probes <= selected";
    }
    return NULL;
}

static const char *check_collapse(const hz_root_stats *s, bool collapse) {
    if (!collapse) {
        return s->candidates_collapsed || s->collapse_rejected ? "no collapse, no collapse fields"
                                                               : NULL;
    }
    if (s->candidates_completed || s->cutoffs || s->rolls_saved || s->probe_cutoffs ||
        s->tt_probes || s->tt_hits || s->tt_cutoffs || s->leaf_rejected) {
        return "collapse opens no chance node and no table";
    }
    if (s->candidates_collapsed != 0 && s->candidates_collapsed != s->candidates_selected) {
        return "collapsed is 0 or selected";
    }
    if (s->collapse_rejected && (s->candidates_collapsed || s->candidates_abandoned)) {
        return "rejected: nothing collapsed, nothing abandoned";
    }
    return NULL;
}

const char *hz_root_stats_check(const hz_root_stats *s, bool has_table, bool collapse, bool timed) {
    const char *broken = check_list(s);
    if (!broken) {
        broken = check_collapse(s, collapse);
    }
    if (!broken) {
        broken = check_cutoffs(s);
    }
    if (!broken) {
        broken = check_table(s, has_table);
    }
    if (!broken && !timed && !rejected(s) && hz_root_stats_resolved(s) != s->candidates_selected) {
        broken = "untimed: resolved = selected";
    }
    if (!broken && !timed && s->candidates_abandoned) {
        broken = "untimed: nothing abandoned";
    }
    return broken;
}
