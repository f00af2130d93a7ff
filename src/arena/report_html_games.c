/* SPDX-License-Identifier: MIT */
/*
 * The part of a page that shows games: a card for each with its final position, and behind it the whole
 * game, a board for every turn side by side. Which game is open follows from the page's address, so no
 * script is needed and every game can be linked to. The games come as lines of a log (gallery.h).
 */
#include "arena/html.h"
#include "arena/html_board.h"
#include "arena/report_html.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum {
    TURNS_SHOWN = 200,    /* of a game, the last ones */
    BYTES_SHOWN = 4 << 20 /* of all games; what is beyond is left out and counted */
};

const char hzi_page_games_style[] =
    ".cards-of-games{display:grid;grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr));"
    "gap:.9rem;margin:.8rem 0}"
    ".cards-of-games a{display:block;color:inherit;text-decoration:none;border:1px solid "
    "var(--line);border-radius:.5rem;padding:.5rem;font-size:.86rem;line-height:1.35}"
    ".cards-of-games a:hover,.cards-of-games a:focus-visible{border-color:var(--a)}"
    ".cards-of-games b,.cards-of-games span{display:block;overflow:hidden;overflow-wrap:anywhere}"
    ".cards-of-games b{margin-top:.4rem;max-height:2.7em}.cards-of-games span{color:var(--soft)}"
    ".cards-of-games .bad{color:var(--bad)}"
    ".game{display:none;scroll-margin-top:1rem;border-top:1px solid var(--line);margin-top:1rem;"
    "padding-top:1rem}.game:target{display:block}"
    ".game h3{margin:0;font-size:1.05rem;overflow-wrap:anywhere}"
    ".strip{display:flex;gap:1rem;overflow-x:auto;scroll-snap-type:x proximity;list-style:none;"
    "margin:.8rem 0;padding:0 0 .8rem}"
    ".strip li{flex:0 0 min(17rem,80vw);scroll-snap-align:start;font-size:.9rem}"
    ".strip p{margin:0 0 .35rem;display:flex;gap:.5rem;align-items:center;height:1.6em;"
    "white-space:nowrap}.strip .say{color:var(--soft);margin-left:auto}"
    ".game nav{display:flex;gap:1.2rem;font-size:.92rem}"
    "@media print{.strip{flex-wrap:wrap}.game nav{display:none}}";

typedef struct shown {
    json_t *game; /* owned */
    size_t pairing, turn_count;
    uint64_t pair;
    int number;
    const char *names[2], *result, *end, *note;
    const json_t *turns;
    bool chess;
    hz_position start;
    bool good;
} shown;

/* ---- reading a line ---- */

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool read_start(shown *s) {
    const char *text = text_of(s->game, "start");
    return s->chess ? hz_chess_from_fen(&s->start, text, strlen(text), NULL) == HZ_OK
                    : hz_position_from_dfen(&s->start, text, strlen(text), NULL) == HZ_OK;
}

static shown read_shown(const char *line, bool chess) {
    json_error_t why;
    shown s = {.game = json_loads(line, JSON_REJECT_DUPLICATES, &why), .chess = chess};
    s.pairing = (size_t)json_integer_value(json_object_get(s.game, "pairing"));
    s.pair = (uint64_t)json_integer_value(json_object_get(s.game, "pair"));
    s.number = (int)json_integer_value(json_object_get(s.game, "game"));
    s.names[HZ_WHITE] = text_of(s.game, "white");
    s.names[HZ_BLACK] = text_of(s.game, "black");
    s.result = text_of(s.game, "result");
    s.end = text_of(s.game, "end");
    s.note = text_of(s.game, "note");
    s.turns = json_object_get(s.game, "turns");
    s.turn_count = json_array_size(s.turns);
    s.good = s.game && read_start(&s);
    return s;
}

static bool has_king(const hz_position *position, hz_color color, int *square) {
    uint64_t king = position->pieces[HZ_KING] & position->colors[color];
    if (king) {
        *square = __builtin_ctzll(king);
    }
    return king != 0;
}

/* ---- playing it again ---- */

typedef struct step {
    hz_position position; /* behind the turn, before the other side is to move */
    hzi_html_marks marks;
    hz_pool roll;
    hz_color mover;
    char words[64]; /* the turn as a reader sees it */
    bool has_score;
    int64_t score;
} step;

static bool play_chess(hz_position *position, const char *moves, step *now) {
    hz_move move;
    if (hz_chess_move_from_text(position, moves, strlen(moves), &move, NULL) != HZ_OK) {
        return false;
    }
    (void)hz_san_from_move(position, move, now->words);
    now->marks.moves[now->marks.move_count++] = move;
    hz_chess_play(position, move, position);
    now->position = *position;
    return true;
}

static bool play_dice(hz_position *position, const char *roll, const char *moves, step *now) {
    hz_turn turn = {0};
    int king = -1;
    hz_color mover = (hz_color)position->side, other = (hz_color)(1 - mover);
    if (hz_pool_from_text(roll, strlen(roll), &now->roll, NULL) != HZ_OK) {
        return false;
    }
    hz_position_set_pool(position, now->roll);
    bool had = has_king(position, other, &king);
    if (strcmp(moves, "-") != 0) {
        if (hz_turn_parse(position, moves, strlen(moves), &turn, &now->position, NULL) != HZ_OK) {
            return false;
        }
        *position = now->position;
    }
    now->position = *position;
    for (int i = 0; i < turn.count; i++) {
        now->marks.moves[now->marks.move_count++] = turn.moves[i];
    }
    size_t used = 0;
    for (const char *c = turn.count ? moves : "no turn"; *c && used + 2 < sizeof now->words; c++) {
        now->words[used++] = *c;
        if (*c == ',') {
            now->words[used++] = ' ';
        }
    }
    now->words[used] = '\0';
    int still;
    now->marks.taken = had && !has_king(position, other, &still) ? king : -1;
    hz_hand_over(position);
    return true;
}

/* Plays a turn of the log on; false when it does not fit. */
static bool play_on(const shown *s, size_t index, hz_position *position, step *now) {
    const json_t *turn = json_array_get(s->turns, index);
    const char *roll = json_string_value(json_array_get(turn, 0));
    const char *moves = json_string_value(json_array_get(turn, 1));
    const json_t *score = json_array_get(turn, 2);
    *now = (step){.mover = (hz_color)position->side,
                  .marks.taken = -1,
                  .has_score = json_is_integer(score),
                  .score = json_integer_value(score)};
    return moves && (s->chess ? play_chess(position, moves, now)
                              : roll && play_dice(position, roll, moves, now));
}

/* ---- words ---- */

static const char *reason(const shown *s) {
    static const struct {
        const char *end, *words;
    } known[] = {{"king", "king taken"},
                 {"time", "out of time"},
                 {"fifty", "a hundred quiet moves"},
                 {"length", "cut at its greatest length"},
                 {"dead_material", "dead material"},
                 {"threefold", "threefold repetition"},
                 {"illegal", "illegal answer"},
                 {"lost", "player lost"},
                 {"timed_out", "no answer in time"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(s->end, known[i].end) == 0) {
            return known[i].words;
        }
    }
    return s->end;
}

static bool is_usual(const shown *s) {
    static const char *const ends[] = {"king",          "checkmate", "stalemate",  "fifty",
                                       "dead_material", "threefold", "resignation"};
    bool usual = false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        usual |= strcmp(s->end, ends[i]) == 0;
    }
    return usual;
}

static void put_id(hzi_text *out, const shown *s) {
    hzi_text_format(out, "game-%zu-%" PRIu64 "-%d", s->pairing + 1, s->pair + 1, s->number + 1);
}

bool hzi_page_open_link(hzi_text *out, const hz_match_view *view, size_t pairing) {
    for (size_t i = 0; i < view->game_count; i++) {
        shown s = read_shown(view->games[i], view->config->rules.game == HZ_MATCH_CHESS);
        bool found = s.good && s.pairing == pairing;
        if (found) {
            hzi_text_puts(out, "<a href=\"#");
            put_id(out, &s);
            hzi_text_puts(out, "\">");
        }
        json_decref(s.game);
        if (found) {
            return true;
        }
    }
    return false;
}

/* Who won, in the player's name. */
static void put_outcome(hzi_text *out, const shown *s) {
    if (strcmp(s->result, "1-0") == 0 || strcmp(s->result, "0-1") == 0) {
        hzi_html_text(out, s->names[s->result[0] == '1' ? HZ_WHITE : HZ_BLACK]);
        hzi_text_puts(out, s->result[0] == '1' ? " won as White" : " won as Black");
    } else {
        hzi_text_puts(out, "drawn");
    }
}

/* ---- a game ---- */

static void put_step(hzi_text *out, const step *now, size_t index, bool chess) {
    char title[120];
    (void)snprintf(title, sizeof title, "after turn %zu, %s: %s", index + 1,
                   now->mover == HZ_WHITE ? "White" : "Black", now->words);
    hzi_text_format(out, "<li><p><b>%zu</b>", index + 1);
    if (!chess) {
        hzi_html_dice(out, now->roll, now->mover);
    }
    hzi_text_puts(out, "<span>");
    hzi_html_text(out, now->words);
    hzi_text_puts(out, "</span>");
    if (now->has_score) {
        hzi_text_format(
            out, "<span class=\"say\" title=\"the player&#39;s own value\">%+" PRId64 "</span>",
            now->score);
    }
    hzi_text_puts(out, "</p>");
    hzi_html_board(out, &now->position, &now->marks, title);
    hzi_text_puts(out, "</li>");
}

static void put_heading(hzi_text *out, const shown *s) {
    hzi_text_puts(out, "<h3>");
    hzi_html_text(out, s->names[HZ_WHITE]);
    hzi_text_puts(out, " (White) against ");
    hzi_html_text(out, s->names[HZ_BLACK]);
    hzi_text_puts(out, "</h3><p class=\"soft\">");
    put_outcome(out, s);
    hzi_text_puts(out, ", ");
    hzi_html_text(out, reason(s));
    if (s->note[0]) {
        hzi_text_puts(out, " (");
        hzi_html_text(out, s->note);
        hzi_text_puts(out, ")");
    }
    hzi_text_format(out, "; pair %" PRIu64 ", game %d, %zu turns", s->pair + 1, s->number + 1,
                    s->turn_count);
    if (s->turn_count > TURNS_SHOWN) {
        hzi_text_format(out, ", the last %d of which are shown", (int)TURNS_SHOWN);
    }
    hzi_text_puts(out, ".</p>");
}

static void put_neighbour(hzi_text *out, const char *line, bool chess, const char *words) {
    if (line) {
        shown other = read_shown(line, chess);
        hzi_text_puts(out, "<a href=\"#");
        put_id(out, &other);
        hzi_text_format(out, "\">%s</a>", words);
        json_decref(other.game);
    }
}

/* The card goes to one text and the game behind it to another. False: the line is no game. */
static bool put_game(hzi_text *cards, hzi_text *games, const hz_match_view *view, size_t index) {
    bool chess = view->config->rules.game == HZ_MATCH_CHESS;
    shown s = read_shown(view->games[index], chess);
    hz_position position = s.start;
    step now = {.position = s.start, .marks.taken = -1};
    bool good = s.good;
    hzi_text_puts(games, "<article class=\"game\" id=\"");
    put_id(games, &s);
    hzi_text_puts(games, "\">");
    put_heading(games, &s);
    hzi_text_puts(games,
                  "<ol class=\"strip\" tabindex=\"0\" aria-label=\"the turns of the game\">");
    if (s.turn_count < TURNS_SHOWN && good) {
        hzi_text_puts(games, "<li><p><b>start</b></p>");
        hzi_html_board(games, &s.start, &now.marks, "start");
        hzi_text_puts(games, "</li>");
    }
    for (size_t i = 0; i < s.turn_count && good; i++) {
        good = play_on(&s, i, &position, &now);
        if (good && i + TURNS_SHOWN >= s.turn_count) {
            put_step(games, &now, i, chess);
        }
    }
    hzi_text_puts(games, "</ol><nav>");
    put_neighbour(games, index > 0 ? view->games[index - 1] : NULL, chess, "previous game");
    put_neighbour(games, index + 1 < view->game_count ? view->games[index + 1] : NULL, chess,
                  "next game");
    hzi_text_puts(games, "<a href=\"#games\">all games</a></nav></article>\n");
    hzi_text_puts(cards, "<a href=\"#");
    put_id(cards, &s);
    hzi_text_puts(cards, "\">");
    hzi_html_board(cards, &now.position, &now.marks, "final position");
    hzi_text_puts(cards, "<b>");
    put_outcome(cards, &s);
    if (view->config->scheme != HZ_SCHEME_MATCH) {
        hzi_text_puts(cards, "</b><span>");
        hzi_html_text(cards, s.names[HZ_WHITE]);
        hzi_text_puts(cards, " \xE2\x80\x93 ");
        hzi_html_text(cards, s.names[HZ_BLACK]);
        hzi_text_puts(cards, is_usual(&s) ? "</span><span>" : "</span><span class=\"bad\">");
    } else {
        hzi_text_puts(cards, is_usual(&s) ? "</b><span>" : "</b><span class=\"bad\">");
    }
    hzi_html_text(cards, reason(&s));
    hzi_text_format(cards, "</span><span>%zu turns, pair %" PRIu64 "</span></a>", s.turn_count,
                    s.pair + 1);
    json_decref(s.game);
    return good;
}

void hzi_page_games(hzi_text *out, const hz_match_view *view) {
    hzi_text cards = {0}, games = {0};
    size_t left_out = 0;
    if (view->game_count == 0) {
        return;
    }
    hzi_html_board_shapes(out);
    for (size_t i = 0; i < view->game_count; i++) {
        size_t card = cards.length, game = games.length;
        if (!put_game(&cards, &games, view, i) || games.length > BYTES_SHOWN) {
            cards.length = card; /* as if it had not been tried */
            games.length = game;
            left_out++;
        }
    }
    hzi_text_puts(out, "<p>The first games of the run, and the first one of each other way to end. "
                       "Choose one to see all of its turns.</p><div class=\"cards-of-games\">");
    hzi_text_add(out, cards.bytes ? cards.bytes : "", cards.length);
    hzi_text_puts(out, "</div>\n");
    if (left_out) {
        hzi_text_format(out, "<p>%zu more did not find room.</p>", left_out);
    }
    hzi_text_add(out, games.bytes ? games.bytes : "", games.length);
    out->failed |= cards.failed || games.failed;
    hzi_text_fini(&cards);
    hzi_text_fini(&games);
}
