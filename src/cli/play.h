/* SPDX-License-Identifier: MIT */
/*
 * A game at the table of `hazard play`. play.c holds the dialogue: it reads lines, asks bots and
 * moves the game (game.h) on. What the outside sees of it goes through a view: text for people
 * (play_text.c) or a line of JSON per event for programs (play_json.c). A view only prints.
 */
#ifndef HAZARD_CLI_PLAY_H
#define HAZARD_CLI_PLAY_H

#include "cli/draw.h"
#include "cli/game.h"
#include "cli/lines.h"
#include "cli/player.h"

/* Why the table was left before the game ended. */
typedef enum hzc_leaving { HZC_STAYS, HZC_QUIT, HZC_INPUT_ENDED, HZC_FAILED } hzc_leaving;

typedef struct hzc_view hzc_view;

typedef struct hzc_table {
    const hzc_args *args;
    hzc_out *out;
    const hzc_view *view;
    hzc_style style;
    bool prompt; /* both ends are a terminal */
    hzc_game game;
    hzc_player player;
    bool human[2];
    hz_random streams[2]; /* of the bots, by colour */
    hz_random hints;
    hzc_lines lines;
    hzc_leaving left;
    hz_error failure; /* with HZC_FAILED */
    int code;         /* exit code of the failure */
} hzc_table;

/* Events of the game, and answers to words of the dialogue that only show something. */
struct hzc_view {
    void (*start)(hzc_table *t);
    void (*roll)(hzc_table *t);                /* the dice of a turn fell */
    void (*prompt)(hzc_table *t);              /* a line is about to be read */
    void (*move)(hzc_table *t);                /* the human played one more micro-move */
    void (*undo)(hzc_table *t, hz_move taken); /* and took that one back */
    void (*progress)(hzc_table *t);            /* a line ended within a changed turn */
    /* A turn is complete, or must be passed; not handed over yet. answer: NULL without a bot. */
    void (*turn)(hzc_table *t, const hz_bot_answer *answer);
    void (*draw)(hzc_table *t, bool accepted); /* the other side's answer to the offer */
    /* What the human asked for is refused; word: what was written, or NULL. Nothing changed. */
    void (*refusal)(hzc_table *t, const hz_error *err, const char *word, size_t length);
    void (*finish)(hzc_table *t); /* the game is over, or the table was left */
    void (*record)(hzc_table *t, const char *path);

    void (*moves)(hzc_table *t);
    void (*odds)(hzc_table *t);
    void (*danger)(hzc_table *t);
    void (*hint)(hzc_table *t, const hz_bot_answer *answer);
    void (*board)(hzc_table *t);
    void (*dfen)(hzc_table *t);
    void (*help)(hzc_table *t);
};

extern const hzc_view hzc_play_text;
extern const hzc_view hzc_play_json;

/* The words of the dialogue; an entry without name ends the table. */
typedef enum hzc_outcome { HZC_SHOWN, HZC_REFUSED, HZC_TURN_CHANGED, HZC_GAME_ENDED } hzc_outcome;

typedef struct hzc_word {
    const char *name;
    const char *help;
    hzc_outcome (*run)(hzc_table *t);
} hzc_word;

extern const hzc_word hzc_words[];

/* Whose turn it is, and who plays a colour: "human" or the id of the bot. */
hz_color hzc_mover(const hzc_table *t);
const char *hzc_player_name(const hzc_table *t, hz_color color);

#endif
