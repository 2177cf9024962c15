/* The functions of sluice/checkpoint_file.h: handles around ckpt's readers and writers. */
#include "sluice/checkpoint_file.h"

#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "ckpt/checkpoint.h"
#include "ckpt/checkpoint_state.h"
#include "os/file.h"

struct sl_checkpoint_reader {
    struct sl_arena arena;
    const char *prefix;
    struct sl_checkpoint *checkpoint;
    struct sl_bundle_entry *entries; /* of tensors; in the arena, their keys NUL-terminated */
    size_t n;
};

/* A directory stands for the latest checkpoint that its file `checkpoint` names. */
static sl_code find_in_dir(struct sl_checkpoint_reader *r, const char *dir, struct sl_error *err) {
    sl_code code = sl_checkpoint_latest(&r->prefix, dir, &r->arena, err);
    if (code != SL_NOT_FOUND) return code;
    const char *prefix = sl_path_join(&r->arena, dir, "variables/variables"); /* or it is a SavedModel */
    if (!prefix) return sl_fail_memory(err, strlen(dir));
    if (sl_checkpoint_exists(prefix, NULL) != SL_OK) {
        sl_error_clear(err);
        return sl_fail(err, SL_NOT_FOUND, "%s; the directory has no checkpoint, and no variables of a SavedModel", dir);
    }
    r->prefix = prefix;
    return SL_OK;
}

/* Otherwise `path` is the prefix. */
static sl_code find_prefix(struct sl_checkpoint_reader *r, const char *path, struct sl_error *err) {
    struct sl_file_info info;
    if (sl_file_stat(&info, path, NULL) == SL_OK && info.is_dir) return find_in_dir(r, path, err);
    size_t n = strlen(path), end = sizeof ".index" - 1; /* the file's own name is meant well */
    if (n > end && strcmp(path + n - end, ".index") == 0) n -= end;
    r->prefix = sl_arena_str(&r->arena, (struct sl_str){path, n}).p;
    return r->prefix ? SL_OK : sl_fail_memory(err, n);
}

static sl_code open_reader(struct sl_checkpoint_reader *r, const char *path, struct sl_error *err) {
    SL_TRY(find_prefix(r, path, err));
    SL_TRY(sl_checkpoint_open(&r->checkpoint, r->prefix, sl_pool_shared(), err));
    SL_TRY(sl_checkpoint_list(&r->entries, &r->n, r->checkpoint, &r->arena, err));
    return r->n <= INT32_MAX ? SL_OK : sl_fail(err, SL_RESOURCE_EXHAUSTED, "%s; too many tensors", r->prefix);
}

struct sl_checkpoint_reader *sl_checkpoint_reader_new(const char *path, TF_Status *status) {
    struct sl_error err;
    struct sl_checkpoint_reader *r = sl_calloc(1, sizeof *r);
    if (!r) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    sl_arena_init(&r->arena);
    if (sl_status_take(status, open_reader(r, path, &err), &err)) return r;
    sl_checkpoint_reader_delete(r);
    return NULL;
}

void sl_checkpoint_reader_delete(struct sl_checkpoint_reader *reader) {
    if (!reader) return;
    sl_checkpoint_close(reader->checkpoint);
    sl_arena_clear(&reader->arena);
    sl_free(reader);
}

const char *sl_checkpoint_reader_prefix(const struct sl_checkpoint_reader *reader) { return reader->prefix; }
int sl_checkpoint_reader_version(const struct sl_checkpoint_reader *reader) {
    return sl_checkpoint_version(reader->checkpoint);
}
int sl_checkpoint_reader_count(const struct sl_checkpoint_reader *reader) { return (int)reader->n; }

unsigned char sl_checkpoint_reader_tensor(struct sl_checkpoint_tensor *out, const struct sl_checkpoint_reader *reader,
                                          int number) {
    if (number < 0 || (size_t)number >= reader->n) return 0;
    const struct sl_bundle_entry *e = &reader->entries[number];
    int pieces = e->n_slices > INT32_MAX ? INT32_MAX : (int)e->n_slices;
    if (pieces == 1 && sl_checkpoint_reader_version(reader) == 1) pieces = 0; /* version 1 has slices always */
    *out = (struct sl_checkpoint_tensor){e->key.p, (TF_DataType)e->dtype, e->shape.rank, e->shape.dims, pieces};
    return 1;
}

TF_Tensor *sl_checkpoint_reader_read(struct sl_checkpoint_reader *reader, const char *name, TF_Status *status) {
    struct sl_error err;
    struct sl_tensor *t;
    TF_Tensor *handle = NULL;
    sl_code code = sl_checkpoint_read(&t, reader->checkpoint, sl_str_of(name), NULL, &err);
    if (code == SL_OK) code = sl_tensor_handle_try(&handle, t, &err);
    sl_status_take(status, code, &err);
    return handle;
}

/* ---- writing */

struct sl_checkpoint_writer {
    struct sl_bundle_writer *bundle;
};

struct sl_checkpoint_writer *sl_checkpoint_writer_new(const char *prefix, TF_Status *status) {
    struct sl_error err;
    struct sl_checkpoint_writer *w = sl_calloc(1, sizeof *w);
    if (!w) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    struct sl_bundle_writer_options options = {.pool = sl_pool_shared()};
    if (sl_status_take(status, sl_bundle_writer_open(&w->bundle, prefix, &options, &err), &err)) return w;
    sl_free(w);
    return NULL;
}

void sl_checkpoint_writer_add(struct sl_checkpoint_writer *writer, const char *name, const TF_Tensor *tensor,
                              TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, sl_bundle_writer_add(writer->bundle, sl_str_of(name), tensor->tensor, &err), &err);
}

void sl_checkpoint_writer_finish(struct sl_checkpoint_writer *writer, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, sl_bundle_writer_finish(writer->bundle, &err), &err);
    sl_free(writer);
}

void sl_checkpoint_writer_delete(struct sl_checkpoint_writer *writer) {
    if (!writer) return;
    sl_bundle_writer_abandon(writer->bundle);
    sl_free(writer);
}

void sl_checkpoint_merge(const char *const *prefixes, int num_prefixes, const char *destination, TF_Status *status) {
    struct sl_error err;
    size_t n = num_prefixes > 0 ? (size_t)num_prefixes : 0;
    sl_status_take(status, sl_bundle_merge(prefixes, n, destination, true, false, &err), &err);
}
