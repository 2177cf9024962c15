/* Nodes of TensorFlow's optimiser, taken apart. */
#include "dist/fused_nodes.h"

#include "dist/tensor_wire.h"
#include "proto/text_format.h"
#include "unit/dist/dist_fixture.h"
#include "unit/dist/graph_words.h"

/* Each node as "name=Op(inputs)", with what it was split into. */
static const char *split(struct sl_arena *arena, const char *text) {
    static struct sl_error err;
    struct sl_pb_GraphDef def;
    assert_ok(err, sl_pb_text_parse(&def, SL_PB_TYPE(GraphDef), sl_str_of(text), arena, &err));
    assert_ok(err, sl_fused_nodes_split(&def, arena, &err));
    char *all = sl_arena_format(arena, "%s", "");
    for (size_t i = 0; i < def.node.n; i++) {
        const struct sl_pb_NodeDef *node = &def.node.items[i];
        all = sl_arena_format(arena, "%s%s%.*s=%.*s(", all, i ? " " : "", SL_STR_ARG(node->name), SL_STR_ARG(node->op));
        for (size_t k = 0; k < node->input.n; k++)
            all = sl_arena_format(arena, "%s%s%.*s", all, k ? "," : "", SL_STR_ARG(node->input.items[k]));
        all = sl_arena_format(arena, "%s)%zu", all, node->attr.n);
    }
    return all;
}

#define LIST(key, items) "attr { key: '" key "' value { list { " items " } } } "
#define NUMBER(key, x)   "attr { key: '" key "' value { i: " #x " } } "
#define TRUE(key)        "attr { key: '" key "' value { b: true } } "

static void chains_have_the_name_of_the_whole(void **state) {
    struct sl_arena arena;
    (void)state;
    sl_arena_init(&arena);
    assert_string_equal(split(&arena, NODE("u", "_UnaryOpsComposition",
                                           T_FLOAT LIST("op_names", "s: 'Neg' s: 'Abs' s: 'Log'") IN("x:1") IN("^c"))
                                          NODE("y", "Neg", T_FLOAT IN("u"))),
                        "u/_fused/0=Neg(x:1,^c)1 u/_fused/1=Abs(u/_fused/0)1 u=Log(u/_fused/1)1 y=Neg(u)1");
    assert_string_equal(split(&arena, NODE("m", "_FusedMatMul",
                                           T_FLOAT TRUE("transpose_b") NUMBER("num_args", 2)
                                               LIST("fused_ops", "s: 'BiasAdd' s: 'Add' s: 'Relu'") IN("a") IN("b")
                                                   IN("bias") IN("side"))),
                        "m/_fused/0=MatMul(a,b)2 m/_fused/1=BiasAdd(m/_fused/0,bias)1 "
                        "m/_fused/2=AddV2(m/_fused/1,side)1 m=Relu(m/_fused/2)1");
    assert_string_equal(
        split(&arena, NODE("k", "_FusedConv2D",
                           T_FLOAT LIST("fused_ops", "s: 'FusedBatchNorm' s: 'LeakyRelu'")
                               LIST("strides",
                                    "i: 1 i: 1 i: 1 i: 1") "attr { key: 'padding' value { s: 'SAME' } } "
                                                           "attr { key: 'epsilon' value { f: 0.5 } } "
                                                           "attr { key: 'leakyrelu_alpha' value { f: 0.1 } } " IN("x")
                                                               IN("f") IN("s") IN("o") IN("mean") IN("var"))),
        "k/_fused/0=Conv2D(x,f)3 k/_fused/1=FusedBatchNormV3(k/_fused/0,s,o,mean,var)4 "
        "k=LeakyRelu(k/_fused/1)2");
    assert_string_equal(split(&arena, NODE("w", "_MklSwish", T_FLOAT IN("x:1") IN("^c"))),
                        "w/_fused/0=Sigmoid(x:1,^c)1 w=Mul(w/_fused/0,x:1)1");
    assert_string_equal(split(&arena, NODE("w", "_MklSwish", IN("x"))), "w/_fused/0=Sigmoid(x)1 w=Mul(w/_fused/0,x)1");
#define NORM "_FusedBatchNormEx"
#define OF   IN("x") IN("s") IN("o") IN("m") IN("v")
    assert_string_equal(
        split(&arena, NODE("n", NORM, T_FLOAT "attr { key: 'activation_mode' value { s: 'Relu' } } " OF)
                          NODE("y", "Neg", T_FLOAT IN("n")) NODE("z", "Neg", T_FLOAT IN("n:3") IN("^n"))),
        "n/_fused/0=FusedBatchNormV3(x,s,o,m,v)1 n=Relu(n/_fused/0)1 y=Neg(n)1 z=Neg(n/_fused/0:3,^n)1");
    assert_string_equal(split(&arena, NODE("n", NORM, T_FLOAT NUMBER("num_side_inputs", 1) OF IN("side"))),
                        "n/_fused/0=FusedBatchNormV3(x,s,o,m,v)1 n=AddV2(n/_fused/0,side)1");
    assert_string_equal(split(&arena, NODE("n", NORM, T_FLOAT OF) NODE("z", "Neg", T_FLOAT IN("n:3"))),
                        "n=FusedBatchNormV3(x,s,o,m,v)1 z=Neg(n:3)1");
    sl_arena_clear(&arena);
}

/* A part that is not known, or inputs that are not those of the parts. */
static void others_stay(void **state) {
    struct sl_arena arena;
    (void)state;
    sl_arena_init(&arena);
    assert_string_equal(split(&arena,
                              NODE("m", "_FusedMatMul",
                                   T_FLOAT LIST("fused_ops", "s: 'BiasAdd' s: 'Surprise'") IN("a") IN("b") IN("bias"))),
                        "m=_FusedMatMul(a,b,bias)2");
    assert_string_equal(split(&arena,
                              NODE("m", "_FusedMatMul", T_FLOAT LIST("fused_ops", "s: 'BiasAdd'") IN("a") IN("^b"))),
                        "m=_FusedMatMul(a,^b)2");
    assert_string_equal(split(&arena, NODE("m", "_FusedMatMul", T_FLOAT IN("a") IN("b"))), "m=_FusedMatMul(a,b)1");
    assert_string_equal(split(&arena, NODE("u", "_UnaryOpsComposition", LIST("op_names", "") IN("a"))),
                        "u=_UnaryOpsComposition(a)1");
    assert_string_equal(split(&arena, NODE("u", "_UnaryOpsComposition", LIST("op_names", "s: 'Neg'"))),
                        "u=_UnaryOpsComposition()1");
    sl_arena_clear(&arena);
}

/* A master's graph at a worker: log(abs(-x)) of what it sends. */
static void workers_run_them(void **state) {
    struct dist_fixture *f = *state;
    struct sl_pb_RegisterGraphResponse registered;
    struct sl_pb_RunGraphResponse ran;
#define TRANSFER(name)                                                                                                 \
    "attr { key: 'tensor_name' value { s: '" name "' } } attr { key: 'send_device' value { s: '" CPU "' } } "          \
    "attr { key: 'recv_device' value { s: '" CPU "' } } attr { key: 'send_device_incarnation' value { i: 1 } } "       \
    "attr { key: 'client_terminated' value { b: true } } device: '" CPU "' "
#define CPU    "/job:worker/replica:0/task:0/device:CPU:0"
#define KEY(n) CPU ";0000000000000001;" CPU ";" n ";0:0"
    static const char graph[] = "graph_def { versions { producer: 1000 } " NODE(
        "x", "_Recv", "attr { key: 'tensor_type' value { type: DT_FLOAT } } " TRANSFER("x"))
        NODE("u", "_UnaryOpsComposition",
             T_FLOAT LIST("op_names", "s: 'Neg' s: 'Abs' s: 'Square'") IN("x") "device: '" CPU "' ")
            NODE("s", "_Send", T_FLOAT TRANSFER("y") IN("u")) " }";
    assert_ok(f->err, CALL(f, "a:1", "WorkerService", RegisterGraph, graph, &registered));
    const char *run = sl_arena_format(&f->arena,
                                      "graph_handle: '%.*s' step_id: 7 send { name: '" KEY(
                                          "x") "' tensor { dtype: DT_FLOAT tensor_shape { } float_val: 3 } } "
                                               "recv_key: '" KEY("y") "'",
                                      SL_STR_ARG(registered.graph_handle));
    assert_ok(f->err, CALL(f, "a:1", "WorkerService", RunGraph, run, &ran));
    assert_int_equal(ran.recv.n, 1);
    struct sl_tensor *t;
    assert_ok(f->err, sl_wire_read_tensor(&t, ran.recv.items[0].tensor, NULL, &f->err));
    assert_true(*(float *)t->data == 9);
    sl_tensor_unref(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_have_the_name_of_the_whole),
        cmocka_unit_test(others_stay),
        cmocka_unit_test_setup_teardown(workers_run_them, dist_setup, dist_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
