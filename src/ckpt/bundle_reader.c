/* Reading bundles. The index is mapped and searched; a data file is mapped when first needed, and its bytes are
 * summed while they are copied out. A declared size is believed only when the file has the bytes. */
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "base/vec.h"
#include "ckpt/bundle_entry.h"
#include "ckpt/coding.h"
#include "ckpt/crc32c.h"
#include "os/file.h"
#include "os/mutex.h"
#include "proto/wire.h"
#include "tensor/tensor_proto.h"

struct shard {
    int32_t number;
    struct sl_mapping file;
};

struct sl_bundle {
    struct sl_arena arena; /* names */
    const char *prefix, *index_path;
    struct sl_mapping index_file;
    struct sl_sorted_table index;
    int32_t n_shards;
    bool is_swapped; /* numbers in the data files have the high byte first */
    struct sl_pool *pool;
    size_t least_mapped;   /* bytes from which on plain tensors are mapped, not copied */
    struct sl_mutex mutex; /* guards what follows */
    SL_VEC(struct shard) shards;
};

/* ---- opening */

static sl_code read_header(struct sl_bundle *b, struct sl_error *err) {
    struct sl_sorted_table_cursor cursor = {0};
    struct sl_pb_BundleHeaderProto header = {0};
    sl_code code = sl_cursor_seek(&cursor, &b->index, SL_STR(""), err);
    if (code == SL_OK && (!cursor.is_valid || cursor.key.n))
        code = sl_fail(err, SL_DATA_LOSS, "%s; the index has no header", b->index_path);
    if (code == SL_OK) {
        struct sl_arena arena;
        sl_arena_init(&arena);
        code = sl_pb_decode(&header, SL_PB_TYPE(BundleHeaderProto), cursor.value, &arena, err);
        int32_t min_consumer = code == SL_OK && header.version ? header.version->min_consumer : 0;
        sl_arena_clear(&arena);
        if (code == SL_OK && min_consumer > SL_BUNDLE_VERSION)
            code = sl_fail(err, SL_INVALID_ARGUMENT, "%s; the checkpoint wants a reader of version %d, this one has %d",
                           b->index_path, min_consumer, SL_BUNDLE_VERSION);
        else if (code != SL_OK && code != SL_RESOURCE_EXHAUSTED)
            code = sl_fail(err, SL_DATA_LOSS, "%s; the header is malformed", b->index_path);
    }
    sl_cursor_clear(&cursor);
    if (code != SL_OK) return code;
    if (header.num_shards < 1 || header.endianness < 0 || header.endianness > SL_PB_BundleHeaderProto_Endianness_BIG)
        return sl_fail(err, SL_DATA_LOSS, "%s; the header makes no sense", b->index_path);
    b->n_shards = header.num_shards;
    b->is_swapped =
        (header.endianness == SL_PB_BundleHeaderProto_Endianness_BIG) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    return SL_OK;
}

sl_code sl_bundle_open(struct sl_bundle **out, const char *prefix, struct sl_pool *pool, struct sl_error *err) {
    struct sl_bundle *b = sl_calloc(1, sizeof *b);
    if (!b) return sl_fail_memory(err, sizeof *b);
    sl_arena_init(&b->arena);
    sl_mutex_init(&b->mutex);
    b->pool = pool;
    b->prefix = sl_arena_str(&b->arena, sl_str_of(prefix)).p;
    b->index_path = sl_bundle_index_path(&b->arena, prefix);
    sl_code code = b->prefix && b->index_path ? SL_OK : sl_fail_memory(err, strlen(prefix));
    if (code == SL_OK) code = sl_bundle_least_mapped(&b->least_mapped, err);
    if (code == SL_OK) code = sl_mapping_open(&b->index_file, b->index_path, err);
    if (code == SL_OK)
        code = sl_sorted_table_open(&b->index, b->index_path, (struct sl_str){b->index_file.data, b->index_file.size},
                                    err);
    if (code == SL_OK) code = read_header(b, err);
    if (code == SL_OK) *out = b;
    else sl_bundle_close(b);
    return code;
}

void sl_bundle_close(struct sl_bundle *b) {
    if (!b) return;
    for (size_t i = 0; i < b->shards.n; i++) sl_mapping_close(&b->shards.items[i].file);
    sl_vec_free(&b->shards);
    sl_sorted_table_close(&b->index);
    sl_mapping_close(&b->index_file);
    sl_mutex_clear(&b->mutex);
    sl_arena_clear(&b->arena);
    sl_free(b);
}

int32_t sl_bundle_old_shards(const char *prefix) {
    struct sl_bundle *old;
    if (sl_bundle_open(&old, prefix, NULL, NULL) != SL_OK) return 0;
    int32_t n = old->n_shards;
    sl_bundle_close(old);
    return n;
}

int32_t sl_bundle_shards(const struct sl_bundle *b) { return b->n_shards; }

/* ---- looking up */

static sl_code entry_at(struct sl_bundle_entry *out, const struct sl_bundle *b,
                        const struct sl_sorted_table_cursor *cursor, struct sl_arena *arena, struct sl_error *err) {
    SL_TRY(sl_bundle_entry_decode(out, b->index_path, cursor->key, cursor->value, arena, err));
    if (out->shard >= b->n_shards)
        return sl_fail(err, SL_DATA_LOSS, "%s; the entry of '%.*s' is in shard %d of %d", b->index_path,
                       SL_STR_ARG(out->key), out->shard, b->n_shards);
    return SL_OK;
}

sl_code sl_bundle_find(struct sl_bundle_entry *out, struct sl_bundle *b, struct sl_str name, struct sl_arena *arena,
                       struct sl_error *err) {
    struct sl_sorted_table_cursor cursor = {0};
    sl_code code = sl_cursor_seek(&cursor, &b->index, name, err);
    if (code == SL_OK && (name.n == 0 || !cursor.is_valid || !sl_str_eq(cursor.key, name)))
        code = sl_fail(err, SL_NOT_FOUND, "Key %.*s not found in checkpoint", SL_STR_ARG(name));
    if (code == SL_OK) code = entry_at(out, b, &cursor, arena, err);
    sl_cursor_clear(&cursor);
    return code;
}

sl_code sl_bundle_list(struct sl_bundle_entry **out, size_t *n, struct sl_bundle *b, struct sl_arena *arena,
                       struct sl_error *err) {
    struct sl_sorted_table_cursor cursor = {0};
    SL_VEC(struct sl_bundle_entry) entries = {0};
    sl_code code = sl_cursor_seek(&cursor, &b->index, SL_STR(""), err);
    while (code == SL_OK && cursor.is_valid) {
        struct sl_bundle_entry e;
        if (cursor.key.n) {
            code = entry_at(&e, b, &cursor, arena, err);
            if (code == SL_OK && sl_vec_push(&entries, e)) code = sl_fail_memory(err, entries.n * sizeof e);
        }
        if (code == SL_OK) code = sl_cursor_next(&cursor, err);
    }
    sl_cursor_clear(&cursor);
    if (code == SL_OK) {
        *n = entries.n;
        *out = SL_ARENA_ARRAY(arena, struct sl_bundle_entry, entries.n + 1);
        if (!*out) code = sl_fail_memory(err, entries.n * sizeof **out);
        else if (entries.n) memcpy(*out, entries.items, entries.n * sizeof **out);
    }
    sl_vec_free(&entries);
    return code;
}

/* ---- bytes of an entry */

/* The shard's file, mapped for as long as the bundle. */
static sl_code find_shard(struct sl_str *bytes, struct sl_bundle *b, int32_t number, struct sl_error *err) {
    struct shard shard = {.number = number};
    for (size_t i = 0; i < b->shards.n; i++)
        if (b->shards.items[i].number == number) {
            *bytes = (struct sl_str){b->shards.items[i].file.data, b->shards.items[i].file.size};
            return SL_OK;
        }
    const char *path = sl_bundle_data_path(&b->arena, b->prefix, number, b->n_shards);
    if (!path || sl_vec_reserve(&b->shards, 1)) return sl_fail_memory(err, sizeof shard);
    SL_TRY(sl_mapping_open(&shard.file, path, err));
    (void)sl_vec_push(&b->shards, shard);
    *bytes = (struct sl_str){shard.file.data, shard.file.size};
    return SL_OK;
}

/* An error of the data of an entry: names the file and the tensor. */
static sl_code data_loss(const struct sl_bundle *b, const struct sl_bundle_entry *e, const char *why,
                         struct sl_error *err) {
    struct sl_str name = e->key;
    return sl_fail(err, SL_DATA_LOSS, "%s.data-%05d-of-%05d; tensor '%.*s' (%" PRIu64 " bytes at %" PRIu64 "): %s",
                   b->prefix, e->shard, b->n_shards, SL_STR_ARG(name), e->size, e->offset, why);
}

static sl_code checksum_differs(const struct sl_bundle *b, const struct sl_bundle_entry *e, uint32_t crc,
                                struct sl_error *err) {
    char why[128];
    snprintf(why, sizeof why,
             "Checksum does not match: stored %" PRIu32 " vs. calculated on the restored bytes %" PRIu32,
             sl_crc32c_unmask(e->crc), crc);
    return data_loss(b, e, why, err);
}

/* The bytes that the entry names, which are all there. */
static sl_code entry_bytes(struct sl_str *out, struct sl_bundle *b, const struct sl_bundle_entry *e,
                           struct sl_error *err) {
    struct sl_str file = {0};
    sl_mutex_lock(&b->mutex);
    sl_code code = find_shard(&file, b, e->shard, err);
    sl_mutex_unlock(&b->mutex);
    if (code != SL_OK) {
        sl_error_append(err, " (holds tensor '%.*s')", SL_STR_ARG(e->key));
        return code;
    }
    if (e->size > file.n || e->offset > file.n - e->size) return data_loss(b, e, "lies outside of the file", err);
    *out = (struct sl_str){file.p + e->offset, (size_t)e->size};
    return SL_OK;
}

/* ---- plain elements */

/* Bytes of one number in an element: half of it for complex types. */
static size_t number_size(int dtype) {
    size_t size = sl_dtype_size(dtype);
    return sl_set_has(SL_SET_COMPLEX, dtype) ? size / 2 : size;
}

static void swap_numbers(char *p, size_t bytes, size_t size) {
    for (size_t at = 0; size > 1 && at + size <= bytes; at += size)
        for (size_t i = 0; i < size / 2; i++) {
            char c = p[at + i];
            p[at + i] = p[at + size - 1 - i];
            p[at + size - 1 - i] = c;
        }
}

static void repair_bools(unsigned char *p, size_t n) { /* any byte may stand in a file, only 0 and 1 are bools */
    for (size_t i = 0; i < n; i++) p[i] = p[i] != 0;
}

static sl_code check_plain_size(const struct sl_bundle *b, const struct sl_bundle_entry *e, struct sl_error *err) {
    int64_t count, bytes;
    SL_TRY(sl_shape_count(&count, e->shape, err));
    if (!sl_mul_i64(&bytes, count, (int64_t)sl_dtype_size(e->dtype)) || (uint64_t)bytes != e->size) {
        char shape[SL_SHAPE_TEXT], why[SL_SHAPE_TEXT + 80];
        snprintf(why, sizeof why, "a %s tensor of shape %s has another size", sl_dtype_name(e->dtype),
                 sl_shape_text(shape, e->shape));
        return data_loss(b, e, why, err);
    }
    return SL_OK;
}

static void unmap(void *data, size_t bytes, void *arg) {
    (void)arg;
    sl_file_part_unmap(data, bytes);
}

/* Whether the elements may be used where they lie in the file. */
static bool may_map(const struct sl_bundle *b, const struct sl_bundle_entry *e) {
    return e->size && e->size >= b->least_mapped && !b->is_swapped && e->dtype != SL_BOOL &&
           e->offset % number_size(e->dtype) == 0;
}

/* `*out` stays NULL where the system does not map the file: it is read then. */
static sl_code map_plain(struct sl_tensor **out, struct sl_bundle *b, const struct sl_bundle_entry *e,
                         struct sl_error *err) {
    void *part;
    struct sl_tensor *t;
    struct sl_arena arena;
    sl_arena_init(&arena);
    const char *path = sl_bundle_data_path(&arena, b->prefix, e->shard, b->n_shards);
    sl_code code = path ? sl_file_part_map(&part, path, e->offset, (size_t)e->size, NULL) : SL_RESOURCE_EXHAUSTED;
    sl_arena_clear(&arena);
    if (code != SL_OK) return SL_OK;
    uint32_t crc = sl_crc32c_parallel(0, NULL, part, (size_t)e->size, b->pool);
    code = crc == sl_crc32c_unmask(e->crc) ? SL_OK : checksum_differs(b, e, crc, err);
    if (code == SL_OK) code = sl_tensor_wrap(&t, e->dtype, e->shape, part, (size_t)e->size, unmap, NULL, err);
    if (code != SL_OK) {
        sl_file_part_unmap(part, (size_t)e->size);
        return code;
    }
    t->is_private = true;
    *out = t;
    return SL_OK;
}

static sl_code read_plain(struct sl_tensor **out, struct sl_bundle *b, const struct sl_bundle_entry *e,
                          struct sl_error *err) {
    struct sl_str bytes;
    struct sl_tensor *t;
    SL_TRY(check_plain_size(b, e, err));
    SL_TRY(entry_bytes(&bytes, b, e, err));
    if (may_map(b, e)) {
        *out = NULL;
        SL_TRY(map_plain(out, b, e, err));
        if (*out) return SL_OK;
    }
    SL_TRY(sl_tensor_new(&t, e->dtype, e->shape, err));
    uint32_t crc = sl_crc32c_parallel(0, t->data, bytes.p, bytes.n, b->pool);
    if (crc != sl_crc32c_unmask(e->crc)) {
        sl_tensor_unref(t);
        return checksum_differs(b, e, crc, err);
    }
    if (b->is_swapped) swap_numbers(t->data, t->bytes, number_size(e->dtype));
    if (e->dtype == SL_BOOL) repair_bools(t->data, t->bytes);
    *out = t;
    return SL_OK;
}

/* ---- strings */

/* Adds a length to a checksum: four bytes, or eight when it needs them. */
static uint32_t sum_length(uint32_t crc, uint64_t length) {
    char word[8];
    sl_put_u64(word, length);
    return sl_crc32c(crc, word, length > UINT32_MAX ? 8 : 4);
}

/* Goes over the lengths: `*total` of them, `*crc` of them and their checksum, `*after` what follows. */
static sl_code check_lengths(uint32_t *crc, struct sl_str *after, const struct sl_bundle *b,
                             const struct sl_bundle_entry *e, struct sl_str bytes, int64_t count,
                             struct sl_error *err) {
    const char *at = bytes.p, *end = bytes.p + bytes.n;
    uint64_t total = 0, length;
    *crc = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!sl_get_varint(&length, &at, end) || length > bytes.n - total)
            return data_loss(b, e, "the lengths of its strings are malformed", err);
        total += length;
        *crc = sum_length(*crc, length);
    }
    if ((size_t)(end - at) < 4 || (size_t)(end - at) - 4 != total)
        return data_loss(b, e, "the lengths of its strings do not add up", err);
    if (sl_crc32c_unmask(sl_get_u32(at)) != *crc) return data_loss(b, e, "The length checksum does not match", err);
    *crc = sl_crc32c(*crc, at, 4);
    *after = (struct sl_str){at + 4, (size_t)total};
    return SL_OK;
}

static sl_code read_strings(struct sl_tensor **out, struct sl_bundle *b, const struct sl_bundle_entry *e,
                            struct sl_error *err) {
    struct sl_str bytes = {0}, text = {0};
    uint32_t crc;
    int64_t count;
    struct sl_tensor *t;
    SL_TRY(entry_bytes(&bytes, b, e, err));
    SL_TRY(sl_shape_count(&count, e->shape, err));
    SL_TRY(check_lengths(&crc, &text, b, e, bytes, count, err));
    crc = sl_crc32c_parallel(crc, NULL, text.p, text.n, b->pool);
    if (crc != sl_crc32c_unmask(e->crc)) return checksum_differs(b, e, crc, err);
    SL_TRY(sl_tensor_new(&t, SL_STRING, e->shape, err));
    const char *at = bytes.p, *end = bytes.p + bytes.n;
    sl_code code = SL_OK;
    for (int64_t i = 0; code == SL_OK && i < count; i++) {
        uint64_t length = 0;
        (void)sl_get_varint(&length, &at, end);
        code = sl_string_set((TF_TString *)t->data + i, (struct sl_str){text.p, (size_t)length}, err);
        text.p += length;
    }
    if (code == SL_OK) *out = t;
    else sl_tensor_unref(t);
    return code;
}

/* ---- variants */

/* The message at `*at`, whose length, bytes and checksum are there and right; `*crc` is of all up to here. */
static sl_code next_variant(struct sl_str *message, uint32_t *crc, const char **at, const char *end,
                            const struct sl_bundle *b, const struct sl_bundle_entry *e, struct sl_error *err) {
    uint64_t n;
    char length[8];
    if (!sl_get_varint(&n, at, end) || (size_t)(end - *at) < 4 || n > (size_t)(end - *at) - 4)
        return data_loss(b, e, "its variants do not add up", err);
    *message = (struct sl_str){*at, (size_t)n};
    *at += n;
    sl_put_u64(length, n);
    *crc = sl_crc32c(sl_crc32c(*crc, length, sizeof length), message->p, message->n);
    if (sl_crc32c_unmask(sl_get_u32(*at)) != *crc) return data_loss(b, e, "a variant's checksum does not match", err);
    *crc = sl_crc32c(*crc, *at, 4);
    *at += 4;
    return SL_OK;
}

static sl_code decode_variant(struct sl_object **out, struct sl_str message, struct sl_error *err) {
    struct sl_pb_VariantTensorDataProto proto;
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&proto, SL_PB_TYPE(VariantTensorDataProto), message, &arena, err);
    if (code == SL_OK) code = sl_variant_from_proto(out, &proto, err);
    sl_arena_clear(&arena);
    return code;
}

static sl_code read_variants(struct sl_tensor **out, struct sl_bundle *b, const struct sl_bundle_entry *e,
                             struct sl_error *err) {
    struct sl_str bytes = {0}, message;
    struct sl_tensor *t;
    int64_t count;
    uint32_t crc = 0;
    SL_TRY(entry_bytes(&bytes, b, e, err));
    SL_TRY(sl_shape_count(&count, e->shape, err));
    if ((uint64_t)count > bytes.n) return data_loss(b, e, "it has too few bytes", err);
    SL_TRY(sl_tensor_new(&t, SL_VARIANT, e->shape, err));
    const char *at = bytes.p, *end = bytes.p + bytes.n;
    sl_code code = SL_OK;
    for (int64_t i = 0; code == SL_OK && i < count; i++) {
        code = next_variant(&message, &crc, &at, end, b, e, err);
        if (code == SL_OK) code = decode_variant((struct sl_object **)t->data + i, message, err);
    }
    if (code == SL_OK && at != end) code = data_loss(b, e, "its variants do not add up", err);
    if (code == SL_OK && crc != sl_crc32c_unmask(e->crc)) code = checksum_differs(b, e, crc, err);
    if (code == SL_OK) *out = t;
    else sl_tensor_unref(t);
    return code;
}

/* All of an entry that is stored in one piece. */
static sl_code read_entry(struct sl_tensor **out, struct sl_bundle *b, const struct sl_bundle_entry *e,
                          struct sl_error *err) {
    if (e->dtype == SL_STRING) return read_strings(out, b, e, err);
    return e->dtype == SL_VARIANT ? read_variants(out, b, e, err) : read_plain(out, b, e, err);
}

/* ---- slices */

static struct sl_shape slice_shape(int64_t dims[SL_MAX_RANK], const struct sl_tensor_slice *slice) {
    for (int i = 0; i < slice->rank; i++) dims[i] = slice->dims[i].length;
    return (struct sl_shape){slice->rank, dims};
}

/* A stored slice, and what it has of the one wanted. */
struct piece {
    struct sl_bundle_entry entry;
    struct sl_tensor_slice all, part;
};
struct pieces {
    SL_VEC(struct piece) list;
};

/* The entry of stored slice `i`, whose bytes are all there. */
static sl_code find_piece(struct piece *piece, struct sl_bundle *b, const struct sl_bundle_entry *e, size_t i,
                          struct sl_arena *arena, struct sl_error *err) {
    int64_t dims[SL_MAX_RANK];
    struct sl_str bytes, key = sl_slice_key(e->key, &e->slices[i], arena);
    if (!key.p) return sl_fail_memory(err, e->key.n);
    sl_code code = sl_bundle_find(&piece->entry, b, key, arena, err);
    if (code != SL_OK && code != SL_NOT_FOUND) return code;
    if (code == SL_NOT_FOUND || piece->entry.n_slices || piece->entry.dtype != e->dtype ||
        !sl_shape_equal(piece->entry.shape, slice_shape(dims, &piece->all))) {
        const char *text = sl_tensor_slice_text(arena, &e->slices[i]);
        return sl_fail(err, SL_DATA_LOSS, "%s; slice %s of tensor '%.*s' is missing or does not fit", b->index_path,
                       text ? text : "", SL_STR_ARG(e->key));
    }
    piece->entry.key = e->key; /* for messages */
    SL_TRY(entry_bytes(&bytes, b, &piece->entry, err));
    if (sl_dtype_is_plain(e->dtype)) return check_plain_size(b, &piece->entry, err);
    int64_t count = sl_tensor_slice_count(&piece->all);
    return (uint64_t)count <= bytes.n ? SL_OK : data_loss(b, &piece->entry, "it has too few bytes", err);
}

/* Finds all that has to do with `wanted` (resolved), and checks that it is all of it. */
static sl_code find_pieces(struct pieces *pieces, struct sl_bundle *b, const struct sl_bundle_entry *e,
                           const struct sl_tensor_slice *wanted, struct sl_arena *arena, struct sl_error *err) {
    int64_t found = 0;
    for (size_t i = 0; i < e->n_slices; i++) {
        if (sl_vec_reserve(&pieces->list, 1)) return sl_fail_memory(err, pieces->list.n * sizeof(struct piece));
        struct piece *piece = &pieces->list.items[pieces->list.n];
        piece->all = e->slices[i];
        SL_TRY(sl_tensor_slice_resolve(&piece->all, e->shape, err));
        if (!sl_tensor_slice_cut(&piece->part, &piece->all, wanted)) continue;
        SL_TRY(find_piece(piece, b, e, i, arena, err));
        if (!sl_add_i64(&found, found, sl_tensor_slice_count(&piece->part))) break;
        pieces->list.n++;
    }
    if (found == sl_tensor_slice_count(wanted)) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "%s; the stored slices of tensor '%.*s' do not make up what is wanted of it", b->index_path,
                   SL_STR_ARG(e->key));
}

static sl_code copy_piece(struct sl_tensor *t, struct sl_bundle *b, const struct piece *piece,
                          const struct sl_tensor_slice *wanted, struct sl_error *err) {
    struct sl_tensor *from;
    SL_TRY(read_entry(&from, b, &piece->entry, err));
    sl_code code = sl_tensor_slice_copy(t->dtype, t->data, wanted, from->data, &piece->all, &piece->part, err);
    sl_tensor_unref(from);
    return code;
}

/* `wanted` of an entry, from the pieces it is stored in; one that is stored whole is a piece, too. */
static sl_code read_pieces(struct sl_tensor **out, struct sl_bundle *b, const struct sl_bundle_entry *e,
                           const struct sl_tensor_slice *wanted, struct pieces *pieces, struct sl_arena *arena,
                           struct sl_error *err) {
    int64_t dims[SL_MAX_RANK];
    struct sl_tensor *t;
    if (e->n_slices) {
        SL_TRY(find_pieces(pieces, b, e, wanted, arena, err));
    } else {
        struct piece whole = {.entry = *e, .part = *wanted};
        sl_tensor_slice_full(&whole.all, e->shape.rank);
        SL_TRY(sl_tensor_slice_resolve(&whole.all, e->shape, err));
        if (sl_vec_push(&pieces->list, whole)) return sl_fail_memory(err, sizeof whole);
        if (sl_dtype_is_plain(e->dtype)) SL_TRY(check_plain_size(b, e, err)); /* bounds what is wanted */
        struct sl_str bytes;
        SL_TRY(entry_bytes(&bytes, b, e, err));
        if ((uint64_t)sl_tensor_slice_count(wanted) > bytes.n) return data_loss(b, e, "it has too few bytes", err);
    }
    SL_TRY(sl_tensor_new(&t, e->dtype, slice_shape(dims, wanted), err));
    if (sl_dtype_is_plain(e->dtype)) memset(t->data, 0, t->bytes); /* pieces that overlap may leave gaps */
    sl_code code = SL_OK;
    for (size_t i = 0; code == SL_OK && i < pieces->list.n; i++)
        code = copy_piece(t, b, &pieces->list.items[i], wanted, err);
    if (code == SL_OK) *out = t;
    else sl_tensor_unref(t);
    return code;
}

static sl_code read_found(struct sl_tensor **out, struct sl_bundle *b, const struct sl_bundle_entry *e,
                          const struct sl_tensor_slice *slice, struct sl_arena *arena, struct sl_error *err) {
    if (!sl_dtype_is_plain(e->dtype) && e->dtype != SL_STRING && e->dtype != SL_VARIANT)
        return sl_fail(err, SL_UNIMPLEMENTED, "%s; tensor '%.*s' is of type %s, which cannot be restored",
                       b->index_path, SL_STR_ARG(e->key), sl_dtype_name(e->dtype));
    struct sl_tensor_slice wanted;
    if (slice) wanted = *slice;
    else sl_tensor_slice_full(&wanted, e->shape.rank);
    SL_TRY(sl_tensor_slice_resolve(&wanted, e->shape, err));
    if (!e->n_slices && sl_tensor_slice_is_all(&wanted, e->shape)) return read_entry(out, b, e, err);
    struct pieces pieces = {0};
    sl_code code = read_pieces(out, b, e, &wanted, &pieces, arena, err);
    sl_vec_free(&pieces.list);
    return code;
}

sl_code sl_bundle_read(struct sl_tensor **out, struct sl_bundle *b, struct sl_str name,
                       const struct sl_tensor_slice *slice, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_bundle_entry e;
    sl_arena_init(&arena);
    sl_code code = sl_bundle_find(&e, b, name, &arena, err);
    if (code == SL_OK) code = read_found(out, b, &e, slice, &arena, err);
    sl_arena_clear(&arena);
    return code;
}
