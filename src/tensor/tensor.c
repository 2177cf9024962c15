/* Tensor memory. Every tensor with memory of its own is one allocation; see the picture in the header. */
#include "tensor/tensor.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "base/memory_limit.h"
#include "tensor/block.h"
#include "tensor/meter.h"
#include "tensor/object.h"

static void fill_header(struct sl_tensor *t, int dtype, struct sl_shape shape, int64_t count, size_t bytes) {
    memset(t, 0, sizeof *t);
    atomic_init(&t->refs, 1);
    t->dtype = (uint8_t)dtype;
    t->rank = (uint8_t)shape.rank;
    t->count = count;
    t->bytes = bytes;
    if (shape.rank > 0) memcpy(t->dims, shape.dims, (size_t)shape.rank * sizeof *t->dims);
}

static sl_code measure(int64_t *count, size_t *bytes, int dtype, struct sl_shape shape, struct sl_error *err) {
    if (!sl_dtype_is_valid(dtype)) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid data type %d for a tensor", dtype);
    if (shape.rank > SL_MAX_RANK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Shape must be at most rank %d but is rank %d", SL_MAX_RANK,
                       shape.rank);
    SL_TRY(sl_shape_count(count, shape, err));
    int64_t total;
    if (!sl_mul_i64(&total, *count, (int64_t)sl_dtype_size(dtype)) || (uint64_t)total > SIZE_MAX / 2)
        return sl_fail(err, SL_INVALID_ARGUMENT, "A tensor of %lld %s elements is too large", (long long)*count,
                       sl_dtype_name(dtype));
    *bytes = (size_t)total;
    return SL_OK;
}

static size_t header_bytes(int rank) {
    size_t raw = sizeof(struct sl_tensor) + (size_t)rank * sizeof(int64_t);
    return (raw + SL_TENSOR_ALIGNMENT - 1) & ~(size_t)(SL_TENSOR_ALIGNMENT - 1);
}

static sl_code fail_block(int dtype, size_t bytes, struct sl_error *err) {
    char limit[96] = "";
    if (sl_memory_limit())
        snprintf(limit, sizeof limit, ": the process may hold %zu bytes, and holds %zu", sl_memory_limit(),
                 sl_memory_held());
    return sl_fail(err, SL_RESOURCE_EXHAUSTED, "OOM when allocating a %s tensor of %zu bytes%s", sl_dtype_name(dtype),
                   bytes, limit);
}

sl_code sl_tensor_new(struct sl_tensor **out, int dtype, struct sl_shape shape, struct sl_error *err) {
    int64_t count;
    size_t bytes, total;
    SL_TRY(measure(&count, &bytes, dtype, shape, err));
    size_t head = header_bytes(shape.rank);
    if (!sl_add_size(&total, head, bytes)) return sl_fail_memory(err, bytes);
    struct sl_charge *charge = NULL;
    if (sl_meter_current()) SL_TRY(sl_meter_charge(&charge, total, err));
    struct sl_tensor *t = sl_block_alloc(total);
    if (!t) {
        sl_charge_drop(charge);
        return fail_block(dtype, bytes, err);
    }
    fill_header(t, dtype, shape, count, bytes);
    t->is_pooled = true;
    t->charge = charge;
    t->data = (char *)t + head;
    if (!sl_dtype_is_plain(dtype)) memset(t->data, 0, bytes);
    *out = t;
    return SL_OK;
}

static struct sl_tensor *bare_header(int dtype, struct sl_shape shape, int64_t count, size_t bytes) {
    struct sl_tensor *t = sl_malloc(sizeof *t + (size_t)shape.rank * sizeof(int64_t));
    if (t) fill_header(t, dtype, shape, count, bytes);
    return t;
}

sl_code sl_tensor_new_in(struct sl_tensor **out, struct sl_memory *memory, int dtype, struct sl_shape shape,
                         struct sl_error *err) {
    int64_t count;
    size_t bytes;
    if (!memory) return sl_tensor_new(out, dtype, shape, err);
    SL_TRY(measure(&count, &bytes, dtype, shape, err));
    if (!sl_dtype_is_plain(dtype))
        return sl_fail(err, SL_INTERNAL, "%s elements cannot lie in the memory of %s", sl_dtype_name(dtype),
                       memory->name);
    struct sl_tensor *t = bare_header(dtype, shape, count, bytes);
    if (!t) return sl_fail_memory(err, sizeof *t);
    t->is_elsewhere = true;
    t->memory = memory;
    t->data = memory->allocate(memory, bytes);
    if (!t->data) {
        sl_free(t);
        return sl_fail(err, SL_RESOURCE_EXHAUSTED, "OOM when allocating a %s tensor of %zu bytes on %s",
                       sl_dtype_name(dtype), bytes, memory->name);
    }
    *out = t;
    return SL_OK;
}

sl_code sl_tensor_view(struct sl_tensor **out, struct sl_tensor *base, int dtype, struct sl_shape shape, int64_t offset,
                       struct sl_error *err) {
    int64_t count;
    size_t bytes;
    SL_TRY(measure(&count, &bytes, dtype, shape, err));
    size_t start = (size_t)offset * sl_dtype_size(dtype);
    if (offset < 0 || start > base->bytes || bytes > base->bytes - start)
        return sl_fail(err, SL_INTERNAL, "a view of %zu bytes at %zu leaves its tensor of %zu bytes", bytes, start,
                       base->bytes);
    struct sl_tensor *t = bare_header(dtype, shape, count, bytes);
    if (!t) return sl_fail_memory(err, sizeof *t);
    t->owner = sl_tensor_ref(base->owner ? base->owner : base);
    t->is_elsewhere = base->is_elsewhere;
    if (t->is_elsewhere) t->memory = base->memory;
    t->data = (char *)base->data + start;
    *out = t;
    return SL_OK;
}

sl_code sl_tensor_wrap(struct sl_tensor **out, int dtype, struct sl_shape shape, void *data, size_t bytes,
                       void (*release)(void *, size_t, void *), void *arg, struct sl_error *err) {
    int64_t count;
    size_t need;
    SL_TRY(measure(&count, &need, dtype, shape, err));
    if (need > bytes || (!data && need))
        return sl_fail(err, SL_INVALID_ARGUMENT, "%zu bytes were given for a %s tensor of %zu bytes", bytes,
                       sl_dtype_name(dtype), need);
    struct sl_tensor *t = bare_header(dtype, shape, count, need);
    if (!t) return sl_fail_memory(err, sizeof *t);
    t->data = data ? data : t;
    t->bytes = need;
    t->release = release;
    t->release_arg = arg;
    *out = t;
    return SL_OK;
}

sl_code sl_tensor_copy(struct sl_tensor **out, const struct sl_tensor *t, struct sl_error *err) {
    struct sl_tensor *copy;
    struct sl_memory *memory = sl_tensor_memory(t);
    SL_TRY(sl_tensor_new_in(&copy, memory, t->dtype, sl_tensor_shape(t), err));
    sl_code code = memory ? memory->copy(memory, copy->data, t->data, t->bytes, err)
                          : sl_elements_copy(t->dtype, copy->data, t->data, t->count, err);
    if (code != SL_OK) {
        sl_tensor_unref(copy);
        return code;
    }
    *out = copy;
    return SL_OK;
}

static void free_elements(struct sl_tensor *t) {
    if (t->dtype == SL_STRING) {
        TF_TString *s = t->data;
        for (int64_t i = 0; i < t->count; i++) TF_TString_Dealloc(&s[i]);
    } else if (t->dtype == SL_RESOURCE || t->dtype == SL_VARIANT) {
        struct sl_object **o = t->data;
        for (int64_t i = 0; i < t->count; i++) sl_object_unref(o[i]);
    }
}

void sl_tensor_free(struct sl_tensor *t) {
    if (t->owner) {
        sl_tensor_unref(t->owner);
        sl_free(t);
    } else if (t->is_pooled) {
        free_elements(t);
        if (__builtin_expect(t->charge != NULL, 0)) sl_charge_drop(t->charge);
        sl_block_free(t, (size_t)((char *)t->data - (char *)t) + t->bytes);
    } else if (t->is_elsewhere) {
        t->memory->free(t->memory, t->data, t->bytes);
        sl_free(t);
    } else {
        if (t->release) t->release(t->data, t->bytes, t->release_arg);
        sl_free(t);
    }
}

struct sl_str sl_string_get(const TF_TString *s) {
    return (struct sl_str){TF_TString_GetDataPointer(s), TF_TString_GetSize(s)};
}

/* What lies outside of the tensor's block: what is not too long lies in the element itself. */
static size_t bytes_outside(size_t length) { return length > TF_TString_SmallCapacity ? length : 0; }

void sl_tensor_charge_strings(struct sl_tensor *t) {
    if (t->dtype != SL_STRING || !t->is_pooled || !t->charge) return;
    const TF_TString *s = t->data;
    size_t bytes = 0;
    for (int64_t i = 0; i < t->count; i++) bytes += bytes_outside(TF_TString_GetSize(&s[i]));
    sl_charge_set_strings(t->charge, bytes);
}

char *sl_string_reserve(TF_TString *s, size_t n) {
    struct sl_meter_scope *scope = sl_meter_current();
    if (scope && bytes_outside(n) && !sl_meter_note_string(scope, n)) return NULL;
    return TF_TString_ResizeUninitialized(s, n);
}

sl_code sl_string_set(TF_TString *s, struct sl_str bytes, struct sl_error *err) {
    char *room = sl_string_reserve(s, bytes.n);
    if (!room) return sl_fail_memory(err, bytes.n);
    if (bytes.n) memmove(room, bytes.p, bytes.n);
    return SL_OK;
}

sl_code sl_elements_copy(int dtype, void *to, const void *from, int64_t count, struct sl_error *err) {
    if (count <= 0) return SL_OK;
    if (dtype == SL_STRING) {
        TF_TString *t = to;
        const TF_TString *f = from;
        for (int64_t i = 0; i < count; i++) SL_TRY(sl_string_set(&t[i], sl_string_get(&f[i]), err));
    } else if (dtype == SL_RESOURCE || dtype == SL_VARIANT) {
        struct sl_object **t = to, *const *f = from;
        for (int64_t i = 0; i < count; i++) {
            struct sl_object *old = t[i];
            t[i] = sl_object_ref(f[i]);
            sl_object_unref(old);
        }
    } else {
        memcpy(to, from, (size_t)count * sl_dtype_size(dtype));
    }
    return SL_OK;
}
