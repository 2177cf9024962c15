/* Tensors: reference-counted, dense, row-major.
 *
 *   one block:  [ struct sl_tensor | dims[rank] | padding to 64 | elements ... ]   `owner` NULL, memory its own
 *   a view:     [ struct sl_tensor | dims[rank] ]  data -> owner's elements        `owner` holds a reference
 *   foreign:    [ struct sl_tensor | dims[rank] ]  data -> caller's memory         `release` is called at the end
 *   elsewhere:  [ struct sl_tensor | dims[rank] ]  data -> a block of `memory`     which only its device may touch
 *
 * The header is always the host's. A view lies in the memory of its owner.
 *
 * Threads: the count is atomic, so references may be taken and dropped anywhere. The header never changes once the
 * tensor is shared; elements may be written only by who holds the sole reference (sl_tensor_is_sole). */
#ifndef SL_TENSOR_TENSOR_H
#define SL_TENSOR_TENSOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tensor/dtype.h"
#include "tensor/memory.h"
#include "tensor/shape.h"
#include "tensorflow/core/platform/ctstring.h"

enum { SL_TENSOR_ALIGNMENT = 64 };

struct sl_tensor {
    atomic_uint refs;
    uint8_t dtype;
    uint8_t rank;
    bool is_pooled;        /* the block came from the block cache */
    bool is_elsewhere : 1; /* the elements lie in `memory`, not in the host's */
    bool is_private : 1;   /* foreign, but for nobody else to see: may be written as its own memory may */
    int64_t count;         /* elements */
    size_t bytes;          /* of the elements */
    void *data;            /* aligned to SL_TENSOR_ALIGNMENT unless a view or foreign; never NULL */
    struct sl_tensor *owner;
    void (*release)(void *data, size_t bytes, void *arg);
    union { /* foreign elements are the host's */
        void *release_arg;
        struct sl_memory *memory;
        struct sl_charge *charge; /* is_pooled: with whom its memory counts (meter.h); NULL: nobody */
    };
    int64_t dims[];
};

/* New tensor whose plain elements are uninitialised (strings empty, objects NULL). Fails with INVALID_ARGUMENT on a
 * shape that is no shape, RESOURCE_EXHAUSTED when memory is out. One reference, the caller's. */
sl_code sl_tensor_new(struct sl_tensor **out, int dtype, struct sl_shape shape, struct sl_error *err);
/* The same in a memory; NULL: the host's. Plain types alone. */
sl_code sl_tensor_new_in(struct sl_tensor **out, struct sl_memory *memory, int dtype, struct sl_shape shape,
                         struct sl_error *err);
/* The same memory under another type and shape of the same number of bytes. `base` gains a reference.
 * `offset` elements of the new type into base; both types plain, or the same type. */
sl_code sl_tensor_view(struct sl_tensor **out, struct sl_tensor *base, int dtype, struct sl_shape shape, int64_t offset,
                       struct sl_error *err);
/* Wraps memory of the caller: `release` (may be NULL) is called once when the last reference goes; on failure it is
 * not. */
sl_code sl_tensor_wrap(struct sl_tensor **out, int dtype, struct sl_shape shape, void *data, size_t bytes,
                       void (*release)(void *data, size_t bytes, void *arg), void *arg, struct sl_error *err);
/* A copy of the elements in the same memory (strings copied, objects shared). */
sl_code sl_tensor_copy(struct sl_tensor **out, const struct sl_tensor *t, struct sl_error *err);

static inline struct sl_tensor *sl_tensor_ref(struct sl_tensor *t) {
    atomic_fetch_add_explicit(&t->refs, 1, memory_order_relaxed);
    return t;
}
void sl_tensor_free(struct sl_tensor *t); /* called by sl_tensor_unref alone */
static inline void sl_tensor_unref(struct sl_tensor *t) {
    if (t && atomic_fetch_sub_explicit(&t->refs, 1, memory_order_acq_rel) == 1) sl_tensor_free(t);
}
/* True when the caller's reference is the only way to these elements. */
static inline bool sl_tensor_is_sole(const struct sl_tensor *t) {
    if (atomic_load_explicit(&t->refs, memory_order_acquire) != 1 || t->release) return false;
    return !t->owner || (!t->owner->release && atomic_load_explicit(&t->owner->refs, memory_order_acquire) == 1);
}
/* The same, or of foreign memory that nobody else sees. It may lie behind a file: given back, its pages are not zero. */
static inline bool sl_tensor_may_write(const struct sl_tensor *t) {
    return sl_tensor_is_sole(t) ||
           (t->is_private && !t->owner && atomic_load_explicit(&t->refs, memory_order_acquire) == 1);
}
/* Where the elements lie; NULL: in the host's memory. */
static inline struct sl_memory *sl_tensor_memory(const struct sl_tensor *t) {
    return t->is_elsewhere ? t->memory : NULL;
}
static inline struct sl_shape sl_tensor_shape(const struct sl_tensor *t) { return (struct sl_shape){t->rank, t->dims}; }

/* After a node of a step whose memory has a limit: counts what the tensor's strings hold. */
void sl_tensor_charge_strings(struct sl_tensor *t);

/* Bytes that `text` elements have; static helpers for string elements. */
struct sl_str sl_string_get(const TF_TString *s);
/* Room for `n` bytes in a string element, whose content is lost; NULL when memory is out, or beyond the step's limit. */
char *sl_string_reserve(TF_TString *s, size_t n);
/* Copies bytes into a string element, freeing what it held. */
sl_code sl_string_set(TF_TString *s, struct sl_str bytes, struct sl_error *err);

/* Copies `count` elements of `dtype`: plain ones bit for bit, strings deeply, objects by reference. `to` must be
 * initialised (plain: anything); what it held is freed. */
sl_code sl_elements_copy(int dtype, void *to, const void *from, int64_t count, struct sl_error *err);

#endif
