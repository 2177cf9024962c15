/* sluice/eager.h: scopes whose ops run at once, and functions captured by them. */
#include "sluice/eager.h"
#include "sluice/flow.h"
#include "sluice/layers.h"
#include "sluice/ops.h"
#include "sluice/tensors.h"
#include "sluice/train.h"
#include "sluice/training.h"
#include "unit/capi/capi_fixture.h"

static int begin(void **state) {
    TF_Status *status = TF_NewStatus();
    *state = sl_eager_scope_new(NULL, status);
    assert_status_ok(status);
    TF_DeleteStatus(status);
    return 0;
}

static int end(void **state) {
    sl_scope_delete(*state);
    return 0;
}
#define EAGER(f) cmocka_unit_test_setup_teardown(f, begin, end)

#define assert_scope_ok(s)                                                                                             \
    do {                                                                                                               \
        if (!sl_scope_ok(s)) fail_msg("%d: %s", (int)sl_scope_code(s), sl_scope_message(s));                           \
    } while (0)
#define assert_scope(s, wanted, text)                                                                                  \
    do {                                                                                                               \
        if (sl_scope_code(s) != (wanted) || !strstr(sl_scope_message(s), text))                                        \
            fail_msg("got %d: %s", (int)sl_scope_code(s), sl_scope_message(s));                                        \
    } while (0)

static TF_Output floats(struct sl_scope *s, int n, const float *v) {
    return sl_constant_of(s, TF_FLOAT, SL_SHAPE(n), v);
}
#define COUNT(...)  (int)(sizeof((float[]){__VA_ARGS__}) / sizeof(float))
#define FLOATS(...) floats(s, COUNT(__VA_ARGS__), (const float[]){__VA_ARGS__})
#define NUMBER(v)   sl_scalar(s, TF_FLOAT, v)

static void assert_floats(struct sl_scope *s, TF_Output value, int n, const float *wanted) {
    float got[16];
    sl_eager_read(s, got, value, TF_FLOAT, n);
    assert_scope_ok(s);
    for (int i = 0; i < n; i++)
        if (!(got[i] - wanted[i] < 1e-4f && wanted[i] - got[i] < 1e-4f))
            fail_msg("element %d: %g, not %g", i, (double)got[i], (double)wanted[i]);
}
#define ASSERT_FLOATS(value, ...) assert_floats(s, value, COUNT(__VA_ARGS__), (const float[]){__VA_ARGS__})

static void ops_run_at_once(void **state) {
    struct sl_scope *s = *state;
    TF_Output x = FLOATS(1, 2, 3), y = sl_mul(s, x, NUMBER(2));
    ASSERT_FLOATS(y, 2, 4, 6);
    assert_int_equal(sl_type_of(s, y), TF_FLOAT);
    assert_int_equal(sl_rank_of(s, y), 1);
    assert_int_equal(sl_size_of(s, y, -1), 3);
    struct sl_unique_outputs unique = sl_unique(s, FLOATS(5, 5, 7));
    ASSERT_FLOATS(unique.y, 5, 7);
    assert_true(sl_number_of(s, sl_size(s, unique.idx)) == 3);
    TF_Output parts[20];
    TF_Operation *split = sl_split(s, sl_scalar(s, TF_INT32, 0), sl_fill(s, sl_int_vector(s, SL_INTS(20)), NUMBER(3)),
                                   (struct sl_split_attrs){.num_split = 20});
    for (int i = 0; i < 20; i++) parts[i] = (TF_Output){split, i};
    ASSERT_FLOATS(sl_add_n(s, parts, 20), 60);
    TF_Output product = sl_matmul_with(s, sl_constant_of(s, TF_FLOAT, SL_SHAPE(1, 2), (const float[]){1, 2}),
                                       sl_constant_of(s, TF_FLOAT, SL_SHAPE(1, 2), (const float[]){3, 4}),
                                       (struct sl_matmul_attrs){.transpose_b = true});
    ASSERT_FLOATS(product, 11);
}

static void the_first_error_sticks(void **state) {
    struct sl_scope *s = *state;
    TF_Output y = sl_mul(s, FLOATS(1, 2), FLOATS(1, 2, 3));
    assert_null(y.oper);
    assert_scope(s, TF_INVALID_ARGUMENT, "Mul: Incompatible shapes");
    assert_null(sl_neg(s, y).oper);
    assert_null(FLOATS(1).oper);
    assert_scope(s, TF_INVALID_ARGUMENT, "Mul: Incompatible shapes");
    assert_true(sl_number_of(s, y) == 0);
    sl_eager_begin(s);
    sl_eager_end(s);
    sl_print(s, "", y);
}

static void values_of_a_block_are_freed(void **state) {
    struct sl_scope *s = *state;
    TF_Output kept, twice, freed;
    sl_eager_begin(s);
    freed = FLOATS(1, 2);
    kept = sl_eager_keep(s, sl_mul(s, freed, NUMBER(3)));
    sl_eager_begin(s);
    twice = sl_eager_keep(s, sl_eager_keep(s, sl_neg(s, kept)));
    sl_eager_end(s);
    ASSERT_FLOATS(twice, -3, -6);
    twice = sl_eager_keep(s, twice);
    sl_eager_end(s);
    ASSERT_FLOATS(kept, 3, 6);
    ASSERT_FLOATS(twice, -3, -6);
    assert_scope_ok(s);
    sl_neg(s, freed);
    assert_scope(s, TF_INVALID_ARGUMENT, "Neg: input 0: a value that has been freed");
}

/* A value of a block further out, and a variable, are not brought nearer to an end. */
static void what_is_kept_already_stays(void **state) {
    struct sl_scope *s = *state;
    TF_Output outside = FLOATS(1, 2);
    struct sl_var v = {0};
    sl_eager_begin(s);
    sl_eager_begin(s);
    sl_eager_keep(s, outside);
    v = sl_variable(s, "v", FLOATS(3, 4));
    sl_eager_keep(s, v.value);
    sl_eager_keep(s, v.handle);
    sl_eager_end(s);
    sl_eager_end(s);
    ASSERT_FLOATS(outside, 1, 2);
    ASSERT_FLOATS(v.value, 3, 4);
    sl_variable_assign(s, v, FLOATS(5, 6));
    ASSERT_FLOATS(v.value, 5, 6);
}

static void blocks_have_ends(void **state) {
    struct sl_scope *s = *state;
    sl_eager_begin(s); /* goes with the scope */
    FLOATS(1);
    sl_eager_begin(s);
    sl_eager_end(s);
    sl_eager_end(s);
    assert_scope_ok(s);
    sl_eager_end(s);
    assert_scope(s, TF_FAILED_PRECONDITION, "nothing has begun");
}

static void values_of_others_are_refused(void **state) {
    struct sl_scope *s = *state;
    TF_Graph *graph = TF_NewGraph();
    struct sl_scope *g = sl_scope_new(graph), *other = sl_eager_scope_new(NULL, NULL);
    TF_Output x = sl_scalar(g, TF_FLOAT, 1), y = sl_scalar(other, TF_FLOAT, 1);
    sl_neg(g, y);
    assert_int_equal(sl_scope_code(g), TF_INVALID_ARGUMENT);
    sl_neg(other, x);
    assert_scope(other, TF_INVALID_ARGUMENT, "a value of a graph, or of another scope");
    sl_neg(s, (TF_Output){NULL, 0});
    assert_scope(s, TF_INVALID_ARGUMENT, "Neg: input 0: there is no value");
    sl_scope_delete(g);
    sl_scope_delete(other);
    TF_DeleteGraph(graph);
}

static void an_output_that_is_not_there(void **state) {
    struct sl_scope *s = *state;
    TF_Output x = FLOATS(1, 2);
    x.index = 1;
    sl_neg(s, x);
    assert_scope(s, TF_INVALID_ARGUMENT, "there is no output 1");
}

static void handles_go_in_and_out(void **state) {
    struct sl_scope *s = *state;
    TF_Status *status = TF_NewStatus();
    TF_Output x = FLOATS(1, 2);
    TFE_TensorHandle *h = sl_handle_of(s, x);
    assert_non_null(sl_scope_context(s));
    assert_int_equal(TFE_TensorHandleNumDims(h, status), 1);
    ASSERT_FLOATS(sl_neg(s, sl_value_of_handle(s, h)), -1, -2);
    assert_null(sl_value_of_handle(s, NULL).oper);
    assert_scope(s, TF_INVALID_ARGUMENT, "there is no handle");
    TF_DeleteStatus(status);
}

static void what_needs_a_graph_says_so(void **state) {
    struct sl_scope *s = *state;
    TF_Status *status = TF_NewStatus();
    assert_null(sl_placeholder(s, "x", TF_FLOAT, SL_SCALAR).oper);
    assert_scope(s, TF_FAILED_PRECONDITION, "sl_placeholder needs the scope of a graph");
    const struct sl_training_options options = SL_OPTIONS(sl_training_options, .last_step = 1);
    assert_null(sl_training_new(s, &options, status));
    assert_status(status, TF_FAILED_PRECONDITION, "needs the scope of a graph");
    TF_Graph *graph = TF_NewGraph();
    struct sl_scope *g = sl_scope_new(graph);
    assert_null(sl_scope_context(g));
    sl_record(g);
    sl_eager_begin(g);
    sl_eager_end(g);
    assert_scope_ok(g);
    assert_null(sl_capture(g, "f", NULL, 0, NULL, 0, NULL));
    assert_scope(g, TF_FAILED_PRECONDITION, "sl_capture needs a scope that runs ops at once");
    sl_scope_delete(g);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
}

/* ---- variables, gradients, training */

static void a_variable_is_found_again(void **state) {
    struct sl_scope *s = *state;
    sl_push_name(s, "net");
    struct sl_var v = sl_variable(s, "w", FLOATS(1, 2));
    sl_pop(s);
    sl_variable_add(s, v, FLOATS(10, 10));
    sl_push_name(s, "net");
    struct sl_var again = sl_variable(s, "w", FLOATS(0, 0)), other = sl_variable(s, "b", FLOATS(7));
    sl_pop(s);
    ASSERT_FLOATS(again.value, 11, 12);
    ASSERT_FLOATS(v.value, 11, 12); /* what it holds now */
    ASSERT_FLOATS(other.value, 7);
    int n;
    sl_variables_trainable(s, &n);
    assert_int_equal(n, 2);
    assert_string_equal(TF_OperationName(v.handle.oper), "net/w");
}

/* An initial value is computed once, and only for a variable that is not there. */
static void initial_values_wait(void **state) {
    struct sl_scope *s = *state;
    sl_seed(s, 5);
    TF_Output drawn = sl_initial_glorot(s, TF_FLOAT, SL_SHAPE(3, 4));
    assert_int_equal(sl_rank_of(s, drawn), 2);
    assert_int_equal(sl_size_of(s, drawn, 1), 4);
    struct sl_var v = sl_variable(s, "w", drawn);
    double sum = sl_number_of(s, sl_sum(s, v.value, sl_int_vector(s, SL_INTS(0, 1))));
    for (int i = 0; i < 3; i++) v = sl_variable(s, "w", sl_initial_glorot(s, TF_FLOAT, SL_SHAPE(3, 4)));
    assert_true(sl_number_of(s, sl_sum(s, v.value, sl_int_vector(s, SL_INTS(0, 1)))) == sum);
    assert_scope_ok(s);
    sl_initial_zeros(s, TF_FLOAT, SL_SHAPE(-1));
    assert_scope_ok(s); /* nobody has asked for it */
    sl_neg(s, sl_initial_zeros(s, TF_FLOAT, SL_SHAPE(-1)));
    assert_scope(s, TF_INVALID_ARGUMENT, "An initial value needs a shape that is known");
}

static void gradients_of_what_was_recorded(void **state) {
    struct sl_scope *s = *state;
    TF_Output x = FLOATS(1, 2, 3), dx;
    sl_record(s);
    sl_watch(s, x);
    TF_Output y = sl_mul(s, sl_square(s, x), x);
    sl_gradients(s, &dx, &y, 1, &x, 1);
    ASSERT_FLOATS(dx, 3, 12, 27);
    sl_gradients(s, &dx, &y, 1, &x, 1);
    assert_scope(s, TF_FAILED_PRECONDITION, "nothing is recorded, or its gradients have been taken");
}

static void variables_are_watched(void **state) {
    struct sl_scope *s = *state;
    struct sl_slices gradients[2];
    sl_variable(s, "before", FLOATS(2, 3));
    sl_record(s);
    struct sl_var before = sl_variable(s, "before", FLOATS(0, 0)), later = sl_variable(s, "later", FLOATS(5, 7));
    sl_variable_untrained(s, "fixed", FLOATS(1, 1));
    TF_Output y = sl_mul(s, sl_square(s, before.value), sl_read(s, later));
    sl_compute_gradients(s, y, NULL, 0, gradients);
    ASSERT_FLOATS(gradients[0].values, 2 * 2 * 5, 2 * 3 * 7);
    ASSERT_FLOATS(gradients[1].values, 4, 9);
}

static void gathers_train_rows(void **state) {
    struct sl_scope *s = *state;
    const struct sl_optimizer sgd = SL_OPTIONS(sl_optimizer, .kind = SL_SGD, .rate = 1);
    struct sl_var v = sl_variable(s, "table", FLOATS(1, 2, 3));
    TF_Output dx;
    const int32_t ids[] = {2, 2};
    for (int i = 0; i < 2; i++) {
        sl_record(s);
        TF_Output rows = sl_resource_gather(s, v.handle, sl_constant_of(s, TF_INT32, SL_SHAPE(2), ids),
                                            (struct sl_resource_gather_attrs){.dtype = TF_FLOAT});
        if (i) sl_minimize(s, &sgd, rows, NULL);
        else sl_gradients(s, &dx, &rows, 1, &v.handle, 1);
    }
    ASSERT_FLOATS(dx, 0, 0, 2);
    ASSERT_FLOATS(v.value, 1, 2, 1);
}

/* The least of (w - 3)^2, for every kind of optimiser, by the same code in a graph, op by op, and captured. */
static void descend(struct sl_scope *s, TF_Output *outputs, const TF_Output *inputs, void *arg) {
    const struct sl_optimizer *o = arg;
    (void)inputs;
    sl_record(s);
    struct sl_var w = sl_variable(s, "w", sl_initial_ones(s, TF_FLOAT, SL_SHAPE(2))), step = sl_step_counter(s);
    TF_Output loss = sl_square(s, sl_sub(s, sl_read(s, w), sl_scalar(s, TF_FLOAT, 3)));
    TF_Operation *train = sl_minimize(s, o, loss, &step);
    sl_push_control(s, &train, 1);
    outputs[0] = sl_read(s, w);
    sl_pop(s);
}

static void run_graph(float *w, const struct sl_optimizer *o, int steps) {
    TF_Graph *graph = TF_NewGraph();
    TF_Status *status = TF_NewStatus();
    struct sl_scope *s = sl_scope_new(graph);
    TF_Output out;
    descend(s, &out, NULL, (void *)o);
    const TF_Operation *init = sl_variables_init(s);
    assert_scope_ok(s);
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_NewSession(graph, options, status);
    TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, &init, 1, NULL, status);
    for (int i = 0; i < steps; i++) {
        TF_Tensor *got = NULL;
        TF_SessionRun(session, NULL, NULL, NULL, 0, &out, &got, 1, NULL, 0, NULL, status);
        assert_status_ok(status);
        sl_tensor_read(w, got, TF_FLOAT, 2, status);
        TF_DeleteTensor(got);
    }
    TF_DeleteSession(session, status);
    TF_DeleteSessionOptions(options);
    sl_scope_delete(s);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
}

static void run_eager(float *w, const struct sl_optimizer *o, int steps, bool is_captured) {
    struct sl_scope *s = sl_eager_scope_new(NULL, NULL);
    struct sl_captured *f = is_captured ? sl_capture(s, "descend", NULL, 0, descend, 1, (void *)o) : NULL;
    for (int i = 0; i < steps; i++) {
        TF_Output out;
        sl_eager_begin(s);
        if (f) sl_call(s, &out, f, NULL);
        else descend(s, &out, NULL, (void *)o);
        sl_eager_read(s, w, out, TF_FLOAT, 2);
        sl_eager_end(s);
        assert_scope_ok(s);
    }
    assert_true(sl_number_of(s, sl_step_counter(s).value) == steps);
    sl_captured_delete(f);
    sl_scope_delete(s);
}

static void all_ways_train_the_same(void **state) {
    enum { STEPS = 7 };
    (void)state;
    for (int kind = SL_SGD; kind <= SL_LION; kind++) {
        const struct sl_optimizer o =
            SL_OPTIONS(sl_optimizer, .kind = (enum sl_optimizer_kind)kind, .rate = .1, .weight_decay = .01);
        float graph[2], eager[2], captured[2];
        run_graph(graph, &o, STEPS);
        run_eager(eager, &o, STEPS, false);
        run_eager(captured, &o, STEPS, true);
        for (int i = 0; i < 2; i++) {
            assert_true(graph[i] != 1);
            if (eager[i] != graph[i] || captured[i] != graph[i])
                fail_msg("kind %d: %.8g in a graph, %.8g op by op, %.8g captured", kind, (double)graph[i],
                         (double)eager[i], (double)captured[i]);
        }
    }
}

static void layers_take_their_variables_again(void **state) {
    struct sl_scope *s = *state;
    int n;
    TF_Output x = sl_reshape(s, FLOATS(1, 2, 3, 4), sl_int_vector(s, SL_INTS(2, 2)));
    for (int i = 0; i < 3; i++) {
        TF_Output h = sl_layer_dense(s, "hidden", x, 5, SL_RELU);
        h = sl_layer_batch_norm_when(s, "norm", h, sl_scalar(s, TF_BOOL, 1), NULL);
        sl_layer_lstm(s, "lstm", sl_reshape(s, h, sl_int_vector(s, SL_INTS(1, 2, 5))), 3, NULL);
    }
    sl_variables_trainable(s, &n);
    assert_scope_ok(s);
    assert_true(n >= 6 && n <= 8);
}

/* ---- flow */

static TF_Output below_100(struct sl_scope *s, const TF_Output *v, void *arg) {
    (void)arg;
    return sl_less(s, v[0], sl_scalar(s, TF_FLOAT, 100));
}
static void double_it(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    next[0] = sl_mul(s, v[0], sl_scalar(s, TF_FLOAT, 2));
    next[1] = sl_add_v2(s, v[1], sl_scalar(s, TF_FLOAT, 1));
}
static void minus_one(struct sl_scope *s, TF_Output *outputs, void *arg) {
    (void)arg;
    outputs[0] = sl_scalar(s, TF_FLOAT, -1);
}
static void plus_one(struct sl_scope *s, TF_Output *outputs, void *arg) {
    (void)arg;
    outputs[0] = sl_scalar(s, TF_FLOAT, 1);
}
static TF_Output square_it(struct sl_scope *s, TF_Output x, void *arg) {
    (void)arg;
    return sl_square(s, x);
}

static void loops_and_conditionals(void **state) {
    struct sl_scope *s = *state;
    TF_Output v[] = {NUMBER(3), NUMBER(0)}, dx, x = v[0], out;
    void (*const branches[])(struct sl_scope *, TF_Output *, void *) = {minus_one, plus_one};
    sl_record(s);
    sl_watch(s, x);
    sl_while(s, v, v, 2, below_100, double_it, NULL, NULL);
    ASSERT_FLOATS(v[0], 192);
    ASSERT_FLOATS(v[1], 6);
    sl_gradients(s, &dx, &v[0], 1, &x, 1);
    ASSERT_FLOATS(dx, 64);
    sl_cond(s, &out, 1, sl_less(s, x, NUMBER(5)), minus_one, plus_one, NULL);
    ASSERT_FLOATS(out, -1);
    sl_cond(s, &out, 1, sl_less(s, x, NUMBER(1)), minus_one, plus_one, NULL);
    ASSERT_FLOATS(out, 1);
    sl_case(s, &out, 1, sl_scalar(s, TF_INT32, 0), branches, 2, NULL);
    ASSERT_FLOATS(out, -1);
    sl_case(s, &out, 1, sl_scalar(s, TF_INT32, -4), branches, 2, NULL);
    ASSERT_FLOATS(out, 1);
    ASSERT_FLOATS(sl_map(s, FLOATS(1, 2, 3), TF_FLOAT, square_it, NULL), 1, 4, 9);
}

/* ---- functions */

static void scaled(struct sl_scope *s, TF_Output *outputs, const TF_Output *inputs, void *arg) {
    struct sl_var v = sl_variable(s, "scale", sl_initial_filled(s, TF_FLOAT, SL_SCALAR, 3));
    outputs[0] = sl_add_v2(s, sl_mul(s, inputs[0], v.value), *(TF_Output *)arg);
    outputs[1] = sl_square(s, inputs[0]);
}

static void functions_use_what_is_around(void **state) {
    struct sl_scope *s = *state;
    TF_Output x = FLOATS(1, 2), y[2], dx, offset = FLOATS(10, 20);
    struct sl_captured *f = sl_capture(s, "scaled", &x, 1, scaled, 2, &offset);
    assert_scope_ok(s);
    sl_call(s, y, f, &x);
    ASSERT_FLOATS(y[0], 13, 26);
    ASSERT_FLOATS(y[1], 1, 4);
    struct sl_var v = sl_variable(s, "scale", NUMBER(0));
    sl_variable_assign(s, v, NUMBER(5)); /* a variable is what it is when the function is called */
    sl_record(s);
    sl_watch(s, x);
    sl_call(s, y, f, &x);
    ASSERT_FLOATS(y[0], 15, 30);
    const TF_Output xs[] = {x, v.handle};
    TF_Output dxs[2];
    sl_gradients(s, dxs, y, 2, xs, 2);
    ASSERT_FLOATS(dxs[0], 5 + 2, 5 + 4);
    ASSERT_FLOATS(dxs[1], 3);
    dx = NUMBER(1);
    sl_call(s, y, f, &dx);
    assert_scope_ok(s); /* other shapes are fine where the ops take them */
    TF_Output wrong = sl_scalar(s, TF_INT32, 1);
    sl_call(s, y, f, &wrong);
    assert_scope(s, TF_INVALID_ARGUMENT, "input 0 is of type int32, and was captured as float");
    sl_captured_delete(f);
    sl_captured_delete(NULL);
}

static void wrong_body(struct sl_scope *s, TF_Output *outputs, const TF_Output *inputs, void *arg) {
    (void)arg;
    outputs[0] = sl_matmul(s, inputs[0], inputs[0]);
}
static void no_outputs(struct sl_scope *s, TF_Output *outputs, const TF_Output *inputs, void *arg) {
    (void)s, (void)outputs, (void)inputs, (void)arg;
}

static void a_body_may_fail(void **state) {
    struct sl_scope *s = *state;
    TF_Output x = FLOATS(1, 2);
    assert_null(sl_capture(s, "f", &x, 1, wrong_body, 1, NULL));
    assert_scope(s, TF_INVALID_ARGUMENT, "Shape must be rank 2");
    struct sl_scope *t = sl_eager_scope_new(NULL, NULL);
    x = sl_scalar(t, TF_FLOAT, 1);
    assert_null(sl_capture(t, "f", &x, 1, no_outputs, 1, NULL));
    assert_scope(t, TF_INVALID_ARGUMENT, "The body gave no output 0");
    sl_scope_delete(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        EAGER(ops_run_at_once),
        EAGER(the_first_error_sticks),
        EAGER(values_of_a_block_are_freed),
        EAGER(what_is_kept_already_stays),
        EAGER(blocks_have_ends),
        EAGER(values_of_others_are_refused),
        EAGER(an_output_that_is_not_there),
        EAGER(handles_go_in_and_out),
        EAGER(what_needs_a_graph_says_so),
        EAGER(a_variable_is_found_again),
        EAGER(initial_values_wait),
        EAGER(gradients_of_what_was_recorded),
        EAGER(variables_are_watched),
        EAGER(gathers_train_rows),
        EAGER(all_ways_train_the_same),
        EAGER(layers_take_their_variables_again),
        EAGER(loops_and_conditionals),
        EAGER(functions_use_what_is_around),
        EAGER(a_body_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
