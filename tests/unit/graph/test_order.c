/* graph/order, frames: producers first, cycles found, loops not taken for cycles; frames of nested and neighbouring
 * loops, and what makes no sense in TensorFlow's words. */
#include "unit/graph/graph_fixture.h"

#define F                      " T type: DT_FLOAT\n"
#define P                      "p = Placeholder() dtype type: DT_FLOAT\n"
#define ENTER(name, in, frame) name " = Enter(" in ") T type: DT_FLOAT; frame_name s: '" frame "'\n"

static const char *order_of(struct graph_fixture *f) {
    struct sl_node **order;
    size_t n;
    assert_ok(f->err, sl_graph_order(&order, &n, f->graph, &f->arena, &f->err));
    assert_int_equal(n, f->graph->live);
    char *text = sl_arena_format(&f->arena, "%s", "");
    for (size_t i = 0; i < n; i++)
        text = sl_arena_format(&f->arena, "%s%s%.*s", text, i ? " " : "", SL_STR_ARG(order[i]->name));
    return text;
}

GRAPH_TEST(the_order_of_creation_is_kept_where_it_serves) {
    import_text(f, P "a = Neg(p)" F "b = NoOp(^a)\nc = Neg(p)" F, NULL);
    assert_text(order_of(f), "p a b c");
    sl_graph_remove(f->graph, node_called(f, "b"));
    assert_text(order_of(f), "p a c");
}

GRAPH_TEST(producers_come_first_after_changes) {
    import_text(f, P "a = Neg(p)" F "b = Neg(p)" F "c = Neg(b)" F "d = NoOp()", NULL);
    assert_ok(f->err, sl_graph_set_input(f->graph, node_called(f, "a"), 0, port_of(f, "c", 0), &f->err));
    assert_ok(f->err, sl_graph_add_control(f->graph, node_called(f, "d"), node_called(f, "b"), &f->err));
    assert_text(order_of(f), "p d b c a");
}

GRAPH_TEST(a_cycle_is_named) {
    struct sl_node **order;
    size_t n;
    import_text(f, P "a = Neg(p)" F "b = Neg(a)" F, NULL);
    assert_ok(f->err, sl_graph_set_input(f->graph, node_called(f, "a"), 0, port_of(f, "b", 0), &f->err));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "The graph has a cycle through {{node ",
                 sl_graph_order(&order, &n, f->graph, &f->arena, &f->err));
    assert_ok(f->err, sl_graph_set_input(f->graph, node_called(f, "a"), 0, port_of(f, "p", 0), &f->err));
    assert_ok(f->err, sl_graph_add_control(f->graph, node_called(f, "b"), node_called(f, "p"), &f->err));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "The graph has a cycle through {{node ",
                 sl_graph_order(&order, &n, f->graph, &f->arena, &f->err));
}

GRAPH_TEST(a_loop_is_no_cycle) {
    import_text(f, P ENTER("e", "p", "f") "m = Merge(e, n) T type: DT_FLOAT; N i: 2\nn = NextIteration(m)" F, NULL);
    assert_text(order_of(f), "p e m n");
}

GRAPH_TEST(only_a_merge_closes_a_loop) {
    struct sl_node **order;
    size_t n;
    import_text(f, P ENTER("e", "p", "f") "i = Identity(e)" F "n = NextIteration(i)" F, NULL);
    assert_ok(f->err, sl_graph_set_input(f->graph, node_called(f, "i"), 0, port_of(f, "n", 0), &f->err));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "The graph has a cycle through {{node ",
                 sl_graph_order(&order, &n, f->graph, &f->arena, &f->err));
}

/* A chain turned round, so that the order of creation does not serve: a walk that called itself would overflow. */
GRAPH_TEST(long_chains_are_ordered) {
    enum { N = 100000 };
    struct sl_node_spec spec = {.op = NULL};
    struct sl_node **nodes = SL_ARENA_ARRAY(&f->arena, struct sl_node *, N), **order;
    size_t n;
    assert_ok(f->err, sl_op_find(&spec.op, f->registry, SL_STR("NoOp"), &f->err));
    for (int i = 0; i < N; i++) {
        spec.name = sl_str_of(sl_arena_format(&f->arena, "n%d", i));
        assert_ok(f->err, sl_graph_add_trusted(&nodes[i], f->graph, &spec, &f->err));
        if (i) assert_ok(f->err, sl_graph_add_control(f->graph, nodes[i], nodes[i - 1], &f->err));
    }
    assert_ok(f->err, sl_graph_order(&order, &n, f->graph, &f->arena, &f->err));
    assert_int_equal(n, N);
    for (int i = 0; i < N; i++) assert_ptr_equal(order[i], nodes[N - 1 - i]);
    struct sl_frames frames;
    assert_ok(f->err, sl_graph_frames(&frames, f->graph, &f->arena, &f->err));
    assert_int_equal(frames.n, 1);
}

/* ---- frames */
#define BOOL_ENTER(name, in, frame) name " = Enter(" in ") T type: DT_BOOL; frame_name s: '" frame "'\n"

static int frame_of(struct graph_fixture *f, const struct sl_frames *frames, const char *name) {
    return frames->of_node[node_called(f, name)->id];
}

GRAPH_TEST(nested_loops_have_nested_frames) {
    struct sl_frames frames;
    import_text(f,
                P "b = Placeholder() dtype type: DT_BOOL\n" ENTER("e", "p", "outer") BOOL_ENTER("be", "b", "outer")
                    ENTER("i", "e",
                          "inner") "n = Neg(i)" F "x = Exit(n)" F "y = Exit(x)" F "z = Neg(y)" F
                                   "l = LoopCond(be)\n" ENTER("e2", "p",
                                                              "outer") "w = Enter(p) T type: DT_FLOAT; frame_name s: "
                                                                       "'other'; parallel_iterations i: 3\n",
                NULL);
    assert_ok(f->err, sl_graph_frames(&frames, f->graph, &f->arena, &f->err));
    assert_int_equal(frames.n, 4);
    int outer = frame_of(f, &frames, "i"), inner = frame_of(f, &frames, "n");
    assert_int_equal(frame_of(f, &frames, "p"), 0);
    assert_int_equal(frame_of(f, &frames, "e"), 0);     /* an Enter runs where it comes from */
    assert_int_equal(frame_of(f, &frames, "x"), inner); /* and an Exit where it leaves */
    assert_int_equal(frame_of(f, &frames, "y"), outer);
    assert_int_equal(frame_of(f, &frames, "z"), 0);
    assert_true(sl_str_is(frames.frames[outer].name, "outer"));
    assert_true(sl_str_is(frames.frames[inner].name, "inner"));
    assert_int_equal(frames.frames[0].parent, -1);
    assert_int_equal(frames.frames[outer].parent, 0);
    assert_int_equal(frames.frames[inner].parent, outer);
    assert_int_equal(frames.frames[inner].depth, 2);
    assert_int_equal(frames.frames[outer].parallel_iterations, 10);
    assert_ptr_equal(frames.frames[outer].loop_cond, node_called(f, "l"));
    assert_null(frames.frames[inner].loop_cond);
    int other = 6 - outer - inner;
    assert_true(sl_str_is(frames.frames[other].name, "other"));
    assert_int_equal(frames.frames[other].parallel_iterations, 3);
}

GRAPH_TEST(as_many_iterations_as_can_be_counted_run_at_once) {
    struct sl_frames frames;
    import_text(f,
                P "e = Enter(p) T type: DT_FLOAT; frame_name s: 'f'; parallel_iterations i: 4294967297\nx = Exit(e)" F,
                NULL);
    assert_ok(f->err, sl_graph_frames(&frames, f->graph, &f->arena, &f->err));
    assert_int_equal(frames.frames[1].parallel_iterations, INT32_MAX);
}

static const struct {
    const char *def;
    sl_code code;
    const char *text;
} faults[] = {
    {P "x = Exit(p)" F, SL_INVALID_ARGUMENT, "Invalid Exit op: Cannot find a corresponding Enter op."},
    {P ENTER("e", "p", "f") "x = Exit(e)" F "y = Exit(x)" F, SL_INVALID_ARGUMENT,
     "Invalid Exit op: Cannot find a corresponding Enter op."},
    {P ENTER("e", "p", ""), SL_INVALID_ARGUMENT, "The Enter {{node e}} must have a frame name."},
    {P ENTER("e", "p", "f") "a = Add(e, p)" F, SL_INVALID_ARGUMENT,
     "{{node a}} has inputs from different frames. The input {{node e}} is in frame 'f'. The input {{node p}} is in "
     "frame ''."},
    {P ENTER("e", "p", "f") ENTER("e2", "e, ^p", "g"), SL_INVALID_ARGUMENT,
     "{{node e2}} has inputs from different frames. The input {{node e}} is in frame 'f'. The input {{node p}} is in "
     "frame ''."},
    {P ENTER("e", "p", "f") ENTER("e2", "e", "g") ENTER("e3", "p", "g"), SL_INTERNAL,
     "Invalid loop structure: Mismatched parent frames for \"g\": \"f\" vs \"\". The node giving this error: {{node "
     "e2}}. This is an internal bug"},
    {"b = Placeholder() dtype type: DT_BOOL\n" BOOL_ENTER("e", "b", "f") "l1 = LoopCond(e)\nl2 = LoopCond(e)\n",
     SL_INVALID_ARGUMENT,
     "Invalid loop structure: Loop \"f\" has more than one LoopCond node: {{node l2}} and {{node l1}}. This is an "
     "internal bug"},
};

GRAPH_TEST(frames_that_make_no_sense_are_refused) {
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct sl_frames frames;
        start_again(f);
        import_text(f, faults[i].def, NULL);
        assert_fails(f->err, faults[i].code, faults[i].text, sl_graph_frames(&frames, f->graph, &f->arena, &f->err));
    }
}

/* Gradients add counters to a loop, each with a condition of its own. */
GRAPH_TEST(counters_may_have_their_own_condition) {
    struct sl_frames frames;
    import_text(f,
                "b = Placeholder() dtype type: DT_BOOL\n" BOOL_ENTER("e", "b",
                                                                     "f") "l1 = LoopCond(e)\n"
                                                                          "ForwardLoopCounter = LoopCond(e)\n",
                NULL);
    assert_ok(f->err, sl_graph_frames(&frames, f->graph, &f->arena, &f->err));
}

/* A loop that nothing enters is in no frame. */
GRAPH_TEST(what_nothing_reaches_is_in_no_frame) {
    struct sl_frames frames;
    import_text(f, P ENTER("e", "p", "f") "m = Merge(e, n) T type: DT_FLOAT; N i: 2\nn = NextIteration(m)" F, NULL);
    assert_ok(f->err, sl_graph_set_input(f->graph, node_called(f, "m"), 0, port_of(f, "n", 0), &f->err));
    assert_ok(f->err, sl_graph_frames(&frames, f->graph, &f->arena, &f->err));
    assert_int_equal(frame_of(f, &frames, "m"), -1);
    assert_int_equal(frame_of(f, &frames, "n"), -1);
    assert_int_equal(frame_of(f, &frames, "e"), 0);
}

GRAPH_TEST(kinds_of_flow_are_known_by_op) {
    static const struct {
        const char *op;
        enum sl_flow_kind kind;
    } rows[] = {{"Switch", SL_FLOW_SWITCH},      {"RefSwitch", SL_FLOW_SWITCH}, {"_SwitchN", SL_FLOW_SWITCH_N},
                {"RefMerge", SL_FLOW_MERGE},     {"RefEnter", SL_FLOW_ENTER},   {"Exit", SL_FLOW_EXIT},
                {"NextIteration", SL_FLOW_NEXT}, {"LoopCond", SL_FLOW_COND},    {"ControlTrigger", SL_FLOW_TRIGGER},
                {"Identity", SL_FLOW_NONE},      {"While", SL_FLOW_NONE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct sl_op *op;
        assert_ok(f->err, sl_op_find(&op, f->registry, sl_str_of(rows[i].op), &f->err));
        assert_int_equal(sl_flow_kind_of(op), rows[i].kind);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        graph_unit_test(the_order_of_creation_is_kept_where_it_serves),
        graph_unit_test(producers_come_first_after_changes),
        graph_unit_test(a_cycle_is_named),
        graph_unit_test(a_loop_is_no_cycle),
        graph_unit_test(only_a_merge_closes_a_loop),
        graph_unit_test(long_chains_are_ordered),
        graph_unit_test(nested_loops_have_nested_frames),
        graph_unit_test(as_many_iterations_as_can_be_counted_run_at_once),
        graph_unit_test(frames_that_make_no_sense_are_refused),
        graph_unit_test(counters_may_have_their_own_condition),
        graph_unit_test(what_nothing_reaches_is_in_no_frame),
        graph_unit_test(kinds_of_flow_are_known_by_op),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
