/* Which types of device have kernels for a group, and which gain by it; and where placement puts the group then. */
#include "passes/serving.h"

#include "unit/passes/far_devices.h"

#define FLOAT    "T type: DT_FLOAT"
#define INT      "T type: DT_INT32"
#define DOUBLE   "T type: DT_DOUBLE"
#define CONST    "dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape {} float_val: 1 }"
#define VARIABLE "v = VariableV2() dtype type: DT_FLOAT; shape shape {}\n c = Const() " CONST "\n "
#define HANDLE   "h = VarHandleOp() dtype type: DT_FLOAT; shape shape {}\n "
#define FUNCTION                                                                                                       \
    "| library { function { signature { name: 'call' input_arg { name: 'a' type: DT_FLOAT } output_arg { name: 'c' "   \
    "type: DT_FLOAT } } node_def { name: 'n' op: 'Neg' input: 'a' attr { key: 'T' value { type: DT_FLOAT } } } ret { " \
    "key: 'c' value: 'n:y:0' } } }\n"
#define X "x = _Arg() " FLOAT "; index i: 0\n"

static void graph_of(struct graph_fixture *f, const char *text) {
    const struct sl_import_options import = {.allow_internal_names = true};
    start_again(f);
    import_text(f, text, &import);
}

/* "n:+*": a letter for the host's type, and one for each device that is not: "-" no kernel, "+" kernels, "*" gains. */
static const char *served(struct graph_fixture *f, const char *text) {
    static const char letters[] = {[SL_SERVES_NOT] = '-', [SL_SERVES] = '+', [SL_SERVES_BEST] = '*'};
    char *out = sl_arena_format(&f->arena, "%s", "");
    struct sl_serving serving;
    struct sl_groups groups;
    struct far_devices d;
    graph_of(f, text);
    far_devices_open(&d, f);
    const struct sl_place_options options = {.devices = &d.set, .kernels = d.kernels, .call_by_name = &far_call};
    assert_ok(f->err, sl_groups_make(&groups, f->graph, false, &f->arena, &f->err));
    assert_ok(f->err, sl_serving_make(&serving, &groups, &options, &f->arena, &f->err));
    assert_int_equal(serving.n_types, 2);
    SL_GRAPH_EACH(n, f->graph) {
        uint32_t group = sl_group_of(&groups, n->id);
        assert_int_equal(sl_serves(&serving, group, 1), sl_serves(&serving, group, 2)); /* of one type */
        out = sl_arena_format(&f->arena, "%s%s%.*s:%c%c", out, *out ? " " : "", SL_STR_ARG(n->name),
                              letters[sl_serves(&serving, group, 0)], letters[sl_serves(&serving, group, 1)]);
    }
    far_devices_close(&d);
    return out;
}

#define SERVED(wanted, ...) assert_text(served(f, __VA_ARGS__), wanted)

GRAPH_TEST(a_row_of_the_device_gains) {
    SERVED("x:++ n:+*", X "n = Neg(x) " FLOAT);
    SERVED("x:++ n:+*", "x = _Arg() " INT "; index i: 0\n n = Neg(x) " INT); /* served by the host's */
    SERVED("x:++ n:+-", "x = _Arg() " DOUBLE "; index i: 0\n n = Neg(x) " DOUBLE);
    SERVED("x:++ n:+-", X "n = Erf(x) " FLOAT);
}

/* What passes elements on may as well lie there; handles are the host's. */
GRAPH_TEST(what_moves_gains_by_its_types) {
    SERVED("x:++ i:+*", X "i = Identity(x) " FLOAT);
    SERVED("x:++ i:++", "x = _Arg() T type: DT_STRING; index i: 0\n i = Identity(x) T type: DT_STRING");
    SERVED("x:++ s:+*", X "s = Shape(x) " FLOAT "; out_type type: DT_INT32");
    SERVED("x:++ l:++ p:+*",
           X "l = _Arg() T type: DT_VARIANT; index i: 1\n p = TensorListPushBack(l, x) element_dtype type: DT_FLOAT");
    SERVED("n:++", "n = NoOp()");
    SERVED("v:++", "v = VarHandleOp() dtype type: DT_FLOAT; shape shape {}");
}

GRAPH_TEST(what_touches_elements_gains_nothing) { SERVED("x:++ p:++", X "p = Print(x) " FLOAT "; U list {}"); }

/* Arguments, results and constants go wherever the rest does. */
GRAPH_TEST(borders_and_constants_go_anywhere) {
    SERVED("x:++ c:++ r:++", X "c = Const() " CONST "\n r = _Retval(x) " FLOAT "; index i: 0");
}

/* One node without kernel keeps its group away, one that gains draws it; the order does not matter. */
GRAPH_TEST(a_group_is_served_as_a_whole) {
    SERVED("v:-* c:++ a:-*", VARIABLE "a = AssignAdd(v, c) " FLOAT);
    SERVED("v:-* c:++ a:-* b:-*", VARIABLE "a = AssignAdd(v, c) " FLOAT "\n b = Assign(v, c) " FLOAT);
    SERVED("v:+* c:++ b:+*", VARIABLE "b = Assign(v, c) " FLOAT);
    SERVED("x:++ e:+- n:+-", X "e = Erf(x) " FLOAT "\n n = Neg(x) " FLOAT "; _class list { s: 'loc:@e' }");
    SERVED("x:++ n:+- e:+-", X "n = Neg(x) " FLOAT "\n e = Erf(x) " FLOAT "; _class list { s: 'loc:@n' }");
    SERVED("h:+* r:+*", HANDLE "r = ReadVariableOp(h) dtype type: DT_FLOAT");
}

GRAPH_TEST(functions_of_the_library_are_called_anywhere) { SERVED("x:++ f:+*", X "f = call(x)\n" FUNCTION); }

GRAPH_TEST(hosts_alone_serve_everything) {
    const struct sl_serving serving = {.n_types = 0};
    assert_int_equal(sl_serves(&serving, 3, 1), SL_SERVES);
}

/* ---- where that puts nodes */

/* "x:CPU:0 n:FAR:0" */
static const char *placed(struct graph_fixture *f, const char *text) {
    char *out = sl_arena_format(&f->arena, "%s", "");
    struct far_devices d;
    graph_of(f, text);
    far_devices_open(&d, f);
    const struct sl_place_options options = {.devices = &d.set, .kernels = d.kernels, .call_by_name = &far_call};
    assert_ok(f->err, sl_pass_place(f->graph, &options, &f->err));
    SL_GRAPH_EACH(n, f->graph)
    out = sl_arena_format(&f->arena, "%s%s%.*s:%.*s", out, *out ? " " : "", SL_STR_ARG(n->name), 5,
                          n->assigned.p + n->assigned.n - 5);
    far_devices_close(&d);
    return out;
}

#define PLACED(wanted, ...) assert_text(placed(f, __VA_ARGS__), wanted)

GRAPH_TEST(nodes_go_where_they_gain) {
    PLACED("x:CPU:0 n:FAR:0 e:CPU:0 m:FAR:0", X "n = Neg(x) " FLOAT "\n e = Erf(n) " FLOAT "\n m = Neg(e) " FLOAT);
    PLACED("x:CPU:0 n:FAR:1 p:CPU:0", X "n = Neg(x)@/device:FAR:1 " FLOAT "\n p = Print(n) " FLOAT "; U list {}");
    PLACED("x:CPU:0 n:CPU:0", X "n = Neg(x)@/cpu:0 " FLOAT);
}

/* A step of nothing but one device's nodes has its arguments and results there, too. */
GRAPH_TEST(borders_follow_a_single_device) {
    PLACED("x:FAR:0 c:FAR:0 n:FAR:0 r:FAR:0",
           X "c = Const() " CONST "\n n = Add(x, c) " FLOAT "\n r = _Retval(n) " FLOAT "; index i: 0");
    PLACED("x:CPU:0 n:FAR:0 m:FAR:1 r:CPU:0",
           X "n = Neg(x) " FLOAT "\n m = Neg(n)@/device:FAR:1 " FLOAT "\n r = _Retval(m) " FLOAT "; index i: 0");
    PLACED("x:CPU:0 e:CPU:0", X "e = Erf(x) " FLOAT);
}

int main(void) {
    const struct CMUnitTest tests[] = {graph_unit_test(a_row_of_the_device_gains),
                                       graph_unit_test(what_moves_gains_by_its_types),
                                       graph_unit_test(what_touches_elements_gains_nothing),
                                       graph_unit_test(borders_and_constants_go_anywhere),
                                       graph_unit_test(a_group_is_served_as_a_whole),
                                       graph_unit_test(functions_of_the_library_are_called_anywhere),
                                       graph_unit_test(hosts_alone_serve_everything),
                                       graph_unit_test(nodes_go_where_they_gain),
                                       graph_unit_test(borders_follow_a_single_device)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
