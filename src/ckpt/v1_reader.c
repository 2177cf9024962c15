/* Reading checkpoints of version 1. The lists of all files are joined when they are opened; tensors are put together
 * from the slices of any of them. */
#include "base/alloc.h"
#include "base/checked.h"
#include "base/str_map.h"
#include "base/vec.h"
#include "ckpt/bundle_entry.h"
#include "ckpt/checkpoint_v1.h"
#include "ckpt/sorted_table.h"
#include "os/file.h"
#include "proto/wire.h"
#include "tensor/tensor_proto.h"

struct v1_file {
    struct sl_mapping mapping;
    struct sl_sorted_table table;
};

/* One tensor: `files[i]` has `entry.slices[i]`. */
struct v1_tensor {
    struct sl_bundle_entry entry;
    uint32_t *files;
};

struct sl_v1_reader {
    struct sl_arena arena; /* all that follows but the files */
    struct v1_file *files;
    size_t n_files;
    struct sl_str_map tensors;
};

enum { V1_VERSION = 1 };

/* ---- opening */

static sl_code bad(const struct v1_file *file, struct sl_str name, const char *why, struct sl_error *err) {
    return sl_fail(err, SL_DATA_LOSS, "%s; tensor '%.*s' %s", file->table.path, SL_STR_ARG(name), why);
}

static sl_code new_tensor(struct v1_tensor **out, struct sl_v1_reader *r, const struct v1_file *file,
                          const struct sl_pb_SavedSliceMeta *meta, struct sl_error *err) {
    struct v1_tensor *t = SL_ARENA_NEW(&r->arena, struct v1_tensor);
    size_t rank = meta->shape ? meta->shape->dim.n : 0;
    int64_t count;
    if (rank > SL_MAX_RANK || (meta->shape && meta->shape->unknown_rank))
        return bad(file, meta->name, "has no proper shape", err);
    int64_t *dims = SL_ARENA_ARRAY(&r->arena, int64_t, rank + 1);
    if (!t || !dims) return sl_fail_memory(err, sizeof *t);
    for (size_t i = 0; i < rank; i++) dims[i] = meta->shape->dim.items[i].size;
    t->entry = (struct sl_bundle_entry){.key = sl_arena_str(&r->arena, meta->name), .dtype = meta->type};
    t->entry.shape = (struct sl_shape){(int)rank, dims};
    if (!t->entry.key.p) return sl_fail_memory(err, meta->name.n);
    if (sl_shape_count(&count, t->entry.shape, NULL) != SL_OK) return bad(file, meta->name, "has no proper shape", err);
    if (!sl_dtype_is_valid(meta->type)) return bad(file, meta->name, "has no type", err);
    if (sl_str_map_put(&r->tensors, t->entry.key, t)) return sl_fail_memory(err, sizeof *t);
    *out = t;
    return SL_OK;
}

static bool is_same(const struct v1_tensor *t, const struct sl_pb_SavedSliceMeta *meta) {
    size_t rank = meta->shape ? meta->shape->dim.n : 0;
    if (t->entry.dtype != meta->type || (size_t)t->entry.shape.rank != rank) return false;
    for (size_t i = 0; i < rank; i++)
        if (t->entry.shape.dims[i] != meta->shape->dim.items[i].size) return false;
    return true;
}

static sl_code add_tensor(struct sl_v1_reader *r, uint32_t file_number, const struct sl_pb_SavedSliceMeta *meta,
                          struct sl_error *err) {
    const struct v1_file *file = &r->files[file_number];
    struct v1_tensor *t = sl_str_map_get(&r->tensors, meta->name);
    if (!t) SL_TRY(new_tensor(&t, r, file, meta, err));
    else if (!is_same(t, meta)) return bad(file, meta->name, "has another type or shape in another file", err);
    size_t old = t->entry.n_slices, n = old + meta->slice.n;
    struct sl_tensor_slice *slices = SL_ARENA_ARRAY(&r->arena, struct sl_tensor_slice, n + 1);
    uint32_t *files = SL_ARENA_ARRAY(&r->arena, uint32_t, n + 1);
    if (!slices || !files) return sl_fail_memory(err, n * sizeof *slices);
    if (old) memcpy(slices, t->entry.slices, old * sizeof *slices);
    if (old) memcpy(files, t->files, old * sizeof *files);
    for (size_t i = old; i < n; i++) {
        struct sl_tensor_slice resolved;
        if (sl_tensor_slice_from_proto(&slices[i], &meta->slice.items[i - old], NULL) != SL_OK)
            return bad(file, meta->name, "has a bad slice", err);
        resolved = slices[i];
        if (sl_tensor_slice_resolve(&resolved, t->entry.shape, NULL) != SL_OK)
            return bad(file, meta->name, "has a slice that lies outside of its shape", err);
        files[i] = file_number;
    }
    t->entry.slices = slices;
    t->entry.n_slices = n;
    t->files = files;
    return SL_OK;
}

static sl_code add_list(struct sl_v1_reader *r, uint32_t number, struct sl_str bytes, struct sl_arena *arena,
                        struct sl_error *err) {
    struct sl_pb_SavedTensorSlices saved;
    const char *path = r->files[number].table.path;
    sl_code code = sl_pb_decode(&saved, SL_PB_TYPE(SavedTensorSlices), bytes, arena, err);
    if (code == SL_RESOURCE_EXHAUSTED) return code;
    if (code != SL_OK || !saved.meta) return sl_fail(err, SL_DATA_LOSS, "%s; the list of tensors is malformed", path);
    if (saved.meta->versions && saved.meta->versions->min_consumer > V1_VERSION)
        return sl_fail(err, SL_INVALID_ARGUMENT, "%s; the checkpoint wants a reader of version %d, this one has %d",
                       path, saved.meta->versions->min_consumer, V1_VERSION);
    for (size_t i = 0; i < saved.meta->tensor.n; i++) SL_TRY(add_tensor(r, number, &saved.meta->tensor.items[i], err));
    return SL_OK;
}

static sl_code open_file(struct sl_v1_reader *r, uint32_t number, const char *path, struct sl_error *err) {
    struct v1_file *file = &r->files[number];
    struct sl_sorted_table_cursor cursor = {0};
    SL_TRY(sl_mapping_open(&file->mapping, path, err));
    if (sl_sorted_table_open(&file->table, path, (struct sl_str){file->mapping.data, file->mapping.size}, err) !=
        SL_OK) {
        sl_error_append(err, ": perhaps your file is in a different file format and you need to use a different "
                             "restore operator?");
        return err ? err->code : SL_DATA_LOSS;
    }
    sl_code code = sl_cursor_seek(&cursor, &file->table, SL_STR(""), err);
    if (code == SL_OK && (!cursor.is_valid || cursor.key.n))
        code = sl_fail(err, SL_DATA_LOSS, "%s; the file has no list of tensors", path);
    if (code == SL_OK) {
        struct sl_arena arena;
        sl_arena_init(&arena);
        code = add_list(r, number, cursor.value, &arena, err);
        sl_arena_clear(&arena);
    }
    sl_cursor_clear(&cursor);
    return code;
}

static sl_code open_all(struct sl_v1_reader *r, const char *pattern, struct sl_error *err) {
    char **paths;
    size_t n;
    SL_TRY(sl_path_glob(&paths, &n, pattern, &r->arena, err));
    if (n == 0)
        return sl_fail(err, SL_NOT_FOUND,
                       "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for %s", pattern);
    r->files = SL_ARENA_ARRAY(&r->arena, struct v1_file, n);
    if (!r->files) return sl_fail_memory(err, n * sizeof *r->files);
    r->n_files = n;
    for (size_t i = 0; i < n; i++) SL_TRY(open_file(r, (uint32_t)i, paths[i], err));
    return SL_OK;
}

sl_code sl_v1_open(struct sl_v1_reader **out, const char *pattern, struct sl_error *err) {
    struct sl_v1_reader *r = sl_calloc(1, sizeof *r);
    if (!r) return sl_fail_memory(err, sizeof *r);
    sl_arena_init(&r->arena);
    sl_code code = open_all(r, pattern, err);
    if (code == SL_OK) *out = r;
    else sl_v1_close(r);
    return code;
}

void sl_v1_close(struct sl_v1_reader *r) {
    if (!r) return;
    for (size_t i = 0; i < r->n_files; i++) {
        sl_sorted_table_close(&r->files[i].table);
        sl_mapping_close(&r->files[i].mapping);
    }
    sl_str_map_free(&r->tensors);
    sl_arena_clear(&r->arena);
    sl_free(r);
}

/* ---- looking up */

static sl_code find(struct v1_tensor **out, struct sl_v1_reader *r, struct sl_str name, struct sl_error *err) {
    *out = sl_str_map_get(&r->tensors, name);
    if (*out) return SL_OK;
    return sl_fail(err, SL_NOT_FOUND, "Tensor name \"%.*s\" not found in checkpoint files %s", SL_STR_ARG(name),
                   r->files[0].table.path);
}

sl_code sl_v1_find(struct sl_bundle_entry *out, struct sl_v1_reader *r, struct sl_str name, struct sl_error *err) {
    struct v1_tensor *t;
    SL_TRY(find(&t, r, name, err));
    *out = t->entry;
    return SL_OK;
}

sl_code sl_v1_list(struct sl_bundle_entry **out, size_t *n, struct sl_v1_reader *r, struct sl_arena *arena,
                   struct sl_error *err) {
    *n = 0;
    *out = SL_ARENA_ARRAY(arena, struct sl_bundle_entry, r->tensors.n + 1);
    if (!*out) return sl_fail_memory(err, r->tensors.n * sizeof **out);
    for (struct sl_str_map_entry *e = sl_str_map_first(&r->tensors); e; e = sl_str_map_next(&r->tensors, e))
        (*out)[(*n)++] = ((struct v1_tensor *)e->value)->entry;
    sl_bundle_entries_sort(*out, *n);
    return SL_OK;
}

/* ---- elements */

/* Whether the message holds all `count` elements, and not one value for many. */
static bool has_elements(const struct sl_pb_TensorProto *p, int dtype, uint64_t count) {
    size_t n;
    switch (dtype) {
    case SL_FLOAT: n = p->float_val.n; break;
    case SL_DOUBLE: n = p->double_val.n; break;
    case SL_INT64: n = p->int64_val.n; break;
    case SL_BOOL: n = p->bool_val.n; break;
    case SL_HALF:
    case SL_BFLOAT16: n = p->half_val.n; break;
    case SL_COMPLEX64: n = p->scomplex_val.n / 2; break;
    case SL_COMPLEX128: n = p->dcomplex_val.n / 2; break;
    case SL_STRING: n = p->string_val.n; break;
    case SL_UINT32: n = p->uint32_val.n; break;
    case SL_UINT64: n = p->uint64_val.n; break;
    default: n = sl_set_has(SL_SET_FLOAT8, dtype) ? p->float8_val.n : p->int_val.n; break;
    }
    return n >= count || p->tensor_content.n >= count;
}

/* The message of one stored slice as a tensor of its shape. */
static sl_code slice_from_bytes(struct sl_tensor **out, const struct v1_file *file, const struct sl_bundle_entry *e,
                                const struct sl_tensor_slice *all, struct sl_str bytes, struct sl_arena *arena,
                                struct sl_error *err) {
    struct sl_pb_SavedTensorSlices saved;
    int64_t dims[SL_MAX_RANK];
    for (int i = 0; i < all->rank; i++) dims[i] = all->dims[i].length;
    sl_code code = sl_pb_decode(&saved, SL_PB_TYPE(SavedTensorSlices), bytes, arena, err);
    if (code == SL_RESOURCE_EXHAUSTED) return code;
    if (code != SL_OK || !saved.data || !saved.data->data || !sl_str_eq(saved.data->name, e->key) ||
        !has_elements(saved.data->data, e->dtype, (uint64_t)sl_tensor_slice_count(all)))
        return bad(file, e->key, "has a malformed slice", err);
    saved.data->data->dtype = e->dtype;
    SL_TRY(sl_shape_to_proto(&saved.data->data->tensor_shape, (struct sl_shape){all->rank, dims}, arena, err));
    return sl_tensor_from_proto(out, saved.data->data, err);
}

/* Stored slice `i`; `all` is what it is of the whole. */
static sl_code read_stored(struct sl_tensor **out, struct sl_v1_reader *r, const struct v1_tensor *t, size_t i,
                           const struct sl_tensor_slice *all, struct sl_error *err) {
    const struct v1_file *file = &r->files[t->files[i]];
    struct sl_sorted_table_cursor cursor = {0};
    struct sl_arena arena;
    sl_arena_init(&arena);
    struct sl_str key = sl_slice_key(t->entry.key, &t->entry.slices[i], &arena);
    sl_code code = key.p ? sl_cursor_seek(&cursor, &file->table, key, err) : sl_fail_memory(err, t->entry.key.n);
    if (code == SL_OK && (!cursor.is_valid || !sl_str_eq(cursor.key, key)))
        code = bad(file, t->entry.key, "lacks a slice that the list names", err);
    if (code == SL_OK) code = slice_from_bytes(out, file, &t->entry, all, cursor.value, &arena, err);
    sl_cursor_clear(&cursor);
    sl_arena_clear(&arena);
    return code;
}

/* Copies stored slice `i` where it meets `wanted`; makes `*t` for the first. */
static sl_code add_stored(struct sl_tensor **t, struct sl_v1_reader *r, const struct v1_tensor *from, size_t i,
                          const struct sl_tensor_slice *wanted, struct sl_error *err) {
    struct sl_tensor_slice all = from->entry.slices[i], part;
    SL_TRY(sl_tensor_slice_resolve(&all, from->entry.shape, err));
    bool is_empty = sl_tensor_slice_count(wanted) == 0 && sl_tensor_slice_count(&all) == 0;
    if (!sl_tensor_slice_cut(&part, &all, wanted) && !is_empty) return SL_OK;
    struct sl_tensor *stored;
    SL_TRY(read_stored(&stored, r, from, i, &all, err));
    sl_code code = SL_OK;
    if (!*t) {
        int64_t dims[SL_MAX_RANK];
        for (int k = 0; k < wanted->rank; k++) dims[k] = wanted->dims[k].length;
        code = sl_tensor_new(t, from->entry.dtype, (struct sl_shape){wanted->rank, dims}, err);
        if (code == SL_OK && sl_dtype_is_plain((*t)->dtype)) memset((*t)->data, 0, (*t)->bytes);
    }
    if (code == SL_OK && !is_empty)
        code = sl_tensor_slice_copy(from->entry.dtype, (*t)->data, wanted, stored->data, &all, &part, err);
    sl_tensor_unref(stored);
    return code;
}

/* Elements of `wanted` that are in stored slices. */
static int64_t count_stored(const struct v1_tensor *t, const struct sl_tensor_slice *wanted) {
    int64_t found = 0;
    for (size_t i = 0; i < t->entry.n_slices; i++) {
        struct sl_tensor_slice all = t->entry.slices[i], part;
        if (sl_tensor_slice_resolve(&all, t->entry.shape, NULL) == SL_OK && sl_tensor_slice_cut(&part, &all, wanted) &&
            !sl_add_i64(&found, found, sl_tensor_slice_count(&part)))
            return -1;
    }
    return found;
}

/* An element takes a byte at least, of which compression makes a few. */
static bool may_hold(const struct sl_v1_reader *r, int64_t count) {
    enum { EXPANSION = 22 };
    uint64_t bytes = 0;
    for (size_t i = 0; i < r->n_files; i++) bytes += r->files[i].mapping.size;
    return (uint64_t)count / EXPANSION <= bytes;
}

sl_code sl_v1_read(struct sl_tensor **out, struct sl_v1_reader *r, struct sl_str name,
                   const struct sl_tensor_slice *slice, struct sl_error *err) {
    struct v1_tensor *from;
    struct sl_tensor_slice wanted;
    struct sl_tensor *t = NULL;
    SL_TRY(find(&from, r, name, err));
    if (!sl_dtype_is_plain(from->entry.dtype) && from->entry.dtype != SL_STRING)
        return sl_fail(err, SL_UNIMPLEMENTED, "%s; tensor '%.*s' is of type %s, which cannot be restored",
                       r->files[0].table.path, SL_STR_ARG(name), sl_dtype_name(from->entry.dtype));
    if (slice) wanted = *slice;
    else sl_tensor_slice_full(&wanted, from->entry.shape.rank);
    SL_TRY(sl_tensor_slice_resolve(&wanted, from->entry.shape, err));
    if (count_stored(from, &wanted) != sl_tensor_slice_count(&wanted))
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "%s; the stored slices of tensor '%.*s' do not make up what is wanted of it",
                       r->files[0].table.path, SL_STR_ARG(name));
    if (!may_hold(r, sl_tensor_slice_count(&wanted)))
        return sl_fail(err, SL_DATA_LOSS, "%s; the files are too short to hold tensor '%.*s'", r->files[0].table.path,
                       SL_STR_ARG(name));
    sl_code code = SL_OK;
    for (size_t i = 0; code == SL_OK && i < from->entry.n_slices; i++) code = add_stored(&t, r, from, i, &wanted, err);
    if (code == SL_OK && !t) code = sl_fail(err, SL_NOT_FOUND, "no slice of tensor '%.*s' is stored", SL_STR_ARG(name));
    if (code == SL_OK) *out = t;
    else sl_tensor_unref(t);
    return code;
}
