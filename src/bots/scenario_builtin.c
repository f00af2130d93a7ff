/* SPDX-License-Identifier: MIT */
/* The catalogue that comes with the library: a dozen rolls, each with one reason why it is there. */
#include "bots/scenario.h"

enum { MOST_TURNS = 8 };

typedef struct row {
    const char *id, *category, *goal, *dfen;
    const char *turns[MOST_TURNS]; /* none = a pass */
    int64_t legal, king;
    const char *why;
} row;

static const row rows[] = {
    {"king-rook",
     "tactical",
     "king",
     "r3k3/8/8/8/8/8/8/K7 b - - 0 1 ppr",
     {"a8a1"},
     10,
     1,
     "only the rook die can be played, and the rook takes the king"},
    {"king-new-queen",
     "tactical",
     "king",
     "k7/8/8/8/8/8/7p/K7 b - - 0 1 pq",
     {"h2h1q,h1a1"},
     20,
     1,
     "the pawn promotes, and the new queen takes the king with the second die"},
    {"gain-queen",
     "tactical",
     "gain",
     "4k3/8/8/3q1r2/4P3/8/8/4K3 w - - 0 1 P",
     {"e4d5"},
     3,
     0,
     "the pawn takes the queen and not the rook"},
    {"gain-two-captures",
     "tactical",
     "gain",
     "k7/8/5n2/8/4q3/8/3N4/7K w - - 0 1 NN",
     {"d2e4,e4f6"},
     37,
     0,
     "one knight takes queen and knight"},
    {"gain-en-passant",
     "tactical",
     "gain",
     "4k3/8/8/8/1Pp5/8/8/4K3 b - b3 0 1 pp",
     {"c4b3,b3b2"},
     2,
     0,
     "a capture en passant, then a step"},
    {"gain-attacker",
     "defensive",
     "gain",
     "6k1/5ppp/8/8/8/2b5/1P6/K7 w - - 0 1 PB",
     {"b2c3"},
     3,
     0,
     "the pawn takes the bishop that looks at its king; the bishop die cannot be played"},
    {"guard-open-file",
     "defensive",
     "guard",
     "4k3/8/8/8/8/8/8/4R2K b - - 0 1 k",
     {"e8d7", "e8d8", "e8f7", "e8f8"},
     5,
     0,
     "the king leaves the file of the rook"},
    {"guard-block",
     "defensive",
     "guard",
     "4k3/8/2b5/8/8/8/8/K3R2Q b - - 0 1 b",
     {"c6e4"},
     10,
     0,
     "the bishop shuts the file of the rook; taking the queen leaves the king open"},
    {"guard-take",
     "defensive",
     "guard",
     "7k/8/8/8/8/8/1r6/K7 w - - 0 1 K",
     {"a1b2"},
     3,
     0,
     "the king takes its attacker"},
    {"refuse-the-pawn",
     "defensive",
     "decision",
     "1r4k1/p4ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 NNR",
     {"a1c1"},
     11,
     0,
     "the pawn on a7 costs the first rank: two rolls ahead the rook stays where it guards most"},
    {"endgame-queen",
     "endgame",
     "decision",
     "7k/8/8/8/8/8/p7/7K b - - 0 1 p",
     {"a2a1q"},
     4,
     0,
     "promote to the strongest piece"},
    {"pass-boxed-in",
     "forced-pass",
     "pass",
     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 BRQ",
     {NULL},
     0,
     0,
     "no bishop, rook or queen can leave the initial position"},
    {"pass-blocked-pawn",
     "forced-pass",
     "pass",
     "4k3/7p/7P/8/8/8/8/4K3 b - - 0 1 ppp",
     {NULL},
     0,
     0,
     "the only pawn is blocked"},
};

enum { ROWS = sizeof rows / sizeof *rows };

hz_status hz_catalogue_builtin(hz_catalogue **catalogue, hz_error *err) {
    static const int64_t seeds[] = {0, 7, 42};
    hzi_catalogue_maker maker = {0};
    *catalogue = NULL;
    hz_status status = hzi_catalogue_begin(&maker, "hazard-scenarios-1", seeds,
                                           sizeof seeds / sizeof *seeds, ROWS, err);
    for (size_t i = 0; i < ROWS && status == HZ_OK; i++) {
        const row *r = &rows[i];
        hzi_written_scenario written = {.id = r->id,
                                        .category = r->category,
                                        .goal = r->goal,
                                        .dfen = r->dfen,
                                        .why = r->why,
                                        .expects_pass = !r->turns[0],
                                        .turns = r->turns,
                                        .counted = true,
                                        .legal = r->legal,
                                        .king = r->king};
        while (written.turn_count < MOST_TURNS && r->turns[written.turn_count]) {
            written.turn_count++;
        }
        status = hzi_catalogue_add(&maker, &written, err);
    }
    if (status != HZ_OK) {
        hz_catalogue_free(maker.catalogue);
        return status;
    }
    *catalogue = maker.catalogue;
    return HZ_OK;
}
