/* sl_find_changes: what reads and what changes, through edges, functions, feeds and handles. */
#include "sluice/effects.h"

#include "sluice/flow.h"
#include "sluice/ops.h"
#include "sluice/variables.h"
#include "unit/capi/front_fixture.h"

static TF_Operation *change_of(struct front *f, const TF_Operation *op, const TF_Output *feeds, int n_feeds) {
    TF_Operation *change;
    TF_Status *status = TF_NewStatus();
    if (!sl_scope_ok(f->s)) fail_msg("%s", sl_scope_message(f->s));
    sl_find_changes(&change, f->graph, feeds, n_feeds, &op, 1, status);
    assert_int_equal(TF_GetCode(status), TF_OK);
    TF_DeleteStatus(status);
    return change;
}

#define expect_change(f, op, wanted) assert_ptr_equal(change_of(f, op, NULL, 0), wanted)

static void variables(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output one = sl_scalar(f.s, TF_FLOAT, 1), x = sl_placeholder(f.s, "x", TF_FLOAT, SL_SHAPE());
    struct sl_var v = sl_variable(f.s, "v", one);
    TF_Output sum = sl_add_v2(f.s, x, sl_read(f.s, v));
    TF_Operation *assign = sl_variable_assign(f.s, v, x);
    sl_push_control(f.s, &assign, 1);
    TF_Output after = sl_identity(f.s, one), later = sl_neg(f.s, after);
    sl_pop(f.s);
    expect_change(&f, sum.oper, NULL);
    expect_change(&f, assign, assign);
    expect_change(&f, later.oper, assign); /* by a control edge, and on */
    assert_ptr_equal(change_of(&f, sl_neg(f.s, after).oper, NULL, 0), assign);
    assert_null(change_of(&f, sl_abs(f.s, after).oper, &after, 1)); /* what is fed needs nothing */
    front_delete(&f);
}

static void what_lasts_and_what_does_not(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output one = sl_scalar(f.s, TF_FLOAT, 1), two = sl_scalar(f.s, TF_INT32, 2);
    TF_Output drawn =
        sl_random_uniform(f.s, sl_int_vector(f.s, SL_INTS(2)), (struct sl_random_uniform_attrs){.dtype = TF_FLOAT});
    TF_Output said = sl_print_op(f.s, one, &one, 1);
    struct sl_tensor_array_v3_outputs array =
        sl_tensor_array_v3(f.s, two, (struct sl_tensor_array_v3_attrs){.dtype = TF_FLOAT});
    TF_Output flow = sl_tensor_array_write_v3(f.s, array.handle, sl_scalar(f.s, TF_INT32, 0), one, array.flow);
    TF_Output queue =
        sl_fifo_queue_v2(f.s, (struct sl_fifo_queue_v2_attrs){.component_types = {(TF_DataType[]){TF_FLOAT}, 1}});
    TF_Operation *taken =
        sl_queue_dequeue_v2(f.s, queue,
                            (struct sl_queue_dequeue_v2_attrs){.component_types = {(TF_DataType[]){TF_FLOAT}, 1}});
    TF_Operation *file = sl_write_file(f.s, sl_string_scalar(f.s, "never"), sl_string_scalar(f.s, "never"));
    expect_change(&f, drawn.oper, NULL);
    expect_change(&f, said.oper, NULL);
    expect_change(&f, flow.oper, NULL); /* the array ends with the run */
    expect_change(&f, queue.oper, NULL);
    expect_change(&f, taken, taken);
    expect_change(&f, file, file);
    front_delete(&f);
}

static void add_one(struct sl_scope *s, TF_Output *outputs, void *arg) {
    struct sl_var *v = arg;
    TF_Operation *add = sl_variable_add(s, *v, sl_scalar(s, TF_FLOAT, 1));
    sl_push_control(s, &add, 1);
    outputs[0] = sl_identity(s, sl_scalar(s, TF_FLOAT, 1));
    sl_pop(s);
}

static void only_read(struct sl_scope *s, TF_Output *outputs, void *arg) {
    outputs[0] = sl_read(s, *(struct sl_var *)arg);
}

static void functions(void **state) {
    (void)state;
    struct front f = front_new();
    struct sl_var v = sl_variable(f.s, "v", sl_scalar(f.s, TF_FLOAT, 1));
    TF_Output is_on = sl_placeholder(f.s, "is_on", TF_BOOL, SL_SHAPE()), reads, writes;
    sl_push_functional(f.s, true);
    sl_cond(f.s, &reads, 1, is_on, only_read, only_read, &v);
    sl_cond(f.s, &writes, 1, is_on, only_read, add_one, &v);
    sl_pop(f.s);
    expect_change(&f, reads.oper, NULL);
    assert_non_null(change_of(&f, writes.oper, NULL, 0));
    front_delete(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables),
        cmocka_unit_test(what_lasts_and_what_does_not),
        cmocka_unit_test(functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
