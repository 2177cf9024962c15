/* graph/infer, constants, constant_shapes: shapes that flow through a graph, values known beforehand, vectors read
 * as shapes, calls inferred through bodies, loops, messages. The expected shapes and texts are what TensorFlow 2.21
 * gave. */
#include "unit/graph/graph_fixture.h"

#define F              " T type: DT_FLOAT"
#define PH(name, dims) name " = Placeholder() dtype type: DT_FLOAT; shape shape { " dims " }\n"
#define DIM(n)         "dim { size: " #n " } "
#define INTS(name, n, values)                                                                                          \
    name " = Const() dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape { dim { size: " #n              \
         " } } int_val: [" values "] }\n"
#define INT(name, value)                                                                                               \
    name " = Const() dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape { } int_val: " value " }\n"
#define SHAPE(name, of) name " = Shape(" of ")" F "\n"
#define SLICE(name, of, attrs)                                                                                         \
    INTS(name "b", 1, "1")                                                                                             \
    INTS(name "e", 1, "3")                                                                                             \
    INTS(name "s", 1, "1")                                                                                             \
    name " = StridedSlice(" of ", " name "b, " name "e, " name "s) T type: DT_INT32; Index type: DT_INT32" attrs "\n"
#define FILL(dims) PH("zero", "") "c = Fill(" dims ", zero)" F "\n"
#define NEW        "| versions { producer: 2474 }"

/* ---- shapes of vectors */
static const struct {
    const char *def, *shape; /* of node c */
} filled[] = {
    {INTS("d", 2, "3, 4") FILL("d"), "[3,4]"},
    {INTS("d", 0, "") FILL("d"), "[]"},
    {"d = Placeholder() dtype type: DT_INT32; shape shape { dim { size: 3 } }\n" FILL("d"), "[?,?,?]"},
    {"d = Placeholder() dtype type: DT_INT32; shape shape { unknown_rank: true }\n" FILL("d"), "<unknown>"},
    {PH("w", DIM(3) DIM(-1)) SHAPE("d", "w") FILL("d"), "[3,?]"},
    {PH("w", DIM(3) DIM(-1)) PH("v", DIM(7)) "n = ShapeN(w, v) N i: 2; T type: DT_FLOAT\n" FILL("n:1"), "[7]"},
    {PH("w", DIM(3) DIM(-1) DIM(5)) SHAPE("h", "w") SLICE("d", "h", "") FILL("d"), "[?,5]"},
    {PH("w", DIM(3) DIM(-1) DIM(5)) SHAPE("h", "w") SLICE("d", "h", "; end_mask i: 1; begin_mask i: 1") FILL("d"),
     "[3,?,5]"},
    {PH("w", DIM(3) DIM(-1) DIM(5)) SHAPE("h", "w") INTS("b", 1, "2") INTS("e", 1, "0")
         INTS("s", 1, "-1") "d = StridedSlice(h, b, e, s) T type: DT_INT32; Index type: DT_INT32\n" FILL("d"),
     "[5,?]"},
    {PH("w", DIM(3) DIM(-1)) SHAPE("h", "w") SLICE("x", "h", "; shrink_axis_mask i: 1")
         INT("k", "7") "d = Pack(x, k) T type: DT_INT32; N i: 2\n" FILL("d"),
     "[?,7]"},
    {PH("w", DIM(3) DIM(-1)) SHAPE("h", "w") INTS("k", 1, "7")
         INT("a", "0") "d = ConcatV2(h, k, a) T type: DT_INT32; N i: 2\n" FILL("d"),
     "[3,?,7]"},
    {PH("w", DIM(3) DIM(-1)) SHAPE("h", "w") INT("a", "0") "d = Concat(a, h, h) T type: DT_INT32; N i: 2\n" FILL("d"),
     "[3,?,3,?]"},
    {PH("w", DIM(3) DIM(-1)) SHAPE("h", "w") "d = Cast(h) SrcT type: DT_INT32; DstT type: DT_INT64\n" PH(
         "zero", "") "c = Fill(d, zero) T type: DT_FLOAT; index_type type: DT_INT64\n",
     "[3,?]"},
    {PH("w", DIM(3) DIM(-1)) SHAPE("h", "w") "d = Identity(h) T type: DT_INT32\n" FILL("d"), "[?,?]"},
    {PH("w", DIM(3) DIM(4)) SHAPE("h", "w") "d = Identity(h) T type: DT_INT32\n" FILL("d"), "[3,4]"},
};

GRAPH_TEST(vectors_are_read_as_shapes_as_far_as_they_are_known) {
    for (size_t i = 0; i < sizeof filled / sizeof *filled; i++) {
        start_again(f);
        import_text(f, sl_arena_format(&f->arena, "%s" NEW, filled[i].def), NULL);
        const char *shape = shape_of(f, "c", 0);
        if (strcmp(shape, filled[i].shape)) fail_msg("%s\ngot %s, wanted %s", filled[i].def, shape, filled[i].shape);
    }
}

/* Sixty-four concatenations of a vector with itself would be 2^64 dims: the search ends. */
GRAPH_TEST(searches_are_bounded) {
    struct sl_pb_GraphDef *def;
    char *text = sl_arena_format(&f->arena, PH("w", DIM(-1)) SHAPE("d0", "w") INT("a", "0") INTS("b", 1, "0")
                                                INTS("e", 1, "1") INTS("s", 1, "1"));
    for (int i = 0; i < 64; i++)
        text = sl_arena_format(&f->arena,
                               "%s"
                               "t%d = ConcatV2(d%d, d%d, a) T type: DT_INT32; N i: 2\n"
                               "d%d = StridedSlice(t%d, b, e, s) T type: DT_INT32; Index type: DT_INT32\n",
                               text, i, i, i, i + 1, i);
    text = sl_arena_format(&f->arena, "%s" PH("zero", "") "c = Fill(d64, zero)" F "\n" NEW, text);
    def = graph_def(f, text);
    assert_ok(f->err, sl_graph_import(NULL, f->graph, def, NULL, &f->err));
    assert_true(node_called(f, "c")->shapes[0].rank <= 1);
}

/* ---- values */
static const struct sl_tensor *value_of(struct graph_fixture *f, const char *name, int index) {
    return sl_graph_constant(f->graph, port_of(f, name, index));
}

static void assert_ints(const struct sl_tensor *t, int rank, int n, const int32_t *values) {
    assert_non_null(t);
    assert_int_equal(t->dtype, SL_INT32);
    assert_int_equal(t->rank, rank);
    assert_int_equal(t->count, n);
    if (n) assert_memory_equal(t->data, values, (size_t)n * sizeof *values);
}

GRAPH_TEST(values_follow_from_constants_and_known_shapes) {
    import_text(f,
                PH("w", DIM(3) DIM(4)) PH("u", DIM(3) DIM(-1)) SHAPE("h", "w")
                    SHAPE("hu",
                          "u") "size = Size(w)" F "\nrank = Rank(u)" F
                               "\nid = Identity(h) T type: DT_INT32\n" SLICE("sl", "h", "")
                                   SLICE("last", "h", "; shrink_axis_mask i: 1") INT("k", "7")
                                       INT("a",
                                           "-1") "pack = Pack(last, k, rank) T type: DT_INT32; N i: 3\n"
                                                 "cat = ConcatV2(h, pack, a) T type: DT_INT32; N i: 2\n"
                                                 "wide = Cast(cat) SrcT type: DT_INT32; DstT type: DT_INT64\n"
                                                 "back = Cast(wide) SrcT type: DT_INT64; DstT type: DT_INT32\n" NEW,
                NULL);
    assert_ints(value_of(f, "h", 0), 1, 2, (int32_t[]){3, 4});
    assert_ints(value_of(f, "size", 0), 0, 1, (int32_t[]){12});
    assert_ints(value_of(f, "rank", 0), 0, 1, (int32_t[]){2});
    assert_ints(value_of(f, "id", 0), 1, 2, (int32_t[]){3, 4});
    assert_ints(value_of(f, "sl", 0), 1, 1, (int32_t[]){4});
    assert_ints(value_of(f, "last", 0), 0, 1, (int32_t[]){4});
    assert_ints(value_of(f, "back", 0), 1, 5, (int32_t[]){3, 4, 4, 7, 2});
    assert_ptr_equal(value_of(f, "back", 0), value_of(f, "back", 0)); /* computed once */
    assert_null(value_of(f, "hu", 0));
    assert_null(value_of(f, "w", 0));
    assert_null(sl_graph_constant(f->graph, (struct sl_port){node_called(f, "w"), 1}));
}

/* A dim of a shape that is known in part; and the side of a Switch whose predicate is known. */
GRAPH_TEST(values_follow_where_only_a_part_is_known) {
    import_text(
        f,
        PH("u", DIM(3) DIM(-1) DIM(5)) SHAPE("h", "u") INTS("b", 1, "0") INTS("b2", 1, "2") INTS("e", 1, "1")
            INTS("e2", 1, "9") INTS("s", 1, "2") INTS(
                "s1", 1,
                "1") "first = StridedSlice(h, b, e, s1) T type: DT_INT32; Index type: DT_INT32; shrink_axis_mask i: 1\n"
                     "second = StridedSlice(h, e, b2, s1) T type: DT_INT32; Index type: DT_INT32; shrink_axis_mask i: "
                     "1\n"
                     "ends = StridedSlice(h, b, e2, s) T type: DT_INT32; Index type: DT_INT32\n"
                     "all = StridedSlice(h, b, e2, s1) T type: DT_INT32; Index type: DT_INT32\n"
                     "yes = Const() dtype type: DT_BOOL; value tensor { dtype: DT_BOOL tensor_shape { } bool_val: true "
                     "}\n"
                     "sw = Switch(e2, yes) T type: DT_INT32\n" NEW,
        NULL);
    assert_ints(value_of(f, "first", 0), 0, 1, (int32_t[]){3});
    assert_null(value_of(f, "second", 0));
    assert_ints(value_of(f, "ends", 0), 1, 2, (int32_t[]){3, 5});
    assert_null(value_of(f, "all", 0));
    assert_null(value_of(f, "sw", 0));
    assert_ints(value_of(f, "sw", 1), 1, 1, (int32_t[]){9});
}

/* What was unknown becomes known by a shape set later, and a changed input changes the value. */
GRAPH_TEST(values_do_not_outlive_what_they_came_from) {
    import_text(f, PH("u", DIM(-1)) PH("v", DIM(9)) SHAPE("h", "u") "id = Identity(h) T type: DT_INT32\n" NEW, NULL);
    assert_null(value_of(f, "id", 0));
    assert_ok(f->err, sl_graph_set_shape(f->graph, port_of(f, "u", 0), (struct sl_shape){1, (int64_t[]){5}}, &f->err));
    assert_ints(value_of(f, "id", 0), 1, 1, (int32_t[]){5});
    assert_ok(f->err, sl_graph_set_input(f->graph, node_called(f, "h"), 0, port_of(f, "v", 0), &f->err));
    assert_ints(value_of(f, "id", 0), 1, 1, (int32_t[]){9});
    assert_fails(f->err, SL_INVALID_ARGUMENT,
                 "Dimension 0 in both shapes must be equal, but are 5 and 6. Shapes are [5] and [6].",
                 sl_graph_set_shape(f->graph, port_of(f, "u", 0), (struct sl_shape){1, (int64_t[]){6}}, &f->err));
    assert_text(shape_of(f, "u", 0), "[5]");
}

/* An evaluator that knows Neg of int32, and counts. */
static sl_code negate(struct sl_tensor **outs, void *count, const struct sl_node *node,
                      const struct sl_tensor *const *in, struct sl_error *err) {
    ++*(int *)count;
    if (!sl_node_is(node, "Neg")) return sl_fail(err, SL_UNIMPLEMENTED, "no kernel");
    SL_TRY(sl_tensor_copy(&outs[0], in[0], err));
    for (int64_t i = 0; i < outs[0]->count; i++) ((int32_t *)outs[0]->data)[i] *= -1;
    return SL_OK;
}

GRAPH_TEST(an_evaluator_runs_what_is_stateless_once) {
    int count = 0;
    struct sl_evaluator evaluator = {negate, &count};
    f->graph->evaluator = &evaluator;
    import_text(f,
                INTS("k", 2,
                     "-3, -4") "n = Neg(k) T type: DT_INT32\na = Abs(k) T type: DT_INT32\n"
                               "r = RandomUniformInt(o, lo, hi) Tout type: DT_INT32; T type: DT_INT32\n" INTS("o", 1,
                                                                                                              "2")
                                   INT("lo", "2") INT("hi", "3") "e = Enter(k) T type: DT_INT32; frame_name s: 'f'\n"
                                                                 "x = Neg(e) T type: DT_INT32\n" FILL("n") NEW,
                NULL);
    assert_text(shape_of(f, "c", 0), "[3,4]");
    assert_ints(value_of(f, "n", 0), 1, 2, (int32_t[]){3, 4});
    assert_int_equal(count, 1);
    assert_null(value_of(f, "a", 0)); /* asked, and refused */
    assert_null(value_of(f, "a", 0));
    assert_int_equal(count, 2);
    assert_null(value_of(f, "r", 0)); /* never asked: random, and in a loop */
    assert_null(value_of(f, "x", 0));
    assert_int_equal(count, 2);
}

GRAPH_TEST(long_chains_have_values) {
    struct sl_node *node;
    import_text(f, INTS("k", 1, "5") NEW, NULL);
    struct sl_pb_AttrValue int32 = {.which = SL_PB_AttrValue_type, .type = SL_INT32};
    struct sl_attr type = {SL_STR("T"), &int32};
    struct sl_port from = port_of(f, "k", 0);
    const struct sl_op *identity;
    assert_ok(f->err, sl_op_find(&identity, f->registry, SL_STR("Identity"), &f->err));
    for (int i = 0; i < 100000; i++) {
        struct sl_node_spec spec = {.name = sl_str_of(sl_arena_format(&f->arena, "i%d", i)),
                                    .op = identity,
                                    .attrs = {&type, 1},
                                    .inputs = &from,
                                    .n_inputs = 1};
        assert_ok(f->err, sl_graph_add_trusted(&node, f->graph, &spec, &f->err));
        from = (struct sl_port){node, 0};
    }
    assert_ints(sl_graph_constant(f->graph, from), 1, 1, (int32_t[]){5});
}

/* ---- messages */
static const struct {
    const char *def, *text;
} mistakes[] = {
    {PH("x", DIM(2)) PH("y", DIM(3)) "m = MatMul(x, y)" F "\n",
     "Shape must be rank 2 but is rank 1 for '{{node m}} = MatMul[T=DT_FLOAT, grad_a=false, grad_b=false, "
     "transpose_a=false, transpose_b=false](x, y)' with input shapes: [2], [3]."},
    {PH("x", DIM(2) DIM(3)) INTS("d", 1, "7") "r = Reshape(x, d) T type: DT_FLOAT; Tshape type: DT_INT32\n",
     "Cannot reshape a tensor with 6 elements to shape [7] (7 elements) for '{{node r}} = Reshape[T=DT_FLOAT, "
     "Tshape=DT_INT32](x, d)' with input shapes: [2,3], [1] and with input tensors computed as partial shapes: "
     "input[1] "
     "= [7]."},
    {INTS("d", 1, "-7") FILL("d"), "Invalid value in tensor used for shape: -7"},
};

GRAPH_TEST(messages_tell_node_shapes_and_values) {
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct sl_pb_GraphDef *def = graph_def(f, sl_arena_format(&f->arena, "%s" NEW, mistakes[i].def));
        assert_fails(f->err, SL_INVALID_ARGUMENT, mistakes[i].text,
                     sl_graph_import(NULL, f->graph, def, NULL, &f->err));
        assert_text(f->err.message, mistakes[i].text);
    }
}

/* ---- calls */
#define FUNCTION(name, op, output)                                                                                     \
    "| function { signature { name: '" name "' input_arg { name: 'x' type: DT_FLOAT }\n"                               \
    "|   input_arg { name: 'z' type: DT_FLOAT } output_arg { name: 'y' type: DT_FLOAT } }\n"                           \
    "|   node_def { name: 'i' op: '" op "' input: 'x' input: 'z' attr { key: 'T' value { type: DT_FLOAT } } }\n"       \
    "|   ret { key: 'y' value: 'i:" output ":0' } }\n"
#define LIBRARY(functions) "| library {\n" functions "| }\n"
#define DIRECT             "c = f(p, q)"
#define BY_ATTR(f)                                                                                                     \
    "c = PartitionedCall(p, q) Tin list { type: [DT_FLOAT, DT_FLOAT] }; Tout list { type: DT_FLOAT }; f func { "       \
    "name: '" f "' }"
#define MATMUL   FUNCTION("f", "MatMul", "product")
#define MATMUL_F LIBRARY(MATMUL)

GRAPH_TEST(calls_are_inferred_through_the_body) {
    static const char *const calls[] = {DIRECT, BY_ATTR("f")};
    for (int i = 0; i < 2; i++) {
        start_again(f);
        import_text(f,
                    sl_arena_format(&f->arena, MATMUL_F PH("p", DIM(2) DIM(3)) PH("q", DIM(3) DIM(4)) "%s\n" NEW,
                                    calls[i]),
                    NULL);
        assert_text(shape_of(f, "c", 0), "[2,4]");
        start_again(f);
        struct sl_pb_GraphDef *wrong =
            graph_def(f, sl_arena_format(&f->arena, MATMUL_F PH("p", DIM(2) DIM(3)) PH("q", DIM(2) DIM(4)) "%s\n" NEW,
                                         calls[i]));
        assert_fails(f->err, SL_INVALID_ARGUMENT,
                     "Dimensions must be equal, but are 3 and 2 for '{{node i}} = MatMul[T=DT_FLOAT, grad_a=false, "
                     "grad_b=false, transpose_a=false, transpose_b=false](x, z)' with input shapes: [2,3], [2,4].",
                     sl_graph_import(NULL, f->graph, wrong, NULL, &f->err));
    }
}

GRAPH_TEST(calls_within_calls_are_inferred) {
    import_text(f,
                LIBRARY(MATMUL FUNCTION("g", "f", "y")) PH("p", DIM(2) DIM(3)) PH("q", DIM(3) DIM(4))
                    BY_ATTR("g") "\nd = g(p, q)\n" NEW,
                NULL);
    assert_text(shape_of(f, "c", 0), "[2,4]");
    assert_text(shape_of(f, "d", 0), "[2,4]");
}

GRAPH_TEST(calls_that_cannot_be_looked_into_are_unknown) {
    import_text(f, PH("p", DIM(2)) PH("q", DIM(2)) BY_ATTR("nowhere") "\n" NEW, NULL);
    assert_text(shape_of(f, "c", 0), "<unknown>");
    start_again(f);
    import_text(f, MATMUL_F PH("p", DIM(2)) PH("q", DIM(2)) DIRECT " _disable_call_shape_inference b: true\n" NEW,
                NULL);
    assert_text(shape_of(f, "c", 0), "<unknown>");
}

/* A function that calls itself has no end to look for. */
GRAPH_TEST(recursion_ends) {
    import_text(f, LIBRARY(FUNCTION("f", "f", "y")) PH("p", DIM(2)) PH("q", DIM(2)) DIRECT "\n" NEW, NULL);
    assert_text(shape_of(f, "c", 0), "<unknown>");
}

GRAPH_TEST(faulty_bodies_are_told_when_they_are_called) {
    static const struct {
        const char *library, *call;
        sl_code code;
        const char *text;
    } rows[] = {
        {LIBRARY(FUNCTION("f", "Nonsense", "y")), DIRECT, SL_NOT_FOUND, "Op type not registered 'Nonsense'"},
        {LIBRARY(FUNCTION("f", "MatMul", "prodct")), DIRECT, SL_INVALID_ARGUMENT,
         "Return y -> i:prodct:0 is not found."},
        {MATMUL_F,
         "c = PartitionedCall(p) Tin list { type: DT_FLOAT }; Tout list { type: DT_FLOAT }; f func { name: 'f' }",
         SL_INTERNAL, "Function instantiation included invalid input index: 1 not in [0, 1)."},
        {MATMUL_F,
         "c = PartitionedCall(p, q) Tin list { type: [DT_FLOAT, DT_FLOAT] }; Tout list { }; f func { name: 'f' }",
         SL_INTERNAL, "Function instantiation included invalid output index: 0 not in [0, 0)."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        import_text(f, rows[i].library, NULL); /* alone it is let pass */
        start_again(f);
        struct sl_pb_GraphDef *def =
            graph_def(f, sl_arena_format(&f->arena, "%s" PH("p", DIM(2) DIM(3)) PH("q", DIM(3) DIM(4)) "%s\n" NEW,
                                         rows[i].library, rows[i].call));
        assert_fails(f->err, rows[i].code, rows[i].text, sl_graph_import(NULL, f->graph, def, NULL, &f->err));
    }
}

/* The value of a call's input is the value of the argument. */
GRAPH_TEST(values_go_into_bodies) {
    import_text(
        f,
        "| library { function { signature { name: 'r' input_arg { name: 'x' type: DT_FLOAT }\n"
        "|   input_arg { name: 's' type: DT_INT32 } output_arg { name: 'y' type: DT_FLOAT } }\n"
        "|   node_def { name: 'i' op: 'Reshape' input: 'x' input: 's' attr { key: 'T' value { type: DT_FLOAT } }\n"
        "|     attr { key: 'Tshape' value { type: DT_INT32 } } } ret { key: 'y' value: 'i:output:0' } } }\n" PH(
            "p", DIM(2) DIM(3)) PH("w", DIM(3) DIM(2)) PH("u", DIM(3) DIM(-1)) SHAPE("h", "w") SHAPE("hu", "u")
            INTS("k", 1, "6") "a = r(p, k)\nb = r(p, h)\nc = r(p, hu)\n" NEW,
        NULL);
    assert_text(shape_of(f, "a", 0), "[6]");
    assert_text(shape_of(f, "b", 0), "[3,2]");
    assert_text(shape_of(f, "c", 0), "[?,?]");
}

/* ---- attr _output_shapes */
GRAPH_TEST(output_shapes_complete_inference_and_go) {
    import_text(f,
                PH("p",
                   DIM(-1) DIM(3)) "i = Identity(p) T type: DT_FLOAT; _output_shapes list { shape { dim { size: 2 } "
                                   "dim { size: -1 } } }\n"
                                   "j = Identity(i)" F "\nk = Identity(p) T type: DT_FLOAT; _output_shapes i: 3\n" NEW,
                NULL);
    assert_text(shape_of(f, "i", 0), "[2,3]");
    assert_text(shape_of(f, "j", 0), "[2,3]");
    assert_null(sl_attr_find(&node_called(f, "i")->attrs, SL_STR("_output_shapes")));
    assert_non_null(sl_attr_find(&node_called(f, "k")->attrs, SL_STR("_output_shapes"))); /* not what it should be */
    start_again(f);
    struct sl_import_options options = {.keep_shape_attr = true};
    import_text(f, PH("p", DIM(-1)) "i = Identity(p) T type: DT_FLOAT; _output_shapes list { shape { } }\n" NEW,
                &options);
    assert_text(shape_of(f, "i", 0), "[?]");
    assert_non_null(sl_attr_find(&node_called(f, "i")->attrs, SL_STR("_output_shapes")));
}

GRAPH_TEST(inference_may_be_left_out_and_made_up_for) {
    struct sl_import_options options = {.no_inference = true};
    import_text(f, PH("p", DIM(2)) "i = Identity(p)" F "\n" NEW, &options);
    assert_text(shape_of(f, "i", 0), "<unknown>");
    assert_ok(f->err, sl_graph_infer_all(f->graph, &f->err));
    assert_text(shape_of(f, "i", 0), "[2]");
}

/* More inputs than are held on the stack. */
GRAPH_TEST(nodes_with_many_inputs_are_inferred) {
    import_text(f,
                PH("p", DIM(2) DIM(3))
                    INT("a", "0") "c = ConcatV2(p, p, p, p, p, p, p, p, p, p, p, p, a) N i: 12; T type: DT_FLOAT\n" NEW,
                NULL);
    assert_text(shape_of(f, "c", 0), "[24,3]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        graph_unit_test(vectors_are_read_as_shapes_as_far_as_they_are_known),
        graph_unit_test(searches_are_bounded),
        graph_unit_test(values_follow_from_constants_and_known_shapes),
        graph_unit_test(values_follow_where_only_a_part_is_known),
        graph_unit_test(values_do_not_outlive_what_they_came_from),
        graph_unit_test(an_evaluator_runs_what_is_stateless_once),
        graph_unit_test(long_chains_have_values),
        graph_unit_test(messages_tell_node_shapes_and_values),
        graph_unit_test(calls_are_inferred_through_the_body),
        graph_unit_test(calls_within_calls_are_inferred),
        graph_unit_test(calls_that_cannot_be_looked_into_are_unknown),
        graph_unit_test(recursion_ends),
        graph_unit_test(faulty_bodies_are_told_when_they_are_called),
        graph_unit_test(values_go_into_bodies),
        graph_unit_test(output_shapes_complete_inference_and_go),
        graph_unit_test(inference_may_be_left_out_and_made_up_for),
        graph_unit_test(nodes_with_many_inputs_are_inferred),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
