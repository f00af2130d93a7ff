/* SPDX-License-Identifier: MIT */
/* Reports as files: a file appears whole or stays what it was, also on a full disk. */
#ifndef HAZARD_CLI_WHOLE_FILE_H
#define HAZARD_CLI_WHOLE_FILE_H

#include "cli/args.h"

/* Whether `path` could be written now, for this should be known before hours of work. What is there
 * stays as it is, and nothing is left where nothing was. An exit code. */
int hzc_whole_file_check(const hzc_args *args, const char *path);

/* Writes the bytes beside `path` and puts them in its place; a link stays one, what is no plain file
 * is written to directly, and so is a file in a folder that takes no second one. An exit code. */
int hzc_whole_file_write(const hzc_args *args, const char *path, const char *bytes, size_t length);

/* Whether two paths name one plain file, there or still to be made. */
bool hzc_whole_file_same(const char *one, const char *other);

#endif
