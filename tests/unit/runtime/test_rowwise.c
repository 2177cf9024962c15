/* Which bodies one call may serve many elements with, and which of their arguments must have the same shape. */
#include "runtime/rowwise.h"
#include "unit/runtime/runtime_fixture.h"

#define ARG(name, i)     name " = _Arg() T type: DT_FLOAT; index i: " #i "\n"
#define INT_ARG(name, i) name " = _Arg() T type: DT_INT64; index i: " #i "\n"
#define RET(of, i)       "r" #i " = _Retval(" of ") T type: DT_FLOAT; index i: " #i "\n"
#define INT_RET(of, i)   "r" #i " = _Retval(" of ") T type: DT_INT64; index i: " #i "\n"
#define OF_INT           "T type: DT_INT64\n"
#define TWO              "two = Const() dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape {} float_val: 2 }\n"
#define PAIR                                                                                                           \
    "pair = Const() dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: " \
    "2 }\n"

enum { MOST = 4 };

/* The groups of a body with `n_args` arguments x, y, z and results r0 ...: "0,0,2"; "none". */
static const char *groups(struct graph_fixture *f, const char *text, int n_args, int n_rows, int n_rets) {
    static const char *const args[] = {"x", "y", "z"}, *const rets[] = {"r0", "r1"};
    static char answer[16];
    struct sl_node *arg_nodes[MOST], *ret_nodes[MOST];
    struct sl_rowwise rowwise;
    uint8_t found[MOST];
    import_client(f, text);
    for (int i = 0; i < n_args; i++) arg_nodes[i] = node_called(f, args[i]);
    for (int i = 0; i < n_rets; i++) ret_nodes[i] = node_called(f, rets[i]);
    const struct sl_body body = {f->graph, arg_nodes, ret_nodes, NULL, n_args, n_rets, 0};
    assert_ok(f->err, sl_rowwise_of(&rowwise, &body, &f->arena, &f->err));
    if (!sl_rowwise_groups(found, &rowwise, n_args, n_rows)) return "none";
    for (int i = 0; i < n_rows; i++) {
        answer[2 * i] = (char)('0' + found[i]);
        answer[2 * i + 1] = i + 1 < n_rows ? ',' : 0;
    }
    return answer;
}

GRAPH_TEST(elements_are_made_of_elements) {
    assert_text(groups(f, ARG("x", 0) TWO "s = Mul(x, two) " OF_FLOAT "e = Exp(s) " OF_FLOAT RET("e", 0), 1, 1, 1),
                "0");
    assert_text(groups(f, ARG("x", 0) RET("x", 0), 1, 1, 1), "0");
    assert_text(groups(f, ARG("x", 0) ARG("y", 1) "n = Neg(x) " OF_FLOAT RET("n", 0) RET("y", 1), 2, 2, 2), "0,1");
}

GRAPH_TEST(what_meets_must_have_one_shape) {
    assert_text(groups(f, ARG("x", 0) ARG("y", 1) ARG("z", 2) "s = Add(x, z) " OF_FLOAT RET("s", 0) RET("y", 1), 3, 3,
                       2),
                "0,1,0");
    assert_text(groups(f,
                       ARG("x", 0) ARG("y", 1) ARG("z", 2) "s = Add(y, z) " OF_FLOAT
                                                           "t = Add(x, z) " OF_FLOAT RET("s", 0) RET("t", 1),
                       3, 3, 2),
                "0,0,0");
}

GRAPH_TEST(what_is_captured_is_a_scalar) {
    assert_text(groups(f, ARG("x", 0) ARG("y", 1) "s = Add(x, y) " OF_FLOAT RET("s", 0), 2, 1, 1), "0");
    assert_text(groups(f, ARG("x", 0) ARG("y", 1) RET("y", 0), 2, 1, 1), "none");
    assert_text(groups(f, ARG("x", 0) ARG("y", 1) "s = AddN(x, y) N i: 2; " OF_FLOAT RET("s", 0), 2, 1, 1), "none");
    assert_text(groups(f, ARG("x", 0) ARG("y", 1) "s = AddN(x, y) N i: 2; " OF_FLOAT RET("s", 0), 2, 2, 1), "0,0");
}

GRAPH_TEST(other_bodies_are_called_for_each) {
    assert_text(groups(f, ARG("x", 0) PAIR "s = Mul(x, pair) " OF_FLOAT RET("s", 0), 1, 1, 1), "none");
    assert_text(groups(f, ARG("x", 0) TWO RET("two", 0), 1, 1, 1), "none");
    assert_text(groups(f, ARG("x", 0) "s = Rank(x) " OF_FLOAT RET("x", 0), 1, 1, 1), "none");
    assert_text(groups(f, INT_ARG("x", 0) INT_ARG("y", 1) "s = FloorDiv(x, y) " OF_INT INT_RET("s", 0), 2, 2, 1),
                "none");
    assert_text(groups(f, ARG("x", 0) ARG("y", 1) "s = FloorDiv(x, y) " OF_FLOAT RET("s", 0), 2, 2, 1), "0,0");
    assert_text(groups(f, INT_ARG("x", 0) INT_ARG("y", 1) "s = Sub(x, y) " OF_INT INT_RET("s", 0), 2, 2, 1), "0,0");
    assert_text(groups(f, ARG("x", 0) "s = CheckNumerics(x) message s: 'no'; " OF_FLOAT RET("s", 0), 1, 1, 1), "none");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        graph_unit_test(elements_are_made_of_elements),
        graph_unit_test(what_meets_must_have_one_shape),
        graph_unit_test(what_is_captured_is_a_scalar),
        graph_unit_test(other_bodies_are_called_for_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
