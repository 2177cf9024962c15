/* What ops do besides giving their outputs: what rows say, what is assumed of ops without one, what follows from it. */
#include <stdio.h>

#include "ops/op_effects.h"
#include "ops/op_row.h"
#include "ops/op_signature.h"
#include "unit/ops/ops_fixture.h"

static enum sl_effects effects_on(struct ops_fixture *f, const char *op, int arg) {
    return sl_op_effects_on(find_op(f, op), arg);
}

static enum sl_effects effects_at_large(struct ops_fixture *f, const char *op) {
    return sl_op_effects_at_large(find_op(f, op));
}

static void arguments_are_read_or_changed(void **state) {
    struct ops_fixture *f = *state;
    assert_int_equal(effects_on(f, "ReadVariableOp", 0), SL_EFFECTS_READS);
    assert_int_equal(effects_on(f, "AssignVariableOp", 0), SL_EFFECTS_CHANGES);
    assert_int_equal(effects_on(f, "AssignVariableOp", 1), SL_EFFECTS_NONE);
    assert_int_equal(effects_on(f, "IsVariableInitialized", 0), SL_EFFECTS_READS);
    assert_int_equal(effects_on(f, "LookupTableFindV2", 0), SL_EFFECTS_READS);
    assert_int_equal(effects_on(f, "LookupTableInsertV2", 0), SL_EFFECTS_CHANGES);
    assert_int_equal(effects_on(f, "ReaderReadV2", 1), SL_EFFECTS_CHANGES);
    for (int arg = 0; arg < 9; arg++)
        assert_int_equal(effects_on(f, "ResourceApplyAdam", arg), arg < 3 ? SL_EFFECTS_CHANGES : SL_EFFECTS_NONE);
    assert_int_equal(effects_on(f, "DataServiceDatasetV4", 8), SL_EFFECTS_READS);
    assert_int_equal(effects_on(f, "Identity", 0), SL_EFFECTS_NONE);
}

static void what_no_handle_leads_to_is_one_thing(void **state) {
    struct ops_fixture *f = *state;
    assert_int_equal(effects_at_large(f, "Add"), SL_EFFECTS_NONE);
    assert_int_equal(effects_at_large(f, "AssignVariableOp"), SL_EFFECTS_NONE);
    assert_int_equal(effects_at_large(f, "TensorArrayV3"), SL_EFFECTS_NONE);
    assert_int_equal(effects_at_large(f, "GuaranteeConst"), SL_EFFECTS_NONE);
    assert_int_equal(effects_at_large(f, "VarHandleOp"), SL_EFFECTS_READS);
    assert_int_equal(effects_at_large(f, "ReadFile"), SL_EFFECTS_READS);
    assert_int_equal(effects_at_large(f, "RandomUniform"), SL_EFFECTS_CHANGES);
    assert_int_equal(effects_at_large(f, "Print"), SL_EFFECTS_CHANGES);
    assert_int_equal(effects_at_large(f, "Stage"), SL_EFFECTS_CHANGES);
    assert_int_equal(effects_at_large(f, "Assert"), SL_EFFECTS_CHANGES);
    assert_int_equal(effects_at_large(f, "EnsureShape"), SL_EFFECTS_NONE);
    assert_int_equal(effects_at_large(f, "StatefulPartitionedCall"), SL_EFFECTS_CHANGES);
    assert_int_equal(effects_at_large(f, "PartitionedCall"), SL_EFFECTS_NONE);
}

static void pure_is_what_only_its_inputs_tell(void **state) {
    static const char *const pure[] =
        {"Add",         "Const",     "Identity",       "EnsureShape", "StatelessRandomUniformV2",
         "StatelessIf", "FakeParam", "TensorListStack"},
                             *const not [] = {"RandomUniform", "ReadFile",        "Placeholder", "_Arg",
                                              "Batch",         "Assign",          "RefIdentity", "Print",
                                              "VarHandleOp",   "IteratorGetNext", "CountUpTo",   "ImmutableConst"};
    struct ops_fixture *f = *state;
    for (size_t i = 0; i < sizeof pure / sizeof *pure; i++)
        if (!sl_op_is_pure(find_op(f, pure[i]))) fail_msg("%s is not pure", pure[i]);
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++)
        if (sl_op_is_pure(find_op(f, not [i]))) fail_msg("%s is pure", not [i]);
}

static void all_is_assumed_of_what_has_no_row(void **state) {
    struct ops_fixture *f = *state;
    const struct sl_op *op;
    struct sl_pb_OpDef *def = op_def(f, "name: 'Mine' attr { name: 'T' type: 'type' } attr { name: 'f' type: 'func' } "
                                        "attr { name: 'N' type: 'type' allowed_values { list { type: DT_FLOAT } } } "
                                        "input_arg { name: 'x' type_attr: 'T' } input_arg { name: 'y' type_attr: 'N' } "
                                        "input_arg { name: 'z' type: DT_RESOURCE } is_stateful: true");
    assert_ok(f->err, sl_op_register(&op, f->registry, def, NULL, NULL, &f->err));
    assert_int_equal(sl_op_effects_on(op, 0), SL_EFFECTS_CHANGES);
    assert_int_equal(sl_op_effects_on(op, 1), SL_EFFECTS_NONE);
    assert_int_equal(sl_op_effects_on(op, 2), SL_EFFECTS_CHANGES);
    assert_int_equal(sl_op_effects_at_large(op), SL_EFFECTS_CHANGES);
    assert_true(sl_op_has(op, SL_OP_STATEFUL | SL_OP_CALLS | SL_OP_WAITS));
    assert_true(sl_op_takes_functions(op));

    def = op_def(f, "name: 'Plain' attr { name: 'T' type: 'type' } input_arg { name: 'x' type_attr: 'T' } "
                    "input_arg { name: 'r' type: DT_FLOAT is_ref: true }");
    assert_ok(f->err, sl_op_register(&op, f->registry, def, NULL, NULL, &f->err));
    assert_int_equal(sl_op_effects_on(op, 0), SL_EFFECTS_NONE);
    assert_int_equal(sl_op_effects_on(op, 1), SL_EFFECTS_CHANGES);
    assert_int_equal(sl_op_effects_at_large(op), SL_EFFECTS_NONE);
    assert_false(sl_op_is_pure(op));
    assert_false(sl_op_takes_functions(op));
}

static void arguments_behind_the_last_bit_share_it(void **state) {
    struct ops_fixture *f = *state;
    const struct sl_op *op;
    char text[2048] = "name: 'Wide' is_stateful: true";
    for (int i = 0; i < 20; i++) {
        size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, " input_arg { name: 'x%d' type: %s }", i,
                 i == 18 ? "DT_RESOURCE" : "DT_INT32");
    }
    assert_ok(f->err, sl_op_register(&op, f->registry, op_def(f, text), NULL, NULL, &f->err));
    assert_int_equal(sl_op_effects_on(op, 14), SL_EFFECTS_NONE);
    assert_int_equal(sl_op_effects_on(op, 18), SL_EFFECTS_CHANGES);
}

static void an_input_belongs_to_an_argument(void **state) {
    struct ops_fixture *f = *state;
    const struct sl_pb_AttrValue three = {.which = SL_PB_AttrValue_i, .i = 3};
    const struct sl_op *op = find_op(f, "ConcatV2");
    struct sl_attr items[3] = {{SL_STR("N"), &three}};
    const struct sl_attrs attrs = {items, 3};
    for (int i = 0; i < 4; i++) assert_int_equal(sl_op_input_arg(op, i, &attrs), i < 3 ? 0 : 1);
    op = find_op(f, "AssignVariableOp");
    assert_int_equal(sl_op_input_arg(op, 1, &attrs), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(arguments_are_read_or_changed, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(what_no_handle_leads_to_is_one_thing, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(pure_is_what_only_its_inputs_tell, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(all_is_assumed_of_what_has_no_row, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(arguments_behind_the_last_bit_share_it, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(an_input_belongs_to_an_argument, ops_setup, ops_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
