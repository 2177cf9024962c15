/* Variables and mutexes: who shares what, which shapes and types may be assigned, what is said when there is no
 * value yet. */
#include "unit/any/one_node.h"

#include <stdio.h>

#include "kernel/variable.h"

#define DTYPE    "attr { key: 'dtype' value { type: DT_FLOAT } }"
#define INT      "attr { key: 'dtype' value { type: DT_INT32 } }"
#define T        "attr { key: 'T' value { type: DT_FLOAT } }"
#define T_INT    "attr { key: 'T' value { type: DT_INT32 } }"
#define SHAPE_2  "attr { key: 'shape' value { shape { dim { size: 2 } } } }"
#define SCALAR   "attr { key: 'shape' value { shape { } } }"
#define NAMED(s) "attr { key: 'shared_name' value { s: '" s "' } }"
#define STRICT   "attr { key: 'ignore_lookup_error' value { b: false } }"
#define LIMIT_2  "attr { key: 'limit' value { i: 2 } }"

static struct sl_value make(struct bench *b, const char *op, const char *attrs) {
    return run_one(b, op, attrs, NULL, 0);
}
static struct sl_value handle(struct bench *b) { return make(b, "VarHandleOp", DTYPE SHAPE_2 NAMED("v")); }
static struct sl_value reference(struct bench *b) { return make(b, "VariableV2", DTYPE SHAPE_2 NAMED("v")); }

static void assign(struct bench *b, struct sl_value h, struct sl_value value) {
    assert_ok(b->err, run_once(b, NULL, "AssignVariableOp", DTYPE, INPUTS(share(h), value)));
}
static struct sl_value read(struct bench *b, struct sl_value h) { return RUN(b, "ReadVariableOp", DTYPE, share(h)); }
static void expect(struct bench *b, struct sl_value h, const char *shape, const char *elements) {
    take_and_expect(read(b, h), shape, elements);
}
static void expect_initialized(struct bench *b, struct sl_value h, const char *yes) {
    take_and_expect(RUN(b, "VarIsInitializedOp", "", share(h)), "[]", yes);
}
static struct sl_variable *variable_of(struct sl_value v) { return (struct sl_variable *)v.object; }

static void equal_names_are_one_variable(void **state) {
    struct bench *b = *state;
    struct sl_value h = handle(b), same = handle(b), other = make(b, "VarHandleOp", DTYPE SHAPE_2 NAMED("w"));
    struct sl_value elsewhere =
        make(b, "VarHandleOp", DTYPE SHAPE_2 NAMED("v") "attr { key: 'container' value { s: 'c' } }");
    assert_ptr_equal(h.object, same.object);
    assert_ptr_not_equal(h.object, other.object);
    assert_ptr_not_equal(h.object, elsewhere.object);
    struct sl_value r = reference(b), again = make(b, "Variable", DTYPE SHAPE_2 NAMED("v"));
    assert_int_equal(r.kind, SL_VALUE_REF);
    assert_ptr_equal(r.object, again.object);
    assert_ptr_not_equal(r.object, h.object);
    assert_fails(b->err, SL_INTERNAL,
                 "Output 0 of type float_ref does not match declared output type int32_ref for node n",
                 run_once(b, NULL, "VariableV2", INT SHAPE_2 NAMED("v"), NULL, 0));
    struct sl_value all[] = {h, same, other, elsewhere, r, again};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) sl_value_clear(&all[i]);
}

static void several_variables_come_and_are_read_at_once(void **state) {
    struct bench *b = *state;
    struct sl_value both[2], values[2];
#define DTYPES "attr { key: 'dtypes' value { list { type: DT_FLOAT type: DT_FLOAT } } } "
    const char *two =
        "attr { key: 'N' value { i: 2 } } attr { key: 'containers' value { list { s: '' s: 'c' } } } " DTYPES
        "attr { key: 'shapes' value { list { shape {} shape {} } } } ";
    char attrs[1024];
    snprintf(attrs, sizeof attrs, "%s attr { key: 'shared_names' value { list { s: 'p' s: 'q' } } }", two);
    assert_ok(b->err, run_once(b, both, "_VarHandlesOp", attrs, NULL, 0));
    struct sl_value p = make(b, "VarHandleOp", DTYPE SHAPE_2 NAMED("p"));
    assert_ptr_equal(both[0].object, p.object);
    assign(b, p, f32(3));
    const char *reads = "attr { key: 'N' value { i: 2 } } " DTYPES;
    REFUSED(b, SL_FAILED_PRECONDITION, "Could not find variable q.", "_ReadVariablesOp", reads, share(both[0]),
            share(both[1]));
    assign(b, both[1], f32(4));
    assert_ok(b->err, run_once(b, values, "_ReadVariablesOp", reads, INPUTS(share(both[0]), share(both[1]))));
    take_and_expect(values[0], "[]", "3");
    take_and_expect(values[1], "[]", "4");
    sl_value_clear(&p);
    sl_value_clear(&both[0]);
    sl_value_clear(&both[1]);
}

static void anonymous_variables_are_their_handles_alone(void **state) {
    struct bench *b = *state;
    const char *attrs = DTYPE SHAPE_2 NAMED("cd2c89b7-88b7-44c8-ad83-06c2a9158347");
    struct sl_value h = make(b, "VarHandleOp", attrs), other = make(b, "VarHandleOp", attrs);
    assert_ptr_not_equal(h.object, other.object);
    assign(b, h, f32(1));
    expect_initialized(b, other, "0");
    sl_value_clear(&h);
    sl_value_clear(&other);
}

static void a_resource_is_there_once_it_has_a_value(void **state) {
    struct bench *b = *state;
    struct sl_value h = make(b, "VarHandleOp", DTYPE SHAPE_2 NAMED("late"));
    const char *missing = "Resource localhost/late/N10tensorflow3VarE does not exist.";
    expect_initialized(b, h, "0");
    REFUSED(b, SL_FAILED_PRECONDITION, "Could not find variable late.", "ReadVariableOp", DTYPE, share(h));
    REFUSED(b, SL_NOT_FOUND, missing, "VariableShape", "", share(h));
    REFUSED(b, SL_NOT_FOUND, "Resource localhost/late/<unknown> does not exist.", "DestroyResourceOp", STRICT,
            share(h));
    assert_ok(b->err, run_once(b, NULL, "DestroyResourceOp", "", INPUTS(share(h))));
    assign(b, h, VEC_F32(1, 2));
    expect_initialized(b, h, "1");
    expect(b, h, "[2]", "1 2");
    take_and_expect(RUN(b, "VariableShape", "", share(h)), "[1]", "2");
    assert_ok(b->err, run_once(b, NULL, "DestroyResourceOp", STRICT, INPUTS(share(h))));
    expect_initialized(b, h, "0");
    assert_ok(b->err, run_once(b, NULL, "AssignVariableOp", INT, INPUTS(share(h), i32(7)))); /* another type by now */
    take_and_expect(RUN(b, "ReadVariableOp", INT, share(h)), "[]", "7");
    sl_value_clear(&h);
}

static void assignment_checks_type_and_on_demand_shape(void **state) {
    struct bench *b = *state;
    struct sl_value h = handle(b);
    assign(b, h, VEC_F32(1, 2));
    REFUSED(b, SL_INVALID_ARGUMENT, "Trying to assign variable with wrong dtype. Expected float got int32",
            "AssignVariableOp", INT, share(h), i32(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "Trying to read variable with wrong dtype. Expected int32 got float",
            "ReadVariableOp", INT, share(h));
    assign(b, h, VEC_F32(1, 2, 3));
    REFUSED(b, SL_INVALID_ARGUMENT, "Trying to assign to variable with tensor with wrong shape. Expected [3] got [2]",
            "AssignVariableOp", DTYPE "attr { key: 'validate_shape' value { b: true } }", share(h), VEC_F32(1, 2));
    expect(b, h, "[3]", "1 2 3");
    sl_value_clear(&h);
}

static void references_keep_their_declared_shape(void **state) {
    struct bench *b = *state;
    struct sl_value r = make(b, "VariableV2", DTYPE SHAPE_2 NAMED("shaped")), v = {0};
    const char *loose = T "attr { key: 'validate_shape' value { b: false } }";
    take_and_expect(RUN(b, "IsVariableInitialized", DTYPE, share(r)), "[]", "0");
    assert_fails(b->err, SL_FAILED_PRECONDITION, "Attempting to use uninitialized value shaped",
                 sl_variable_read(&v, variable_of(r), &b->err));
    REFUSED(b, SL_INVALID_ARGUMENT, "Assign requires shapes of both tensors to match. lhs shape= [2] rhs shape= [3]",
            "Assign", T, share(r), VEC_F32(1, 2, 3));
    struct sl_value out = RUN(b, "Assign", T, share(r), VEC_F32(1, 2));
    assert_int_equal(out.kind, SL_VALUE_REF);
    assert_ptr_equal(out.object, r.object);
    sl_value_clear(&out);
    take_and_expect(RUN(b, "IsVariableInitialized", DTYPE, share(r)), "[]", "1");
    REFUSED(b, SL_INVALID_ARGUMENT, "lhs shape= [2] rhs shape= []", "Assign", T, share(r), f32(1));
    out = RUN(b, "Assign", loose, share(r), f32(5));
    sl_value_clear(&out);
    assert_ok(b->err, sl_variable_read(&v, variable_of(r), &b->err));
    take_and_expect(v, "[]", "5");
    sl_value_clear(&r);
}

static void readers_share_until_a_scatter_came(void **state) {
    struct bench *b = *state;
    struct sl_value h = handle(b), value = VEC_F32(1, 2), got;
    assign(b, h, share(value));
    got = read(b, h);
    assert_ptr_equal(got.tensor, value.tensor);
    sl_value_clear(&got);
    variable_of(h)->copy_on_read = true;
    got = read(b, h);
    assert_ptr_not_equal(got.tensor, value.tensor);
    take_and_expect(got, "[2]", "1 2");
    assert_ok(b->err, run_once(b, NULL, "DisableCopyOnRead", "", INPUTS(share(h))));
    got = read(b, h);
    assert_ptr_equal(got.tensor, value.tensor);
    sl_value_clear(&got);
    sl_value_clear(&value);
    sl_value_clear(&h);
}

static void edits_leave_what_others_read(void **state) {
    struct bench *b = *state;
    struct sl_value h = handle(b);
    struct sl_variable *v = variable_of(h);
    struct sl_view elements;
    assign(b, h, VEC_F32(1, 2));
    const void *first = v->value.tensor->data;
    assert_ok(b->err, sl_variable_edit(&elements, v, &b->err));
    assert_ptr_equal(elements.data, first); /* nobody else: in place */
    struct sl_value got = read(b, h);
    assert_ok(b->err, sl_variable_edit(&elements, v, &b->err));
    assert_ptr_not_equal(elements.data, first);
    ((float *)elements.data)[0] = 9;
    take_and_expect(got, "[2]", "1 2");
    expect(b, h, "[2]", "9 2");
    sl_value_clear(&h);
}

static void counting_stops_at_the_limit(void **state) {
    struct bench *b = *state;
    struct sl_value h = make(b, "VarHandleOp", INT SCALAR NAMED("count"));
    struct sl_value r = make(b, "VariableV2", INT SCALAR NAMED("count"));
    REFUSED(b, SL_FAILED_PRECONDITION, "Attempting to use uninitialized value count", "CountUpTo", T_INT LIMIT_2,
            share(r));
    assert_ok(b->err, run_once(b, NULL, "AssignVariableOp", INT, INPUTS(share(h), i32(0))));
    sl_variable_write(variable_of(r), i32(1));
    take_and_expect(RUN(b, "ResourceCountUpTo", T_INT LIMIT_2, share(h)), "[]", "0");
    take_and_expect(RUN(b, "ResourceCountUpTo", T_INT LIMIT_2, share(h)), "[]", "1");
    REFUSED(b, SL_OUT_OF_RANGE, "Reached limit of 2", "ResourceCountUpTo", T_INT LIMIT_2, share(h));
    take_and_expect(RUN(b, "CountUpTo", T_INT LIMIT_2, share(r)), "[]", "1");
    REFUSED(b, SL_OUT_OF_RANGE, "Reached limit of 2", "CountUpTo", T_INT LIMIT_2, share(r));
    sl_variable_write(variable_of(r), VEC_I32(1, 1));
    REFUSED(b, SL_INVALID_ARGUMENT, "input is not a scalar: [2]", "CountUpTo", T_INT LIMIT_2, share(r));
    sl_value_clear(&h);
    sl_value_clear(&r);
}

static void temporary_variables_end_with_their_value(void **state) {
    struct bench *b = *state;
    const char *attrs = DTYPE SHAPE_2 "attr { key: 'var_name' value { s: 't' } }";
    const char *name = T "attr { key: 'var_name' value { s: 't' } }";
    struct sl_value r = make(b, "TemporaryVariable", attrs);
    assert_fails(b->err, SL_ALREADY_EXISTS, "Resource __per_step/t/",
                 run_once(b, NULL, "TemporaryVariable", attrs, NULL, 0));
    REFUSED(b, SL_NOT_FOUND, "Resource __per_step/u/", "DestroyTemporaryVariable",
            T "attr { key: 'var_name' value { s: 'u' } }", share(r));
    struct sl_value out = RUN(b, "Assign", T, share(r), VEC_F32(3, 4));
    sl_value_clear(&r);
    take_and_expect(RUN(b, "DestroyTemporaryVariable", name, out), "[2]", "3 4");
    r = make(b, "TemporaryVariable", attrs); /* the name is free again */
    take_and_expect(RUN(b, "DestroyTemporaryVariable", name, r), "[2]", "0 0");
}

/* A leak checker sees it when such a variable outlives its session. */
static void a_variable_may_hold_its_own_handle(void **state) {
    struct bench *b = *state;
    const char *dtype = "attr { key: 'dtype' value { type: DT_RESOURCE } }";
    struct sl_value h =
        make(b, "VarHandleOp", "attr { key: 'dtype' value { type: DT_RESOURCE } }" SCALAR NAMED("self"));
    assert_ok(b->err, run_once(b, NULL, "AssignVariableOp", dtype, INPUTS(share(h), share(h))));
    struct sl_value got = RUN(b, "ReadVariableOp", dtype, share(h));
    assert_ptr_equal(got.object, h.object);
    sl_value_clear(&got);
    sl_resources_clear(b->env.session_resources, (struct sl_str){NULL, 0});
    assert_int_equal(variable_of(h)->value.kind, SL_VALUE_NONE);
    sl_value_clear(&h);
}

static void handles_of_something_else_are_refused(void **state) {
    struct bench *b = *state;
    struct sl_value m = make(b, "MutexV2", NAMED("m")), h = handle(b);
    const char *wrong = "Trying to access a handle's resource using the wrong type.";
    expect_initialized(b, m, "0");
    REFUSED(b, SL_FAILED_PRECONDITION, "Could not find variable", "ReadVariableOp", DTYPE, share(m));
    REFUSED(b, SL_INVALID_ARGUMENT, wrong, "AssignVariableOp", DTYPE, share(m), f32(1));
    REFUSED(b, SL_INVALID_ARGUMENT, wrong, "MutexLock", "", share(h));
    REFUSED(b, SL_INVALID_ARGUMENT, "Expected input to contain", "ConsumeMutexLock", "",
            (struct sl_value){.kind = SL_VALUE_OBJECT, .dtype = SL_VARIANT});
    assert_ok(b->err, run_once(b, NULL, "DestroyResourceOp", STRICT, INPUTS(share(m))));
    REFUSED(b, SL_NOT_FOUND, "does not exist", "DestroyResourceOp", STRICT, share(m));
    sl_value_clear(&m);
    sl_value_clear(&h);
}

/* ---- mutexes */

/* A MutexLock with an error of its own, begun. */
struct locking {
    struct node node;
    struct bench bench;
};
static void begin_lock(struct locking *l, struct bench *b, struct sl_value m) {
    l->bench = *b;
    node_make(&l->node, &l->bench, "MutexLock", "");
    node_in(&l->node, 0, share(m));
    node_start(&l->node);
}
static struct sl_value end_lock(struct locking *l) {
    assert_int_equal(node_wait(&l->node), SL_OK);
    struct sl_value held = node_take(&l->node, 0);
    node_end(&l->node);
    return held;
}
static void consume(struct bench *b, struct sl_value held) {
    assert_ok(b->err, run_once(b, NULL, "ConsumeMutexLock", "", INPUTS(held)));
}

static void a_mutex_goes_from_hand_to_hand_in_order(void **state) {
    struct bench *b = *state;
    struct sl_value m = make(b, "MutexV2", NAMED("in order"));
    struct locking first, second, third;
    begin_lock(&first, b, m);
    begin_lock(&second, b, m);
    begin_lock(&third, b, m);
    struct sl_value held = end_lock(&first);
    assert_false(second.node.is_done || third.node.is_done);
    consume(b, held);
    held = end_lock(&second);
    assert_false(third.node.is_done);
    struct sl_value copy = share(held);
    consume(b, held); /* somebody else still has it */
    assert_false(third.node.is_done);
    sl_value_clear(&copy);
    consume(b, end_lock(&third));
    begin_lock(&first, b, m); /* it is free now */
    assert_true(first.node.is_done);
    held = end_lock(&first);
    sl_value_clear(&held);
    sl_value_clear(&m);
}

static void waiting_for_a_mutex_can_be_cancelled(void **state) {
    struct bench *b = *state;
    struct sl_value m = make(b, "MutexV2", NAMED("cancelled"));
    struct locking first, second, third;
    struct bench other = *b;
    assert_ok(b->err, sl_cancellation_new(&other.env.cancellation, NULL, &b->err));
    begin_lock(&first, b, m);
    begin_lock(&second, &other, m);
    begin_lock(&third, b, m);
    sl_cancellation_start(other.env.cancellation, SL_CANCELLED, "enough");
    assert_int_equal(node_wait(&second.node), SL_CANCELLED);
    node_end(&second.node);
    begin_lock(&second, &other, m); /* after the fact: at once */
    assert_int_equal(node_wait(&second.node), SL_CANCELLED);
    node_end(&second.node);
    consume(b, end_lock(&first));
    consume(b, end_lock(&third));
    sl_cancellation_free(other.env.cancellation);
    sl_value_clear(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_names_are_one_variable),
        cmocka_unit_test(several_variables_come_and_are_read_at_once),
        cmocka_unit_test(anonymous_variables_are_their_handles_alone),
        cmocka_unit_test(a_resource_is_there_once_it_has_a_value),
        cmocka_unit_test(assignment_checks_type_and_on_demand_shape),
        cmocka_unit_test(references_keep_their_declared_shape),
        cmocka_unit_test(readers_share_until_a_scatter_came),
        cmocka_unit_test(edits_leave_what_others_read),
        cmocka_unit_test(counting_stops_at_the_limit),
        cmocka_unit_test(temporary_variables_end_with_their_value),
        cmocka_unit_test(a_variable_may_hold_its_own_handle),
        cmocka_unit_test(handles_of_something_else_are_refused),
        cmocka_unit_test(a_mutex_goes_from_hand_to_hand_in_order),
        cmocka_unit_test(waiting_for_a_mutex_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, bench_setup, bench_teardown);
}
