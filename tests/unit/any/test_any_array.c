/* TensorArrays and stacks: what may be written and read, how often, gradients, the three forms of handles. */
#include "unit/any/one_node.h"

#include <stdio.h>

#include "kernel/cancellation.h"
#include "kernel/variable.h"

#define FLOATS   "attr { key: 'dtype' value { type: DT_FLOAT } }"
#define OF_FLOAT "attr { key: 'T' value { type: DT_FLOAT } }"

/* An array with these attrs; its flow is dropped. */
static struct sl_value array(struct bench *b, int32_t size, const char *attrs) {
    return RUN(b, "TensorArrayV3", attrs, i32(size));
}
static void write(struct bench *b, struct sl_value a, int32_t i, struct sl_value v) {
    take_and_expect(RUN(b, "TensorArrayWriteV3", OF_FLOAT, share(a), i32(i), v, f32(3)), "[]", "3");
}
static struct sl_value read(struct bench *b, struct sl_value a, int32_t i) {
    return RUN(b, "TensorArrayReadV3", FLOATS, share(a), i32(i), f32(0));
}
#define READ_REFUSED(b, message, a, i)                                                                                 \
    REFUSED(b, SL_INVALID_ARGUMENT, message, "TensorArrayReadV3", FLOATS, share(a), i32(i), f32(0))
#define WRITE_REFUSED(b, message, a, i, v)                                                                             \
    REFUSED(b, SL_INVALID_ARGUMENT, message, "TensorArrayWriteV3", OF_FLOAT, share(a), i32(i), v, f32(0))

static void is_written_once_and_read_once(void **state) {
    struct bench *b = *state;
    struct sl_value a = array(b, 3, FLOATS);
    write(b, a, 0, f32(1));
    WRITE_REFUSED(b, "Could not write to TensorArray index 0 because it has already been written to.", a, 0, f32(2));
    take_and_expect(read(b, a, 0), "[]", "1");
    READ_REFUSED(b, "Could not read index 0 twice because it was cleared after a previous read", a, 0);
    WRITE_REFUSED(b, "because it has already been read.", a, 0, f32(2));
    WRITE_REFUSED(b, "Tried to write to index 3 but array is not resizeable and size is: 3", a, 3, f32(2));
    WRITE_REFUSED(b, "Tried to write to index -1", a, -1, f32(2));
    READ_REFUSED(b, "Tried to read from index 3 but array size is: 3", a, 3);
    READ_REFUSED(b, "Could not read from TensorArray index 1.  Furthermore, the element shape is not fully defined", a,
                 1);
    sl_value_clear(&a);
    a = array(b, 1, FLOATS "attr { key: 'clear_after_read' value { b: false } }");
    write(b, a, 0, VEC_F32(1, 2));
    take_and_expect(read(b, a, 0), "[2]", "1 2");
    take_and_expect(read(b, a, 0), "[2]", "1 2");
    sl_value_clear(&a);
}

static void minds_shapes_and_types(void **state) {
    struct bench *b = *state;
    struct sl_value a = array(b, 3, FLOATS "attr { key: 'element_shape' value { shape { dim { size: 2 } } } }");
    WRITE_REFUSED(b, "the value shape is [1] which is incompatible with the TensorArray's inferred element shape: [2]",
                  a, 0, VEC_F32(1));
    take_and_expect(read(b, a, 1), "[2]", "0 0");
    REFUSED(b, SL_INVALID_ARGUMENT, "TensorArray dtype is float but Op is trying to write dtype int32.",
            "TensorArrayWriteV3", "attr { key: 'T' value { type: DT_INT32 } }", share(a), i32(0), i32(1), f32(0));
    REFUSED(b, SL_INVALID_ARGUMENT, "TensorArray dtype is float but Op requested dtype int32.", "TensorArrayReadV3",
            "attr { key: 'dtype' value { type: DT_INT32 } }", share(a), i32(0), f32(0));
    sl_value_clear(&a);
    a = array(b, 3, FLOATS "attr { key: 'identical_element_shapes' value { b: true } }");
    write(b, a, 0, VEC_F32(1));
    WRITE_REFUSED(b, "inferred element shape: [1]", a, 1, VEC_F32(1, 2));
    take_and_expect(read(b, a, 2), "[1]", "0");
    sl_value_clear(&a);
}

static void grows_when_dynamic(void **state) {
    struct bench *b = *state;
    struct sl_value a = array(b, 0, FLOATS "attr { key: 'dynamic_size' value { b: true } }");
    for (int i = 0; i < 20; i++) write(b, a, i * 3, f32((float)i));
    take_and_expect(RUN(b, "TensorArraySizeV3", "", share(a), f32(0)), "[]", "58");
    take_and_expect(read(b, a, 57), "[]", "19");
    /* its gradients have its size, so it stays as it is */
    struct sl_value g = RUN(b, "TensorArrayGradV3", "attr { key: 'source' value { s: 'g' } }", share(a), f32(0));
    WRITE_REFUSED(b, "not resizeable and size is: 58", a, 58, f32(0));
    WRITE_REFUSED(b, "not resizeable and size is: 58", g, 58, f32(0));
    sl_value_clear(&g);
    sl_value_clear(&a);
}

/* What is scattered or split is fewer than there are: the others stay. */
static void never_shrinks(void **state) {
    struct bench *b = *state;
    struct sl_value a = array(b, 5, FLOATS "attr { key: 'dynamic_size' value { b: true } }");
    write(b, a, 4, f32(4));
    take_and_expect(RUN(b, "TensorArrayScatterV3", OF_FLOAT, share(a), VEC_I32(1, 0), VEC_F32(5, 6), f32(0)), "[]",
                    "0");
    take_and_expect(RUN(b, "TensorArraySizeV3", "", share(a), f32(0)), "[]", "5");
    take_and_expect(read(b, a, 4), "[]", "4");
    sl_value_clear(&a);
}

/* The shape that is put before the elements' makes more dimensions than a tensor may have. */
static void gradients_may_have_too_many_dimensions(void **state) {
    struct bench *b = *state;
    int64_t ones[254];
    int32_t before[254];
    struct sl_value large = {0}, small = {0}, a = array(b, 2, FLOATS);
    for (int i = 0; i < 254; i++) before[i] = ones[i] = 1;
    assert_ok(b->err, sl_value_new(&large, SL_FLOAT, (struct sl_shape){200, ones}, &b->err));
    assert_ok(b->err, sl_value_new(&small, SL_FLOAT, (struct sl_shape){54, ones}, &b->err));
    *(float *)large.tensor->data = *(float *)small.tensor->data = 1;
    write(b, a, 0, small);
    struct sl_value g = RUN(b, "TensorArrayGradWithShape", "attr { key: 'source' value { s: 'f' } }", share(a), f32(0),
                            vec_i32(200, before)),
                    zeros = read(b, g, 0);
    assert_int_equal(sl_value_view(&zeros).rank, 254);
    sl_value_clear(&zeros);
    sl_value_clear(&g);
    write(b, a, 1, large);
    REFUSED(b, SL_INVALID_ARGUMENT, "Shape has too many dimensions", "TensorArrayGradWithShape",
            "attr { key: 'source' value { s: 'g' } }", share(a), f32(0), vec_i32(55, before));
    sl_value_clear(&a);
}

static void gradients_add_up_and_are_shared(void **state) {
    struct bench *b = *state;
    const char *source = "attr { key: 'source' value { s: 'g' } }";
    struct sl_value a = array(b, 3, FLOATS);
    write(b, a, 0, VEC_F32(1, 2));
    write(b, a, 1, VEC_F32(1, 2));
    struct sl_value g = RUN(b, "TensorArrayGradV3", source, share(a), f32(0)),
                    same = RUN(b, "TensorArrayGradV3", source, share(a), f32(0)),
                    other = RUN(b, "TensorArrayGradV3", "attr { key: 'source' value { s: 'h' } }", share(a), f32(0));
    assert_ptr_equal(g.object, same.object);
    assert_ptr_not_equal(g.object, other.object);
    struct sl_value given = VEC_F32(10, 20);
    write(b, g, 0, share(given));
    write(b, same, 0, VEC_F32(1, 1));
    take_and_expect(given, "[2]", "10 20"); /* others still see what they gave */
    take_and_expect(read(b, g, 0), "[2]", "11 21");
    take_and_expect(read(b, g, 1), "[2]", "0 0");
    WRITE_REFUSED(b, "because it has already been read.", g, 0, VEC_F32(1, 1));
    WRITE_REFUSED(b, "because the existing shape is [2] but the new input shape is [1].", other, 0, VEC_F32(1));
    struct sl_value second = RUN(b, "TensorArrayGradV3", source, share(g), f32(0)); /* read once for each write to g */
    write(b, second, 1, VEC_F32(3, 4));
    take_and_expect(read(b, second, 1), "[2]", "3 4");
    take_and_expect(read(b, second, 1), "[2]", "3 4");
    sl_value_clear(&second);
    sl_value_clear(&g);
    sl_value_clear(&same);
    sl_value_clear(&other);
    g = RUN(b, "TensorArrayGradWithShape", "attr { key: 'source' value { s: 'w' } }", share(a), f32(0), VEC_I32(2));
    take_and_expect(read(b, g, 0), "[2,2]", "[0 0][0 0]");
    sl_value_clear(&g);
    sl_value_clear(&a);
}

static void gathers_and_concatenates(void **state) {
    struct bench *b = *state;
    struct sl_value a = array(b, 3, FLOATS "attr { key: 'clear_after_read' value { b: false } }"), outs[2];
    write(b, a, 0, VEC_F32(1, 2));
    write(b, a, 1, VEC_F32(3, 4));
    write(b, a, 2, VEC_F32(5));
    take_and_expect(RUN(b, "TensorArrayGatherV3", FLOATS, share(a), VEC_I32(1, 0, 1), f32(0)), "[3,2]",
                    "[3 4][1 2][3 4]");
    REFUSED(b, SL_INVALID_ARGUMENT, "Index 0 has shape: [2] but index 1 has shape: [1]", "TensorArrayGatherV3", FLOATS,
            share(a), VEC_I32(0, 2), f32(0));
    REFUSED(b, SL_INVALID_ARGUMENT, "which does not match the Tensor at index 0: [2]", "TensorArrayGatherV3",
            FLOATS "attr { key: 'element_shape' value { shape { dim { size: 3 } } } }", share(a), VEC_I32(0), f32(0));
    REFUSED(b, SL_UNIMPLEMENTED, "TensorArray has size zero, but element shape <unknown> is not fully defined.",
            "TensorArrayGatherV3", FLOATS, share(a), vec_i32(0, NULL), f32(0));
    assert_ok(b->err, run_once(b, outs, "TensorArrayConcatV3", FLOATS, INPUTS(share(a), f32(0))));
    take_and_expect(outs[0], "[5]", "1 2 3 4 5");
    take_and_expect(outs[1], "[3]", "2 2 1");
    sl_value_clear(&a);
    a = array(b, 1, FLOATS);
    write(b, a, 0, f32(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "Concat saw a scalar shape at index 0", "TensorArrayConcatV3", FLOATS, a, f32(0));
}

static void scatters_and_splits(void **state) {
    struct bench *b = *state;
    struct sl_value a = array(b, 3, FLOATS);
    take_and_expect(RUN(b, "TensorArrayScatterV3", OF_FLOAT, share(a), VEC_I32(2, 0), VEC_F32(5, 6), f32(1)), "[]",
                    "1");
    take_and_expect(read(b, a, 2), "[]", "5");
    take_and_expect(read(b, a, 0), "[]", "6");
    REFUSED(b, SL_INVALID_ARGUMENT, "Max scatter index must be < array size (3 vs. 3)", "TensorArrayScatterV3",
            OF_FLOAT, share(a), VEC_I32(3), VEC_F32(1), f32(0));
    REFUSED(b, SL_INVALID_ARGUMENT, "Expected len(indices) == values.shape[0], but saw: 2 vs. 1",
            "TensorArrayScatterV3", OF_FLOAT, share(a), VEC_I32(0, 1), VEC_F32(1), f32(0));
    sl_value_clear(&a);
    a = array(b, 0, FLOATS "attr { key: 'dynamic_size' value { b: true } }");
    take_and_expect(RUN(b, "TensorArraySplitV3", OF_FLOAT, share(a), VEC_F32(1, 2, 3), VEC_I64(1, 0, 2), f32(0)), "[]",
                    "0");
    take_and_expect(read(b, a, 2), "[2]", "2 3");
    take_and_expect(read(b, a, 1), "[0]", "");
    REFUSED(b, SL_INVALID_ARGUMENT, "sum of lengths is 2 and value's shape is: [3]", "TensorArraySplitV3", OF_FLOAT,
            share(a), VEC_F32(1, 2, 3), VEC_I64(1, 1), f32(0));
    REFUSED(b, SL_INVALID_ARGUMENT, "must not be negative", "TensorArraySplitV3", OF_FLOAT, share(a), VEC_F32(1, 2),
            VEC_I64(3, -1), f32(0));
    sl_value_clear(&a);
}

static void closed_arrays_answer_nothing(void **state) {
    struct bench *b = *state;
    struct sl_value a = array(b, 3, FLOATS);
    assert_ok(b->err, run_once(b, NULL, "TensorArrayCloseV3", "", INPUTS(share(a))));
    READ_REFUSED(b, "has already been closed.", a, 0);
    WRITE_REFUSED(b, "has already been closed.", a, 0, f32(1));
    assert_ok(b->err, run_once(b, NULL, "TensorArrayCloseV3", "", INPUTS(a)));
    REFUSED(b, SL_INVALID_ARGUMENT, "Size should be >= 0.", "TensorArrayV3", FLOATS, i32(-1));
}

/* Handles of versions 1 and 2 name the array among the step's resources. */
static void is_found_by_name(void **state) {
    struct bench *b = *state;
    struct sl_value pair = RUN(b, "TensorArrayV2", FLOATS, i32(2));
    assert_int_equal(pair.dtype, SL_STRING);
    take_and_expect(RUN(b, "TensorArrayWriteV2", OF_FLOAT, share(pair), i32(0), f32(4), f32(1)), "[]", "1");
    struct sl_value gradient =
                        RUN(b, "TensorArrayGradV2", "attr { key: 'source' value { s: 'g' } }", share(pair), f32(0)),
                    again = RUN(b, "TensorArrayGradV2", "attr { key: 'source' value { s: 'g' } }", share(pair), f32(0));
    take_and_expect(RUN(b, "TensorArrayWriteV2", OF_FLOAT, gradient, i32(0), f32(4), f32(1)), "[]", "1");
    take_and_expect(RUN(b, "TensorArrayReadV2", FLOATS, again, i32(0), f32(1)), "[]", "4");
    take_and_expect(RUN(b, "TensorArrayReadV2", FLOATS, pair, i32(0), f32(1)), "[]", "4");
    struct sl_value reference = RUN(b, "TensorArray", FLOATS, i32(2));
    assert_int_equal(reference.kind, SL_VALUE_REF);
    take_and_expect(RUN(b, "TensorArrayUnpack", OF_FLOAT, share(reference), VEC_F32(4, 5), f32(1)), "[]", "1");
    take_and_expect(RUN(b, "TensorArrayPack", FLOATS, reference, f32(1)), "[2]", "4 5");
    /* two arrays of one name are two arrays */
    struct sl_value one = RUN(b, "TensorArrayV2", FLOATS, i32(1)), two = RUN(b, "TensorArrayV2", FLOATS, i32(2));
    take_and_expect(RUN(b, "TensorArraySizeV2", "", one, f32(1)), "[]", "1");
    take_and_expect(RUN(b, "TensorArraySizeV2", "", two, f32(1)), "[]", "2");
    struct sl_value wrong = {0};
    assert_ok(b->err, sl_value_new(&wrong, SL_STRING, (struct sl_shape){1, (const int64_t[]){2}}, &b->err));
    REFUSED(b, SL_NOT_FOUND, "does not exist.", "TensorArrayReadV2", FLOATS, wrong, i32(0), f32(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "Handle must be 2-element vector", "TensorArrayReadV2", FLOATS, text("x"), i32(0),
            f32(1));
}

/* What is written, scattered or split is there, by whatever form of the handle. */
static void all_versions_do_the_same(void **state) {
    struct bench *b = *state;
    static const struct {
        const char *make, *write, *read, *size, *gather, *scatter, *split, *concat, *gradient, *close;
    } versions[] = {
        {"TensorArray", "TensorArrayWrite", "TensorArrayRead", "TensorArraySize", "TensorArrayGather",
         "TensorArrayScatter", "TensorArraySplit", "TensorArrayConcat", "TensorArrayGrad", "TensorArrayClose"},
        {"TensorArrayV2", "TensorArrayWriteV2", "TensorArrayReadV2", "TensorArraySizeV2", "TensorArrayGatherV2",
         "TensorArrayScatterV2", "TensorArraySplitV2", "TensorArrayConcatV2", "TensorArrayGradV2",
         "TensorArrayCloseV2"},
        {"TensorArrayV3", "TensorArrayWriteV3", "TensorArrayReadV3", "TensorArraySizeV3", "TensorArrayGatherV3",
         "TensorArrayScatterV3", "TensorArraySplitV3", "TensorArrayConcatV3", "TensorArrayGradV3",
         "TensorArrayCloseV3"},
    };
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        const char *keep = FLOATS "attr { key: 'clear_after_read' value { b: false } }",
                   *source = "attr { key: 'source' value { s: 'g' } }";
        struct sl_value a = RUN(b, versions[i].make, keep, i32(3)), outs[2];
        take_and_expect(RUN(b, versions[i].write, OF_FLOAT, share(a), i32(0), VEC_F32(1, 2), f32(7)), "[]", "7");
        take_and_expect(RUN(b, versions[i].scatter, OF_FLOAT, share(a), VEC_I32(2, 1),
                            mat_f32(2, 2, (const float[]){5, 6, 3, 4}), f32(8)),
                        "[]", "8");
        take_and_expect(RUN(b, versions[i].size, "", share(a), f32(0)), "[]", "3");
        take_and_expect(RUN(b, versions[i].read, FLOATS, share(a), i32(1), f32(0)), "[2]", "3 4");
        take_and_expect(RUN(b, versions[i].gather, FLOATS, share(a), VEC_I32(2, 0), f32(0)), "[2,2]", "[5 6][1 2]");
        assert_ok(b->err, run_once(b, outs, versions[i].concat, FLOATS, INPUTS(share(a), f32(0))));
        take_and_expect(outs[0], "[6]", "1 2 3 4 5 6");
        take_and_expect(outs[1], "[3]", "2 2 2");
        struct sl_value g = RUN(b, versions[i].gradient, source, share(a), f32(0));
        take_and_expect(RUN(b, versions[i].split, OF_FLOAT, share(g), VEC_F32(1, 2, 3, 4, 5, 6), VEC_I64(2, 2, 2),
                            f32(9)),
                        "[]", "9");
        take_and_expect(RUN(b, versions[i].read, FLOATS, g, i32(2), f32(0)), "[2]", "5 6");
        assert_ok(b->err, run_once(b, NULL, versions[i].close, "", INPUTS(share(a))));
        REFUSED(b, SL_INVALID_ARGUMENT, "has already been closed.", versions[i].read, FLOATS, a, i32(0), f32(0));
    }
}

static void stacks_give_back_the_last(void **state) {
    struct bench *b = *state;
    const char *of_float = "attr { key: 'elem_type' value { type: DT_FLOAT } }",
               *of_int = "attr { key: 'elem_type' value { type: DT_INT32 } }";
    struct sl_value s = RUN(b, "StackV2", of_float, i32(2));
    take_and_expect(RUN(b, "StackPushV2", OF_FLOAT, share(s), VEC_F32(1, 2)), "[2]", "1 2");
    take_and_expect(RUN(b, "StackPushV2", OF_FLOAT, share(s), f32(3)), "[]", "3");
    REFUSED(b, SL_INVALID_ARGUMENT, "overflowed its max_size (2)", "StackPushV2", OF_FLOAT, share(s), f32(3));
    REFUSED(b, SL_INTERNAL, "does not match declared output type int32", "StackPopV2", of_int, share(s));
    take_and_expect(RUN(b, "StackPopV2", of_float, share(s)), "[]", "3");
    take_and_expect(RUN(b, "StackPopV2", of_float, share(s)), "[2]", "1 2");
    REFUSED(b, SL_INVALID_ARGUMENT, "is empty when calling Pop().", "StackPopV2", of_float, share(s));
    REFUSED(b, SL_INVALID_ARGUMENT, "Must have type 1 but got 3", "StackPushV2",
            "attr { key: 'T' value { type: DT_INT32 } }", share(s), i32(3));
    REFUSED(b, SL_INVALID_ARGUMENT, "using the wrong type", "TensorArrayReadV3", FLOATS, share(s), i32(0), f32(0));
    assert_ok(b->err, run_once(b, NULL, "StackCloseV2", "", INPUTS(share(s))));
    REFUSED(b, SL_INVALID_ARGUMENT, "has already been closed.", "StackPopV2", of_float, s);
    struct sl_value reference = run_one(b, "Stack", of_float, NULL, 0);
    for (int i = 0; i < 10; i++) take_and_expect(RUN(b, "StackPush", OF_FLOAT, share(reference), f32(3)), "[]", "3");
    take_and_expect(RUN(b, "StackPop", of_float, share(reference)), "[]", "3");
    assert_ok(b->err, run_once(b, NULL, "StackClose", "", INPUTS(share(reference))));
    REFUSED(b, SL_INVALID_ARGUMENT, "has already been closed.", "StackPop", of_float, reference);
}

/* MiB that the process has in memory. */
static size_t resident_mib(void) {
    char line[256];
    size_t kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmRSS: %zu kB", &kib) == 1) break;
    if (file) fclose(file);
    return kib >> 10;
}

/* Of 2^28 elements, which would be 10 GiB, two are written; its gradients have as many. */
static void costs_what_is_written(void **state) {
    struct bench *b = *state;
    enum { MANY = 1 << 28 };
    const size_t before = resident_mib();
    struct sl_value a = array(b, MANY, FLOATS);
    write(b, a, 5, f32(1));
    write(b, a, MANY - 1, f32(2));
    struct sl_value g = RUN(b, "TensorArrayGradV3", "attr { key: 'source' value { s: 'g' } }", share(a), f32(0));
    write(b, g, MANY - 1, f32(3));
    take_and_expect(read(b, g, MANY - 1), "[]", "3");
    take_and_expect(read(b, a, MANY - 1), "[]", "2");
    take_and_expect(read(b, a, 5), "[]", "1");
    assert_in_range(resident_mib(), 0, before + 200);
    sl_value_clear(&g);
    sl_value_clear(&a);
    struct sl_value list = RUN(
        b, "TensorListReserve",
        "attr { key: 'element_dtype' value { type: DT_FLOAT } } attr { key: 'shape_type' value { type: DT_INT32 } }",
        i32(-1), i32(MANY));
    sl_value_clear(&list);
    assert_in_range(resident_mib(), 0, before + 200);
}

static void a_cancelled_step_reads_no_further(void **state) {
    struct bench *b = *state;
    struct sl_value a = array(b, 1 << 18, FLOATS "attr { key: 'element_shape' value { shape { dim { size: 1 } } } }");
    sl_cancellation_start(b->env.cancellation, SL_CANCELLED, "enough");
    REFUSED(b, SL_CANCELLED, "enough", "TensorArrayConcatV3", FLOATS, a, f32(0));
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_setup, bench_teardown)
    const struct CMUnitTest tests[] = {
        TEST(is_written_once_and_read_once),
        TEST(minds_shapes_and_types),
        TEST(grows_when_dynamic),
        TEST(gradients_add_up_and_are_shared),
        TEST(gathers_and_concatenates),
        TEST(scatters_and_splits),
        TEST(never_shrinks),
        TEST(gradients_may_have_too_many_dimensions),
        TEST(closed_arrays_answer_nothing),
        TEST(is_found_by_name),
        TEST(all_versions_do_the_same),
        TEST(stacks_give_back_the_last),
        TEST(costs_what_is_written),
        TEST(a_cancelled_step_reads_no_further),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
