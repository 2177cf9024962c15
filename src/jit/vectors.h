/* Machine code for element-wise steps over float or double: a loop over vectors in which results of steps stay in
 * registers, where step by step each would be stored and loaded again.
 *
 *     const struct sl_jit_vector_step steps[] = {{SL_JIT_VECTORS_MUL, 0, 1, SL_JIT_NOWHERE},
 *                                                {SL_JIT_VECTORS_ADD, 3, 0, 2}};      -- 3: what the step before gave
 *     struct sl_jit_vectors v = {.steps = steps, .n_steps = 2, .n_places = 3, .fixed = 2};
 *     sl_jit_vectors_make(&code, &v);
 *     code.run((void *const[]){x, scale, to}, bytes);     -- to = x * scale + x, scale being the same for all
 *
 * Each step has the bits that its expression has in C, NaN aside: of two, either may come. Code is read-only; any
 * number of threads may run it. */
#ifndef SL_JIT_VECTORS_H
#define SL_JIT_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* a and b are the operands. */
enum sl_jit_vector_op {
    SL_JIT_VECTORS_NONE,
    SL_JIT_VECTORS_ADD,
    SL_JIT_VECTORS_SUB,
    SL_JIT_VECTORS_MUL,
    SL_JIT_VECTORS_DIV,
    SL_JIT_VECTORS_SQUARE,
    SL_JIT_VECTORS_SQUARED_DIFFERENCE,
    SL_JIT_VECTORS_MAXIMUM, /* a > b || a != a ? a : b */
    SL_JIT_VECTORS_MINIMUM, /* a < b || a != a ? a : b */
    SL_JIT_VECTORS_NEGATE,
    SL_JIT_VECTORS_ABSOLUTE,
    SL_JIT_VECTORS_SQRT,
    SL_JIT_VECTORS_RECIPROCAL, /* 1 / a */
    SL_JIT_VECTORS_FLOOR,
    SL_JIT_VECTORS_CEIL,
    SL_JIT_VECTORS_ROUND,        /* half to even */
    SL_JIT_VECTORS_RELU,         /* a < 0 ? 0 : a */
    SL_JIT_VECTORS_RELU6,        /* the same, at most 6 */
    SL_JIT_VECTORS_RELU_GRAD,    /* a * (b > 0) */
    SL_JIT_VECTORS_RELU6_GRAD,   /* a * (b > 0 && b < 6) */
    SL_JIT_VECTORS_TANH_GRAD,    /* b * (1 - a * a) */
    SL_JIT_VECTORS_SIGMOID_GRAD, /* b * (a * (1 - a)) */
    SL_JIT_VECTORS_DIV_NO_NAN,   /* b == 0 ? 0 : a / b */
    SL_JIT_VECTORS_MUL_NO_NAN,   /* b == 0 ? 0 : a * b */
    SL_JIT_VECTOR_OPS
};

enum { SL_JIT_VECTOR_BYTES = 32, SL_JIT_FIXED_BYTES = 64, SL_JIT_VECTOR_PLACES = 32, SL_JIT_NOWHERE = -1 };

/* Values are numbered: places, then steps. */
struct sl_jit_vector_step {
    uint8_t op;
    int16_t a, b;     /* values; b is not looked at where there is none */
    int16_t to_place; /* where the result goes; SL_JIT_NOWHERE: later steps read it, nobody else does */
};
struct sl_jit_vectors {
    const struct sl_jit_vector_step *steps;
    int n_steps, n_places; /* up to SL_JIT_VECTOR_PLACES */
    uint32_t fixed;        /* bit i: place i has the same SL_JIT_FIXED_BYTES for all */
    bool is_double;
    bool is_wide; /* for AVX-512, else for AVX2; the bits are the same */
};

struct sl_jit_vector_code {
    /* Goes over `bytes` bytes, a multiple of SL_JIT_VECTOR_BYTES, of each place. One that is written may be one that is
     * read. NULL: there is no code. */
    void (*run)(void *const *places, int64_t bytes);
    void *pages;
    size_t n_bytes;
};

/* Makes the code, for a processor with AVX2 or what `is_wide` says. `out->run` is NULL where there is no emitter (64-bit ARM has none), no
 * memory, or where too many values live at once; and with SLUICE_JIT=off. */
void sl_jit_vectors_make(struct sl_jit_vector_code *out, const struct sl_jit_vectors *v);
void sl_jit_vectors_free(struct sl_jit_vector_code *code);

#endif
