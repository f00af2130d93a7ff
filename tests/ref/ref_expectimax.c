/* SPDX-License-Identifier: MIT */
/* Expectimax by plain recursion; the header is the manual. */
#include "ref/ref_expectimax.h"

#include <stdlib.h>
#include <string.h>

/* What a king taken inside the tree counts for the mover. */
static const int64_t WIN = 10001, LOSS = -1000000000;

static int32_t material(const void *context, const ref_position *position, char color) {
    static const char letters[] = "PNBRQKpnbrqk";
    static const int32_t price[] = {100, 300, 300, 500, 900, 10000};
    int32_t white = 0;
    (void)context;
    for (int square = 0; square < 64; square++) {
        const char *found = strchr(letters, position->board[square]);
        if (found) {
            int kind = (int)(found - letters);
            white += kind < 6 ? price[kind] : -price[kind - 6];
        }
    }
    return color == 'w' ? white : -white;
}

const ref_judge ref_material = {material, NULL};

static int32_t ask(const ref_judge *judge, const ref_position *position, char color) {
    return judge->score(judge->context, position, color);
}

/* ---- the lines of one roll ---- */

/* A walk through all complete lines of a roll. */
typedef struct lines {
    size_t count, most;
    bool king;    /* some line takes a king: nothing else of the roll matters */
    int max_used; /* the most dice a line spends, so far */
    /* Called for each line that spends as many dice as any before it, after hand-over; first: it
     * spends more, so those before it were no legal turns. NULL = not asked. */
    void (*visit)(void *context, const ref_position *after, bool first);
    void *context;
} lines;

static bool complete(lines *l, const ref_position *position, int used) {
    if (l->visit && used >= l->max_used) {
        ref_position after = *position;
        ref_hand_over(&after);
        l->visit(l->context, &after, used > l->max_used || l->count == 0);
        l->max_used = used;
    }
    return l->count++ < l->most;
}

/* False when there are too many lines. */
static bool walk(lines *l, const ref_position *position, int used) {
    ref_moves playable;
    ref_playable(position, &playable);
    if (playable.count == 0) {
        return complete(l, position, used);
    }
    for (int i = 0; i < playable.count; i++) {
        if (ref_takes_king(position, playable.move[i].text)) {
            l->king = true;
            return true;
        }
    }
    for (int i = 0; i < playable.count && !l->king; i++) {
        ref_position next = *position;
        ref_play(&next, playable.move[i].text);
        if (!walk(l, &next, used + ref_dice_count(position) - ref_dice_count(&next))) {
            return false;
        }
    }
    return true;
}

/* ---- values ---- */

typedef struct tree {
    const ref_judge *leaf;
    char mover;
    size_t most_lines;
    bool too_many;
} tree;

static int64_t chance(tree *t, const ref_position *position, int plies, bool *tainted);

/* The best of what the lines of one roll lead to. */
typedef struct best {
    tree *t;
    int plies;
    bool max, any;
    int64_t value;
    ref_position *seen; /* plies 2: distinct boards, owned */
    size_t count, capacity;
} best;

static void take(best *b, int64_t value) {
    if (!b->any || (b->max ? value > b->value : value < b->value)) {
        b->value = value;
    }
    b->any = true;
}

static bool same_board(const ref_position *a, const ref_position *b) {
    return memcmp(a->board, b->board, sizeof a->board) == 0 &&
           memcmp(a->right, b->right, sizeof a->right) == 0 &&
           memcmp(a->target, b->target, sizeof a->target) == 0;
}

static void visit_line(void *context, const ref_position *after, bool first) {
    best *b = context;
    if (first) {
        b->any = false;
        b->count = 0;
    }
    if (b->plies == 1) {
        take(b, ask(b->t->leaf, after, b->t->mover));
        return;
    }
    for (size_t i = 0; i < b->count; i++) {
        if (same_board(&b->seen[i], after)) {
            return;
        }
    }
    if (b->count == b->capacity) {
        b->capacity = b->capacity ? 2 * b->capacity : 64;
        b->seen = realloc(b->seen, b->capacity * sizeof *b->seen);
        if (!b->seen) {
            abort();
        }
    }
    b->seen[b->count++] = *after;
}

/* One roll: the side to move wants the most for the mover when it is the mover, else the least. */
static int64_t one_roll(tree *t, const ref_position *rolled, int plies, bool *tainted) {
    best b = {.t = t, .plies = plies, .max = rolled->side == t->mover};
    lines l = {.most = t->most_lines, .visit = visit_line, .context = &b};
    int64_t scale = plies == 2 ? 216 : 1;
    t->too_many = t->too_many || !walk(&l, rolled, 0);
    if (l.king) {
        *tainted = *tainted || !b.max;
        b.value = (b.max ? WIN : LOSS) * scale;
        b.count = 0;
    }
    /* A pass is the one line that spends no dice. */
    for (size_t i = 0; i < b.count && !t->too_many; i++) {
        bool inner = false;
        take(&b, chance(t, &b.seen[i], plies - 1, &inner));
    }
    free(b.seen);
    return b.value;
}

static int64_t chance(tree *t, const ref_position *position, int plies, bool *tainted) {
    int64_t sum = 0;
    for (int a = 0; a < 6; a++) {
        for (int b = a; b < 6; b++) {
            for (int c = b; c < 6 && !t->too_many; c++) {
                ref_position rolled = *position;
                memset(rolled.dice, 0, sizeof rolled.dice);
                rolled.dice[a]++;
                rolled.dice[b]++;
                rolled.dice[c]++;
                int weight = a == b && b == c ? 1 : a == b || b == c ? 3 : 6;
                sum += weight * one_roll(t, &rolled, plies, tainted);
            }
        }
    }
    return sum;
}

/* Whether some roll takes the king of the side that is not to move. */
static bool in_danger(tree *t, const ref_position *position) {
    bool tainted = false;
    for (int roll = 0; roll < 216 && !t->too_many; roll++) {
        ref_position rolled = *position;
        memset(rolled.dice, 0, sizeof rolled.dice);
        rolled.dice[roll % 6]++;
        rolled.dice[roll / 6 % 6]++;
        rolled.dice[roll / 36]++;
        lines l = {.most = t->most_lines};
        t->too_many = t->too_many || !walk(&l, &rolled, 0);
        tainted = tainted || l.king;
    }
    return tainted;
}

/* ---- the root ---- */

static void pick_candidates(const ref_expectimax_question *q, const ref_results *results,
                            char mover, ref_expectimax_answer *answer) {
    const ref_judge *judge = q->pre_rank.score ? &q->pre_rank : &ref_material;
    ref_candidate *all = calloc(results->count, sizeof *all);
    if (!all) {
        abort();
    }
    for (size_t i = 0; i < results->count; i++) {
        ref_position after;
        (void)ref_from_dfen(&after, results->result[i].after);
        memcpy(all[i].turn, results->result[i].turn, sizeof all[i].turn);
        all[i].index = i;
        all[i].pre_rank = ask(judge, &after, mover);
    }
    for (size_t i = 1; i < results->count; i++) { /* stable */
        ref_candidate moving = all[i];
        size_t place = i;
        for (; place > 0 && all[place - 1].pre_rank < moving.pre_rank; place--) {
            all[place] = all[place - 1];
        }
        all[place] = moving;
    }
    answer->candidates = all;
    answer->selected = results->count < q->limit ? results->count : q->limit;
}

static void value_candidate(const ref_expectimax_question *q, tree *t, const ref_position *after,
                            int64_t denominator, ref_candidate *c) {
    bool blends = q->weight > 0;
    if (q->collapse.score) {
        c->sum = ask(&q->collapse, after, t->mover) * denominator;
        c->tainted = q->loss_guard && blends && in_danger(t, after);
    } else {
        c->sum = chance(t, after, q->depth - 1, &c->tainted);
    }
    c->value = (double)c->sum / (double)denominator;
    if (blends) {
        c->rescore = ask(&q->rescore, after, t->mover);
        if (!c->tainted) {
            double kept = 1 - q->weight;
            kept = kept * c->value;
            double added = q->weight * c->rescore;
            c->value = kept + added;
        }
    }
}

static int32_t to_score(double value) {
    return value >= 2147483647 ? INT32_MAX : value <= -2147483648.0 ? INT32_MIN : (int32_t)value;
}

static void collect_ties(ref_expectimax_answer *answer, size_t results) {
    const ref_candidate *top = &answer->candidates[0];
    for (size_t i = 1; i < answer->selected; i++) {
        if (answer->candidates[i].value > top->value) {
            top = &answer->candidates[i];
        }
    }
    answer->value = top->value;
    answer->sum = top->sum;
    answer->score = to_score(top->value);
    for (size_t index = 0; index < results; index++) {
        for (size_t i = 0; i < answer->selected; i++) {
            const ref_candidate *c = &answer->candidates[i];
            if (c->index == index && !(c->value < top->value)) {
                memcpy(answer->tie[answer->ties++], c->turn, sizeof c->turn);
            }
        }
    }
}

bool ref_expectimax(const ref_expectimax_question *q, size_t most_lines,
                    ref_expectimax_answer *answer) {
    ref_position root;
    ref_turns turns;
    ref_results results;
    *answer = (ref_expectimax_answer){.denominator = q->depth == 3 ? 46656 : 216};
    if (!ref_from_dfen(&root, q->dfen) || !ref_legal_turns(&root, most_lines, &turns)) {
        return false;
    }
    ref_results_of(&root, &turns, &results);
    answer->results = results.count;
    answer->sequences = turns.count;
    ref_turns_free(&turns);
    answer->pass = results.count == 0;
    answer->tie = calloc(results.count + 1, sizeof *answer->tie);
    if (!answer->tie) {
        abort();
    }
    bool won = false;
    for (size_t i = 0; i < results.count; i++) {
        if (results.result[i].king) {
            memcpy(answer->tie[0], results.result[i].turn, sizeof results.result[i].turn);
            answer->ties = 1;
            answer->score = INT32_MAX;
            won = true;
        }
    }
    tree t = {.leaf = &q->leaf, .mover = root.side, .most_lines = most_lines};
    if (!won && !answer->pass) {
        pick_candidates(q, &results, root.side, answer);
        for (size_t i = 0; i < answer->selected && !t.too_many; i++) {
            ref_candidate *c = &answer->candidates[i];
            ref_position after;
            (void)ref_from_dfen(&after, results.result[c->index].after);
            value_candidate(q, &t, &after, answer->denominator, c);
        }
        collect_ties(answer, results.count);
    }
    ref_results_free(&results);
    if (t.too_many) {
        ref_expectimax_free(answer);
        return false;
    }
    return true;
}

void ref_expectimax_free(ref_expectimax_answer *answer) {
    free(answer->candidates);
    free(answer->tie);
    *answer = (ref_expectimax_answer){0};
}
