/* An accelerator beside the CPU: what it computes is what the CPU computes, bit for bit, in loops, conditionals,
 * functions, variables, gradients and beside strings; a host thread that touches its memory dies; errors that come
 * later fail the step; placement asks for kernels. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/transfer.h"
#include "grad/graph/backprop.h"
#include "root/root.h"
#include "session/local_session.h"
#include "unit/fake/fake_device.h"
#include "unit/graph/graph_fixture.h"

#define FLOAT     "T type: DT_FLOAT"
#define INT       "T type: DT_INT32"
#define CONST(v)  "dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape {} float_val: " #v " }"
#define NUMBER(v) "dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape {} int_val: " #v " }"
#define VECTOR(...)                                                                                                    \
    "dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape { dim { size: 4 } } " __VA_ARGS__ " }"
#define FOUR    VECTOR("float_val: 1.5 float_val: -2.25 float_val: 3 float_val: 0.1")
#define FED     "dtype type: DT_FLOAT" /* of a Placeholder "x": four elements */
#define TEXT(s) "dtype type: DT_STRING; value tensor { dtype: DT_STRING tensor_shape {} string_val: '" s "' }"

/* ---- sessions with accelerators */

static struct sl_session *session_with(struct graph_fixture *f, int fakes, bool is_soft) {
    const struct sl_registries *registries;
    struct sl_session *session;
    struct sl_pb_ConfigProto config = {.intra_op_parallelism_threads = 2, .allow_soft_placement = is_soft};
    __typeof__(*config.device_count.items) counts = {.key = SL_STR(FAKE_DEVICE), .value = fakes};
    config.device_count.items = &counts;
    config.device_count.n = 1;
    const struct sl_session_options options = {.config = &config};
    assert_ok(f->err, sl_root_registries(&registries, &f->err));
    assert_ok(f->err, sl_local_session_new(&session, registries, &options, &f->err));
    assert_ok(f->err, sl_session_extend(session, f->graph, &f->err));
    return session;
}

static void graph_of(struct graph_fixture *f, const char *text) {
    const struct sl_registries *registries;
    assert_ok(f->err, sl_root_registries(&registries, &f->err));
    sl_graph_free(f->graph);
    assert_ok(f->err, sl_graph_new(&f->graph, registries->ops, &f->err));
    import_text(f, text, NULL);
}

/* One step; "x" is fed when it is a placeholder. */
static sl_code run(struct graph_fixture *f, struct sl_session *s, struct sl_run r) {
    static const float four[] = {1.5f, -2.25f, 3, 0.1f};
    struct sl_node *node = sl_graph_find(f->graph, SL_STR("x"));
    const struct sl_port x = {node, 0};
    struct sl_tensor *fed = NULL;
    sl_error_clear(&f->err);
    if (node && sl_node_is(node, "Placeholder")) {
        SL_TRY(sl_tensor_new(&fed, SL_FLOAT, (struct sl_shape){1, (int64_t[]){4}}, &f->err));
        memcpy(fed->data, four, sizeof four);
        r.feeds = &x;
        r.feed_tensors = &fed;
        r.n_feeds = 1;
    }
    sl_code code = sl_session_run(s, &r, &f->err);
    sl_tensor_unref(fed);
    return code;
}

static sl_code fetch(struct sl_tensor **out, struct graph_fixture *f, struct sl_session *s, const char *name) {
    struct sl_port port = port_of(f, name, 0);
    return run(f, s, (struct sl_run){.fetches = &port, .fetch_tensors = out, .n_fetches = 1});
}

static sl_code run_target(struct graph_fixture *f, struct sl_session *s, const char *name) {
    struct sl_node *target = node_called(f, name);
    return run(f, s, (struct sl_run){.targets = &target, .n_targets = 1});
}

enum { RUNS = 3 };
/* The bytes that each of RUNS runs gives. */
struct results {
    char bytes[RUNS][512];
    size_t n;
};

static struct results results_of(struct graph_fixture *f, int fakes, const char *engine, const char *init,
                                 const char *name) {
    struct results r = {.n = 0};
    setenv("SLUICE_EXEC", engine, 1);
    struct sl_session *s = session_with(f, fakes, true);
    if (init) assert_ok(f->err, run_target(f, s, init));
    for (int i = 0; i < RUNS; i++) {
        struct sl_tensor *t;
        assert_ok(f->err, fetch(&t, f, s, name));
        assert_null(sl_tensor_memory(t));
        assert_true(t->bytes <= sizeof r.bytes[i]);
        memcpy(r.bytes[i], t->data, t->bytes);
        r.n = t->bytes;
        sl_tensor_unref(t);
    }
    sl_session_free(s);
    return r;
}

/* The same from the CPU alone, from an accelerator in both forms, and from two, with pauses and without. */
static void expect_same(struct graph_fixture *f, const char *text, const char *init, const char *name) {
    graph_of(f, text);
    const struct results host = results_of(f, 0, "linear", init, name);
    unsigned long before = fake_counts().kernels;
    for (int i = 0; i < 6; i++) {
        fake_set_pauses((uint64_t)i, i % 2 ? 200000 : 0);
        const struct results got = results_of(f, 1 + (i > 3), i & 2 ? "frames" : "linear", init, name);
        assert_int_equal(got.n, host.n);
        for (int r = 0; r < RUNS; r++) assert_memory_equal(got.bytes[r], host.bytes[r], host.n);
    }
    assert_true(fake_counts().kernels > before);
}

/* And nothing is copied to the host but what is fetched: the object holds what lies there as it is. */
static void expect_kept(struct graph_fixture *f, const char *text, const char *name) {
    expect_same(f, text, NULL, name);
    struct sl_session *s = session_with(f, 1, true);
    for (int i = 0; i < 2; i++) {
        unsigned long before = fake_counts().copies_out;
        struct sl_tensor *t;
        assert_ok(f->err, fetch(&t, f, s, name));
        sl_tensor_unref(t);
        assert_int_equal(fake_counts().copies_out, before + 1);
    }
    sl_session_free(s);
}

/* ---- what it computes */

GRAPH_TEST(kernels_run_there) {
    expect_same(f,
                "x = Placeholder() " FED "\n b = Const() " VECTOR(
                    "float_val: 4 float_val: 3 float_val: 2 float_val: 1") "\n c = Mul(x, b) " FLOAT
                                                                           "\n d = Tanh(c) " FLOAT
                                                                           "\n e = Add(d, x) " FLOAT
                                                                           "\n axis = Const() " NUMBER(
                                                                               0) "\n s = Sum(e, axis) " FLOAT
                                                                                  "; Tidx type: DT_INT32\n n = Sub(e, "
                                                                                  "s) " FLOAT,
                NULL, "n");
}

GRAPH_TEST(shapes_are_the_hosts) {
    expect_same(f,
                "x = Placeholder() " FED "\n n = Neg(x) " FLOAT "\n s = Shape(n) " FLOAT "; out_type type: DT_INT32\n"
                "two = Const() dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } "
                "int_val: 2 int_val: -1 }\n m = Reshape(n, two) " FLOAT
                "; Tshape type: DT_INT32\n p = MatMul(m, m) " FLOAT "\n r = Reshape(p, s) " FLOAT
                "; Tshape type: DT_INT32\n q = Add(r, n) " FLOAT,
                NULL, "q");
}

GRAPH_TEST(two_of_them_and_the_cpu) {
    unsigned long before = fake_counts().copies_across;
    expect_same(f,
                "x = Placeholder()@/cpu:0 " FED "\n b = Neg(x)@/device:FAKE:0 " FLOAT
                "\n c = Exp(b)@/device:FAKE:1 " FLOAT "\n d = Log(c)@/cpu:0 " FLOAT
                "\n e = Mul(d, b)@/device:FAKE:1 " FLOAT,
                NULL, "e");
    assert_true(fake_counts().copies_across > before);
}

/* ---- control flow */

GRAPH_TEST(loops_of_frames) {
    const char *loop =
        "i0 = Const() " NUMBER(0) "\n x0 = Const() " FOUR "\n limit = Const() " NUMBER(9) "\n one = Const() " NUMBER(
            1) "\n ie = Enter(i0) " INT "; frame_name s: 'f'\n xe = Enter(x0) " FLOAT "; frame_name s: 'f'\n"
               "le = Enter(limit) " INT "; frame_name s: 'f'; is_constant b: true\n oe = Enter(one) " INT
               "; frame_name s: 'f'; is_constant b: true\n im = Merge(ie, in) " INT
               "; N i: 2\n xm = Merge(xe, xn) " FLOAT "; N i: 2\n less = Less(im, le) " INT
               "\n go = LoopCond(less)\n is = Switch(im, go) " INT "\n xs = Switch(xm, go) " FLOAT
               "\n ib = Add(is:1, oe) " INT "\n xb = Cos(xs:1) " FLOAT "\n xc = Mul(xb, xs:1) " FLOAT
               "\n in = NextIteration(ib) " INT "\n xn = NextIteration(xc) " FLOAT "\n x = Exit(xs) " FLOAT
               "\n y = Neg(x) " FLOAT;
    expect_same(f, loop, NULL, "y");
}

/* The predicate is computed by the accelerator: x grows until its largest element is above the limit. */
GRAPH_TEST(loops_on_a_device_predicate) {
    const char *loop = "x0 = Const() " FOUR "\n limit = Const() " CONST(50) "\n axis = Const() " NUMBER(
        0) "\n xe = Enter(x0) " FLOAT "; frame_name s: 'f'\n le = Enter(limit) " FLOAT
           "; frame_name s: 'f'; is_constant b: true\n ae = Enter(axis) " INT
           "; frame_name s: 'f'; is_constant b: true\n"
           "xm = Merge(xe, xn) " FLOAT "; N i: 2\n most = Max(xm, ae) " FLOAT
           "; Tidx type: DT_INT32\n less = Less(most, le) " FLOAT "\n go = LoopCond(less)\n xs = Switch(xm, go) " FLOAT
           "\n xb = Add(xs:1, xs:1) " FLOAT "\n xn = NextIteration(xb) " FLOAT "\n x = Exit(xs) " FLOAT;
    unsigned long before = fake_counts().copies_out;
    expect_same(f, loop, NULL, "x");
    assert_true(fake_counts().copies_out > before + 6 * RUNS * 5); /* one an iteration */
}

GRAPH_TEST(conditionals) {
    expect_same(f,
                "x = Placeholder() " FED "\n axis = Const() " NUMBER(
                    0) "\n s = Sum(x, axis) " FLOAT "; Tidx type: DT_INT32\n"
                       "one = Const() " CONST(1) "\n p = Greater(s, one) " FLOAT "\n w = Switch(x, p) " FLOAT
                                                 "\n no = Neg(w) " FLOAT "\n yes = Exp(w:1) " FLOAT
                                                 "\n m = Merge(no, yes) " FLOAT
                                                 "; N i: 2\n which = Cast(m:1) SrcT type: DT_INT32; "
                                                 "DstT type: DT_FLOAT\n r = Add(m, which) " FLOAT,
                NULL, "r");
}

#define FUNCTIONS                                                                                                      \
    "\n| library { function { signature { name: 'grow' input_arg { name: 'i' type: DT_INT32 } input_arg { name: 'x' "  \
    "type: DT_FLOAT } output_arg { name: 'j' type: DT_INT32 } output_arg { name: 'y' type: DT_FLOAT } } "              \
    "node_def { name: 'one' op: 'Const' attr { key: 'dtype' value { type: DT_INT32 } } attr { key: 'value' value { "   \
    "tensor { dtype: DT_INT32 tensor_shape {} int_val: 1 } } } } "                                                     \
    "node_def { name: 'j' op: 'AddV2' input: 'i' input: 'one:output' attr { key: 'T' value { type: DT_INT32 } } } "    \
    "node_def { name: 'y' op: 'Sin' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } } "                          \
    "ret { key: 'j' value: 'j:z' } ret { key: 'y' value: 'y:y' } } "                                                   \
    "function { signature { name: 'more' input_arg { name: 'i' type: DT_INT32 } input_arg { name: 'x' type: DT_FLOAT " \
    "} output_arg { name: 'm' type: DT_BOOL } } "                                                                      \
    "node_def { name: 'c' op: 'Cast' input: 'i' attr { key: 'SrcT' value { type: DT_INT32 } } attr { key: 'DstT' "     \
    "value "                                                                                                           \
    "{ type: DT_FLOAT } } } "                                                                                          \
    "node_def { name: 'five' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'value' value { "  \
    "tensor { dtype: DT_FLOAT tensor_shape {} float_val: 5 } } } } "                                                   \
    "node_def { name: 'm' op: 'Less' input: 'c:y' input: 'five:output' attr { key: 'T' value { type: DT_FLOAT } } } "  \
    "ret { key: 'm' value: 'm:z' } } "                                                                                 \
    "function { signature { name: 'up' input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: DT_FLOAT "  \
    "} "                                                                                                               \
    "} node_def { name: 'y' op: 'Exp' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } } ret { key: 'y' value: "  \
    "'y:y' } } "                                                                                                       \
    "function { signature { name: 'down' input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: "         \
    "DT_FLOAT "                                                                                                        \
    "} } node_def { name: 'y' op: 'Neg' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } } ret { key: 'y' "       \
    "value: "                                                                                                          \
    "'y:y' } } }"
#define LOOP_ATTRS "T list { type: DT_INT32 type: DT_FLOAT }; cond func { name: 'more' }; body func { name: 'grow' }"

GRAPH_TEST(loops_of_functions) {
    static const char *const lowered[] = {"; _lower_using_switch_merge b: true", ""};
    char text[4096];
    for (int i = 0; i < 2; i++) { /* as loops, and as calls */
        snprintf(text, sizeof text,
                 "i = Const() " NUMBER(0) "\n x = Placeholder() " FED "\n w = StatelessWhile(i, x) " LOOP_ATTRS "%s"
                                          "\n y = Cos(w:1) " FLOAT FUNCTIONS,
                 lowered[i]);
        expect_same(f, text, NULL, "y");
    }
}

GRAPH_TEST(conditionals_of_functions) {
    expect_same(f,
                "x = Placeholder() " FED "\n axis = Const() " NUMBER(
                    0) "\n s = Sum(x, axis) " FLOAT
                       "; Tidx type: DT_INT32\n one = Const() " CONST(
                           1) "\n p = Greater(s, one) " FLOAT "\n c = StatelessIf(p, x) Tcond type: DT_BOOL; Tin list "
                              "{ type: DT_FLOAT }; Tout list { type: DT_FLOAT }; "
                              "then_branch func { name: 'up' }; else_branch func { name: 'down' }\n"
                              "d = PartitionedCall(c) Tin list { type: DT_FLOAT }; Tout list { type: DT_FLOAT }; f "
                              "func { name: 'down' }\n"
                              "y = Sqrt(d) " FLOAT FUNCTIONS,
                NULL, "c");
}

/* A function is called on the CPU, where its nodes stay, and on the accelerator. */
GRAPH_TEST(functions_compute_where_they_are_called) {
    graph_of(f, "x = Placeholder() " FED
                "\n a = PartitionedCall(x)@/cpu:0 Tin list { type: DT_FLOAT }; Tout list { type: DT_FLOAT }; "
                "f func { name: 'up' }" FUNCTIONS);
    struct sl_session *s = session_with(f, 1, true);
    struct sl_tensor *t;
    unsigned long before = fake_counts().kernels;
    assert_ok(f->err, fetch(&t, f, s, "a"));
    sl_tensor_unref(t);
    sl_session_free(s);
    assert_int_equal(fake_counts().kernels, before);
}

/* ---- variables */

#define VARIABLE                                                                                                       \
    "v = VarHandleOp() dtype type: DT_FLOAT; shape shape { dim { size: 4 } }; shared_name s: 'v'\n x = Const() " FOUR  \
    "\n first = AssignVariableOp(v, x) dtype type: DT_FLOAT\n"

GRAPH_TEST(variables_live_there) {
    expect_same(
        f,
        VARIABLE
        "more = AssignAddVariableOp(v, x) dtype type: DT_FLOAT\n r = ReadVariableOp(v, ^more) dtype type: DT_FLOAT\n"
        "rate = Const() " CONST(0.125) "\n step = ResourceApplyGradientDescent(v, rate, r) " FLOAT
                                       "\n now = ReadVariableOp(v, ^step) dtype type: DT_FLOAT\n y = Exp(now) " FLOAT,
        "first", "y");
}

GRAPH_TEST(variables_by_reference) {
    expect_same(f,
                "v = VariableV2() dtype type: DT_FLOAT; shape shape { dim { size: 4 } }\n x = Const() " FOUR
                "\n first = Assign(v, x) " FLOAT "\n more = AssignAdd(v, x) " FLOAT "\n n = Neg(more) " FLOAT
                "\n s = Square(n) " FLOAT,
                "first", "s");
}

/* Rows of a variable on the accelerator are asked for by indices that the CPU makes of strings. */
GRAPH_TEST(strings_beside_them) {
    expect_same(f,
                VARIABLE "text = Const() " TEXT(
                    "2") "\n i = StringToNumber(text) out_type type: DT_INT32\n g = ResourceGather(v, i) dtype "
                         "type: DT_FLOAT; Tindices type: DT_INT32\n n = Neg(g) " FLOAT "\n s = AsString(n) " FLOAT
                         "\n m = StringToNumber(s) out_type type: DT_FLOAT\n y = Mul(m, g) " FLOAT,
                "first", "y");
}

/* Random numbers and the elements of lists. */
GRAPH_TEST(lists_hold_what_lies_there) {
    expect_same(
        f,
        "x = Placeholder() " FED
        "\n shape = Const() " NUMBER(-1) "\n n = Const() " NUMBER(2) "\n zero = Const() " NUMBER(
            0) "\n one = Const() " NUMBER(1) "\n e = Exp(x) " FLOAT "\n l = TensorListReserve(shape, n) element_dtype "
                                             "type: DT_FLOAT; shape_type type: DT_INT32\n"
                                             "l0 = TensorListSetItem(l, zero, e) element_dtype type: DT_FLOAT\n l1 = "
                                             "TensorListSetItem(l0, one, x) element_dtype type: DT_FLOAT\n"
                                             "g = TensorListGetItem(l1, zero, shape) element_dtype type: DT_FLOAT\n s "
                                             "= TensorListStack(l1, shape) element_dtype type: DT_FLOAT\n"
                                             "y = Mul(s, g) " FLOAT,
        NULL, "y");
}

/* ---- objects that hold values */

#define HELD_TYPES   "list { type: DT_FLOAT type: DT_INT32 type: DT_INT64 }"
#define WIDE(v)      "dtype type: DT_INT64; value tensor { dtype: DT_INT64 tensor_shape {} int64_val: " #v " }"
#define INDICES(...) "dtype type: DT_INT32; value tensor { dtype: DT_INT32 " __VA_ARGS__ " }"
/* "e", a float and an int64 of the device, and "i", an int32 of the host. */
#define VALUES                                                                                                         \
    "x = Placeholder() " FED "\n zero = Const() " NUMBER(0) "\n one = Const() " NUMBER(1) "\n i = Const() " NUMBER(    \
        5) "\n w = Const() " WIDE(7) "\n e = Exp(x) " FLOAT "\n v = Square(w) T type: DT_INT64\n"

GRAPH_TEST(stacks_hold_what_lies_there) {
    expect_kept(f,
                VALUES "s = StackV2(one) elem_type type: DT_FLOAT\n put = StackPushV2(s, e) " FLOAT
                       "\n got = StackPopV2(s, ^put) elem_type type: DT_FLOAT\n y = Mul(got, x) " FLOAT,
                "y");
}

GRAPH_TEST(optionals_hold_what_lies_there) {
    const char *held = VALUES "o = OptionalFromValue(e, i, v) Toutput_types " HELD_TYPES
                              "\n g = OptionalGetValue(o) output_types " HELD_TYPES
                              "; output_shapes list { shape { unknown_rank: true } shape {} shape {} }\n"
                              "h = Cast(g:1) SrcT type: DT_INT32; DstT type: DT_FLOAT\n"
                              "k = Cast(g:2) SrcT type: DT_INT64; DstT type: DT_FLOAT\n"
                              "a = Mul(g, h) " FLOAT "\n y = Add(a, k) " FLOAT;
    expect_kept(f, held, "y");
    expect_same(f, /* added on the host */
                VALUES "o = OptionalFromValue(e) Toutput_types list { type: DT_FLOAT }\n p = OptionalFromValue(x) "
                       "Toutput_types list { type: DT_FLOAT }\n s = AddN(o, p) T type: DT_VARIANT; N i: 2\n"
                       "g = OptionalGetValue(s) output_types list { type: DT_FLOAT }; output_shapes list { shape { "
                       "unknown_rank: true } }\n y = Neg(g) " FLOAT,
                NULL, "y");
}

GRAPH_TEST(composite_variants_hold_what_lies_there) {
    expect_kept(f,
                VALUES
                "c = CompositeTensorVariantFromComponents(e, i) Tcomponents list { type: DT_FLOAT type: DT_INT32 "
                "}; metadata s: ''\n g = CompositeTensorVariantToComponents(c) Tcomponents list { type: DT_FLOAT "
                "type: DT_INT32 }; metadata s: ''\n y = Neg(g) " FLOAT,
                "y");
}

/* Keys are looked at, and so are the host's. */
GRAPH_TEST(maps_hold_what_lies_there) {
#define MAP(key, type)                                                                                                 \
    "m = EmptyTensorMap()\n n = TensorMapInsert(m, " key ", e) key_dtype type: " type                                  \
    "; value_dtype type: DT_FLOAT\n g = TensorMapLookup(n, " key ") key_dtype type: " type                             \
    "; value_dtype type: DT_FLOAT\n y = Mul(g, x) " FLOAT
    expect_kept(f, VALUES MAP("w", "DT_INT64"), "y");
    expect_same(f, VALUES MAP("v", "DT_INT64"), NULL, "y"); /* computed there */
    expect_same(f, VALUES MAP("x", "DT_FLOAT"), NULL, "y");
}

GRAPH_TEST(staging_areas_hold_what_lies_there) {
    expect_kept(f,
                VALUES "put = Stage(e, i, v) dtypes " HELD_TYPES "; shared_name s: 'area'\n"
                       "peek = StagePeek(zero, ^put) dtypes " HELD_TYPES "; shared_name s: 'area'\n"
                       "got = Unstage(^peek) dtypes " HELD_TYPES "; shared_name s: 'area'\n y = Add(got, peek) " FLOAT,
                "y");
}

GRAPH_TEST(staging_areas_by_key) {
#define MAP_AREA "dtypes list { type: DT_FLOAT type: DT_INT32 }; shared_name s: 'area'"
#define BOTH     "two = Const() " INDICES("tensor_shape { dim { size: 2 } } int_val: 0 int_val: 1") "\n"
    expect_kept(f,
                VALUES BOTH "put = MapStage(w, two, e, i) " MAP_AREA
                            "; fake_dtypes list { type: DT_FLOAT type: DT_INT32 "
                            "}\n peek = MapPeek(w, two, ^put) " MAP_AREA "\n got = MapUnstage(w, two, ^peek) " MAP_AREA
                            "\n y = Add(got, peek) " FLOAT,
                "y");
    expect_same(f,
                VALUES BOTH "put = OrderedMapStage(v, two, e, i) " MAP_AREA
                            "; fake_dtypes list { type: DT_FLOAT type: DT_INT32 }\n"
                            "got = OrderedMapUnstageNoKey(two, ^put) " MAP_AREA
                            "\n k = Cast(got) SrcT type: DT_INT64; DstT type: DT_FLOAT\n y = Mul(got:1, k) " FLOAT,
                NULL, "y");
}

GRAPH_TEST(tensors_of_a_session_stay_there) {
    expect_kept(f,
                VALUES "h = GetSessionHandle(e) " FLOAT
                       "\n t = GetSessionTensor(h) dtype type: DT_FLOAT\n y = Neg(t) " FLOAT,
                "y");
}

/* What one device has put in, another one and the CPU take out. */
GRAPH_TEST(objects_are_shared_by_devices) {
    static const char *const devices[][2] = {{"/device:FAKE:0", "/device:FAKE:1"},
                                             {"/device:FAKE:0", "/cpu:0"},
                                             {"/cpu:0", "/device:FAKE:0"}};
    char text[4096];
    for (int i = 0; i < 3; i++) {
        const char *a = devices[i][0], *b = devices[i][1];
        snprintf(text, sizeof text,
                 VALUES "put = Stage(e)@%s dtypes list { type: DT_FLOAT }; shared_name s: 'area'\n"
                        "got = Unstage(^put)@%s dtypes list { type: DT_FLOAT }; shared_name s: 'area'\n"
                        "o = OptionalFromValue(e)@%s Toutput_types list { type: DT_FLOAT }\n"
                        "g = OptionalGetValue(o)@%s output_types list { type: DT_FLOAT }; output_shapes list { shape { "
                        "unknown_rank: true } }\n m = EmptyTensorMap()@%s\n n = TensorMapInsert(m, zero, e)@%s "
                        "key_dtype type: DT_INT32; value_dtype type: DT_FLOAT\n l = TensorMapLookup(n, zero)@%s "
                        "key_dtype type: DT_INT32; value_dtype type: DT_FLOAT\n h = GetSessionHandle(e)@%s " FLOAT
                        "\n t = GetSessionTensor(h)@%s dtype type: DT_FLOAT\n p = Add(got, g)@%s " FLOAT
                        "\n q = Mul(p, l)@%s " FLOAT "\n y = Add(q, t)@%s " FLOAT,
                 a, b, a, b, a, a, b, a, b, b, b, b);
        expect_same(f, text, NULL, "y");
    }
}

/* ---- TensorArrays */

#define ARRAY "a = TensorArrayV3(size) dtype type: DT_FLOAT\n"
#define TWO_WRITES                                                                                                     \
    VALUES "size = Const() " NUMBER(2) "\n" ARRAY "w0 = TensorArrayWriteV3(a, zero, e, a:1) " FLOAT                    \
                                       "\n w1 = TensorArrayWriteV3(a, one, x, w0) " FLOAT "\n"
#define ROWS "rows = Const() " INDICES("tensor_shape { dim { size: 2 } } int_val: 1 int_val: 0") "\n"

GRAPH_TEST(arrays_hold_what_lies_there) {
    expect_kept(f,
                TWO_WRITES
                "r0 = TensorArrayReadV3(a, zero, w1) dtype type: DT_FLOAT\n r1 = TensorArrayReadV3(a, one, w1) dtype "
                "type: DT_FLOAT\n n = TensorArraySizeV3(a, w1)\n c = Cast(n) SrcT type: DT_INT32; DstT type: DT_FLOAT\n"
                "d = Mul(r0, c) " FLOAT "\n s = Sub(d, r1) " FLOAT "\n y = Add(s, w1) " FLOAT /* the flow, too */
                "\n z = TensorArrayCloseV3(a, ^y)",
                "y");
}

/* The handles that were references and strings. */
GRAPH_TEST(arrays_of_old_versions) {
    static const char *const versions[] = {"V2", ""};
    char text[4096];
    for (int i = 0; i < 2; i++) {
        const char *v = versions[i];
        snprintf(text, sizeof text,
                 VALUES "a = TensorArray%s(one) dtype type: DT_FLOAT\n flow = Const() " CONST(
                     0) "\n"
                        "p = TensorArrayWrite%s(a, zero, e, flow) " FLOAT
                        "\n r = TensorArrayRead%s(a, zero, p) dtype type: DT_FLOAT\n y = Neg(r) " FLOAT,
                 v, v, v);
        expect_kept(f, text, "y");
    }
}

/* Put together and taken apart on the host. */
GRAPH_TEST(arrays_as_whole_tensors) {
    expect_same(f, TWO_WRITES ROWS "g = TensorArrayGatherV3(a, rows, w1) dtype type: DT_FLOAT\n y = Square(g) " FLOAT,
                NULL, "y");
    expect_same(f, TWO_WRITES "g = TensorArrayConcatV3(a, w1) dtype type: DT_FLOAT\n y = Square(g) " FLOAT, NULL, "y");
    expect_same(f,
                VALUES "size = Const() " NUMBER(
                    2) "\n" ARRAY ROWS "t = Pack(e, x) " FLOAT
                       "; N i: 2\n s = TensorArrayScatterV3(a, rows, t, a:1) " FLOAT
                       "\n r = TensorArrayReadV3(a, zero, s) dtype type: DT_FLOAT\n y = Square(r) " FLOAT,
                NULL, "y");
    expect_same(f,
                VALUES "size = Const() " NUMBER(
                    2) "\n" ARRAY "lengths = Const() dtype type: DT_INT64; value tensor { "
                       "dtype: DT_INT64 tensor_shape { dim { size: 2 } } int64_val: 1 int64_val: 3 }\n"
                       "s = TensorArraySplitV3(a, e, lengths, a:1) " FLOAT
                       "\n r = TensorArrayReadV3(a, one, s) dtype type: DT_FLOAT\n y = Square(r) " FLOAT,
                NULL, "y");
}

/* Writes to one place add up. */
GRAPH_TEST(arrays_of_gradients) {
    expect_same(f,
                TWO_WRITES "d = TensorArrayGradV3(a, w1) source s: 'g'\n g0 = TensorArrayWriteV3(d, one, e, d:1) " FLOAT
                           "\n g1 = TensorArrayWriteV3(d, one, x, g0) " FLOAT
                           "\n r = TensorArrayReadV3(d, one, g1) dtype type: DT_FLOAT\n"
                           "n = TensorArrayReadV3(d, zero, g1) dtype type: DT_FLOAT\n y = Add(r, n) " FLOAT,
                NULL, "y");
}

/* Each iteration reads what the one before has written; in the loop nothing comes to the host. */
GRAPH_TEST(arrays_in_loops) {
    expect_kept(
        f,
        VALUES "size = Const() " NUMBER(6) "\n limit = Const() " NUMBER(
            5) "\n" ARRAY "first = TensorArrayWriteV3(a, zero, x, a:1) " FLOAT "\n ie = Enter(zero) " INT
               "; frame_name s: 'f'\n fe = Enter(first) " FLOAT "; frame_name s: 'f'\n le = Enter(limit) " INT
               "; frame_name s: 'f'; is_constant b: true\n oe = Enter(one) " INT
               "; frame_name s: 'f'; is_constant b: true\n ae = Enter(a) T type: DT_RESOURCE; frame_name s: 'f'; "
               "is_constant b: true\n im = Merge(ie, in) " INT "; N i: 2\n fm = Merge(fe, fn) " FLOAT
               "; N i: 2\n less = Less(im, le) " INT "\n go = LoopCond(less)\n is = Switch(im, go) " INT
               "\n fs = Switch(fm, go) " FLOAT
               "\n r = TensorArrayReadV3(ae, is:1, fs:1) dtype type: DT_FLOAT\n c = Cos(r) " FLOAT
               "\n ib = Add(is:1, oe) " INT "\n put = TensorArrayWriteV3(ae, ib, c, fs:1) " FLOAT
               "\n in = NextIteration(ib) " INT "\n fn = NextIteration(put) " FLOAT "\n flow = Exit(fs) " FLOAT
               "\n last = TensorArrayReadV3(a, limit, flow) dtype type: DT_FLOAT\n y = Neg(last) " FLOAT,
        "y");
}

/* ---- gradients */

GRAPH_TEST(gradients_of_a_step) {
    struct sl_gradient dx;
    graph_of(f, "x = Placeholder() " FED "\n two = Const() dtype type: DT_INT32; value tensor { dtype: DT_INT32 "
                "tensor_shape { dim { size: 2 } } int_val: 2 }\n"
                "m = Reshape(x, two) " FLOAT "; Tshape type: DT_INT32\n p = MatMul(m, m) " FLOAT "\n t = Tanh(p) " FLOAT
                "\n l = L2Loss(t) " FLOAT);
    struct sl_port y = port_of(f, "l", 0), x = port_of(f, "x", 0);
    const struct sl_gradient_spec spec = {.ys = &y, .n_ys = 1, .xs = &x, .n_xs = 1, .scope = SL_STR("gradients")};
    assert_ok(f->err, sl_graph_gradients(&dx, f->graph, &spec, &f->err));
    const char *name = sl_arena_format(&f->arena, "%.*s", SL_STR_ARG(dx.values.node->name));
    const struct results host = results_of(f, 0, "linear", NULL, name), fake = results_of(f, 1, "linear", NULL, name);
    assert_int_equal(host.n, 16);
    for (int r = 0; r < RUNS; r++) assert_memory_equal(fake.bytes[r], host.bytes[r], host.n);
}

/* ---- placement */

GRAPH_TEST(what_has_no_kernel_there) {
    graph_of(f, "x = Placeholder() " FED "\n y = Erf(x)@/device:FAKE:0 " FLOAT "\n z = Neg(y) " FLOAT);
    struct sl_tensor *t;
    struct sl_session *hard = session_with(f, 1, false), *soft = session_with(f, 1, true);
    assert_fails(f->err, SL_INVALID_ARGUMENT,
                 "Cannot assign a device for operation y: Could not satisfy explicit device specification "
                 "'/device:FAKE:0' because no "
                 "supported kernel for FAKE devices is available.",
                 fetch(&t, f, hard, "z"));
    assert_ok(f->err, fetch(&t, f, soft, "z"));
    sl_tensor_unref(t);
    sl_session_free(hard);
    sl_session_free(soft);
}

GRAPH_TEST(devices_are_listed_by_type) {
    graph_of(f, "x = Const() " FOUR);
    struct sl_session *s = session_with(f, 2, true);
    const char *name, *type;
    int64_t memory;
    uint64_t incarnation;
    assert_true(sl_session_device(&name, &type, &memory, &incarnation, s, 2));
    assert_string_equal(name, "/job:localhost/replica:0/task:0/device:FAKE:1");
    assert_string_equal(type, FAKE_DEVICE);
    sl_session_free(s);
}

/* ---- later */

/* The index is wrong, which only the device finds out, when the kernel has long returned. */
GRAPH_TEST(errors_come_later) {
    graph_of(f, "x = Placeholder() " FED "\n i = Const() dtype type: DT_INT64; value tensor { dtype: DT_INT64 "
                "tensor_shape {} int64_val: 7 }\n n = Neg(x) " FLOAT
                "\n axis = Const() " NUMBER(0) "\n g = GatherV2(n, i, axis) Tparams type: DT_FLOAT; Tindices type: "
                                               "DT_INT64; Taxis type: DT_INT32\n y = Exp(g) " FLOAT
                                               "\n ok = Exp(n) " FLOAT);
    for (int engine = 0; engine < 2; engine++) {
        setenv("SLUICE_EXEC", engine ? "frames" : "linear", 1);
        struct sl_session *s = session_with(f, 1, true);
        struct sl_tensor *t;
        assert_fails(f->err, SL_INVALID_ARGUMENT, "{{node g}}", fetch(&t, f, s, "y"));
        assert_fails(f->err, SL_INVALID_ARGUMENT, "{{node g}}", run_target(f, s, "y")); /* nothing is fetched */
        assert_ok(f->err, fetch(&t, f, s, "ok")); /* that step's error is nobody else's */
        sl_tensor_unref(t);
        sl_session_free(s);
    }
}

/* ---- the memory itself */

static struct sl_device_set open_fakes(struct sl_error *err) {
    const struct sl_device_request requests[] = {{&sl_host_device_type, 1}, {fake_backend.device, 1}};
    struct sl_device_set set;
    assert_ok(*err, sl_device_set_open(&set, SL_STR("/job:localhost/replica:0/task:0"), requests, 2, 1, err));
    return set;
}

GRAPH_TEST(values_go_there_and_back) {
    struct sl_device_set set = open_fakes(&f->err);
    struct sl_memory *memory = set.items[1].memory;
    struct sl_value v = {.kind = SL_VALUE_SCALAR, .dtype = SL_FLOAT, .f32 = 1.25f};
    struct sl_tensor *copy, *view;
    assert_ok(f->err, sl_value_settle(&v, memory, 0, &f->err));
    assert_int_equal(v.kind, SL_VALUE_TENSOR);
    assert_ptr_equal(sl_value_memory(&v), memory);
    assert_ok(f->err, sl_tensor_view(&view, v.tensor, SL_FLOAT, (struct sl_shape){1, (int64_t[]){1}}, 0, &f->err));
    assert_ptr_equal(sl_tensor_memory(view), memory);
    assert_ok(f->err, sl_tensor_copy(&copy, view, &f->err));
    sl_tensor_unref(view);
    sl_value_clear(&v); /* goes when the copy has been made, though that has not begun */
    v = sl_value_of_tensor(copy);
    assert_ok(f->err, sl_value_settle(&v, NULL, 0, &f->err));
    assert_true(*(const float *)sl_value_on_host(&v).data == 1.25f);
    sl_value_clear(&v);
    sl_device_set_clear(&set);
}

GRAPH_TEST(a_touch_from_the_host_faults) {
    struct sl_device_set set = open_fakes(&f->err);
    struct sl_tensor *t;
    int status;
    assert_ok(f->err, sl_tensor_new_in(&t, set.items[1].memory, SL_FLOAT, SL_SHAPE_SCALAR, &f->err));
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        _exit(*(volatile float *)t->data == 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    sl_tensor_unref(t);
    sl_device_set_clear(&set);
}

int main(void) {
    const struct CMUnitTest tests[] = {graph_unit_test(kernels_run_there),
                                       graph_unit_test(shapes_are_the_hosts),
                                       graph_unit_test(two_of_them_and_the_cpu),
                                       graph_unit_test(loops_of_frames),
                                       graph_unit_test(loops_on_a_device_predicate),
                                       graph_unit_test(conditionals),
                                       graph_unit_test(loops_of_functions),
                                       graph_unit_test(conditionals_of_functions),
                                       graph_unit_test(functions_compute_where_they_are_called),
                                       graph_unit_test(variables_live_there),
                                       graph_unit_test(variables_by_reference),
                                       graph_unit_test(strings_beside_them),
                                       graph_unit_test(lists_hold_what_lies_there),
                                       graph_unit_test(stacks_hold_what_lies_there),
                                       graph_unit_test(optionals_hold_what_lies_there),
                                       graph_unit_test(composite_variants_hold_what_lies_there),
                                       graph_unit_test(maps_hold_what_lies_there),
                                       graph_unit_test(staging_areas_hold_what_lies_there),
                                       graph_unit_test(staging_areas_by_key),
                                       graph_unit_test(tensors_of_a_session_stay_there),
                                       graph_unit_test(objects_are_shared_by_devices),
                                       graph_unit_test(arrays_hold_what_lies_there),
                                       graph_unit_test(arrays_of_old_versions),
                                       graph_unit_test(arrays_as_whole_tensors),
                                       graph_unit_test(arrays_of_gradients),
                                       graph_unit_test(arrays_in_loops),
                                       graph_unit_test(gradients_of_a_step),
                                       graph_unit_test(what_has_no_kernel_there),
                                       graph_unit_test(devices_are_listed_by_type),
                                       graph_unit_test(errors_come_later),
                                       graph_unit_test(values_go_there_and_back),
                                       graph_unit_test(a_touch_from_the_host_faults)};
    struct sl_error err = {0};
    setenv("SLUICE_CHECK", "1", 1);
    if (sl_root_add_backend(&fake_backend, &err) != SL_OK) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
