/* Datasets that write their elements into files while they pass, and that read them: SaveDataset, LoadDataset,
 * SnapshotDataset. The older SnapshotDataset is in older_snapshot_data.c. */
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "data/element.h"
#include "data/file_names.h"
#include "data/fingerprint.h"
#include "data/kinds.h"
#include "data/snapshot.h"
#include "data/state.h"
#include "os/file.h"

static const struct sl_snapshot_settings *settings_of(const struct sl_iterator *it) {
    return it->dataset->spec->settings;
}

static sl_code read_path(const char **out, struct sl_dataset *d, struct sl_error *err) {
    struct sl_str path;
    SL_TRY(sl_dataset_string(&path, d, 0, "path", err));
    return sl_file_name_copy(out, path, &d->arena, err);
}

/* Which shard an element belongs to: what function `which` says. */
static sl_code ask_shard(int64_t *out, const struct sl_iterator *self, int which, const struct sl_value *element,
                         struct sl_error *err) {
    const int n = self->dataset->n;
    struct sl_value *args, answer = {0};
    SL_TRY(sl_element_new(&args, n, err));
    for (int i = 0; i < n; i++) args[i] = sl_value_share(&element[i]);
    sl_code code = sl_iterator_call(&answer, self, which, args, n, err);
    sl_element_clear(args, n);
    sl_free(args);
    SL_TRY(code);
    const int64_t *index = answer.dtype == SL_INT64 ? sl_value_scalar(&answer) : NULL;
    if (index) *out = *index;
    sl_value_clear(&answer);
    return index ? SL_OK : sl_fail(err, SL_INVALID_ARGUMENT, "`shard_func` must return a scalar int64.");
}

/* ---- SaveDataset: path, captures; shard_func, where the flag says so */

struct save_iterator {
    struct sl_iterator base;
    struct sl_snapshot_run run; /* begun by the first element that is asked for */
    int64_t n;                  /* elements so far */
    bool is_over;
};

static sl_code save_init(struct sl_dataset *d, struct sl_error *err) {
    SL_TRY(read_path(d->state, d, err));
    return d->spec->flag ? sl_dataset_check_function(d, 0, d->n, 1, err) : SL_OK;
}

static const char *path_of(const struct sl_iterator *it) { return *(const char **)it->dataset->state; }

static sl_code begin_saving(struct save_iterator *it, struct sl_error *err) {
    const struct sl_iterator *self = &it->base;
    return sl_snapshot_run_begin(&it->run, path_of(self), "", self->dataset, settings_of(self)->compression, err);
}

static sl_code save_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct save_iterator *it = (struct save_iterator *)self;
    int64_t shard = 0;
    *is_end = it->is_over;
    if (it->is_over) return SL_OK;
    if (!it->run.path) SL_TRY(begin_saving(it, err));
    SL_TRY(sl_iterator_pull(self, element, is_end, err));
    it->is_over = *is_end;
    if (*is_end) return sl_snapshot_run_finish(&it->run, it->n, err);
    if (self->dataset->spec->flag) SL_TRY(ask_shard(&shard, self, 0, element, err));
    SL_TRY(sl_snapshot_run_add(&it->run, shard, element, self->dataset->n, err));
    it->n++;
    return SL_OK;
}

static sl_code save_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    struct save_iterator *it = (struct save_iterator *)(uintptr_t)self;
    if (it->run.path && !it->is_over) SL_TRY(sl_snapshot_run_save(&it->run, state, self, "", err));
    SL_TRY(sl_state_put_int(state, self, ":num_elements", it->n, err));
    if (it->is_over) SL_TRY(sl_state_put_mark(state, self, ":iteration_completed", err));
    return sl_state_put_input(state, self, NULL, err);
}

static sl_code save_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct save_iterator *it = (struct save_iterator *)self;
    it->is_over = sl_state_has(state, self, ":iteration_completed");
    if (it->is_over) return SL_OK;
    if (sl_state_has(state, self, ":num_elements")) SL_TRY(sl_state_get_int(&it->n, state, self, ":num_elements", err));
    if (sl_state_has(state, self, ":run_id")) {
        SL_TRY(begin_saving(it, err));
        SL_TRY(sl_snapshot_run_restore(&it->run, state, self, "", err));
    }
    return sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err);
}

static void save_end(struct sl_iterator *self) { sl_snapshot_run_clear(&((struct save_iterator *)self)->run); }

const struct sl_dataset_kind sl_save_data = {.name = "SaveV2",
                                             .keeps_types = true,
                                             .opens_input = true,
                                             .state_bytes = sizeof(const char *),
                                             .iterator_bytes = sizeof(struct save_iterator),
                                             .init = save_init,
                                             .cardinality = sl_dataset_input_cardinality,
                                             .next = save_next,
                                             .end = save_end,
                                             .save = save_save,
                                             .restore = save_restore};

/* ---- reading the shards of a run as a function says */

/* An iterator over what function `which` makes of the dataset of the run's shards. */
static sl_code open_shards(struct sl_iterator **out, struct sl_iterator *self, int which, const char *run,
                           struct sl_error *err) {
    struct sl_dataset *shards;
    struct sl_value made = {0};
    SL_TRY(sl_snapshot_shards_dataset(&shards, run, self->dataset, settings_of(self)->compression, err));
    struct sl_value arg = sl_dataset_value(shards);
    sl_code code = sl_iterator_call(&made, self, which, &arg, 1, err);
    sl_value_clear(&arg);
    SL_TRY(code);
    code = sl_iterator_new_over(out, self, SL_ONLY_INPUT, &made, err);
    sl_value_clear(&made);
    return code;
}

/* ---- LoadDataset: path, captures; reader_func */

struct load {
    const char *run;
    int64_t n; /* elements */
};

struct load_iterator {
    struct sl_iterator base;
    int64_t n; /* elements so far */
};

/* A dataset that was not written to its end is none. */
static sl_code load_init(struct sl_dataset *d, struct sl_error *err) {
    struct load *s = d->state;
    const char *path;
    struct sl_pb_SnapshotMetadataRecord m;
    struct sl_error why;
    SL_TRY(read_path(&path, d, err));
    SL_TRY(sl_dataset_check_function(d, 0, 1, 1, err));
    sl_error_clear(&why);
    sl_code code = sl_snapshot_metadata_read(&m, path, &d->arena, &why);
    if (code == SL_NOT_FOUND) return sl_fail(err, code, "Could not find metadata file [%s]", path);
    if (code != SL_OK) return sl_fail(err, code, "%s", why.message);
    if (!m.finalized)
        return sl_fail(err, SL_DATA_LOSS, "%s; the dataset was not saved to its end: save it again", path);
    s->n = m.num_elements;
    s->run = sl_path_join(&d->arena, path, sl_arena_str(&d->arena, m.run_id).p);
    return s->run ? SL_OK : sl_fail_memory(err, m.run_id.n);
}

static int64_t load_cardinality(const struct sl_dataset *d) { return ((const struct load *)d->state)->n; }

static sl_code load_begin(struct sl_iterator *self, struct sl_error *err) {
    return open_shards(&self->input, self, 0, ((const struct load *)self->dataset->state)->run, err);
}

static sl_code load_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    SL_TRY(sl_iterator_pull(self, element, is_end, err));
    ((struct load_iterator *)self)->n += !*is_end;
    return SL_OK;
}

/* The position is a number of elements, which are passed over again: the reader's own would hold datasets. States of
 * TensorFlow have the latter. */
static sl_code load_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    return sl_state_put_int(state, self, ":index", ((const struct load_iterator *)self)->n, err);
}

static sl_code load_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct load_iterator *it = (struct load_iterator *)self;
    int64_t n;
    if (!sl_state_has(state, self, ":index")) return sl_iterator_restore(self->input, state, err);
    SL_TRY(sl_state_get_int(&n, state, self, ":index", err));
    return sl_iterator_skip(&it->n, self, n, err);
}

const struct sl_dataset_kind sl_load_data = {.name = "Load",
                                             .state_bytes = sizeof(struct load),
                                             .iterator_bytes = sizeof(struct load_iterator),
                                             .init = load_init,
                                             .cardinality = load_cardinality,
                                             .begin = load_begin,
                                             .next = load_next,
                                             .save = load_save,
                                             .restore = load_restore};

/* ---- SnapshotDatasetV2: path, captures; reader_func, shard_func. A pass writes until some pass has come to its end; those
 * that begin later read. */

enum { READER_FUNCTION, SHARD_FUNCTION };
enum mode { READS, WRITES, UNKNOWN }; /* as in states */

struct snapshot_iterator {
    struct sl_iterator base;
    enum mode mode;
    struct sl_arena arena;
    char hash[24];
    const char *folder; /* of the snapshots of this dataset */
    struct sl_snapshot_run run;
    int64_t n; /* elements that were asked for */
    bool is_over;
};

static sl_code snapshot_init(struct sl_dataset *d, struct sl_error *err) {
    SL_TRY(read_path(d->state, d, err));
    SL_TRY(sl_dataset_check_function(d, READER_FUNCTION, 1, 1, err));
    return sl_dataset_check_function(d, SHARD_FUNCTION, d->n, 1, err);
}

static void snapshot_path_name(const struct sl_iterator *self, char *text, size_t size) {
    const enum mode mode = ((const struct snapshot_iterator *)self)->mode;
    snprintf(text, size, "%s",
             mode == WRITES  ? "SnapshotWriter::WriterIterator"
             : mode == READS ? "SnapshotReader"
                             : "Snapshot");
}
/* What has to go off the path's end for the names above that states use. */
static const char *to_snapshot(const struct snapshot_iterator *it) {
    return it->mode == WRITES ? "----------------------" : it->mode == READS ? "------" : "";
}
#define TO_WRITER "----------------"

static sl_code snapshot_begin(struct sl_iterator *self, struct sl_error *err) {
    struct snapshot_iterator *it = (struct snapshot_iterator *)self;
    const struct sl_snapshot_settings *s = settings_of(self);
    it->mode = UNKNOWN;
    sl_arena_init(&it->arena);
    uint64_t hash = s->hash;
    if (!s->has_hash)
        SL_TRY(sl_dataset_fingerprint(&hash, self->dataset->inputs[0], sl_data_walk_env(self->walk)->functions, err));
    snprintf(it->hash, sizeof it->hash, "%" PRIu64, hash);
    it->folder = sl_path_join(&it->arena, path_of(self), it->hash);
    return it->folder ? SL_OK : sl_fail_memory(err, strlen(path_of(self)));
}

static sl_code begin_writing(struct snapshot_iterator *it, struct sl_error *err) {
    struct sl_iterator *self = &it->base;
    it->mode = WRITES;
    sl_code code = sl_iterator_open_input(self, SL_ONLY_INPUT, 0, err);
    if (code == SL_OK)
        code =
            sl_snapshot_run_begin(&it->run, it->folder, it->hash, self->dataset, settings_of(self)->compression, err);
    if (code != SL_OK) it->mode = UNKNOWN;
    return code;
}

static sl_code begin_reading(struct snapshot_iterator *it, const struct sl_pb_SnapshotMetadataRecord *m,
                             struct sl_error *err) {
    const char *run = sl_arena_str(&it->arena, m->run_id).p;
    run = run ? sl_path_join(&it->arena, it->folder, run) : NULL;
    if (!run) return sl_fail_memory(err, m->run_id.n);
    it->mode = READS;
    sl_code code = open_shards(&it->base.input, &it->base, READER_FUNCTION, run, err);
    if (code != SL_OK) it->mode = UNKNOWN;
    return code;
}

/* Decides what the pass does; asked again after a failure. */
static sl_code choose(struct snapshot_iterator *it, struct sl_error *err) {
    struct sl_pb_SnapshotMetadataRecord m;
    struct sl_error why;
    sl_error_clear(&why);
    sl_code code = sl_snapshot_metadata_read(&m, it->folder, &it->arena, &why);
    if (code == SL_NOT_FOUND || (code == SL_OK && !m.finalized)) return begin_writing(it, err);
    return code == SL_OK ? begin_reading(it, &m, err) : sl_fail(err, code, "%s", why.message);
}

static sl_code snapshot_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct snapshot_iterator *it = (struct snapshot_iterator *)self;
    int64_t shard;
    *is_end = it->is_over;
    if (it->is_over) return SL_OK;
    if (it->mode == UNKNOWN) SL_TRY(choose(it, err));
    SL_TRY(sl_iterator_pull(self, element, is_end, err));
    it->n++;
    it->is_over = *is_end;
    if (it->mode == READS) return SL_OK;
    if (*is_end) return sl_snapshot_run_finish(&it->run, -1, err);
    SL_TRY(ask_shard(&shard, self, SHARD_FUNCTION, element, err));
    return sl_snapshot_run_add(&it->run, shard, element, self->dataset->n, err);
}

static sl_code snapshot_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    struct snapshot_iterator *it = (struct snapshot_iterator *)(uintptr_t)self;
    if (it->mode == UNKNOWN) return SL_OK;
    SL_TRY(sl_state_put_part_int(state, self, to_snapshot(it), ":iterator_mode", it->mode, err));
    SL_TRY(sl_state_put_part_int(state, self, to_snapshot(it), ":index", it->n, err));
    SL_TRY(sl_state_put_part_text(state, self, to_snapshot(it), ":graph_hash_directory", it->folder, err));
    if (it->mode == READS) return SL_OK;
    if (it->is_over) return sl_state_put_part_text(state, self, TO_WRITER, ":iteration_completed", NULL, err);
    SL_TRY(sl_snapshot_run_save(&it->run, state, self, TO_WRITER, err));
    return sl_state_put_input(state, self, NULL, err);
}

/* A position among what is read is a number of elements: they are passed over again. */
static sl_code restore_reader(struct snapshot_iterator *it, struct sl_error *err) {
    struct sl_pb_SnapshotMetadataRecord m;
    int64_t gone;
    SL_TRY(sl_snapshot_metadata_read(&m, it->folder, &it->arena, err));
    SL_TRY(begin_reading(it, &m, err));
    return sl_iterator_skip(&gone, &it->base, it->n, err);
}

static sl_code snapshot_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct snapshot_iterator *it = (struct snapshot_iterator *)self;
    int64_t mode;
    if (!sl_state_has(state, self, ":iterator_mode")) return SL_OK;
    SL_TRY(sl_state_get_int(&mode, state, self, ":iterator_mode", err));
    SL_TRY(sl_state_get_int(&it->n, state, self, ":index", err));
    if (mode == READS) return restore_reader(it, err);
    if (mode != WRITES)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The saved state of a snapshot is of mode %lld", (long long)mode);
    it->mode = WRITES;
    it->is_over = sl_state_has_part(state, self, TO_WRITER, ":iteration_completed");
    if (it->is_over) return SL_OK;
    SL_TRY(begin_writing(it, err));
    SL_TRY(sl_snapshot_run_restore(&it->run, state, self, TO_WRITER, err));
    return sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err);
}

static void snapshot_end(struct sl_iterator *self) {
    struct snapshot_iterator *it = (struct snapshot_iterator *)self;
    sl_snapshot_run_clear(&it->run);
    sl_arena_clear(&it->arena);
}

const struct sl_dataset_kind sl_snapshot_data = {.name = "Snapshot",
                                                 .path_name = snapshot_path_name,
                                                 .keeps_types = true,
                                                 .state_bytes = sizeof(const char *),
                                                 .iterator_bytes = sizeof(struct snapshot_iterator),
                                                 .init = snapshot_init,
                                                 .cardinality = sl_dataset_input_cardinality,
                                                 .begin = snapshot_begin,
                                                 .next = snapshot_next,
                                                 .end = snapshot_end,
                                                 .save = snapshot_save,
                                                 .restore = snapshot_restore};
