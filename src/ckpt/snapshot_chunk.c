/* Writing and reading chunks. What a file says of sizes counts only as far as it has the bytes. */
#include "ckpt/snapshot_chunk.h"

#include "base/alloc.h"
#include "base/vec.h"
#include "ckpt/byte_sink.h"
#include "ckpt/coding.h"
#include "ckpt/record.h"
#include "ckpt/snappy.h"
#include "proto/wire.h"
#include "tensor/tensor_proto.h"

enum { LENGTH = 8 };

sl_code sl_chunk_compression_parse(enum sl_compression *out, struct sl_str word, struct sl_error *err) {
    return sl_record_compression_parse(out, sl_str_is(word, "AUTO") ? SL_STR("SNAPPY") : word, err);
}

/* ---- writing */

struct sl_chunk_writer {
    struct sl_record_writer *records; /* version 2 */
    struct sl_byte_sink *sink;        /* version 1 */
    bool has_blocks;                  /* with snappy */
    int64_t bytes;
    struct sl_arena arena; /* of one element */
    SL_VEC(char) plain;
};

sl_code sl_chunk_writer_open(struct sl_chunk_writer **out, const char *path, int version,
                             enum sl_compression compression, struct sl_error *err) {
    struct sl_chunk_writer *w = sl_calloc(1, sizeof *w);
    if (!w) return sl_fail_memory(err, sizeof *w);
    sl_arena_init(&w->arena);
    w->has_blocks = version == 1 && compression == SL_COMPRESSION_SNAPPY;
    sl_code code = version == 1 ? sl_byte_sink_open(&w->sink, path, SL_WRITER_TRUNCATE,
                                                    w->has_blocks ? SL_COMPRESSION_NONE : compression, err)
                                : sl_record_writer_open(&w->records, path, SL_WRITER_TRUNCATE, compression, err);
    if (code == SL_OK) *out = w;
    else sl_free(w);
    return code;
}

/* The message of a component, and its bytes, in the arena. The tensor has to live as long. */
static sl_code component_message(struct sl_str *bytes, struct sl_chunk_writer *w, struct sl_tensor *t,
                                 struct sl_error *err) {
    struct sl_pb_TensorProto proto;
    SL_TRY(sl_tensor_to_proto(&proto, t, &w->arena, err));
    return sl_tensor_proto_encode(bytes, &proto, &w->arena, err);
}

static sl_code add_record(struct sl_chunk_writer *w, struct sl_tensor *t, struct sl_error *err) {
    struct sl_str bytes;
    SL_TRY(component_message(&bytes, w, t, err));
    w->bytes += (int64_t)bytes.n;
    return sl_record_writer_add(w->records, bytes, err);
}

static sl_code add_sized(struct sl_chunk_writer *w, struct sl_str bytes, struct sl_error *err) {
    char length[LENGTH];
    sl_put_u64(length, bytes.n);
    w->bytes += LENGTH + (int64_t)bytes.n;
    SL_TRY(sl_byte_sink_write(w->sink, (struct sl_str){length, LENGTH}, err));
    return sl_byte_sink_write(w->sink, bytes, err);
}

static sl_code add_message(struct sl_chunk_writer *w, struct sl_tensor *const *tensors, int n, struct sl_error *err) {
    struct sl_pb_SnapshotRecord record = {.unknown = NULL};
    struct sl_str bytes;
    record.tensor.items = sl_arena_array(&w->arena, (size_t)n + 1, sizeof *record.tensor.items);
    if (!record.tensor.items) return sl_fail_memory(err, (size_t)n);
    for (; record.tensor.n < (size_t)n; record.tensor.n++)
        SL_TRY(sl_tensor_to_proto(&record.tensor.items[record.tensor.n], tensors[record.tensor.n], &w->arena, err));
    SL_TRY(sl_pb_encode(&bytes, SL_PB_TYPE(SnapshotRecord), &record, 0, &w->arena, err));
    return add_sized(w, bytes, err);
}

/* Appends a component to what goes into the block. */
static sl_code add_to_block(struct sl_pb_TensorMetadata *m, struct sl_chunk_writer *w, struct sl_tensor *t,
                            struct sl_error *err) {
    struct sl_str bytes = {t->data, t->bytes};
    if (!sl_dtype_is_plain(t->dtype)) SL_TRY(component_message(&bytes, w, t, err));
    SL_TRY(sl_shape_to_proto(&m->tensor_shape, sl_tensor_shape(t), &w->arena, err));
    m->tensor_size_bytes = (int64_t)bytes.n;
    if (sl_vec_reserve(&w->plain, bytes.n)) return sl_fail_memory(err, bytes.n);
    if (bytes.n) memcpy(w->plain.items + w->plain.n, bytes.p, bytes.n);
    w->plain.n += bytes.n;
    return SL_OK;
}

static sl_code add_block(struct sl_chunk_writer *w, struct sl_tensor *const *tensors, int n, struct sl_error *err) {
    struct sl_pb_SnapshotTensorMetadata all = {.unknown = NULL};
    struct sl_str bytes;
    char *block;
    size_t size;
    w->plain.n = 0;
    all.tensor_metadata.items = sl_arena_array(&w->arena, (size_t)n + 1, sizeof *all.tensor_metadata.items);
    if (!all.tensor_metadata.items) return sl_fail_memory(err, (size_t)n);
    for (; all.tensor_metadata.n < (size_t)n; all.tensor_metadata.n++)
        SL_TRY(add_to_block(&all.tensor_metadata.items[all.tensor_metadata.n], w, tensors[all.tensor_metadata.n], err));
    SL_TRY(sl_pb_encode(&bytes, SL_PB_TYPE(SnapshotTensorMetadata), &all, 0, &w->arena, err));
    SL_TRY(add_sized(w, bytes, err));
    SL_TRY(sl_snappy_encode(&block, &size, (struct sl_str){w->plain.items, w->plain.n}, err));
    sl_code code = add_sized(w, (struct sl_str){block, size}, err);
    sl_free(block);
    return code;
}

static sl_code add_tensors(struct sl_chunk_writer *w, struct sl_tensor *const *tensors, int n, struct sl_error *err) {
    if (w->sink) return w->has_blocks ? add_block(w, tensors, n, err) : add_message(w, tensors, n, err);
    for (int i = 0; i < n; i++) SL_TRY(add_record(w, tensors[i], err));
    return SL_OK;
}

sl_code sl_chunk_writer_add(struct sl_chunk_writer *w, const struct sl_value *element, int n, struct sl_error *err) {
    sl_arena_reset(&w->arena);
    struct sl_tensor **tensors = SL_ARENA_ARRAY(&w->arena, struct sl_tensor *, (size_t)n + 1);
    if (!tensors) return sl_fail_memory(err, (size_t)n * sizeof *tensors);
    int made = 0;
    sl_code code = SL_OK;
    for (; code == SL_OK && made < n; made += code == SL_OK)
        code = sl_value_to_tensor(&tensors[made], &element[made], err);
    if (code == SL_OK) code = add_tensors(w, tensors, n, err);
    while (made > 0) sl_tensor_unref(tensors[--made]);
    return code;
}

int64_t sl_chunk_writer_bytes(const struct sl_chunk_writer *w) { return w->bytes; }

static void free_writer(struct sl_chunk_writer *w) {
    sl_vec_free(&w->plain);
    sl_arena_clear(&w->arena);
    sl_free(w);
}

sl_code sl_chunk_writer_close(struct sl_chunk_writer *w, struct sl_error *err) {
    sl_code code = w->sink ? sl_byte_sink_close(w->sink, true, err) : sl_record_writer_close(w->records, true, err);
    free_writer(w);
    return code;
}

void sl_chunk_writer_abandon(struct sl_chunk_writer *w) {
    if (!w) return;
    sl_byte_sink_abandon(w->sink);
    sl_record_writer_abandon(w->records);
    free_writer(w);
}

/* ---- reading */

struct sl_chunk_reader {
    struct sl_record_reader *records; /* version 2 */
    struct sl_byte_stream *stream;    /* version 1 */
    bool has_blocks;
    int n;
    const uint8_t *types;
    char *path;
    struct sl_arena arena; /* of one element */
    SL_VEC(char) bytes;
};

static sl_code fail_damaged(const struct sl_chunk_reader *r, const char *what, struct sl_error *err) {
    return sl_fail(err, SL_DATA_LOSS, "%s; %s", r->path, what);
}

sl_code sl_chunk_reader_open(struct sl_chunk_reader **out, const char *path, int version,
                             enum sl_compression compression, int n, const uint8_t *types, struct sl_error *err) {
    struct sl_chunk_reader *r = sl_calloc(1, sizeof *r);
    if (!r) return sl_fail_memory(err, sizeof *r);
    sl_arena_init(&r->arena);
    r->n = n;
    r->types = types;
    r->has_blocks = version == 1 && compression == SL_COMPRESSION_SNAPPY;
    r->path = sl_malloc(strlen(path) + 1);
    sl_code code = r->path ? SL_OK : sl_fail_memory(err, strlen(path));
    if (code == SL_OK) strcpy(r->path, path);
    if (code == SL_OK && version == 1)
        code = sl_byte_stream_open(&r->stream, path, r->has_blocks ? SL_COMPRESSION_NONE : compression, err);
    else if (code == SL_OK) code = sl_record_reader_open(&r->records, path, compression, err);
    if (code == SL_OK) *out = r;
    else sl_chunk_reader_close(r);
    return code;
}

void sl_chunk_reader_close(struct sl_chunk_reader *r) {
    if (!r) return;
    sl_record_reader_close(r->records);
    sl_byte_stream_close(r->stream);
    sl_vec_free(&r->bytes);
    sl_arena_clear(&r->arena);
    sl_free(r->path);
    sl_free(r);
}

/* What is wrong with a message is the file's fault. */
static sl_code value_of_message(struct sl_value *out, const struct sl_chunk_reader *r,
                                const struct sl_pb_TensorProto *proto, struct sl_error *err) {
    struct sl_tensor *t;
    struct sl_error why;
    sl_error_clear(&why);
    sl_code code = sl_tensor_from_proto(&t, proto, &why);
    if (code == SL_OK) *out = sl_value_of_tensor(t);
    else if (code == SL_INVALID_ARGUMENT) return fail_damaged(r, why.message, err);
    else return sl_fail(err, code, "%s; %s", r->path, why.message);
    return SL_OK;
}

static sl_code value_of_bytes(struct sl_value *out, struct sl_chunk_reader *r, struct sl_str bytes,
                              struct sl_error *err) {
    struct sl_pb_TensorProto proto;
    if (sl_tensor_proto_decode(&proto, bytes, &r->arena, NULL) != SL_OK)
        return fail_damaged(r, "holds no TensorProto where a component is to be", err);
    return value_of_message(out, r, &proto, err);
}

static sl_code next_records(struct sl_value *element, bool *is_end, struct sl_chunk_reader *r, struct sl_error *err) {
    for (int i = 0; i < r->n; i++) {
        struct sl_str record;
        SL_TRY(sl_record_reader_next(&record, is_end, r->records, err));
        if (*is_end) return i == 0 ? SL_OK : fail_damaged(r, "ends within an element", err);
        SL_TRY(value_of_bytes(&element[i], r, record, err));
    }
    return SL_OK;
}

/* The next length and as many bytes, which stay until the next call. */
static sl_code next_sized(struct sl_str *out, bool *is_end, struct sl_chunk_reader *r, struct sl_error *err) {
    enum { STEP = 1 << 20 };
    char length[LENGTH];
    size_t got;
    SL_TRY(sl_byte_stream_read(&got, r->stream, length, LENGTH, err));
    *is_end = got == 0;
    if (*is_end) return SL_OK;
    const uint64_t size = got == LENGTH ? sl_get_u64(length) : UINT64_MAX;
    r->bytes.n = 0;
    while (got == LENGTH && r->bytes.n < size) {
        const size_t step = size - r->bytes.n < STEP ? (size_t)(size - r->bytes.n) : STEP;
        size_t more;
        if (sl_vec_reserve(&r->bytes, step)) return sl_fail_memory(err, r->bytes.n + step);
        SL_TRY(sl_byte_stream_read(&more, r->stream, r->bytes.items + r->bytes.n, step, err));
        r->bytes.n += more;
        if (more < step) break;
    }
    if (r->bytes.n != size) return fail_damaged(r, "ends within an element", err);
    *out = (struct sl_str){r->bytes.items, r->bytes.n};
    return SL_OK;
}

static sl_code next_message(struct sl_value *element, bool *is_end, struct sl_chunk_reader *r, struct sl_error *err) {
    struct sl_pb_SnapshotRecord record;
    struct sl_str bytes;
    SL_TRY(next_sized(&bytes, is_end, r, err));
    if (*is_end) return SL_OK;
    if (sl_pb_decode(&record, SL_PB_TYPE(SnapshotRecord), bytes, &r->arena, NULL) != SL_OK)
        return fail_damaged(r, "holds no SnapshotRecord where an element is to be", err);
    if (record.tensor.n != (size_t)r->n) return fail_damaged(r, "has elements of another number of components", err);
    for (int i = 0; i < r->n; i++) SL_TRY(value_of_message(&element[i], r, &record.tensor.items[i], err));
    return SL_OK;
}

static sl_code value_of_block(struct sl_value *out, struct sl_chunk_reader *r, int dtype,
                              const struct sl_pb_TensorMetadata *m, struct sl_str bytes, struct sl_error *err) {
    if (!sl_dtype_is_plain(dtype)) return value_of_bytes(out, r, bytes, err);
    static const struct sl_pb_TensorShapeProto scalar;
    const struct sl_pb_TensorProto proto = {.dtype = dtype,
                                            .tensor_shape = m->tensor_shape ? m->tensor_shape : (void *)&scalar,
                                            .tensor_content = bytes};
    return value_of_message(out, r, &proto, err);
}

static sl_code split_block(struct sl_value *element, struct sl_chunk_reader *r,
                           const struct sl_pb_SnapshotTensorMetadata *all, struct sl_str rest, struct sl_error *err) {
    for (int i = 0; i < r->n; i++) {
        const struct sl_pb_TensorMetadata *m = &all->tensor_metadata.items[i];
        const uint64_t size = (uint64_t)m->tensor_size_bytes;
        if (size > rest.n) return fail_damaged(r, "has a component that is longer than its block", err);
        SL_TRY(value_of_block(&element[i], r, r->types[i], m, (struct sl_str){rest.p, (size_t)size}, err));
        rest = (struct sl_str){rest.p + size, rest.n - (size_t)size};
    }
    return rest.n ? fail_damaged(r, "has a block that is longer than its components", err) : SL_OK;
}

static sl_code next_block(struct sl_value *element, bool *is_end, struct sl_chunk_reader *r, struct sl_error *err) {
    struct sl_pb_SnapshotTensorMetadata all;
    struct sl_str bytes, copy;
    char *plain;
    size_t n;
    SL_TRY(next_sized(&bytes, is_end, r, err));
    if (*is_end) return SL_OK;
    copy = sl_arena_str(&r->arena, bytes); /* the message borrows from it */
    if (!copy.p) return sl_fail_memory(err, bytes.n);
    if (sl_pb_decode(&all, SL_PB_TYPE(SnapshotTensorMetadata), copy, &r->arena, NULL) != SL_OK ||
        all.tensor_metadata.n != (size_t)r->n)
        return fail_damaged(r, "has elements of another number of components", err);
    SL_TRY(next_sized(&bytes, is_end, r, err));
    if (*is_end) return fail_damaged(r, "ends within an element", err);
    struct sl_error why;
    sl_error_clear(&why);
    if (sl_snappy_decode(&plain, &n, bytes, SIZE_MAX, &why) != SL_OK) return fail_damaged(r, why.message, err);
    sl_code code = split_block(element, r, &all, (struct sl_str){plain, n}, err);
    sl_free(plain);
    return code;
}

sl_code sl_chunk_reader_next(struct sl_value *element, bool *is_end, struct sl_chunk_reader *r, struct sl_error *err) {
    *is_end = false;
    sl_arena_reset(&r->arena);
    sl_code code = r->records      ? next_records(element, is_end, r, err)
                   : r->has_blocks ? next_block(element, is_end, r, err)
                                   : next_message(element, is_end, r, err);
    for (int i = 0; code != SL_OK && i < r->n; i++) sl_value_clear(&element[i]);
    return code;
}
