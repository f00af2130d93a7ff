/* SPDX-License-Identifier: MIT */
/* Signatures of the bot protocol, by nettle. */
#include "arena/signature.h"

#include <inttypes.h>
#include <nettle/base64.h>
#include <nettle/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *hzi_key(const char *variable) {
    const char *value = getenv(variable);
    return value && *value ? value : NULL;
}

static void finish(struct hmac_sha256_ctx *context, char hex[HZI_SIGNATURE_HEX + 1]) {
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[SHA256_DIGEST_SIZE];
    hmac_sha256_digest(context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[2 * sizeof digest] = '\0';
}

static void begin(struct hmac_sha256_ctx *context, const char *key, const char *head) {
    hmac_sha256_set_key(context, strlen(key), (const uint8_t *)key);
    hmac_sha256_update(context, strlen(head), (const uint8_t *)head);
}

void hzi_signature(const char *key, const char *stamp, const void *body, size_t length,
                   char hex[HZI_SIGNATURE_HEX + 1]) {
    struct hmac_sha256_ctx context;
    begin(&context, key, stamp);
    hmac_sha256_update(&context, 1, (const uint8_t *)".");
    hmac_sha256_update(&context, length, body);
    finish(&context, hex);
}

void hzi_proof(const char *key, const void *body, size_t length, char hex[HZI_SIGNATURE_HEX + 1]) {
    struct hmac_sha256_ctx context;
    begin(&context, key, "dicechess-webhook-activate-v2\n");
    hmac_sha256_update(&context, length, body);
    finish(&context, hex);
}

void hzi_stamp(int64_t shift_s, char text[HZI_STAMP]) {
    (void)snprintf(text, HZI_STAMP, "%" PRId64, (int64_t)time(NULL) + shift_s);
}

hz_status hzi_nonce(char text[HZI_NONCE_TEXT + 1], hz_error *err) {
    uint64_t seeds[2];
    struct base64_encode_ctx context;
    char encoded[BASE64_ENCODE_LENGTH(HZI_NONCE_BYTES) + BASE64_ENCODE_FINAL_LENGTH];
    if (hz_random_system_seed(&seeds[0]) != HZ_OK || hz_random_system_seed(&seeds[1]) != HZ_OK) {
        return hz_fail(err, HZ_IO, HZ_NO_OFFSET, "the system gives no random numbers");
    }
    base64url_encode_init(&context);
    size_t n = base64_encode_update(&context, encoded, sizeof seeds, (const uint8_t *)seeds);
    (void)base64_encode_final(&context, encoded + n);
    memcpy(text, encoded, HZI_NONCE_TEXT);
    text[HZI_NONCE_TEXT] = '\0';
    return HZ_OK;
}
