/* Mapping a loop over whole tensors: broadcasting, half precision through float, the split over threads. Threads: a
 * map belongs to the call that made it. */
#ifndef SL_BACKENDS_CPU_MATH_BROADCAST_MAP_H
#define SL_BACKENDS_CPU_MATH_BROADCAST_MAP_H

#include "backends/cpu/loops.h"
#include "kernel/kernel.h"

enum { SL_BROADCAST_MAP_INPUTS = 3 };

/* One input. Its shape broadcasts to that of the result (NumPy's rule). */
struct sl_broadcast_map_input {
    const void *data;
    int64_t size, count; /* bytes of an element; elements */
    struct sl_shape shape;
};

struct sl_broadcast_map {
    sl_loop_fn loop;
    struct sl_broadcast_map_input in[SL_BROADCAST_MAP_INPUTS];
    int n;
    void *to; /* may be the data of an input as large as the result */
    int64_t to_size;
    struct sl_shape shape; /* of the result */
    int half;  /* SL_HALF or SL_BFLOAT16: inputs of 2 bytes go to the loop as float, and so does a result of 2 bytes */
    void *z;   /* for loops of two inputs: their argument z */
    double ns; /* cost of an element */
};

struct sl_broadcast_map_input sl_broadcast_map_input(struct sl_view v);
/* The shape that all inputs broadcast to, dims in `dims`: false when there is none. */
bool sl_broadcast_map_shape(struct sl_shape *out, int64_t dims[SL_MAX_RANK], const struct sl_broadcast_map_input *in,
                            int n);
/* Fills `to`. Needs no memory and cannot fail. */
void sl_broadcast_map_run(struct sl_kernel_context *k, const struct sl_broadcast_map *map);

/* For elements that are no plain numbers: an array of pointers to the elements of `v`, to be mapped in their place.
 * NULL when memory is out; freed by sl_broadcast_map_pointers_free(pointers, v.count). */
const void **sl_broadcast_map_pointers(struct sl_view v);
void sl_broadcast_map_pointers_free(const void **pointers, int64_t count);

#endif
