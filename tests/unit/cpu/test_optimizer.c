/* Training ops: what two steps make of three elements, in every type and form; rows named twice; any number of
 * threads; two ops that want the same variables in another order. */
#include "unit/cpu/kernel_rows.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>

#include "kernel/variable.h"
#include "ops/op.h"
#include "os/pool.h"
#include "tensor/float16.h"

enum { STATES = 4, ELEMENTS = 3, MOST_IN = 16 };

/* Where all rows start. */
static const double first_states[STATES][ELEMENTS] = {{1, -2, .5}, {.25, .75, 1.5}, {.625, 1.25, .875}, {.5, 1, .125}};
static const double gradient[ELEMENTS] = {.375, -.125, 0};
static const struct {
    const char *name;
    double value;
} numbers[] = {{"lr", .1},           {"alpha", .2},     {"l1", .3},       {"l2", .2},       {"l2_shrinkage", .1},
               {"lr_power", -.5},    {"rho", .9},       {"momentum", .8}, {"epsilon", .01}, {"beta1_power", .9},
               {"beta2_power", .99}, {"beta1", .9},     {"beta2", .99},   {"beta", .9},     {"sign_decay", .7},
               {"logbase", 1.2},     {"global_step", 3}};

/* After two steps with that gradient; by TensorFlow, in double. `number` (or NULL) has another value than above. */
struct rule_row {
    const char *rule, *attrs, *number;
    double value, states[STATES][ELEMENTS];
};
/* clang-format off */
static const struct rule_row rows[] = {
    {"GradientDescent", "", NULL, 0, {{0.85, -1.95, 0.5}}},
    {"ProximalGradientDescent", "", NULL, 0, {{0.669933432, -1.688794379, 0.349112426}}},
    {"ProximalGradientDescent", "", "l1", 0, {{0.7830991124, -1.801960059, 0.4622781065}}},
    {"Momentum", "", NULL, 0, {{0.859, -2.073, 0.284}, {0.835, 0.255, 0.96}}},
    {"Momentum", "use_nesterov b: true", NULL, 0, {{0.8122, -2.0334, 0.3272}, {0.835, 0.255, 0.96}}},
    {"KerasMomentum", "", NULL, 0, {{1.255, -0.885, 2.66}, {0.0925, 0.5025, 0.96}}},
    {"KerasMomentum", "use_nesterov b: true", NULL, 0, {{1.129, -1.083, 2.228}, {0.0925, 0.5025, 0.96}}},
    {"Adagrad", "", NULL, 0, {{0.8885504245, -1.97157215, 0.5}, {0.53125, 0.78125, 1.5}}},
    {"Adagrad", "update_slots b: false", NULL, 0, {{0.85, -1.971132487, 0.5}, {0.25, 0.75, 1.5}}},
    {"AdagradV2", "", NULL, 0, {{0.8901916351, -1.971891781, 0.5}, {0.53125, 0.78125, 1.5}}},
    {"AdagradV2", "update_slots b: false", NULL, 0, {{0.8529411765, -1.971462015, 0.5}, {0.25, 0.75, 1.5}}},
    {"ProximalAdagrad", "", NULL, 0, {{0.7511212522, -1.818588018, 0.4362461338}, {0.53125, 0.78125, 1.5}}},
    {"ProximalAdagrad", "", "l1", 0, {{0.8364511086, -1.884556012, 0.4840615334}, {0.53125, 0.78125, 1.5}}},
    {"AdagradDA", "", NULL, 0, {{-0.009881699864, -0, -0.0602764067}, {1, 0.5, 1.5}, {0.90625, 1.28125, 0.875}}},
    {"AdagradDA", "", "l1", 0, {{-0.09881699864, -0.04194901351, -0.1506910168}, {1, 0.5, 1.5}, {0.90625, 1.28125, 0.875}}},
    {"Adadelta", "", NULL, 0, {{0.8803210303, -1.966138548, 0.5}, {0.22921875, 0.61046875, 1.215}, {0.5742799879, 1.017946235, 0.70875}}},
    {"Ftrl", "", NULL, 0, {{0, -0.09625069343, -0.0454637147}, {0.53125, 0.78125, 1.5}, {0.125, 1.189244253, 0.875}}},
    {"Ftrl", "", "lr_power", -0.6, {{0, -0.1021297915, -0.04371212485}, {0.53125, 0.78125, 1.5}, {0.03157839275, 1.221548808, 0.875}}},
    {"Ftrl", "multiply_linear_by_lr b: true", NULL, 0, {{-0.8119308335, -1.32575889, -0.6681189378}, {0.53125, 0.78125, 1.5}, {0.6542684373, 1.254846732, 0.875}}},
    {"FtrlV2", "", NULL, 0, {{-0.00325152925, -0.05110469441, -0.05252647593}, {0.53125, 0.78125, 1.5}, {0.325, 0.7721478274, 0.9643259105}}},
    {"FtrlV2", "multiply_linear_by_lr b: true", NULL, 0, {{-0.8213722569, -1.253996803, -0.6653353618}, {0.53125, 0.78125, 1.5}, {0.661527655, 1.188546926, 0.8714794866}}},
    {"Adam", "", NULL, 0, {{0.9326268146, -2.11128084, 0.226694398}, {0.27375, 0.58375, 1.215}, {0.6153609375, 1.225435937, 0.8575875}}},
    {"Adam", "use_nesterov b: true", NULL, 0, {{0.9299416888, -2.097920095, 0.2540249582}, {0.27375, 0.58375, 1.215}, {0.6153609375, 1.225435937, 0.8575875}}},
    {"AdamWithAmsgrad", "", NULL, 0, {{0.9327586207, -2.111024499, 0.2273381091}, {0.27375, 0.58375, 1.215}, {0.6153609375, 1.225435937, 0.8575875}, {0.62015625, 1.23765625, 0.86625}}},
    {"AdaMax", "", NULL, 0, {{0.1427900821, -3.003686353, -2.44109132}, {0.27375, 0.58375, 1.215}, {0.6125625, 1.225125, 0.8575875}}},
    {"RMSProp", "", NULL, 0, {{-0.1119252861, -3.75697644, -0.76}, {0.22921875, 0.61046875, 1.215}, {0.5367842643, 0.7720622966, 0.56}}},
    {"CenteredRMSProp", "", NULL, 0, {{0.1313682882, -3.397955913, NAN}, {0.27375, 0.58375, 1.215}, {0.53296875, 1.01546875, 0.70875}, {0.4165109762, 0.6129213452, NAN}}},
    {"AddSign", "", NULL, 0, {{0.9325, -2.0125, 0.5}, {0.27375, 0.58375, 1.215}}},
    {"PowerSign", "", NULL, 0, {{0.8262724767, -1.989207237, 0.5}, {0.27375, 0.58375, 1.215}}},
};

/* The ops of a rule: dense and sparse, by resource and by reference; NULL: there is none. */
static const struct {
    const char *rule, *op[2][2];
} forms[] = {
    {"GradientDescent", {{"ResourceApplyGradientDescent", "ApplyGradientDescent"}, {NULL, NULL}}},
    {"ProximalGradientDescent", {{"ResourceApplyProximalGradientDescent", "ApplyProximalGradientDescent"}, {"ResourceSparseApplyProximalGradientDescent", "SparseApplyProximalGradientDescent"}}},
    {"Momentum", {{"ResourceApplyMomentum", "ApplyMomentum"}, {"ResourceSparseApplyMomentum", "SparseApplyMomentum"}}},
    {"KerasMomentum", {{"ResourceApplyKerasMomentum", NULL}, {"ResourceSparseApplyKerasMomentum", NULL}}},
    {"Adagrad", {{"ResourceApplyAdagrad", "ApplyAdagrad"}, {"ResourceSparseApplyAdagrad", "SparseApplyAdagrad"}}},
    {"AdagradV2", {{"ResourceApplyAdagradV2", "ApplyAdagradV2"}, {"ResourceSparseApplyAdagradV2", "SparseApplyAdagradV2"}}},
    {"ProximalAdagrad", {{"ResourceApplyProximalAdagrad", "ApplyProximalAdagrad"}, {"ResourceSparseApplyProximalAdagrad", "SparseApplyProximalAdagrad"}}},
    {"AdagradDA", {{"ResourceApplyAdagradDA", "ApplyAdagradDA"}, {"ResourceSparseApplyAdagradDA", "SparseApplyAdagradDA"}}},
    {"Adadelta", {{"ResourceApplyAdadelta", "ApplyAdadelta"}, {"ResourceSparseApplyAdadelta", "SparseApplyAdadelta"}}},
    {"Ftrl", {{"ResourceApplyFtrl", "ApplyFtrl"}, {"ResourceSparseApplyFtrl", "SparseApplyFtrl"}}},
    {"FtrlV2", {{"ResourceApplyFtrlV2", "ApplyFtrlV2"}, {"ResourceSparseApplyFtrlV2", "SparseApplyFtrlV2"}}},
    {"Adam", {{"ResourceApplyAdam", "ApplyAdam"}, {NULL, NULL}}},
    {"AdamWithAmsgrad", {{"ResourceApplyAdamWithAmsgrad", NULL}, {NULL, NULL}}},
    {"AdaMax", {{"ResourceApplyAdaMax", "ApplyAdaMax"}, {NULL, NULL}}},
    {"RMSProp", {{"ResourceApplyRMSProp", "ApplyRMSProp"}, {"ResourceSparseApplyRMSProp", "SparseApplyRMSProp"}}},
    {"CenteredRMSProp", {{"ResourceApplyCenteredRMSProp", "ApplyCenteredRMSProp"}, {"ResourceSparseApplyCenteredRMSProp", "SparseApplyCenteredRMSProp"}}},
    {"AddSign", {{"ResourceApplyAddSign", "ApplyAddSign"}, {NULL, NULL}}},
    {"PowerSign", {{"ResourceApplyPowerSign", "ApplyPowerSign"}, {NULL, NULL}}},
};
/* clang-format on */
enum { ROWS = sizeof rows / sizeof *rows };

/* ---- an op on variables of the test */

static struct sl_op_registry *registry;

static int setup(void **state) { return sl_op_registry_new(&registry, NULL) || kernels_setup(state); }
static int teardown(void **state) {
    sl_op_registry_free(registry);
    return kernels_teardown(state);
}

static struct sl_value filled(int dtype, struct sl_shape shape, const double *values, int period) {
    struct sl_value v = {0};
    assert_int_equal(sl_value_new(&v, dtype, shape, NULL), SL_OK);
    struct sl_view view = sl_value_view(&v);
    for (int64_t i = 0; i < view.count; i++) {
        double x = values[i % period];
        switch (dtype) {
        case SL_FLOAT: ((float *)view.data)[i] = (float)x; break;
        case SL_DOUBLE: ((double *)view.data)[i] = x; break;
        case SL_HALF: ((sl_half *)view.data)[i] = sl_half_of_float((float)x); break;
        case SL_BFLOAT16: ((sl_bfloat16 *)view.data)[i] = sl_bfloat16_of_float((float)x); break;
        case SL_COMPLEX64: ((float *)view.data)[2 * i] = (float)x, ((float *)view.data)[2 * i + 1] = 0; break;
        case SL_COMPLEX128: ((double *)view.data)[2 * i] = x, ((double *)view.data)[2 * i + 1] = 0; break;
        default: ((int64_t *)view.data)[i] = (int64_t)x; break;
        }
    }
    return v;
}
static struct sl_value number(int dtype, double x) { return filled(dtype, SL_SHAPE_SCALAR, &x, 1); }

static double real_at(struct sl_view v, int64_t i) {
    switch (v.dtype) {
    case SL_FLOAT: return ((float *)v.data)[i];
    case SL_HALF: return sl_float_of_half(((sl_half *)v.data)[i]);
    case SL_BFLOAT16: return sl_float_of_bfloat16(((sl_bfloat16 *)v.data)[i]);
    case SL_COMPLEX64: return ((float *)v.data)[2 * i];
    case SL_COMPLEX128: return ((double *)v.data)[2 * i];
    default: return ((double *)v.data)[i];
    }
}

struct call {
    const char *op;
    const struct rule_row *row;
    int dtype, n_states;
    bool is_reference, is_sparse;
    struct sl_variable *v[STATES];
    struct sl_value gradient, indices; /* indices: of sparse calls */
    struct sl_pool *pool;
};

static const struct sl_op *find_op(const char *name) {
    const struct sl_op *op;
    return sl_op_find(&op, registry, sl_str_of(name), NULL) == SL_OK ? op : NULL;
}

static const char *op_of(const char *rule, bool is_sparse, bool is_reference) {
    size_t i = 0;
    while (strcmp(forms[i].rule, rule) != 0) i++;
    return forms[i].op[is_sparse][is_reference];
}

static bool is_state(const struct sl_op_arg *arg) { return arg->is_ref || arg->type == SL_RESOURCE; }

/* False when the rule has no such form. The variables start from first_states, repeated. */
static bool call_init(struct call *c, const struct rule_row *row, int dtype, bool is_reference, bool is_sparse,
                      struct sl_shape shape) {
    *c = (struct call){.row = row, .dtype = dtype, .is_reference = is_reference, .is_sparse = is_sparse};
    c->op = op_of(row->rule, is_sparse, is_reference);
    if (!c->op) return false;
    const struct sl_op *op = find_op(c->op);
    assert_non_null(op);
    struct sl_variable_spec spec = {.type = is_reference ? &sl_ref_variable_type : &sl_variable_type, .dtype = dtype};
    for (int i = 0; i < op->n_inputs && is_state(&op->inputs[i]); i++) {
        assert_int_equal(sl_variable_new(&c->v[i], &spec, NULL), SL_OK);
        sl_variable_write(c->v[i], filled(dtype, shape, first_states[i], ELEMENTS));
        c->n_states = i + 1;
    }
    c->gradient = filled(dtype, shape, gradient, ELEMENTS);
    return true;
}

static void call_clear(struct call *c) {
    for (int i = 0; i < c->n_states; i++) sl_object_unref(&c->v[i]->object);
    sl_value_clear(&c->gradient);
    sl_value_clear(&c->indices);
}

static double number_of(const struct rule_row *row, struct sl_str name) {
    if (row->number && sl_str_is(name, row->number)) return row->value;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sl_str_is(name, numbers[i].name)) return numbers[i].value;
    fail_msg("no value for %.*s", SL_STR_ARG(name));
    return 0;
}

static sl_code call_run(struct call *c, struct sl_error *err) {
    const struct sl_op *op = find_op(c->op);
    struct sl_value in[MOST_IN], out;
    char attrs[96];
    for (int i = 0; i < op->n_inputs; i++) {
        struct sl_str name = op->inputs[i].name;
        if (i < c->n_states)
            in[i] = (struct sl_value){.kind = c->is_reference ? SL_VALUE_REF : SL_VALUE_OBJECT,
                                      .dtype = (uint8_t)(c->is_reference ? c->dtype : SL_RESOURCE),
                                      .object = &c->v[i]->object};
        else if (sl_str_is(name, "grad") || sl_str_is(name, "delta")) in[i] = c->gradient;
        else if (sl_str_is(name, "indices")) in[i] = c->indices;
        else in[i] = number(sl_str_is(name, "global_step") ? SL_INT64 : c->dtype, number_of(c->row, name));
    }
    snprintf(attrs, sizeof attrs, "%s", c->row->attrs);
    sl_code code = run_kernel(&out, c->op, attrs, in, op->n_inputs, false, c->pool, err);
    if (code == SL_OK && c->is_reference) assert_ptr_equal(out.object, c->v[0]);
    sl_value_clear(&out); /* the inputs are numbers in their values, or the call's */
    return code;
}

static void run_twice(struct call *c) {
    struct sl_error err;
    for (int step = 0; step < 2; step++) assert_ok(err, call_run(c, &err));
}

static struct sl_view state_of(const struct call *c, int s) { return sl_value_view(&c->v[s]->value); }

static void expect_near(const struct call *c, int s, int64_t i, double got, double wanted) {
    double tolerance = c->dtype == SL_DOUBLE || c->dtype == SL_COMPLEX128 ? 1e-8
                       : c->dtype == SL_HALF                              ? 4e-3
                       : c->dtype == SL_BFLOAT16                          ? 4e-2
                                                                          : 4e-6;
    if (got == wanted || (got != got && wanted != wanted)) return;
    if (wanted != wanted && sl_set_has(SL_SET_COMPLEX, c->dtype)) return; /* the root of a negative number */
    if (!(fabs(got - wanted) <= tolerance * (1 + fabs(wanted))))
        fail_msg("%s of %s %s: state %d, element %d is %.10g, not %.10g", c->op, sl_dtype_name(c->dtype), c->row->attrs,
                 s, (int)i, got, wanted);
}

/* ---- the tests */

static const struct sl_shape three = {1, (const int64_t[]){3}};

static void dense_forms_follow_the_rules(void **state) {
    static const int types[] = {SL_FLOAT, SL_DOUBLE, SL_HALF, SL_BFLOAT16, SL_COMPLEX64, SL_COMPLEX128};
    (void)state;
    int run = 0;
    for (int r = 0; r < ROWS; r++)
        for (size_t t = 0; t < sizeof types / sizeof *types; t++)
            for (int is_reference = 0; is_reference < 2; is_reference++) {
                struct call c;
                struct sl_error err = {0};
                if (!call_init(&c, &rows[r], types[t], is_reference, false, three)) continue;
                bool is_there = call_run(&c, &err) == SL_OK;
                if (!is_there) assert_non_null(strstr(err.message, "No OpKernel"));
                if (is_there) assert_ok(err, call_run(&c, &err));
                for (int s = 0; is_there && s < c.n_states; s++)
                    for (int i = 0; i < ELEMENTS; i++)
                        expect_near(&c, s, i, real_at(state_of(&c, s), i), rows[r].states[s][i]);
                run += is_there;
                call_clear(&c);
            }
    assert_true(run > 200);
}

/* A sparse step is dense ones, one for each index, on rows. */
static void sparse_forms_go_row_by_row(void **state) {
    static const int64_t at[] = {2, 0, 2};
    (void)state;
    int run = 0;
    for (int r = 0; r < ROWS; r++)
        for (int is_reference = 0; is_reference < 2; is_reference++) {
            struct call c, one;
            struct sl_error err;
            const struct sl_shape shape = {2, (const int64_t[]){3, 3}}, row = {2, (const int64_t[]){1, 3}};
            if (!call_init(&c, &rows[r], SL_DOUBLE, is_reference, true, shape)) continue;
            assert_int_equal(sl_value_new(&c.indices, SL_INT64, three, NULL), SL_OK);
            memcpy(c.indices.tensor->data, at, sizeof at);
            assert_ok(err, call_run(&c, &err));
            assert_true(call_init(&one, &rows[r], SL_DOUBLE, false, false, row));
            for (int times = 0; times < 3; times++) { /* none, then row 0, then row 2 */
                for (int s = 0; s < c.n_states; s++)
                    for (int i = 0; i < ELEMENTS; i++)
                        expect_near(&c, s, i,
                                    real_at(state_of(&c, s), (times == 0   ? 3
                                                              : times == 1 ? 0
                                                                           : 6) +
                                                                 i),
                                    real_at(state_of(&one, s), i));
                assert_ok(err, call_run(&one, &err));
            }
            assert_int_equal(c.v[0]->copy_on_read, !is_reference);
            call_clear(&c);
            call_clear(&one);
            run++;
        }
    assert_true(run > 30);
}

/* The same bits alone as among many, and for any number of threads. */
static void bits_do_not_depend_on_the_place(void **state) {
    static const int types[] = {SL_FLOAT, SL_DOUBLE, SL_HALF, SL_BFLOAT16};
    (void)state;
    struct sl_pool *pool;
    assert_int_equal(sl_pool_create(&pool, 4, NULL), SL_OK);
    for (int r = 0; r < ROWS; r++)
        for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
            struct call many, few;
            const struct sl_shape long_shape = {1, (const int64_t[]){200003}};
            struct sl_error err = {0};
            assert_true(call_init(&many, &rows[r], types[t], false, false, long_shape));
            assert_true(call_init(&few, &rows[r], types[t], false, false, three));
            many.pool = pool;
            if (call_run(&many, &err) == SL_OK) {
                assert_ok(err, call_run(&many, &err));
                run_twice(&few);
            }
            size_t bytes = 3 * sl_dtype_size(types[t]);
            for (int s = 0; s < many.n_states; s++)
                for (int64_t i = 0; i + 3 <= long_shape.dims[0]; i += 3)
                    assert_memory_equal((char *)state_of(&many, s).data + (size_t)(i / 3) * bytes,
                                        state_of(&few, s).data, bytes);
            call_clear(&many);
            call_clear(&few);
        }
    sl_pool_unref(pool);
}

static void refuses(struct call *c, sl_code code, const char *message) {
    struct sl_error err;
    assert_fails(err, code, message, call_run(c, &err));
}

static void set_indices(struct call *c, int32_t a, int32_t b) {
    sl_value_clear(&c->indices);
    assert_int_equal(sl_value_new(&c->indices, SL_INT32, (struct sl_shape){1, (const int64_t[]){2}}, NULL), SL_OK);
    memcpy(c->indices.tensor->data, (const int32_t[]){a, b}, sizeof(int32_t[2]));
}

static const struct rule_row *row_of(const char *rule) {
    for (int r = 0; r < ROWS; r++)
        if (strcmp(rows[r].rule, rule) == 0) return &rows[r];
    return NULL;
}

static void says_what_does_not_fit(void **state) {
    (void)state;
    struct call c;
    struct rule_row negative = *row_of("Ftrl");
    const struct sl_shape two = {1, (const int64_t[]){2}}, rows_of_2 = {2, (const int64_t[]){2, 2}};
    for (int is_reference = 0; is_reference < 2; is_reference++) {
        assert_true(call_init(&c, row_of("Momentum"), SL_FLOAT, is_reference, false, three));
        sl_variable_write(c.v[1], filled(SL_FLOAT, two, gradient, 1));
        refuses(&c, SL_INVALID_ARGUMENT, "var and accum do not have the same shape[3] [2]");
        sl_variable_write(c.v[1], (struct sl_value){0});
        refuses(&c, is_reference ? SL_FAILED_PRECONDITION : SL_INTERNAL,
                is_reference ? "Attempting to use uninitialized value" : "Invalid variable reference.");
        sl_variable_write(c.v[1], filled(SL_FLOAT, three, gradient, 3));
        sl_value_clear(&c.gradient);
        c.gradient = filled(SL_FLOAT, two, gradient, 2);
        refuses(&c, SL_INVALID_ARGUMENT, "var and grad do not have the same shape[3] [2]");
        call_clear(&c);
        assert_true(call_init(&c, row_of("Momentum"), SL_FLOAT, is_reference, true, rows_of_2));
        set_indices(&c, 1, 2);
        refuses(&c, SL_INVALID_ARGUMENT, "Index 2 at offset 1 in indices is out of range");
        set_indices(&c, -1, 0);
        refuses(&c, SL_INVALID_ARGUMENT, "Index -1 at offset 0 in indices is out of range");
        sl_value_clear(&c.gradient);
        c.gradient = filled(SL_FLOAT, (struct sl_shape){2, (const int64_t[]){2, 3}}, gradient, 3);
        refuses(&c, SL_INVALID_ARGUMENT, "var and grad must match in dimension 1");
        sl_value_clear(&c.gradient);
        c.gradient = filled(SL_FLOAT, (struct sl_shape){2, (const int64_t[]){3, 2}}, gradient, 3);
        refuses(&c, SL_INVALID_ARGUMENT, "grad must be the same size as indices in the first dimension.");
        sl_variable_write(c.v[0], number(SL_FLOAT, 1));
        sl_variable_write(c.v[1], number(SL_FLOAT, 1));
        refuses(&c, SL_INVALID_ARGUMENT, "var must be at least 1 dimensional");
        call_clear(&c);
    }
    negative.number = "l1";
    negative.value = -1;
    assert_true(call_init(&c, &negative, SL_FLOAT, false, true, rows_of_2));
    set_indices(&c, 0, 1);
    refuses(&c, SL_INVALID_ARGUMENT, "l1 regularization strength is not a non-negative scalar");
    call_clear(&c);
}

/* A gradient for a variable of no elements changes nothing; indices of none neither. */
static void empty_is_fine(void **state) {
    (void)state;
    struct call c;
    struct sl_error err;
    const struct sl_shape empty = {2, (const int64_t[]){0, 3}};
    assert_true(call_init(&c, row_of("Adam"), SL_FLOAT, false, false, empty));
    assert_ok(err, call_run(&c, &err));
    call_clear(&c);
    assert_true(call_init(&c, row_of("Momentum"), SL_FLOAT, false, true, empty));
    assert_int_equal(sl_value_new(&c.indices, SL_INT32, (struct sl_shape){1, (const int64_t[]){0}}, NULL), SL_OK);
    assert_ok(err, call_run(&c, &err));
    call_clear(&c);
}

/* ---- threads */

static void *run_often(void *arg) {
    struct call *c = arg;
    struct sl_error err = {0};
    for (int i = 0; i < 500; i++)
        if (call_run(c, &err) != SL_OK) return c;
    return NULL;
}

/* One trains a by b, the other b by a. */
static void variables_in_any_order_do_not_lock_up(void **state) {
    (void)state;
    struct call one, other;
    pthread_t thread;
    void *failed;
    assert_true(call_init(&one, row_of("Momentum"), SL_FLOAT, false, false, three));
    other = one;
    other.v[0] = one.v[1];
    other.v[1] = one.v[0];
    assert_int_equal(pthread_create(&thread, NULL, run_often, &other), 0);
    assert_null(run_often(&one));
    pthread_join(thread, &failed);
    assert_null(failed);
    one.v[1] = one.v[0]; /* one variable twice */
    struct sl_error err;
    assert_ok(err, call_run(&one, &err));
    one.v[1] = other.v[0];
    call_clear(&one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_forms_follow_the_rules),
        cmocka_unit_test(sparse_forms_go_row_by_row),
        cmocka_unit_test(bits_do_not_depend_on_the_place),
        cmocka_unit_test(says_what_does_not_fit),
        cmocka_unit_test(empty_is_fine),
        cmocka_unit_test(variables_in_any_order_do_not_lock_up),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
