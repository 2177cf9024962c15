/* Kernel instances: who shares one, how long it lives, how it runs. The rows are the test's own, for ops that there
 * are; they count how many of their states exist. */
#include "kernel/instance.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel/functions.h"
#include "kernel/instance_cache.h"
#include "kernel/row.h"
#include "kernel/variable.h"
#include "ops/op_row.h"
#include "proto/text_format.h"
#include "tensor/tensor.h"
#include "unit/unit.h"

/* ---- rows */

static atomic_int n_created, n_alive; /* states */

struct state {
    int n_attrs; /* that `create` saw */
    uint64_t constant_in;
    atomic_int runs;
};

static sl_code create(void **state, struct sl_kernel_setup *setup) {
    struct state *s = calloc(1, sizeof *s);
    s->n_attrs = setup->attrs->n;
    s->constant_in = setup->constant_in;
    atomic_fetch_add(&n_created, 1);
    atomic_fetch_add(&n_alive, 1);
    *state = s;
    return SL_OK;
}

static void destroy(void *state) {
    atomic_fetch_sub(&n_alive, 1);
    free(state);
}

static bool is_refused;
static sl_code create_unless_refused(void **state, struct sl_kernel_setup *setup) {
    if (is_refused) return sl_fail(setup->err, SL_INVALID_ARGUMENT, "refused");
    return create(state, setup);
}

static sl_code add_run(struct sl_kernel_context *k) {
    struct sl_view a = sl_in(k, 0), b = sl_in(k, 1), out;
    SL_TRY(sl_out_reuse(&out, k, 0, sl_view_shape(a), 0, 2));
    for (int64_t i = 0; i < out.count; i++)
        ((float *)out.data)[i] = ((const float *)a.data)[i] + ((const float *)b.data)[i];
    return SL_OK;
}
static void add_scalars(void *out, const void *a, const void *b) {
    *(float *)out = *(const float *)a + *(const float *)b;
}
static sl_scalar_fn add_scalar(const struct sl_kernel_setup *setup) {
    return setup->in_types[0] == SL_FLOAT ? add_scalars : NULL;
}

/* How often the state has run. */
static sl_code count_run(struct sl_kernel_context *k) {
    struct state *s = k->state;
    struct sl_view out;
    SL_TRY(sl_out_new(&out, k, 0, SL_SHAPE_SCALAR));
    *(float *)out.data = (float)atomic_fetch_add(&s->runs, 1);
    return SL_OK;
}

/* Leaves an output behind when it fails. */
static sl_code split_run(struct sl_kernel_context *k) {
    sl_out_forward(k, 0, 1);
    return sl_invalid(k, "no more");
}

static sl_code pass_run(struct sl_kernel_context *k) {
    sl_out_forward(k, 0, 0);
    return SL_OK;
}

static bool starts_fail;
static void *end_later(void *arg) {
    struct sl_kernel_context *k = arg;
    sl_out_forward(k, 0, 0);
    sl_kernel_done(k, starts_fail ? sl_fail(k->err, SL_CANCELLED, "gone") : SL_OK);
    return NULL;
}
static void wait_start(struct sl_kernel_context *k) {
    pthread_t thread;
    pthread_create(&thread, NULL, end_later, k);
    pthread_detach(thread);
}

#define KERNEL(op_, rules, ...)                                                                                        \
    {.op = op_, .device = "CPU", .types = {rules}, .create = create, .destroy = destroy, __VA_ARGS__},
/* clang-format off */
static const struct sl_kernel_def rows[] = {
    KERNEL("AddV2", RULE("T", SL_SET_NUMBERS), .run = add_run, .scalar = add_scalar)
    KERNEL("AddV2", NO_RULE, .label = "other", .run = add_run)
    KERNEL("MatMul", NO_RULE, .run = add_run, .flags = SL_KERNEL_OWN)
    KERNEL("RandomUniform", NO_RULE, .run = count_run)
    KERNEL("PartitionedCall", NO_RULE, .run = pass_run)
    KERNEL("_Send", NO_RULE, .run = pass_run, .flags = SL_KERNEL_DEAD)
    KERNEL("Split", NO_RULE, .run = split_run)
    KERNEL("Identity", NO_RULE, .run = pass_run)
    KERNEL("Abs", NO_RULE, .start = wait_start, .flags = SL_KERNEL_ASYNC)
    {.op = "Neg", .device = "CPU", .create = create_unless_refused, .destroy = destroy, .run = pass_run},
    SL_ROWS_END
};
/* clang-format on */
static const struct sl_kernel_def better_add = {.op = "AddV2", .device = "CPU", .priority = 1, .run = pass_run};

/* ---- a test's cache */

struct fixture {
    struct sl_arena arena;
    struct sl_op_registry *ops;
    struct sl_kernel_table *table;
    struct sl_kernel_cache *cache;
    struct sl_error err;
};

static int setup(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    const struct sl_kernel_family family = {rows};
    sl_arena_init(&f->arena);
    assert_ok(f->err, sl_op_registry_new(&f->ops, &f->err));
    assert_ok(f->err, sl_kernel_table_new(&f->table, &family, 1, NULL, &f->err));
    assert_ok(f->err, sl_kernel_cache_new(&f->cache, f->table, NULL, 100, &f->err));
    atomic_store(&n_created, 0);
    is_refused = starts_fail = false;
    *state = f;
    return 0;
}

/* Whatever was made is gone when nobody holds it. */
static int teardown(void **state) {
    struct fixture *f = *state;
    sl_kernel_cache_free(f->cache);
    assert_int_equal(atomic_load(&n_alive), 0);
    sl_kernel_table_free(f->table);
    sl_op_registry_free(f->ops);
    sl_arena_clear(&f->arena);
    free(f);
    return 0;
}

/* `text`: attrs of a NodeDef. */
static struct sl_kernel_request ask(struct fixture *f, const char *op_name, const char *text) {
    struct sl_pb_NodeDef def;
    struct sl_attrs given, *bound = SL_ARENA_NEW(&f->arena, struct sl_attrs);
    struct sl_str copy = sl_arena_str(&f->arena, sl_str_of(text));
    const struct sl_op *op;
    assert_ok(f->err, sl_op_find(&op, f->ops, sl_str_of(op_name), &f->err));
    assert_ok(f->err, sl_pb_text_parse(&def, SL_PB_TYPE(NodeDef), copy, &f->arena, &f->err));
    assert_ok(f->err, sl_attrs_of_map(&given, &f->arena, &def.attr, &f->err));
    assert_ok(f->err, sl_attrs_bind(bound, &f->arena, op, &given, SL_STR("n"), &f->err));
    return (struct sl_kernel_request){.op = op, .attrs = bound, .device = "/device:CPU:0", .device_type = "CPU"};
}

static struct sl_kernel_request ask_node(struct fixture *f, const char *op, const char *text, const char *node) {
    struct sl_kernel_request r = ask(f, op, text);
    r.node = sl_str_of(node);
    return r;
}

static struct sl_kernel_instance *prepare(struct fixture *f, struct sl_kernel_request r) {
    struct sl_kernel_instance *i;
    assert_ok(f->err, sl_kernel_prepare(&i, f->cache, &r, &f->err));
    return i;
}

static bool are_shared(struct fixture *f, struct sl_kernel_request a, struct sl_kernel_request b) {
    struct sl_kernel_instance *x = prepare(f, a), *y = prepare(f, b);
    bool same = x == y;
    sl_kernel_instance_unref(x);
    sl_kernel_instance_unref(y);
    return same;
}

#define FLOATS "attr { key: 'T' value { type: DT_FLOAT } }"
#define INTS   "attr { key: 'T' value { type: DT_INT32 } }"

static struct sl_value f32(float x) { return (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_FLOAT, .f32 = x}; }

static struct sl_value vector(float first, float second) {
    struct sl_value v;
    struct sl_error err;
    assert_ok(err, sl_value_new(&v, SL_FLOAT, (struct sl_shape){1, (const int64_t[]){2}}, &err));
    ((float *)v.tensor->data)[0] = first;
    ((float *)v.tensor->data)[1] = second;
    return v;
}

#define INSTANCE_TEST(name)                                                                                            \
    static void name##_with(struct fixture *f);                                                                        \
    static void name(void **state) { name##_with(*state); }                                                            \
    static void name##_with(struct fixture *f)
#define instance_unit_test(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* ---- sharing */

INSTANCE_TEST(equal_requests_share_an_instance) {
    assert_true(are_shared(f, ask(f, "AddV2", FLOATS), ask(f, "AddV2", FLOATS)));
    assert_true(are_shared(f, ask_node(f, "AddV2", FLOATS, "a"), ask_node(f, "AddV2", FLOATS, "b")));
    assert_true(are_shared(f, ask_node(f, "AddV2", FLOATS, "a"), ask(f, "AddV2", FLOATS)));
    assert_int_equal(atomic_load(&n_created), 1);
    assert_int_equal(sl_kernel_cache_count(f->cache), 1);
}

INSTANCE_TEST(what_create_may_read_tells_instances_apart) {
    struct sl_kernel_request r = ask(f, "AddV2", FLOATS), other = r;
    assert_false(are_shared(f, r, ask(f, "AddV2", INTS)));
    other.device = "/device:CPU:1";
    assert_false(are_shared(f, r, other));
    other = r;
    other.graph_version = 12;
    assert_false(are_shared(f, r, other));
    assert_false(are_shared(f, r, ask(f, "AddV2", FLOATS "attr { key: '_kernel' value { s: 'other' } }")));
    assert_true(are_shared(f, r, ask(f, "AddV2", FLOATS "attr { key: '_class' value { s: 'loc:@v' } }")));
}

/* The hash does not see into lists, functions and tensors. */
INSTANCE_TEST(attrs_are_compared_in_full) {
    struct sl_kernel_request one = ask(f, "MatMul", FLOATS "attr { key: '_side' value { list { i: [1, 2] } } }"),
                             two = ask(f, "MatMul", FLOATS "attr { key: '_side' value { list { i: [1, 3] } } }");
    assert_false(are_shared(f, one, two));
    assert_true(are_shared(f, one, one));
}

INSTANCE_TEST(nodes_of_own_rows_share_nothing) {
    struct sl_kernel_request a = ask_node(f, "MatMul", FLOATS, "a"), b = ask_node(f, "MatMul", FLOATS, "b");
    a.constant_in = 2;
    struct sl_kernel_instance *alone = prepare(f, ask(f, "MatMul", FLOATS)), *of_a = prepare(f, a),
                              *of_b = prepare(f, b), *again = prepare(f, ask(f, "MatMul", FLOATS));
    assert_ptr_equal(alone, again);
    assert_ptr_not_equal(of_a, alone);
    assert_ptr_not_equal(of_a, of_b);
    assert_int_equal(((struct state *)of_a->node.state)->constant_in, 2);
    assert_int_equal(((struct state *)of_b->node.state)->constant_in, 0);
    assert_int_equal(sl_kernel_cache_count(f->cache), 1);
    sl_kernel_instance_unref(alone);
    sl_kernel_instance_unref(again);
    sl_kernel_instance_unref(of_a);
    sl_kernel_instance_unref(of_b);
}

/* What nodes of other rows may share does not depend on constants, nor on attrs that the op does not declare. */
INSTANCE_TEST(own_rows_alone_see_all) {
    const char *attrs = FLOATS "attr { key: '_class' value { s: 'loc:@v' } }";
    struct sl_kernel_request add = ask_node(f, "AddV2", attrs, "a"), product = ask_node(f, "MatMul", attrs, "b");
    add.constant_in = product.constant_in = 3;
    struct sl_kernel_instance *shared = prepare(f, add), *own = prepare(f, product);
    const struct state *of_shared = shared->node.state, *of_own = own->node.state;
    assert_int_equal(of_shared->constant_in, 0);
    assert_int_equal(of_shared->n_attrs, add.op->n_attrs);
    assert_int_equal(of_own->constant_in, 3);
    assert_int_equal(of_own->n_attrs, product.op->n_attrs + 1);
    sl_kernel_instance_unref(shared);
    sl_kernel_instance_unref(own);
    assert_true(are_shared(f, add, ask_node(f, "AddV2", FLOATS, "b")));
}

#define RANDOM "attr { key: 'T' value { type: DT_INT32 } } attr { key: 'dtype' value { type: DT_FLOAT } }"

static float next_of(struct fixture *f, struct sl_kernel_request r) {
    struct sl_kernel_instance *i = prepare(f, r);
    struct sl_value values[2] = {{.kind = SL_VALUE_SCALAR, .dtype = SL_INT32}, {.kind = SL_VALUE_NONE}};
    assert_ok(f->err, sl_kernel_instance_run(i, NULL, values, 0, &f->err));
    sl_kernel_instance_unref(i);
    return values[1].f32;
}

INSTANCE_TEST(a_stateful_node_has_one_state_for_its_identity) {
    struct sl_kernel_request a = ask_node(f, "RandomUniform", RANDOM, "a"),
                             b = ask_node(f, "RandomUniform", RANDOM, "b");
    a.identity = a.node;
    b.identity = b.node;
    assert_true(next_of(f, a) == 0 && next_of(f, a) == 1 && next_of(f, b) == 0 && next_of(f, a) == 2);
    a.identity = SL_STR(""); /* a node of a function: its program's alone */
    assert_true(next_of(f, a) == 0 && next_of(f, a) == 0);
    struct sl_kernel_request alone = ask(f, "RandomUniform", RANDOM);
    assert_true(next_of(f, alone) == 0 && next_of(f, alone) == 1);
}

INSTANCE_TEST(a_call_is_shared_in_the_cache_of_its_functions_alone) {
    struct sl_functions mine = {0}, others = {0};
    struct sl_kernel_cache *of_nobody = f->cache, *of_mine;
    struct sl_kernel_request call = ask(f, "PartitionedCall",
                                        "attr { key: 'f' value { func { name: 'f' } } }"
                                        "attr { key: 'Tin' value { list { } } }"
                                        "attr { key: 'Tout' value { list { } } }");
    assert_ok(f->err, sl_kernel_cache_new(&of_mine, f->table, &mine, 100, &f->err));
    call.functions = &mine;
    assert_false(are_shared(f, call, call));
    f->cache = of_mine;
    assert_true(are_shared(f, call, call));
    assert_false(are_shared(f, call,
                            ask(f, "PartitionedCall",
                                "attr { key: 'f' value { func { name: 'g' } } }"
                                "attr { key: 'Tin' value { list { } } }"
                                "attr { key: 'Tout' value { list { } } }")));
    call.functions = &others;
    assert_false(are_shared(f, call, call));
    sl_kernel_cache_free(of_mine);
    f->cache = of_nobody;
}

INSTANCE_TEST(transfers_and_named_rows_are_never_shared) {
    struct sl_kernel_request send =
        ask_node(f, "_Send",
                 FLOATS "attr { key: 'tensor_name' value { s: 'x' } } attr { key: 'send_device' value { s: 'a' } }"
                        "attr { key: 'send_device_incarnation' value { i: 1 } }"
                        "attr { key: 'recv_device' value { s: 'b' } }",
                 "send");
    send.identity = send.node;
    assert_false(are_shared(f, send, send));
    struct sl_kernel_request add = ask(f, "AddV2", FLOATS);
    add.def = &rows[0];
    assert_false(are_shared(f, add, add));
    assert_int_equal(sl_kernel_cache_count(f->cache), 0);
}

INSTANCE_TEST(a_better_row_is_found_when_it_comes) {
    struct sl_kernel_instance *before = prepare(f, ask(f, "AddV2", FLOATS));
    assert_ok(f->err, sl_kernel_table_add(f->table, &better_add, &f->err));
    struct sl_kernel_instance *after = prepare(f, ask(f, "AddV2", FLOATS));
    assert_ptr_equal(before->node.def, &rows[0]);
    assert_ptr_equal(after->node.def, &better_add);
    sl_kernel_instance_unref(before);
    sl_kernel_instance_unref(after);
}

/* ---- how long they live */

static struct sl_kernel_request ask_number(struct fixture *f, int number) {
    char text[160];
    snprintf(text, sizeof text, RANDOM "attr { key: 'seed' value { i: %d } }", number);
    return ask(f, "RandomUniform", text);
}

static bool is_kept(struct fixture *f, int number) {
    int before = atomic_load(&n_created);
    sl_kernel_instance_unref(prepare(f, ask_number(f, number)));
    return atomic_load(&n_created) == before;
}

INSTANCE_TEST(the_cache_has_a_bound) {
    struct sl_kernel_cache *large = f->cache;
    assert_ok(f->err, sl_kernel_cache_new(&f->cache, f->table, NULL, 3, &f->err));
    for (int i = 0; i < 3; i++) sl_kernel_instance_unref(prepare(f, ask_number(f, i)));
    assert_true(is_kept(f, 0)); /* asked for once more: stays when 1 goes */
    sl_kernel_instance_unref(prepare(f, ask_number(f, 3)));
    assert_int_equal(sl_kernel_cache_count(f->cache), 3);
    assert_int_equal(atomic_load(&n_alive), 3);
    assert_true(is_kept(f, 0));
    assert_true(is_kept(f, 3));
    assert_false(is_kept(f, 1));
    sl_kernel_cache_free(f->cache);
    f->cache = large;
}

INSTANCE_TEST(a_large_cache_keeps_its_bound) {
    struct sl_kernel_cache *small = f->cache;
    assert_ok(f->err, sl_kernel_cache_new(&f->cache, f->table, NULL, 1024, &f->err));
    for (int i = 0; i < 3000; i++) sl_kernel_instance_unref(prepare(f, ask_number(f, i)));
    assert_in_range(sl_kernel_cache_count(f->cache), 900, 1024);
    assert_true(is_kept(f, 2999));
    sl_kernel_cache_free(f->cache);
    f->cache = small;
}

INSTANCE_TEST(identities_stay_whatever_the_bound) {
    struct sl_kernel_cache *large = f->cache;
    struct sl_kernel_request a = ask_node(f, "RandomUniform", RANDOM, "a");
    a.identity = a.node;
    assert_ok(f->err, sl_kernel_cache_new(&f->cache, f->table, NULL, 0, &f->err));
    assert_true(next_of(f, a) == 0);
    assert_false(is_kept(f, 0));
    assert_false(is_kept(f, 0)); /* no identity: not taken in */
    assert_true(next_of(f, a) == 1);
    sl_kernel_cache_free(f->cache);
    f->cache = large;
}

INSTANCE_TEST(an_instance_that_is_dropped_lives_while_it_is_held) {
    struct sl_kernel_cache *large = f->cache;
    struct sl_value values[2] = {{.kind = SL_VALUE_SCALAR, .dtype = SL_INT32}, {.kind = SL_VALUE_NONE}};
    assert_ok(f->err, sl_kernel_cache_new(&f->cache, f->table, NULL, 1, &f->err));
    struct sl_kernel_instance *held = prepare(f, ask_number(f, 0));
    sl_kernel_instance_unref(prepare(f, ask_number(f, 1)));
    assert_int_equal(sl_kernel_cache_count(f->cache), 1);
    assert_int_equal(atomic_load(&n_alive), 2);
    assert_ok(f->err, sl_kernel_instance_run(held, NULL, values, 0, &f->err));
    sl_kernel_cache_free(f->cache);
    assert_int_equal(atomic_load(&n_alive), 1);
    assert_ok(f->err, sl_kernel_instance_run(held, NULL, values, 0, &f->err));
    assert_true(values[1].f32 == 1);
    sl_kernel_instance_unref(held);
    assert_int_equal(atomic_load(&n_alive), 0);
    f->cache = large;
}

INSTANCE_TEST(a_failed_create_keeps_nothing) {
    struct sl_kernel_request r = ask_node(f, "Neg", FLOATS, "wrong");
    struct sl_kernel_instance *i;
    is_refused = true;
    assert_fails(f->err, SL_INVALID_ARGUMENT, "refused\n\t [[{{node wrong}}]]",
                 sl_kernel_prepare(&i, f->cache, &r, &f->err));
    assert_int_equal(sl_kernel_cache_count(f->cache), 0);
    is_refused = false;
    sl_kernel_instance_unref(prepare(f, r));
    assert_int_equal(sl_kernel_cache_count(f->cache), 1);
    r = ask_node(f, "Sub", FLOATS, "none");
    assert_fails(f->err, SL_INVALID_ARGUMENT, "No OpKernel was registered to support Op 'Sub' used by {{node none}}",
                 sl_kernel_prepare(&i, f->cache, &r, &f->err));
}

/* ---- running */

INSTANCE_TEST(types_follow_from_op_and_attrs) {
    struct sl_kernel_instance *i = prepare(f, ask(f, "AddV2", INTS));
    assert_int_equal(i->node.n_in, 2);
    assert_int_equal(i->node.n_out, 1);
    assert_int_equal(i->node.in_types[1], SL_INT32);
    assert_int_equal(i->node.out_types[0], SL_INT32);
    assert_null(i->node.scalar);
    sl_kernel_instance_unref(i);
}

INSTANCE_TEST(it_runs_on_scalars_and_tensors) {
    struct sl_kernel_instance *i = prepare(f, ask(f, "AddV2", FLOATS));
    struct sl_value scalars[3] = {f32(2), f32(3)}, tensors[3] = {vector(1, 2), vector(3, 4)};
    assert_ptr_equal(i->node.scalar, add_scalars);
    assert_ok(f->err, sl_kernel_instance_run(i, NULL, scalars, 0, &f->err));
    assert_int_equal(scalars[2].kind, SL_VALUE_SCALAR);
    assert_true(scalars[2].dtype == SL_FLOAT && scalars[2].f32 == 5);

    assert_ok(f->err, sl_kernel_instance_run(i, NULL, tensors, 0, &f->err));
    assert_true(((float *)tensors[2].tensor->data)[1] == 6 && tensors[0].kind == SL_VALUE_TENSOR);
    sl_value_clear(&tensors[2]);
    void *memory = tensors[1].tensor->data; /* the input that may be taken */
    assert_ok(f->err, sl_kernel_instance_run(i, NULL, tensors, 2, &f->err));
    assert_ptr_equal(tensors[2].tensor->data, memory);
    assert_int_equal(tensors[1].kind, SL_VALUE_NONE);
    for (int v = 0; v < 3; v++) sl_value_clear(&tensors[v]);
    sl_kernel_instance_unref(i);
}

INSTANCE_TEST(after_a_failure_there_are_no_outputs) {
    struct sl_kernel_instance *i = prepare(f, ask(f, "Split", FLOATS "attr { key: 'num_split' value { i: 2 } }"));
    struct sl_value values[4] = {{.kind = SL_VALUE_SCALAR, .dtype = SL_INT32}, vector(1, 2)};
    assert_fails(f->err, SL_INVALID_ARGUMENT, "no more", sl_kernel_instance_run(i, NULL, values, 0, &f->err));
    assert_int_equal(values[2].kind, SL_VALUE_NONE);
    assert_int_equal(values[1].kind, SL_VALUE_TENSOR);
    sl_value_clear(&values[1]);
    sl_kernel_instance_unref(i);
}

INSTANCE_TEST(references_are_read) {
    struct sl_kernel_instance *i = prepare(f, ask(f, "Identity", FLOATS));
    struct sl_variable *variable;
    assert_ok(f->err,
              sl_variable_new(&variable, &(struct sl_variable_spec){.type = &sl_ref_variable_type, .dtype = SL_FLOAT},
                              &f->err));
    struct sl_value values[2] = {{.kind = SL_VALUE_REF, .dtype = SL_FLOAT, .object = sl_object_ref(&variable->object)}};
    assert_fails(f->err, SL_FAILED_PRECONDITION, "uninitialized", sl_kernel_instance_run(i, NULL, values, 0, &f->err));
    sl_variable_write(variable, vector(7, 8));
    assert_ok(f->err, sl_kernel_instance_run(i, NULL, values, 0, &f->err));
    assert_int_equal(values[1].kind, SL_VALUE_TENSOR);
    for (int v = 0; v < 2; v++) sl_value_clear(&values[v]);
    sl_object_unref(&variable->object);
    sl_kernel_instance_unref(i);
}

INSTANCE_TEST(a_kernel_that_waits_is_waited_for) {
    struct sl_kernel_instance *i = prepare(f, ask(f, "Abs", FLOATS));
    assert_true(i->node.is_async);
    for (int round = 0; round < 50; round++) {
        struct sl_value values[2] = {f32(4)};
        assert_ok(f->err, sl_kernel_instance_run(i, NULL, values, 0, &f->err));
        assert_true(values[1].f32 == 4);
    }
    struct sl_value values[2] = {vector(1, 2)};
    starts_fail = true;
    assert_fails(f->err, SL_CANCELLED, "gone", sl_kernel_instance_run(i, NULL, values, 0, &f->err));
    assert_int_equal(values[1].kind, SL_VALUE_NONE);
    sl_value_clear(&values[0]);
    sl_kernel_instance_unref(i);
}

struct started {
    struct sl_kernel_call call;
    sl_code code;
    atomic_int n_done;
};

static void started_done(struct sl_kernel_call *call, sl_code code) {
    struct started *s = (struct started *)call;
    s->code = code;
    atomic_fetch_add(&s->n_done, 1);
}

static sl_code start_and_wait(struct fixture *f, struct sl_kernel_instance *i, struct sl_value *values) {
    struct started s = {.call.done = started_done};
    sl_kernel_instance_start(&s.call, i, NULL, values, 0, &f->err);
    while (!atomic_load(&s.n_done)) sched_yield();
    assert_int_equal(atomic_load(&s.n_done), 1);
    return s.code;
}

INSTANCE_TEST(every_kernel_can_be_started) {
    struct sl_kernel_instance *waits = prepare(f, ask(f, "Abs", FLOATS)), *runs = prepare(f, ask(f, "AddV2", FLOATS));
    struct sl_value values[3] = {f32(2), f32(0)}, sum[3] = {f32(2), f32(3)};
    assert_int_equal(start_and_wait(f, waits, values), SL_OK);
    assert_true(values[1].f32 == 2);
    assert_int_equal(start_and_wait(f, runs, sum), SL_OK);
    assert_true(sum[2].f32 == 5);
    starts_fail = true;
    values[1].kind = SL_VALUE_NONE;
    assert_int_equal(start_and_wait(f, waits, values), SL_CANCELLED);
    assert_int_equal(values[1].kind, SL_VALUE_NONE);
    sl_kernel_instance_unref(waits);
    sl_kernel_instance_unref(runs);
}

/* ---- threads: a cache of two, asked for many at once */

enum { THREADS = 4, ROUNDS = 400, NUMBERS = 5 };
struct crowd {
    struct fixture *f;
    struct sl_kernel_request numbers[NUMBERS], add, node;
};

static void *prepare_and_run(void *arg) {
    struct crowd *c = arg;
    struct sl_error err;
    for (int round = 0; round < ROUNDS; round++) {
        struct sl_kernel_instance *i, *add, *kept;
        struct sl_value values[2] = {{.kind = SL_VALUE_SCALAR, .dtype = SL_INT32}, {.kind = SL_VALUE_NONE}},
                        sum[3] = {f32(1), f32((float)round)};
        assert_ok(err, sl_kernel_prepare(&i, c->f->cache, &c->numbers[round % NUMBERS], &err));
        assert_ok(err, sl_kernel_prepare(&add, c->f->cache, &c->add, &err));
        assert_ok(err, sl_kernel_prepare(&kept, c->f->cache, &c->node, &err));
        assert_ok(err, sl_kernel_instance_run(i, NULL, values, 0, &err));
        assert_ok(err, sl_kernel_instance_run(add, NULL, sum, 0, &err));
        assert_true(sum[2].f32 == 1 + (float)round);
        assert_ok(err, sl_kernel_instance_run(kept, NULL, values, 0, &err));
        sl_kernel_instance_unref(i);
        sl_kernel_instance_unref(add);
        sl_kernel_instance_unref(kept);
    }
    return NULL;
}

INSTANCE_TEST(many_threads_prepare_and_run_at_once) {
    struct sl_kernel_cache *large = f->cache;
    struct crowd c = {.f = f, .add = ask(f, "AddV2", FLOATS), .node = ask_node(f, "RandomUniform", RANDOM, "a")};
    pthread_t threads[THREADS];
    c.node.identity = c.node.node;
    for (int i = 0; i < NUMBERS; i++) c.numbers[i] = ask_number(f, i);
    assert_ok(f->err, sl_kernel_cache_new(&f->cache, f->table, NULL, 2, &f->err));
    for (int t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, prepare_and_run, &c);
    for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
    assert_true(next_of(f, c.node) == THREADS * ROUNDS); /* one state saw them all */
    assert_in_range(sl_kernel_cache_count(f->cache), 1, 3);
    sl_kernel_cache_free(f->cache);
    f->cache = large;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        instance_unit_test(equal_requests_share_an_instance),
        instance_unit_test(what_create_may_read_tells_instances_apart),
        instance_unit_test(attrs_are_compared_in_full),
        instance_unit_test(nodes_of_own_rows_share_nothing),
        instance_unit_test(own_rows_alone_see_all),
        instance_unit_test(a_stateful_node_has_one_state_for_its_identity),
        instance_unit_test(a_call_is_shared_in_the_cache_of_its_functions_alone),
        instance_unit_test(transfers_and_named_rows_are_never_shared),
        instance_unit_test(a_better_row_is_found_when_it_comes),
        instance_unit_test(the_cache_has_a_bound),
        instance_unit_test(a_large_cache_keeps_its_bound),
        instance_unit_test(identities_stay_whatever_the_bound),
        instance_unit_test(an_instance_that_is_dropped_lives_while_it_is_held),
        instance_unit_test(a_failed_create_keeps_nothing),
        instance_unit_test(types_follow_from_op_and_attrs),
        instance_unit_test(it_runs_on_scalars_and_tensors),
        instance_unit_test(after_a_failure_there_are_no_outputs),
        instance_unit_test(references_are_read),
        instance_unit_test(a_kernel_that_waits_is_waited_for),
        instance_unit_test(every_kernel_can_be_started),
        instance_unit_test(many_threads_prepare_and_run_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
