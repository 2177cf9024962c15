/* Pipelines made by hand and walked through: what each kind gives, in order, and what it says of wrong arguments. The
 * functions are C functions of the test. */
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "data/data_walk.h"
#include "data/element.h"
#include "data/kinds.h"
#include "data/seeds.h"
#include "data/state.h"
#include "kernel/cancellation.h"
#include "os/clock.h"
#include "os/pool.h"
#include "os/thread.h"
#include "unit/unit.h"

/* ---- functions: of one int64 and what is captured */

struct sl_function {
    sl_code (*call)(struct sl_value *args, struct sl_value *rets, struct sl_error *err);
};

static struct sl_value i64(int64_t x) {
    return (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_INT64, .i64 = x};
}

static sl_code times_2(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = i64(2 * args[0].i64);
    return SL_OK;
}
static sl_code fail_at_3(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    if (args[0].i64 == 3) return sl_fail(err, SL_DATA_LOSS, "three");
    return times_2(args, rets, err);
}
static sl_code is_odd(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_BOOL, .b = args[0].i64 & 1};
    return SL_OK;
}
static sl_code below_captured(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_BOOL, .b = args[0].i64 < args[1].i64};
    return SL_OK;
}
static sl_code running_sum(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = rets[1] = i64(args[0].i64 + args[1].i64);
    return SL_OK;
}
static struct sl_dataset *new_range(int64_t start, int64_t stop, int64_t step);
static sl_code range_of(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = (struct sl_value){.kind = SL_VALUE_OBJECT,
                                .dtype = SL_VARIANT,
                                .object = &new_range(10 * args[0].i64, 10 * args[0].i64 + args[0].i64, 1)->object};
    return SL_OK;
}

/* ---- functions of which one call serves many elements: arguments are scalars or vectors */

static int n_calls;
static sl_code plus_1(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    const struct sl_view in = sl_value_view(&args[0]);
    n_calls++;
    SL_TRY(sl_value_new(&rets[0], SL_INT64, sl_view_shape(in), err));
    for (int64_t i = 0; i < in.count; i++)
        ((int64_t *)sl_value_view(&rets[0]).data)[i] = ((const int64_t *)in.data)[i] + 1;
    sl_value_clear(&args[0]);
    return SL_OK;
}

/* ---- functions that take so long that they are worth a thread */

static atomic_int begun; /* calls */
static void pause_ms(int64_t ms) {
    struct timespec t = {.tv_nsec = ms * 1000000};
    nanosleep(&t, NULL);
}
static sl_code slowly_times_2(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    atomic_fetch_add(&begun, 1);
    pause_ms(1);
    return fail_at_3(args, rets, err);
}
/* 100 MiB, which nobody touches. */
static sl_code slowly_much(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    const int64_t n = 100 << 17;
    atomic_fetch_add(&begun, 1);
    pause_ms(1);
    (void)args;
    return sl_value_new(&rets[0], SL_INT64, (struct sl_shape){1, &n}, err);
}
/* From element 8 on an odd one waits until the call for the next element has begun. */
static sl_code beside_the_next(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    static atomic_bool has_begun[32];
    const int64_t x = args[0].i64;
    atomic_store(&has_begun[x], true);
    if (x < 8) pause_ms(1);
    for (int i = 0; i < 10000 && x > 8 && x % 2 && !atomic_load(&has_begun[x + 1]); i++) pause_ms(1);
    if (x > 8 && x % 2 && !atomic_load(&has_begun[x + 1])) return sl_fail(err, SL_INTERNAL, "it was called alone");
    return times_2(args, rets, err);
}

static sl_code call(struct sl_function *f, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                    struct sl_error *err) {
    (void)env;
    return f->call(args, rets, err); /* arguments are scalars */
}

static struct sl_functions functions = {.call = call};
static struct sl_step_env env = {.functions = &functions};
static struct sl_error err;

/* ---- making */

static const uint8_t one_int64[] = {SL_INT64}, two_int64[] = {SL_INT64, SL_INT64}, one_bool[] = {SL_BOOL},
                     one_variant[] = {SL_VARIANT};
static const struct sl_shape unknown[] = {{-1, NULL}, {-1, NULL}};

enum { MOST = 8 };
/* What a dataset is made of; the inputs' references are taken over. */
struct plan {
    const struct sl_dataset_kind *kind;
    struct sl_dataset *inputs[MOST];
    int64_t values[MOST];
    int n_values;
    sl_code (*function)(struct sl_value *args, struct sl_value *rets, struct sl_error *err);
    const uint8_t *rets;
    int n_args, n_captured, n_state;
    bool flag, is_rowwise;
};

static sl_code try_make(struct sl_dataset **out, struct plan p) {
    static struct sl_function called[64]; /* functions live as long as the test */
    static size_t n_called;
    static const uint8_t groups[] = {0, 1};
    struct sl_dataset_spec *spec = calloc(1, sizeof *spec);
    struct sl_value values[MOST];
    int n_inputs = 0;
    assert_non_null(spec);
    atomic_init(&spec->refs, 1);
    sl_arena_init(&spec->arena);
    spec->kind = p.kind;
    spec->n = 1;
    spec->types = one_int64;
    spec->shapes = unknown;
    spec->n_state = p.n_state;
    spec->flag = p.flag;
    if (p.function) {
        struct sl_function *f = &called[n_called++ % 64];
        f->call = p.function;
        spec->functions[spec->n_functions++] = (struct sl_dataset_function){.function = f,
                                                                            .arg_types = two_int64,
                                                                            .ret_types = p.rets,
                                                                            .n_args = p.n_args,
                                                                            .n_rets = p.rets == two_int64 ? 2 : 1,
                                                                            .row_groups = p.is_rowwise ? groups : NULL,
                                                                            .captured = p.n_state,
                                                                            .n_captured = p.n_captured};
    }
    for (int i = 0; i < p.n_values; i++) values[i] = i64(p.values[i]);
    while (n_inputs < MOST && p.inputs[n_inputs]) n_inputs++;
    sl_code code = sl_dataset_new(out, spec, p.inputs, n_inputs, values, p.n_values, &err);
    for (int i = 0; i < n_inputs; i++) sl_dataset_unref(p.inputs[i]);
    sl_dataset_spec_unref(spec);
    return code;
}

static struct sl_dataset *make(struct plan p) {
    struct sl_dataset *d = NULL;
    assert_ok(err, try_make(&d, p));
    return d;
}

static struct sl_dataset *new_range(int64_t start, int64_t stop, int64_t step) {
    return make((struct plan){.kind = &sl_range_data, .values = {start, stop, step}, .n_values = 3});
}

#define OF(kind_, input, ...) ((struct plan){.kind = &sl_##kind_##_data, .inputs = {input}, __VA_ARGS__})
#define NUMBERS(n, ...)       .values = {__VA_ARGS__}, .n_values = n
#define CALLING(f, types)     .function = f, .rets = types, .n_args = 1

static sl_code slow_range_of(struct sl_value *args, struct sl_value *rets, struct sl_error *why) {
    (void)why;
    const int64_t x = args[0].i64;
    struct sl_dataset *range = new_range(10 * x, 10 * x + x, 1);
    struct sl_dataset *slow = make(OF(map, range, CALLING(slowly_times_2, one_int64)));
    rets[0] = (struct sl_value){.kind = SL_VALUE_OBJECT, .dtype = SL_VARIANT, .object = &slow->object};
    return SL_OK;
}

/* ---- walking */

static void print_value(char *text, size_t room, const struct sl_value *v) {
    struct sl_dataset *nested;
    const struct sl_view view = sl_value_view(v);
    if (v->dtype == SL_VARIANT) {
        assert_ok(err, sl_dataset_of_value(&nested, v, &err));
        snprintf(text, room, "dataset%lld", (long long)sl_dataset_cardinality(nested));
        return;
    }
    *text = 0;
    for (int64_t i = 0; i < view.count; i++)
        snprintf(text + strlen(text), room - strlen(text), i ? ",%lld" : "%lld",
                 (long long)((const int64_t *)view.data)[i]);
}

enum { TEXT = 512, MOST_ELEMENTS = 40 };
/* Up to `most` elements in order, components joined by "/"; the name of a code where one fails. Returns how many. */
static int take_some(char text[TEXT], struct sl_data_walk *walk, int most, bool *is_end) {
    const int width = sl_data_walk_dataset(walk)->n;
    struct sl_value element[MOST];
    int n = 0;
    *text = 0;
    for (*is_end = false; n < most; n++) {
        char part[TEXT] = "";
        sl_code code = sl_data_walk_next(walk, element, is_end, &env, &err);
        if (*is_end) break;
        if (code != SL_OK) snprintf(part, sizeof part, "%s", sl_code_name(code));
        for (int c = 0; c < width && code == SL_OK; c++) {
            if (c) strcat(part, "/");
            print_value(part + strlen(part), sizeof part - strlen(part), &element[c]);
        }
        if (code == SL_OK) sl_element_clear(element, width);
        snprintf(text + strlen(text), TEXT - strlen(text), n ? " %s" : "%s", part);
    }
    return n;
}

/* All elements; "..." after many. */
static const char *walk(struct sl_dataset *d) {
    static char text[TEXT];
    struct sl_data_walk *walk;
    struct sl_value element[MOST];
    bool is_end;
    assert_ok(err, sl_data_walk_new(&walk, d, &env, &err));
    if (take_some(text, walk, MOST_ELEMENTS, &is_end) == MOST_ELEMENTS)
        snprintf(text + strlen(text), sizeof text - strlen(text), " ...");
    else assert_ok(err, sl_data_walk_next(walk, element, &is_end, &env, &err)); /* the end stays the end */
    sl_data_walk_unref(walk);
    return text;
}

/* The position of a walk, through the variants that files hold. */
static struct sl_state *packed_position(struct sl_data_walk *walk) {
    struct sl_state *state, *back;
    struct sl_tensor *variants;
    assert_ok(err, sl_state_new(&state, &err));
    assert_ok(err, sl_data_walk_save(walk, state, &err));
    assert_ok(err, sl_state_pack(&variants, state, &err));
    sl_state_free(state);
    struct sl_value value = {.kind = SL_VALUE_TENSOR, .dtype = SL_VARIANT, .tensor = variants};
    assert_ok(err, sl_state_unpack(&back, &value, &err));
    sl_tensor_unref(variants);
    return back;
}

/* A walk that is saved after `n` elements, and another that goes on from there, give the same. False behind the end. */
static bool goes_on_after(struct sl_dataset *d, int n) {
    char text[TEXT], rest[TEXT];
    struct sl_data_walk *walk, *other;
    bool is_end;
    assert_ok(err, sl_data_walk_new(&walk, d, &env, &err));
    take_some(text, walk, n, &is_end);
    const bool more = !is_end && n < MOST_ELEMENTS;
    struct sl_state *state = packed_position(walk);
    take_some(rest, walk, MOST_ELEMENTS, &is_end);
    sl_data_walk_unref(walk);
    assert_ok(err, sl_data_walk_new(&other, d, &env, &err));
    assert_ok(err, sl_data_walk_restore(other, state, &err));
    take_some(text, other, MOST_ELEMENTS, &is_end);
    assert_string_equal(text, rest);
    sl_data_walk_unref(other);
    sl_state_free(state);
    return more;
}

/* Walks through it, saves and restores everywhere on the way, and drops it. */
static void gives(struct sl_dataset *d, const char *expected) {
    assert_string_equal(walk(d), expected);
    for (int n = 0; goes_on_after(d, n);) n++;
    sl_dataset_unref(d);
}

static void sources_give_their_elements(void **state) {
    (void)state;
    gives(new_range(0, 5, 1), "0 1 2 3 4");
    gives(new_range(5, 0, -2), "5 3 1");
    gives(new_range(INT64_MAX - 2, INT64_MAX, 2), "9223372036854775805");
    gives(new_range(3, 3, 1), "");
    /* One without end goes round, as TensorFlow's. */
    gives(make(OF(take, new_range(INT64_C(3) << 61, INT64_MAX, INT64_C(1) << 61), NUMBERS(1, 3))),
          "6917529027641081856 -9223372036854775808 -6917529027641081856");
}

static void functions_are_called_on_elements(void **state) {
    (void)state;
    gives(make(OF(map, new_range(0, 4, 1), CALLING(times_2, one_int64))), "0 2 4 6");
    gives(make(OF(map, new_range(2, 6, 1), CALLING(fail_at_3, one_int64))), "4 DATA_LOSS 8 10");
    gives(make(OF(filter, new_range(0, 6, 1), CALLING(is_odd, one_bool))), "1 3 5");
    gives(make(OF(parallel_filter, new_range(0, 6, 1), CALLING(is_odd, one_bool), NUMBERS(1, 2))), "1 3 5");
    gives(make(OF(take_while, new_range(0, 9, 1), .function = below_captured, .rets = one_bool, .n_args = 2,
                  .n_captured = 1, NUMBERS(1, 3))),
          "0 1 2");
    gives(make(OF(scan, new_range(0, 5, 1), .function = running_sum, .rets = two_int64, .n_args = 2, .n_state = 1,
                  NUMBERS(1, 100))),
          "100 101 103 106 110");
    gives(make(OF(flat_map, new_range(0, 4, 1), CALLING(range_of, one_variant))), "10 20 21 30 31 32");
    gives(make(OF(interleave, new_range(1, 5, 1), CALLING(range_of, one_variant), NUMBERS(2, 2, 1))),
          "10 20 21 30 31 40 32 41 42 43");
}

static void elements_are_put_together(void **state) {
    (void)state;
    gives(make(OF(batch, new_range(0, 5, 1), NUMBERS(2, 2, 0))), "0,1 2,3 4");
    gives(make(OF(batch, new_range(0, 5, 1), NUMBERS(2, 2, 1))), "0,1 2,3");
    gives(make(OF(parallel_batch, new_range(0, 5, 1), NUMBERS(3, 2, 2, 0))), "0,1 2,3 4");
    gives(make(OF(unbatch, make(OF(batch, new_range(0, 5, 1), NUMBERS(2, 2, 0))))), "0 1 2 3 4");
    gives(make(OF(map_and_batch, new_range(1, 7, 1), CALLING(fail_at_3, one_int64), NUMBERS(3, 2, 1, 0))),
          "2,4 DATA_LOSS 10,12");
    gives(make(OF(window, new_range(0, 7, 1), NUMBERS(4, 2, 3, 2, 0))), "dataset2 dataset2 dataset1");
    gives(make(OF(window, new_range(0, 7, 1), NUMBERS(4, 2, 3, 2, 1))), "dataset2 dataset2");
    /* The third element fails: an error of the windows that hold it alone, whether it is passed over or behind them. */
    struct sl_dataset *failing = make(OF(map, new_range(1, 7, 1), CALLING(fail_at_3, one_int64)));
    gives(make(OF(window, sl_dataset_ref(failing), NUMBERS(4, 2, 2, 1, 0))), "dataset2 DATA_LOSS dataset2");
    gives(make(OF(window, sl_dataset_ref(failing), NUMBERS(4, 2, 1, 3, 1))), "dataset2 dataset2 DATA_LOSS");
    gives(make(OF(window, sl_dataset_ref(failing), NUMBERS(4, 2, 3, 1, 0))), "dataset2 dataset2");
    gives(make(OF(window, failing, NUMBERS(4, 1, 5, 1, 0))), "dataset1 dataset1");
    /* A batch of batches that differ in shape. */
    gives(make(OF(batch, make(OF(batch, new_range(0, 5, 1), NUMBERS(2, 2, 0))), NUMBERS(2, 3, 0))), "INVALID_ARGUMENT");
}

/* "calls: elements" of a dataset, which is dropped. */
static const char *calls_and_elements(struct sl_dataset *d) {
    static char text[TEXT + 16];
    n_calls = 0;
    const char *elements = walk(d);
    snprintf(text, sizeof text, "%d: %s", n_calls, elements);
    for (int n = 0; goes_on_after(d, n);) n++;
    sl_dataset_unref(d);
    return text;
}
#define ROWWISE(input) make(OF(map, input, CALLING(plus_1, one_int64), .is_rowwise = true))

static void one_call_makes_a_batch(void **state) {
    (void)state;
    assert_string_equal(calls_and_elements(make(OF(batch, ROWWISE(new_range(0, 5, 1)), NUMBERS(2, 2, 0)))),
                        "3: 1,2 3,4 5");
    assert_string_equal(calls_and_elements(make(OF(batch, ROWWISE(new_range(0, 5, 1)), NUMBERS(2, 2, 1)))),
                        "3: 1,2 3,4");
    assert_string_equal(calls_and_elements(make(OF(batch, ROWWISE(ROWWISE(new_range(9, 0, -3))), NUMBERS(2, 4, 0)))),
                        "2: 11,8,5");
    assert_string_equal(calls_and_elements(make(OF(parallel_batch, ROWWISE(new_range(0, 4, 1)), NUMBERS(3, 2, 2, 0)))),
                        "2: 1,2 3,4");
    /* Passes of a repeated input meet in a batch. */
    struct sl_dataset *passes = make(OF(repeat, ROWWISE(new_range(0, 3, 1)), NUMBERS(1, 2)));
    assert_string_equal(calls_and_elements(make(OF(batch, passes, NUMBERS(2, 2, 0)))), "4: 1,2 3,1 2,3");
    /* Taken one by one, they are called one by one. */
    assert_string_equal(calls_and_elements(ROWWISE(new_range(0, 3, 1))), "3: 1 2 3");
}

static void elements_of_other_shapes_are_called_one_by_one(void **state) {
    (void)state;
    struct sl_dataset *vectors = make(OF(batch, new_range(0, 5, 1), NUMBERS(2, 2, 0))); /* 0,1 2,3 4 */
    assert_string_equal(calls_and_elements(make(OF(batch, ROWWISE(vectors), NUMBERS(2, 2, 0)))), "2: 1,2,3,4 5");
    vectors = make(OF(batch, new_range(0, 5, 1), NUMBERS(2, 2, 0)));
    assert_string_equal(calls_and_elements(make(OF(batch, ROWWISE(vectors), NUMBERS(2, 3, 0)))), "3: INVALID_ARGUMENT");
    /* An error of the input costs the elements of the batch before it. */
    struct sl_dataset *failing = make(OF(map, new_range(0, 6, 1), CALLING(fail_at_3, one_int64)));
    assert_string_equal(calls_and_elements(make(OF(batch, ROWWISE(failing), NUMBERS(2, 2, 0)))),
                        "2: 1,3 DATA_LOSS 9,11");
}

static void an_error_tells_the_stage_and_the_element(void **state) {
    (void)state;
    char text[TEXT];
    struct sl_data_walk *walk;
    bool is_end;
    struct sl_dataset *d = make(OF(map, new_range(1, 6, 1), CALLING(fail_at_3, one_int64)));
    assert_ok(err, sl_data_walk_new(&walk, d, &env, &err));
    take_some(text, walk, 3, &is_end);
    assert_string_equal(text, "2 4 DATA_LOSS");
    assert_non_null(strstr(err.message,
                           "passed to MapDataset transformation with iterator: Iterator::Root::Map: element 2: "
                           "three"));
    sl_data_walk_unref(walk);
    sl_dataset_unref(d);
}

static struct sl_dataset *two_of_four(void) { return make(OF(assert_cardinality, new_range(0, 2, 1), NUMBERS(1, 4))); }

/* An input that is at its end too early says so by an error. What is at its end with it is so, too. */
static void an_end_may_be_an_error(void **state) {
    (void)state;
    gives(make((struct plan){.kind = &sl_zip_data,
                             .inputs = {make(OF(batch, two_of_four(), NUMBERS(2, 2, 0))), new_range(0, 9, 1)}}),
          "0,1/0");
    gives(make(OF(window, two_of_four(), NUMBERS(4, 3, 3, 1, 0))), "dataset2");
    gives(make((struct plan){.kind = &sl_directed_data,
                             .inputs = {make(OF(repeat, new_range(0, 1, 1), NUMBERS(1, 4))), two_of_four(),
                                        new_range(7, 8, 1)}}),
          "0 1 FAILED_PRECONDITION FAILED_PRECONDITION");
}

static void elements_are_passed_on(void **state) {
    (void)state;
    gives(make(OF(repeat, new_range(0, 2, 1), NUMBERS(1, 3))), "0 1 0 1 0 1");
    gives(make(OF(repeat, new_range(0, 0, 1), NUMBERS(1, -1))), "");
    gives(make(OF(take, make(OF(repeat, new_range(0, 2, 1), NUMBERS(1, -1))), NUMBERS(1, 3))), "0 1 0");
    gives(make(OF(skip, new_range(0, 5, 1), NUMBERS(1, 3))), "3 4");
    gives(make(OF(shard, new_range(0, 8, 1), NUMBERS(2, 3, 1))), "1 4 7");
    gives(make(OF(shard, new_range(0, 2, 1), NUMBERS(2, 3, 1), .flag = true)), "INVALID_ARGUMENT");
    gives(make((struct plan){.kind = &sl_concatenate_data, .inputs = {new_range(0, 2, 1), new_range(7, 9, 1)}}),
          "0 1 7 8");
    gives(make((struct plan){.kind = &sl_zip_data, .inputs = {new_range(0, 3, 1), new_range(7, 9, 1)}}), "0/7 1/8");
    gives(make((struct plan){.kind = &sl_directed_data,
                             .inputs = {make(OF(repeat, new_range(0, 2, 1), NUMBERS(1, 4))), new_range(0, 3, 1),
                                        new_range(7, 8, 1)}}),
          "0 7 1 2");
    gives(make(OF(assert_cardinality, new_range(0, 2, 1), NUMBERS(1, 2))), "0 1");
}

/* Of a generator of seeds 3 and 7, and of these seeds themselves; from an integer model that agrees with TensorFlow. */
#define FIRST_EPOCH  "2 0 3 1 6 8 4 9 7 5"
#define SECOND_EPOCH "3 4 2 0 6 1 7 9 5 8"
#define FIXED_EPOCH  "0 3 1 5 6 8 9 4 7 2"

static void shuffles_draw_as_the_model_does(void **state) {
    (void)state;
    struct sl_dataset *d = make(OF(shuffle, new_range(0, 10, 1), NUMBERS(3, 4, 3, 7), .flag = true));
    assert_string_equal(walk(d), FIRST_EPOCH);
    gives(d, SECOND_EPOCH); /* the dataset's seeds go on */
    d = make(OF(shuffle, new_range(0, 10, 1), NUMBERS(3, 4, 3, 7)));
    assert_string_equal(walk(d), FIXED_EPOCH);
    gives(d, FIXED_EPOCH);
    gives(make(OF(shuffle_and_repeat, new_range(0, 10, 1), NUMBERS(4, 4, 3, 7, 2), .flag = true)),
          FIRST_EPOCH " " SECOND_EPOCH);
    gives(make(OF(global_shuffle, new_range(0, 10, 1), NUMBERS(2, 87654321, 42))),
          "5 9 2 4 0 3 6 8 7 1"); /* TensorFlow's */
    struct sl_dataset *other;
    assert_int_equal(try_make(&other,
                              OF(global_shuffle, make(OF(filter, new_range(0, 6, 1), CALLING(is_odd, one_bool))),
                                 NUMBERS(2, 1, 2))),
                     SL_FAILED_PRECONDITION);
}

/* Element i, or the name of a code. */
static const char *element_at(struct sl_dataset *d, int64_t i) {
    static char text[TEXT];
    struct sl_data_walk *walk;
    struct sl_value element[MOST];
    *text = 0;
    assert_ok(err, sl_data_walk_new(&walk, d, &env, &err));
    sl_code code = sl_data_walk_element(walk, d, i, element, &err);
    if (code != SL_OK) snprintf(text, sizeof text, "%s", sl_code_name(code));
    for (int c = 0; c < d->n && code == SL_OK; c++)
        print_value(text + strlen(text), sizeof text - strlen(text), &element[c]);
    if (code == SL_OK) sl_element_clear(element, d->n);
    sl_data_walk_unref(walk);
    return text;
}

static void elements_have_numbers(void **state) {
    (void)state;
    struct {
        struct sl_dataset *d;
        int64_t at;
        const char *expected;
    } cases[] = {
        {new_range(5, 0, -2), 1, "3"},
        {new_range(5, 0, -2), 3, "OUT_OF_RANGE"},
        {make(OF(map, new_range(0, 4, 1), CALLING(times_2, one_int64), .flag = true)), 3, "6"},
        {make(OF(map, new_range(0, 4, 1), CALLING(times_2, one_int64))), 3, "FAILED_PRECONDITION"},
        {make(OF(batch, new_range(0, 5, 1), NUMBERS(2, 2, 0))), 2, "4"},
        {make(OF(batch, new_range(0, 5, 1), NUMBERS(2, 2, 1))), 2, "OUT_OF_RANGE"},
        {make(OF(skip, new_range(0, 5, 1), NUMBERS(1, 3))), 1, "4"},
        {make(OF(shard, new_range(0, 8, 1), NUMBERS(2, 3, 1))), 2, "7"},
        {make(OF(repeat, new_range(0, 2, 1), NUMBERS(1, 3))), 3, "1"},
        {make((struct plan){.kind = &sl_concatenate_data, .inputs = {new_range(0, 2, 1), new_range(7, 9, 1)}}), 2, "7"},
        {make((struct plan){.kind = &sl_zip_data, .inputs = {new_range(0, 3, 1), new_range(7, 9, 1)}}), 1, "18"},
        {make(OF(filter, new_range(0, 6, 1), CALLING(is_odd, one_bool))), 0, "UNIMPLEMENTED"},
        {make(OF(pass, make(OF(filter, new_range(0, 6, 1), CALLING(is_odd, one_bool))))), 0, "UNIMPLEMENTED"},
        {make(OF(pass, make(OF(pass, new_range(5, 0, -2))))), 1, "3"},
        {make(OF(window, new_range(0, 7, 1), NUMBERS(4, 2, 3, 2, 0))), 0, "UNIMPLEMENTED"},
        {make(OF(unbatch, make(OF(batch, new_range(0, 5, 1), NUMBERS(2, 2, 1))))), 3, "3"},
        {make(OF(unbatch, make(OF(batch, new_range(0, 5, 1), NUMBERS(2, 2, 1))))), 4, "OUT_OF_RANGE"},
        {make(OF(unbatch, make(OF(batch, new_range(0, 5, 1), NUMBERS(2, 2, 0))))), 3, "FAILED_PRECONDITION"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(element_at(cases[i].d, cases[i].at), cases[i].expected);
        sl_dataset_unref(cases[i].d);
    }
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    const struct {
        const struct sl_dataset_kind *kind;
        int n;
        int64_t values[MOST];
        const char *message;
    } cases[] = {
        {&sl_batch_data, 2, {0, 0}, "Batch size must be greater than zero."},
        {&sl_shuffle_data, 3, {0, 1, 1}, "buffer_size must be greater than zero or UNKNOWN_CARDINALITY"},
        {&sl_shard_data, 2, {3, 3}, "Index must be between 0 and 2 (currently index = 3)."},
        {&sl_window_data, 4, {1, 0, 1, 0}, "Window shift must be greater than zero."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plan p = {.kind = cases[i].kind, .inputs = {new_range(0, 2, 1)}, .n_values = cases[i].n};
        struct sl_dataset *d;
        memcpy(p.values, cases[i].values, sizeof p.values);
        assert_int_equal(try_make(&d, p), SL_INVALID_ARGUMENT);
        assert_string_equal(err.message, cases[i].message);
    }
}

static void datasets_nest_so_deep_and_no_deeper(void **state) {
    (void)state;
    struct sl_dataset *d = new_range(0, 2, 1), *more;
    for (int i = 0; i < SL_DATASET_DEPTH_MAX; i++) d = make(OF(take, d, NUMBERS(1, -1)));
    assert_string_equal(walk(d), "0 1");
    assert_int_equal(try_make(&more, OF(take, d, NUMBERS(1, -1))), SL_INVALID_ARGUMENT);
}

static void several_calls_are_under_way(void **state) {
    (void)state;
    assert_ok(err, sl_pool_create(&env.pool, 4, &err));
    gives(make(OF(parallel_map, new_range(0, 6, 1), CALLING(slowly_times_2, one_int64), NUMBERS(1, 4))),
          "0 2 4 DATA_LOSS 8 10");
    atomic_store(&begun, 0);
    gives(make(OF(parallel_map, new_range(0, 21, 1), CALLING(beside_the_next, one_int64), NUMBERS(1, 4))),
          "0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32 34 36 38 40");
    gives(make(OF(map_and_batch, new_range(0, 8, 1), CALLING(slowly_times_2, one_int64), NUMBERS(3, 2, 3, 0))),
          "0,2 DATA_LOSS 8,10 12,14");
    gives(make(OF(parallel_interleave, new_range(1, 4, 1), CALLING(slow_range_of, one_variant),
                  NUMBERS(5, 2, 1, 2, 2, 2))),
          "20 40 42 60 62 64");
    sl_pool_unref(env.pool);
    env.pool = NULL;
}

/* What is behind the element that was taken is made without being asked for; a walk that is dropped waits for it. */
static void a_prefetch_runs_ahead(void **state) {
    (void)state;
    struct sl_data_walk *walk;
    struct sl_value element[1];
    bool is_end;
    assert_ok(err, sl_pool_create(&env.pool, 2, &err));
    struct sl_dataset *slow = make(OF(map, new_range(4, INT64_MAX, 1), CALLING(slowly_times_2, one_int64)));
    struct sl_dataset *d = make(OF(prefetch, slow, NUMBERS(1, 4)));
    atomic_store(&begun, 0);
    assert_ok(err, sl_data_walk_new(&walk, d, &env, &err));
    for (int i = 0; i < 3; i++) assert_ok(err, sl_data_walk_next(walk, element, &is_end, &env, &err));
    for (int i = 0; i < 10000 && atomic_load(&begun) < 7; i++) pause_ms(1);
    assert_int_equal(atomic_load(&begun), 7);
    assert_ok(err, sl_data_walk_next(walk, element, &is_end, &env, &err));
    assert_int_equal(element[0].i64, 14);
    sl_data_walk_unref(walk);
    sl_dataset_unref(d);
    gives(make(OF(prefetch, make(OF(map, new_range(1, 7, 1), CALLING(slowly_times_2, one_int64))), NUMBERS(1, -1))),
          "2 4 DATA_LOSS 8 10 12");
    sl_pool_unref(env.pool);
    env.pool = NULL;
}

/* How many elements of 100 MiB are made and not taken, at most, whatever the buffer is to hold. */
static int most_ahead(struct sl_dataset *d) {
    struct sl_data_walk *walk;
    struct sl_value element[1];
    bool is_end;
    int most = 0;
    atomic_store(&begun, 0);
    assert_ok(err, sl_data_walk_new(&walk, d, &env, &err));
    for (int taken = 1; taken < 12; taken++) {
        assert_ok(err, sl_data_walk_next(walk, element, &is_end, &env, &err));
        sl_element_clear(element, 1);
        pause_ms(2);
        const int ahead = atomic_load(&begun) - taken;
        if (ahead > most) most = ahead;
    }
    sl_data_walk_unref(walk);
    sl_dataset_unref(d);
    return most;
}

static void what_is_made_ahead_is_bounded_by_bytes(void **state) {
    (void)state;
    assert_ok(err, sl_pool_create(&env.pool, 4, &err));
    struct sl_dataset *numbers = new_range(0, INT64_MAX, 1);
    struct sl_dataset *much = make(OF(map, sl_dataset_ref(numbers), CALLING(slowly_much, one_int64)));
    assert_in_range(most_ahead(make(OF(prefetch, much, NUMBERS(1, INT64_MAX)))), 0, 4);
    assert_in_range(most_ahead(make(OF(parallel_map, numbers, CALLING(slowly_much, one_int64), NUMBERS(1, INT64_MAX)))),
                    0, 2);
    sl_pool_unref(env.pool);
    env.pool = NULL;
}

/* Whatever size a graph asks for: the stage is named, and the process does not grow. */
static void what_a_stage_gathers_is_bounded_by_bytes(void **state) {
    (void)state;
    const int64_t huge = INT64_MAX / 2;
    setenv("SLUICE_DATA_MEMORY", "64K", 1);
    struct sl_dataset *endless = make(OF(repeat, new_range(0, 3, 1), NUMBERS(1, -1)));
    struct sl_dataset *const all[] = {make(OF(batch, sl_dataset_ref(endless), NUMBERS(2, huge, 0))),
                                      make(OF(window, endless, NUMBERS(4, huge, 1, 1, 0))),
                                      make(OF(batch, new_range(0, huge, 1), NUMBERS(2, huge, 0))),
                                      make(OF(rebatch, make(OF(batch, new_range(0, huge, 1), NUMBERS(2, 2, 0))),
                                              NUMBERS(2, huge, 0)))};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_memory_equal(walk(all[i]), "RESOURCE_EXHAUSTED ", 19);
        sl_dataset_unref(all[i]);
    }
    gives(make(OF(batch, new_range(0, 3, 1), NUMBERS(2, huge, 0))), "0,1,2");
    struct sl_dataset *const numbered[] = {make(OF(batch, new_range(0, huge, 1), NUMBERS(2, huge, 0))),
                                           make(OF(shuffle, new_range(0, huge, 1), NUMBERS(3, 2, 1, 1)))};
    for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++) {
        assert_string_equal(element_at(numbered[i], 0), "RESOURCE_EXHAUSTED");
        sl_dataset_unref(numbered[i]);
    }
    unsetenv("SLUICE_DATA_MEMORY");
}

static void a_cancelled_step_ends_a_walk(void **state) {
    (void)state;
    struct sl_cancellation *c;
    struct sl_dataset *d = make(OF(skip, new_range(0, INT64_MAX, 1), NUMBERS(1, INT64_MAX)));
    struct sl_data_walk *walk;
    struct sl_value element[1];
    bool is_end;
    assert_ok(err, sl_cancellation_new(&c, NULL, &err));
    struct sl_step_env cancelled = {.functions = &functions, .cancellation = c};
    assert_ok(err, sl_data_walk_new(&walk, d, &cancelled, &err));
    sl_cancellation_start(c, SL_CANCELLED, "enough");
    assert_int_equal(sl_data_walk_next(walk, element, &is_end, &cancelled, &err), SL_CANCELLED);
    sl_data_walk_unref(walk);
    sl_dataset_unref(d);
    sl_cancellation_free(c);
}

enum { MS = 1000000, AN_HOUR_US = 3600 * 1000000LL };

/* The clock, not somebody else, ends the step: who sleeps finds out by himself. */
static void time_over_ends_a_sleep(void **state) {
    (void)state;
    struct sl_cancellation *c;
    struct sl_dataset *d = make(OF(sleep, new_range(0, 3, 1), NUMBERS(1, AN_HOUR_US)));
    struct sl_data_walk *walk;
    struct sl_value element[1];
    bool is_end;
    assert_ok(err, sl_cancellation_new(&c, NULL, &err));
    sl_cancellation_set_deadline(c, sl_clock_ns() + 20 * MS);
    struct sl_step_env timed = {.functions = &functions, .cancellation = c};
    assert_ok(err, sl_data_walk_new(&walk, d, &timed, &err));
    assert_int_equal(sl_data_walk_next(walk, element, &is_end, &timed, &err), SL_DEADLINE_EXCEEDED);
    sl_data_walk_unref(walk);
    sl_dataset_unref(d);
    sl_cancellation_free(c);
}

struct taker {
    struct sl_data_walk *walk;
    struct sl_step_env env;
};
static void take_one(void *arg) {
    struct taker *t = arg;
    struct sl_value element[1];
    bool is_end;
    sl_data_walk_next(t->walk, element, &is_end, &t->env, NULL);
}

/* One step sleeps in the walk; another one, which waits for its turn, is out of time. Whichever comes first. */
static void time_over_ends_the_wait_for_a_walk(void **state) {
    (void)state;
    struct sl_dataset *d = make(OF(sleep, new_range(0, 3, 1), NUMBERS(1, AN_HOUR_US)));
    struct taker taker = {.env = {.functions = &functions}};
    struct sl_step_env timed = {.functions = &functions};
    struct sl_thread thread;
    struct sl_value element[1];
    bool is_end;
    assert_ok(err, sl_cancellation_new(&taker.env.cancellation, NULL, &err));
    assert_ok(err, sl_cancellation_new(&timed.cancellation, NULL, &err));
    assert_ok(err, sl_data_walk_new(&taker.walk, d, &taker.env, &err));
    assert_ok(err, sl_thread_start(&thread, "taker", 0, take_one, &taker, &err));
    sl_cancellation_set_deadline(timed.cancellation, sl_clock_ns() + 50 * MS);
    assert_int_equal(sl_data_walk_next(taker.walk, element, &is_end, &timed, &err), SL_DEADLINE_EXCEEDED);
    sl_cancellation_start(taker.env.cancellation, SL_CANCELLED, "enough");
    sl_thread_join(&thread);
    sl_data_walk_unref(taker.walk);
    sl_dataset_unref(d);
    sl_cancellation_free(timed.cancellation);
    sl_cancellation_free(taker.env.cancellation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_give_their_elements),
        cmocka_unit_test(functions_are_called_on_elements),
        cmocka_unit_test(elements_are_put_together),
        cmocka_unit_test(one_call_makes_a_batch),
        cmocka_unit_test(elements_of_other_shapes_are_called_one_by_one),
        cmocka_unit_test(an_error_tells_the_stage_and_the_element),
        cmocka_unit_test(an_end_may_be_an_error),
        cmocka_unit_test(elements_are_passed_on),
        cmocka_unit_test(elements_have_numbers),
        cmocka_unit_test(shuffles_draw_as_the_model_does),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(several_calls_are_under_way),
        cmocka_unit_test(a_prefetch_runs_ahead),
        cmocka_unit_test(datasets_nest_so_deep_and_no_deeper),
        cmocka_unit_test(what_is_made_ahead_is_bounded_by_bytes),
        cmocka_unit_test(what_a_stage_gathers_is_bounded_by_bytes),
        cmocka_unit_test(a_cancelled_step_ends_a_walk),
        cmocka_unit_test(time_over_ends_a_sleep),
        cmocka_unit_test(time_over_ends_the_wait_for_a_walk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
