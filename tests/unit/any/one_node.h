/* One node run by hand: an op, attrs in text, values in slots, and the kernel of this backend's tables. The
 * functions it may call are C functions of the test (fake_functions). */
#ifndef SL_TESTS_ANY_ONE_NODE_H
#define SL_TESTS_ANY_ONE_NODE_H

#include "backends/any/any_kernels.h"
#include "kernel/cancellation.h"
#include "kernel/functions.h"
#include "kernel/instance_cache.h"
#include "kernel/resources.h"
#include "tensor/tensor.h"
#include "unit/unit.h"

/* What the nodes of a test share: one step. */
struct bench {
    struct sl_op_registry *registry;
    struct sl_kernel_table *table;
    struct sl_kernel_cache *cache;
    struct sl_step_env env;
    struct sl_error err;
};
int bench_setup(void **state);
int bench_teardown(void **state);

enum { MOST_SLOTS = 96 };
struct node {
    struct bench *bench;
    struct sl_arena arena;
    struct sl_kernel_instance *instance;
    struct sl_kernel_node fixed; /* the instance's, with the node's name */
    struct sl_kernel_context k;
    struct sl_value slots[MOST_SLOTS];
    bool is_done; /* by sl_kernel_done, in node_start */
    sl_code code;
};

/* `text`: the fields of a NodeDef but name ("n") and op: "attr { key: 'T' value { type: DT_FLOAT } }". The test
 * fails when there is no such node or kernel. */
void node_make(struct node *n, struct bench *b, const char *op, const char *text);
/* How making it ends. */
sl_code node_try_to_make(struct bench *b, const char *op, const char *text);
/* Runs; inputs are cleared afterwards, as the executor does. Inputs may be taken by the kernel. A kernel that may
 * wait must not have to. */
sl_code node_run(struct node *n);
/* Begins; `is_done` and `code` say how it ended. */
void node_start(struct node *n);
/* Waits until what was begun has ended, by whatever thread. */
sl_code node_wait(struct node *n);
/* Output o, moved out of the node. */
struct sl_value node_take(struct node *n, int o);
void node_end(struct node *n);

/* Sets input i; takes the value over. */
static inline void node_in(struct node *n, int i, struct sl_value v) { n->slots[i] = v; }
static inline struct sl_value *node_out(struct node *n, int o) { return &n->slots[n->fixed.out + (uint32_t)o]; }

/* Makes, runs and ends a node in one go. `outs` (may be NULL) receives its outputs, the caller's. */
sl_code run_once(struct bench *b, struct sl_value *outs, const char *op, const char *text, const struct sl_value *ins,
                 int n_ins);
#define INPUTS(...)                                                                                                    \
    (const struct sl_value[]){__VA_ARGS__}, (int)(sizeof((struct sl_value[]){__VA_ARGS__}) / sizeof(struct sl_value))
/* Output 0 of a node that must succeed: RUN(b, "TensorListLength", "", list). */
struct sl_value run_one(struct bench *b, const char *op, const char *text, const struct sl_value *ins, int n_ins);
#define RUN(b, op, text, ...) run_one(b, op, text, INPUTS(__VA_ARGS__))
/* A node that must fail, with this code and text. */
#define REFUSED(b, code, message, op, text, ...)                                                                       \
    assert_fails((b)->err, code, message, run_once(b, NULL, op, text, INPUTS(__VA_ARGS__)))
/* A second holder of the same value. */
static inline struct sl_value share(struct sl_value v) { return sl_value_share(&v); }

struct sl_value f32(float f);
struct sl_value i32(int32_t i);
struct sl_value i64(int64_t i);
struct sl_value boolean(bool b);
struct sl_value text(const char *s);
struct sl_value vec_f32(int64_t n, const float *f);
struct sl_value vec_i32(int64_t n, const int32_t *i);
struct sl_value vec_i64(int64_t n, const int64_t *i);
struct sl_value mat_f32(int64_t rows, int64_t columns, const float *f);
#define VEC_F32(...) vec_f32((int64_t)(sizeof((float[]){__VA_ARGS__}) / sizeof(float)), (const float[]){__VA_ARGS__})
#define VEC_I32(...)                                                                                                   \
    vec_i32((int64_t)(sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t)), (const int32_t[]){__VA_ARGS__})
#define VEC_I64(...)                                                                                                   \
    vec_i64((int64_t)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (const int64_t[]){__VA_ARGS__})

/* The value has this shape ("[2,3]") and, printed, these elements; it is cleared. */
void take_and_expect(struct sl_value v, const char *shape, const char *elements);

/* ---- functions written in C */
struct fake_function {
    const char *name;
    int n_args, n_rets;
    uint8_t arg_types[MOST_SLOTS], ret_types[4];
    /* Reads `args` and sets `rets`; the caller clears `args`. */
    sl_code (*body)(struct sl_value *args, struct sl_value *rets, struct sl_error *err);
    int calls;
};
enum fake_way {
    FAKE_AT_ONCE,     /* done before call_async returns */
    FAKE_LATER,       /* by fake_finish */
    FAKE_OTHER_THREAD /* by a thread of its own, at any time */
};
struct fake_functions {
    struct sl_functions base;
    struct fake_function *functions;
    int n;
    enum fake_way way;
    struct {
        struct fake_function *f;
        struct sl_value *args, *rets;
        struct sl_error *err;
        void (*done)(void *arg, sl_code code);
        void *arg;
        bool is_set;
    } pending;
};
void fake_functions_use(struct fake_functions *fake, struct bench *b, struct fake_function *functions, int n);
/* Does the call that waits; false when none does. */
bool fake_finish(struct fake_functions *fake);

#endif
