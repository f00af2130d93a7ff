/* SPDX-License-Identifier: MIT */
/*
 * Keys and signatures of the bot protocol: HMAC-SHA-256 over "timestamp.body", the proof of a new
 * address, nonces in base64url. A key is the bytes of a text as they are: one that looks like hex is
 * not decoded. Keys come from the environment and are never printed.
 *
 * Safe in any thread (as far as the environment is).
 */
#ifndef HAZARD_ARENA_SIGNATURE_H
#define HAZARD_ARENA_SIGNATURE_H

#include <hazard/base.h>

enum { HZI_SIGNATURE_HEX = 64, HZI_NONCE_BYTES = 16, HZI_NONCE_TEXT = 22, HZI_STAMP = 24 };

/* Where keys are by custom. */
#define HZI_KEY_VARIABLE "DICECHESS_WEBHOOK_SECRET"
#define HZI_NEXT_KEY_VARIABLE "DICECHESS_WEBHOOK_NEXT_SECRET"

/* The key in a variable of the environment, NULL when it is unset or empty. */
const char *hzi_key(const char *variable);

/* 64 lower-case hex digits and NUL. stamp: Unix seconds in decimal, used as it is written. */
void hzi_signature(const char *key, const char *stamp, const void *body, size_t length,
                   char hex[HZI_SIGNATURE_HEX + 1]);
/* What the owner of a key answers to the verification of an address. */
void hzi_proof(const char *key, const void *body, size_t length, char hex[HZI_SIGNATURE_HEX + 1]);
/* Unix seconds, `shift_s` from now, as decimal digits. */
void hzi_stamp(int64_t shift_s, char text[HZI_STAMP]);
/* Random bytes as base64url without padding. HZ_IO when the system has none. */
hz_status hzi_nonce(char text[HZI_NONCE_TEXT + 1], hz_error *err);

#endif
