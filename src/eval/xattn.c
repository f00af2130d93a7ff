/* SPDX-License-Identifier: MIT */
/*
 * The transformer in plain loops over its 65 tokens, values of one kind side by side, so that a
 * compiler makes vectors of them. Because all tokens share one question, the layers in front of and
 * behind the weighted sum can change places with it: a token is matched with W' q instead of W x
 * with q, and what is heard is W (sum of a x) instead of the sum of a (W x). (The bias of the keys
 * shifts all matches alike and drops out; the weights a add up to 1, so the other bias stays.)
 */
#include "eval/xattn.h"

#include "model/graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { D = 8, TOKENS = 65, LANES = 72, WIDE = 32, FLAGS = HZI_XATTN_META, BLOCKS = 4 };

/* Numbers of a block in their order. */
typedef struct block {
    float query[D][FLAGS], query_bias[D];
    float key[D][D], key_bias[D];
    float value[D][D], value_bias[D];
    float out[D][D], out_bias[D];
    float gain1[D], bias1[D], gain2[D], bias2[D];
    float wide[WIDE][D], wide_bias[WIDE];
    float narrow[D][WIDE], narrow_bias[D];
} block;

typedef struct network {
    block blocks[BLOCKS];
    float head[WIDE][D], head_bias[WIDE];
    float last[WIDE], last_bias;
} network;

_Static_assert(sizeof(network) == HZI_XATTN_NUMBERS * sizeof(float), "no gaps");

/* ---- taking the numbers out of a graph ------------------------------------------------------------ */

static bool take(const hz_graph *graph, int number, const char *name, float *to, size_t out,
                 size_t in, bool turned) {
    char wanted[64];
    (void)snprintf(wanted, sizeof wanted, "%d.%s", number, name);
    for (size_t i = 0; i < graph->value_count; i++) {
        const hzi_value *v = &graph->values[i];
        if (!v->constant || strcmp(v->name, wanted) != 0) {
            continue;
        }
        const hz_tensor *t = &v->tensor;
        bool fits = t->element == HZ_ELEMENT_FLOAT && t->rank == (in ? 2U : 1U) &&
                    hz_tensor_count(t) == out * (in ? in : 1) &&
                    (!in || t->shape[0] == (int64_t)(turned ? in : out));
        const float *from = t->data;
        for (size_t o = 0; fits && o < out; o++) {
            for (size_t k = 0; k < (in ? in : 1); k++) {
                to[o * (in ? in : 1) + k] =
                    turned ? from[k * out + o] : from[o * (in ? in : 1) + k];
            }
        }
        return fits;
    }
    return false;
}

static bool take_block(const hz_graph *g, int n, block *b) {
    return take(g, n, "query", b->query[0], D, FLAGS, false) &&
           take(g, n, "query.bias", b->query_bias, D, 0, false) &&
           take(g, n, "key", b->key[0], D, D, true) &&
           take(g, n, "key.bias", b->key_bias, D, 0, false) &&
           take(g, n, "value", b->value[0], D, D, true) &&
           take(g, n, "value.bias", b->value_bias, D, 0, false) &&
           take(g, n, "out", b->out[0], D, D, true) &&
           take(g, n, "out.bias", b->out_bias, D, 0, false) &&
           take(g, n, "norm1.gain", b->gain1, D, 0, false) &&
           take(g, n, "norm1.bias", b->bias1, D, 0, false) &&
           take(g, n, "norm2.gain", b->gain2, D, 0, false) &&
           take(g, n, "norm2.bias", b->bias2, D, 0, false) &&
           take(g, n, "wide", b->wide[0], WIDE, D, true) &&
           take(g, n, "wide.bias", b->wide_bias, WIDE, 0, false) &&
           take(g, n, "narrow", b->narrow[0], D, WIDE, true) &&
           take(g, n, "narrow.bias", b->narrow_bias, D, 0, false);
}

bool hzi_xattn_load(const hz_graph *graph, float numbers[HZI_XATTN_NUMBERS]) {
    network net;
    for (int i = 0; i < BLOCKS; i++) {
        if (!take_block(graph, i + 1, &net.blocks[i])) {
            return false;
        }
    }
    if (!take(graph, BLOCKS + 1, "head", net.head[0], WIDE, D, false) ||
        !take(graph, BLOCKS + 1, "head.bias", net.head_bias, WIDE, 0, false) ||
        !take(graph, BLOCKS + 1, "last", net.last, 1, WIDE, false) ||
        !take(graph, BLOCKS + 1, "last.bias", &net.last_bias, 1, 0, false)) {
        return false;
    }
    memcpy(numbers, &net, sizeof net);
    return true;
}

/* ---- running -------------------------------------------------------------------------------------- */

/* Values of all tokens: one row per dimension. The lanes behind the last token hold anything. */
typedef struct tokens {
    _Alignas(64) float x[D][LANES];
} tokens;

/* What the flags hear from all tokens. */
static void attend(const block *b, const float *meta, const tokens *t, float answer[D]) {
    float question[D], wanted[D], seen[D], heard[D];
    _Alignas(64) float weight[LANES];
    for (int i = 0; i < D; i++) {
        question[i] = b->query_bias[i];
        for (int k = 0; k < FLAGS; k++) {
            question[i] += b->query[i][k] * meta[k];
        }
    }
    const float scale = 1.0f / sqrtf((float)D);
    for (int k = 0; k < D; k++) {
        wanted[k] = 0;
        for (int i = 0; i < D; i++) {
            wanted[k] += b->key[i][k] * question[i];
        }
        wanted[k] *= scale;
    }
    for (int j = 0; j < LANES; j++) {
        weight[j] = wanted[0] * t->x[0][j];
    }
    for (int k = 1; k < D; k++) {
        for (int j = 0; j < LANES; j++) {
            weight[j] += wanted[k] * t->x[k][j];
        }
    }
    float most = weight[0], sum = 0;
    for (int j = 1; j < TOKENS; j++) {
        most = weight[j] > most ? weight[j] : most;
    }
    for (int j = 0; j < TOKENS; j++) {
        weight[j] = expf(weight[j] - most);
        sum += weight[j];
    }
    for (int k = 0; k < D; k++) {
        seen[k] = 0;
        for (int j = 0; j < TOKENS; j++) {
            seen[k] += weight[j] * t->x[k][j];
        }
        seen[k] /= sum;
    }
    for (int i = 0; i < D; i++) {
        heard[i] = b->value_bias[i];
        for (int k = 0; k < D; k++) {
            heard[i] += b->value[i][k] * seen[k];
        }
    }
    for (int i = 0; i < D; i++) {
        answer[i] = b->out_bias[i];
        for (int k = 0; k < D; k++) {
            answer[i] += b->out[i][k] * heard[k];
        }
    }
}

static void norm(const float *gain, const float *bias, tokens *t) {
    _Alignas(64) float mean[LANES] = {0}, spread[LANES] = {0};
    for (int i = 0; i < D; i++) {
        for (int j = 0; j < LANES; j++) {
            mean[j] += t->x[i][j];
        }
    }
    for (int j = 0; j < LANES; j++) {
        mean[j] *= 1.0f / D;
    }
    for (int i = 0; i < D; i++) {
        for (int j = 0; j < LANES; j++) {
            t->x[i][j] -= mean[j];
            spread[j] += t->x[i][j] * t->x[i][j];
        }
    }
    for (int j = 0; j < LANES; j++) {
        spread[j] = 1.0f / sqrtf(spread[j] * (1.0f / D) + 1e-5f);
    }
    for (int i = 0; i < D; i++) {
        for (int j = 0; j < LANES; j++) {
            t->x[i][j] = t->x[i][j] * spread[j] * gain[i] + bias[i];
        }
    }
}

/* Some tokens at a time, so that what belongs to them stays in the first cache. */
static void think(const block *b, tokens *t) {
    enum { GROUP = 24 };
    for (int at = 0; at < LANES; at += GROUP) {
        float sum[D][GROUP];
        for (int i = 0; i < D; i++) {
            for (int j = 0; j < GROUP; j++) {
                sum[i][j] = t->x[i][at + j] + b->narrow_bias[i];
            }
        }
        for (int h = 0; h < WIDE; h++) {
            float wide[GROUP];
            for (int j = 0; j < GROUP; j++) {
                wide[j] = b->wide_bias[h];
            }
            for (int k = 0; k < D; k++) {
                for (int j = 0; j < GROUP; j++) {
                    wide[j] += b->wide[h][k] * t->x[k][at + j];
                }
            }
            for (int j = 0; j < GROUP; j++) {
                wide[j] = wide[j] > 0 ? wide[j] : 0;
            }
            for (int i = 0; i < D; i++) {
                for (int j = 0; j < GROUP; j++) {
                    sum[i][j] += b->narrow[i][h] * wide[j];
                }
            }
        }
        for (int i = 0; i < D; i++) {
            for (int j = 0; j < GROUP; j++) {
                t->x[i][at + j] = sum[i][j];
            }
        }
    }
}

static void norm_one(const float *gain, const float *bias, float x[D]) {
    float mean = 0, spread = 0;
    for (int i = 0; i < D; i++) {
        mean += x[i];
    }
    mean *= 1.0f / D;
    for (int i = 0; i < D; i++) {
        x[i] -= mean;
        spread += x[i] * x[i];
    }
    spread = 1.0f / sqrtf(spread * (1.0f / D) + 1e-5f);
    for (int i = 0; i < D; i++) {
        x[i] = x[i] * spread * gain[i] + bias[i];
    }
}

static void think_one(const block *b, float x[D]) {
    float sum[D];
    for (int i = 0; i < D; i++) {
        sum[i] = x[i] + b->narrow_bias[i];
    }
    for (int h = 0; h < WIDE; h++) {
        float wide = b->wide_bias[h];
        for (int k = 0; k < D; k++) {
            wide += b->wide[h][k] * x[k];
        }
        wide = wide > 0 ? wide : 0;
        for (int i = 0; i < D; i++) {
            sum[i] += b->narrow[i][h] * wide;
        }
    }
    memcpy(x, sum, sizeof sum);
}

static float run_one(const network *net, const float *board, const float *meta) {
    tokens t;
    float answer[D], summary[D];
    memset(&t, 0, sizeof t);
    for (int channel = 0; channel < 7; channel++) {
        memcpy(&t.x[channel][1], board + 64 * (ptrdiff_t)channel, 64 * sizeof *board);
    }
    for (int j = 1; j < TOKENS; j++) {
        t.x[7][j] = (float)j / 64.0f;
    }
    for (int n = 0; n < BLOCKS; n++) {
        const block *b = &net->blocks[n];
        attend(b, meta, &t, answer);
        if (n == BLOCKS - 1) {
            break; /* only the summary is read from here on */
        }
        for (int i = 0; i < D; i++) {
            for (int j = 0; j < LANES; j++) {
                t.x[i][j] += answer[i];
            }
        }
        norm(b->gain1, b->bias1, &t);
        think(b, &t);
        norm(b->gain2, b->bias2, &t);
    }
    const block *b = &net->blocks[BLOCKS - 1];
    for (int i = 0; i < D; i++) {
        summary[i] = t.x[i][0] + answer[i];
    }
    norm_one(b->gain1, b->bias1, summary);
    think_one(b, summary);
    norm_one(b->gain2, b->bias2, summary);
    float logit = net->last_bias;
    for (int h = 0; h < WIDE; h++) {
        float wide = net->head_bias[h];
        for (int k = 0; k < D; k++) {
            wide += net->head[h][k] * summary[k];
        }
        logit += net->last[h] * (wide > 0 ? wide : 0);
    }
    return 1.0f / (1.0f + expf(-logit));
}

void hzi_xattn_run(const float *numbers, const float *boards, const float *metas, size_t n,
                   float *values) {
    network net;
    memcpy(&net, numbers, sizeof net);
    for (size_t i = 0; i < n; i++) {
        values[i] = run_one(&net, boards + i * HZI_XATTN_BOARD, metas + i * HZI_XATTN_META);
    }
}
