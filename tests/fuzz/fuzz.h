/* SPDX-License-Identifier: MIT */
/*
 * fuzz/fuzz.h - what the fuzz targets share. A target is one file fuzz_NAME.c with the entry point
 * of libFuzzer. It is built twice: with libFuzzer (meson option fuzz, tests/fuzz/run.sh), which
 * makes up inputs, and with replay_main.c into a unit test that runs the kept inputs of
 * corpus/NAME.
 *
 * A target asks more than "does not crash": what was read must be written back, errors must point
 * into the input, and clever code must agree with its slow twin of tests/ref.
 */
#ifndef HAZARD_FUZZ_FUZZ_H
#define HAZARD_FUZZ_FUZZ_H

#include <hazard/dice.h>

#include <stddef.h>
#include <stdint.h>

/* Runs one input; always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise of the library. A broken one ends the program, for that is what a fuzzer looks for. */
#define FUZZ_CHECK(condition) ((condition) ? (void)0 : fuzz_broken(#condition, __FILE__, __LINE__))
_Noreturn void fuzz_broken(const char *promise, const char *file, int line);

/* An error as a reader of `size` bytes may give it: its code, a place within the input or none, and
 * a sentence. */
void fuzz_check_error(const hz_error *err, hz_status status, size_t size);

/* Bytes of the first line, without its end. *rest is what follows the end. */
size_t fuzz_first_line(const uint8_t *data, size_t size, const uint8_t **rest, size_t *rest_size);

/* A position from an input: its DFEN text when it is one, else the board that its bytes describe,
 * so that mutations of either kind lead somewhere. False when the input is too short for both. */
bool fuzz_position(const uint8_t *data, size_t size, hz_position *position);

/* Whether walking through all lines of the pool takes about `lines` steps at most. Keeps inputs
 * with a billion turns from stalling a target that would only wait for them. */
bool fuzz_is_small(const hz_position *position, uint64_t lines);

/* Bytes that come in pieces of changing size, as readers take them from a source. */
typedef struct fuzz_source {
    const void *at;
    size_t left;
    size_t calls; /* any number to begin with */
} fuzz_source;
ptrdiff_t fuzz_drip(void *source, char *buffer, size_t capacity);

/* Same board, side, rights, targets, pool and clocks. */
bool fuzz_same_position(const hz_position *a, const hz_position *b);

#endif
