/* SPDX-License-Identifier: MIT */
/* Reading "id:name=value,name=value"; see options.h. */
#include "bots/options.h"

#include <stdio.h>
#include <string.h>

hzi_bot_text hzi_bot_text_split(const char *text) {
    size_t id_length = strcspn(text, ":");
    return (hzi_bot_text){.text = text,
                          .id_length = id_length,
                          .options = text[id_length] == ':' ? text + id_length + 1 : NULL};
}

bool hzi_bot_id_valid(const char *id) {
    return *id && id[strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-_.")] == '\0';
}

const char *hzi_printable(const char *text, size_t length, char *buffer, size_t capacity) {
    size_t n = 0;
    bool cut = length > capacity - 1;
    size_t keep = cut ? capacity - 4 : length;
    for (; n < keep; n++) {
        buffer[n] = (char)(text[n] >= ' ' && text[n] <= '~' ? text[n] : '?');
    }
    for (int dots = 0; cut && dots < 3; dots++) {
        buffer[n++] = '.';
    }
    buffer[n] = '\0';
    return buffer;
}

/* Decimal digits only, at most `most`. */
static bool read_number(const char *text, size_t length, uint32_t most, uint32_t *number) {
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        value = 10 * value + (uint64_t)(text[i] - '0');
        if (value > most) {
            return false;
        }
    }
    *number = (uint32_t)value;
    return length > 0;
}

static hz_status unknown_option(const hzi_bot_text *text, const char *name, size_t length,
                                const hzi_option *options, size_t count, hz_error *err) {
    char id[40], shown[40], known[96] = "";
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        int wrote = snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "; it has ",
                             options[i].name);
        used += wrote > 0 && (size_t)wrote < sizeof known - used ? (size_t)wrote : 0;
    }
    return hz_fail(err, HZ_BAD_OPTION, (size_t)(name - text->text), "%s has no option \"%s\"%s",
                   text->id_length ? hzi_printable(text->text, text->id_length, id, sizeof id)
                                   : "the default bot",
                   hzi_printable(name, length, shown, sizeof shown), known);
}

hz_status hzi_options_read(const hzi_bot_text *text, const hzi_option *options, size_t count,
                           hz_error *err) {
    uint32_t given = 0; /* bit per option */
    const char *name = text->options;
    while (name) {
        size_t length = strcspn(name, ",");
        const char *next = name[length] == ',' ? name + length + 1 : NULL;
        const char *equals = memchr(name, '=', length);
        size_t name_length = equals ? (size_t)(equals - name) : length;
        if (name_length == 0) {
            return hz_fail(err, HZ_BAD_OPTION, (size_t)(name - text->text),
                           "an option name is missing");
        }
        size_t i = 0;
        while (i < count && !(strlen(options[i].name) == name_length &&
                              memcmp(options[i].name, name, name_length) == 0)) {
            i++;
        }
        if (i == count) {
            return unknown_option(text, name, name_length, options, count, err);
        }
        if (given & 1u << i) {
            return hz_fail(err, HZ_BAD_OPTION, (size_t)(name - text->text),
                           "option \"%s\" is given twice", options[i].name);
        }
        given |= 1u << i;
        const char *value = equals ? equals + 1 : name + length;
        size_t value_length = (size_t)(name + length - value);
        uint32_t number;
        if (!read_number(value, value_length, options[i].most, &number) ||
            number < options[i].least) {
            char shown[40];
            return hz_fail(err, HZ_BAD_OPTION, (size_t)(value - text->text),
                           "option \"%s\" is a number from %u to %u, not \"%s\"", options[i].name,
                           (unsigned)options[i].least, (unsigned)options[i].most,
                           hzi_printable(value, value_length, shown, sizeof shown));
        }
        *options[i].value = number;
        name = next;
    }
    return HZ_OK;
}
