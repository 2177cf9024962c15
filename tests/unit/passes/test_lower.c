/* passes/lower and its files: what calls, conditionals and loops become, and what stays as it is. That lowered
 * graphs compute the same is shown by the recorded runs, which hold hundreds of them. */
#include <stdio.h>

#include "passes/lower.h"
#include "unit/graph/graph_fixture.h"

#define F             " T type: DT_FLOAT\n"
#define P             "p = Placeholder() dtype type: DT_FLOAT\n"
#define B             "b = Placeholder() dtype type: DT_BOOL\n"
#define TYPE          "attr { key: 'T' value { type: DT_FLOAT } } "
#define NEG(name, in) "node_def { name: '" name "' op: 'Neg' input: '" in "' " TYPE "} "
/* A function of one float: x -> y. */
#define SIGNATURE(name)                                                                                                \
    "signature { name: '" name "' input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: DT_FLOAT } } "
#define CALL(f) "Tin list { type: DT_FLOAT }; Tout list { type: DT_FLOAT }; f func { name: \"" f "\" }\n"
#define LOWERED "; _lower_using_switch_merge b: true"

static void add_function(struct graph_fixture *f, const char *text) {
    struct sl_function_def *made = NULL;
    assert_ok(f->err, sl_function_new(&made, function_def(f, text), &f->err));
    assert_ok(f->err, sl_graph_add_function(f->graph, made, &f->err));
    sl_function_unref(made);
}

static const char *lowered(struct graph_fixture *f) {
    struct sl_lower_options options = {.library = f->graph};
    assert_ok(f->err, sl_pass_lower(f->graph, &options, &f->err));
    assert_ok(f->err, sl_graph_check(f->graph, &f->err));
    return wiring(f);
}

/* ---- calls */

GRAPH_TEST(a_call_becomes_the_body) {
    add_function(f, SIGNATURE("f") NEG("n", "x") "ret { key: 'y' value: 'n:y:0' }");
    import_text(f, P "c = PartitionedCall(p) " CALL("f") "r = Abs(c)" F, NULL);
    assert_true(sl_pass_lower_needed(f->graph));
    assert_text(lowered(f), "p r(c/n) c/n(p)");
    assert_false(sl_pass_lower_needed(f->graph));
}

GRAPH_TEST(a_node_whose_op_is_a_function_is_a_call) {
    add_function(f, SIGNATURE("f") NEG("n", "x") "ret { key: 'y' value: 'n:y:0' }");
    import_text(f, P "c = f(p)\nr = Abs(c)" F, NULL);
    assert_text(lowered(f), "p r(c/n) c/n(p)");
}

/* What the call waits for comes before everything in the body; what waits for the call waits for its results. */
GRAPH_TEST(control_edges_go_round_the_body) {
    add_function(f, SIGNATURE("f") NEG("n", "x") "ret { key: 'y' value: 'n:y:0' }");
    import_text(f, P "q = NoOp()\nc = PartitionedCall(p, ^q) " CALL("f") "r = NoOp(^c)\n", NULL);
    assert_text(lowered(f), "p q r(^c/ended) c/called(^q) c/argument(p,^c/called) c/n(c/argument) c/result(c/n) "
                            "c/ended(^c/called,^c/result)");
}

/* An effect that no result hangs off: only a node of the function's own op has it. */
#define PRINT(name)                                                                                                    \
    "node_def { name: '" name "' op: 'Print' input: 'x' input: 'x' " TYPE                                              \
    "attr { key: 'U' value { list { type: DT_FLOAT } } } } "
GRAPH_TEST(loose_effects_are_those_of_function_ops_alone) {
    add_function(f, SIGNATURE("f") PRINT("said") NEG("n", "x") "ret { key: 'y' value: 'n:y:0' }");
    add_function(f, SIGNATURE("g") PRINT("said") NEG("n", "x") "ret { key: 'y' value: 'n:y:0' } "
                                                               "control_ret { key: 'end' value: 'said' }");
    import_text(f, P "a = f(p)\nb = StatefulPartitionedCall(p) " CALL("f") "c = StatefulPartitionedCall(p) " CALL("g"),
                NULL);
    assert_text(lowered(f), "p a/said(p,p) a/n(p) b/n(p) c/said(p,p) c/n(p)");
}

GRAPH_TEST(recursion_stays_a_call) {
    add_function(f, SIGNATURE("f") "node_def { name: 'again' op: 'f' input: 'x' } ret { key: 'y' value: 'again:y:0' }");
    import_text(f, P "c = PartitionedCall(p) " CALL("f") "r = Abs(c)" F, NULL);
    assert_text(lowered(f), "p r(c/again) c/again(p)");
    assert_true(sl_str_is(node_called(f, "c/again")->op->name, "f"));
}

/* The state of such a node is found by the node's name, which would change. */
GRAPH_TEST(state_without_a_shared_name_stays_a_call) {
    add_function(f, "signature { name: 'f' output_arg { name: 'y' type: DT_RESOURCE } } "
                    "node_def { name: 'v' op: 'VarHandleOp' attr { key: 'dtype' value { type: DT_FLOAT } } "
                    "attr { key: 'shape' value { shape { } } } } ret { key: 'y' value: 'v:resource:0' }");
    import_text(f,
                "c = StatefulPartitionedCall() Tin list { }; Tout list { type: DT_RESOURCE }; f func { name: \"f\" }\n",
                NULL);
    assert_text(lowered(f), "c");
}

GRAPH_TEST(unknown_functions_and_wrong_types_are_left_for_the_run_to_tell) {
    import_text(f, P "c = PartitionedCall(p) " CALL("nobody"), NULL);
    assert_text(lowered(f), "p c(p)");
    start_again(f);
    add_function(f, SIGNATURE("f") NEG("n", "x") "ret { key: 'y' value: 'n:y:0' }");
    import_text(
        f,
        B "c = PartitionedCall(b) Tin list { type: DT_BOOL }; Tout list { type: DT_FLOAT }; f func { name: \"f\" }\n",
        NULL);
    assert_text(lowered(f), "b c(b)");
}

/* Calls that double at each level: 2^40 nodes if all were replaced. */
GRAPH_TEST(growth_is_bounded) {
    char text[1024];
    add_function(f, SIGNATURE("f0") NEG("n", "x") "ret { key: 'y' value: 'n:y:0' }");
    for (int i = 1; i <= 40; i++) {
        snprintf(
            text, sizeof text,
            "signature { name: 'f%d' input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: DT_FLOAT } } "
            "node_def { name: 'a' op: 'f%d' input: 'x' } node_def { name: 'b' op: 'f%d' input: 'a:y:0' } "
            "ret { key: 'y' value: 'b:y:0' }",
            i, i - 1, i - 1);
        add_function(f, text);
    }
    import_text(f, P "c = f40(p)\nr = Abs(c)" F, NULL);
    struct sl_lower_options options = {.library = f->graph};
    assert_ok(f->err, sl_pass_lower(f->graph, &options, &f->err));
    assert_true(f->graph->live < (1 << 16) + (1 << 13));
}

/* ---- conditionals */

#define BRANCHES                                                                                                       \
    "Tcond type: DT_BOOL; Tin list { type: DT_FLOAT }; Tout list { type: DT_FLOAT }; "                                 \
    "then_branch func { name: \"f\" }; else_branch func { name: \"g\" }"

static void add_branches(struct graph_fixture *f) {
    add_function(f, SIGNATURE("f") NEG("n", "x") "ret { key: 'y' value: 'n:y:0' }");
    add_function(f, SIGNATURE("g") "ret { key: 'y' value: 'x' }");
}

GRAPH_TEST(if_becomes_switch_and_merge) {
    add_branches(f);
    import_text(f, P B "i = StatelessIf(b, p) " BRANCHES LOWERED "\nr = Abs(i)" F, NULL);
    assert_text(lowered(f), "p b r(i/merge) i/switch(b,b) i/pivot(i/switch) i/pivot_1(i/switch:1) i/switch_1(p,b) "
                            "i/then/n(i/switch_1:1) i/merge(i/switch_1,i/then/n)");
}

GRAPH_TEST(only_what_asks_for_it_is_lowered) {
    add_branches(f);
    import_text(f, P B "i = StatelessIf(b, p) " BRANCHES "\n", NULL);
    assert_false(sl_pass_lower_needed(f->graph));
    start_again(f);
    add_branches(f);
    import_text(f, P B "i = StatelessIf(b, p) " BRANCHES LOWERED "\nc = PartitionedCall(p) " CALL("f"), NULL);
    struct sl_lower_options options = {.library = f->graph, .keep_control_flow = true};
    assert_ok(f->err, sl_pass_lower(f->graph, &options, &f->err));
    assert_text(wiring(f), "p b i(b,p) c/n(p)");
}

/* A number as the predicate is true when it is not zero, a string when it is not empty: that is the kernel's to
 * know. */
GRAPH_TEST(a_predicate_that_is_no_bool_stays) {
    add_branches(f);
    import_text(
        f,
        P "i = StatelessIf(p, p) Tcond type: DT_FLOAT; Tin list { type: DT_FLOAT }; Tout list { type: DT_FLOAT }; "
          "then_branch func { name: \"f\" }; else_branch func { name: \"g\" }" LOWERED "\n",
        NULL);
    assert_text(lowered(f), "p i(p,p)");
}

/* Whoever waits for the If goes on whichever branch was taken, after the branch's effects. */
GRAPH_TEST(followers_of_an_if_wait_for_a_merge) {
    add_branches(f);
    import_text(f, P B "i = StatelessIf(b, p) " BRANCHES LOWERED "\nr = NoOp(^i)\n", NULL);
    assert_text(lowered(f), "p b r(^i/ended) i/switch(b,b) i/pivot(i/switch) i/pivot_1(i/switch:1) i/switch_1(p,b) "
                            "i/then/n(i/switch_1:1) i/merge(i/switch_1,i/then/n) i/branch_ended(i/pivot) "
                            "i/branch_ended_1(i/pivot_1) i/merge_1(i/branch_ended,i/branch_ended_1) "
                            "i/ended(^i/merge,^i/merge_1)");
}

/* In a client's graph, what only unread results hang off goes, effects too; not where all are fetched, waited for or run. */
GRAPH_TEST(results_of_an_if_that_nobody_reads_are_left_out) {
#define TWO(name)                                                                                                      \
    "signature { name: '" name "' input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: DT_FLOAT } "     \
    "output_arg { name: 'z' type: DT_FLOAT } } " PRINT("said")                                                         \
        NEG("n", "x") "ret { key: 'y' value: 'said:output:0' } ret { key: 'z' value: 'n:y:0' }"
#define IF                                                                                                             \
    "i = If(b, p) Tcond type: DT_BOOL; Tin list { type: DT_FLOAT }; Tout list { type: DT_FLOAT type: DT_FLOAT }; "     \
    "then_branch func { name: \"f\" }; else_branch func { name: \"f\" }" LOWERED "\n"
    static const struct {
        const char *reader;
        bool drops, is_target, is_said;
    } rows[] = {{"r = Abs(i:1)" F, true, false, false},
                {"r = Abs(i:1)" F, false, false, true},
                {"r = Abs(i:1)" F, true, true, true},
                {"r = Abs(i)" F "s = Abs(i:1)" F, true, false, true},
                {"r = Abs(i:1)" F "s = NoOp(^i)\n", true, false, true},
                {"r = _Retval(i:1) T type: DT_FLOAT; index i: 0\n", true, false, true}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[1024];
        add_function(f, TWO("f"));
        snprintf(text, sizeof text, P B IF "%s", rows[k].reader);
        import_text(f, text, NULL);
        struct sl_node *targets[] = {NULL, rows[k].is_target ? node_called(f, "i") : node_called(f, "r")};
        struct sl_lower_options options = {.library = f->graph,
                                           .drops_unread = rows[k].drops,
                                           .targets = targets,
                                           .n_targets = 2};
        assert_ok(f->err, sl_pass_lower(f->graph, &options, &f->err));
        assert_ok(f->err, sl_graph_check(f->graph, &f->err));
        assert_non_null(strstr(wiring(f), "i/then/n"));
        assert_int_equal(strstr(wiring(f), "i/then/said") != NULL, rows[k].is_said);
        assert_int_equal(strstr(wiring(f), "i/else/said") != NULL, rows[k].is_said);
        start_again(f);
    }
}

GRAPH_TEST(case_becomes_a_switch_of_many_outputs) {
    add_branches(f);
    import_text(f,
                P "k = Placeholder() dtype type: DT_INT32\n"
                  "i = StatelessCase(k, p) Tin list { type: DT_FLOAT }; Tout list { type: DT_FLOAT }; branches list { "
                  "func { name: \"f\" } func { name: \"g\" } func { name: \"f\" } }" LOWERED "\nr = Abs(i)" F,
                NULL);
    assert_text(lowered(f),
                "p k r(i/merge) i/switch(k,k) i/pivot(i/switch) i/pivot_1(i/switch:1) i/pivot_2(i/switch:2) "
                "i/switch_1(p,k) i/branch0/n(i/switch_1) i/branch2/n(i/switch_1:2) "
                "i/merge(i/branch0/n,i/switch_1:1,i/branch2/n)");
}

/* ---- loops */

#define LOOP "T list { type: DT_FLOAT type: DT_FLOAT }; cond func { name: \"less\" }; body func { name: \"step\" }"

static void add_loop(struct graph_fixture *f) {
    add_function(
        f, "signature { name: 'less' input_arg { name: 'i' type: DT_FLOAT } input_arg { name: 'n' type: DT_FLOAT } "
           "output_arg { name: 'y' type: DT_BOOL } } node_def { name: 'l' op: 'Less' input: 'i' input: 'n' " TYPE
           "} ret { key: 'y' value: 'l:z:0' }");
    add_function(
        f, "signature { name: 'step' input_arg { name: 'i' type: DT_FLOAT } input_arg { name: 'n' type: DT_FLOAT } "
           "output_arg { name: 'j' type: DT_FLOAT } output_arg { name: 'm' type: DT_FLOAT } } "
           "node_def { name: 'a' op: 'AddV2' input: 'i' input: 'i' " TYPE
           "} ret { key: 'j' value: 'a:z:0' } ret { key: 'm' value: 'n' }");
}

/* The second variable comes back as it was: a constant of the loop. */
GRAPH_TEST(while_becomes_a_frame) {
    add_loop(f);
    import_text(f,
                P "q = Placeholder() dtype type: DT_FLOAT\nw = StatelessWhile(p, q) " LOOP LOWERED "\nr = Abs(w)" F
                  "s = Abs(w:1)" F,
                NULL);
    assert_text(lowered(f),
                "p q r(w/Exit) s(w/unchanged) w/enter(p) w/merge(w/enter,w/NextIteration) w/enter_1(q) "
                "w/iteration(^w/merge) w/cond/l(w/merge,w/enter_1) w/LoopCond(w/cond/l) w/Switch(w/merge,w/LoopCond) "
                "w/Switch_1(w/enter_1,w/LoopCond) w/goes_on(w/Switch:1) w/body/a(w/Switch:1,w/Switch:1) "
                "w/NextIteration(w/body/a) w/Exit(w/Switch) w/unchanged(q,^w/Exit)");
    struct sl_frames frames;
    assert_ok(f->err, sl_graph_frames(&frames, f->graph, &f->arena, &f->err));
    assert_int_equal(frames.n, 2);
    assert_true(sl_str_is(frames.frames[1].name, "w"));
    assert_int_equal(frames.frames[1].parallel_iterations, 10);
}

/* Each copy of a body has frames of its own. */
GRAPH_TEST(frames_in_a_body_are_renamed) {
    add_function(f, SIGNATURE("f") "node_def { name: 'e' op: 'Enter' input: 'x' " TYPE
                                   "attr { key: 'frame_name' value { s: 'loop' } } } node_def { name: 'o' op: 'Exit' "
                                   "input: 'e:output:0' " TYPE "} ret { key: 'y' value: 'o:output:0' }");
    import_text(f, P "c = PartitionedCall(p) " CALL("f") "d = PartitionedCall(c) " CALL("f") "r = Abs(d)" F, NULL);
    assert_text(lowered(f), "p r(d/o) c/e(p) c/o(c/e) d/e(c/o) d/o(d/e)");
    struct sl_str frame;
    assert_ok(f->err, sl_attr_string(&frame, &node_called(f, "d/e")->attrs, "frame_name", &f->err));
    assert_true(sl_str_is(frame, "d/loop"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        graph_unit_test(a_call_becomes_the_body),
        graph_unit_test(a_node_whose_op_is_a_function_is_a_call),
        graph_unit_test(control_edges_go_round_the_body),
        graph_unit_test(loose_effects_are_those_of_function_ops_alone),
        graph_unit_test(recursion_stays_a_call),
        graph_unit_test(state_without_a_shared_name_stays_a_call),
        graph_unit_test(unknown_functions_and_wrong_types_are_left_for_the_run_to_tell),
        graph_unit_test(growth_is_bounded),
        graph_unit_test(if_becomes_switch_and_merge),
        graph_unit_test(only_what_asks_for_it_is_lowered),
        graph_unit_test(a_predicate_that_is_no_bool_stays),
        graph_unit_test(followers_of_an_if_wait_for_a_merge),
        graph_unit_test(results_of_an_if_that_nobody_reads_are_left_out),
        graph_unit_test(case_becomes_a_switch_of_many_outputs),
        graph_unit_test(while_becomes_a_frame),
        graph_unit_test(frames_in_a_body_are_renamed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
