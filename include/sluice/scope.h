/* Building graphs from C: a scope adds operations to a graph, each by one call, and a program checks for errors
 * once.
 *
 *     struct sl_scope *s = sl_scope_new(graph);
 *     TF_Output x = sl_placeholder(s, "x", TF_FLOAT, SL_SHAPE(-1, 784));
 *     TF_Output y = sl_mul(s, x, sl_scalar(s, TF_FLOAT, 2));       -- sluice/ops.h has a function for each op
 *     if (!sl_scope_ok(s)) fprintf(stderr, "%s\n", sl_scope_message(s));
 *     sl_scope_delete(s);
 *
 * Errors: the scope keeps the first one. From then on every call does nothing and returns {NULL, 0} or NULL.
 * Threads: one thread at a time may use a scope. Its graph may be used through the C API meanwhile.
 * Ownership: strings, arrays and tensors that are passed in are borrowed for the call. An array of results may be the
 * array of the inputs: sl_while(s, v, v, ...). */
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

/* A scope at the root of `graph`, which is borrowed and must outlive the scope. NULL when memory is out; all functions
 * accept a NULL scope and take it for one that has failed. */
SL_API struct sl_scope *sl_scope_new(TF_Graph *graph);
SL_API void sl_scope_delete(struct sl_scope *scope); /* NULL is fine; the graph stays */
/* The graph that operations are added to, borrowed. Within a callback that fills a function: the function's graph. */
SL_API TF_Graph *sl_scope_graph(const struct sl_scope *scope);

/* ---- errors */
SL_API bool sl_scope_ok(const struct sl_scope *scope);
SL_API TF_Code sl_scope_code(const struct sl_scope *scope);
SL_API const char *sl_scope_message(const struct sl_scope *scope); /* "" when there is no error; owned by the scope */
/* Sets the scope's error, unless it has one already; `message` is copied. A `code` of TF_OK changes nothing. */
SL_API void sl_scope_fail(struct sl_scope *scope, TF_Code code, const char *message);

/* ---- settings for the operations that follow; sl_pop undoes the latest push */
/* Names of operations begin with the outer prefixes and "NAME/". If that prefix was pushed before, it is NAME_1 ... */
SL_API void sl_push_name(struct sl_scope *scope, const char *name);
/* Operations ask for this device, as in "/cpu:1"; "" for none. */
SL_API void sl_push_device(struct sl_scope *scope, const char *device);
/* Operations get these as control inputs, and those of outer pushes: they run after them. NULLs are skipped. */
SL_API void sl_push_control(struct sl_scope *scope, TF_Operation *const *operations, int num_operations);
/* Operations get no control inputs from outer pushes. What a loop or conditional around needs stays. */
SL_API void sl_push_no_control(struct sl_scope *scope);
/* How sluice/flow.h builds loops and conditionals. True: as While, If and Case operations with functions. False, which
 * is the default: as Switch, Merge, Enter, Exit and NextIteration operations. */
SL_API void sl_push_functional(struct sl_scope *scope, bool functional);
SL_API void sl_pop(struct sl_scope *scope); /* FAILED_PRECONDITION when nothing is pushed */
/* Gives the next operation, and no other, this name: sl_relu(sl_name(s, "hidden"), x). Returns the scope. */
SL_API struct sl_scope *sl_name(struct sl_scope *scope, const char *name);
/* Random operations that are added after this call without a seed of their own (random numbers, dropout, initial
 * values) get this seed and a count as their two seeds, so each run of the program draws the same numbers. 0 turns it
 * off. */
SL_API void sl_seed(struct sl_scope *scope, int64_t seed);
/* sl_layer_dropout, called after this, draws numbers that depend on the seed and on `step` alone, a scalar int64 such
 * as the value of a counter. A training that was killed and resumed then draws the same numbers as one that was not.
 * {NULL, 0} turns it off: numbers come from the session's random generators again. */
SL_API void sl_seed_by_step(struct sl_scope *scope, TF_Output step);

/* ---- lists, for attributes: `n` items, borrowed for the call; n 0: not given */
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
/* A shape: `n` sizes, -1 for a size that is not known; n -1: the rank is not known either. `dims` NULL: not given. */
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
/* For an attribute that shall be 0 though its default is not: a plain 0 stands for the default. */
#define SL_ZERO_INT   INT64_MIN
#define SL_ZERO_FLOAT (-0.0f)
enum sl_choice { SL_DEFAULT, SL_YES, SL_NO }; /* a flag whose default is true */

/* ---- values */
/* A value to be fed. `shape` may have -1s; it may be SL_ANY_SHAPE. */
SL_API TF_Output sl_placeholder(struct sl_scope *scope, const char *name, TF_DataType type, struct sl_dims shape);
/* A constant that shares the tensor's elements, which must not change any more; the TF_Tensor may be deleted. */
SL_API TF_Output sl_constant(struct sl_scope *scope, const TF_Tensor *value);
/* A constant of `elements`, which are copied: as many as `shape` has, in row-major order, of type `type`; see
 * sl_tensor_of (sluice/tensors.h). */
SL_API TF_Output sl_constant_of(struct sl_scope *scope, TF_DataType type, struct sl_dims shape, const void *elements);
/* A scalar of a numeric type or bool; `value` is converted to it. */
SL_API TF_Output sl_scalar(struct sl_scope *scope, TF_DataType type, double value);
/* A scalar of the type of `like`. */
SL_API TF_Output sl_scalar_like(struct sl_scope *scope, TF_Output like, double value);
/* Vectors of type int32 (at most 64 numbers, each within int32) and float. */
SL_API TF_Output sl_int_vector(struct sl_scope *scope, struct sl_ints values);
SL_API TF_Output sl_float_vector(struct sl_scope *scope, struct sl_floats values);
/* A scalar of type string; `text` is NUL-terminated and copied. */
SL_API TF_Output sl_string_scalar(struct sl_scope *scope, const char *text);
/* The type of an output; of a reference, the type that it refers to; 0 when `output` is {NULL, 0}. Its rank, and the
 * size of dimension `dim` (from the end when negative): -1 when not known. */
SL_API TF_DataType sl_type_of(struct sl_scope *scope, TF_Output output);
SL_API int sl_rank_of(struct sl_scope *scope, TF_Output output);
SL_API int64_t sl_size_of(struct sl_scope *scope, TF_Output output, int dim);
/* A NoOp that runs after these, so to run it is to run them all; NULLs are skipped. */
SL_API TF_Operation *sl_group(struct sl_scope *scope, TF_Operation *const *operations, int num_operations);

/* ---- any op by its name; the functions of sluice/ops.h call this */
/* One input argument: `n` items of a list, or one item when n is -1. */
struct sl_op_input {
    const TF_Output *items;
    int n;
};
/* What `value` of an attribute points to. When that is zero (0, NULL, an empty list) the attribute keeps its default;
 * for the kinds ..._NEEDED zero is passed on. */
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
/* Adds an operation of type `op`: one item of `inputs` for each input argument, in the op's order; attributes that
 * follow from the inputs are not given. NULL on failure. */
SL_API TF_Operation *sl_op(struct sl_scope *scope, const char *op, const struct sl_op_input *inputs, int num_inputs,
                           const struct sl_attr_given *attrs, int num_attrs);
/* Output 0 of an operation; {NULL, 0} when it is NULL. */
static inline TF_Output sl_op_first(TF_Operation *operation) {
    const TF_Output first = {operation, 0};
    return first;
}

#ifdef __cplusplus
}
#endif

#endif
