/* Placement: which of three CPUs each node gets, and what is said of requests that cannot be met. */
#include "passes/place.h"
#include "unit/graph/graph_fixture.h"

#define OF_FLOAT "T type: DT_FLOAT"
#define CONST    "dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape {} float_val: 1 }"

struct options {
    int devices, default_device;
    bool is_soft;
};

static sl_code place(struct graph_fixture *f, struct options o, const char *graph) {
    struct sl_device_set set;
    struct sl_import_options import = {.allow_internal_names = true, .allow_unknown_colocation = true};
    start_again(f);
    import_text(f, graph, &import);
    assert_ok(f->err, sl_device_set_new(&set, SL_STR("/job:localhost/replica:0/task:0"), o.devices, 1, &f->err));
    struct sl_place_options options = {.devices = &set, .default_device = o.default_device, .is_soft = o.is_soft};
    sl_code code = sl_pass_place(f->graph, &options, &f->err);
    SL_GRAPH_EACH(n, f->graph) n->assigned = sl_arena_str(&f->arena, n->assigned); /* the set goes */
    sl_device_set_clear(&set);
    return code;
}

/* "a:0 b:1": the number of each node's CPU. */
static const char *places(struct graph_fixture *f) {
    char *text = sl_arena_format(&f->arena, "%s", "");
    SL_GRAPH_EACH(n, f->graph)
    text = sl_arena_format(&f->arena, "%s%s%.*s:%c", text, *text ? " " : "", SL_STR_ARG(n->name),
                           n->assigned.p[n->assigned.n - 1]);
    return text;
}

#define PLACED(wanted, ...)                                                                                            \
    do {                                                                                                               \
        assert_ok(f->err, place(f, (struct options){.devices = 3}, __VA_ARGS__));                                      \
        assert_text(places(f), wanted);                                                                                \
    } while (0)

GRAPH_TEST(requests_are_met) {
    PLACED("a:0 b:1 c:0 d:2", "a = Const()@/cpu:0 " CONST "\n b = Const()@/device:CPU:1 " CONST
                              "\n c = Add(a, b) " OF_FLOAT "\n d = Neg(c)@/job:localhost/cpu:2 " OF_FLOAT);
    assert_ok(f->err, place(f, (struct options){.devices = 3, .default_device = 2}, "a = Const() " CONST));
    assert_text(places(f), "a:2");
    assert_fails(f->err, SL_INVALID_ARGUMENT,
                 "Cannot assign a device for operation a: {{node a}} was explicitly assigned to /device:CPU:7 but "
                 "available devices are [ /job:localhost/replica:0/task:0/device:CPU:0, "
                 "/job:localhost/replica:0/task:0/device:CPU:1 ]. Make sure the device specification refers to a valid "
                 "device.",
                 place(f, (struct options){.devices = 2}, "a = Const()@/cpu:7 " CONST));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "explicitly assigned to /device:GPU:0",
                 place(f, (struct options){.devices = 2}, "a = Const()@/gpu:0 " CONST));
    assert_ok(f->err, place(f, (struct options){.devices = 2, .is_soft = true},
                            "a = Const()@/gpu:1 " CONST "\n b = Const()@/cpu:1 " CONST));
    assert_text(places(f), "a:0 b:1");
    assert_fails(f->err, SL_INVALID_ARGUMENT, "explicitly assigned to /job:w/device:GPU:1 but",
                 place(f, (struct options){.devices = 2, .is_soft = true}, "a = Const()@/job:w/gpu:1 " CONST));
}

GRAPH_TEST(colocated_nodes_go_together) {
    PLACED("a:1 b:1 c:1", "a = Const()@/cpu:1 " CONST "\n b = Neg(a) " OF_FLOAT "; _class list { s: 'loc:@a' }\n"
                          "c = Neg(b) " OF_FLOAT "; _class list { s: 'loc:@b' }");
    PLACED("a:2 b:2", "a = Const()@/cpu:2 " CONST "; _class list { s: 'loc:@gone' }\n b = Neg(a) " OF_FLOAT
                      "; _class list { s: 'loc:@gone' }");
    const char *conflict = "x = Const()@/cpu:0 " CONST "\n y = Neg(x)@/cpu:1 " OF_FLOAT "; _class list { s: 'loc:@x' }";
    assert_fails(f->err, SL_INVALID_ARGUMENT,
                 "Cannot colocate nodes {{colocation_node y}} and {{colocation_node x}}: Cannot merge devices with "
                 "incompatible ids: '/device:CPU:1' and '/device:CPU:0'",
                 place(f, (struct options){.devices = 2}, conflict));
    assert_ok(f->err, place(f, (struct options){.devices = 2, .is_soft = true}, conflict));
    assert_text(places(f), "x:0 y:0");
}

GRAPH_TEST(readers_of_variables_go_to_them) {
    PLACED("v:1 a:1", "v = VarHandleOp()@/cpu:1 dtype type: DT_FLOAT; shape shape {}\n"
                      "a = ReadVariableOp(v)@/cpu:2 dtype type: DT_FLOAT");
    PLACED("v:0 c:2 w:0 i:2", "v = VariableV2()@/cpu:0 dtype type: DT_FLOAT; shape shape {}\n c = Const()@/cpu:2 " CONST
                              "\n w = Assign(v, c)@/cpu:1 " OF_FLOAT "\n i = Neg(v)@/cpu:2 " OF_FLOAT);
}

GRAPH_TEST(free_nodes_go_to_their_neighbours) {
    PLACED("c:2 n:2 s:2 d:0 e:1 g:2",
           "c = Const() " CONST "\n n = Neg(c)@/cpu:2 " OF_FLOAT "\n s = Shape(n) " OF_FLOAT "\n d = Const() " CONST
           "\n e = Add(d, d)@/cpu:1 " OF_FLOAT "\n g = Add(d, e)@/cpu:2 " OF_FLOAT);
}

GRAPH_TEST(variables_of_loops_go_where_they_are_made) {
#define LOOP_WITH(merge)                                                                                               \
    "c = Const() " CONST "\n e = Enter(c) " OF_FLOAT "; frame_name s: 'f'\n m = Merge(e, n)" merge " " OF_FLOAT        \
    "; N i: 2\n l = Less(m, m)@/cpu:0 " OF_FLOAT "\n p = LoopCond(l) \n s = Switch(m, p) " OF_FLOAT                    \
    "\n i = Identity(s:1) " OF_FLOAT "\n b = Neg(i)@/cpu:2 " OF_FLOAT "\n n = NextIteration(b) " OF_FLOAT              \
    "\n x = Exit(s) " OF_FLOAT
    PLACED("c:0 e:0 m:2 l:0 p:0 s:2 i:2 b:2 n:0 x:2", LOOP_WITH(""));
    PLACED("c:0 e:0 m:1 l:0 p:0 s:1 i:1 b:2 n:0 x:1", LOOP_WITH("@/cpu:1"));
}

GRAPH_TEST(args_and_rets_stay_at_the_default) {
    PLACED("a:0 n:1 r:0", "a = _Arg() " OF_FLOAT "; index i: 0\n n = Neg(a)@/cpu:1 " OF_FLOAT
                          "\n r = _Retval(n) " OF_FLOAT "; index i: 0");
}

static sl_code check(struct graph_fixture *f, struct options o, size_t first, const char *graph) {
    struct sl_device_set set;
    struct sl_import_options import = {.allow_unknown_colocation = true};
    start_again(f);
    import_text(f, graph, &import);
    assert_ok(f->err, sl_device_set_new(&set, SL_STR("/job:localhost/replica:0/task:0"), o.devices, 1, &f->err));
    sl_code code = sl_place_check(f->graph, first, &set, o.is_soft, &f->err);
    sl_device_set_clear(&set);
    return code;
}

/* What nobody may ever run. Nodes that go where others are may say what they like. */
GRAPH_TEST(devices_of_new_nodes_are_checked) {
    static const char bad[] = "a = Const()@/cpu:1 " CONST "\n b = Const()@/gpu:0 " CONST;
    assert_fails(f->err, SL_INVALID_ARGUMENT,
                 "Cannot assign a device for operation b: {{node b}} was explicitly assigned to /device:GPU:0 but "
                 "available devices are [ /job:localhost/replica:0/task:0/device:CPU:0, "
                 "/job:localhost/replica:0/task:0/device:CPU:1 ]. Make sure the device specification refers to a valid "
                 "device.\n\t [[b]]",
                 check(f, (struct options){.devices = 2}, 0, bad));
    assert_ok(f->err, check(f, (struct options){.devices = 2, .is_soft = true}, 0, bad));
    assert_ok(f->err, check(f, (struct options){.devices = 2}, 2, bad));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "explicitly assigned to /device:CPU:1 but",
                 check(f, (struct options){.devices = 1}, 0, bad));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "explicitly assigned to /job:w/device:GPU:0 but",
                 check(f, (struct options){.devices = 2, .is_soft = true}, 0, "a = Const()@/job:w/gpu:0 " CONST));
    assert_ok(f->err, check(f, (struct options){.devices = 2}, 0,
                            "v = VarHandleOp()@/cpu:1 dtype type: DT_FLOAT; shape shape {}"
                            "\n r = ReadVariableOp(v)@/gpu:0 dtype type: DT_FLOAT"));
}

int main(void) {
    const struct CMUnitTest tests[] = {graph_unit_test(requests_are_met),
                                       graph_unit_test(colocated_nodes_go_together),
                                       graph_unit_test(readers_of_variables_go_to_them),
                                       graph_unit_test(free_nodes_go_to_their_neighbours),
                                       graph_unit_test(variables_of_loops_go_where_they_are_made),
                                       graph_unit_test(args_and_rets_stay_at_the_default),
                                       graph_unit_test(devices_of_new_nodes_are_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
