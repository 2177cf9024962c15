/* Ranges of tensors: text, messages, cutting, copying. */
#include "ckpt/tensor_slice.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/checked.h"
#include "tensor/tensor.h"

void sl_tensor_slice_full(struct sl_tensor_slice *out, int rank) {
    out->rank = rank;
    for (int i = 0; i < rank; i++) out->dims[i] = (struct sl_extent){0, SL_EXTENT_FULL};
}

/* ---- text */

/* A number without sign that fits; moves `text` behind it. */
static bool take_int(int64_t *out, struct sl_str *text) {
    int64_t v = 0;
    size_t i = 0;
    for (; i < text->n && text->p[i] >= '0' && text->p[i] <= '9'; i++)
        if (!sl_mul_i64(&v, v, 10) || !sl_add_i64(&v, v, text->p[i] - '0')) return false;
    *text = (struct sl_str){text->p + i, text->n - i};
    *out = v;
    return i > 0;
}

static bool take_char(struct sl_str *text, char c) {
    if (text->n == 0 || text->p[0] != c) return false;
    *text = (struct sl_str){text->p + 1, text->n - 1};
    return true;
}

static bool take_extent(struct sl_extent *out, struct sl_str *text) {
    if (take_char(text, '-')) {
        *out = (struct sl_extent){0, SL_EXTENT_FULL};
        return true;
    }
    return take_int(&out->start, text) && take_char(text, ',') && take_int(&out->length, text) && out->length > 0;
}

sl_code sl_tensor_slice_parse(struct sl_tensor_slice *out, struct sl_str text, struct sl_error *err) {
    struct sl_str rest = text;
    out->rank = 0;
    if (text.n == 0) return SL_OK;
    do {
        if (out->rank == SL_MAX_RANK)
            return sl_fail(err, SL_INVALID_ARGUMENT, "A slice has at most %d dimensions", SL_MAX_RANK);
        if (!take_extent(&out->dims[out->rank++], &rest))
            return sl_fail(err, SL_INVALID_ARGUMENT, "Expected a pair of numbers or '-' but got '%.*s': string = %.*s",
                           SL_STR_ARG(rest), SL_STR_ARG(text));
    } while (take_char(&rest, ':'));
    if (rest.n) return sl_fail(err, SL_INVALID_ARGUMENT, "Expected a slice but got '%.*s'", SL_STR_ARG(text));
    return SL_OK;
}

char *sl_tensor_slice_text(struct sl_arena *arena, const struct sl_tensor_slice *slice) {
    enum { EXTENT_MAX = 44 };
    size_t room = (size_t)slice->rank * EXTENT_MAX + 1, n = 0;
    char *text = sl_arena_zalloc(arena, room);
    for (int i = 0; text && i < slice->rank; i++) {
        struct sl_extent e = slice->dims[i];
        const char *colon = i ? ":" : "";
        if (e.length == SL_EXTENT_FULL) n += (size_t)snprintf(text + n, room - n, "%s-", colon);
        else n += (size_t)snprintf(text + n, room - n, "%s%" PRId64 ",%" PRId64, colon, e.start, e.length);
    }
    return text;
}

sl_code sl_shape_and_slice_parse(struct sl_shape *shape, int64_t dims[SL_MAX_RANK], struct sl_tensor_slice *slice,
                                 struct sl_str text, struct sl_error *err) {
    struct sl_str rest = text;
    int rank = 0;
    while (rank < SL_MAX_RANK) {
        struct sl_str before = rest;
        if (!take_int(&dims[rank], &rest))
            return sl_fail(err, SL_INVALID_ARGUMENT, "Need a shape and a slice, got '%.*s'", SL_STR_ARG(text));
        if (!take_char(&rest, ' ')) {
            rest = before; /* it was the beginning of the slice */
            break;
        }
        rank++;
        if (rest.n && (rest.p[0] < '0' || rest.p[0] > '9')) break;
    }
    *shape = (struct sl_shape){rank, dims};
    int64_t count;
    SL_TRY(sl_shape_count(&count, *shape, err));
    SL_TRY(sl_tensor_slice_parse(slice, rest, err));
    if (slice->rank != rank)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The shape and the slice of '%.*s' differ in rank", SL_STR_ARG(text));
    struct sl_tensor_slice resolved = *slice;
    return sl_tensor_slice_resolve(&resolved, *shape, err);
}

/* ---- messages */

sl_code sl_tensor_slice_from_proto(struct sl_tensor_slice *out, const struct sl_pb_TensorSliceProto *proto,
                                   struct sl_error *err) {
    if (proto->extent.n > SL_MAX_RANK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "A slice has at most %d dimensions", SL_MAX_RANK);
    out->rank = (int)proto->extent.n;
    for (int i = 0; i < out->rank; i++) {
        const struct sl_pb_TensorSliceProto_Extent *e = &proto->extent.items[i];
        bool has_length = e->which == SL_PB_TensorSliceProto_Extent_length;
        out->dims[i] = (struct sl_extent){e->start, has_length ? e->length : SL_EXTENT_FULL};
        if (e->start < 0 || (has_length ? e->length < 1 : e->start != 0))
            return sl_fail(err, SL_INVALID_ARGUMENT, "A slice has the range %" PRId64 ",%" PRId64, e->start,
                           out->dims[i].length);
    }
    return SL_OK;
}

sl_code sl_tensor_slice_to_proto(struct sl_pb_TensorSliceProto *out, const struct sl_tensor_slice *slice,
                                 struct sl_arena *arena, struct sl_error *err) {
    *out = (struct sl_pb_TensorSliceProto){0};
    out->extent.n = (size_t)slice->rank;
    out->extent.items = SL_ARENA_ARRAY(arena, struct sl_pb_TensorSliceProto_Extent, out->extent.n);
    if (!out->extent.items) return sl_fail_memory(err, out->extent.n);
    for (int i = 0; i < slice->rank; i++) {
        if (slice->dims[i].length == SL_EXTENT_FULL) continue;
        out->extent.items[i].start = slice->dims[i].start;
        out->extent.items[i].which = SL_PB_TensorSliceProto_Extent_length;
        out->extent.items[i].length = slice->dims[i].length;
    }
    return SL_OK;
}

/* ---- ranges */

sl_code sl_tensor_slice_resolve(struct sl_tensor_slice *slice, struct sl_shape shape, struct sl_error *err) {
    char text[SL_SHAPE_TEXT];
    if (slice->rank != shape.rank)
        return sl_fail(err, SL_INVALID_ARGUMENT, "A slice of rank %d does not fit shape %s", slice->rank,
                       sl_shape_text(text, shape));
    for (int i = 0; i < slice->rank; i++) {
        struct sl_extent *e = &slice->dims[i];
        if (e->length == SL_EXTENT_FULL) *e = (struct sl_extent){0, shape.dims[i]};
        if (e->start < 0 || e->length < 0 || e->start > shape.dims[i] || e->length > shape.dims[i] - e->start)
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Extent in dimension %d out of bounds: shape = %s, extent = %" PRId64 ",%" PRId64, i,
                           sl_shape_text(text, shape), e->start, e->length);
    }
    return SL_OK;
}

bool sl_tensor_slice_is_all(const struct sl_tensor_slice *slice, struct sl_shape shape) {
    for (int i = 0; i < shape.rank; i++)
        if (slice->dims[i].start != 0 || slice->dims[i].length != shape.dims[i]) return false;
    return slice->rank == shape.rank;
}

bool sl_tensor_slice_cut(struct sl_tensor_slice *out, const struct sl_tensor_slice *a,
                         const struct sl_tensor_slice *b) {
    if (a->rank != b->rank) return false;
    out->rank = a->rank;
    for (int i = 0; i < a->rank; i++) {
        struct sl_extent x = a->dims[i], y = b->dims[i];
        int64_t start = x.start > y.start ? x.start : y.start;
        int64_t x_end = x.start + x.length, y_end = y.start + y.length, end = x_end < y_end ? x_end : y_end;
        if (end <= start) return false;
        out->dims[i] = (struct sl_extent){start, end - start};
    }
    return true;
}

int64_t sl_tensor_slice_count(const struct sl_tensor_slice *slice) {
    int64_t count = 1;
    for (int i = 0; i < slice->rank; i++) count *= slice->dims[i].length;
    return count;
}

/* Where the first element of row `index` of `part` stands in slice `in`. */
static int64_t row_offset(const struct sl_tensor_slice *in, const struct sl_tensor_slice *part, const int64_t *index) {
    int64_t at = 0;
    for (int i = 0; i < in->rank; i++)
        at = at * in->dims[i].length + part->dims[i].start - in->dims[i].start + (i + 1 < in->rank ? index[i] : 0);
    return at;
}

sl_code sl_tensor_slice_copy(int dtype, void *to_data, const struct sl_tensor_slice *to, const void *from_data,
                             const struct sl_tensor_slice *from, const struct sl_tensor_slice *part,
                             struct sl_error *err) {
    int last = part->rank - 1;
    size_t size = sl_dtype_size(dtype);
    int64_t row = last >= 0 ? part->dims[last].length : 1, index[SL_MAX_RANK] = {0};
    for (int64_t rows = row ? sl_tensor_slice_count(part) / row : 0; rows > 0; rows--) {
        char *target = (char *)to_data + (size_t)row_offset(to, part, index) * size;
        const char *source = (const char *)from_data + (size_t)row_offset(from, part, index) * size;
        SL_TRY(sl_elements_copy(dtype, target, source, row, err));
        for (int i = last - 1; i >= 0 && ++index[i] == part->dims[i].length; i--) index[i] = 0;
    }
    return SL_OK;
}
