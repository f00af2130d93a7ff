/* SPDX-License-Identifier: MIT */
/* Reading "id:name=value,name=value"; see options.h. */
#include "bots/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

const char *hz_option_type_name(hz_option_type type) {
    static const char *const names[] = {"count", "real", "switch", "choice", "text", "file"};
    return (size_t)type < sizeof names / sizeof *names ? names[type] : "";
}

/* ---- values ---- */

/* Decimal digits only, at most `most`. */
static bool read_count(const char *text, uint64_t most, uint64_t *number) {
    uint64_t value = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9'; c++) {
        value = 10 * value + (uint64_t)(*c - '0');
        if (value > most) {
            return false;
        }
    }
    *number = value;
    return c > text && *c == '\0';
}

/* "0.5", "1", ".25", "5e-1": no sign, no blank, no hexadecimal, no word; whatever the locale. */
static bool read_real(const char *text, double *number) {
    double value = 0;
    int scale = 0, digits = 0;
    const char *c = text;
    for (bool point = false; (*c >= '0' && *c <= '9') || (*c == '.' && !point); c++) {
        if (*c == '.') {
            point = true;
        } else {
            value = 10 * value + (*c - '0');
            scale -= point;
            digits++;
        }
    }
    if (digits == 0 || digits > 300) {
        return false;
    }
    if (*c == 'e' || *c == 'E') {
        bool minus = *++c == '-';
        c += *c == '-' || *c == '+';
        uint64_t exponent;
        if (!read_count(c, 300, &exponent)) {
            return false;
        }
        scale += minus ? -(int)exponent : (int)exponent;
        c = "";
    }
    *number = scale < 0 ? value / pow(10, -scale) : value * pow(10, scale);
    return *c == '\0' && isfinite(*number);
}

/* Index of a word in "one|two|three", -1 when it is none. */
static int find_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (int i = 0; *words; i++) {
        size_t next = strcspn(words, "|");
        if (length > 0 && length == next && memcmp(words, word, length) == 0) {
            return i;
        }
        words += next + (words[next] == '|');
    }
    return -1;
}

static double most_of(const hz_bot_option *option, bool guarded) {
    return guarded && option->guarded > 0 ? option->guarded : option->most;
}

static bool read_value(const hz_bot_option *option, const char *text, bool guarded,
                       hz_option_value *value) {
    int word;
    value->text = text;
    switch (option->type) {
    case HZ_OPTION_COUNT:
        return read_count(text, (uint64_t)most_of(option, guarded), &value->count) &&
               value->count >= (uint64_t)option->least;
    case HZ_OPTION_REAL:
        return read_real(text, &value->real) && value->real >= option->least &&
               value->real <= option->most;
    case HZ_OPTION_SWITCH:
        word = find_word("0|1|false|true", text);
        value->count = word == 1 || word == 3;
        return word >= 0;
    case HZ_OPTION_CHOICE:
        word = find_word(option->range, text);
        value->count = word > 0 ? (uint64_t)word : 0;
        return word >= 0;
    case HZ_OPTION_TEXT:
    case HZ_OPTION_FILE:
        return *text != '\0';
    }
    return false;
}

static hz_status wrong_value(const hz_bot_option *option, const char *text, bool guarded,
                             size_t offset, hz_error *err) {
    char shown[40], wanted[160] = "";
    switch (option->type) {
    case HZ_OPTION_COUNT:
    case HZ_OPTION_REAL:
        (void)snprintf(wanted, sizeof wanted, "a number from %.15g to %.15g", option->least,
                       most_of(option, guarded));
        break;
    case HZ_OPTION_SWITCH:
        (void)snprintf(wanted, sizeof wanted, "0 or 1");
        break;
    case HZ_OPTION_CHOICE:
        (void)snprintf(wanted, sizeof wanted, "one of %s", option->range);
        break;
    case HZ_OPTION_TEXT:
    case HZ_OPTION_FILE:
        (void)snprintf(wanted, sizeof wanted, "%s", option->range);
        break;
    }
    return hz_fail(err, HZ_BAD_OPTION, offset, "option \"%s\" is %s, not \"%s\"", option->name,
                   wanted, hzi_printable(text, strlen(text), shown, sizeof shown));
}

/* ---- options ---- */

static hz_status unknown_option(const hzi_bot_text *text, const char *name, size_t length,
                                const hz_bot_option *options, size_t count, hz_error *err) {
    char id[40], shown[40], known[400] = "";
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

/* Bytes up to the next comma that is not escaped. */
static size_t option_length(const char *text) {
    size_t n = 0;
    while (text[n] && text[n] != ',') {
        n += text[n] == '\\' && text[n + 1] ? 2 : 1;
    }
    return n;
}

/* Copies a value without its escapes. A backslash before another byte stands for itself. */
static void unescape(char *to, const char *from, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (from[i] == '\\' && i + 1 < length && (from[i + 1] == ',' || from[i + 1] == '\\')) {
            i++;
        }
        *to++ = from[i];
    }
    *to = '\0';
}

static size_t find_option(const hz_bot_option *options, size_t count, const char *name,
                          size_t length) {
    size_t i = 0;
    while (i < count &&
           !(strlen(options[i].name) == length && memcmp(options[i].name, name, length) == 0)) {
        i++;
    }
    return i;
}

hz_status hzi_options_read(const hzi_bot_text *text, const hz_bot_option *options, size_t count,
                           bool guarded, hz_option_value *values, char **memory, hz_error *err) {
    size_t end = strlen(text->text);
    char *copy = *memory = malloc(end + 1);
    if (!copy) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the options of a bot");
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = (hz_option_value){.offset = end};
        if (options[i].value) {
            (void)read_value(&options[i], options[i].value, guarded, &values[i]);
        }
    }
    const char *name = text->options;
    while (name) {
        size_t length = option_length(name);
        const char *next = name[length] == ',' ? name + length + 1 : NULL;
        const char *equals = memchr(name, '=', length);
        size_t name_length = equals ? (size_t)(equals - name) : length;
        size_t place = (size_t)(name - text->text);
        if (name_length == 0) {
            return hz_fail(err, HZ_BAD_OPTION, place, "an option name is missing");
        }
        size_t i = find_option(options, count, name, name_length);
        if (i == count) {
            return unknown_option(text, name, name_length, options, count, err);
        }
        if (values[i].given) {
            return hz_fail(err, HZ_BAD_OPTION, place, "option \"%s\" is given twice",
                           options[i].name);
        }
        const char *raw = equals ? equals + 1 : name + length;
        size_t raw_length = (size_t)(name + length - raw);
        unescape(copy, raw, raw_length);
        values[i].given = true;
        values[i].offset = (size_t)(raw - text->text);
        if (!read_value(&options[i], copy, guarded, &values[i])) {
            return wrong_value(&options[i], copy, guarded, values[i].offset, err);
        }
        if (options[i].type == HZ_OPTION_FILE && guarded) {
            return hz_fail(err, HZ_BAD_OPTION, values[i].offset,
                           "option \"%s\" names a file, and files are not read here",
                           options[i].name);
        }
        copy += strlen(copy) + 1;
        name = next;
    }
    return HZ_OK;
}
