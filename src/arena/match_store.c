/* SPDX-License-Identifier: MIT */
/*
 * Where finished pairs go: log, record, archive, and last the checkpoint, which knows how long the
 * others were. What a killed run wrote after its last checkpoint is cut off when it is resumed.
 */
#include "arena/match.h"

#include <stdlib.h>
#include <string.h>

typedef struct resume {
    hz_match_run *run;
    hz_status (*take)(hz_match_run *run, uint64_t item, const hz_match_pair *pair, hz_error *err);
    hzi_text latencies;
} resume;

static hz_status take_line(void *context, uint64_t item, const char *line, size_t length,
                           hz_error *err) {
    resume *r = context;
    hz_match_pair pair;
    hz_status status = hzi_pair_from_json(line, length, &r->latencies, &pair, err);
    if (status == HZ_OK && (pair.pairing >= r->run->view.pairing_count ||
                            hzi_match_item(r->run, pair.pairing, pair.number) != item ||
                            pair.seed != r->run->config->seed + pair.number)) {
        status = hz_fail(err, HZ_CHECKPOINT, HZ_NO_OFFSET,
                         "pair %llu of the checkpoint is not the one that belongs there",
                         (unsigned long long)item);
    }
    if (status == HZ_OK) {
        status = hzi_gallery_restore(&r->run->gallery, line, length, &pair, err);
    }
    return status == HZ_OK ? r->take(r->run, item, &pair, err) : status;
}

static void identity_json(hzi_text *json, const hzi_field *identity, size_t fields) {
    hzi_json_object(json, NULL);
    for (size_t i = 0; i < fields; i++) {
        hzi_json_text(json, identity[i].name, identity[i].value);
    }
    hzi_json_end_object(json);
}

static hz_status open_archive(hz_match_run *run, const hzi_field *identity, size_t fields,
                              bool resumed, uint64_t kept, hz_error *err) {
    hzi_store *store = &run->store;
    uint64_t number = resumed ? hzi_checkpoint_number(store->checkpoint, "archive_run", 0) : 0;
    hzi_text json = {0};
    identity_json(&json, identity, fields);
    hz_status status = json.failed ? hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory")
                                   : hzi_archive_open(run->config->archive, json.bytes, &number,
                                                      number ? kept : 0, &store->archive, err);
    hzi_text_fini(&json);
    if (status == HZ_OK && store->checkpoint) {
        hzi_checkpoint_set(store->checkpoint, "archive_run", number);
    }
    return status;
}

/* A file that the run had not had before it was stopped is a new one. */
static hz_status open_output(hzi_store *store, hzi_output *output, const char *path,
                             const char *number, hz_error *err) {
    uint64_t length = store->checkpoint && hzi_checkpoint_resumed(store->checkpoint)
                          ? hzi_checkpoint_number(store->checkpoint, number, UINT64_MAX)
                          : UINT64_MAX;
    bool had = length != UINT64_MAX;
    hz_status status = hzi_output_open(output, path, had, had ? length : 0, err);
    if (status == HZ_OK && store->checkpoint) {
        hzi_checkpoint_set(store->checkpoint, number, output->length); /* before the first pair */
    }
    return status;
}

hz_status hzi_store_open(hz_match_run *run, const hzi_field *identity, size_t fields,
                         hz_status (*take)(hz_match_run *run, uint64_t item,
                                           const hz_match_pair *pair, hz_error *err),
                         hz_error *err) {
    const hz_match_config *config = run->config;
    hzi_store *store = &run->store;
    bool resumed = false;
    uint64_t kept = 0;
    hz_status status = HZ_OK;
    store->log.fd = store->record.fd = -1;
    if (config->resume && !config->checkpoint) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "resume needs a checkpoint");
    }
    if (config->checkpoint) {
        status = hzi_checkpoint_open(config->checkpoint, identity, fields, config->resume,
                                     &store->checkpoint, err);
        if (status == HZ_OK) {
            resume r = {.run = run, .take = take};
            resumed = hzi_checkpoint_resumed(store->checkpoint);
            kept = hzi_checkpoint_count(store->checkpoint);
            run->earlier_ms = hzi_checkpoint_number(store->checkpoint, "wall_ms", 0);
            status = hzi_checkpoint_visit(store->checkpoint, take_line, &r, err);
            hzi_text_fini(&r.latencies);
        }
    }
    if (status == HZ_OK && config->games_log) {
        status = open_output(store, &store->log, config->games_log, "log_bytes", err);
    }
    if (status == HZ_OK && config->games_record) {
        status = open_output(store, &store->record, config->games_record, "record_bytes", err);
    }
    if (status == HZ_OK && config->archive) {
        status = open_archive(run, identity, fields, resumed, kept, err);
    }
    if (status == HZ_OK && store->checkpoint) {
        status = hzi_checkpoint_write(store->checkpoint, err);
    }
    return status;
}

static void set_numbers(hz_match_run *run) {
    hzi_store *store = &run->store;
    if (store->log.fd >= 0) {
        hzi_checkpoint_set(store->checkpoint, "log_bytes", store->log.length);
    }
    if (store->record.fd >= 0) {
        hzi_checkpoint_set(store->checkpoint, "record_bytes", store->record.length);
    }
    hzi_checkpoint_set(store->checkpoint, "wall_ms", run->view.wall_ms);
}

hz_status hzi_store_add(hz_match_run *run, uint64_t item, const hz_match_pair *pair, size_t shown,
                        hz_error *err) {
    hzi_store *store = &run->store;
    hz_status status = HZ_OK;
    if (store->checkpoint || store->archive) {
        hzi_text_clear(&store->line);
        hzi_pair_to_json(pair, &store->line);
        if (store->line.failed) {
            return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a finished pair");
        }
    }
    if (store->log.fd >= 0) {
        status = hzi_output_add(&store->log, pair->log, pair->log_length, err);
    }
    if (status == HZ_OK && store->record.fd >= 0) {
        status = hzi_output_add(&store->record, pair->record, pair->record_length, err);
    }
    if (status == HZ_OK && store->archive) {
        const hz_match_pairing *pairing = &run->pairings[pair->pairing];
        const char *const names[2] = {run->infos[pairing->a].name, run->infos[pairing->b].name};
        status = hzi_archive_add(store->archive, item, pair, store->line.bytes, names, err);
    }
    if (status == HZ_OK && store->checkpoint) {
        set_numbers(run);
        hzi_gallery_put(&run->gallery, shown, &store->line);
        status = hzi_checkpoint_add(store->checkpoint, store->line.bytes, store->line.length, err);
    }
    return status;
}

hz_status hzi_match_store_finish(hz_match_run *run, hz_error *err) {
    hzi_store *store = &run->store;
    hz_status status = HZ_OK;
    if (store->checkpoint) {
        hzi_checkpoint_set(store->checkpoint, "wall_ms", run->view.wall_ms);
        status = hzi_checkpoint_write(store->checkpoint, err);
    }
    if (store->archive && !run->view.cancelled) {
        hzi_text report = {0};
        hz_status made = hz_match_report_json(&run->view, hzi_text_sink, &report, NULL);
        if (made == HZ_OK && status == HZ_OK) {
            status = hzi_archive_report(store->archive, report.bytes, err);
        }
        hzi_text_fini(&report);
    }
    hz_error *first = status == HZ_OK ? err : NULL;
    hz_status closed = hzi_output_close(&store->log, first);
    status = status == HZ_OK ? closed : status;
    first = status == HZ_OK ? err : NULL;
    closed = hzi_output_close(&store->record, first);
    return status == HZ_OK ? closed : status;
}

void hzi_store_close(hzi_store *store) {
    hzi_checkpoint_free(store->checkpoint);
    hzi_archive_close(store->archive);
    if (store->log.fd >= 0) {
        (void)hzi_output_close(&store->log, NULL);
    }
    if (store->record.fd >= 0) {
        (void)hzi_output_close(&store->record, NULL);
    }
    hzi_text_fini(&store->line);
}
