/* SPDX-License-Identifier: MIT */
/*
 * The registry: which bots there are, and who may still be using them.
 *
 * A host's bot is kept as an instance that counts its users: each registration of it that is in
 * force, and each view that was opened and not yet closed. The last user to go closes the bot,
 * once, outside the lock. So replacing or closing an entry never pulls a bot away under a game that
 * plays with it, and an instance registered twice is closed when it is in neither place any more.
 *
 * A handle names a registration by its serial number. Everything sits in a core that handles and
 * views share with the registry, so that they may outlive it.
 */
#include "bots/roster.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A host's bot and the number of its users. */
typedef struct instance {
    struct instance *next;
    hz_bot bot;
    size_t users;
} instance;

typedef enum source { ONE_TURN, KIND, HOST } source;

typedef struct entry {
    const hz_bot_info *info;
    uint64_t serial; /* of the registration; grows */
    source source;
    const hz_bot *fixed; /* ONE_TURN: the bot itself */
    hz_bot_kind kind;    /* KIND */
    instance *host;      /* HOST */
} entry;

typedef struct core {
    pthread_mutex_t lock;
    size_t users; /* the registry, its open handles and views */
    uint64_t serials;
    instance *instances;
    entry *entries; /* by level, then serial */
    size_t count, capacity;
    bool guarded; /* options are those of strangers */
} core;

struct hz_registry {
    core *core;
};

struct hz_registration {
    core *core;
    uint64_t serial;
};

/* What an opened host bot remembers. */
typedef struct view {
    core *core;
    instance *host;
} view;

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the registry of bots");
}

/* ---- users; all but core_leave with the lock held ---- */

static bool same_instance(const hz_bot *a, const hz_bot *b) {
    return a->state == b->state && a->choose == b->choose && a->decide == b->decide &&
           a->close == b->close && a->shut == b->shut;
}

static instance *find_instance(const core *c, const hz_bot *bot) {
    instance *at = c->instances;
    while (at && !same_instance(&at->bot, bot)) {
        at = at->next;
    }
    return at;
}

/* One user less. Returns the bot to close after unlocking; a zeroed one when others use it. */
static hz_bot instance_leave(core *c, instance *host) {
    if (--host->users > 0) {
        return (hz_bot){0};
    }
    instance **link = &c->instances;
    while (*link != host) {
        link = &(*link)->next;
    }
    *link = host->next;
    hz_bot bot = host->bot;
    free(host);
    return bot;
}

/* Takes an entry out. Returns the bot to close, as above. */
static hz_bot entry_remove(core *c, size_t index) {
    entry gone = c->entries[index];
    c->count--;
    memmove(&c->entries[index], &c->entries[index + 1], (c->count - index) * sizeof gone);
    return gone.host ? instance_leave(c, gone.host) : (hz_bot){0};
}

/* One user of the core less; takes and releases the lock. */
static void core_leave(core *c) {
    pthread_mutex_lock(&c->lock);
    bool last = --c->users == 0;
    pthread_mutex_unlock(&c->lock);
    if (last) {
        pthread_mutex_destroy(&c->lock);
        free(c->entries);
        free(c);
    }
}

/* ---- entries; with the lock held ---- */

static char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static bool same_id(const char *id, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (id[i] == '\0' || id[i] != lower(text[i])) {
            return false;
        }
    }
    return id[length] == '\0';
}

/* Index of an id, count when there is none. */
static size_t find_id(const core *c, const char *text, size_t length) {
    size_t i = 0;
    while (i < c->count && !same_id(c->entries[i].info->id, text, length)) {
        i++;
    }
    return i;
}

static bool reserve_entry(core *c) {
    if (c->count < c->capacity) {
        return true;
    }
    size_t capacity = c->capacity ? 2 * c->capacity : 16;
    entry *entries = realloc(c->entries, capacity * sizeof *entries);
    if (!entries) {
        return false;
    }
    c->entries = entries;
    c->capacity = capacity;
    return true;
}

/* Behind all of its level, which has only older registrations. Room was reserved. */
static void insert_entry(core *c, entry added) {
    size_t at = c->count;
    while (at > 0 && c->entries[at - 1].info->level > added.info->level) {
        at--;
    }
    memmove(&c->entries[at + 1], &c->entries[at], (c->count - at) * sizeof added);
    c->entries[at] = added;
    c->count++;
}

static hz_status unknown_bot(const core *c, const char *text, size_t length, hz_error *err) {
    char known[160] = "", shown[40];
    size_t used = 0;
    for (size_t i = 0; i < c->count; i++) {
        const char *id = c->entries[i].info->id;
        if (used + strlen(", ") + strlen(id) + sizeof ", ..." > sizeof known) {
            memcpy(known + used, ", ...", sizeof ", ...");
            break;
        }
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", id);
    }
    return hz_fail(err, HZ_UNKNOWN_BOT, 0, "no bot is called \"%s\"; there are %s",
                   hzi_printable(text, length, shown, sizeof shown), known);
}

/* ---- the registry ---- */

hz_registry *hz_registry_new(void) {
    hz_registry *registry = malloc(sizeof *registry);
    core *c = calloc(1, sizeof *c);
    if (!registry || !c || pthread_mutex_init(&c->lock, NULL) != 0) {
        free(registry);
        free(c);
        return NULL;
    }
    registry->core = c;
    c->users = 1;
    for (size_t i = 0; i <= HZI_ONE_TURN_BOTS; i++) {
        if (!reserve_entry(c)) {
            hz_registry_free(registry);
            return NULL;
        }
        insert_entry(c, i < HZI_ONE_TURN_BOTS ? (entry){.info = hzi_one_turn_bots[i].info,
                                                        .serial = ++c->serials,
                                                        .source = ONE_TURN,
                                                        .fixed = &hzi_one_turn_bots[i]}
                                              : (entry){.info = hzi_monte_carlo_kind.info,
                                                        .serial = ++c->serials,
                                                        .source = KIND,
                                                        .kind = hzi_monte_carlo_kind});
    }
    return registry;
}

void hz_registry_free(hz_registry *registry) {
    if (!registry) {
        return;
    }
    core *c = registry->core;
    free(registry);
    bool more = true;
    while (more) {
        hz_bot closing = {0};
        pthread_mutex_lock(&c->lock);
        more = c->count > 0;
        if (more) {
            closing = entry_remove(c, c->count - 1);
        }
        pthread_mutex_unlock(&c->lock);
        hz_bot_close(&closing);
    }
    core_leave(c);
}

void hz_registry_guard(hz_registry *registry) {
    core *c = registry->core;
    pthread_mutex_lock(&c->lock);
    c->guarded = true;
    pthread_mutex_unlock(&c->lock);
}

static hz_status check_info(const hz_bot_info *info, hz_error *err) {
    if (!info->id || !info->display_name || !info->about) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "a bot needs an info with its texts and a way to choose");
    }
    if (!hzi_bot_id_valid(info->id)) {
        char shown[40];
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "\"%s\" is no bot id: use a-z, 0-9, '-', '_', '.'",
                       hzi_printable(info->id, strlen(info->id), shown, sizeof shown));
    }
    if (info->level < 1 || info->level > 10) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "level of bot \"%.40s\" is %d instead of 1 to 10", info->id, info->level);
    }
    return HZ_OK;
}

/* Puts an entry in place of the one of its id, with a serial of its own; room was reserved. The lock
 * is held. Returns the bot to close after unlocking. */
static hz_bot put_entry(core *c, entry added, hz_registration *handle) {
    hz_bot replaced = {0};
    size_t old = find_id(c, added.info->id, strlen(added.info->id));
    if (old < c->count) {
        replaced = entry_remove(c, old);
    }
    added.serial = ++c->serials;
    insert_entry(c, added);
    if (handle) {
        *handle = (hz_registration){.core = c, .serial = added.serial};
        c->users++;
    }
    return replaced;
}

hz_status hz_registry_register(hz_registry *registry, const hz_bot *bot, hz_registration **handle,
                               hz_error *err) {
    if (!bot || !bot->info || !bot->choose) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "a bot needs an info with its texts and a way to choose");
    }
    hz_status status = check_info(bot->info, err);
    if (status != HZ_OK) {
        return status;
    }
    core *c = registry->core;
    hz_registration *made = handle ? malloc(sizeof *made) : NULL;
    instance *fresh = malloc(sizeof *fresh);
    pthread_mutex_lock(&c->lock);
    if (!fresh || (handle && !made) || !reserve_entry(c)) {
        pthread_mutex_unlock(&c->lock);
        free(fresh);
        free(made);
        return no_memory(err);
    }
    instance *host = find_instance(c, bot);
    if (host) {
        host->users++;
        free(fresh);
    } else {
        host = fresh;
        *host = (instance){.next = c->instances, .bot = *bot, .users = 1};
        c->instances = host;
    }
    hz_bot replaced = put_entry(c, (entry){.info = bot->info, .source = HOST, .host = host}, made);
    pthread_mutex_unlock(&c->lock);
    if (handle) {
        *handle = made;
    }
    hz_bot_close(&replaced);
    return HZ_OK;
}

hz_status hz_registry_register_kind(hz_registry *registry, const hz_bot_kind *kind,
                                    hz_registration **handle, hz_error *err) {
    if (!kind || !kind->info || !kind->open || kind->option_count > HZ_BOT_OPTIONS_MAX ||
        (kind->option_count > 0 && !kind->options)) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "a kind of bot needs an info, a way to open it and at most %d options",
                       HZ_BOT_OPTIONS_MAX);
    }
    hz_status status = check_info(kind->info, err);
    if (status != HZ_OK) {
        return status;
    }
    core *c = registry->core;
    hz_registration *made = handle ? malloc(sizeof *made) : NULL;
    pthread_mutex_lock(&c->lock);
    if ((handle && !made) || !reserve_entry(c)) {
        pthread_mutex_unlock(&c->lock);
        free(made);
        return no_memory(err);
    }
    hz_bot replaced =
        put_entry(c, (entry){.info = kind->info, .source = KIND, .kind = *kind}, made);
    pthread_mutex_unlock(&c->lock);
    if (handle) {
        *handle = made;
    }
    hz_bot_close(&replaced);
    return HZ_OK;
}

const hz_bot_kind *hz_bot_kind_at(size_t index) {
    enum { KINDS = 3 };
    static const hz_bot_kind *const kinds[KINDS] = {&hzi_expectimax_kind, &hzi_model_eval_kind,
                                                    &hzi_model_expectimax_kind};
    return index < KINDS ? kinds[index] : NULL;
}

hz_status hz_registry_register_kinds(hz_registry *registry, hz_error *err) {
    hz_status status = HZ_OK;
    for (size_t i = 0; status == HZ_OK && hz_bot_kind_at(i); i++) {
        status = hz_registry_register_kind(registry, hz_bot_kind_at(i), NULL, err);
    }
    return status;
}

void hz_registration_close(hz_registration *handle) {
    if (!handle) {
        return;
    }
    core *c = handle->core;
    hz_bot closing = {0};
    pthread_mutex_lock(&c->lock);
    size_t at = 0;
    while (at < c->count && c->entries[at].serial != handle->serial) {
        at++;
    }
    if (at < c->count) {
        closing = entry_remove(c, at);
    }
    pthread_mutex_unlock(&c->lock);
    free(handle);
    hz_bot_close(&closing);
    core_leave(c);
}

size_t hz_registry_count(const hz_registry *registry) {
    core *c = registry->core;
    pthread_mutex_lock(&c->lock);
    size_t count = c->count;
    pthread_mutex_unlock(&c->lock);
    return count;
}

bool hz_registry_info(const hz_registry *registry, size_t index, hz_bot_info *info) {
    core *c = registry->core;
    pthread_mutex_lock(&c->lock);
    bool found = index < c->count;
    if (found) {
        *info = *c->entries[index].info;
    }
    pthread_mutex_unlock(&c->lock);
    return found;
}

bool hz_registry_option(const hz_registry *registry, size_t index, size_t option,
                        hz_bot_option *description) {
    core *c = registry->core;
    pthread_mutex_lock(&c->lock);
    /* Only an entry of a kind has a kind with options. */
    bool found = index < c->count && option < c->entries[index].kind.option_count;
    if (found) {
        *description = c->entries[index].kind.options[option];
    }
    pthread_mutex_unlock(&c->lock);
    return found;
}

/* ---- views of a host's bot ---- */

static hz_status view_choose(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                             hz_error *err) {
    const view *v = state;
    return v->host->bot.choose(v->host->bot.state, request, answer, err);
}

static hz_status view_decide(void *state, hz_decision question, const hz_position *position,
                             hz_color responder, hz_random *random, bool *yes, hz_error *err) {
    const view *v = state;
    return hz_bot_decide(&v->host->bot, question, position, responder, random, yes, err);
}

static bool view_judge(void *state, hz_bot_judgement *judgement) {
    const view *v = state;
    return hz_bot_judge(&v->host->bot, judgement);
}

static hz_status view_shut(void *state, hz_error *err) {
    view *v = state;
    core *c = v->core;
    pthread_mutex_lock(&c->lock);
    hz_bot closing = instance_leave(c, v->host);
    pthread_mutex_unlock(&c->lock);
    free(v);
    hz_status status = hz_bot_shut(&closing, err);
    core_leave(c);
    return status;
}

/* What stands behind an id; a host's bot gets one user more, and so does the core. */
static hz_status look_up(core *c, const char *id, size_t length, entry *found, bool *guarded,
                         hz_error *err) {
    hz_status status = HZ_OK;
    pthread_mutex_lock(&c->lock);
    size_t at = find_id(c, id, length);
    if (at == c->count) {
        status = unknown_bot(c, id, length, err);
    } else {
        *found = c->entries[at];
        *guarded = c->guarded;
        if (found->host) {
            found->host->users++;
            c->users++;
        }
    }
    pthread_mutex_unlock(&c->lock);
    return status;
}

hz_status hz_registry_open(hz_registry *registry, const char *text, hz_bot *bot, hz_error *err) {
    static const char default_id[] = "greedy";
    core *c = registry->core;
    hzi_bot_text parts = hzi_bot_text_split(text ? text : "");
    const char *id = parts.id_length ? parts.text : default_id;
    size_t id_length = parts.id_length ? parts.id_length : strlen(default_id);
    hz_option_value values[HZ_BOT_OPTIONS_MAX];
    char *memory = NULL;
    entry found = {0};
    bool guarded = false;
    view *made = malloc(sizeof *made); /* for a host's bot */
    if (!made) {
        return no_memory(err);
    }
    hz_status status = look_up(c, id, id_length, &found, &guarded, err);
    if (status != HZ_OK) {
        free(made);
        return status;
    }
    /* Outside the lock: a model may take its time to open. */
    status = hzi_options_read(&parts, found.kind.options, found.kind.option_count, guarded, values,
                              &memory, err);
    if (status == HZ_OK && found.source == KIND) {
        status = found.kind.open(found.kind.context, values, bot, err);
    } else if (status == HZ_OK && found.fixed) {
        *bot = *found.fixed;
    }
    free(memory);
    if (found.source == HOST) {
        *made = (view){.core = c, .host = found.host};
        hz_bot opened = {.info = found.info,
                         .state = made,
                         .choose = view_choose,
                         .decide = view_decide,
                         .shut = view_shut,
                         .judge = view_judge};
        if (status == HZ_OK) {
            *bot = opened;
        } else {
            hz_bot_close(&opened);
        }
    } else {
        free(made);
    }
    return status;
}
