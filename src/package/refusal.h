/* SPDX-License-Identifier: MIT */
/*
 * Refusals as sentences: the path of the file they are about in front, actual values shortened so
 * that the words that must be there survive in a message of bounded length.
 */
#ifndef HAZARD_PACKAGE_REFUSAL_H
#define HAZARD_PACKAGE_REFUSAL_H

#include <hazard/base.h>

/* A value as it stands in a message: at most HZI_SHOWN - 1 bytes, cut between characters with "..."
 * at the end, control characters as '?'. */
enum { HZI_SHOWN = 121 };
typedef struct hzi_shown {
    char text[HZI_SHOWN];
} hzi_shown;
/* NULL shows as "". */
hzi_shown hzi_show(const char *value);
/* The same into a buffer of any size >= 4; returns the length. */
size_t hzi_show_into(const char *value, char *buffer, size_t capacity);

/* hz_fail without a place, with "PATH: " in front; of a path longer than 360 bytes "..." and its
 * end. path NULL: nothing in front. */
hz_status hzi_refuse(hz_error *err, hz_status code, const char *path, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* Puts "PATH: " in front of a message that is already there. Either may be NULL. */
void hzi_put_path_in_front(hz_error *err, const char *path);

/*
 * What a failed clean-up adds to the error that made it necessary: "; while closing: " and its
 * message. Code, place and words of the first error stay. Any argument may be NULL.
 */
void hzi_attach_closing(hz_error *err, const hz_error *closing);

#endif
