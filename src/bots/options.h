/* SPDX-License-Identifier: MIT */
/*
 * Bots as text: an id, or an id with options, "monte-carlo:rollouts=200,plies=40". Ids are read
 * without regard to case, option names with; what a value may be stands in the bot's table of
 * hz_bot_option, which lists of bots show as well.
 */
#ifndef HAZARD_BOTS_OPTIONS_H
#define HAZARD_BOTS_OPTIONS_H

#include <hazard/bots.h>

/* A bot text taken apart; points into the text. */
typedef struct hzi_bot_text {
    const char *text;    /* whole, NUL-terminated */
    size_t id_length;    /* bytes before the colon or the end */
    const char *options; /* after the colon, NULL without one */
} hzi_bot_text;

/* Takes a text apart at its first colon; text may be empty. */
hzi_bot_text hzi_bot_text_split(const char *text);
/*
 * Reads the options into values[0..count-1], defaults for what is not given. HZ_BAD_OPTION with the
 * place in the text: an unknown name (the message lists the known ones), a name given twice, a value
 * of the wrong type or out of range, an empty option; guarded: a file or a number beyond its guarded most. *memory is what
 * the texts of values lie in: the caller frees it, also after a failure. HZ_NO_MEMORY.
 */
hz_status hzi_options_read(const hzi_bot_text *text, const hz_bot_option *options, size_t count,
                           bool guarded, hz_option_value *values, char **memory, hz_error *err);

/* Whether a text is a bot id: one or more of a-z 0-9 - _ . */
bool hzi_bot_id_valid(const char *id);
/* Copies at most capacity - 1 bytes of foreign text for a message: bytes that do not print become
 * '?', a cut is shown by "...". Returns buffer. */
const char *hzi_printable(const char *text, size_t length, char *buffer, size_t capacity);

#endif
