/* SPDX-License-Identifier: MIT */
/*
 * ref/ref_dfen.h - what a DFEN reader must say about a text, good or bad: the name of the first
 * failing check in the order of the rules and the byte it points at. Cuts the text into fields
 * first and then looks at one field after the other, without building a position.
 */
#ifndef HAZARD_REF_DFEN_H
#define HAZARD_REF_DFEN_H

#include <stddef.h>

/* "OK", or the status name ("FIELD_COUNT" ...) with *offset set. The bytes may be anything. */
const char *ref_dfen_check(const char *text, size_t length, size_t *offset);

#endif
