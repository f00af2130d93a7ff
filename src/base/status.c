/* SPDX-License-Identifier: MIT */
/* Status codes and error values: every code, name and text comes from the one table in base.h. */
#include <hazard/base.h>

#include <stdarg.h>
#include <stdio.h>

const char *hz_status_name(hz_status status) {
    switch (status) {
#define HZ_STATUS_NAME(name, value, text)                                                          \
    case HZ_##name:                                                                                \
        return #name;
        HZ_STATUS_TABLE(HZ_STATUS_NAME)
#undef HZ_STATUS_NAME
    }
    return "UNKNOWN";
}

const char *hz_status_text(hz_status status) {
    switch (status) {
#define HZ_STATUS_TEXT(name, value, text)                                                          \
    case HZ_##name:                                                                                \
        return text;
        HZ_STATUS_TABLE(HZ_STATUS_TEXT)
#undef HZ_STATUS_TEXT
    }
    return "unknown status";
}

hz_status hz_fail(hz_error *err, hz_status code, size_t offset, const char *format, ...) {
    if (err) {
        err->code = code;
        err->offset = offset;
        err->line = 0;
        err->column = 0;
        va_list args;
        va_start(args, format);
        (void)vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
    }
    return code;
}

void hz_error_clear(hz_error *err) {
    if (err) {
        *err = (hz_error){.code = HZ_OK, .offset = HZ_NO_OFFSET};
    }
}

#ifndef HAZARD_VERSION
#error "the build defines HAZARD_VERSION"
#endif

const char *hz_version(void) {
    return HAZARD_VERSION;
}
