/* SPDX-License-Identifier: MIT */
/* Checks of the conformance client: signatures, verification, what a question may hold, repeats. */
#include "arena/conform_lab.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char unauthorized[] = "unauthorized";
static const char invalid[] = "invalid_request";
static const char needs_next[] = "the pending key is not known (--next-secret-env)";

/* ---- 1 to 5 ------------------------------------------------------------------------------------- */

static void shifted(hzi_lab *lab, const char *name, int64_t shift_s, bool good) {
    if (hzi_lab_begin(lab, 2, name)) {
        hzi_bot_request request = hzi_lab_turn(lab);
        hzi_sending sending = hzi_lab_write(lab, &request);
        sending.shift_s = shift_s;
        if (good) {
            hzi_lab_expect_turn(lab, &sending, &lab->small);
        } else {
            hzi_lab_expect_error(lab, &sending, 401, unauthorized);
        }
    }
}

static void badly_signed(hzi_lab *lab, const char *name, hzi_signing signing) {
    if (hzi_lab_begin(lab, 3, name)) {
        hzi_bot_request request = hzi_lab_turn(lab);
        hzi_sending sending = hzi_lab_write(lab, &request);
        sending.signing = signing;
        hzi_lab_expect_error(lab, &sending, 401, unauthorized);
    }
}

static void badly_stamped(hzi_lab *lab, const char *name, const char *before, bool present) {
    char stamp[HZI_STAMP + 8], now[HZI_STAMP];
    if (hzi_lab_begin(lab, 3, name)) {
        hzi_bot_request request = hzi_lab_turn(lab);
        hzi_sending sending = hzi_lab_write(lab, &request);
        hzi_stamp(0, now);
        (void)snprintf(stamp, sizeof stamp, "%s%s", before, present ? now : "1");
        sending.stamp = stamp;
        hzi_lab_expect_error(lab, &sending, 401, unauthorized);
    }
}

void hzi_conform_signatures(hzi_lab *lab) {
    int64_t margin = lab->options->clock_margin_s;
    if (hzi_lab_begin(lab, 1, "a request signed with the active key is answered by a turn")) {
        hzi_bot_request request = hzi_lab_turn(lab);
        hzi_sending sending = hzi_lab_write(lab, &request);
        hzi_lab_expect_turn(lab, &sending, &lab->small);
    }
    if (hzi_lab_begin(lab, 1, "one signed with the pending key as well")) {
        hzi_bot_request request = hzi_lab_turn(lab);
        hzi_sending sending = hzi_lab_write(lab, &request);
        sending.key = lab->options->next_key;
        if (sending.key) {
            hzi_lab_expect_turn(lab, &sending, &lab->small);
        } else {
            hzi_lab_skip(lab, needs_next);
        }
    }
    shifted(lab, "a timestamp just under 300 s old is good", -(299 - margin), true);
    shifted(lab, "a timestamp just under 300 s ahead is good", 299 - margin, true);
    shifted(lab, "a timestamp over 300 s old is refused", -(301 + margin), false);
    shifted(lab, "a timestamp over 300 s ahead is refused", 301 + margin, false);
    badly_signed(lab, "a signature in upper case is refused", HZI_SIGNED_UPPER);
    badly_signed(lab, "a signature of 63 digits is refused", HZI_SIGNED_SHORT);
    badly_signed(lab, "a signature with one wrong bit is refused", HZI_SIGNED_ONE_BIT);
    badly_signed(lab, "two signatures are refused", HZI_SIGNED_TWICE);
    badly_signed(lab, "two timestamps are refused", HZI_STAMPED_TWICE);
    badly_signed(lab, "no signature is refused", HZI_NOT_SIGNED);
    badly_signed(lab, "no timestamp is refused", HZI_NOT_STAMPED);
    badly_stamped(lab, "a timestamp with a sign is refused", "+", true);
    badly_stamped(lab, "a timestamp with a leading zero is refused", "0", true);
    badly_stamped(lab, "a timestamp of long ago behind blanks is refused", "  ", false);
    if (hzi_lab_begin(lab, 4, "a body that grew by a blank after signing is refused")) {
        hzi_bot_request request = hzi_lab_turn(lab);
        hzi_text signed_body = {0};
        hzi_bot_request_write(&request, &signed_body);
        hzi_sending sending = hzi_lab_write(lab, &request);
        hzi_text_puts(&lab->body, " ");
        sending.body = lab->body.bytes;
        sending.length = lab->body.length;
        sending.signed_body = signed_body.bytes ? signed_body.bytes : "";
        hzi_lab_expect_error(lab, &sending, 401, unauthorized);
        hzi_text_fini(&signed_body);
    }
    if (hzi_lab_begin(lab, 4, "nonsense that is badly signed is refused for its signature")) {
        hzi_sending sending = hzi_lab_body("{\"type\":");
        sending.signing = HZI_SIGNED_ONE_BIT;
        hzi_lab_expect_error(lab, &sending, 401, unauthorized);
    }
    if (hzi_lab_begin(lab, 5, "header names in another case are good")) {
        hzi_bot_request request = hzi_lab_turn(lab);
        hzi_sending sending = hzi_lab_write(lab, &request);
        sending.signing = HZI_SIGNED_OTHER_CASE;
        hzi_lab_expect_turn(lab, &sending, &lab->small);
    }
}

/* ---- 6 ------------------------------------------------------------------------------------------ */

static hzi_sending verification(hzi_lab *lab, const char *version, const char *team,
                                const char *nonce) {
    hzi_text_clear(&lab->body);
    hzi_text_format(&lab->body,
                    "{\"type\":\"verification\",\"version\":%s,\"bot\":{\"team\":\"%s\",\"name\":"
                    "\"castle\"},\"setupId\":\"whs_%" PRIu64
                    "\",\"revision\":\"whrev_7\",\"nonce\":\"%s\"}",
                    version, team, ++lab->games, nonce);
    return (hzi_sending){.body = lab->body.bytes ? lab->body.bytes : "",
                         .length = lab->body.length,
                         .key = lab->options->next_key};
}

static void verify_old_form(hzi_lab *lab, const char *nonce) {
    char echoed[80], why[160];
    hzi_text_clear(&lab->body);
    hzi_text_format(&lab->body, "{\"type\":\"verification\",\"nonce\":\"%s\"}", nonce);
    hzi_sending sending = hzi_lab_body(lab->body.bytes ? lab->body.bytes : "");
    (void)hzi_lab_ask(lab, &sending);
    const hzi_text *body = &lab->exchange.response.body;
    if (!hzi_lab_is_error(&lab->exchange, 200, NULL, why)) {
        hzi_lab_fail(lab, "%s", why);
    } else if (!hzi_bot_reply_text(body->bytes, body->length, "nonce", echoed, sizeof echoed) ||
               strcmp(echoed, nonce) != 0) {
        hzi_lab_fail(lab, "the nonce does not come back");
    } else {
        hzi_lab_pass(lab);
    }
}

static void verify_second_form(hzi_lab *lab, const char *nonce) {
    char echoed[80], proof[80], wanted[HZI_SIGNATURE_HEX + 1], why[160];
    hzi_sending sending = verification(lab, "2", "blue", nonce);
    hzi_proof(lab->options->next_key, sending.body, sending.length, wanted);
    (void)hzi_lab_ask(lab, &sending);
    const hzi_text *body = &lab->exchange.response.body;
    if (!hzi_lab_is_error(&lab->exchange, 200, NULL, why)) {
        hzi_lab_fail(lab, "%s", why);
    } else if (!hzi_bot_reply_text(body->bytes, body->length, "nonce", echoed, sizeof echoed) ||
               strcmp(echoed, nonce) != 0) {
        hzi_lab_fail(lab, "the nonce does not come back");
    } else if (!hzi_bot_reply_text(body->bytes, body->length, "proof", proof, sizeof proof) ||
               strcmp(proof, wanted) != 0) {
        hzi_lab_fail(lab, "the proof is missing or wrong");
    } else {
        hzi_lab_pass(lab);
    }
}

void hzi_conform_verification(hzi_lab *lab) {
    static const struct {
        const char *name, *version, *nonce; /* NULL = a good one */
    } bad[] = {{"a padded nonce is refused", "2", "EBESExQVFhcYGRobHB0eHw=="},
               {"a nonce of 15 bytes is refused", "2", "EBESExQVFhcYGRobHB0e"},
               {"a nonce that is not canonical is refused", "2", "EBESExQVFhcYGRobHB0eHx"},
               {"a nonce outside base64url is refused", "2", "EBESExQVFhcYGRobHB0e+/"},
               {"version 1 is refused", "1", NULL},
               {"version 3 is refused", "3", NULL},
               {"version \"2\" as text is refused", "\"2\"", NULL},
               {"a team without a name is refused", "2", NULL}};
    const size_t nameless = sizeof bad / sizeof *bad - 1;
    char nonce[HZI_NONCE_TEXT + 1];
    if (hzi_nonce(nonce, lab->err) != HZ_OK) {
        lab->status = HZ_IO;
    }
    if (hzi_lab_begin(lab, 6, "a verification of the old form sends the nonce back")) {
        verify_old_form(lab, nonce);
    }
    if (hzi_lab_begin(lab, 6, "one of version 2 sends nonce and proof")) {
        if (lab->options->next_key) {
            verify_second_form(lab, nonce);
        } else {
            hzi_lab_skip(lab, needs_next);
        }
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (hzi_lab_begin(lab, 6, bad[i].name)) {
            hzi_sending sending = verification(lab, bad[i].version, i == nameless ? "" : "blue",
                                               bad[i].nonce ? bad[i].nonce : nonce);
            if (sending.key) {
                hzi_lab_expect_error(lab, &sending, 400, invalid);
            } else {
                hzi_lab_skip(lab, needs_next);
            }
        }
    }
    if (hzi_lab_begin(lab, 6, "version 2 signed with the active key is refused")) {
        hzi_sending sending = verification(lab, "2", "blue", nonce);
        sending.key = NULL;
        hzi_lab_expect_error(lab, &sending, 401, unauthorized);
    }
}

/* ---- 7 to 10, 15, 17, 18 ------------------------------------------------------------------------ */

static void expect_invalid(hzi_lab *lab, const hzi_bot_request *request) {
    hzi_sending sending = hzi_lab_write(lab, request);
    hzi_lab_expect_error(lab, &sending, 400, invalid);
}

static void expect_turn(hzi_lab *lab, const hzi_bot_request *request) {
    hzi_sending sending = hzi_lab_write(lab, request);
    hzi_lab_expect_turn(lab, &sending, &lab->small);
}

/* A bot without rules of its own may say so. */
static void expect_own_turn(hzi_lab *lab, const hzi_bot_request *request) {
    char why[160];
    hzi_sending sending = hzi_lab_write(lab, request);
    (void)hzi_lab_ask(lab, &sending);
    if (hzi_lab_is_turn(&lab->exchange, &lab->small, why)) {
        hzi_lab_pass(lab);
    } else if (hzi_lab_is_error(&lab->exchange, 503, "missing_legal_moves", why)) {
        hzi_lab_skip(lab, "it has no rules of its own and says so");
    } else {
        (void)hzi_lab_is_turn(&lab->exchange, &lab->small, why);
        hzi_lab_fail(lab, "%s", why);
    }
}

static void contradictions(hzi_lab *lab) {
    char dfen[HZ_DFEN_CAPACITY];
    hzi_bot_request request;
    if (hzi_lab_begin(lab, 7, "unknown members are ignored")) {
        request = hzi_lab_turn(lab);
        request.extra = "\"weather\":{\"rain\":[true,null,1.5e3]},\"rated\":false,";
        expect_turn(lab, &request);
    }
    if (hzi_lab_begin(lab, 7, "activeSeat other than seat is refused")) {
        request = hzi_lab_turn(lab);
        request.active_seat = "Black";
        expect_invalid(lab, &request);
    }
    if (hzi_lab_begin(lab, 7, "dicePending false in yourTurn is refused")) {
        request = hzi_lab_turn(lab);
        request.dice_pending = "false";
        expect_invalid(lab, &request);
    }
    if (hzi_lab_begin(lab, 7, "a position with the other side to move is refused")) {
        hz_position other = lab->small;
        hz_position_set_side(&other, HZ_BLACK);
        (void)hz_position_to_dfen(&other, dfen, sizeof dfen);
        request = hzi_lab_turn(lab);
        request.dfen = dfen;
        expect_invalid(lab, &request);
    }
    if (hzi_lab_begin(lab, 7, "a negative clock is refused")) {
        request = hzi_lab_turn(lab);
        request.clocks = "{\"white\":-1,\"black\":5000}";
        expect_invalid(lab, &request);
    }
}

/* A good question in which one piece of its text is another one. */
static hzi_sending altered(hzi_lab *lab, const char *piece, const char *other) {
    hzi_bot_request request = hzi_lab_turn(lab);
    hzi_text whole = {0};
    hzi_bot_request_write(&request, &whole);
    const char *at = whole.bytes ? strstr(whole.bytes, piece) : NULL;
    hzi_text_clear(&lab->body);
    if (at) {
        hzi_text_add(&lab->body, whole.bytes, (size_t)(at - whole.bytes));
        hzi_text_puts(&lab->body, other);
        hzi_text_puts(&lab->body, at + strlen(piece));
    }
    hzi_text_fini(&whole);
    return hzi_lab_body(lab->body.bytes ? lab->body.bytes : "");
}

static void broken_members(hzi_lab *lab) {
    static const struct {
        const char *name, *piece, *other;
    } cases[] = {
        {"a blank gameId is refused", "\"gameId\":\"conform", "\"gameId\":\" \",\"x\":\"conform"},
        {"a gameId of two points is refused", "\"gameId\":\"conform",
         "\"gameId\":\"..\",\"x\":\"conform"},
        {"a seat of no colour is refused", "\"seat\":\"White\"", "\"seat\":\"Green\""},
        {"a missing version is refused", "\"version\":41", "\"revision\":41"},
        {"a version that is no whole number is refused", "\"version\":41", "\"version\":41.5"},
        {"a version beyond 2^53 is refused", "\"version\":41", "\"version\":9007199254740992"},
        {"dicePending as text is refused", "\"dicePending\":true", "\"dicePending\":\"true\""},
        {"a position that cannot be read is refused", "\"dfen\":\"6k1/", "\"dfen\":\"6k1x/"},
        {"clocks that are a number are refused", "\"clocks\":", "\"clocks\":5000,\"x\":"},
        {"a state that is a list is refused", "\"state\":", "\"state\":[],\"x\":"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (hzi_lab_begin(lab, 7, cases[i].name)) {
            hzi_sending sending = altered(lab, cases[i].piece, cases[i].other);
            hzi_lab_expect_error(lab, &sending, 400, invalid);
        }
    }
    if (hzi_lab_begin(lab, 7, "type may stand at the end")) {
        hzi_sending sending = altered(lab, "\"type\":\"yourTurn\",", "");
        if (lab->body.length > 0) {
            lab->body.length--; /* the brace at the end */
            hzi_text_puts(&lab->body, ",\"type\":\"yourTurn\"}");
            sending = hzi_lab_body(lab->body.bytes);
        }
        hzi_lab_expect_turn(lab, &sending, &lab->small);
    }
}

static void trees(hzi_lab *lab) {
    static const struct {
        const char *name, *tree;
    } bad[] = {
        {"a tree of four levels is refused", "{\"e2e3\":{\"g1e2\":{\"e2c3\":{\"c3b5\":{}}}}}"},
        {"a tree with a key that is no micro-move is refused",
         "{\"e2e3\":{\"g1e2\":{}},\"e2e9\":{}}"},
        {"a tree with a double key is refused", "{\"e2e3\":{\"g1e2\":{}},\"e2e3\":{\"g1f3\":{}}}"}};
    hzi_bot_request request;
    if (hzi_lab_begin(lab, 8, "without a tree (null) it finds a legal turn itself")) {
        request = hzi_lab_turn(lab);
        request.tree = "null";
        expect_own_turn(lab, &request);
    }
    if (hzi_lab_begin(lab, 8, "without a tree (missing) it finds a legal turn itself")) {
        request = hzi_lab_turn(lab);
        request.tree = NULL;
        expect_own_turn(lab, &request);
    }
    if (hzi_lab_begin(lab, 8, "an empty tree is answered by no moves")) {
        char note[120], why[160];
        hz_turn turn;
        request = hzi_lab_turn(lab);
        request.dfen = lab->stuck_dfen;
        request.tree = "{}";
        hzi_sending sending = hzi_lab_write(lab, &request);
        (void)hzi_lab_ask(lab, &sending);
        const hzi_text *body = &lab->exchange.response.body;
        if (!hzi_lab_is_error(&lab->exchange, 200, NULL, why)) {
            hzi_lab_fail(lab, "%s", why);
        } else if (hzi_bot_reply_turn(body->bytes, body->length, &lab->stuck, &turn, note) !=
                   HZ_FAULT_DECLINED) {
            hzi_lab_fail(lab, "the answer has moves, or no list of moves");
        } else {
            hzi_lab_pass(lab);
        }
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (hzi_lab_begin(lab, 15, bad[i].name)) {
            request = hzi_lab_turn(lab);
            request.tree = bad[i].tree;
            expect_invalid(lab, &request);
        }
    }
}

static void clocks(hzi_lab *lab) {
    static const struct {
        const char *name, *control;
    } controls[] = {
        {"timeControl Unlimited is understood", "{\"Unlimited\":{}}"},
        {"timeControl SuddenDeath is understood", "{\"SuddenDeath\":{\"initialSeconds\":300}}"},
        {"timeControl Fischer is understood",
         "{\"Fischer\":{\"initialSeconds\":180,\"incrementSeconds\":2}}"},
        {"timeControl PerMove is understood", "{\"PerMove\":{\"secondsPerMove\":5}}"},
        {"an increment that cannot be read counts as unknown",
         "{\"Fischer\":{\"initialSeconds\":180,\"incrementSeconds\":\"2\"}}"}};
    if (hzi_lab_begin(lab, 9, "without clocks (null) it answers")) {
        hzi_bot_request request = hzi_lab_turn(lab);
        request.clocks = "null";
        expect_turn(lab, &request);
    }
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
        if (hzi_lab_begin(lab, 9, controls[i].name)) {
            hzi_bot_request request = hzi_lab_turn(lab);
            request.time_control = controls[i].control;
            expect_turn(lab, &request);
        }
    }
}

/* Reserved kinds: a bot says that it does not know them, or names the decision it decides. */
static void doubling(hzi_lab *lab) {
    static const struct {
        const char *name, *type, *decision, *answer;
    } kinds[] = {{"doubleOpportunity is answered by a truth value for its decision",
                  "doubleOpportunity", "\"kind\":\"offer\",\"seat\":\"White\"", "offerDouble"},
                 {"doubleDecision is answered by a truth value for its decision", "doubleDecision",
                  "\"kind\":\"response\",\"seat\":\"White\",\"offeredBy\":\"Black\"",
                  "acceptDouble"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!hzi_lab_begin(lab, 22, kinds[i].name)) {
            continue;
        }
        char dfen[HZ_DFEN_CAPACITY], extra[600], id[40], why[160];
        bool truth;
        hz_position before = lab->small;
        hz_position_set_pool(&before, 0);
        (void)hz_position_to_dfen(&before, dfen, sizeof dfen);
        hzi_bot_request request = hzi_lab_turn(lab);
        (void)snprintf(
            extra, sizeof extra,
            "\"doubling\":{\"currency\":\"points\",\"initialStake\":1,\"currentStake\":1,"
            "\"cubeValue\":1,\"cubeOwner\":null,\"maximumMultiplier\":64,"
            "\"mayOfferDouble\":true,\"turnSeat\":\"White\",\"decision\":{\"id\":"
            "\"decision-%zu\",%s,\"proposedStake\":2}},",
            i + 1, kinds[i].decision);
        request.type = kinds[i].type;
        request.dfen = dfen;
        request.dice_pending = "false";
        request.tree = NULL;
        request.extra = extra;
        hzi_sending sending = hzi_lab_write(lab, &request);
        (void)hzi_lab_ask(lab, &sending);
        const hzi_text *body = &lab->exchange.response.body;
        if (hzi_lab_is_error(&lab->exchange, 400, "unsupported_delivery", why)) {
            hzi_lab_skip(lab, "it does not understand doubling and says so");
        } else if (!hzi_lab_is_error(&lab->exchange, 200, NULL, why)) {
            hzi_lab_fail(lab, "%s", why);
        } else if (!hzi_bot_reply_text(body->bytes, body->length, "decisionId", id, sizeof id) ||
                   strncmp(id, "decision-", 9) != 0 || id[9] != (char)('1' + i) || id[10]) {
            hzi_lab_fail(lab, "decisionId is not the one of the question");
        } else if (!hzi_bot_reply_bool(body->bytes, body->length, kinds[i].answer, &truth)) {
            hzi_lab_fail(lab, "%s is missing or no truth value", kinds[i].answer);
        } else {
            hzi_lab_pass(lab);
        }
    }
}

void hzi_conform_questions(hzi_lab *lab) {
    char why[160];
    contradictions(lab);
    broken_members(lab);
    trees(lab);
    clocks(lab);
    if (hzi_lab_begin(lab, 10, "mayOfferDraw as text allows no draw offer")) {
        bool offers = false;
        hzi_bot_request request = hzi_lab_turn(lab);
        request.may_offer_draw = "\"true\"";
        hzi_sending sending = hzi_lab_write(lab, &request);
        (void)hzi_lab_ask(lab, &sending);
        const hzi_text *body = &lab->exchange.response.body;
        if (!hzi_lab_is_turn(&lab->exchange, &lab->small, why)) {
            hzi_lab_fail(lab, "%s", why);
        } else if (hzi_bot_reply_bool(body->bytes, body->length, "offerDraw", &offers) && offers) {
            hzi_lab_fail(lab, "the answer offers a draw");
        } else {
            hzi_lab_pass(lab);
        }
    }
    if (hzi_lab_begin(lab, 17, "drawDecision is answered by a truth value")) {
        char dfen[HZ_DFEN_CAPACITY];
        bool accepts;
        hz_position before = lab->small;
        hz_position_set_pool(&before, 0);
        (void)hz_position_to_dfen(&before, dfen, sizeof dfen);
        hzi_bot_request request = hzi_lab_turn(lab);
        request.type = "drawDecision";
        request.dfen = dfen;
        request.dice_pending = "false";
        request.tree = NULL;
        request.extra = "\"drawOffer\":{\"pending\":true},";
        hzi_sending sending = hzi_lab_write(lab, &request);
        (void)hzi_lab_ask(lab, &sending);
        const hzi_text *body = &lab->exchange.response.body;
        if (hzi_lab_is_error(&lab->exchange, 400, "unsupported_delivery", why)) {
            hzi_lab_skip(lab, "it does not understand draw offers and says so");
        } else if (!hzi_lab_is_error(&lab->exchange, 200, NULL, why)) {
            hzi_lab_fail(lab, "%s", why);
        } else if (!hzi_bot_reply_bool(body->bytes, body->length, "acceptDraw", &accepts)) {
            hzi_lab_fail(lab, "acceptDraw is missing or no truth value");
        } else {
            hzi_lab_pass(lab);
        }
    }
    doubling(lab);
    if (hzi_lab_begin(lab, 18, "an unknown type is refused")) {
        hzi_sending sending = hzi_lab_body("{\"type\":\"party\"}");
        hzi_lab_expect_error(lab, &sending, 400, "unsupported_delivery");
    }
}

/* ---- 11, 12 ------------------------------------------------------------------------------------- */

static bool same_bodies(const hzi_text *a, const hzi_text *b) {
    return a->length == b->length && (a->length == 0 || memcmp(a->bytes, b->bytes, a->length) == 0);
}

/* The same question over two connections at once, then a third time. False after a verdict. */
static bool ask_thrice(hzi_lab *lab) {
    hzi_exchange pair[2] = {{0}, {0}};
    char why[160] = "";
    bool good = true;
    hzi_bot_request request = hzi_lab_wide_turn(lab);
    hzi_sending sending = hzi_lab_write(lab, &request);
    for (int i = 0; i < 2; i++) {
        (void)hzi_exchange_open(lab, &sending, &pair[i]);
    }
    for (int i = 0; i < 2; i++) {
        if (pair[i].wire) {
            (void)hzi_exchange_read(lab, &pair[i]);
        }
    }
    for (int i = 0; i < 2 && good; i++) {
        good = hzi_lab_is_turn(&pair[i], &lab->wide, why);
        if (!good) {
            hzi_lab_fail(lab, "asked twice at once: %s", why);
        }
    }
    if (good && !same_bodies(&pair[0].response.body, &pair[1].response.body)) {
        hzi_lab_fail(lab, "asked twice at once, it gives two different answers");
        good = false;
    }
    /* Clocks tick and belong to no key. */
    request.clocks = "{\"white\":4000,\"black\":4900}";
    sending = hzi_lab_write(lab, &request);
    if (good) {
        (void)hzi_lab_ask(lab, &sending);
        good = hzi_lab_is_turn(&lab->exchange, &lab->wide, why);
        if (!good) {
            hzi_lab_fail(lab, "asked once more: %s", why);
        } else if (!same_bodies(&pair[0].response.body, &lab->exchange.response.body)) {
            hzi_lab_fail(lab, "asked once more, it gives another answer");
            good = false;
        }
    }
    hzi_exchange_fini(&pair[0]);
    hzi_exchange_fini(&pair[1]);
    return good;
}

/* The small question, then the same version with something else, then the first one again. `stale` says
 * whether the second one is another question. */
static void ask_and_change(hzi_lab *lab, const hzi_bot_request *first,
                           const hzi_bot_request *second, bool stale) {
    char why[160];
    hzi_text kept = {0};
    const hzi_text *body = &lab->exchange.response.body;
    hzi_sending sending = hzi_lab_write(lab, first);
    (void)hzi_lab_ask(lab, &sending);
    bool good = hzi_lab_is_turn(&lab->exchange, &lab->small, why), same = true;
    hzi_text_add(&kept, body->bytes, body->length);
    if (good) {
        sending = hzi_lab_write(lab, second);
        (void)hzi_lab_ask(lab, &sending);
        good = stale ? hzi_lab_is_error(&lab->exchange, 409, "stale_context", why)
                     : hzi_lab_is_turn(&lab->exchange, &lab->small, why);
        same = stale || same_bodies(&kept, body);
    }
    if (good && same) {
        sending = hzi_lab_write(lab, first);
        (void)hzi_lab_ask(lab, &sending);
        good = hzi_lab_is_turn(&lab->exchange, &lab->small, why);
        same = same_bodies(&kept, body);
    }
    if (!good) {
        hzi_lab_fail(lab, "%s", why);
    } else if (!same) {
        hzi_lab_fail(lab, "the first answer does not stay");
    } else {
        hzi_lab_pass(lab);
    }
    hzi_text_fini(&kept);
}

static void changed_questions(hzi_lab *lab) {
    if (hzi_lab_begin(lab, 12, "the same version with other dice is stale")) {
        char dfen[HZ_DFEN_CAPACITY];
        hz_position other = lab->small;
        hz_pool pool = 0;
        (void)hz_pool_from_text("PNN", 3, &pool, NULL);
        hz_position_set_pool(&other, pool);
        (void)hz_position_to_dfen(&other, dfen, sizeof dfen);
        hzi_bot_request request = hzi_lab_turn(lab), changed = request;
        changed.dfen = dfen;
        changed.tree = "{\"e2e3\":{\"g1e2\":{\"e2c3\":{}}}}";
        ask_and_change(lab, &request, &changed, true);
    }
    if (hzi_lab_begin(lab, 12, "the same version with another increment is stale")) {
        hzi_bot_request request = hzi_lab_turn(lab), changed = request;
        changed.time_control = "{\"Fischer\":{\"initialSeconds\":180,\"incrementSeconds\":3}}";
        ask_and_change(lab, &request, &changed, true);
    }
    if (hzi_lab_begin(lab, 12, "the same version with another mayOfferDraw is stale")) {
        hzi_bot_request request = hzi_lab_turn(lab), changed = request;
        changed.may_offer_draw = "false";
        ask_and_change(lab, &request, &changed, true);
    }
    if (hzi_lab_begin(lab, 12, "a tree in another order is the same one")) {
        hzi_bot_request request = hzi_lab_turn(lab), changed = request;
        changed.tree = "{\"g1h3\":{\"e2e4\":{},\"e2e3\":{}},\"g1f3\":{\"e2e4\":{},\"e2e3\":{}},"
                       "\"e2e4\":{\"g1h3\":{},\"g1f3\":{},\"g1e2\":{}},"
                       "\"e2e3\":{\"g1h3\":{},\"g1f3\":{},\"g1e2\":{}}}";
        ask_and_change(lab, &request, &changed, false);
    }
}

void hzi_conform_repeats(hzi_lab *lab) {
    if (hzi_lab_begin(lab, 11, "a repeated question gets the same answer, at once and later")) {
        bool good = true;
        for (int i = 0; i < 3 && good; i++) {
            good = ask_thrice(lab);
        }
        if (good) {
            hzi_lab_pass(lab);
        }
    }
    changed_questions(lab);
}
