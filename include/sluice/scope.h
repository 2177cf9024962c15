/* Building graphs from C: a scope adds operations to a graph, each by one call, and a program checks for errors
 * once.
 *
 *     struct sl_scope *s = sl_scope_new(graph);
 *     TF_Output x = sl_placeholder(s, "x", TF_FLOAT, SL_SHAPE(-1, 784));
 *     TF_Output y = sl_mul(s, x, sl_scalar(s, TF_FLOAT, 2));       -- sluice/ops.h has a function for each op
 *     if (!sl_scope_ok(s)) fprintf(stderr, "%s\n", sl_scope_message(s));
 *     sl_scope_delete(s);
 *
 * After the first error every call does nothing and returns {NULL, 0} or NULL, and the scope keeps that error. A
 * scope has one owner at a time; its graph may be used through the C API meanwhile. Strings, arrays and tensors are
 * borrowed for the call. */
#ifndef SLUICE_SCOPE_H
#define SLUICE_SCOPE_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_scope;

/* A scope at the root of a graph, which is borrowed. NULL when memory is out; all functions accept a NULL scope. */
SL_API struct sl_scope *sl_scope_new(TF_Graph *graph);
SL_API void sl_scope_delete(struct sl_scope *scope); /* NULL is fine; the graph stays */
/* The scope's graph. Within a callback that fills a function it is the function's graph. */
SL_API TF_Graph *sl_scope_graph(const struct sl_scope *scope);

/* ---- errors */
SL_API bool sl_scope_ok(const struct sl_scope *scope);
SL_API TF_Code sl_scope_code(const struct sl_scope *scope);
SL_API const char *sl_scope_message(const struct sl_scope *scope); /* "" when there is no error; owned by the scope */
/* Reports an error of the caller's, unless there is one already. */
SL_API void sl_scope_fail(struct sl_scope *scope, TF_Code code, const char *message);

/* ---- settings for the operations that follow; each push is undone by one sl_pop, in reverse order */
/* Names begin with "NAME/" behind the outer prefixes; NAME_1 ... when that scope exists already. */
SL_API void sl_push_name(struct sl_scope *scope, const char *name);
/* Operations ask for this device; "" for none. */
SL_API void sl_push_device(struct sl_scope *scope, const char *device);
/* Operations run after these operations and those of outer scopes; NULLs are skipped. */
SL_API void sl_push_control(struct sl_scope *scope, TF_Operation *const *operations, int num_operations);
/* Outer control dependencies do not apply, but for those of a loop or conditional. */
SL_API void sl_push_no_control(struct sl_scope *scope);
/* Loops and conditionals of sluice/flow.h become While, If and Case operations with functions, or (false, as at
 * first) Switch, Merge, Enter, Exit and NextIteration operations. */
SL_API void sl_push_functional(struct sl_scope *scope, bool functional);
SL_API void sl_pop(struct sl_scope *scope);
/* Names the next operation alone: sl_relu(sl_name(s, "hidden"), x). Returns the scope. */
SL_API struct sl_scope *sl_name(struct sl_scope *scope, const char *name);
/* Operations that are added after this call without a seed of their own (random numbers, dropout, initial values)
 * get seeds derived from this one and from a count, so that the same program draws the same numbers. Not 0. */
SL_API void sl_seed(struct sl_scope *scope, int64_t seed);
/* sl_layer_dropout, called after this, draws by the seed and by `step` alone, a scalar int64 such as a counter's
 * value. So a training that was resumed draws what it would have drawn without the break. {NULL, 0}: back to the
 * session's generators. */
SL_API void sl_seed_by_step(struct sl_scope *scope, TF_Output step);

/* ---- lists, as attributes take them */
struct sl_ints {
    const int64_t *items;
    int n;
};
struct sl_floats {
    const float *items;
    int n;
};
struct sl_bools {
    const bool *items;
    int n;
};
struct sl_strings {
    const char *const *items;
    int n;
};
struct sl_types {
    const TF_DataType *items;
    int n;
};
struct sl_tensors {
    TF_Tensor *const *items;
    int n;
};
/* A shape: `n` sizes, -1 for one that is not known; n -1: not even their number is known. `dims` NULL: not given. */
struct sl_dims {
    const int64_t *dims;
    int n;
};
struct sl_shapes {
    const struct sl_dims *items;
    int n;
};
#ifndef __cplusplus
#define SL_INTS(...)                                                                                                   \
    ((struct sl_ints){(const int64_t[]){__VA_ARGS__}, (int)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))})
#define SL_SHAPE(...)                                                                                                  \
    ((struct sl_dims){(const int64_t[]){__VA_ARGS__}, (int)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))})
#define SL_SCALAR    ((struct sl_dims){(const int64_t[]){0}, 0})
#define SL_ANY_SHAPE ((struct sl_dims){(const int64_t[]){0}, -1})
#define SL_DEFAULTS                                                                                                    \
    { 0 }
#else
#define SL_DEFAULTS                                                                                                    \
    {}
#endif
/* 0 where 0 would mean the default. */
#define SL_ZERO_INT   INT64_MIN
#define SL_ZERO_FLOAT (-0.0f)
enum sl_choice { SL_DEFAULT, SL_YES, SL_NO };

/* ---- values */
/* `shape` may have -1s; it may be SL_ANY_SHAPE. */
SL_API TF_Output sl_placeholder(struct sl_scope *scope, const char *name, TF_DataType type, struct sl_dims shape);
/* A constant that shares the tensor's elements; the TF_Tensor may be deleted. */
SL_API TF_Output sl_constant(struct sl_scope *scope, const TF_Tensor *value);
/* A constant of copied elements, in row-major order; not for strings. */
SL_API TF_Output sl_constant_of(struct sl_scope *scope, TF_DataType type, struct sl_dims shape, const void *elements);
/* A scalar of any numeric type or bool. */
SL_API TF_Output sl_scalar(struct sl_scope *scope, TF_DataType type, double value);
/* A scalar of the type of `like`. */
SL_API TF_Output sl_scalar_like(struct sl_scope *scope, TF_Output like, double value);
/* Vectors of int32, and of float. */
SL_API TF_Output sl_int_vector(struct sl_scope *scope, struct sl_ints values);
SL_API TF_Output sl_float_vector(struct sl_scope *scope, struct sl_floats values);
SL_API TF_Output sl_string_scalar(struct sl_scope *scope, const char *text);
/* The type of an output, references taken off; 0 for none. Its rank, and a size, when known: -1 otherwise. `dim`
 * counts from the end when negative. */
SL_API TF_DataType sl_type_of(struct sl_scope *scope, TF_Output output);
SL_API int sl_rank_of(struct sl_scope *scope, TF_Output output);
SL_API int64_t sl_size_of(struct sl_scope *scope, TF_Output output, int dim);
/* An operation that runs these: they are its control inputs, NULLs are passed over. */
SL_API TF_Operation *sl_group(struct sl_scope *scope, TF_Operation *const *operations, int num_operations);

/* ---- any op by its name; the wrappers of sluice/ops.h come down to this */
/* One input argument: `n` items of a list, or one item when n is -1. */
struct sl_op_input {
    const TF_Output *items;
    int n;
};
/* What `value` of an attribute points to. A value that is zero is not passed on, so that the default counts, except
 * for ..._NEEDED. */
enum sl_given_kind {
    SL_GIVEN_STRING,       /* const char * */
    SL_GIVEN_INT,          /* int64_t */
    SL_GIVEN_INT_NEEDED,   /* int64_t */
    SL_GIVEN_FLOAT,        /* float */
    SL_GIVEN_FLOAT_NEEDED, /* float */
    SL_GIVEN_BOOL,         /* bool */
    SL_GIVEN_BOOL_NEEDED,  /* bool */
    SL_GIVEN_CHOICE,       /* enum sl_choice, for a bool */
    SL_GIVEN_TYPE,         /* TF_DataType */
    SL_GIVEN_SHAPE,        /* struct sl_dims */
    SL_GIVEN_TENSOR,       /* TF_Tensor * */
    SL_GIVEN_FUNCTION,     /* const char *: its name */
    SL_GIVEN_STRINGS,      /* struct sl_strings, and so on */
    SL_GIVEN_STRINGS_NEEDED,
    SL_GIVEN_INTS,
    SL_GIVEN_INTS_NEEDED,
    SL_GIVEN_FLOATS,
    SL_GIVEN_FLOATS_NEEDED,
    SL_GIVEN_BOOLS,
    SL_GIVEN_BOOLS_NEEDED,
    SL_GIVEN_TYPES,
    SL_GIVEN_TYPES_NEEDED,
    SL_GIVEN_SHAPES,
    SL_GIVEN_SHAPES_NEEDED,
    SL_GIVEN_TENSORS,
    SL_GIVEN_TENSORS_NEEDED,
    SL_GIVEN_FUNCTIONS, /* struct sl_strings */
    SL_GIVEN_FUNCTIONS_NEEDED
};
struct sl_attr_given {
    const char *name;
    enum sl_given_kind kind;
    const void *value;
};
SL_API TF_Operation *sl_op(struct sl_scope *scope, const char *op, const struct sl_op_input *inputs, int num_inputs,
                           const struct sl_attr_given *attrs, int num_attrs);
/* Output 0 of an operation; {NULL, 0} of none. */
static inline TF_Output sl_op_first(TF_Operation *operation) {
    const TF_Output first = {operation, 0};
    return first;
}

#ifdef __cplusplus
}
#endif

#endif
