/* One node run by hand. */
#include "unit/any/one_node.h"

#include "proto/text_format.h"
#include "tensor/summary.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "base/alloc.h"

#define FAMILY(name) {sl_any_##name##_rows},
static const struct sl_kernel_family families[] = {
#include "backends/any/any_kernels.def"
#include "backends/any/companion_data.def"
};
#undef FAMILY

int bench_setup(void **state) {
    struct bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    assert_ok(b->err, sl_op_registry_new(&b->registry, &b->err));
    assert_ok(b->err, sl_kernel_table_new(&b->table, families, sizeof families / sizeof *families, NULL, &b->err));
    assert_ok(b->err, sl_kernel_cache_new(&b->cache, b->table, NULL, 100, &b->err));
    assert_ok(b->err, sl_resources_new(&b->env.step_resources, &b->err));
    assert_ok(b->err, sl_resources_new(&b->env.session_resources, &b->err));
    assert_ok(b->err, sl_cancellation_new(&b->env.cancellation, NULL, &b->err));
    b->env.device = "/job:localhost/replica:0/task:0/device:CPU:0";
    *state = b;
    return 0;
}

int bench_teardown(void **state) {
    struct bench *b = *state;
    sl_cancellation_free(b->env.cancellation);
    sl_resources_free(b->env.step_resources);
    sl_resources_free(b->env.session_resources);
    sl_kernel_cache_free(b->cache);
    sl_kernel_table_free(b->table);
    sl_op_registry_free(b->registry);
    free(b);
    return 0;
}

static sl_code make(struct node *n, struct bench *b, const char *op_name, const char *node_text) {
    memset(n, 0, sizeof *n);
    n->bench = b;
    sl_arena_init(&n->arena);
    struct sl_pb_NodeDef def;
    const struct sl_op *op;
    struct sl_attrs given, bound;
    struct sl_str text_copy = sl_arena_str(&n->arena, sl_str_of(node_text));
    assert_ok(b->err, sl_op_find(&op, b->registry, sl_str_of(op_name), &b->err));
    assert_ok(b->err, sl_pb_text_parse(&def, SL_PB_TYPE(NodeDef), text_copy, &n->arena, &b->err));
    assert_ok(b->err, sl_attrs_of_map(&given, &n->arena, &def.attr, &b->err));
    assert_ok(b->err, sl_attrs_bind(&bound, &n->arena, op, &given, SL_STR("n"), &b->err));
    const struct sl_kernel_request request = {.op = op,
                                              .attrs = &bound,
                                              .device = b->env.device,
                                              .device_type = "CPU",
                                              .node = SL_STR("n"),
                                              .functions = b->env.functions};
    SL_TRY(sl_kernel_prepare(&n->instance, b->cache, &request, &b->err));
    n->fixed = n->instance->node;
    n->fixed.name = SL_STR("n");
    assert_true(n->fixed.n_in + n->fixed.n_out <= MOST_SLOTS);
    n->k = (struct sl_kernel_context){.node = &n->fixed,
                                      .state = n->fixed.state,
                                      .slots = n->slots,
                                      .may_take = ~UINT64_C(0),
                                      .env = &b->env,
                                      .err = &b->err};
    return SL_OK;
}

void node_make(struct node *n, struct bench *b, const char *op, const char *node_text) {
    assert_ok(b->err, make(n, b, op, node_text));
}

sl_code node_try_to_make(struct bench *b, const char *op, const char *node_text) {
    struct node n;
    sl_code code = make(&n, b, op, node_text);
    if (code == SL_OK) node_end(&n);
    else sl_arena_clear(&n.arena);
    return code;
}

static void clear_inputs(struct node *n) {
    for (uint32_t i = 0; i < n->fixed.n_in; i++) sl_value_clear(&n->slots[i]);
}

sl_code node_run(struct node *n) {
    sl_code code;
    if (n->fixed.def->run) {
        code = n->fixed.def->run(&n->k);
    } else {
        node_start(n);
        if (!n->is_done) fail_msg("%.*s has to wait", SL_STR_ARG(n->fixed.op->name));
        code = n->code;
    }
    clear_inputs(n);
    return code;
}

static void is_done(struct sl_kernel_context *k, sl_code code) {
    struct node *n = (struct node *)((char *)k - offsetof(struct node, k));
    assert_false(n->is_done);
    n->code = code;
    __atomic_store_n(&n->is_done, true, __ATOMIC_RELEASE);
}

sl_code node_wait(struct node *n) {
    while (!__atomic_load_n(&n->is_done, __ATOMIC_ACQUIRE)) sched_yield();
    clear_inputs(n);
    return n->code;
}

void node_start(struct node *n) {
    n->k.done = is_done;
    n->is_done = false;
    n->fixed.def->start(&n->k);
}

struct sl_value node_take(struct node *n, int o) {
    return sl_value_move(node_out(n, o));
}

void node_end(struct node *n) {
    for (int i = 0; i < MOST_SLOTS; i++) sl_value_clear(&n->slots[i]);
    sl_kernel_instance_unref(n->instance);
    sl_arena_clear(&n->arena);
}

sl_code run_once(struct bench *b, struct sl_value *outs, const char *op, const char *node_text,
                 const struct sl_value *ins, int n_ins) {
    struct node n;
    node_make(&n, b, op, node_text);
    assert_int_equal(n.fixed.n_in, n_ins);
    for (int i = 0; i < n_ins; i++) node_in(&n, i, ins[i]);
    sl_error_clear(&b->err);
    sl_code code = node_run(&n);
    for (int o = 0; o < (int)n.fixed.n_out && outs && code == SL_OK; o++) outs[o] = node_take(&n, o);
    node_end(&n);
    return code;
}

struct sl_value run_one(struct bench *b, const char *op, const char *node_text, const struct sl_value *ins, int n_ins) {
    struct sl_value outs[MOST_SLOTS] = {0};
    assert_ok(b->err, run_once(b, outs, op, node_text, ins, n_ins));
    for (int o = 1; o < MOST_SLOTS; o++) sl_value_clear(&outs[o]);
    return outs[0];
}

/* ---- values */

struct sl_value f32(float f) {
    return (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_FLOAT, .f32 = f};
}
struct sl_value i32(int32_t i) {
    return (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_INT32, .i32 = i};
}
struct sl_value i64(int64_t i) {
    return (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_INT64, .i64 = i};
}
struct sl_value boolean(bool b) {
    return (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_BOOL, .b = b};
}

static struct sl_value tensor(int dtype, int rank, const int64_t *dims, const void *data) {
    struct sl_value v = {0};
    struct sl_error err;
    assert_ok(err, sl_value_new(&v, dtype, (struct sl_shape){rank, dims}, &err));
    struct sl_view view = sl_value_view(&v);
    if (view.count) memcpy(view.data, data, (size_t)view.count * sl_dtype_size(dtype));
    return v;
}
struct sl_value vec_f32(int64_t n, const float *f) {
    return tensor(SL_FLOAT, 1, &n, f);
}
struct sl_value vec_i32(int64_t n, const int32_t *i) {
    return tensor(SL_INT32, 1, &n, i);
}
struct sl_value vec_i64(int64_t n, const int64_t *i) {
    return tensor(SL_INT64, 1, &n, i);
}
struct sl_value mat_f32(int64_t rows, int64_t columns, const float *f) {
    return tensor(SL_FLOAT, 2, (const int64_t[]){rows, columns}, f);
}
struct sl_value text(const char *s) {
    struct sl_value v = {0};
    struct sl_error err;
    assert_ok(err, sl_value_new(&v, SL_STRING, SL_SHAPE_SCALAR, &err));
    assert_ok(err, sl_string_set(v.tensor->data, sl_str_of(s), &err));
    return v;
}

void take_and_expect(struct sl_value v, const char *shape, const char *elements) {
    char shape_text[SL_SHAPE_TEXT], *got;
    struct sl_error err;
    assert_true(v.kind > SL_VALUE_DEAD);
    assert_ok(err, sl_view_summary(&got, sl_value_view(&v), -1, &err));
    assert_string_equal(sl_shape_text(shape_text, sl_view_shape(sl_value_view(&v))), shape);
    assert_string_equal(got, elements);
    sl_free(got);
    sl_value_clear(&v);
}

/* ---- functions */

static sl_code instantiate(struct sl_function **out, struct sl_functions *self, struct sl_str name,
                           const struct sl_attrs *attrs, struct sl_str device, struct sl_error *err) {
    (void)attrs, (void)device;
    struct fake_functions *fake = (struct fake_functions *)self;
    for (int i = 0; i < fake->n; i++)
        if (sl_str_is(name, fake->functions[i].name)) {
            *out = (struct sl_function *)&fake->functions[i];
            return SL_OK;
        }
    return sl_fail(err, SL_NOT_FOUND, "Function %.*s is not defined.", SL_STR_ARG(name));
}

static void signature(const struct sl_function *f, int *n_args, const uint8_t **arg_types, int *n_rets,
                      const uint8_t **ret_types) {
    const struct fake_function *fake = (const struct fake_function *)f;
    *n_args = fake->n_args;
    *arg_types = fake->arg_types;
    *n_rets = fake->n_rets;
    *ret_types = fake->ret_types;
}

static sl_code call(struct sl_function *function, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                    struct sl_error *err) {
    (void)env;
    struct fake_function *f = (struct fake_function *)function;
    __atomic_fetch_add(&f->calls, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < f->n_rets; i++) rets[i].kind = SL_VALUE_NONE;
    sl_code code = f->body(args, rets, err);
    for (int i = 0; i < f->n_args; i++) sl_value_clear(&args[i]);
    return code;
}

bool fake_finish(struct fake_functions *fake) {
    if (!fake->pending.is_set) return false;
    fake->pending.is_set = false;
    void (*done)(void *, sl_code) = fake->pending.done;
    void *arg = fake->pending.arg;
    done(arg,
         call((struct sl_function *)fake->pending.f, NULL, fake->pending.args, fake->pending.rets, fake->pending.err));
    return true;
}

struct one_call {
    struct sl_function *f;
    struct sl_value *args, *rets;
    struct sl_error *err;
    void (*done)(void *arg, sl_code code);
    void *arg;
};

static void *call_on_thread(void *arg) {
    struct one_call c = *(struct one_call *)arg;
    free(arg);
    c.done(c.arg, call(c.f, NULL, c.args, c.rets, c.err));
    return NULL;
}

static void call_async(struct sl_function *f, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                       struct sl_error *err, void (*done)(void *arg, sl_code code), void *arg) {
    struct fake_functions *fake = (struct fake_functions *)env->functions;
    if (fake->way == FAKE_AT_ONCE) {
        done(arg, call(f, env, args, rets, err));
    } else if (fake->way == FAKE_LATER) {
        fake->pending.f = (struct fake_function *)f;
        fake->pending.args = args;
        fake->pending.rets = rets;
        fake->pending.err = err;
        fake->pending.done = done;
        fake->pending.arg = arg;
        fake->pending.is_set = true;
    } else {
        struct one_call *c = malloc(sizeof *c);
        *c = (struct one_call){f, args, rets, err, done, arg};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, call_on_thread, c), 0);
        pthread_detach(thread);
    }
}

void fake_functions_use(struct fake_functions *fake, struct bench *b, struct fake_function *functions, int n) {
    *fake = (struct fake_functions){
        .base = {.instantiate = instantiate, .signature = signature, .call = call, .call_async = call_async},
        .functions = functions,
        .n = n};
    b->env.functions = &fake->base;
}
