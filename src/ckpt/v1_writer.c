/* Writing checkpoints of version 1. A table is written in the order of its keys, so tensors are held until all are
 * known. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/str_map.h"
#include "base/vec.h"
#include "ckpt/checkpoint_v1.h"
#include "ckpt/sorted_table.h"
#include "os/file.h"
#include "proto/wire.h"
#include "tensor/tensor_proto.h"

/* A tensor in the list. */
struct v1_listed {
    struct sl_str name;
    int dtype;
    struct sl_shape shape;
    size_t n_slices;
    struct sl_pb_SavedSliceMeta *meta; /* while the file is written */
};

struct v1_piece {
    struct sl_str key;
    struct v1_listed *of;
    struct sl_tensor_slice slice;
    struct sl_tensor *tensor;
};

struct sl_v1_writer {
    struct sl_arena arena;
    const char *path;
    SL_VEC(struct v1_piece) pieces;
    SL_VEC(struct v1_listed *) tensors;
    struct sl_str_map by_name, by_key;
};

enum { V1_VERSION = 1 };

sl_code sl_v1_writer_open(struct sl_v1_writer **out, const char *path, struct sl_error *err) {
    struct sl_v1_writer *w = sl_calloc(1, sizeof *w);
    if (!w) return sl_fail_memory(err, sizeof *w);
    sl_arena_init(&w->arena);
    w->path = sl_arena_str(&w->arena, sl_str_of(path)).p;
    if (!w->path) {
        sl_free(w);
        return sl_fail_memory(err, strlen(path));
    }
    *out = w;
    return SL_OK;
}

void sl_v1_writer_abandon(struct sl_v1_writer *w) {
    if (!w) return;
    for (size_t i = 0; i < w->pieces.n; i++) sl_tensor_unref(w->pieces.items[i].tensor);
    sl_vec_free(&w->pieces);
    sl_vec_free(&w->tensors);
    sl_str_map_free(&w->by_name);
    sl_str_map_free(&w->by_key);
    sl_arena_clear(&w->arena);
    sl_free(w);
}

/* ---- adding */

static sl_code find_tensor(struct v1_listed **out, struct sl_v1_writer *w, struct sl_str name, int dtype,
                           struct sl_shape shape, struct sl_error *err) {
    struct v1_listed *e = sl_str_map_get(&w->by_name, name);
    if (e) {
        *out = e;
        if (e->dtype == dtype && sl_shape_equal(e->shape, shape)) return SL_OK;
        return sl_fail(err, SL_INVALID_ARGUMENT, "The slices of '%.*s' differ in type or shape of the whole",
                       SL_STR_ARG(name));
    }
    e = SL_ARENA_NEW(&w->arena, struct v1_listed);
    if (!e) return sl_fail_memory(err, sizeof *e);
    *e = (struct v1_listed){.name = sl_arena_str(&w->arena, name), .dtype = dtype};
    e->shape = sl_shape_copy(&w->arena, shape);
    if (!e->name.p || e->shape.rank < 0 || sl_vec_push(&w->tensors, e) || sl_str_map_put(&w->by_name, e->name, e))
        return sl_fail_memory(err, name.n);
    *out = e;
    return SL_OK;
}

sl_code sl_v1_writer_add(struct sl_v1_writer *w, struct sl_str name, struct sl_shape full,
                         const struct sl_tensor_slice *slice, struct sl_tensor *t, struct sl_error *err) {
    struct v1_piece piece = {.tensor = t};
    struct v1_listed *e = NULL;
    if (!sl_dtype_is_plain(t->dtype) && t->dtype != SL_STRING)
        return sl_fail(err, SL_UNIMPLEMENTED, "tensor '%.*s' is of type %s, which cannot be saved", SL_STR_ARG(name),
                       sl_dtype_name(t->dtype));
    if (slice) piece.slice = *slice;
    else sl_tensor_slice_full(&piece.slice, full.rank);
    struct sl_tensor_slice resolved = piece.slice;
    SL_TRY(sl_tensor_slice_resolve(&resolved, full, err));
    bool fits = t->rank == resolved.rank;
    for (int i = 0; fits && i < t->rank; i++) fits = t->dims[i] == resolved.dims[i].length;
    if (!fits) {
        char text[SL_SHAPE_TEXT];
        return sl_fail(err, SL_INVALID_ARGUMENT, "The slice of '%.*s' is not of the tensor's shape %s",
                       SL_STR_ARG(name), sl_shape_text(text, sl_tensor_shape(t)));
    }
    SL_TRY(find_tensor(&e, w, name, t->dtype, full, err));
    piece.of = e;
    piece.key = sl_slice_key(name, &piece.slice, &w->arena);
    if (!piece.key.p || sl_vec_reserve(&w->pieces, 1)) return sl_fail_memory(err, name.n);
    if (sl_str_map_get(&w->by_key, piece.key))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Adding duplicate key: %.*s", SL_STR_ARG(name));
    if (sl_str_map_put(&w->by_key, piece.key, e)) return sl_fail_memory(err, name.n);
    (void)sl_vec_push(&w->pieces, piece);
    sl_tensor_ref(t);
    e->n_slices++;
    return SL_OK;
}

/* ---- messages */

static int compare_listed(const void *a, const void *b) {
    return sl_str_cmp((*(struct v1_listed *const *)a)->name, (*(struct v1_listed *const *)b)->name);
}

/* By name, as TensorFlow has it. */
static sl_code encode_list(struct sl_str *out, struct sl_v1_writer *w, struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_VersionDef version = {.producer = V1_VERSION};
    struct sl_pb_SavedTensorSliceMeta list = {.versions = &version};
    struct sl_pb_SavedTensorSlices saved = {.meta = &list};
    if (w->tensors.n) qsort(w->tensors.items, w->tensors.n, sizeof *w->tensors.items, compare_listed);
    list.tensor.n = w->tensors.n;
    list.tensor.items = SL_ARENA_ARRAY(arena, struct sl_pb_SavedSliceMeta, w->tensors.n + 1);
    if (!list.tensor.items) return sl_fail_memory(err, w->tensors.n);
    for (size_t i = 0; i < w->tensors.n; i++) {
        struct v1_listed *e = w->tensors.items[i];
        struct sl_pb_SavedSliceMeta *m = &list.tensor.items[i];
        *m = (struct sl_pb_SavedSliceMeta){.name = e->name, .type = e->dtype};
        SL_TRY(sl_shape_to_proto(&m->shape, e->shape, arena, err));
        m->slice.items = SL_ARENA_ARRAY(arena, struct sl_pb_TensorSliceProto, e->n_slices + 1);
        if (!m->slice.items) return sl_fail_memory(err, e->n_slices);
        e->meta = m;
    }
    for (size_t i = 0; i < w->pieces.n; i++) {
        struct sl_pb_SavedSliceMeta *m = w->pieces.items[i].of->meta;
        SL_TRY(sl_tensor_slice_to_proto(&m->slice.items[m->slice.n++], &w->pieces.items[i].slice, arena, err));
    }
    return sl_pb_encode(out, SL_PB_TYPE(SavedTensorSlices), &saved, 0, arena, err);
}

/* The elements in the field of their type: borrowed where the field has their form, else one by one. */
#define BORROW(field, c_type, each)                                                                                    \
    do {                                                                                                               \
        proto->field.items = (c_type *)t->data;                                                                        \
        proto->field.n = count * (each);                                                                               \
    } while (0)
#define WIDEN(field, to_type, c_type)                                                                                  \
    do {                                                                                                               \
        to_type *to = SL_ARENA_ARRAY(arena, to_type, count + 1);                                                       \
        if (!to) return sl_fail_memory(err, count * sizeof *to);                                                       \
        for (size_t i = 0; i < count; i++) to[i] = ((const c_type *)t->data)[i];                                       \
        proto->field.items = to;                                                                                       \
        proto->field.n = count;                                                                                        \
    } while (0)

static sl_code fill_elements(struct sl_pb_TensorProto *proto, const struct sl_tensor *t, struct sl_arena *arena,
                             struct sl_error *err) {
    size_t count = (size_t)t->count;
    switch (t->dtype) {
    case SL_FLOAT: BORROW(float_val, float, 1); break;
    case SL_DOUBLE: BORROW(double_val, double, 1); break;
    case SL_COMPLEX64: BORROW(scomplex_val, float, 2); break;
    case SL_COMPLEX128: BORROW(dcomplex_val, double, 2); break;
    case SL_INT64: BORROW(int64_val, int64_t, 1); break;
    case SL_UINT32: BORROW(uint32_val, uint32_t, 1); break;
    case SL_UINT64: BORROW(uint64_val, uint64_t, 1); break;
    case SL_BOOL: BORROW(bool_val, bool, 1); break;
    case SL_INT32:
    case SL_QINT32: BORROW(int_val, int32_t, 1); break;
    case SL_INT16:
    case SL_QINT16: WIDEN(int_val, int32_t, int16_t); break;
    case SL_UINT16:
    case SL_QUINT16: WIDEN(int_val, int32_t, uint16_t); break;
    case SL_HALF:
    case SL_BFLOAT16: WIDEN(half_val, int32_t, uint16_t); break;
    case SL_INT8:
    case SL_QINT8:
    case SL_INT4:
    case SL_INT2: WIDEN(int_val, int32_t, int8_t); break;
    case SL_UINT8:
    case SL_QUINT8:
    case SL_UINT4:
    case SL_UINT2: WIDEN(int_val, int32_t, uint8_t); break;
    case SL_STRING: return sl_tensor_to_proto(proto, t, arena, err);
    default: proto->float8_val = (struct sl_str){t->data, t->bytes}; break;
    }
    return SL_OK;
}

static sl_code encode_piece(struct sl_str *out, const struct v1_piece *piece, struct sl_arena *arena,
                            struct sl_error *err) {
    struct sl_pb_TensorProto elements = {0};
    struct sl_pb_TensorSliceProto slice;
    struct sl_pb_SavedSlice data = {.name = piece->of->name, .slice = &slice, .data = &elements};
    struct sl_pb_SavedTensorSlices saved = {.data = &data};
    SL_TRY(sl_tensor_slice_to_proto(&slice, &piece->slice, arena, err));
    SL_TRY(fill_elements(&elements, piece->tensor, arena, err));
    elements.dtype = 0; /* the list has type and shape */
    elements.tensor_shape = NULL;
    return sl_pb_encode(out, SL_PB_TYPE(SavedTensorSlices), &saved, 0, arena, err);
}

/* ---- the file */

static int compare_pieces(const void *a, const void *b) {
    return sl_str_cmp(((const struct v1_piece *)a)->key, ((const struct v1_piece *)b)->key);
}

static sl_code write_table(struct sl_sorted_table_writer *table, struct sl_v1_writer *w, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_str bytes;
    sl_arena_init(&arena);
    sl_code code = encode_list(&bytes, w, &arena, err);
    if (code == SL_OK) code = sl_sorted_table_writer_add(table, SL_STR(""), bytes, err);
    if (w->pieces.n) qsort(w->pieces.items, w->pieces.n, sizeof *w->pieces.items, compare_pieces);
    for (size_t i = 0; code == SL_OK && i < w->pieces.n; i++) {
        sl_arena_clear(&arena);
        code = encode_piece(&bytes, &w->pieces.items[i], &arena, err);
        if (code == SL_OK) code = sl_sorted_table_writer_add(table, w->pieces.items[i].key, bytes, err);
    }
    sl_arena_clear(&arena);
    return code == SL_OK ? sl_sorted_table_writer_finish(table, err) : code;
}

sl_code sl_v1_writer_finish(struct sl_v1_writer *w, struct sl_error *err) {
    struct sl_writer file;
    struct sl_sorted_table_writer table;
    char *dir = sl_path_dir(&w->arena, w->path);
    sl_code code = dir ? SL_OK : sl_fail_memory(err, strlen(w->path));
    if (code == SL_OK && *dir) code = sl_dir_create_all(dir, err);
    if (code == SL_OK) code = sl_writer_open(&file, w->path, SL_WRITER_ATOMIC, err);
    if (code == SL_OK) {
        sl_sorted_table_writer_init(&table, &file);
        code = write_table(&table, w, err);
        sl_sorted_table_writer_clear(&table);
        if (code == SL_OK) code = sl_writer_close(&file, err);
        else sl_writer_abandon(&file);
    }
    sl_v1_writer_abandon(w);
    return code;
}
