/* Ops that call functions, under tapes: calls, conditionals and loops in both forms. */
#include "graph/graph_emitter.h"
#include "unit/tape/tape_bench.h"

/* ---- functions */
struct body {
    struct bench *b;
    struct sl_graph *graph;
    struct sl_arena arena;
    struct sl_graph_emitter e;
    struct sl_term x[4];
    struct sl_port inputs[4];
    int n;
};

static struct sl_term add_with(struct body *f, const char *op, const struct sl_term *inputs, int n,
                               const struct sl_attr *attrs, int n_attrs) {
    const struct sl_emission what = {sl_str_of(op), inputs, n, attrs, n_attrs};
    struct sl_term out;
    assert_ok(f->b->err, f->e.base.add(&out, &f->e.base, &what, &f->b->err));
    return out;
}
#define ADD(op, ...) add_with(f, op, TERMS(__VA_ARGS__), TERM_COUNT(__VA_ARGS__), NULL, 0)

static struct sl_term number_in(struct body *f, int dtype, double v) {
    struct sl_term out = constant(f->b, dtype, 0, &v), in;
    struct sl_tensor *t;
    assert_ok(f->b->err, sl_value_to_tensor(&t, &sl_term_value(out)->value, &f->b->err));
    assert_ok(f->b->err, f->e.base.literal(&in, &f->e.base, t, &f->b->err));
    sl_tensor_unref(t);
    return in;
}

/* Defines a function of arguments of those types; `build` gives its results. */
static void define(struct bench *b, const char *name, const int *types,
                   int (*build)(struct body *f, struct sl_term *ys)) {
    struct body body = {.b = b}, *f = &body;
    struct sl_function_def *made;
    struct sl_term ys[4];
    struct sl_port outputs[4];
    assert_ok(b->err, sl_graph_new(&f->graph, b->x.env.ops, &b->err));
    sl_arena_init(&f->arena);
    sl_graph_emitter_init(&f->e, f->graph, SL_STR(""), &f->arena);
    for (; types[f->n]; f->n++) {
        const struct sl_attr attrs[] = {{SL_STR("dtype"), SL_ATTR_VALUE(type, types[f->n])}};
        f->x[f->n] = add_with(f, "Placeholder", NULL, 0, attrs, 1);
        f->inputs[f->n] = sl_port_of(f->x[f->n]);
    }
    int n = build(f, ys);
    for (int i = 0; i < n; i++) outputs[i] = sl_port_of(ys[i]);
    const struct sl_to_function spec = {.name = sl_str_of(name),
                                        .inputs = f->inputs,
                                        .n_inputs = f->n,
                                        .outputs = outputs,
                                        .n_outputs = n,
                                        .description = SL_STR("")};
    assert_ok(b->err, sl_graph_to_function(&made, f->graph, &spec, &b->err));
    assert_ok(b->err, sl_graph_add_function(b->x.library, made, &b->err));
    assert_ok(b->err, executing_publish(&b->x, b->x.library, &b->err));
    sl_function_unref(made);
    sl_graph_free(f->graph);
    sl_arena_clear(&f->arena);
}
#define TYPES(...) ((const int[]){__VA_ARGS__, 0})

#define FUNCTION(attr, function)                                                                                       \
    { SL_STR(attr), SL_ATTR_VALUE(func, (&(struct sl_pb_NameAttrList){.name = SL_STR(function)})) }

/* A call of one result of type double. */
static struct sl_term call(struct bench *b, const char *op, const struct sl_attr *functions, int n_functions,
                           const struct sl_term *inputs, int n) {
    int32_t type = SL_DOUBLE;
    struct sl_pb_AttrValue_ListValue list = {.type = {&type, 1}};
    const struct sl_pb_AttrValue types = {.which = SL_PB_AttrValue_list, .list = &list};
    struct sl_attr attrs[3] = {{SL_STR("Tout"), &types}};
    for (int i = 0; i < n_functions; i++) attrs[1 + i] = functions[i];
    return run(b, op, inputs, n, attrs, 1 + n_functions);
}
#define CALL(name, ...)                                                                                                \
    call(b, "PartitionedCall", (const struct sl_attr[]){FUNCTION("f", name)}, 1, TERMS(__VA_ARGS__),                   \
         TERM_COUNT(__VA_ARGS__))

static struct sl_term conditional(struct bench *b, struct sl_term which, struct sl_term x) {
    const struct sl_attr both[] = {FUNCTION("then_branch", "cube"), FUNCTION("else_branch", "sine")};
    return call(b, "If", both, 2, TERMS(which, x), 2);
}

/* ---- bodies */
static int cube(struct body *f, struct sl_term *ys) {
    ys[0] = ADD("Mul", ADD("Square", f->x[0]), f->x[0]);
    return 1;
}

static int sine(struct body *f, struct sl_term *ys) {
    ys[0] = ADD("Sin", f->x[0]);
    return 1;
}

static int guarantee(struct body *f, struct sl_term *ys) {
    ys[0] = ADD("GuaranteeConst", f->x[0]);
    return 1;
}

/* i, v, w: another one up to 3; i + 1, v w, w */
static int up_to_three(struct body *f, struct sl_term *ys) {
    ys[0] = ADD("Less", f->x[0], number_in(f, SL_INT32, 3));
    return 1;
}

static int multiply(struct body *f, struct sl_term *ys) {
    ys[0] = ADD("AddV2", f->x[0], number_in(f, SL_INT32, 1));
    ys[1] = ADD("Mul", f->x[1], f->x[2]);
    ys[2] = f->x[2];
    return 3;
}

/* i + 1, v and v w joined, w */
static int grow(struct body *f, struct sl_term *ys) {
    ys[0] = ADD("AddV2", f->x[0], number_in(f, SL_INT32, 1));
    ys[1] = ADD("ConcatV2", f->x[1], ADD("Mul", f->x[1], f->x[2]), number_in(f, SL_INT32, 0));
    ys[2] = f->x[2];
    return 3;
}

/* x^3 or sin(x), by Switch and Merge. */
static int switched(struct body *f, struct sl_term *ys) {
    struct sl_term sides = ADD("Switch", f->x[1], f->x[0]), otherwise = ADD("Sin", sides);
    ys[0] = ADD("Merge", otherwise, ADD("Mul", ADD("Square", at(sides, 1)), at(sides, 1)));
    return 1;
}

static int called_by_name(struct body *f, struct sl_term *ys) {
    ys[0] = ADD("Mul", f->x[0], f->x[1]);
    return 1;
}

static struct sl_term truth(struct bench *b, bool is_true) { return RUN("Less", NUMBER(0), NUMBER(is_true ? 1 : -1)); }

/* First and second gradient of y = f(x), whose two tapes have listened. */
static void check_gradients(struct bench *b, struct sl_term y, struct sl_term x, double first, double second) {
    struct sl_term dx = gradient(b, 1, y, x);
    ASSERT_VALUES(dx, first);
    ASSERT_VALUES(gradient(b, 0, dx, x), second);
}

/* ---- */
static void calls(void **state) {
    struct bench *b = *state;
    define(b, "cube", TYPES(SL_DOUBLE), cube);
    struct sl_term x = NUMBER(2);
    listen(b, false);
    listen(b, false);
    watch(b, x);
    struct sl_term y = CALL("cube", RUN("Neg", x));
    ASSERT_VALUES(y, -8);
    check_gradients(b, y, x, -12, -12);
}

/* A call that comes again is not differentiated again. */
static void calls_that_come_again(void **state) {
    struct bench *b = *state;
    define(b, "cube", TYPES(SL_DOUBLE), cube);
    size_t n_functions = 0;
    for (int i = 0; i < 300; i++) { /* and some with another shape */
        const double three[3] = {2, 3, i};
        struct sl_term x = i % 5 ? NUMBER(i) : constant(b, SL_DOUBLE, 3, three);
        listen(b, false);
        watch(b, x);
        struct sl_term dx = gradient(b, 0, CALL("cube", x), x);
        if (i % 5) ASSERT_VALUES(dx, 3.0 * i * i);
        else ASSERT_VALUES(dx, 12, 27, 3.0 * i * i);
        sl_recording_free(b->tapes[0]);
        b->tapes[0] = NULL;
        if (i == 1) n_functions = b->x.library->functions.n;
    }
    assert_int_equal(b->x.library->functions.n, n_functions);
}

/* Of many, the last ones are kept. */
static void calls_that_are_forgotten(void **state) {
    struct bench *b = *state;
    define(b, "cube", TYPES(SL_DOUBLE), cube);
    const double values[SL_KEPT_CALLS + 9] = {3};
    for (int i = 1; i < SL_KEPT_CALLS + 9; i++) {
        struct sl_term x = constant(b, SL_DOUBLE, i, values);
        listen(b, false);
        watch(b, x);
        struct sl_term dx = gradient(b, 0, RUN("Sum", CALL("cube", x), INTEGER(0)), x);
        assert_true(((double *)sl_value_view(&sl_term_value(dx)->value).data)[0] == 27);
        sl_recording_free(b->tapes[0]);
        b->tapes[0] = NULL;
    }
}

static void third_gradients_of_calls(void **state) {
    struct bench *b = *state;
    define(b, "cube", TYPES(SL_DOUBLE), cube);
    struct sl_term x = NUMBER(2), y;
    for (int i = 0; i < 3; i++) listen(b, false);
    watch(b, x);
    y = CALL("cube", x);
    for (int i = 3; i-- > 0;) y = gradient(b, i, y, x);
    ASSERT_VALUES(y, 6);
}

static void conditionals(void **state) {
    struct bench *b = *state;
    define(b, "cube", TYPES(SL_DOUBLE), cube);
    define(b, "sine", TYPES(SL_DOUBLE), sine);
    for (int side = 0; side < 2; side++) {
        struct sl_term x = NUMBER(2);
        listen(b, false);
        listen(b, false);
        watch(b, x);
        struct sl_term y = conditional(b, truth(b, side), x);
        if (side) check_gradients(b, y, x, 12, 12);
        else check_gradients(b, y, x, cos(2), -sin(2));
        for (int i = 0; i < 2; i++) sl_recording_free(b->tapes[i]);
        b->tapes[0] = b->tapes[1] = NULL;
        b->e.n_tapes = 0;
    }
}

static void loops(void **state) {
    struct bench *b = *state;
    define(b, "up_to_three", TYPES(SL_INT32, SL_DOUBLE, SL_DOUBLE), up_to_three);
    define(b, "multiply", TYPES(SL_INT32, SL_DOUBLE, SL_DOUBLE), multiply);
    struct sl_term w = NUMBER(2);
    listen(b, false);
    listen(b, false);
    watch(b, w);
    const struct sl_attr attrs[] = {FUNCTION("cond", "up_to_three"), FUNCTION("body", "multiply")};
    struct sl_term y = run(b, "While", TERMS(INTEGER(0), NUMBER(5), w), 3, attrs, 2);
    ASSERT_VALUES(at(y, 1), 40);
    check_gradients(b, at(y, 1), w, 60, 60);
}

/* The loop says that a variable has not the shape that it begins with. */
static void loops_with_shapes_that_change(void **state) {
    struct bench *b = *state;
    define(b, "up_to_three", TYPES(SL_INT32, SL_DOUBLE, SL_DOUBLE), up_to_three);
    define(b, "grow", TYPES(SL_INT32, SL_DOUBLE, SL_DOUBLE), grow);
    struct sl_term w = NUMBER(2);
    listen(b, false);
    listen(b, false);
    watch(b, w);
    struct sl_pb_TensorShapeProto shapes[3] = {{.unknown_rank = true}, {.unknown_rank = true}, {.unknown_rank = true}};
    struct sl_pb_AttrValue_ListValue list = {.shape = {shapes, 3}};
    const struct sl_pb_AttrValue output_shapes = {.which = SL_PB_AttrValue_list, .list = &list};
    const struct sl_attr attrs[] = {FUNCTION("cond", "up_to_three"),
                                    FUNCTION("body", "grow"),
                                    {SL_STR("output_shapes"), &output_shapes}};
    struct sl_term y = run(b, "While", TERMS(INTEGER(0), VECTOR(5), w), 3, attrs, 3);
    y = RUN("Sum", at(y, 1), INTEGER(0)); /* 5 (1 + w)^3 */
    ASSERT_VALUES(y, 135);
    check_gradients(b, y, w, 135, 90);
}

/* What a side that was not taken would have given is nothing, also as a result. */
static void tokens_within_functions(void **state) {
    struct bench *b = *state;
    define(b, "switched", TYPES(SL_BOOL, SL_DOUBLE), switched);
    for (int side = 0; side < 2; side++) {
        struct sl_term x = NUMBER(2);
        listen(b, false);
        listen(b, false);
        watch(b, x);
        struct sl_term y = CALL("switched", truth(b, side), x);
        if (side) check_gradients(b, y, x, 12, 12);
        else check_gradients(b, y, x, cos(2), -sin(2));
        for (int i = 0; i < 2; i++) sl_recording_free(b->tapes[i]);
        b->tapes[0] = b->tapes[1] = NULL;
        b->e.n_tapes = 0;
    }
}

static void ops_that_are_functions(void **state) {
    struct bench *b = *state;
    define(b, "product", TYPES(SL_DOUBLE, SL_DOUBLE), called_by_name);
    struct sl_term x = NUMBER(2);
    listen(b, false);
    watch(b, x);
    struct sl_term y = RUN("product", x, NUMBER(7));
    ASSERT_VALUES(y, 14);
    ASSERT_VALUES(gradient(b, 0, y, x), 7);
}

/* The call runs; who asks for the gradient is told why there is none. */
static void functions_without_a_gradient(void **state) {
    struct bench *b = *state;
    define(b, "guarantee", TYPES(SL_DOUBLE), guarantee);
    struct sl_term x = NUMBER(2), y;
    struct sl_term_gradient dx;
    const struct sl_recording_spec spec = {.ys = &y, .xs = &x, .n_ys = 1, .n_xs = 1};
    listen(b, false);
    watch(b, x);
    y = CALL("guarantee", x);
    ASSERT_VALUES(y, 2);
    assert_fails(b->err, SL_NOT_FOUND, "No gradient defined for op: GuaranteeConst",
                 sl_recording_gradient(&dx, b->tapes[0], &b->e, &spec, &b->err));
}

/* What the first gradient keeps of the call has a gradient, too: the call runs once more for it. */
static void high_gradients_by_one_tape(void **state) {
    static const double want[] = {12, 12, 6, 0};
    struct bench *b = *state;
    define(b, "cube", TYPES(SL_DOUBLE), cube);
    struct sl_term x = NUMBER(2), y;
    struct sl_term_gradient dx;
    const struct sl_recording_spec spec = {.ys = &y, .xs = &x, .n_ys = 1, .n_xs = 1};
    listen(b, true);
    watch(b, x);
    y = CALL("cube", x);
    for (int i = 0; i < 4; i++) {
        assert_ok(b->err, sl_recording_gradient(&dx, b->tapes[0], &b->e, &spec, &b->err)); /* it hears it */
        ASSERT_VALUES(dx.values, want[i]);
        y = dx.values;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(calls),
        TEST(calls_that_come_again),
        TEST(calls_that_are_forgotten),
        TEST(third_gradients_of_calls),
        TEST(conditionals),
        TEST(loops),
        TEST(loops_with_shapes_that_change),
        TEST(tokens_within_functions),
        TEST(ops_that_are_functions),
        TEST(functions_without_a_gradient),
        TEST(high_gradients_by_one_tape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
