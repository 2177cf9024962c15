/* graph/function, library, to_function, function_hash, export: bodies made of FunctionDefs, functions cut out of
 * graphs, the library, and graphs written as messages again. Expected messages are what TensorFlow 2.21 gave. */
#include "proto/text_format.h"
#include "proto/wire.h"
#include "unit/graph/graph_fixture.h"

#define F " T type: DT_FLOAT\n"
#define P "p = Placeholder() dtype type: DT_FLOAT\n"
#define NEG(name, in)                                                                                                  \
    "node_def { name: '" name "' op: 'Neg' input: '" in "' attr { key: 'T' value { type: DT_FLOAT } } } "

static struct sl_function_def *new_function(struct graph_fixture *f, const char *text) {
    struct sl_function_def *made = NULL;
    assert_ok(f->err, sl_function_new(&made, function_def(f, text), &f->err));
    return made;
}

/* ---- bodies */
static const char *body_of(struct graph_fixture *f, const char *text, const struct sl_attrs *attrs) {
    struct sl_function_def *function = new_function(f, text);
    struct sl_body body;
    assert_ok(f->err, sl_function_instantiate(&body, function, attrs, f->graph, &f->err));
    sl_function_unref(function);
    assert_ok(f->err, sl_graph_check(body.graph, &f->err));
    for (int i = 0; i < body.n_args; i++) {
        int index;
        assert_true(sl_node_is(body.args[i], "_Arg"));
        assert_ok(f->err, sl_attr_int32(&index, &body.args[i]->attrs, "index", &f->err));
        assert_int_equal(index, i);
    }
    for (int i = 0; i < body.n_rets; i++) assert_true(sl_node_is(body.rets[i], "_Retval"));
    const char *wires = wiring_of(f, body.graph);
    sl_graph_free(body.graph);
    return wires;
}

GRAPH_TEST(a_body_has_arguments_nodes_and_results) {
    assert_text(body_of(f,
                        "signature { name: 'f' input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: "
                        "DT_FLOAT } output_arg { name: 'same' type: DT_FLOAT } control_output: 'c' } " NEG("n", "x")
                            NEG("m", "n:y:0' input: '^n' input: '^x") "ret { key: 'y' value: 'm:y:0' } ret { key: "
                                                                      "'same' value: 'x' } control_ret { key: 'c' "
                                                                      "value: 'n' }",
                        NULL),
                "x n(x) m(n,^n,^x) y_RetVal(m) same_RetVal(x)");
}

GRAPH_TEST(lists_are_spelt_whole_or_one_by_one) {
    assert_text(
        body_of(f,
                "signature { name: 'f' input_arg { name: 'x' type: DT_FLOAT number_attr: 'N' } output_arg { name: 'y' "
                "type: DT_FLOAT number_attr: 'N' } attr { name: 'N' type: 'int' default_value { i: 3 } has_minimum: "
                "true minimum: 1 } } "
                "node_def { name: 'a' op: 'AddN' input: 'x' attr { key: 'N' value { placeholder: 'N' } } attr { key: "
                "'T' value { type: DT_FLOAT } } } "
                "node_def { name: 's' op: 'Add' input: 'x:1' input: 'a:sum' attr { key: 'T' value { type: DT_FLOAT } } "
                "} "
                "node_def { name: 'u' op: 'Unpack' input: 's:z' attr { key: 'num' value { i: 3 } } attr { key: 'T' "
                "value { type: DT_FLOAT } } } "
                "node_def { name: 'w' op: 'Neg' input: 'u:output:2' attr { key: 'T' value { type: DT_FLOAT } } } "
                "ret { key: 'y' value: 'u:output' }",
                NULL),
        "x_0 x_1 x_2 a(x_0,x_1,x_2) s(x_1,a) u(s) w(u:2) y_RetVal_0(u) y_RetVal_1(u:1) y_RetVal_2(u:2)");
}

/* Values of the call go where the signature's attrs are named, in functions within too. */
GRAPH_TEST(attrs_of_the_call_are_bound) {
    struct sl_pb_AttrValue type = {.which = SL_PB_AttrValue_type, .type = SL_DOUBLE};
    struct sl_attr given = {SL_STR("T"), &type};
    struct sl_attrs attrs = {&given, 1};
    static const char text[] =
        "signature { name: 'f' input_arg { name: 'x' type_attr: 'T' } output_arg { name: 'y' type_attr: 'T' } "
        "attr { name: 'T' type: 'type' } } "
        "node_def { name: 'n' op: 'PartitionedCall' input: 'x' attr { key: 'Tin' value { list { type: DT_DOUBLE } } } "
        "attr { key: 'Tout' value { list { type: DT_DOUBLE } } } attr { key: 'f' value { func { name: 'g' attr { key: "
        "'U' value { placeholder: 'T' } } } } } } ret { key: 'y' value: 'n:output:0' }";
    struct sl_function_def *function = new_function(f, text);
    struct sl_body body;
    assert_ok(f->err, sl_function_instantiate(&body, function, &attrs, f->graph, &f->err));
    assert_int_equal(body.args[0]->out_types[0], SL_DOUBLE);
    const struct sl_pb_NameAttrList *func;
    struct sl_node *call = sl_graph_find(body.graph, SL_STR("n"));
    assert_ok(f->err, sl_attr_func(&func, &call->attrs, "f", &f->err));
    assert_int_equal(func->attr.items[0].value.which, SL_PB_AttrValue_type);
    assert_int_equal(func->attr.items[0].value.type, SL_DOUBLE);
    sl_graph_free(body.graph);
    assert_fails(f->err, SL_NOT_FOUND, "type attr not found: T",
                 sl_function_instantiate(&body, function, NULL, f->graph, &f->err));
    sl_function_unref(function);
}

GRAPH_TEST(attrs_of_arguments_go_to_their_nodes) {
    struct sl_function_def *function =
        new_function(f, "signature { name: 'f' input_arg { name: 'x' type: DT_FLOAT } input_arg { name: 'y' type: "
                        "DT_RESOURCE } } arg_attr { key: 0 value { attr { key: '_z' value { i: 4 } } } } "
                        "resource_arg_unique_id { key: 1 value: 7 }");
    struct sl_body body;
    int64_t value;
    assert_ok(f->err, sl_function_instantiate(&body, function, NULL, f->graph, &f->err));
    assert_ok(f->err, sl_attr_int(&value, &body.args[0]->attrs, "_z", &f->err));
    assert_int_equal(value, 4);
    assert_ok(f->err, sl_attr_int(&value, &body.args[1]->attrs, "_resource_arg_unique_id", &f->err));
    assert_int_equal(value, 7);
    sl_graph_free(body.graph);
    sl_function_unref(function);
}

/* Loops of the original kind, names that meet, and nodes in any order. */
GRAPH_TEST(bodies_may_hold_loops) {
    assert_text(
        body_of(
            f,
            "signature { name: 'f' input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'n' type: DT_FLOAT } } "
            "node_def { name: 'n' op: 'NextIteration' input: 'm:output' attr { key: 'T' value { type: DT_FLOAT } } } "
            "node_def { name: 'm' op: 'Merge' input: 'e:output' input: 'n:output:0' attr { key: 'N' value { i: 2 } } "
            "attr { key: 'T' value { type: DT_FLOAT } } } "
            "node_def { name: 'e' op: 'Enter' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } attr { key: "
            "'frame_name' value { s: 'f' } } } ret { key: 'n' value: 'm:output:0' }",
            NULL),
        "x e(x) m(e,n) n(m) n_RetVal(m)");
}

#define SIGNATURE                                                                                                      \
    "signature { name: 'f' input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: DT_FLOAT } } "

GRAPH_TEST(bodies_that_make_no_sense_are_refused) {
    static const struct {
        const char *text;
        sl_code code;
        const char *message;
    } rows[] = {
        {SIGNATURE NEG("n", "z") "ret { key: 'y' value: 'n:y:0' }", SL_INVALID_ARGUMENT, "input z is not found: "},
        {SIGNATURE NEG("n", "x:1") "ret { key: 'y' value: 'n:y:0' }", SL_INVALID_ARGUMENT, "input x:1 is not found: "},
        {SIGNATURE NEG("n", "x") NEG("m", "n") "ret { key: 'y' value: 'm:y:0' }", SL_INVALID_ARGUMENT,
         "input n is not found: "},
        {SIGNATURE NEG("n", "x") NEG("m", "n:y:1") "ret { key: 'y' value: 'm:y:0' }", SL_INVALID_ARGUMENT,
         "input n:y:1 is not found: "},
        {SIGNATURE NEG("n", "x' input: '^z") "ret { key: 'y' value: 'n:y:0' }", SL_INVALID_ARGUMENT,
         "input ^z is not found: "},
        {SIGNATURE NEG("n", "x"), SL_INVALID_ARGUMENT, "Return y missing."},
        {SIGNATURE NEG("n", "x") "ret { key: 'y' value: 'n:z:0' }", SL_INVALID_ARGUMENT,
         "Return y -> n:z:0 is not found."},
        {SIGNATURE "node_def { name: 'n' op: 'Nope' } ret { key: 'y' value: 'n:z:0' }", SL_NOT_FOUND,
         "Op type not registered 'Nope'"},
        {SIGNATURE "node_def { name: 'n' op: 'Neg' input: 'x' attr { key: 'T' value { placeholder: 'U' } } } ret { "
                   "key: 'y' value: 'n:y:0' }",
         SL_INVALID_ARGUMENT, "Failed to bind all placeholders in attr 'T' of function 'f'"},
        {SIGNATURE NEG("n", "n:y:0") "ret { key: 'y' value: 'n:y:0' }", SL_INVALID_ARGUMENT, "nodes in a cycle"},
        {SIGNATURE "node_def { name: 'n' op: 'Neg' input: 'x' attr { key: 'T' value { type: DT_INT32 } } } ret { key: "
                   "'y' value: 'n:y:0' }",
         SL_INVALID_ARGUMENT, "Input 0 of node n was passed float from x:0 incompatible with expected int32."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sl_function_def *function = new_function(f, rows[i].text);
        struct sl_body body;
        assert_fails(f->err, rows[i].code, rows[i].message,
                     sl_function_instantiate(&body, function, NULL, f->graph, &f->err));
        assert_null(body.graph);
        sl_function_unref(function);
    }
}

/* A body finds the functions of its library and has no copy of them; a copy of the library keeps them, whatever
 * becomes of the graph they came from. */
GRAPH_TEST(bodies_share_a_library) {
    struct sl_function_def *g = new_function(f, SIGNATURE NEG("n", "x") "ret { key: 'y' value: 'n:y:0' }");
    struct sl_body body;
    struct sl_graph *copy;
    assert_ok(f->err, sl_graph_add_function(f->graph, g, &f->err));
    assert_ok(f->err, sl_graph_set_gradient(f->graph, SL_STR("f"), SL_STR("df"), &f->err));
    assert_int_equal(sl_graph_written_nodes(f->graph), 1);
    assert_ok(f->err, sl_graph_new(&copy, f->graph->registry, &f->err));
    assert_ok(f->err, sl_graph_share_library(copy, f->graph, &f->err));
    assert_ok(f->err, sl_function_instantiate(&body, g, NULL, copy, &f->err));
    sl_function_unref(g);
    start_again(f);
    assert_int_equal(body.graph->functions.n, 0);
    assert_int_equal(sl_graph_written_nodes(body.graph), 1 + body.graph->live);
    assert_non_null(sl_graph_function(body.graph, SL_STR("f")));
    assert_true(sl_str_is(sl_graph_gradient(body.graph, SL_STR("f")), "df"));
    sl_graph_free(body.graph);
    sl_graph_free(copy);
}

/* ---- the library */
GRAPH_TEST(functions_are_found_by_name_and_told_apart) {
    struct sl_function_def *one =
        new_function(f, SIGNATURE NEG("n", "x") NEG("m", "x") "ret { key: 'y' value: 'n:y:0' }");
    struct sl_function_def *same =
        new_function(f, SIGNATURE NEG("m", "x") NEG("n", "x") "ret { key: 'y' value: 'n:y:0' }");
    struct sl_function_def *other = new_function(f, SIGNATURE NEG("n", "x") "ret { key: 'y' value: 'x' }");
    const struct sl_op *op;
    assert_true(sl_function_equal(one, same));
    assert_false(sl_function_equal(one, other));
    assert_ok(f->err, sl_graph_add_function(f->graph, one, &f->err));
    assert_ok(f->err, sl_graph_add_function(f->graph, same, &f->err));
    assert_int_equal(f->graph->functions.n, 1);
    assert_ptr_equal(sl_graph_function(f->graph, SL_STR("f")), one);
    assert_ok(f->err, sl_graph_find_op(&op, f->graph, SL_STR("f"), &f->err));
    assert_ptr_equal(op, &one->op);
    assert_ok(f->err, sl_graph_find_op(&op, f->graph, SL_STR("Neg"), &f->err));
    assert_fails(f->err, SL_INVALID_ARGUMENT,
                 "Cannot add function 'f' because a different function with the same name already exists.",
                 sl_graph_add_function(f->graph, other, &f->err));
    struct sl_function_def *neg = new_function(f, "signature { name: 'Neg' }");
    assert_fails(f->err, SL_INVALID_ARGUMENT,
                 "Cannot add function 'Neg' because an op with the same name already exists.",
                 sl_graph_add_function(f->graph, neg, &f->err));
    sl_function_unref(neg);
    sl_function_unref(one);
    sl_function_unref(same);
    sl_function_unref(other);
}

GRAPH_TEST(a_removed_function_goes_on_for_those_who_call_it) {
    import_text(
        f,
        P "| library { function { " SIGNATURE NEG(
            "n",
            "x") "ret { key: 'y' value: 'n:y:0' } } gradient { function_name: 'f' gradient_func: 'g' } }\nc = f(p)",
        NULL);
    assert_true(sl_str_is(sl_graph_gradient(f->graph, SL_STR("f")), "g"));
    assert_ok(f->err, sl_graph_remove_function(f->graph, SL_STR("f"), &f->err));
    assert_null(sl_graph_function(f->graph, SL_STR("f")));
    assert_true(sl_str_is(sl_graph_gradient(f->graph, SL_STR("f")), ""));
    assert_true(sl_str_is(node_called(f, "c")->op->name, "f"));
    assert_fails(f->err, SL_NOT_FOUND, "Tried to remove non-existent function 'f'.",
                 sl_graph_remove_function(f->graph, SL_STR("f"), &f->err));
}

GRAPH_TEST(a_function_has_one_gradient) {
    assert_ok(f->err, sl_graph_set_gradient(f->graph, SL_STR("f"), SL_STR("g"), &f->err));
    assert_ok(f->err, sl_graph_set_gradient(f->graph, SL_STR("f"), SL_STR("g"), &f->err));
    assert_fails(f->err, SL_INVALID_ARGUMENT,
                 "Cannot assign gradient function 'h' to 'f' because it already has gradient function 'g'",
                 sl_graph_set_gradient(f->graph, SL_STR("f"), SL_STR("h"), &f->err));
}

/* ---- cutting */
enum { MOST = 4 };
struct cut {
    const char *graph;
    const char *body, *inputs, *outputs, *output_names, *controls, *control_names; /* with spaces between; NULL: none */
    bool append_hash;
    sl_code code;
    const char *result; /* the FunctionDef on one line, or the message */
};

static int split(struct graph_fixture *f, const char *words[MOST], const char *text) {
    int n = 0;
    char *copy = text ? sl_arena_format(&f->arena, "%s", text) : NULL, *rest;
    for (char *word = copy ? strtok_r(copy, " ", &rest) : NULL; word; word = strtok_r(NULL, " ", &rest)) {
        assert_true(n < MOST);
        words[n++] = word;
    }
    return n;
}

static int ports(struct graph_fixture *f, struct sl_port out[MOST], const char *text) {
    const char *words[MOST];
    int n = split(f, words, text);
    for (int i = 0; i < n; i++) {
        const char *colon = strchr(words[i], ':');
        size_t length = colon ? (size_t)(colon - words[i]) : strlen(words[i]);
        out[i].node = sl_graph_find(f->graph, (struct sl_str){words[i], length});
        out[i].index = colon ? colon[1] - '0' : 0;
    }
    return n;
}

static int nodes(struct graph_fixture *f, struct sl_node *out[MOST], const char *text) {
    struct sl_port found[MOST];
    int n = ports(f, found, text);
    for (int i = 0; i < n; i++) out[i] = found[i].node;
    return n;
}

static int names(struct graph_fixture *f, struct sl_str out[MOST], const char *text) {
    const char *words[MOST];
    int n = split(f, words, text);
    for (int i = 0; i < n; i++) out[i] = strcmp(words[i], "-") ? sl_str_of(words[i]) : SL_STR("");
    return n;
}

static sl_code cut(struct graph_fixture *f, struct sl_function_def **out, const struct cut *row) {
    struct sl_port inputs[MOST], outputs[MOST];
    struct sl_node *body[MOST], *controls[MOST];
    struct sl_str output_names[MOST], control_names[MOST];
    start_again(f);
    import_text(f, sl_arena_format(&f->arena, "%s| versions { producer: 2474 }", row->graph), NULL);
    struct sl_to_function spec = {.name = SL_STR("f"), .append_hash = row->append_hash};
    spec.n_body = nodes(f, body, row->body);
    spec.body = row->body ? body : NULL;
    spec.inputs = inputs;
    spec.n_inputs = ports(f, inputs, row->inputs);
    spec.outputs = outputs;
    spec.n_outputs = ports(f, outputs, row->outputs);
    if (names(f, output_names, row->output_names)) spec.output_names = output_names;
    spec.control_outputs = controls;
    spec.n_control_outputs = nodes(f, controls, row->controls);
    if (names(f, control_names, row->control_names)) spec.control_output_names = control_names;
    return sl_graph_to_function(out, f->graph, &spec, &f->err);
}

#define IN(name)           " input_arg { name: \"" name "\" type: DT_FLOAT }"
#define OUT(name)          " output_arg { name: \"" name "\" type: DT_FLOAT }"
#define T_FLOAT            " attr { key: \"T\" value { type: DT_FLOAT } }"
#define NODE(name, op, in) " node_def { name: \"" name "\" op: \"" op "\"" in T_FLOAT " }"
#define FROM(name)         " input: \"" name "\""
#define RET(key, value)    " ret { key: \"" key "\" value: \"" value "\" }"
#define ANY_SHAPE                                                                                                      \
    " arg_attr { value { attr { key: \"_output_shapes\" value { list { shape { unknown_rank: true } } } } } }"
#define SIGNED(more) "signature { name: \"f\"" more " }"

#define SPLIT                                                                                                          \
    P "ax = Const() dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape { } }\n"                         \
      "s = Split(ax, p) T type: DT_FLOAT; num_split i: 3\na = Add(s:1, s:2)" F

static const struct cut cuts[] = {
    {P "n = Neg(p)" F, NULL, "p", "n",
     .result = SIGNED(IN("p") OUT("n")) NODE("n_0", "Neg", FROM("p")) RET("n", "n_0:y:0") ANY_SHAPE},
    {"In/X-1 = Placeholder() dtype type: DT_FLOAT\nNeg = Neg(In/X-1)" F, NULL, "In/X-1", "Neg",
     .result = SIGNED(IN("in_x_1") OUT("neg")) NODE("Neg", "Neg", FROM("in_x_1")) RET("neg", "Neg:y:0") ANY_SHAPE},
    {"1_2 = Placeholder() dtype type: DT_FLOAT\n9 = Neg(1_2)" F, NULL, "1_2", "9",
     .result =
         SIGNED(IN("unknown_0") OUT("unknown")) NODE("9", "Neg", FROM("unknown_0")) RET("unknown", "9:y:0") ANY_SHAPE},
    {P "n = Neg(p)" F, NULL, "p", "n", "p",
     .result = SIGNED(IN("p_0") OUT("p")) NODE("n", "Neg", FROM("p_0")) RET("p", "n:y:0") ANY_SHAPE},
    {P "n = Neg(p)" F, NULL, "p", "n n",
     .result = SIGNED(IN("p") OUT("n") OUT("n_0")) NODE("n_1", "Neg", FROM("p")) RET("n", "n_1:y:0")
         RET("n_0", "n_1:y:0") ANY_SHAPE},
    {P, NULL, "p", "p", .result = SIGNED(IN("p_0") OUT("p")) RET("p", "p_0") ANY_SHAPE},
    {P "z = NoOp()\na = NoOp()\nn = Neg(p, ^z, ^a, ^p)" F, NULL, "p", "n",
     .result =
         SIGNED(IN("p") OUT("n")) " node_def { name: \"z\" op: \"NoOp\" } node_def { name: \"a\" op: \"NoOp\" }" NODE(
             "n_0", "Neg", FROM("p") FROM("^a") FROM("^p") FROM("^z")) RET("n", "n_0:y:0") ANY_SHAPE},
    {SPLIT, "a", "s:1 s:2", "a",
     .result = SIGNED(IN("s") IN("s_0") OUT("a")) NODE("a_0", "Add", FROM("s") FROM("s_0")) RET("a", "a_0:z:0")},
    {P "n = Neg(p)" F "m = Neg(p)" F, NULL, "p", "n", NULL, "n m", "z a",
     .result = SIGNED(IN("p") OUT(
         "n") " control_output: \"a\" control_output: \"z\"") NODE("n_0", "Neg", FROM("p")) NODE("m", "Neg", FROM("p"))
         RET("n",
             "n_0:y:0") " control_ret { key: \"a\" value: \"m\" } control_ret { key: \"z\" value: \"n_0\" }" ANY_SHAPE},
    {"p = Placeholder() dtype type: DT_FLOAT; shape shape { dim { size: 3 } }; _x s: 'v'\nn = Neg(p) T type: DT_FLOAT; "
     "_y i: 1\n",
     NULL, "p", "n",
     .result = SIGNED(IN("p") OUT(
         "n")) " node_def { name: \"n_0\" op: \"Neg\" input: \"p\"" T_FLOAT
               " attr { key: \"_y\" value { i: 1 } } }" RET(
                   "n", "n_0:y:0") " arg_attr { value { attr { key: \"_output_shapes\" value { list { shape { dim { "
                                   "size: 3 } } } } } attr { key: \"_x\" value { s: \"v\" } } } }"},
    {P "n = Neg(p)@/cpu:0" F, NULL, "p", "n",
     .result =
         SIGNED(IN("p") OUT("n")) NODE("n_0", "Neg", FROM("p") " device: \"/cpu:0\"") RET("n", "n_0:y:0") ANY_SHAPE},
    {"q = Placeholder() dtype type: DT_INT32; shape shape { dim { size: 2 } }\nn = RandomUniform(q) T type: DT_INT32; "
     "dtype "
     "placeholder: 'dt'; seed placeholder: 'sd'; seed2 placeholder: 'sd'\n",
     NULL, "q", "q",
     .result =
         "signature { name: \"f\" input_arg { name: \"q_0\" type: DT_INT32 } output_arg { name: \"q\" type: DT_INT32 }"
         " attr { name: \"dt\" type: \"type\" } attr { name: \"sd\" type: \"int\" } is_stateful: true } node_def { "
         "name: \"n\" op: \"RandomUniform\" input: \"q_0\""
         " attr { key: \"T\" value { type: DT_INT32 } } attr { key: \"dtype\" value { placeholder: \"dt\" } } attr { "
         "key: \"seed\" value { placeholder: \"sd\" } } attr { key: \"seed2\" value { placeholder: \"sd\" } } }" RET(
             "q", "q_0") " arg_attr { value { attr { key: \"_output_shapes\" value { list { shape { dim { size: 2 } } "
                         "} } } } }"},
    /* refused */
    {P "n = Neg(p)" F, NULL, "p", "n p", "n n", .code = SL_INVALID_ARGUMENT,
     .result = "Cannot have duplicate output names. Name 'n' appears more than once in 'output_names' array."},
    {P "n = Neg(p)" F, NULL, "p p", "n", .code = SL_INVALID_ARGUMENT,
     .result = "TF_Output p:0 appears more than once in the input list"},
    {P "n = Neg(p)" F, NULL, "p:3", "n", .code = SL_OUT_OF_RANGE,
     .result = "Node 'p' (type: 'Placeholder', num of outputs: 1) does not have output 3\n\tEncountered while "
               "processing input 0 into function 'f'"},
    {P "n = Neg(p)" F, NULL, "p", "n:4", .code = SL_OUT_OF_RANGE,
     .result = "Node 'n' (type: 'Neg', num of outputs: 1) does not have output 4\n\tEncountered while processing "
               "output 0 from function 'f'"},
    {P "q = Placeholder() dtype type: DT_FLOAT\nn = Add(p, q)" F, "n", "p", "n", .code = SL_INVALID_ARGUMENT,
     .result = "Input 1, 'q:0', of node 'n' in function 'f' is not available. You might need to include it in inputs "
               "or include its source node in the body"},
    {P "n = Neg(p)" F "m = Neg(p)" F, "n", "p", "m", .code = SL_INVALID_ARGUMENT,
     .result = "TF_Output m:0 is neither in the function body nor among function inputs. Encountered while creating "
               "function 'f'"},
    {P "c = NoOp()\nn = Neg(p, ^c)" F, "n", "p", "n", .code = SL_INVALID_ARGUMENT,
     .result =
         "The source of control edge [id=2 c:-1 -> n:-1] is not in the body. Encountered while creating function 'f'"},
    {SPLIT, NULL, "s:1 s:2", "a", .code = SL_INVALID_ARGUMENT,
     .result = "When `num_opers` is set to -1, nodes referenced in `inputs` must have a single output. Node s has 3 "
               "outputs. Encountered while creating function 'f'"},
    {P "n = Neg(p)" F "m = Neg(p)" F, NULL, "p", "n", NULL, "m n", "c c", .code = SL_INVALID_ARGUMENT,
     .result = "Repeated control output name: c"},
    {P "n = Neg(p)" F "m = Neg(p)" F, "n", "p", "n", NULL, "m", .code = SL_INVALID_ARGUMENT,
     .result = "Control output node name must be not empty"},
    {P "n = Neg(p)" F, NULL, "p", "n", NULL, "n", "-", .code = SL_INVALID_ARGUMENT,
     .result = "Control output name must be not empty"},
    {P "n = Neg(p) T type: DT_FLOAT; _z placeholder: 'v'\n", NULL, "p", "n", .code = SL_UNIMPLEMENTED,
     .result = "Placeholder value is not supported for attributes not in OpDef. Attribute: _z, OpDef: "},
};

GRAPH_TEST(functions_are_cut_out_as_tensorflow_does) {
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        struct sl_function_def *function = NULL;
        struct sl_str text;
        if (cuts[i].code) {
            assert_fails(f->err, cuts[i].code, cuts[i].result, cut(f, &function, &cuts[i]));
            continue;
        }
        assert_ok(f->err, cut(f, &function, &cuts[i]));
        assert_ok(f->err,
                  sl_pb_text_print(&text, SL_PB_TYPE(FunctionDef), function->def, SL_PB_ONE_LINE, &f->arena, &f->err));
        /* By field number: signature, node_def, ret, control_ret, arg_attr. */
        assert_text(text.p, cuts[i].result);
        struct sl_body body;
        if (!function->op.n_attrs) {
            assert_ok(f->err,
                      sl_function_instantiate(&body, function, NULL, f->graph, &f->err)); /* and it can be used */
            sl_graph_free(body.graph);
        }
        sl_function_unref(function);
    }
}

/* Names that TensorFlow 2.21 gave these functions. */
static const struct cut hashed[] = {
    {P "n = Neg(p)" F, NULL, "p", "n", .result = "f_ONQgGlTxAdo"},
    {P "n = Neg(p) T type: DT_FLOAT; _y i: 1\n", NULL, "p", "n", .result = "f_ONQgGlTxAdo"},
    {P "n = Neg(p)" F "m = Neg(n, ^p)" F, NULL, "p", "m", NULL, "n m", .result = "f_tGlyAkYdqC0"},
    {P "ax = Const() dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape { } int_val: 3 }\n"
       "s = Split(ax, p) T type: DT_FLOAT; num_split i: 3\n",
     NULL, "p", "s:1 s:2", .result = "f_qTZhxVyW3yo"},
    {P "ss = Const() dtype type: DT_STRING; value tensor { dtype: DT_STRING tensor_shape { dim { size: 3 } } "
       "string_val: ['a', 'b'] }\n"
       "ff = Const() dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape { dim { size: 3 } } float_val: "
       "1 }\n",
     NULL, "p", "ss ff", .result = "f_MHRH43P9v5o"},
    {P
     "n = PartitionedCall(p) f func { name: 'zz' attr { key: 'b' value { i: 3 } } attr { key: 'a' value { i: 4 } } }; "
     "Tin list { type: DT_FLOAT }; Tout list { type: DT_FLOAT }\n",
     NULL, "p", "n", .result = "f_AReEtB16q7o"},
};

GRAPH_TEST(hashes_in_names_are_those_of_tensorflow) {
    for (size_t i = 0; i < sizeof hashed / sizeof *hashed; i++) {
        struct cut row = hashed[i];
        struct sl_function_def *function;
        row.append_hash = true;
        assert_ok(f->err, cut(f, &function, &row));
        assert_text(sl_arena_str(&f->arena, function->name).p, row.result);
        sl_function_unref(function);
    }
}

/* ---- messages again */
GRAPH_TEST(a_graph_is_written_as_it_was_read) {
    import_text(
        f,
        P "a = Identity(p, ^p)@/cpu:0 T type: DT_FLOAT; _z i: 3\n"
          "| node { name: 'd' op: 'NoOp' experimental_debug_info { original_node_names: 'o' original_func_names: 'w' } "
          "experimental_type { type_id: TFT_TENSOR } "
          "}\n"
          "| library { function { signature { name: 'f' } } gradient { function_name: 'f' gradient_func: 'g' } }\n"
          "| versions { producer: 30 min_consumer: 2 bad_consumers: 9 }\n"
          "u = Unpack(a) T type: DT_FLOAT; num i: 2\nx = Add(u, u:1, ^d, ^a)" F,
        NULL);
    struct sl_pb_GraphDef *def;
    struct sl_str text, bytes, again;
    assert_ok(f->err, sl_graph_export(&def, f->graph, &f->arena, &f->err));
    assert_ok(f->err, sl_pb_text_print(&text, SL_PB_TYPE(GraphDef), def, SL_PB_ONE_LINE, &f->arena, &f->err));
    assert_text(
        text.p,
        "node { name: \"p\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"shape\" "
        "value { shape { unknown_rank: true } } } } "
        "node { name: \"a\" op: \"Identity\" input: \"p\" input: \"^p\" device: \"/cpu:0\" attr { key: \"T\" value { "
        "type: DT_FLOAT } } attr { key: \"_z\" value { i: 3 } } } "
        "node { name: \"d\" op: \"NoOp\" experimental_debug_info { original_node_names: \"o\" original_func_names: "
        "\"w\" } experimental_type { type_id: TFT_TENSOR } } "
        "node { name: \"u\" op: \"Unpack\" input: \"a\" attr { key: \"T\" value { type: DT_FLOAT } } attr { key: "
        "\"axis\" value { i: 0 } } attr { key: \"num\" value { i: 2 } } } "
        "node { name: \"x\" op: \"Add\" input: \"u\" input: \"u:1\" input: \"^a\" input: \"^d\" attr { key: \"T\" "
        "value { type: DT_FLOAT } } } "
        "library { function { signature { name: \"f\" } } gradient { function_name: \"f\" gradient_func: \"g\" } } "
        "versions { producer: 30 min_consumer: 12 bad_consumers: 9 }");
    assert_ok(f->err, sl_pb_encode(&bytes, SL_PB_TYPE(GraphDef), def, 0, &f->arena, &f->err));
    struct sl_graph *copy;
    assert_ok(f->err, sl_graph_new(&copy, f->registry, &f->err));
    assert_ok(f->err, sl_graph_import(NULL, copy, def, NULL, &f->err));
    assert_ok(f->err, sl_graph_export(&def, copy, &f->arena, &f->err));
    assert_ok(f->err, sl_pb_encode(&again, SL_PB_TYPE(GraphDef), def, 0, &f->arena, &f->err));
    assert_true(sl_str_eq(bytes, again));
    sl_graph_free(copy);
}

GRAPH_TEST(an_empty_graph_says_its_version) {
    struct sl_pb_GraphDef *def;
    struct sl_str text;
    assert_ok(f->err, sl_graph_export(&def, f->graph, &f->arena, &f->err));
    assert_ok(f->err, sl_pb_text_print(&text, SL_PB_TYPE(GraphDef), def, SL_PB_ONE_LINE, &f->arena, &f->err));
    assert_text(text.p, "library { } versions { producer: 2474 }");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        graph_unit_test(a_body_has_arguments_nodes_and_results),
        graph_unit_test(lists_are_spelt_whole_or_one_by_one),
        graph_unit_test(attrs_of_the_call_are_bound),
        graph_unit_test(attrs_of_arguments_go_to_their_nodes),
        graph_unit_test(bodies_may_hold_loops),
        graph_unit_test(bodies_that_make_no_sense_are_refused),
        graph_unit_test(bodies_share_a_library),
        graph_unit_test(functions_are_found_by_name_and_told_apart),
        graph_unit_test(a_removed_function_goes_on_for_those_who_call_it),
        graph_unit_test(a_function_has_one_gradient),
        graph_unit_test(functions_are_cut_out_as_tensorflow_does),
        graph_unit_test(hashes_in_names_are_those_of_tensorflow),
        graph_unit_test(a_graph_is_written_as_it_was_read),
        graph_unit_test(an_empty_graph_says_its_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
