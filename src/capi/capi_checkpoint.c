/* TF_CheckpointReader: the tensors of a checkpoint of either version, by name. The list is read when it is opened; a
 * tensor's elements when they are asked for. What is stored in slices is put together. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "ckpt/checkpoint.h"
#include "tensorflow/c/c_api_experimental.h"

struct TF_CheckpointReader {
    struct sl_checkpoint *file;
    struct sl_arena arena;
    struct sl_bundle_entry *entries; /* by key; in the arena, their keys NUL-terminated */
    size_t n;
};

TF_CheckpointReader *TF_NewCheckpointReader(const char *filename, TF_Status *status) {
    struct sl_error err;
    TF_CheckpointReader *r = sl_calloc(1, sizeof *r);
    if (!r) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    sl_arena_init(&r->arena);
    sl_code code = sl_checkpoint_open(&r->file, filename, sl_pool_shared(), &err);
    if (code == SL_OK) code = sl_checkpoint_list(&r->entries, &r->n, r->file, &r->arena, &err);
    if (sl_status_take(status, code, &err)) return r;
    TF_DeleteCheckpointReader(r);
    return NULL;
}

void TF_DeleteCheckpointReader(TF_CheckpointReader *reader) {
    if (!reader) return;
    sl_checkpoint_close(reader->file);
    sl_arena_clear(&reader->arena);
    sl_free(reader);
}

static int compare(const void *name, const void *entry) {
    return sl_str_cmp(*(const struct sl_str *)name, ((const struct sl_bundle_entry *)entry)->key);
}

/* NULL when there is no such tensor. */
static const struct sl_bundle_entry *find(const TF_CheckpointReader *r, const char *name) {
    struct sl_str key = sl_str_of(name);
    return r->n ? bsearch(&key, r->entries, r->n, sizeof *r->entries, compare) : NULL;
}

static sl_code need(const struct sl_bundle_entry **out, const TF_CheckpointReader *r, const char *name,
                    struct sl_error *err) {
    *out = find(r, name);
    if (*out) return SL_OK;
    const char *text =
        sl_checkpoint_version(r->file) == 2 ? "Key %s not found in checkpoint" : "%s not found in checkpoint file";
    return sl_fail(err, SL_NOT_FOUND, text, name);
}

int TF_CheckpointReaderHasTensor(TF_CheckpointReader *reader, const char *name) { return find(reader, name) != NULL; }

int TF_CheckpointReaderSize(TF_CheckpointReader *reader) { return (int)reader->n; }

const char *TF_CheckpointReaderGetVariable(TF_CheckpointReader *reader, int index) {
    return index >= 0 && (size_t)index < reader->n ? reader->entries[index].key.p : NULL;
}

TF_DataType TF_CheckpointReaderGetVariableDataType(TF_CheckpointReader *reader, const char *name) {
    const struct sl_bundle_entry *entry = find(reader, name);
    return (TF_DataType)(entry ? entry->dtype : 0);
}

int TF_CheckpointReaderGetVariableNumDims(TF_CheckpointReader *reader, const char *name) {
    const struct sl_bundle_entry *entry = find(reader, name);
    return entry ? entry->shape.rank : -1;
}

static sl_code get_shape(int64_t *dims, int num_dims, const TF_CheckpointReader *r, const char *name,
                         struct sl_error *err) {
    const struct sl_bundle_entry *entry;
    SL_TRY(need(&entry, r, name, err));
    int rank = entry->shape.rank;
    if (rank != num_dims)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Expected rank is %d but actual rank is %d", num_dims, rank);
    if (rank > 0) memcpy(dims, entry->shape.dims, (size_t)rank * sizeof *dims);
    return SL_OK;
}

void TF_CheckpointReaderGetVariableShape(TF_CheckpointReader *reader, const char *name, int64_t *dims, int num_dims,
                                         TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, get_shape(dims, num_dims, reader, name, &err), &err);
}

static sl_code get_tensor(TF_Tensor **out, TF_CheckpointReader *r, const char *name, struct sl_error *err) {
    const struct sl_bundle_entry *entry;
    struct sl_tensor *tensor;
    SL_TRY(need(&entry, r, name, err));
    SL_TRY(sl_checkpoint_read(&tensor, r->file, entry->key, NULL, err));
    return sl_tensor_handle_try(out, tensor, err);
}

TF_Tensor *TF_CheckpointReaderGetTensor(TF_CheckpointReader *reader, const char *name, TF_Status *status) {
    struct sl_error err;
    TF_Tensor *tensor = NULL;
    sl_status_take(status, get_tensor(&tensor, reader, name, &err), &err);
    return tensor;
}
