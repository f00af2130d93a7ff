/* SPDX-License-Identifier: MIT */
/* SHA-256 of bytes and of files, by nettle. */
#include <hazard/package.h>

#include "package/file.h"
#include "package/refusal.h"

#include <nettle/sha2.h>
#include <unistd.h>

static void finish(struct sha256_ctx *context, char hex[65]) {
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[2 * sizeof digest] = '\0';
}

void hz_sha256_hex(const void *bytes, size_t length, char hex[65]) {
    struct sha256_ctx context;
    sha256_init(&context);
    if (length) {
        sha256_update(&context, length, bytes);
    }
    finish(&context, hex);
}

hz_status hz_sha256_file(const char *path, char hex[65], hz_error *err) {
    char why[HZI_WHY], piece[1 << 14];
    struct sha256_ctx context;
    ptrdiff_t got = -1;
    if (!path) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "there is no file to digest");
    }
    int file = hzi_file_open(path, why);
    if (file >= 0) {
        sha256_init(&context);
        while ((got = hzi_file_read(file, piece, sizeof piece, why)) > 0) {
            sha256_update(&context, (size_t)got, (const uint8_t *)piece);
        }
        (void)close(file);
    }
    if (got < 0) {
        return hzi_refuse(err, HZ_IO, path, "cannot digest (%s)", why);
    }
    finish(&context, hex);
    return HZ_OK;
}
