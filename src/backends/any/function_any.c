/* Calls of functions: If, Case, PartitionedCall and their relatives, RemoteCall, SymbolicGradient, and a function
 * called by its name as an op. Every row has `run` for functions that never wait and `start` for those that may;
 * the compiler picks by asking the functions. Arguments are moved into the call when nobody else needs them, and
 * results are written straight into the node's output slots. */
#include "backends/any/any_kernels.h"
#include "backends/any/callees.h"

#include <ctype.h>
#include <strings.h>

#include "base/alloc.h"
#include "device/device.h"

/* ---- calling */

enum { SMALL_CALL = 16 }; /* up to so many arguments stay on the stack */

/* Fills `args` with the node's inputs from `first` on. */
static void take_inputs(struct sl_value *args, struct sl_kernel_context *k, int first) {
    for (int i = first; i < sl_in_count(k); i++) {
        struct sl_value *v = sl_in_value(k, i);
        bool take = i < 64 && (k->may_take >> i & 1);
        args[i - first] = take ? sl_value_move(v) : sl_value_share(v);
    }
}

static struct sl_value *outputs(struct sl_kernel_context *k) { return sl_out_count(k) ? sl_out_value(k, 0) : NULL; }

/* output... = f(input[first] ...), on this thread. */
static sl_code call_now(struct sl_kernel_context *k, struct sl_function *f, int first) {
    struct sl_value small[SMALL_CALL], *args = small;
    int n = sl_in_count(k) - first;
    if (n > SMALL_CALL && !(args = sl_malloc((size_t)n * sizeof *args)))
        return sl_fail_memory(k->err, (size_t)n * sizeof *args);
    take_inputs(args, k, first);
    sl_code code = k->env->functions->call(f, k->env, args, outputs(k), k->err);
    if (args != small) sl_free(args);
    return code;
}

struct pending_call {
    struct sl_kernel_context *k;
    struct sl_value args[];
};

static void call_is_done(void *arg, sl_code code) {
    struct pending_call *call = arg;
    struct sl_kernel_context *k = call->k;
    sl_free(call);
    sl_kernel_done(k, code);
}

/* The same without holding the thread. */
static void call_later(struct sl_kernel_context *k, struct sl_function *f, int first) {
    size_t bytes = sizeof(struct pending_call) + (size_t)(sl_in_count(k) - first) * sizeof(struct sl_value);
    struct pending_call *call = sl_malloc(bytes);
    if (!call) {
        sl_kernel_done(k, sl_fail_memory(k->err, bytes));
        return;
    }
    call->k = k;
    take_inputs(call->args, k, first);
    k->env->functions->call_async(f, k->env, call->args, outputs(k), k->err, call_is_done, call);
}

/* Types of the node's inputs from `first` on, and of its outputs. */
static struct sl_callee_types node_types(const struct sl_kernel_setup *setup, int first) {
    return (struct sl_callee_types){.args = setup->in_types + first,
                                    .rets = setup->out_types,
                                    .n_args = setup->n_in - first,
                                    .n_rets = setup->n_out};
}

/* ---- If and Case */

static sl_code if_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_callees *c = sl_callees_new(2, setup->functions, setup->err);
    if (!c) return SL_RESOURCE_EXHAUSTED;
    sl_code code = sl_callee_bind(c, 0, setup, "else_branch", node_types(setup, 1));
    if (code == SL_OK) code = sl_callee_bind(c, 1, setup, "then_branch", node_types(setup, 1));
    code = sl_callees_keep_error(c, setup, code);
    if (code == SL_OK) *state = c;
    else sl_callees_free(c);
    return code;
}

static sl_code if_choose(struct sl_function **f, struct sl_kernel_context *k) {
    const struct sl_callees *c = k->state;
    bool condition;
    SL_TRY(sl_callees_status(c, k->err));
    SL_TRY(sl_value_is_true(&condition, sl_in_value(k, 0), k->err));
    *f = c->functions[condition];
    return SL_OK;
}

static sl_code case_create(void **state, struct sl_kernel_setup *setup) {
    const struct sl_pb_NameAttrList *branches;
    int n;
    SL_TRY(sl_attr_func_list(&branches, &n, setup->attrs, "branches", setup->err));
    struct sl_callees *c = sl_callees_new(n, setup->functions, setup->err);
    if (!c) return SL_RESOURCE_EXHAUSTED;
    sl_code code = n > 0 ? SL_OK : sl_fail(setup->err, SL_INVALID_ARGUMENT, "Case has no branches");
    for (int i = 0; i < n && code == SL_OK; i++) {
        code = sl_callee_find(c, i, setup, &branches[i]);
        if (code == SL_OK) code = sl_callee_check(c->functions[i], setup->functions, node_types(setup, 1), setup->err);
    }
    code = sl_callees_keep_error(c, setup, code);
    if (code == SL_OK) *state = c;
    else sl_callees_free(c);
    return code;
}

/* An index out of range means the last branch. */
static sl_code case_choose(struct sl_function **f, struct sl_kernel_context *k) {
    const struct sl_callees *c = k->state;
    SL_TRY(sl_callees_status(c, k->err));
    struct sl_view index = sl_in(k, 0);
    if (index.rank != 0) return sl_invalid(k, "branch_index must be scalar");
    int32_t at = *(const int32_t *)index.data;
    *f = c->functions[at < 0 || at >= c->n ? c->n - 1 : at];
    return SL_OK;
}

/* ---- plain calls */

/* PartitionedCall has words of its own for what other calls complain of too. */
static sl_code bind_call(struct sl_callees *c, struct sl_kernel_setup *setup) {
    const struct sl_pb_NameAttrList *named;
    int n_args, n_rets;
    const uint8_t *args, *rets;
    SL_TRY(sl_attr_func(&named, setup->attrs, "f", setup->err));
    sl_code code = sl_callee_find(c, 0, setup, named);
    if (code == SL_NOT_FOUND && setup->err && strstr(setup->err->message, " is not defined."))
        return sl_fail(setup->err, SL_NOT_FOUND, "Failed to find definition for function \"%.*s\"",
                       SL_STR_ARG(named->name));
    if (code != SL_OK) return code;
    setup->functions->signature(c->functions[0], &n_args, &args, &n_rets, &rets);
    if (n_args != setup->n_in)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "InstantiateOptions.input_devices must have the same length as the number of arguments: "
                       "input_devices length = %d number of arguments = %d",
                       setup->n_in, n_args);
    return sl_callee_check(c->functions[0], setup->functions, node_types(setup, 0), setup->err);
}

static sl_code call_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_callees *c = sl_callees_new(1, setup->functions, setup->err);
    if (!c) return SL_RESOURCE_EXHAUSTED;
    sl_code code = bind_call(c, setup);
    code = sl_callees_keep_error(c, setup, code);
    if (code == SL_OK) *state = c;
    else sl_callees_free(c);
    return code;
}

static sl_code by_name_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_callees *c = sl_callees_new(1, setup->functions, setup->err);
    if (!c) return SL_RESOURCE_EXHAUSTED;
    sl_code code = SL_OK;
    if (!setup->functions) code = sl_fail(setup->err, SL_UNIMPLEMENTED, "functions cannot be called here");
    else
        code = setup->functions->instantiate(&c->functions[0], setup->functions, setup->op->name, setup->attrs,
                                             setup->device, setup->err);
    if (code == SL_OK) code = sl_callee_check(c->functions[0], setup->functions, node_types(setup, 0), setup->err);
    code = sl_callees_keep_error(c, setup, code);
    if (code == SL_OK) *state = c;
    else sl_callees_free(c);
    return code;
}

static sl_code gradient_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_callees *c = sl_callees_new(1, setup->functions, setup->err);
    if (!c) return SL_RESOURCE_EXHAUSTED;
    struct sl_functions *functions = setup->functions;
    struct sl_arena scratch;
    sl_arena_init(&scratch);
    const struct sl_pb_NameAttrList *f;
    struct sl_attrs attrs;
    sl_code code = sl_attr_func(&f, setup->attrs, "f", setup->err);
    if (code == SL_OK && (!functions || !functions->instantiate_gradient))
        code = sl_fail(setup->err, SL_UNIMPLEMENTED, "SymbolicGradient of function %.*s", SL_STR_ARG(f->name));
    if (code == SL_OK) code = sl_attrs_of_map(&attrs, &scratch, &f->attr, setup->err);
    if (code == SL_OK)
        code = functions->instantiate_gradient(&c->functions[0], functions, f->name, &attrs, setup->device, setup->err);
    if (code == SL_OK) code = sl_callee_check(c->functions[0], functions, node_types(setup, 0), setup->err);
    code = sl_callees_keep_error(c, setup, code);
    sl_arena_clear(&scratch);
    if (code == SL_OK) *state = c;
    else sl_callees_free(c);
    return code;
}

static sl_code call_choose(struct sl_function **f, struct sl_kernel_context *k) {
    const struct sl_callees *c = k->state;
    *f = c->functions[0];
    return sl_callees_status(c, k->err);
}

/* ---- RemoteCall: a call on a device of this process */

static sl_code remote_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_callees *c = sl_callees_new(1, setup->functions, setup->err);
    if (!c) return SL_RESOURCE_EXHAUSTED;
    sl_code code = sl_callee_bind(c, 0, setup, "f", node_types(setup, 1));
    code = sl_callees_keep_error(c, setup, code);
    if (code == SL_OK) *state = c;
    else sl_callees_free(c);
    return code;
}

/* Where the device type stands in "/job:j/replica:0/task:0/device:CPU:0" or "/cpu:0"; empty when there is none. */
static struct sl_str device_type_of(struct sl_str device) {
    for (size_t i = 0; i < device.n; i++) {
        if (device.p[i] != '/') continue;
        struct sl_str part = {device.p + i + 1, device.n - i - 1};
        const char *end = memchr(part.p, '/', part.n);
        if (end) part.n = (size_t)(end - part.p);
        if (sl_str_starts(part, SL_STR("device:"))) part = (struct sl_str){part.p + 7, part.n - 7};
        else if (sl_str_starts(part, SL_STR("job:")) || sl_str_starts(part, SL_STR("replica:")) ||
                 sl_str_starts(part, SL_STR("task:")))
            continue;
        const char *colon = memchr(part.p, ':', part.n);
        return (struct sl_str){part.p, colon ? (size_t)(colon - part.p) : part.n};
    }
    return (struct sl_str){NULL, 0};
}

static sl_code fail_target(struct sl_kernel_context *k, struct sl_str target) {
    return sl_fail(k->err, SL_INTERNAL, "Currently don't support instantiating functions on device: %.*s",
                   SL_STR_ARG(target));
}

static sl_code remote_choose(struct sl_function **f, struct sl_kernel_context *k) {
    const struct sl_callees *c = k->state;
    SL_TRY(sl_callees_status(c, k->err));
    struct sl_view v = sl_in(k, 0);
    if (v.rank != 0) return sl_invalid(k, "target must be a scalar");
    struct sl_str target = sl_string_get(v.data), wanted = device_type_of(target),
                  here = device_type_of(sl_str_of(k->env->device));
    *f = c->functions[0];
    if (!target.n || sl_str_is(target, k->env->device)) return SL_OK;
    if (target.p[0] != '/')
        return sl_invalid(k, "Could not parse %.*s into a device specification.", SL_STR_ARG(target));
    if (wanted.n && (wanted.n != here.n || strncasecmp(wanted.p, here.p, here.n) != 0)) return fail_target(k, target);
    struct sl_device_name spec;
    const bool is_known = sl_device_parse(&spec, target, NULL) == SL_OK &&
                          (!k->env->devices || sl_device_first(k->env->devices, &spec) >= 0);
    return is_known ? SL_OK : fail_target(k, target);
}

/* ---- ToBool, DeviceIndex */

static sl_code to_bool_run(struct sl_kernel_context *k) {
    bool b;
    SL_TRY(sl_value_is_true(&b, sl_in_value(k, 0), k->err));
    *sl_out_value(k, 0) = (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_BOOL, .b = b};
    return SL_OK;
}

static sl_code device_index_create(void **state, struct sl_kernel_setup *setup) {
    const struct sl_str *names;
    int n, at = 0;
    SL_TRY(sl_attr_string_list(&names, &n, setup->attrs, "device_names", setup->err));
    struct sl_str here = device_type_of(setup->device);
    while (at < n && !(names[at].n == here.n && strncasecmp(names[at].p, here.p, here.n) == 0)) at++;
    int32_t *index = sl_malloc(sizeof *index);
    if (!index) return sl_fail_memory(setup->err, sizeof *index);
    *index = at;
    *state = index;
    return SL_OK;
}

static sl_code device_index_run(struct sl_kernel_context *k) { return sl_out_int(k, 0, *(const int32_t *)k->state); }

/* ---- rows */

/* The two entries of a kernel that calls the function that NAME_choose finds, with the inputs from FIRST on. */
#define CALLER(NAME, FIRST)                                                                                            \
    static sl_code NAME##_run(struct sl_kernel_context *k) {                                                           \
        struct sl_function *f = NULL;                                                                                  \
        SL_TRY(NAME##_choose(&f, k));                                                                                  \
        return call_now(k, f, FIRST);                                                                                  \
    }                                                                                                                  \
    static void NAME##_start(struct sl_kernel_context *k) {                                                            \
        struct sl_function *f = NULL;                                                                                  \
        sl_code code = NAME##_choose(&f, k);                                                                           \
        if (code == SL_OK) call_later(k, f, FIRST);                                                                    \
        else sl_kernel_done(k, code);                                                                                  \
    }

CALLER(if, 1)
CALLER(case, 1)
CALLER(call, 0)
CALLER(remote, 1)

const struct sl_kernel_def sl_call_by_name = {.op = "",
                                              .create = by_name_create,
                                              .destroy = sl_callees_free,
                                              .run = call_run,
                                              .start = call_start,
                                              .flags = SL_KERNEL_MOVES};

#define CALLS(name)                                                                                                    \
    .create = name##_create, .destroy = sl_callees_free, .run = name##_run, .start = name##_start,                     \
    .flags = SL_KERNEL_MOVES
#define CALLS_GRADIENT                                                                                                 \
    .create = gradient_create, .destroy = sl_callees_free, .run = call_run, .start = call_start,                       \
    .flags = SL_KERNEL_MOVES
#define LOOPS(name)                                                                                                    \
    .create = sl_##name##_create, .destroy = sl_callees_free, .run = sl_##name##_run, .start = sl_##name##_start,      \
    .flags = SL_KERNEL_MOVES
/* clang-format off */
const struct sl_kernel_def sl_any_function_rows[] = {
    KERNEL("If", NO_RULE, CALLS(if), .host = "cond")
    KERNEL("StatelessIf", NO_RULE, CALLS(if), .host = "cond")
    KERNEL("_If", NO_RULE, CALLS(if), .host = "cond")
    KERNEL("Case", NO_RULE, CALLS(case))
    KERNEL("StatelessCase", NO_RULE, CALLS(case))
    KERNEL("PartitionedCall", NO_RULE, CALLS(call))
    KERNEL("StatefulPartitionedCall", NO_RULE, CALLS(call))
    KERNEL("RemoteCall", NO_RULE, CALLS(remote))
    KERNEL("SymbolicGradient", NO_RULE, CALLS_GRADIENT)
    KERNEL("While", NO_RULE, LOOPS(while))
    KERNEL("StatelessWhile", NO_RULE, LOOPS(while))
    KERNEL("_While", NO_RULE, LOOPS(while))
    KERNEL("For", NO_RULE, LOOPS(for))
    KERNEL("ToBool", NO_RULE, .run = to_bool_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("DeviceIndex", NO_RULE, .create = device_index_create, .destroy = sl_free, .run = device_index_run,
           .flags = SL_KERNEL_CHEAP)
    SL_ROWS_END
};
/* clang-format on */
