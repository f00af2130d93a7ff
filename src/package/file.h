/* SPDX-License-Identifier: MIT */
/*
 * Files as packages read them: regular files only, so that a pipe or a device cannot hold the
 * reader up, and never more bytes than the caller wants to hold. What was read is one piece of
 * memory: everything that is said about a file is said about those bytes, whatever happens to the
 * file meanwhile.
 */
#ifndef HAZARD_PACKAGE_FILE_H
#define HAZARD_PACKAGE_FILE_H

#include <hazard/base.h>

/* Why a file could not be read, for a message. */
enum { HZI_WHY = 120 };

/* A descriptor of a regular file for reading, or -1 with the reason. Closed with close(). */
int hzi_file_open(const char *path, char why[HZI_WHY]);
/* The next bytes of a file; 0 at its end, -1 with the reason. */
ptrdiff_t hzi_file_read(int file, void *buffer, size_t capacity, char why[HZI_WHY]);
/* HZ_OK; HZ_IO with the reason. */
hz_status hzi_file_readable(const char *path, char why[HZI_WHY]);
/*
 * All of a file, at most `most` bytes, and a NUL behind them; free() them. HZ_IO when it cannot be
 * read, HZ_INCOMPLETE when it has more bytes, HZ_NO_MEMORY; each with the reason.
 */
hz_status hzi_file_load(const char *path, size_t most, char **bytes, size_t *length,
                        char why[HZI_WHY]);

#endif
