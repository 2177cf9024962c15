/* Copies between memories: what is put on which edge of a device's graph, once for all who read there. */
#include "passes/copies.h"

#include "kernel/ports.h"
#include "ops/op_row.h"
#include "unit/passes/far_devices.h"

#define FLOAT     "T type: DT_FLOAT"
#define INT       "T type: DT_INT32"
#define CONST     "dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape {} float_val: 1 }"
#define NUMBER    "dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape {} int_val: 1 }"
#define PREDICATE "dtype type: DT_BOOL; value tensor { dtype: DT_BOOL tensor_shape {} bool_val: true }"

/* ---- the graph of one device, as text */

static const char *kind_of(const struct sl_node *n) {
    bool on_device;
    if (n->op->index == SL_ROW__CopyToHost) return ":host";
    if (n->op->index == SL_ROW__CopyToDevice) return ":device";
    return sl_attr_bool(&on_device, &n->attrs, SL_CONSTANT_ON_DEVICE, NULL) == SL_OK && on_device ? "@device" : "";
}

/* "c@device n(x) n_1:host(n)": nodes with their inputs; a copy with where it goes, a constant that lies in the
 * device's memory with "@device". */
static const char *text_of(struct graph_fixture *f, const struct sl_graph *graph) {
    char *text = sl_arena_format(&f->arena, "%s", "");
    SL_GRAPH_EACH(n, graph) {
        struct sl_pb_NodeDef def;
        assert_ok(f->err, sl_node_export(&def, n, &f->arena, &f->err));
        text = sl_arena_format(&f->arena, "%s%s%.*s%s", text, *text ? " " : "", SL_STR_ARG(n->name), kind_of(n));
        for (size_t i = 0; i < def.input.n; i++)
            text = sl_arena_format(&f->arena, "%s%s%.*s%s", text, i ? "," : "(", SL_STR_ARG(def.input.items[i]),
                                   i + 1 == def.input.n ? ")" : "");
    }
    return text;
}

/* All nodes are on one device, and arguments and results are the host's or not. */
static sl_code copy_on(const char **out, struct graph_fixture *f, bool are_args_on_host, const char *graph) {
    const struct sl_import_options import = {.allow_internal_names = true};
    struct far_devices d;
    start_again(f);
    import_text(f, graph, &import);
    far_devices_open(&d, f);
    const struct sl_copies_options options = {.device = &d.set.items[1],
                                              .kernels = d.kernels,
                                              .call_by_name = &far_call,
                                              .are_args_on_host = are_args_on_host};
    SL_GRAPH_EACH(n, f->graph) n->assigned = SL_STR("the device");
    sl_code code = sl_pass_copies(f->graph, &options, &f->err);
    far_devices_close(&d);
    SL_TRY(code);
    assert_ok(f->err, sl_graph_check(f->graph, &f->err));
    SL_GRAPH_EACH(n, f->graph) assert_true(sl_str_is(n->assigned, "the device"));
    *out = text_of(f, f->graph);
    return SL_OK;
}

static const char *copied(struct graph_fixture *f, bool are_args_on_host, const char *graph) {
    const char *text;
    assert_ok(f->err, copy_on(&text, f, are_args_on_host, graph));
    return text;
}

/* Of a step: what is fed and fetched is the host's. */
#define COPIED(wanted, ...) assert_text(copied(f, true, __VA_ARGS__), wanted)
/* Of a function. */
#define COPIED_WITHIN(wanted, ...) assert_text(copied(f, false, __VA_ARGS__), wanted)

#define X "x = _Arg() " FLOAT "; index i: 0\n"

/* ---- straight on */

GRAPH_TEST(nothing_between_nodes_of_the_device) {
    COPIED_WITHIN("x n(x) s(n,x) r(s)",
                  X "n = Neg(x) " FLOAT "\n s = Add(n, x) " FLOAT "\n r = _Retval(s) " FLOAT "; index i: 0");
}

GRAPH_TEST(feeds_and_fetches_are_the_hosts) {
    COPIED("x n(x_1) r(n_1) x_1:device(x) n_1:host(n)",
           X "n = Neg(x) " FLOAT "\n r = _Retval(n) " FLOAT "; index i: 0");
    COPIED("x r(x)", X "r = _Retval(x) " FLOAT "; index i: 0");
}

GRAPH_TEST(one_copy_for_all_readers) {
    COPIED_WITHIN("x n(x) p(n_1) q(n_1) m(n) n_1:host(n)",
                  X "n = Neg(x) " FLOAT "\n p = AsString(n) " FLOAT "\n q = AsString(n) " FLOAT "\n m = Neg(n) " FLOAT);
    COPIED("x n(x_1) a(x_1,n) p(x) x_1:device(x)",
           X "n = Neg(x) " FLOAT "\n a = Add(x, n) " FLOAT "\n p = AsString(x) " FLOAT);
}

/* Twice an input of one node, and two outputs of one node. */
GRAPH_TEST(a_copy_for_each_output) {
    COPIED("x a(x_1,x_1) x_1:device(x)", X "a = Add(x, x) " FLOAT);
    COPIED_WITHIN("x p s(x,p_1) a(s) b(s_1) c(s_2) d(s_2) p_1:host(p) s_1:host(s) s_2:host(s:1)",
                  X "p = _Arg() T type: DT_BOOL; index i: 1\n s = Switch(x, p) " FLOAT "\n a = Neg(s) " FLOAT
                    "\n b = AsString(s) " FLOAT "\n c = AsString(s:1) " FLOAT "\n d = AsString(s:1) " FLOAT);
}

/* There and back again is two copies; whoever computes in between does it on the host. */
GRAPH_TEST(there_and_back) {
    COPIED_WITHIN("x i n(i) c(n) s(x,i) y(s)",
                  X "i = _Arg() " INT "; index i: 1\n n = Neg(i) " INT "\n c = Identity(n) " INT
                    "\n s = Sum(x, i) " FLOAT "; Tidx type: DT_INT32\n y = Neg(s) " FLOAT);
    COPIED_WITHIN("x p(x_1) n(p_1) x_1:host(x) p_1:device(p)",
                  X "p = Print(x) " FLOAT "; U list {}\n n = Neg(p) " FLOAT);
}

GRAPH_TEST(control_edges_stay) {
    COPIED_WITHIN("x n(x) p(n_1) m(x,^p) n_1:host(n)",
                  X "n = Neg(x) " FLOAT "\n p = AsString(n) " FLOAT "\n m = Neg(x, ^p) " FLOAT);
    COPIED_WITHIN("x c n(x,^c)", X "n = Neg(x, ^c) " FLOAT "\n c = Const() " CONST); /* waited for, not read */
}

/* Shapes are the host's whatever they are shapes of. */
GRAPH_TEST(shapes_are_the_hosts) {
    COPIED_WITHIN("x n(x) s(n) r(x,s) d l(d,x)",
                  X "n = Neg(x) " FLOAT "\n s = Shape(n) " FLOAT "; out_type type: DT_INT32\n r = Reshape(x, s) " FLOAT
                    "; Tshape type: DT_INT32\n d = _Arg() " INT "; index i: 1\n l = Fill(d, x) " FLOAT
                    "; index_type type: DT_INT32");
    COPIED_WITHIN("x i r(x,i_1) i_1:host(i)", /* int64 travels in the device's memory */
                  X "i = _Arg() T type: DT_INT64; index i: 1\n r = Reshape(x, i) " FLOAT "; Tshape type: DT_INT64");
}

/* ---- constants */

GRAPH_TEST(constants_are_put_there_once) {
    COPIED_WITHIN("x a(x,c_1) b(x,c_1) c_1@device",
                  X "c = Const() " CONST "\n a = Add(x, c) " FLOAT "\n b = Add(x, c) " FLOAT);
    COPIED_WITHIN("x c a(x,c_1) p(c) c_1@device", /* on both sides */
                  X "c = Const() " CONST "\n a = Add(x, c) " FLOAT "\n p = AsString(c) " FLOAT);
    COPIED_WITHIN("x c s(x,c)", X "c = Const() " NUMBER "\n s = Sum(x, c) " FLOAT "; Tidx type: DT_INT32");
    COPIED_WITHIN("x g(x) a(x,c_1) c_1@device(^g)", /* waits as it did */
                  X "g = Neg(x) " FLOAT "\n c = Const(^g) " CONST "\n a = Add(x, c) " FLOAT);
}

/* ---- references */

/* Who reads one as a value gets a copy of its own each time: another one may have been assigned meanwhile. */
GRAPH_TEST(references_are_read_anew) {
    const char *variable = "v = VariableV2() dtype type: DT_FLOAT; shape shape {}\n n = Neg(v) " FLOAT
                           "\n p = AsString(v) " FLOAT "\n m = Neg(v) " FLOAT "\n w = AssignAdd(v, n) " FLOAT;
    COPIED_WITHIN("v n(v_1) p(v_2) m(v_3) w(v,n) v_1:device(v) v_2:host(v) v_3:device(v)", variable);
}

GRAPH_TEST(handles_are_the_hosts) {
    COPIED_WITHIN(
        "v r(v) n(r) p(r_1) r_1:host(r)",
        "v = VarHandleOp() dtype type: DT_FLOAT; shape shape {}\n r = ReadVariableOp(v) dtype type: DT_FLOAT\n "
        "n = Neg(r) " FLOAT "\n p = AsString(r) " FLOAT);
}

/* ---- control flow */

GRAPH_TEST(predicates_come_to_the_host) {
    COPIED_WITHIN("x l(x,x) s(x,l_1) a(s) b(s:1) m(a,b) i(m:1) l_1:host(l)",
                  X "l = Less(x, x) " FLOAT "\n s = Switch(x, l) " FLOAT "\n a = Neg(s) " FLOAT "\n b = Neg(s:1) " FLOAT
                    "\n m = Merge(a, b) " FLOAT "; N i: 2\n i = Neg(m:1) " INT);
}

/* Once for both values that it chooses. */
GRAPH_TEST(one_predicate_for_many_switches) {
    COPIED_WITHIN("x l(x,x) s(x,l_1) t(x,l_1) l_1:host(l)",
                  X "l = Less(x, x) " FLOAT "\n s = Switch(x, l) " FLOAT "\n t = Switch(x, l) " FLOAT);
}

/* A branch computes on the host: the copies are in the branch. */
GRAPH_TEST(branches_on_the_host) {
    COPIED_WITHIN("x p s(x,p_1) a(s_1) b(s:1) m(a_1,b) p_1:host(p) s_1:host(s) a_1:device(a)",
                  X "p = _Arg() T type: DT_BOOL; index i: 1\n s = Switch(x, p) " FLOAT "\n a = Print(s) " FLOAT
                    "; U list {}\n b = Neg(s:1) " FLOAT "\n m = Merge(a, b) " FLOAT "; N i: 2");
}

/* The variable stays in the device's memory and the predicate comes out in each iteration; what counts stays on the
 * host. */
GRAPH_TEST(loops) {
    COPIED_WITHIN(
        "x y i e(x) ye(y) ie(i) m(e,n) im(ie,in) l(m,ye) c(l_1) s(m,c) is(im,c) b(s:1) n(b) ib(is:1,is:1) in(ib) "
        "z(s) iz(is) l_1:host(l)",
        X "y = _Arg() " FLOAT "; index i: 1\n i = _Arg() " INT "; index i: 2\n e = Enter(x) " FLOAT
          "; frame_name s: 'f'\n ye = Enter(y) " FLOAT "; frame_name s: 'f'; is_constant b: true\n ie = Enter(i) " INT
          "; frame_name s: 'f'\n m = Merge(e, n) " FLOAT "; N i: 2\n im = Merge(ie, in) " INT
          "; N i: 2\n l = Less(m, ye) " FLOAT "\n c = LoopCond(l)\n s = Switch(m, c) " FLOAT
          "\n is = Switch(im, c) " INT "\n b = Neg(s:1) " FLOAT "\n n = NextIteration(b) " FLOAT
          "\n ib = Add(is:1, is:1) " INT "\n in = NextIteration(ib) " INT "\n z = Exit(s) " FLOAT
          "\n iz = Exit(is) " INT);
}

/* A loop of a step: what comes in and goes out is copied outside of it, a constant of the loop is put there once,
 * and what the body does on the host is copied in each iteration. */
GRAPH_TEST(loops_of_a_step) {
    COPIED("x e(x_1) k(c_1) m(e,n) l(m,k) g(l_1) s(m,g) p(s_1) b(p_1,k) n(b) z(s) r(z_1) x_1:device(x) c_1@device "
           "l_1:host(l) s_1:host(s:1) p_1:device(p) z_1:host(z)",
           X "c = Const() " CONST "\n e = Enter(x) " FLOAT "; frame_name s: 'f'\n k = Enter(c) " FLOAT
             "; frame_name s: 'f'; is_constant b: true\n m = Merge(e, n) " FLOAT "; N i: 2\n l = Less(m, k) " FLOAT
             "\n g = LoopCond(l)\n s = Switch(m, g) " FLOAT "\n p = Print(s:1) " FLOAT
             "; U list {}\n b = Add(p, k) " FLOAT "\n n = NextIteration(b) " FLOAT "\n z = Exit(s) " FLOAT
             "\n r = _Retval(z) " FLOAT "; index i: 0");
}

/* ---- calls */

#define FUNCTION                                                                                                       \
    "| library { function { signature { name: 'call' input_arg { name: 'a' type: DT_FLOAT } input_arg { name: 'b' "    \
    "type: DT_INT32 } output_arg { name: 'c' type: DT_FLOAT } } node_def { name: 'n' op: 'Neg' input: 'a' attr { "     \
    "key: 'T' value { type: DT_FLOAT } } } ret { key: 'c' value: 'n:y:0' } } }\n"

GRAPH_TEST(calls_by_name_take_values_where_their_types_say) {
    COPIED("x i f(x_1,i) r(f_1) x_1:device(x) f_1:host(f)",
           X "i = _Arg() " INT "; index i: 1\n f = call(x, i)\n r = _Retval(f) " FLOAT "; index i: 0\n" FUNCTION);
}

/* ---- transfers */

#define PAIR(to)                                                                                                       \
    "tensor_name s: 'e'; send_device s: '/job:w/task:1/device:FAR:0'; send_device_incarnation i: 7; "                  \
    "recv_device s: '/job:w/task:" to "'"

/* Between devices of a process the receiver copies; what leaves it comes to the host, once for all peers. */
GRAPH_TEST(what_leaves_the_process_comes_to_the_host) {
    COPIED_WITHIN("x n(x) a(n) b(n_1) c(n_1) n_1:host(n)",
                  X "n = Neg(x) " FLOAT "\n a = _Send(n) " FLOAT
                    "; " PAIR("1/device:CPU:0") "\n b = _Send(n) " FLOAT
                                                "; " PAIR("2/device:FAR:0") "\n c = _Send(n) " FLOAT
                                                                            "; " PAIR("0/device:CPU:0"));
    COPIED_WITHIN("r n(r)", "r = _Recv() tensor_type type: DT_FLOAT; " PAIR("2/device:FAR:0") "\n n = Neg(r) " FLOAT);
}

/* ---- what has no kernel */

GRAPH_TEST(a_node_without_kernel_is_named) {
    const char *text;
    assert_fails(f->err, SL_INVALID_ARGUMENT, "No OpKernel was registered to support Op 'Erf' used by {{node e}}",
                 copy_on(&text, f, false, X "e = Erf(x) " FLOAT));
}

/* A copy has the shape of what it copies. */
GRAPH_TEST(shapes_are_known_behind_copies) {
    copied(f, true,
           "x = _Arg() " FLOAT "; index i: 0; _output_shapes list { shape { dim { size: 2 } dim { size: 3 } } }\n"
           "n = Neg(x) " FLOAT "\n p = Sum(n, c) " FLOAT "; Tidx type: DT_INT32\n c = Const() " NUMBER
           "\n s = Fill(d, y) " FLOAT "; index_type type: DT_INT32\n y = _Arg() " FLOAT
           "; index i: 1\n d = Const() dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape { dim { size: "
           "2 } } int_val: 3 int_val: 4 }\n q = AsString(s) " FLOAT);
    assert_text(shape_of(f, "s_1", 0), "[3,4]");
}

int main(void) {
    const struct CMUnitTest tests[] = {graph_unit_test(nothing_between_nodes_of_the_device),
                                       graph_unit_test(feeds_and_fetches_are_the_hosts),
                                       graph_unit_test(one_copy_for_all_readers),
                                       graph_unit_test(a_copy_for_each_output),
                                       graph_unit_test(there_and_back),
                                       graph_unit_test(control_edges_stay),
                                       graph_unit_test(shapes_are_the_hosts),
                                       graph_unit_test(constants_are_put_there_once),
                                       graph_unit_test(references_are_read_anew),
                                       graph_unit_test(handles_are_the_hosts),
                                       graph_unit_test(predicates_come_to_the_host),
                                       graph_unit_test(one_predicate_for_many_switches),
                                       graph_unit_test(branches_on_the_host),
                                       graph_unit_test(loops),
                                       graph_unit_test(loops_of_a_step),
                                       graph_unit_test(calls_by_name_take_values_where_their_types_say),
                                       graph_unit_test(what_leaves_the_process_comes_to_the_host),
                                       graph_unit_test(a_node_without_kernel_is_named),
                                       graph_unit_test(shapes_are_known_behind_copies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
