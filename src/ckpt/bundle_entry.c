/* The index of a bundle: messages of its entries, and writing it whole. */
#include "ckpt/bundle_entry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/env.h"
#include "proto/wire.h"
#include "tensor/tensor_proto.h"

char *sl_bundle_index_path(struct sl_arena *arena, const char *prefix) {
    return sl_arena_format(arena, "%s.index", prefix);
}

char *sl_bundle_data_path(struct sl_arena *arena, const char *prefix, int32_t shard, int32_t shards) {
    return sl_arena_format(arena, "%s.data-%05" PRId32 "-of-%05" PRId32, prefix, shard, shards);
}

sl_code sl_bundle_least_mapped(size_t *bytes, struct sl_error *err) {
    const char *text = sl_env_text(SL_ENV_MAP_CHECKPOINTS);
    *bytes = SIZE_MAX;
    if (!text || sl_size_parse(bytes, text)) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "SLUICE_MAP_CHECKPOINTS is '%s', which is no number of bytes, as in 500000000, 500M or 2G", text);
}

/* ---- decoding */

static sl_code bad(const char *path, struct sl_str key, const char *why, struct sl_error *err) {
    return sl_fail(err, SL_DATA_LOSS, "%s; the entry of '%.*s' %s", path, SL_STR_ARG(key), why);
}

static sl_code decode_shape(struct sl_bundle_entry *e, const struct sl_pb_TensorShapeProto *proto, const char *path,
                            struct sl_arena *arena, struct sl_error *err) {
    size_t rank = proto ? proto->dim.n : 0;
    if (rank > SL_MAX_RANK || (proto && proto->unknown_rank)) return bad(path, e->key, "has no proper shape", err);
    int64_t *dims = SL_ARENA_ARRAY(arena, int64_t, rank + 1), count;
    if (!dims) return sl_fail_memory(err, rank * sizeof *dims);
    for (size_t i = 0; i < rank; i++) dims[i] = proto->dim.items[i].size;
    e->shape = (struct sl_shape){(int)rank, dims};
    return sl_shape_count(&count, e->shape, NULL) == SL_OK ? SL_OK : bad(path, e->key, "has no proper shape", err);
}

static sl_code decode_slices(struct sl_bundle_entry *e, const struct sl_pb_BundleEntryProto *proto, const char *path,
                             struct sl_arena *arena, struct sl_error *err) {
    e->n_slices = proto->slices.n;
    if (!e->n_slices) return SL_OK;
    e->slices = SL_ARENA_ARRAY(arena, struct sl_tensor_slice, e->n_slices);
    if (!e->slices) return sl_fail_memory(err, e->n_slices * sizeof *e->slices);
    for (size_t i = 0; i < e->n_slices; i++) {
        struct sl_tensor_slice resolved;
        if (sl_tensor_slice_from_proto(&e->slices[i], &proto->slices.items[i], NULL) != SL_OK)
            return bad(path, e->key, "has a bad slice", err);
        resolved = e->slices[i];
        if (sl_tensor_slice_resolve(&resolved, e->shape, NULL) != SL_OK)
            return bad(path, e->key, "has a slice that lies outside of its shape", err);
    }
    return SL_OK;
}

sl_code sl_bundle_entry_decode(struct sl_bundle_entry *out, const char *path, struct sl_str key, struct sl_str bytes,
                               struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_BundleEntryProto proto;
    *out = (struct sl_bundle_entry){.key = sl_arena_str(arena, key)};
    bytes = sl_arena_str(arena, bytes);
    if (!out->key.p || !bytes.p) return sl_fail_memory(err, key.n + bytes.n);
    out->is_slice = key.n > 0 && key.p[0] == 0;
    sl_code code = sl_pb_decode(&proto, SL_PB_TYPE(BundleEntryProto), bytes, arena, err);
    if (code == SL_RESOURCE_EXHAUSTED) return code;
    if (code != SL_OK) return bad(path, key, "is malformed", err);
    if (!sl_dtype_is_valid(proto.dtype)) return bad(path, key, "has no type", err);
    if (proto.shard_id < 0 || proto.offset < 0 || proto.size < 0) return bad(path, key, "has a negative place", err);
    out->dtype = proto.dtype;
    out->shard = proto.shard_id;
    out->offset = (uint64_t)proto.offset;
    out->size = (uint64_t)proto.size;
    out->crc = proto.crc32c;
    SL_TRY(decode_shape(out, proto.shape, path, arena, err));
    return decode_slices(out, &proto, path, arena, err);
}

/* ---- encoding */

sl_code sl_bundle_entry_encode(struct sl_str *out, const struct sl_bundle_entry *e, struct sl_arena *arena,
                               struct sl_error *err) {
    struct sl_pb_BundleEntryProto proto = {.dtype = e->dtype, .shard_id = e->shard, .crc32c = e->crc};
    proto.offset = (int64_t)e->offset;
    proto.size = (int64_t)e->size;
    SL_TRY(sl_shape_to_proto(&proto.shape, e->shape, arena, err));
    proto.slices.n = e->n_slices;
    proto.slices.items = SL_ARENA_ARRAY(arena, struct sl_pb_TensorSliceProto, e->n_slices + 1);
    if (!proto.slices.items) return sl_fail_memory(err, e->n_slices);
    for (size_t i = 0; i < e->n_slices; i++)
        SL_TRY(sl_tensor_slice_to_proto(&proto.slices.items[i], &e->slices[i], arena, err));
    return sl_pb_encode(out, SL_PB_TYPE(BundleEntryProto), &proto, 0, arena, err);
}

static int compare_entries(const void *a, const void *b) {
    return sl_str_cmp(((const struct sl_bundle_entry *)a)->key, ((const struct sl_bundle_entry *)b)->key);
}

void sl_bundle_entries_sort(struct sl_bundle_entry *entries, size_t n) {
    if (n) qsort(entries, n, sizeof *entries, compare_entries);
}

static sl_code write_header(struct sl_sorted_table_writer *table, int32_t shards, struct sl_arena *arena,
                            struct sl_error *err) {
    struct sl_pb_VersionDef version = {.producer = SL_BUNDLE_VERSION};
    struct sl_pb_BundleHeaderProto header = {.num_shards = shards, .version = &version};
    struct sl_str bytes;
    SL_TRY(sl_pb_encode(&bytes, SL_PB_TYPE(BundleHeaderProto), &header, 0, arena, err));
    return sl_sorted_table_writer_add(table, SL_STR(""), bytes, err);
}

static sl_code write_entries(struct sl_sorted_table_writer *table, const struct sl_bundle_entry *entries, size_t n,
                             int32_t shards, struct sl_error *err) {
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = write_header(table, shards, &arena, err);
    for (size_t i = 0; code == SL_OK && i < n; i++) {
        struct sl_str bytes;
        if (i % 1024 == 1023) sl_arena_clear(&arena);
        code = sl_bundle_entry_encode(&bytes, &entries[i], &arena, err);
        if (code == SL_OK) code = sl_sorted_table_writer_add(table, entries[i].key, bytes, err);
    }
    sl_arena_clear(&arena);
    return code == SL_OK ? sl_sorted_table_writer_finish(table, err) : code;
}

sl_code sl_bundle_index_write(const char *path, const struct sl_bundle_entry *entries, size_t n, int32_t shards,
                              struct sl_error *err) {
    struct sl_writer file;
    struct sl_sorted_table_writer table;
    SL_TRY(sl_writer_open(&file, path, SL_WRITER_ATOMIC, err));
    sl_sorted_table_writer_init(&table, &file);
    sl_code code = write_entries(&table, entries, n, shards, err);
    sl_sorted_table_writer_clear(&table);
    if (code == SL_OK) return sl_writer_close(&file, err);
    sl_writer_abandon(&file);
    return code;
}
