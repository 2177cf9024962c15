/* graph/import: what is refused and in which words, names and their changes, mappings, dependencies, results, loops,
 * versions; and that a refused GraphDef leaves nothing behind. The expected texts and names are what TensorFlow 2.21
 * gave. */
#include "proto/wire.h"
#include "unit/graph/graph_fixture.h"

#include <stdlib.h>

#define P "p = Placeholder() dtype type: DT_FLOAT\n"
#define F " T type: DT_FLOAT\n"

/* ---- refusals */
static const struct {
    const char *def;
    sl_code code;
    const char *text;
} refusals[] = {
    {P P, SL_INVALID_ARGUMENT, "Node 'p' is not unique"},
    {"!a = NoOp()", SL_INVALID_ARGUMENT, "Node '!a': Node name contains invalid characters"},
    {"_a = NoOp()", SL_INVALID_ARGUMENT, "Node '_a': Node name contains invalid characters"},
    {" = NoOp()", SL_INVALID_ARGUMENT, "Node '': Node name contains invalid characters"},
    {"n = ()", SL_INVALID_ARGUMENT, "Node 'n' does not specify an operation"},
    {"x = Identity(y)" F, SL_INVALID_ARGUMENT, "Node 'x': Unknown input node 'y'"},
    {P "x = Identity(p, ^q)" F, SL_INVALID_ARGUMENT, "Node 'x': Unknown input node '^q'"},
    {P "x = Identity(p:-1)" F, SL_INVALID_ARGUMENT, "Node 'x': Unknown input node 'p:-1'"},
    {P "x = Identity(p:0:1)" F, SL_INVALID_ARGUMENT, "Node 'x': Unknown input node 'p:0:1'"},
    {P "x = Identity(p:)" F, SL_INVALID_ARGUMENT, "Node 'x': Unknown input node 'p:'"},
    {P "x = NoOp(^p:0)", SL_INVALID_ARGUMENT, "Node 'x': Unknown input node '^p:0'"},
    {P "x = Identity(^p, p)" F, SL_INVALID_ARGUMENT,
     "Node 'x': Control dependencies must come after regular dependencies"},
    {"a = Identity(b)" F "b = Identity(a)" F, SL_INVALID_ARGUMENT, "2 nodes in a cycle"},
    {P "a = Identity(b)" F "b = Identity(a)" F "c = Identity(b)" F, SL_INVALID_ARGUMENT, "3 nodes in a cycle"},
    {"a = NoOp(^a)", SL_INVALID_ARGUMENT, "1 nodes in a cycle"},
    {P "n = NextIteration(a)" F "a = Identity(n)" F, SL_INVALID_ARGUMENT, "2 nodes in a cycle"},
    {P "a = Identity(p:1)" F, SL_INVALID_ARGUMENT,
     "Node 'a': Connecting to invalid output 1 of source node p which has 1 outputs."},
    {P "a = Identity(p:99999999999)" F, SL_INVALID_ARGUMENT, "Node 'a': Connecting to invalid output 2147483647 of"},
    {"n = NoOp()\na = Identity(n)" F, SL_INVALID_ARGUMENT,
     "Node 'a': Connecting to invalid output 0 of source node n which has 0 outputs."},
    {"c = Placeholder() dtype type: DT_BOOL\n"
     "n = StatelessIf(c) Tcond type: DT_BOOL; Tin list { }; Tout list { type: DT_FLOAT }; then_branch func { name: 'f' "
     "}; "
     "else_branch func { name: 'f' }\na = Identity(n:1)" F,
     SL_INVALID_ARGUMENT, "which has 1 outputs. Try using tf.compat.v1.experimental.output_all_intermediates(True)."},
    {P "a = Identity(p) T type: DT_INT32", SL_INVALID_ARGUMENT,
     "Input 0 of node a was passed float from p:0 incompatible with expected int32."},
    {P "a = Assign(p, p)" F, SL_INVALID_ARGUMENT,
     "Input 0 of node a was passed float from p:0 incompatible with expected float_ref."},
    {"n = Foo()", SL_NOT_FOUND, "Op type not registered 'Foo' in binary running on "},
    {"n = Placeholder()", SL_INVALID_ARGUMENT, "NodeDef missing attr 'dtype' from Op<name=Placeholder;"},
    {"n = Placeholder() dtype i: 3", SL_INVALID_ARGUMENT, "AttrValue had value with type 'int' when 'type' expected"},
    {P "n = Abs(p) T type: DT_STRING", SL_INVALID_ARGUMENT,
     "Value for attr 'T' of string is not in the list of allowed values: "},
    {"n = Add()" F, SL_INVALID_ARGUMENT, "NodeDef expected inputs 'float, float' do not match 0 inputs specified;"},
    {P "n = Identity(p, p)" F, SL_INVALID_ARGUMENT, "NodeDef expected inputs 'float' do not match 2 inputs specified;"},
    {P "n = Identity(^p)" F, SL_INVALID_ARGUMENT, "NodeDef expected inputs 'float' do not match 0 inputs specified;"},
    {P "n = Identity(p) T type: DT_FLOAT; _class list { s: 'loc:@zz' }", SL_INVALID_ARGUMENT,
     "Node 'n' expects to be colocated with unknown node 'zz'"},
    {"| versions { min_consumer: 99999 }", SL_INVALID_ARGUMENT,
     "GraphDef min consumer version 99999 above current version 2474 for TensorFlow 2.21.0.  Please upgrade "
     "TensorFlow."},
    {"| versions { producer: -1 }", SL_INVALID_ARGUMENT,
     "GraphDef producer version -1 below min producer 0 supported by TensorFlow 2.21.0.  Please regenerate your "
     "graph."},
    {"| versions { bad_consumers: [1, 2474] }", SL_INVALID_ARGUMENT,
     "GraphDef disallows consumer version 2474.  Please upgrade TensorFlow: this version is likely buggy."},
    {P "d = BatchNormWithGlobalNormalization(p, p, p, p, p) T type: DT_FLOAT; variance_epsilon f: 0; "
       "scale_after_normalization b: false\n| versions { producer: 9 }",
     SL_UNIMPLEMENTED,
     "Op BatchNormWithGlobalNormalization is not available in GraphDef version 9. It has been removed in version 9."},
    {P "n = Identity(p) T type: DT_FLOAT; _output_shapes list { }", SL_INVALID_ARGUMENT,
     "Node 'n' has 1 outputs but the _output_shapes attribute specifies shapes for 0 outputs"},
    {"p = Placeholder() dtype type: DT_FLOAT; shape shape { dim { size: 2 } }\n"
     "n = Identity(p) T type: DT_FLOAT; _output_shapes list { shape { dim { size: 3 } } }\n| versions { producer: 24 }",
     SL_INVALID_ARGUMENT,
     "Node 'n' has an _output_shapes attribute inconsistent with the GraphDef for output #0: Dimension 0 in both "
     "shapes must be equal, but are 2 and 3. Shapes are [2] and [3]."},
};

GRAPH_TEST(faults_are_refused_in_tensorflows_words) {
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct sl_pb_GraphDef *def = graph_def(f, refusals[i].def);
        assert_fails(f->err, refusals[i].code, refusals[i].text, sl_graph_import(NULL, f->graph, def, NULL, &f->err));
        struct sl_str bytes;
        assert_ok(f->err, sl_pb_encode(&bytes, SL_PB_TYPE(GraphDef), def, 0, &f->arena, &f->err));
        assert_fails(f->err, refusals[i].code, refusals[i].text,
                     sl_graph_import_bytes(NULL, f->graph, bytes, NULL, &f->err));
        assert_int_equal(f->graph->live, 0);
        assert_int_equal(f->graph->nodes.n, 0);
        assert_int_equal(f->graph->producer, SL_GRAPH_DEF_VERSION);
    }
}

/* What looks like a fault and is none. */
GRAPH_TEST(what_tensorflow_lets_pass) {
    import_text(f,
                P "a = Identity(p:00)" F "b = Identity(p, ^p, ^p)" F "c = NoOp() zz i: 3; _zz i: 4\n"
                  "d = Identity(p) T type: DT_FLOAT; _class s: 'loc:@zz'\n"
                  "e = Identity(p) T type: DT_FLOAT; _class list { s: 'zz' }\n"
                  "g = NoOp()@foo",
                NULL);
    assert_text(wiring(f), "p a(p) b(p,^p) c d(p) e(p) g");
    assert_true(sl_str_is(node_called(f, "g")->device, "foo"));
}

/* A fault in the last node takes back all that came before, in the graph that was there too. */
GRAPH_TEST(a_refused_import_leaves_the_graph_as_it_was) {
    import_text(f, P "a = Identity(p)" F "| versions { producer: 100 min_consumer: 3 }", NULL);
    struct sl_node *p = node_called(f, "p");
    struct sl_import_mapping map = {SL_STR("in"), 0, {p, 0}};
    struct sl_node *waits_for[] = {node_called(f, "a")};
    struct sl_import_options options = {.prefix = SL_STR("i"),
                                        .mappings = &map,
                                        .n_mappings = 1,
                                        .control_dependencies = waits_for,
                                        .n_control_dependencies = 1};
    struct sl_pb_GraphDef *def =
        graph_def(f, "x = Identity(in)" F "y = Identity(x)" F "z = Identity(x) T type: DT_INT32\n"
                     "| library { function { signature { name: 'f' } }\n"
                     "|   gradient { function_name: 'f' gradient_func: 'g' } }\n"
                     "| versions { producer: 7 min_consumer: 5 bad_consumers: 1 }");
    assert_fails(f->err, SL_INVALID_ARGUMENT,
                 "Input 0 of node i/z was passed float from i/x:0 incompatible with expected int32.",
                 sl_graph_import(NULL, f->graph, def, &options, &f->err));
    assert_text(wiring(f), "p a(p)");
    assert_int_equal(p->uses.n, 1);
    assert_int_equal(waits_for[0]->uses.n, 0);
    assert_int_equal(f->graph->functions.n, 0);
    assert_int_equal(f->graph->gradients.n, 0);
    assert_int_equal(f->graph->producer, 100);
    assert_int_equal(f->graph->min_consumer, 3);
    assert_int_equal(f->graph->n_bad_consumers, 0);
    assert_null(sl_graph_find(f->graph, SL_STR("i/x")));
    assert_ok(f->err, sl_graph_check(f->graph, &f->err));
    import_text(f, "x = Identity(in)" F, &options);
    assert_text(wiring(f), "p a(p) i/x(p,^a)");
}

/* ---- names */
GRAPH_TEST(names_that_are_taken_are_refused) {
    import_text(f, P "s/t = NoOp()", NULL);
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Node name 'p' already exists in the Graph",
                 sl_graph_import(NULL, f->graph, graph_def(f, P), NULL, &f->err));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Node name 's' already exists in the Graph",
                 sl_graph_import(NULL, f->graph, graph_def(f, "s = NoOp()"), NULL, &f->err));
    struct sl_import_options options = {.prefix = SL_STR("s")};
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Node name 's/t' already exists in the Graph",
                 sl_graph_import(NULL, f->graph, graph_def(f, "t = NoOp()"), &options, &f->err));
}

GRAPH_TEST(a_prefix_goes_before_every_name) {
    import_text(f, P, NULL);
    struct sl_import_options options = {.prefix = SL_STR("x")};
    import_text(f, P "a = Identity(p) T type: DT_FLOAT; _class list { s: 'loc:@p' s: 'other' }", &options);
    options.prefix = SL_STR("y/");
    import_text(f, P, &options);
    assert_text(wiring(f), "p x/p x/a(x/p) y/p");
    const struct sl_str *list;
    int n;
    assert_ok(f->err, sl_attr_string_list(&list, &n, &node_called(f, "x/a")->attrs, "_class", &f->err));
    assert_int_equal(n, 2);
    assert_true(sl_str_is(list[0], "loc:@x/p"));
    assert_true(sl_str_is(list[1], "other"));
    options.prefix = SL_STR("!x");
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Imported node name prefix '!x/' would lead to invalid node names",
                 sl_graph_import(NULL, f->graph, graph_def(f, P), &options, &f->err));
}

GRAPH_TEST(a_prefix_may_be_made_unique) {
    struct sl_import_options options = {.prefix = SL_STR("p"), .uniquify_prefix = true};
    import_text(f, P, NULL);
    import_text(f, P, &options);
    options.prefix = SL_STR("a/b");
    import_text(f, P, &options);
    import_text(f, P, &options);
    assert_text(wiring(f), "p p_1/p a/b/p a/b_1/p");
}

GRAPH_TEST(names_may_be_made_unique) {
    struct sl_import_options options = {.uniquify_names = true};
    const char *def = P "a = Identity(p) T type: DT_FLOAT; _class list { s: 'loc:@p' }";
    for (int i = 0; i < 3; i++) import_text(f, def, &options);
    assert_text(wiring(f), "p a(p) p_1 a_1(p_1) p_2 a_2(p_2)");
    const struct sl_str *list;
    int n;
    assert_ok(f->err, sl_attr_string_list(&list, &n, &node_called(f, "a_2")->attrs, "_class", &f->err));
    assert_true(sl_str_is(list[0], "loc:@p_2"));
    /* A scope is taken too, and a name that another node of the GraphDef has is no way out. */
    import_text(f, "s/t/u = NoOp()\nv_1 = NoOp()", NULL);
    import_text(f, "s = NoOp()\ns/t = NoOp()", &options);
    assert_non_null(sl_graph_find(f->graph, SL_STR("s_1")));
    assert_non_null(sl_graph_find(f->graph, SL_STR("s/t_1")));
    start_again(f);
    import_text(f, P, NULL);
    import_text(f, P "p_1 = NoOp()\n", &options);
    assert_text(wiring(f), "p p_2 p_1");
    start_again(f);
    options.prefix = SL_STR("x");
    import_text(f, P, &options);
    import_text(f, P, &options);
    assert_text(wiring(f), "x/p x/p_1");
}

/* ---- options */
GRAPH_TEST(inputs_are_mapped_to_nodes_that_are_there) {
    import_text(f, P "a = Identity(p)" F, NULL);
    struct sl_import_mapping maps[] = {{SL_STR("q"), 0, port_of(f, "a", 0)},
                                       {SL_STR("q"), -1, {node_called(f, "p"), -1}},
                                       {SL_STR("gone"), 2, port_of(f, "a", 0)},
                                       {SL_STR("b"), 0, port_of(f, "a", 0)},
                                       {SL_STR("b"), 1, port_of(f, "a", 0)}};
    struct sl_import_options options = {.prefix = SL_STR("i"), .mappings = maps, .n_mappings = 5};
    struct sl_import_results results;
    struct sl_pb_GraphDef *def = graph_def(f, "b = Identity(q, ^q)" F "c = Identity(b, ^b)" F);
    assert_ok(f->err, sl_graph_import(&results, f->graph, def, &options, &f->err));
    assert_text(wiring(f), "p a(p) i/b(a,^p) i/c(a,^i/b)");
    const bool missing[] = {false, false, true, false, true};
    assert_memory_equal(results.mapping_missing, missing, sizeof missing);
    maps[0].to.index = 3;
    options.prefix = SL_STR("j");
    assert_fails(f->err, SL_INVALID_ARGUMENT,
                 "Node 'b': Connecting to invalid output 3 of source node a which has 1 outputs.",
                 sl_graph_import(NULL, f->graph, def, &options, &f->err));
    maps[0].to.index = -1;
    assert_fails(f->err, SL_INVALID_ARGUMENT, "input_map entry q:0->a:-1 between control edge and non-control edge",
                 sl_graph_import(NULL, f->graph, def, &options, &f->err));
}

/* Only nodes that no imported node comes before are given the dependency. */
GRAPH_TEST(dependencies_reach_every_imported_node) {
    import_text(f, P "a = Identity(p)" F, NULL);
    struct sl_node *waits_for[] = {node_called(f, "a")};
    struct sl_import_mapping map = {SL_STR("q"), 0, port_of(f, "p", 0)};
    struct sl_import_options options = {.prefix = SL_STR("i"),
                                        .mappings = &map,
                                        .n_mappings = 1,
                                        .control_dependencies = waits_for,
                                        .n_control_dependencies = 1};
    import_text(f, P "b = Identity(q)" F "c = Identity(b)" F "d = Identity(p)" F, &options);
    assert_text(wiring(f), "p a(p) i/p(^a) i/b(p,^a) i/c(i/b) i/d(i/p)");
}

GRAPH_TEST(asked_for_nodes_and_outputs_come_back) {
    import_text(f, P "a = Identity(p)" F, NULL);
    struct sl_import_mapping map = {SL_STR("p"), 0, port_of(f, "a", 0)};
    struct sl_import_return asked[] = {{SL_STR("b"), 0}, {SL_STR("p"), 0}, {SL_STR("p"), -1}};
    struct sl_import_options options = {
        .prefix = SL_STR("i"), .mappings = &map, .n_mappings = 1, .returns = asked, .n_returns = 3};
    struct sl_import_results results;
    struct sl_pb_GraphDef *def = graph_def(f, P "b = Identity(p)" F);
    assert_ok(f->err, sl_graph_import(&results, f->graph, def, &options, &f->err));
    assert_ptr_equal(results.returns[0].node, node_called(f, "i/b"));
    assert_ptr_equal(results.returns[1].node, node_called(f, "a"));   /* as mapped */
    assert_ptr_equal(results.returns[2].node, node_called(f, "i/p")); /* the node itself */
    options.prefix = SL_STR("j");
    asked[0].name = SL_STR("zz");
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Requested return tensor 'zz:0' not found in graph def",
                 sl_graph_import(&results, f->graph, def, &options, &f->err));
    asked[0].index = -1;
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Requested return node 'zz' not found in graph def",
                 sl_graph_import(&results, f->graph, def, &options, &f->err));
    asked[0] = (struct sl_import_return){SL_STR("b"), 4};
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Invalid return output 4 of node 'b', which has 1 output(s)",
                 sl_graph_import(&results, f->graph, def, &options, &f->err));
}

GRAPH_TEST(the_default_device_is_for_nodes_without_one) {
    struct sl_import_options options = {.default_device = SL_STR("/cpu:0")};
    import_text(f, "a = NoOp()\nb = NoOp()@/job:w\nc = NoOp()", &options);
    assert_true(sl_str_is(node_called(f, "a")->device, "/cpu:0"));
    assert_true(sl_str_is(node_called(f, "b")->device, "/job:w"));
    assert_true(sl_str_is(node_called(f, "c")->device, "/cpu:0"));
}

GRAPH_TEST(what_is_lenient_must_be_asked_for) {
    struct sl_import_options options = {.allow_unknown_colocation = true, .allow_internal_names = true};
    import_text(f, "_a = NoOp() _class list { s: 'loc:@zz' }\n_ = NoOp()", &options);
    assert_int_equal(f->graph->live, 2);
}

/* ---- loops and order */
#define LOOP                                                                                                           \
    "e = Enter(p) T type: DT_FLOAT; frame_name s: 'f'\n"                                                               \
    "m = Merge(e, n) T type: DT_FLOAT; N i: 2\n"                                                                       \
    "n = NextIteration(m)" F

GRAPH_TEST(a_merge_is_made_before_what_closes_its_loop) {
    import_text(f, P LOOP, NULL);
    assert_text(wiring(f), "p e(p) m(e,n) n(m)");
    start_again(f);
    import_text(f,
                "n = NextIteration(m)" F "m = Merge(e, n) T type: DT_FLOAT; N i: 2\n"
                "e = Enter(p) T type: DT_FLOAT; frame_name s: 'f'\n" P,
                NULL);
    assert_text(wiring(f), "p e(p) m(e,n) n(m)");
}

GRAPH_TEST(what_closes_a_loop_must_fit) {
    struct sl_pb_GraphDef *wrong_type = graph_def(f, "p = Placeholder() dtype type: DT_INT32\n"
                                                     "e = Enter(p) T type: DT_INT32; frame_name s: 'f'\n"
                                                     "m = Merge(e, n) T type: DT_INT32; N i: 2\n"
                                                     "c = Cast(m) SrcT type: DT_INT32; DstT type: DT_FLOAT\n"
                                                     "n = NextIteration(c)" F);
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Input 1 of node m was passed float from n:0 incompatible",
                 sl_graph_import(NULL, f->graph, wrong_type, NULL, &f->err));
    struct sl_pb_GraphDef *no_output = graph_def(f, P "e = Enter(p) T type: DT_FLOAT; frame_name s: 'f'\n"
                                                      "m = Merge(e, n:3) T type: DT_FLOAT; N i: 2\n"
                                                      "n = NextIteration(m)" F);
    assert_fails(f->err, SL_INVALID_ARGUMENT,
                 "Node 'm': Connecting to invalid output 3 of source node n which has 1 outputs.",
                 sl_graph_import(NULL, f->graph, no_output, NULL, &f->err));
    assert_int_equal(f->graph->nodes.n, 0);
}

/* A Merge whose other inputs are mapped waits for nothing. */
GRAPH_TEST(a_loop_may_be_entered_from_outside) {
    import_text(f, P "e = Enter(p) T type: DT_FLOAT; frame_name s: 'f'\n", NULL);
    struct sl_import_mapping map = {SL_STR("in"), 0, port_of(f, "e", 0)};
    struct sl_import_options options = {.prefix = SL_STR("i"), .mappings = &map, .n_mappings = 1};
    import_text(f, "m = Merge(in, n) T type: DT_FLOAT; N i: 2\nn = NextIteration(m)" F, &options);
    assert_text(wiring(f), "p e(p) i/m(e,i/n) i/n(i/m)");
}

GRAPH_TEST(nodes_are_made_in_the_order_of_the_message_as_far_as_inputs_allow) {
    import_text(f,
                "c = Identity(b)" F "z = NoOp()\nb = Identity(a)" F "y = NoOp(^c)\n"
                "a = Placeholder() dtype type: DT_FLOAT",
                NULL);
    assert_text(wiring(f), "z a b(a) c(b) y(^c)");
}

/* 100,000 nodes, each reading the next of the message. */
GRAPH_TEST(long_chains_in_reverse_are_imported) {
    enum { N = 100000 };
    struct sl_pb_GraphDef def = {.node = {calloc(N, sizeof *def.node.items), N}};
    struct sl_pb_entry_string_AttrValue type = {.key = SL_STR("T")}, dtype = {.key = SL_STR("dtype")};
    type.value.which = dtype.value.which = SL_PB_AttrValue_type;
    type.value.type = dtype.value.type = SL_FLOAT;
    struct sl_str *names = calloc(N, sizeof *names);
    for (int i = 0; i < N; i++) names[i] = sl_str_of(sl_arena_format(&f->arena, "n%d", i));
    for (int i = 0; i < N; i++) {
        struct sl_pb_NodeDef *node = &def.node.items[i];
        bool is_last = i == N - 1;
        node->name = names[i];
        node->op = is_last ? SL_STR("Placeholder") : SL_STR("Identity");
        node->attr.items = is_last ? &dtype : &type;
        node->attr.n = 1;
        if (!is_last) node->input.items = &names[i + 1], node->input.n = 1;
    }
    assert_ok(f->err, sl_graph_import(NULL, f->graph, &def, NULL, &f->err));
    assert_int_equal(f->graph->live, N);
    assert_true(sl_str_is(f->graph->nodes.items[0]->name, "n99999"));
    free(def.node.items);
    free(names);
}

/* ---- versions */
GRAPH_TEST(versions_of_graph_and_message_meet) {
    import_text(f, "| versions { producer: 10 min_consumer: 5 bad_consumers: [7, 3] }", NULL);
    import_text(f, "| versions { producer: 20 min_consumer: 4 bad_consumers: [1, 7] }", NULL);
    assert_int_equal(f->graph->producer, 10);
    assert_int_equal(f->graph->min_consumer, 5);
    const int bad[] = {1, 3, 7};
    assert_int_equal(f->graph->n_bad_consumers, 3);
    assert_memory_equal(f->graph->bad_consumers, bad, sizeof bad);
    import_text(f, "", NULL);
    assert_int_equal(f->graph->producer, 0);
}

/* Producers up to 23 wrote a scalar for "unknown": inference goes by the version of the message. */
GRAPH_TEST(old_producers_are_understood) {
    import_text(f, "p = Placeholder() dtype type: DT_FLOAT; shape shape { }\n| versions { producer: 21 }", NULL);
    assert_text(shape_of(f, "p", 0), "<unknown>");
    start_again(f);
    import_text(f, "p = Placeholder() dtype type: DT_FLOAT; shape shape { }\n| versions { producer: 24 }", NULL);
    assert_text(shape_of(f, "p", 0), "[]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        graph_unit_test(faults_are_refused_in_tensorflows_words),
        graph_unit_test(what_tensorflow_lets_pass),
        graph_unit_test(a_refused_import_leaves_the_graph_as_it_was),
        graph_unit_test(names_that_are_taken_are_refused),
        graph_unit_test(a_prefix_goes_before_every_name),
        graph_unit_test(a_prefix_may_be_made_unique),
        graph_unit_test(names_may_be_made_unique),
        graph_unit_test(inputs_are_mapped_to_nodes_that_are_there),
        graph_unit_test(dependencies_reach_every_imported_node),
        graph_unit_test(asked_for_nodes_and_outputs_come_back),
        graph_unit_test(the_default_device_is_for_nodes_without_one),
        graph_unit_test(what_is_lenient_must_be_asked_for),
        graph_unit_test(a_merge_is_made_before_what_closes_its_loop),
        graph_unit_test(what_closes_a_loop_must_fit),
        graph_unit_test(a_loop_may_be_entered_from_outside),
        graph_unit_test(nodes_are_made_in_the_order_of_the_message_as_far_as_inputs_allow),
        graph_unit_test(long_chains_in_reverse_are_imported),
        graph_unit_test(versions_of_graph_and_message_meet),
        graph_unit_test(old_producers_are_understood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
