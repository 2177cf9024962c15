/* graph/build, edges, check: adding nodes one by one, names, pointing inputs elsewhere, controls, removing; after
 * each change the graph is checked. */
#include "unit/graph/graph_fixture.h"

#include <stdlib.h>

#define F " T type: DT_FLOAT\n"
#define P "p = Placeholder() dtype type: DT_FLOAT\n"

static void check(struct graph_fixture *f) { assert_ok(f->err, sl_graph_check(f->graph, &f->err)); }

static const struct sl_pb_AttrValue float_type = {.which = SL_PB_AttrValue_type, .type = SL_FLOAT};
static const struct sl_pb_AttrValue int_type = {.which = SL_PB_AttrValue_type, .type = SL_INT32};

/* A spec of one type attr. */
static struct sl_node_spec spec_of(struct graph_fixture *f, const char *name, const char *op,
                                   const struct sl_attr *type, const struct sl_port *inputs, int n_inputs) {
    struct sl_node_spec spec = {.name = sl_str_of(name),
                                .attrs = {type, type != NULL},
                                .inputs = inputs,
                                .n_inputs = n_inputs};
    assert_ok(f->err, sl_op_find(&spec.op, f->registry, sl_str_of(op), &f->err));
    return spec;
}

static const struct sl_attr t_float = {{"T", 1}, &float_type}, t_int = {{"T", 1}, &int_type};
static const struct sl_attr dtype_float = {{"dtype", 5}, &float_type};

static struct sl_node *add(struct graph_fixture *f, struct sl_node_spec spec) {
    struct sl_node *node = NULL;
    assert_ok(f->err, sl_graph_add(&node, f->graph, &spec, &f->err));
    check(f);
    return node;
}

GRAPH_TEST(nodes_are_added_one_by_one) {
    struct sl_node *p = add(f, spec_of(f, "p", "Placeholder", &dtype_float, NULL, 0));
    struct sl_port in[] = {{p, 0}, {p, 0}};
    struct sl_node_spec spec = spec_of(f, "a", "Add", &t_float, in, 2);
    struct sl_node *controls[] = {p, p};
    spec.controls = controls;
    spec.n_controls = 2;
    spec.device = SL_STR("/cpu:0");
    struct sl_node *a = add(f, spec);
    assert_text(wiring(f), "p a(p,p,^p)");
    assert_int_equal(a->id, 1);
    assert_int_equal(a->n_inputs, 2);
    assert_int_equal(a->n_outputs, 1);
    assert_int_equal(a->in_types[1], SL_FLOAT);
    assert_int_equal(a->out_types[0], SL_FLOAT);
    assert_int_equal(p->uses.n, 3);
    assert_true(sl_str_is(a->device, "/cpu:0"));
    assert_true(sl_str_is(a->assigned, ""));
    assert_ptr_equal(sl_graph_find(f->graph, SL_STR("a")), a);
    assert_null(sl_graph_find(f->graph, SL_STR("b")));
    struct sl_shape unknown;
    assert_ok(f->err, sl_attr_shape(&unknown, &f->arena, &p->attrs, "shape", &f->err)); /* the op's default */
    assert_int_equal(unknown.rank, -1);
}

GRAPH_TEST(a_spec_that_does_not_fit_adds_nothing) {
    struct sl_node *p = add(f, spec_of(f, "p", "Placeholder", &dtype_float, NULL, 0)), *out;
    struct sl_port in[] = {{p, 0}, {p, 1}};
    const struct {
        struct sl_node_spec spec;
        const char *text;
    } rows[] = {
        {spec_of(f, "p", "NoOp", NULL, NULL, 0), "Duplicate node name in graph: 'p'"},
        {spec_of(f, "n", "Placeholder", NULL, NULL, 0), "NodeDef missing attr 'dtype' from Op<name=Placeholder;"},
        {spec_of(f, "n", "Identity", &t_float, in, 2),
         "Attempt to add output 1 of p not in range [0, 1) to node with type Identity. Node: {{node n}}"},
        {spec_of(f, "n", "Add", &t_float, in, 1), "NodeDef expected inputs 'float, float' do not match 1 inputs"},
        {spec_of(f, "n", "Identity", &t_int, in, 1),
         "Input 0 of node n was passed float from p:0 incompatible with expected int32."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_fails(f->err, SL_INVALID_ARGUMENT, rows[i].text, sl_graph_add(&out, f->graph, &rows[i].spec, &f->err));
        assert_text(wiring(f), "p");
        assert_int_equal(p->uses.n, 0);
        check(f);
    }
    struct sl_graph *other;
    assert_ok(f->err, sl_graph_new(&other, f->registry, &f->err));
    struct sl_node_spec foreign = spec_of(f, "n", "Identity", &t_float, in, 1);
    assert_fails(f->err, SL_INVALID_ARGUMENT, "of another graph", sl_graph_add(&out, other, &foreign, &f->err));
    sl_graph_free(other);
}

/* The node is gone again when its shapes make no sense, and so are its edges. */
GRAPH_TEST(a_node_whose_inference_fails_is_not_added) {
    import_text(f,
                "x = Placeholder() dtype type: DT_FLOAT; shape shape { dim { size: 2 } }\n| versions { producer: 99 }",
                NULL);
    struct sl_port in[] = {port_of(f, "x", 0), port_of(f, "x", 0)};
    struct sl_node_spec spec = spec_of(f, "m", "MatMul", &t_float, in, 2);
    struct sl_node *out;
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Shape must be rank 2 but is rank 1 for '{{node m}}",
                 sl_graph_add(&out, f->graph, &spec, &f->err));
    assert_text(wiring(f), "x");
    check(f);
    spec.name = SL_STR("trusted"); /* without inference it is let pass */
    assert_ok(f->err, sl_graph_add_trusted(&out, f->graph, &spec, &f->err));
    assert_text(wiring(f), "x trusted(x,x)");
    assert_int_equal(out->shapes[0].rank, -1);
    assert_non_null(sl_attr_find(&out->attrs, SL_STR("transpose_a")));
}

GRAPH_TEST(a_loop_is_closed_by_setting_an_input) {
    import_text(f, P "e = Enter(p) T type: DT_FLOAT; frame_name s: 'f'\n", NULL);
    struct sl_pb_AttrValue two = {.which = SL_PB_AttrValue_i, .i = 2};
    struct sl_attr attrs[] = {t_float, {SL_STR("N"), &two}};
    struct sl_port enter = port_of(f, "e", 0);
    struct sl_node_spec spec = spec_of(f, "m", "Merge", NULL, &enter, 1);
    struct sl_node *merge, *next;
    spec.attrs = (struct sl_attrs){attrs, 2};
    assert_fails(f->err, SL_INVALID_ARGUMENT, "do not match 1 inputs", sl_graph_add(&merge, f->graph, &spec, &f->err));
    spec.allow_missing_back_edges = true;
    assert_ok(f->err, sl_graph_add(&merge, f->graph, &spec, &f->err));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Node 'm' lacks input 1", sl_graph_check(f->graph, &f->err));
    struct sl_port from = {merge, 0};
    next = NULL;
    struct sl_node_spec next_spec = spec_of(f, "n", "NextIteration", &t_float, &from, 1);
    assert_ok(f->err, sl_graph_add(&next, f->graph, &next_spec, &f->err));
    assert_ok(f->err, sl_graph_set_input(f->graph, merge, 1, (struct sl_port){next, 0}, &f->err));
    assert_text(wiring(f), "p e(p) m(e,n) n(m)");
    check(f);
}

/* What reads `p` still does; all else reads copies. */
static sl_code to_copies(struct sl_port *port, void *copies, const struct sl_node *n, int slot) {
    assert_int_equal(slot < 0, port->index < 0);
    assert_int_equal(n->name.n, 1);
    if (!sl_str_is(port->node->name, "p")) port->node = ((struct sl_node **)copies)[port->node->id];
    return SL_OK;
}

GRAPH_TEST(nodes_are_copied_with_their_loops) {
    import_text(f,
                P "e = Enter(p)@/cpu:1 T type: DT_FLOAT; frame_name s: 'f'\n"
                  "m = Merge(e, n) T type: DT_FLOAT; N i: 2\nn = NextIteration(m, ^e) T type: DT_FLOAT",
                NULL);
    struct sl_node *copies[4] = {NULL}, *out;
    struct sl_shape two = {1, (int64_t[]){2}};
    assert_ok(f->err, sl_graph_set_shape(f->graph, port_of(f, "e", 0), two, &f->err));
    for (int i = 1; i < 4; i++) {
        const struct sl_node *n = f->graph->nodes.items[i];
        struct sl_str name = sl_graph_unique_name(f->graph, n->name);
        assert_ok(f->err, sl_graph_copy_node(&copies[i], f->graph, n, name, n->device, &f->err));
    }
    for (int i = 1; i < 4; i++)
        assert_ok(f->err, sl_graph_copy_edges(copies[i], f->graph->nodes.items[i], to_copies, copies, &f->err));
    check(f);
    assert_text(wiring(f), "p e(p) m(e,n) n(m,^e) e_1(p) m_1(e_1,n_1) n_1(m_1,^e_1)");
    assert_text(shape_of(f, "e_1", 0), "[2]");
    assert_true(sl_str_is(copies[1]->device, "/cpu:1"));
    assert_ptr_equal(sl_attr_find(&copies[1]->attrs, SL_STR("frame_name")),
                     sl_attr_find(&node_called(f, "e")->attrs, SL_STR("frame_name")));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Duplicate node name in graph: 'm'",
                 sl_graph_copy_node(&out, f->graph, copies[1], SL_STR("m"), SL_STR(""), &f->err));
    check(f);
}

/* ---- names */
GRAPH_TEST(names_are_valid_by_the_original_rules) {
    static const char *const good[] = {"a", "A.b", ".a", "9", "a_", "a/", "a//b", "a-b", "a>b", "a>.b/c>9"};
    static const char *const bad[] = {"",     "_a",  "-a",  "/a",   ">a",  "a>",      "a>>b",
                                      "a>_b", "a b", "a:b", "a\\b", "a\n", "\xc3\xa9"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) assert_true(sl_node_name_is_valid(sl_str_of(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(sl_node_name_is_valid(sl_str_of(bad[i])));
    assert_false(sl_node_name_is_valid((struct sl_str){"a\0", 2}));
}

GRAPH_TEST(unique_names_are_new_every_time) {
    import_text(f, "a = NoOp()\na_2 = NoOp()", NULL);
    assert_true(sl_str_is(sl_graph_unique_name(f->graph, SL_STR("b")), "b"));
    struct sl_str one = sl_graph_unique_name(f->graph, SL_STR("a"));
    assert_true(sl_str_is(one, "a_1"));
    struct sl_node_spec spec = spec_of(f, "a_1", "NoOp", NULL, NULL, 0);
    add(f, spec);
    assert_true(sl_str_is(sl_graph_unique_name(f->graph, SL_STR("a")), "a_3"));
}

/* ---- edges */
#define DIAMOND P "q = Placeholder() dtype type: DT_FLOAT\nx = Neg(p)" F "y = Add(x, p, ^q)" F "z = Add(x, x)" F

GRAPH_TEST(inputs_are_pointed_elsewhere) {
    import_text(f, DIAMOND, NULL);
    assert_ok(f->err, sl_graph_set_input(f->graph, node_called(f, "z"), 1, port_of(f, "q", 0), &f->err));
    check(f);
    assert_text(wiring(f), "p q x(p) y(x,p,^q) z(x,q)");
    assert_ok(f->err, sl_graph_set_input(f->graph, node_called(f, "z"), 1, port_of(f, "q", 0), &f->err)); /* the same */
    check(f);
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Node 'z' has no input 2; it has 2",
                 sl_graph_set_input(f->graph, node_called(f, "z"), 2, port_of(f, "q", 0), &f->err));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Connecting to invalid output 7 of source node q",
                 sl_graph_set_input(f->graph, node_called(f, "z"), 1, port_of(f, "q", 7), &f->err));
}

GRAPH_TEST(all_uses_of_an_output_move) {
    import_text(f, DIAMOND, NULL);
    assert_ok(f->err, sl_graph_replace_uses(f->graph, port_of(f, "x", 0), port_of(f, "q", 0), &f->err));
    check(f);
    assert_text(wiring(f), "p q x(p) y(q,p,^q) z(q,q)");
    assert_int_equal(node_called(f, "x")->uses.n, 0);
    import_text(f, "i = Placeholder() dtype type: DT_INT32", NULL);
    assert_fails(f->err, SL_INVALID_ARGUMENT, "was passed int32 from i:0 incompatible",
                 sl_graph_replace_uses(f->graph, port_of(f, "q", 0), port_of(f, "i", 0), &f->err));
    check(f);
    start_again(f);
    import_text(f, P "u = Unpack(p) T type: DT_FLOAT; num i: 3\nx = Add(u, u:1)" F, NULL);
    assert_ok(f->err, sl_graph_replace_uses(f->graph, port_of(f, "u", 0), port_of(f, "u", 2), &f->err));
    check(f);
    assert_text(wiring(f), "p u(p) x(u:2,u:1)");
}

GRAPH_TEST(controls_are_kept_once) {
    import_text(f, DIAMOND, NULL);
    struct sl_node *q = node_called(f, "q"), *z = node_called(f, "z");
    for (int i = 0; i < 3; i++) assert_ok(f->err, sl_graph_add_control(f->graph, q, z, &f->err));
    check(f);
    assert_text(wiring(f), "p q x(p) y(x,p,^q) z(x,x,^q)");
    sl_graph_remove_control(f->graph, q, z);
    sl_graph_remove_control(f->graph, q, z); /* not there: nothing */
    check(f);
    assert_text(wiring(f), "p q x(p) y(x,p,^q) z(x,x)");
}

GRAPH_TEST(followers_wait_for_another_node) {
    import_text(f, P "q = NoOp()\nr = NoOp()\na = Neg(p, ^q, ^p)" F "b = NoOp(^r, ^q)\nc = NoOp(^q)\nd = NoOp(^q)",
                NULL);
    struct sl_node *p = node_called(f, "p"), *q = node_called(f, "q"), *r = node_called(f, "r");
    assert_ok(f->err, sl_graph_move_followers(f->graph, q, r, &f->err));
    check(f);
    assert_text(wiring(f), "p q r a(p,^p,^r) b(^r) c(^r) d(^r)"); /* b waits once */
    assert_ok(f->err, sl_graph_move_followers(f->graph, q, p, &f->err));
    assert_ok(f->err, sl_graph_move_followers(f->graph, r, r, &f->err)); /* neither changes a thing */
    assert_ok(f->err, sl_graph_move_followers(f->graph, p, r, &f->err)); /* what is read stays */
    check(f);
    assert_text(wiring(f), "p q r a(p,^r) b(^r) c(^r) d(^r)");
    assert_ok(f->err, sl_graph_move_followers(f->graph, r, NULL, &f->err));
    check(f);
    assert_text(wiring(f), "p q r a(p) b c d");
}

/* Every node waits for one, and one for every node: neither way takes time in the square. */
GRAPH_TEST(hubs_of_controls_are_quick) {
    enum { N = 30000 };
    struct sl_node *out, *one, *all;
    struct sl_node_spec spec = spec_of(f, "one", "NoOp", NULL, NULL, 0);
    assert_ok(f->err, sl_graph_add_trusted(&one, f->graph, &spec, &f->err));
    spec.name = SL_STR("all");
    assert_ok(f->err, sl_graph_add_trusted(&all, f->graph, &spec, &f->err));
    for (int i = 0; i < N; i++) {
        spec.name = sl_str_of(sl_arena_format(&f->arena, "n%d", i));
        assert_ok(f->err, sl_graph_add_trusted(&out, f->graph, &spec, &f->err));
        assert_ok(f->err, sl_graph_add_control(f->graph, one, out, &f->err));
        assert_ok(f->err, sl_graph_add_control(f->graph, out, all, &f->err));
    }
    check(f);
    assert_int_equal(all->n_controls, N);
    bool *keep = calloc(f->graph->nodes.n, 1);
    keep[one->id] = keep[all->id] = true;
    sl_graph_keep(f->graph, keep);
    check(f);
    assert_text(wiring(f), "one all");
    free(keep);
}

/* ---- removing */
GRAPH_TEST(a_removed_node_leaves_no_trace) {
    import_text(f, DIAMOND, NULL);
    sl_graph_remove(f->graph, node_called(f, "y"));
    check(f);
    assert_text(wiring(f), "p q x(p) z(x,x)");
    assert_null(sl_graph_find(f->graph, SL_STR("y")));
    sl_graph_remove(f->graph, node_called(f, "z"));
    sl_graph_remove(f->graph, node_called(f, "x"));
    check(f);
    assert_int_equal(node_called(f, "p")->uses.n, 0);
    import_text(f, "y = NoOp(^p)",
                &(struct sl_import_options){.mappings =
                                                &(struct sl_import_mapping){SL_STR("p"), -1, port_of(f, "p", -1)},
                                            .n_mappings = 1});
    assert_text(wiring(f), "p q y(^p)");            /* the name is free again */
    sl_graph_remove(f->graph, node_called(f, "p")); /* who only waited for it waits no longer */
    check(f);
    assert_text(wiring(f), "q y");
    assert_int_equal(f->graph->live, 2);
}

GRAPH_TEST(only_what_is_kept_stays) {
    import_text(f, DIAMOND, NULL);
    bool keep[5] = {true, false, true, true, false};
    sl_graph_keep(f->graph, keep);
    check(f);
    assert_text(wiring(f), "p x(p) y(x,p)");
}

/* ---- the check itself finds what is wrong */
GRAPH_TEST(the_check_sees_broken_graphs) {
    import_text(f, DIAMOND, NULL);
    struct sl_node *x = node_called(f, "x"), *y = node_called(f, "y"), *q = node_called(f, "q");
    x->uses.n--;
    assert_fails(f->err, SL_INTERNAL, "uses are known", sl_graph_check(f->graph, &f->err));
    x->uses.n++;
    y->inputs[0].node = q;
    assert_fails(f->err, SL_INTERNAL, "is known at one end only", sl_graph_check(f->graph, &f->err));
    y->inputs[0].node = x;
    const uint8_t *types = y->in_types, wrong[] = {SL_INT32, SL_INT32};
    y->in_types = wrong;
    assert_fails(f->err, SL_INVALID_ARGUMENT, "incompatible with expected int32", sl_graph_check(f->graph, &f->err));
    y->in_types = types;
    f->graph->live++;
    assert_fails(f->err, SL_INTERNAL, "The graph counts 6 nodes", sl_graph_check(f->graph, &f->err));
    f->graph->live--;
    f->graph->names.n++;
    assert_fails(f->err, SL_INTERNAL, "The graph counts 5 nodes, knows 6 by name", sl_graph_check(f->graph, &f->err));
    f->graph->names.n--;
    check(f);
    /* one control edge, told twice by both of its ends */
    struct sl_node **controls = y->controls, *twice[] = {q, q};
    struct sl_use *uses = q->uses.items, two_uses[] = {uses[0], uses[0]};
    y->controls = twice;
    y->n_controls = 2;
    q->uses.items = two_uses;
    q->uses.n = 2;
    assert_fails(f->err, SL_INTERNAL, "'y' waits for 'q' twice", sl_graph_check(f->graph, &f->err));
    y->controls = controls;
    y->n_controls = 1;
    q->uses.items = uses;
    q->uses.n = 1;
    check(f);
    assert_ok(f->err, sl_graph_add_control(f->graph, y, x, &f->err));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "The graph has a cycle through {{node ",
                 sl_graph_check(f->graph, &f->err));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        graph_unit_test(nodes_are_added_one_by_one),
        graph_unit_test(a_spec_that_does_not_fit_adds_nothing),
        graph_unit_test(a_node_whose_inference_fails_is_not_added),
        graph_unit_test(a_loop_is_closed_by_setting_an_input),
        graph_unit_test(nodes_are_copied_with_their_loops),
        graph_unit_test(names_are_valid_by_the_original_rules),
        graph_unit_test(unique_names_are_new_every_time),
        graph_unit_test(inputs_are_pointed_elsewhere),
        graph_unit_test(all_uses_of_an_output_move),
        graph_unit_test(controls_are_kept_once),
        graph_unit_test(followers_wait_for_another_node),
        graph_unit_test(hubs_of_controls_are_quick),
        graph_unit_test(a_removed_node_leaves_no_trace),
        graph_unit_test(only_what_is_kept_stays),
        graph_unit_test(the_check_sees_broken_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
