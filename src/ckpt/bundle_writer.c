/* Writing bundles, and merging them. Elements stream into a temporary file; names are given at the end, the index
 * last.
 *
 * A prefix that exists is replaced without a moment at which it names neither: the new data first gets the name that
 * it would have in a bundle of another number of shards, under which the old index does not look; then the new index
 * comes, and then, by a second link and a second index, the usual names. */
#include <stdio.h>

#include "base/alloc.h"
#include "base/str_map.h"
#include "base/vec.h"
#include "ckpt/bundle_entry.h"
#include "ckpt/coding.h"
#include "ckpt/crc32c.h"
#include "os/file.h"
#include "proto/wire.h"
#include "tensor/tensor_proto.h"

struct sl_bundle_writer {
    struct sl_arena arena; /* names, shapes, slices */
    const char *prefix, *temporary;
    struct sl_writer data;
    size_t alignment;
    struct sl_pool *pool;
    SL_VEC(struct sl_bundle_entry *) entries; /* in the arena */
    struct sl_str_map by_name;
};

/* ---- opening */

static void writer_free(struct sl_bundle_writer *w) {
    sl_writer_abandon(&w->data);
    sl_vec_free(&w->entries);
    sl_str_map_free(&w->by_name);
    sl_arena_clear(&w->arena);
    sl_free(w);
}

static sl_code open_data(struct sl_bundle_writer *w, const char *prefix, struct sl_error *err) {
    char *dir = sl_path_dir(&w->arena, prefix), *data = sl_bundle_data_path(&w->arena, prefix, 0, 1);
    w->prefix = sl_arena_str(&w->arena, sl_str_of(prefix)).p;
    w->temporary = data ? sl_path_temporary(&w->arena, data) : NULL;
    if (!dir || !w->prefix || !w->temporary) return sl_fail_memory(err, strlen(prefix));
    if (*dir) SL_TRY(sl_dir_create_all(dir, err));
    return sl_writer_open(&w->data, w->temporary, SL_WRITER_TRUNCATE, err);
}

sl_code sl_bundle_writer_open(struct sl_bundle_writer **out, const char *prefix,
                              const struct sl_bundle_writer_options *options, struct sl_error *err) {
    struct sl_bundle_writer *w = sl_calloc(1, sizeof *w);
    if (!w) return sl_fail_memory(err, sizeof *w);
    sl_arena_init(&w->arena);
    size_t least_mapped;
    sl_code code = sl_bundle_least_mapped(&least_mapped, err);
    w->alignment = options && options->alignment ? options->alignment
                   : least_mapped < SIZE_MAX     ? SL_TENSOR_ALIGNMENT
                                                 : 1;
    w->pool = options ? options->pool : NULL;
    if (code == SL_OK) code = open_data(w, prefix, err);
    if (code == SL_OK) *out = w;
    else writer_free(w);
    return code;
}

void sl_bundle_writer_abandon(struct sl_bundle_writer *w) {
    if (!w) return;
    sl_writer_abandon(&w->data);
    (void)sl_file_remove(w->temporary, NULL);
    writer_free(w);
}

/* ---- adding */

static sl_code new_entry(struct sl_bundle_entry **out, struct sl_bundle_writer *w, struct sl_str name, int dtype,
                         struct sl_shape shape, struct sl_error *err) {
    if (name.n == 0) return sl_fail(err, SL_INVALID_ARGUMENT, "a tensor in a checkpoint needs a name");
    if (sl_str_map_get(&w->by_name, name))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Adding duplicate key: %.*s", SL_STR_ARG(name));
    struct sl_bundle_entry *e = SL_ARENA_NEW(&w->arena, struct sl_bundle_entry);
    if (!e) return sl_fail_memory(err, sizeof *e);
    *e = (struct sl_bundle_entry){.key = sl_arena_str(&w->arena, name), .dtype = dtype};
    e->shape = sl_shape_copy(&w->arena, shape);
    if (!e->key.p || e->shape.rank < 0 || sl_vec_reserve(&w->entries, 1) || sl_str_map_put(&w->by_name, e->key, e))
        return sl_fail_memory(err, name.n);
    (void)sl_vec_push(&w->entries, e);
    *out = e;
    return SL_OK;
}

static sl_code align(struct sl_bundle_writer *w, struct sl_error *err) {
    static const char zeros[64];
    size_t missing = (size_t)(w->data.position % w->alignment);
    if (missing) missing = w->alignment - missing;
    for (size_t n; missing > 0; missing -= n) {
        n = missing < sizeof zeros ? missing : sizeof zeros;
        SL_TRY(sl_writer_write(&w->data, zeros, n, err));
    }
    return SL_OK;
}

/* The lengths, a checksum of them as words, and the bytes; the entry's checksum is over the words, that checksum and
 * the bytes. */
static sl_code write_strings(uint32_t *sum, struct sl_bundle_writer *w, const struct sl_tensor *t,
                             struct sl_error *err) {
    const TF_TString *s = t->data;
    uint32_t crc = 0;
    char bytes[SL_VARINT_MAX];
    for (int64_t i = 0; i < t->count; i++) {
        size_t n = sl_string_get(&s[i]).n;
        SL_TRY(sl_writer_write(&w->data, bytes, sl_put_varint(bytes, n), err));
        sl_put_u64(bytes, n);
        crc = sl_crc32c(crc, bytes, n > UINT32_MAX ? 8 : 4);
    }
    sl_put_u32(bytes, sl_crc32c_mask(crc));
    SL_TRY(sl_writer_write(&w->data, bytes, 4, err));
    crc = sl_crc32c(crc, bytes, 4);
    for (int64_t i = 0; i < t->count; i++) {
        struct sl_str text = sl_string_get(&s[i]);
        SL_TRY(sl_writer_write(&w->data, text.p, text.n, err));
        crc = sl_crc32c(crc, text.p, text.n);
    }
    *sum = crc;
    return SL_OK;
}

/* Each variant: the length of its message, the message, and a checksum of all lengths, messages and checksums so far. */
static sl_code write_variants(uint32_t *sum, struct sl_bundle_writer *w, const struct sl_tensor *t,
                              struct sl_error *err) {
    uint32_t crc = 0;
    sl_code code = SL_OK;
    for (int64_t i = 0; code == SL_OK && i < t->count; i++) {
        struct sl_arena arena;
        struct sl_pb_VariantTensorDataProto proto;
        struct sl_str message = {0};
        char bytes[SL_VARINT_MAX];
        sl_arena_init(&arena);
        code = sl_variant_to_proto(&proto, ((struct sl_object *const *)t->data)[i], &arena, err);
        if (code == SL_OK) code = sl_pb_encode(&message, SL_PB_TYPE(VariantTensorDataProto), &proto, 0, &arena, err);
        if (code == SL_OK) code = sl_writer_write(&w->data, bytes, sl_put_varint(bytes, message.n), err);
        if (code == SL_OK) code = sl_writer_write(&w->data, message.p, message.n, err);
        sl_put_u64(bytes, message.n);
        crc = sl_crc32c(sl_crc32c(crc, bytes, 8), message.p, message.n);
        sl_put_u32(bytes, sl_crc32c_mask(crc));
        crc = sl_crc32c(crc, bytes, 4);
        if (code == SL_OK) code = sl_writer_write(&w->data, bytes, 4, err);
        sl_arena_clear(&arena);
    }
    *sum = crc;
    return code;
}

struct sum {
    uint32_t crc;
    struct sl_pool *pool;
};

static void copy_and_sum(void *context, void *to, const void *from, size_t n) {
    struct sum *sum = context;
    sum->crc = sl_crc32c_parallel(sum->crc, to, from, n, sum->pool);
}

/* What is large goes to the disk at once, and is summed while it is copied there. */
static sl_code write_plain(uint32_t *crc, struct sl_bundle_writer *w, const void *data, size_t bytes,
                           struct sl_error *err) {
    enum { LARGE = 2 << 20 };
    struct sum sum = {.pool = w->pool};
    if (bytes >= LARGE) {
        SL_TRY(sl_writer_write_large(&w->data, data, bytes, copy_and_sum, &sum, err));
        *crc = sum.crc;
        return SL_OK;
    }
    *crc = sl_crc32c_parallel(0, NULL, data, bytes, w->pool);
    return sl_writer_write(&w->data, data, bytes, err);
}

/* Variants of which there is a message. */
static bool are_writable(const struct sl_tensor *t) {
    bool all = t->dtype == SL_VARIANT;
    for (int64_t i = 0; i < t->count && all; i++) all = sl_variant_is_writable(((struct sl_object *const *)t->data)[i]);
    return all;
}

sl_code sl_bundle_writer_add(struct sl_bundle_writer *w, struct sl_str name, const struct sl_tensor *t,
                             struct sl_error *err) {
    struct sl_bundle_entry *e;
    uint32_t crc;
    if (!sl_dtype_is_plain(t->dtype) && t->dtype != SL_STRING && !are_writable(t))
        return sl_fail(err, SL_UNIMPLEMENTED, "tensor '%.*s' is of type %s, which cannot be saved", SL_STR_ARG(name),
                       sl_dtype_name(t->dtype));
    SL_TRY(new_entry(&e, w, name, t->dtype, sl_tensor_shape(t), err));
    SL_TRY(align(w, err));
    e->offset = w->data.position;
    if (t->dtype == SL_STRING) {
        SL_TRY(write_strings(&crc, w, t, err));
    } else if (t->dtype == SL_VARIANT) {
        SL_TRY(write_variants(&crc, w, t, err));
    } else {
        SL_TRY(write_plain(&crc, w, t->data, t->bytes, err));
    }
    e->size = w->data.position - e->offset;
    e->crc = sl_crc32c_mask(crc);
    return SL_OK;
}

/* The entry under the whole tensor's name, which lists the slices. */
static sl_code find_whole(struct sl_bundle_entry **out, struct sl_bundle_writer *w, struct sl_str name, int dtype,
                          struct sl_shape shape, struct sl_error *err) {
    struct sl_bundle_entry *e = sl_str_map_get(&w->by_name, name);
    if (!e) SL_TRY(new_entry(&e, w, name, dtype, shape, err));
    else if (!e->n_slices || e->dtype != dtype || !sl_shape_equal(e->shape, shape))
        return sl_fail(err, SL_INVALID_ARGUMENT, "The slices of '%.*s' differ in type or shape of the whole",
                       SL_STR_ARG(name));
    *out = e;
    return SL_OK;
}

static sl_code list_slice(struct sl_bundle_writer *w, struct sl_bundle_entry *e, const struct sl_tensor_slice *slice,
                          struct sl_error *err) {
    bool is_full = (e->n_slices & (e->n_slices - 1)) == 0; /* room doubles with the powers of two */
    if (is_full) {
        struct sl_tensor_slice *more = SL_ARENA_ARRAY(&w->arena, struct sl_tensor_slice, e->n_slices * 2 + 1);
        if (!more) return sl_fail_memory(err, e->n_slices * sizeof *more);
        if (e->n_slices) memcpy(more, e->slices, e->n_slices * sizeof *more);
        e->slices = more;
    }
    e->slices[e->n_slices++] = *slice;
    return SL_OK;
}

sl_code sl_bundle_writer_add_slice(struct sl_bundle_writer *w, struct sl_str name, struct sl_shape full,
                                   const struct sl_tensor_slice *slice, const struct sl_tensor *t,
                                   struct sl_error *err) {
    struct sl_tensor_slice resolved = *slice;
    struct sl_bundle_entry *whole = NULL;
    SL_TRY(sl_tensor_slice_resolve(&resolved, full, err));
    for (int i = 0; i < resolved.rank || t->rank != resolved.rank; i++)
        if (t->rank != resolved.rank || t->dims[i] != resolved.dims[i].length) {
            char a[SL_SHAPE_TEXT];
            return sl_fail(err, SL_INVALID_ARGUMENT, "The slice of '%.*s' is not of the tensor's shape %s",
                           SL_STR_ARG(name), sl_shape_text(a, sl_tensor_shape(t)));
        }
    if (sl_tensor_slice_is_all(&resolved, full)) return sl_bundle_writer_add(w, name, t, err);
    struct sl_str key = sl_slice_key(name, slice, &w->arena);
    if (!key.p) return sl_fail_memory(err, name.n);
    SL_TRY(find_whole(&whole, w, name, t->dtype, full, err));
    SL_TRY(list_slice(w, whole, slice, err));
    return sl_bundle_writer_add(w, key, t, err);
}

/* ---- names */

static sl_code rename_lasting(const char *from, const char *to, struct sl_error *err) {
    SL_TRY(sl_file_rename(from, to, err));
    return sl_file_sync_names(to, err);
}

/* Gives `temporary` its name as the only shard and writes the index. */
static sl_code give_names(struct sl_bundle_writer *w, const struct sl_bundle_entry *entries, const char *temporary,
                          int32_t shards, struct sl_error *err) {
    char *data = sl_bundle_data_path(&w->arena, w->prefix, 0, shards),
         *index = sl_bundle_index_path(&w->arena, w->prefix);
    if (!data || !index) return sl_fail_memory(err, strlen(w->prefix));
    SL_TRY(rename_lasting(temporary, data, err));
    return sl_bundle_index_write(index, entries, w->entries.n, shards, err);
}

/* Over a bundle of one shard: by way of the names of a bundle of two. Without links it stays at those. */
static sl_code replace_names(struct sl_bundle_writer *w, const struct sl_bundle_entry *entries, struct sl_error *err) {
    SL_TRY(give_names(w, entries, w->temporary, 2, err));
    char *passing = sl_bundle_data_path(&w->arena, w->prefix, 0, 2);
    if (!passing) return sl_fail_memory(err, strlen(w->prefix));
    if (sl_file_link(passing, w->temporary, NULL) != SL_OK) return SL_OK;
    SL_TRY(give_names(w, entries, w->temporary, 1, err));
    return sl_file_remove(passing, err);
}

static sl_code finish(struct sl_bundle_writer *w, struct sl_error *err) {
    SL_TRY(sl_writer_sync(&w->data, err));
    SL_TRY(sl_writer_close(&w->data, err));
    struct sl_bundle_entry *entries = SL_ARENA_ARRAY(&w->arena, struct sl_bundle_entry, w->entries.n + 1);
    if (!entries) return sl_fail_memory(err, w->entries.n * sizeof *entries);
    for (size_t i = 0; i < w->entries.n; i++) entries[i] = *w->entries.items[i];
    sl_bundle_entries_sort(entries, w->entries.n);
    int32_t old = sl_bundle_old_shards(w->prefix);
    if (old == 1) return replace_names(w, entries, err);
    SL_TRY(give_names(w, entries, w->temporary, 1, err));
    for (int32_t i = 0; i < old; i++) { /* of a merged bundle that had the name */
        char *path = sl_bundle_data_path(&w->arena, w->prefix, i, old);
        if (!path || sl_file_remove(path, NULL) != SL_OK) break;
    }
    return SL_OK;
}

sl_code sl_bundle_writer_finish(struct sl_bundle_writer *w, struct sl_error *err) {
    sl_code code = finish(w, err);
    if (code == SL_OK) writer_free(w);
    else sl_bundle_writer_abandon(w);
    return code;
}
