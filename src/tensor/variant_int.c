/* Variants of one number: made of their message, zero, added. Sums wrap, as those of int32 tensors do. */
#include "tensor/variant_int.h"

#include <string.h>

#include "base/alloc.h"

static sl_code make(struct sl_object **out, uint32_t value, struct sl_error *err) {
    struct sl_variant_int *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(err, sizeof *made);
    sl_object_init(&made->object, &sl_variant_int_type);
    made->value = (int32_t)value;
    *out = &made->object;
    return SL_OK;
}

static uint32_t bits_of(const struct sl_object *o) { return (uint32_t)((const struct sl_variant_int *)o)->value; }

static sl_code zeros(struct sl_object **out, struct sl_object *like, const struct sl_variant_maths *maths,
                     struct sl_error *err) {
    (void)like, (void)maths;
    return make(out, 0, err);
}

static sl_code add(struct sl_object **out, struct sl_object *a, struct sl_object *b,
                   const struct sl_variant_maths *maths, struct sl_error *err) {
    (void)maths;
    return make(out, bits_of(a) + bits_of(b), err);
}

static void number_free(struct sl_object *o) { sl_free(o); }

static const struct sl_variant_methods methods = {zeros, add};
const struct sl_object_type sl_variant_int_type = {.name = "int", .free = number_free, .variant = &methods};

sl_code sl_variant_int_decode(struct sl_object **out, struct sl_str metadata, struct sl_error *err) {
    unsigned char bytes[4];
    if (metadata.n != sizeof bytes)
        return sl_fail(err, SL_INVALID_ARGUMENT, "a variant of type int has %zu bytes, not 4", metadata.n);
    memcpy(bytes, metadata.p, sizeof bytes);
    return make(out, (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24,
                err);
}
