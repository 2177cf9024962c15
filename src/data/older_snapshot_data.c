/* The older SnapshotDataset: path. Its chunks are of version 1, all of a run in one folder:
 *
 *   PATH/HASH/snapshot.metadata, [PREFIX/]PATH/HASH/RUN/00000000.snapshot
 *
 * Which a pass does, reading, writing or neither, is decided by what it finds when it begins. */
#include <inttypes.h>
#include <stdio.h>

#include "data/file_names.h"
#include "data/fingerprint.h"
#include "data/kinds.h"
#include "data/seeds.h"
#include "data/snapshot.h"
#include "data/state.h"
#include "os/clock.h"
#include "os/file.h"

enum { VERSION = 1, NAME = 24 };
enum doing { READING, WRITING, PASSING, NOTHING_YET }; /* as in states */

struct older_iterator {
    struct sl_iterator base;
    enum doing doing;
    struct sl_arena arena;
    const char *hash, *folder, *run; /* folder: with the metadata; run: with the chunks */
    struct sl_chunk_writer *writer;
    struct sl_chunk_reader *reader;
    sl_code failed;   /* elements are missing: it does not come to its end */
    int64_t *order;   /* of the chunks that are read */
    int64_t n_chunks; /* that there are, or that were written */
    int64_t at, n;    /* the chunk that is read; elements so far */
    bool is_over;
};

static const struct sl_snapshot_settings *settings_of(const struct sl_iterator *it) {
    return it->dataset->spec->settings;
}

static sl_code older_init(struct sl_dataset *d, struct sl_error *err) {
    struct sl_str path;
    SL_TRY(sl_dataset_string(&path, d, 0, "path", err));
    return sl_file_name_copy(d->state, path, &d->arena, err);
}

static void older_path_name(const struct sl_iterator *self, char *text, size_t size) {
    static const char *const names[] = {"SnapshotReaderImpl", "SnapshotWriterImpl", "SnapshotPassthroughImpl",
                                        "Snapshot"};
    snprintf(text, size, "%s", names[((const struct older_iterator *)self)->doing]);
}
/* What has to go off the path's end for "Snapshot". */
static const char *to_snapshot(const struct older_iterator *it) {
    static const char *const parts[] = {"----------", "----------", "---------------", ""};
    return parts[it->doing];
}

/* ---- where files are */

static const char *prefixed(struct older_iterator *it, const char *prefix, const char *run) {
    const char *path = sl_path_join(&it->arena, it->folder, run);
    while (path && *prefix && *path == '/') path++;
    return path && *prefix ? sl_path_join(&it->arena, prefix, path) : path;
}

static sl_code older_begin(struct sl_iterator *self, struct sl_error *err) {
    struct older_iterator *it = (struct older_iterator *)self;
    const struct sl_snapshot_settings *s = settings_of(self);
    const char *path = *(const char **)self->dataset->state;
    char hash[NAME];
    it->doing = NOTHING_YET;
    sl_arena_init(&it->arena);
    uint64_t sum;
    SL_TRY(sl_dataset_fingerprint(&sum, self->dataset->inputs[0], sl_data_walk_env(self->walk)->functions, err));
    snprintf(hash, sizeof hash, "%016" PRIx64, sum);
    it->hash = sl_arena_str(&it->arena, sl_str_of(hash)).p;
    char *name = *s->name ? sl_arena_alloc(&it->arena, strlen(s->name) + sizeof "custom-") : NULL;
    if (name) sprintf(name, "custom-%s", s->name);
    if (it->hash && (name || !*s->name)) it->folder = sl_path_join(&it->arena, path, name ? name : hash);
    return it->folder ? SL_OK : sl_fail_memory(err, strlen(path));
}

/* ---- writing */

static sl_code describe(struct older_iterator *it, bool is_finished, struct sl_error *err) {
    const struct sl_dataset *d = it->base.dataset;
    struct sl_pb_SnapshotMetadataRecord m = {.graph_hash = sl_str_of(it->hash),
                                             .run_id = sl_str_of(sl_path_base(it->run)),
                                             .creation_timestamp = sl_wall_us(),
                                             .version = VERSION,
                                             .finalized = is_finished};
    m.dtype.items = SL_ARENA_ARRAY(&it->arena, int32_t, (size_t)d->n);
    if (!m.dtype.items) return sl_fail_memory(err, (size_t)d->n);
    for (; m.dtype.n < (size_t)d->n; m.dtype.n++) m.dtype.items[m.dtype.n] = d->types[m.dtype.n];
    return sl_snapshot_metadata_write(it->folder, &m, err);
}

static sl_code begin_writing(struct older_iterator *it, struct sl_error *err) {
    const struct sl_snapshot_settings *s = settings_of(&it->base);
    int64_t random[2] = {0};
    char name[NAME] = "custom";
    sl_seeds_resolve(random);
    if (!*s->name) snprintf(name, sizeof name, "%016" PRIx64, (uint64_t)random[0]);
    it->run = prefixed(it, s->writer_prefix, name);
    if (!it->run) return sl_fail_memory(err, strlen(it->folder));
    SL_TRY(sl_dir_create_all(it->folder, err));
    SL_TRY(sl_dir_create_all(it->run, err));
    SL_TRY(describe(it, false, err));
    SL_TRY(sl_iterator_open_input(&it->base, SL_ONLY_INPUT, 0, err));
    it->doing = WRITING;
    return SL_OK;
}

static sl_code close_chunk(struct older_iterator *it, struct sl_error *err) {
    struct sl_chunk_writer *w = it->writer;
    it->writer = NULL;
    return w ? sl_chunk_writer_close(w, err) : SL_OK;
}

static sl_code write_element(struct older_iterator *it, const struct sl_value *element, struct sl_error *err) {
    const struct sl_snapshot_settings *s = settings_of(&it->base);
    if (it->writer && sl_chunk_writer_bytes(it->writer) > s->chunk_bytes) SL_TRY(close_chunk(it, err));
    if (!it->writer) {
        const char *path = sl_snapshot_chunk_path(&it->arena, it->run, it->n_chunks);
        if (!path) return sl_fail_memory(err, strlen(it->run));
        SL_TRY(sl_chunk_writer_open(&it->writer, path, VERSION, s->compression, err));
        it->n_chunks++;
    }
    return sl_chunk_writer_add(it->writer, element, it->base.dataset->n, err);
}

static sl_code finish_writing(struct older_iterator *it, struct sl_error *err) {
    if (it->failed != SL_OK) return SL_OK; /* said so already */
    it->failed = close_chunk(it, err);
    if (it->failed == SL_OK) it->failed = sl_file_sync_names(it->run, err);
    return it->failed == SL_OK ? describe(it, true, err) : it->failed;
}

/* ---- reading */

static bool is_chunk(const char *name) {
    const size_t n = strlen(name), tail = strlen(".snapshot");
    return n > tail && strcmp(name + n - tail, ".snapshot") == 0;
}

/* Swaps each with one behind it, as random words say. */
static void shuffle(struct older_iterator *it) {
    int64_t seeds[2] = {settings_of(&it->base)->seeds[0], settings_of(&it->base)->seeds[1]};
    sl_seeds_resolve(seeds);
    struct sl_philox_words words = sl_seeded_words(seeds, 0);
    for (int64_t i = it->n_chunks - 1; i > 0; i--) {
        const int64_t other = (int64_t)(sl_philox_word(&words) % (uint64_t)(i + 1)), kept = it->order[i];
        it->order[i] = it->order[other];
        it->order[other] = kept;
    }
}

static sl_code begin_reading(struct older_iterator *it, const struct sl_pb_SnapshotMetadataRecord *m,
                             struct sl_error *err) {
    const struct sl_snapshot_settings *s = settings_of(&it->base);
    const char *id = sl_arena_str(&it->arena, m->run_id).p;
    char **names;
    size_t n;
    if (m->version != VERSION)
        return sl_fail(err, SL_INVALID_ARGUMENT, "%s; holds a snapshot of version %lld", it->folder,
                       (long long)m->version);
    it->run = id ? prefixed(it, s->reader_prefix, id) : NULL;
    if (!it->run) return sl_fail_memory(err, m->run_id.n);
    SL_TRY(sl_dir_list(&names, &n, it->run, &it->arena, err));
    it->n_chunks = it->at = 0;
    it->order = SL_ARENA_ARRAY(&it->arena, int64_t, n + 1);
    if (!it->order) return sl_fail_memory(err, n);
    for (size_t i = 0; i < n; i++)
        if (is_chunk(names[i])) {
            it->order[it->n_chunks] = it->n_chunks;
            it->n_chunks++;
        }
    if (s->shuffles) shuffle(it);
    it->doing = READING;
    return SL_OK;
}

static sl_code read_element(struct older_iterator *it, struct sl_value *element, bool *is_end, struct sl_error *err) {
    const struct sl_dataset *d = it->base.dataset;
    for (*is_end = false; it->at < it->n_chunks; it->at++) {
        if (!it->reader) {
            const char *path = sl_snapshot_chunk_path(&it->arena, it->run, it->order[it->at]);
            if (!path) return sl_fail_memory(err, strlen(it->run));
            SL_TRY(sl_chunk_reader_open(&it->reader, path, VERSION, settings_of(&it->base)->compression, d->n, d->types,
                                        err));
        }
        SL_TRY(sl_chunk_reader_next(element, is_end, it->reader, err));
        if (!*is_end) return SL_OK;
        sl_chunk_reader_close(it->reader);
        it->reader = NULL;
    }
    *is_end = true;
    return SL_OK;
}

/* ---- either, or neither */

static sl_code begin_passing(struct older_iterator *it, struct sl_error *err) {
    SL_TRY(sl_iterator_open_input(&it->base, SL_ONLY_INPUT, 0, err));
    it->doing = PASSING;
    return SL_OK;
}

/* Somebody has begun to write: he may be at it, unless that was long ago. */
static bool is_young(const struct older_iterator *it, const struct sl_pb_SnapshotMetadataRecord *m) {
    const int64_t seconds = (sl_wall_us() - m->creation_timestamp) / 1000000;
    return seconds < settings_of(&it->base)->expiry_seconds;
}

static sl_code choose(struct older_iterator *it, struct sl_error *err) {
    const enum sl_snapshot_mode mode = settings_of(&it->base)->mode;
    struct sl_pb_SnapshotMetadataRecord m;
    struct sl_error why;
    sl_error_clear(&why);
    if (mode == SL_SNAPSHOT_WRITES) return begin_writing(it, err);
    if (mode == SL_SNAPSHOT_PASSES) return begin_passing(it, err);
    sl_code code = sl_snapshot_metadata_read(&m, it->folder, &it->arena, &why);
    if (code == SL_NOT_FOUND && mode == SL_SNAPSHOT_READS)
        return sl_fail(err, code, "Metadata file does not exist: %s", why.message);
    if (code == SL_NOT_FOUND) return begin_writing(it, err);
    if (code != SL_OK) return sl_fail(err, code, "%s", why.message);
    if (m.finalized) return begin_reading(it, &m, err);
    if (mode == SL_SNAPSHOT_READS)
        return sl_fail(err, SL_DATA_LOSS, "%s; the snapshot was not written to its end", it->folder);
    return is_young(it, &m) ? begin_passing(it, err) : begin_writing(it, err);
}

static sl_code older_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct older_iterator *it = (struct older_iterator *)self;
    *is_end = it->is_over;
    if (it->is_over) return SL_OK;
    if (it->doing == NOTHING_YET) SL_TRY(choose(it, err));
    if (it->doing == READING) {
        SL_TRY(read_element(it, element, is_end, err));
        it->n += !*is_end;
        return SL_OK;
    }
    SL_TRY(sl_iterator_pull(self, element, is_end, err));
    it->is_over = *is_end;
    it->n += !*is_end;
    if (it->doing == PASSING || it->failed != SL_OK) return SL_OK;
    return *is_end ? finish_writing(it, err) : (it->failed = write_element(it, element, err));
}

static void older_end(struct sl_iterator *self) {
    struct older_iterator *it = (struct older_iterator *)self;
    sl_chunk_writer_abandon(it->writer);
    sl_chunk_reader_close(it->reader);
    sl_arena_clear(&it->arena);
}

/* ---- positions: a reader passes over what it gave; a writer goes on with a new chunk */

static sl_code older_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    struct older_iterator *it = (struct older_iterator *)(uintptr_t)self;
    if (it->doing == NOTHING_YET) return SL_OK;
    SL_TRY(sl_state_put_part_int(state, self, to_snapshot(it), ":state", it->doing, err));
    SL_TRY(sl_state_put_part_text(state, self, to_snapshot(it), ":hash_dir", it->folder, err));
    SL_TRY(sl_state_put_int(state, self, ":elements_produced", it->n, err));
    if (it->is_over) return sl_state_put_mark(state, self, ":end_of_sequence", err);
    if (it->doing == WRITING) {
        SL_TRY(close_chunk(it, err));
        SL_TRY(sl_state_put_part_text(state, self, "", ":run", it->run, err));
        SL_TRY(sl_state_put_int(state, self, ":num_chunks", it->n_chunks, err));
    }
    return it->doing == READING ? SL_OK : sl_state_put_input(state, self, NULL, err);
}

static sl_code restore_reader(struct older_iterator *it, const struct sl_state *state, struct sl_error *err) {
    struct sl_pb_SnapshotMetadataRecord m;
    int64_t gone;
    SL_TRY(sl_snapshot_metadata_read(&m, it->folder, &it->arena, err));
    SL_TRY(begin_reading(it, &m, err));
    SL_TRY(sl_state_get_int(&gone, state, &it->base, ":elements_produced", err));
    struct sl_value *element = SL_ARENA_ARRAY(&it->arena, struct sl_value, (size_t)it->base.dataset->n);
    if (!element) return sl_fail_memory(err, (size_t)it->base.dataset->n);
    for (bool is_end = false; it->n < gone && !is_end; it->n++) {
        SL_TRY(read_element(it, element, &is_end, err));
        for (int i = 0; i < it->base.dataset->n; i++) sl_value_clear(&element[i]);
    }
    return SL_OK;
}

/* A run of its own takes over the chunks, unless the name is given: whoever wrote them may go on, too. */
static sl_code take_chunks(struct older_iterator *it, const char *from, int64_t n, struct sl_error *err) {
    for (; it->n_chunks < n; it->n_chunks++) {
        const char *old = sl_snapshot_chunk_path(&it->arena, from, it->n_chunks);
        const char *new = sl_snapshot_chunk_path(&it->arena, it->run, it->n_chunks);
        if (!old || !new) return sl_fail_memory(err, strlen(from));
        if (strcmp(old, new) != 0 && sl_file_link(old, new, NULL) != SL_OK) SL_TRY(sl_file_copy(old, new, err));
    }
    return SL_OK;
}

static sl_code restore_writer(struct older_iterator *it, const struct sl_state *state, struct sl_error *err) {
    const struct sl_iterator *self = &it->base;
    char *run;
    int64_t n;
    it->is_over = sl_state_has(state, self, ":end_of_sequence");
    if (it->is_over) return SL_OK;
    if (!sl_state_has(state, self, ":run"))
        return sl_fail(err, SL_UNIMPLEMENTED, "The saved state of a snapshot that TensorFlow was writing");
    SL_TRY(sl_state_get_int(&n, state, self, ":num_chunks", err));
    SL_TRY(begin_writing(it, err));
    SL_TRY(sl_state_get_part_text(&run, state, self, "", ":run", err));
    sl_code code = take_chunks(it, run, n, err);
    sl_free(run);
    return code == SL_OK ? sl_state_get_input(state, &it->base, SL_ONLY_INPUT, NULL, err) : code;
}

static sl_code older_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct older_iterator *it = (struct older_iterator *)self;
    int64_t doing;
    if (!sl_state_has(state, self, ":state")) return SL_OK;
    SL_TRY(sl_state_get_int(&doing, state, self, ":state", err));
    if (doing < READING || doing > PASSING)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The saved state of a snapshot is of mode %lld", (long long)doing);
    it->doing = (enum doing)doing;
    if (doing == READING) return restore_reader(it, state, err);
    if (doing == WRITING) return restore_writer(it, state, err);
    return sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err);
}

const struct sl_dataset_kind sl_older_snapshot_data = {.name = "Snapshot",
                                                       .path_name = older_path_name,
                                                       .keeps_types = true,
                                                       .state_bytes = sizeof(const char *),
                                                       .iterator_bytes = sizeof(struct older_iterator),
                                                       .init = older_init,
                                                       .cardinality = sl_dataset_input_cardinality,
                                                       .begin = older_begin,
                                                       .next = older_next,
                                                       .end = older_end,
                                                       .save = older_save,
                                                       .restore = older_restore};
