/* Values: what travels along an edge of the graph and sits in a slot of a step.
 *
 * A plain scalar of up to 16 bytes is held in the value itself: no allocation, no count. Scalar resources and
 * variants are held as the object. Everything else is a tensor, also a scalar whose element does not lie in the
 * host's memory. Who holds a value owns its reference; values are moved by plain assignment (the source must then be
 * forgotten), shared by sl_value_share. One owner; not thread-safe. */
#ifndef SL_TENSOR_VALUE_H
#define SL_TENSOR_VALUE_H

#include <assert.h>

#include "tensor/object.h"
#include "tensor/tensor.h"

enum sl_value_kind {
    SL_VALUE_NONE,   /* nothing here (yet) */
    SL_VALUE_DEAD,   /* a dead token */
    SL_VALUE_SCALAR, /* rank 0, plain: `bits` */
    /* Kinds from here on hold a reference. */
    SL_VALUE_OBJECT, /* rank 0 resource or variant: `object`, NULL for an empty variant */
    SL_VALUE_TENSOR,
    SL_VALUE_REF /* reference edge: `object` is a struct sl_variable */
};

struct sl_value {
    union {
        unsigned char bits[16];
        struct sl_tensor *tensor;
        struct sl_object *object;
        /* scalars by type, for direct access */
        float f32;
        double f64;
        int32_t i32;
        int64_t i64;
        bool b;
    };
    uint8_t kind;  /* enum sl_value_kind */
    uint8_t dtype; /* base type; set for every kind but NONE and DEAD */
};

static inline void sl_value_clear(struct sl_value *v) {
    if (v->kind == SL_VALUE_TENSOR) sl_tensor_unref(v->tensor);
    else if (v->kind >= SL_VALUE_OBJECT) sl_object_unref(v->object);
    v->kind = SL_VALUE_NONE;
}
/* A second holder of the same value. */
static inline struct sl_value sl_value_share(const struct sl_value *v) {
    if (v->kind == SL_VALUE_TENSOR) sl_tensor_ref(v->tensor);
    else if (v->kind >= SL_VALUE_OBJECT) sl_object_ref(v->object);
    return *v;
}
static inline struct sl_value sl_value_move(struct sl_value *v) {
    struct sl_value moved = *v;
    v->kind = SL_VALUE_NONE;
    return moved;
}

/* How a reader sees a value: type, shape, elements, whatever form it has. Borrowed: valid as long as the value. */
struct sl_view {
    void *data;          /* elements; for an object the pointer to it; never NULL */
    const int64_t *dims; /* `rank` of them */
    int64_t count;
    int rank;
    int dtype;
};
/* Values of kind SCALAR, OBJECT and TENSOR alone. */
static inline struct sl_view sl_value_view(const struct sl_value *v) {
    if (v->kind == SL_VALUE_TENSOR) {
        const struct sl_tensor *t = v->tensor;
        return (struct sl_view){t->data, t->dims, t->count, t->rank, t->dtype};
    }
    return (struct sl_view){(void *)v->bits, NULL, 1, 0, v->dtype};
}
/* Where the elements lie; NULL: in the host's memory, as those of all values but tensors. */
static inline struct sl_memory *sl_value_memory(const struct sl_value *v) {
    return v->kind == SL_VALUE_TENSOR ? sl_tensor_memory(v->tensor) : NULL;
}
/* For the host, which is about to read the elements. The compiler has put a copy where they would be elsewhere
 * (passes/copies.h). */
static inline struct sl_view sl_value_on_host(const struct sl_value *v) {
    assert(!sl_value_memory(v));
    return sl_value_view(v);
}
/* The element of a scalar that the host reads; NULL: it is none, and may have no element at all. */
static inline const void *sl_value_scalar(const struct sl_value *v) {
    const struct sl_view view = sl_value_on_host(v);
    return view.rank == 0 ? view.data : NULL;
}
static inline struct sl_shape sl_view_shape(struct sl_view v) { return (struct sl_shape){v.rank, v.dims}; }

/* The value of a tensor, in its shortest form; takes over the caller's reference. */
struct sl_value sl_value_of_tensor(struct sl_tensor *t);
/* A tensor of a value (SCALAR, OBJECT, TENSOR), with a reference of its own; the value stays. */
sl_code sl_value_to_tensor(struct sl_tensor **out, const struct sl_value *v, struct sl_error *err);
/* A fresh value of this type and shape, elements uninitialised (strings empty, objects NULL). */
sl_code sl_value_new(struct sl_value *out, int dtype, struct sl_shape shape, struct sl_error *err);
/* The same in a memory; NULL: the host's. */
sl_code sl_value_new_in(struct sl_value *out, struct sl_memory *memory, int dtype, struct sl_shape shape,
                        struct sl_error *err);

#endif
