/* Shared objects behind resource and variant elements: TensorLists, TensorArrays, variables, queues, tables.
 *
 * The first member of every object is `struct sl_object`. Reference counts are atomic: any thread may take and drop
 * references; what an object's own functions allow is said where the object is declared. */
#ifndef SL_TENSOR_OBJECT_H
#define SL_TENSOR_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct sl_arena;
struct sl_object;
struct sl_value;
struct sl_pb_VariantTensorDataProto;
struct sl_tensor;

struct sl_variant_maths; /* kernel/variant.h */

/* What may be done with the objects that variants hold (lists, maps, numbers) without knowing them. Either may be
 * NULL. Results are new objects with one reference, the caller's; inputs are borrowed. `maths` says who computes with
 * the tensors in them; NULL: the library. Called through kernel/variant.h. */
struct sl_variant_methods {
    sl_code (*zeros)(struct sl_object **out, struct sl_object *like, const struct sl_variant_maths *maths,
                     struct sl_error *err);
    sl_code (*add)(struct sl_object **out, struct sl_object *a, struct sl_object *b,
                   const struct sl_variant_maths *maths, struct sl_error *err); /* of one type */
};

/* Of lists of values: how machine code appends to one and takes from it, at its end. For who has the sole reference. */
struct sl_stack_methods {
    /* How many more scalars of this type may be written from `*end` on, behind the last value; 0: none. */
    int64_t (*room)(struct sl_value **end, struct sl_object *list, int dtype);
    /* How many values before `*end`, of the last `most`, are scalars of this type. */
    int64_t (*scalars)(struct sl_value **end, const struct sl_object *list, int dtype, int64_t most);
    /* The values end there now; of new ones only the bits were written. */
    void (*end_at)(struct sl_object *list, const struct sl_value *end);
};

struct sl_object_type {
    const char *name;                         /* the type name TensorFlow gives it, "tensorflow::TensorList" */
    void (*free)(struct sl_object *object);   /* called when the last reference goes */
    const struct sl_variant_methods *variant; /* what variants of it can do; NULL: nothing */
    const struct sl_stack_methods *stack;     /* NULL: it is no such list */
    bool is_per_step;                         /* a resource that ends with its step */
    /* The tensors that stand for one in a file, how many; NULL: there are none, or it has more than tensors. */
    size_t (*tensors)(struct sl_tensor *const **out, const struct sl_object *object);
    /* One as a message for another process, in the arena and in the object's memory; NULL: what `tensors` gives. */
    sl_code (*write)(struct sl_pb_VariantTensorDataProto *out, const struct sl_object *object, struct sl_arena *arena,
                     struct sl_error *err);
};

struct sl_object {
    atomic_uint refs;
    uint16_t depth; /* of variants in variants: 0 when it holds none; kept by sl_variant_hold */
    const struct sl_object_type *type;
};

/* A new object starts with one reference, which the caller owns. */
static inline void sl_object_init(struct sl_object *o, const struct sl_object_type *type) {
    atomic_init(&o->refs, 1);
    o->depth = 0;
    o->type = type;
}
static inline struct sl_object *sl_object_ref(struct sl_object *o) {
    if (o) atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed);
    return o;
}
static inline void sl_object_unref(struct sl_object *o) {
    if (o && atomic_fetch_sub_explicit(&o->refs, 1, memory_order_acq_rel) == 1) o->type->free(o);
}
/* True when the caller's reference is the only one, so that it may be changed in place. */
static inline bool sl_object_is_sole(struct sl_object *o) {
    return atomic_load_explicit(&o->refs, memory_order_acquire) == 1;
}

#endif
