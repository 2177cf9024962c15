/* The registry: what is there, what is not, what is added; definitions that make no sense; many threads at once. */
#include <pthread.h>

#include "ops/op_row.h"
#include "unit/ops/ops_fixture.h"

static void an_unknown_op_is_told_with_the_host(void **state) {
    struct ops_fixture *f = *state;
    const struct sl_op *op;
    assert_fails(f->err, SL_NOT_FOUND, "Op type not registered 'Nope' in binary running on ",
                 sl_op_find(&op, f->registry, SL_STR("Nope"), &f->err));
    assert_non_null(strstr(f->err.message, ". Make sure the Op and Kernel are registered in the binary running in this "
                                           "process."));
    assert_fails(f->err, SL_NOT_FOUND, "''", sl_op_find(&op, f->registry, SL_STR(""), &f->err));
    assert_fails(f->err, SL_OUT_OF_RANGE, "no op", sl_op_at(&op, f->registry, SL_ROW_COUNT, &f->err));
}

static void an_added_op_is_found(void **state) {
    struct ops_fixture *f = *state;
    const struct sl_op *added, *found;
    struct sl_pb_OpDef *def = op_def(f, "name: 'Mine' description: 'd' attr { name: 'T' type: 'type' } "
                                        "input_arg { name: 'x' type_attr: 'T' } is_stateful: true");
    int arg;
    assert_ok(f->err, sl_op_register(&added, f->registry, def, NULL, &arg, &f->err));
    memset(def, 0, sizeof *def);
    assert_ok(f->err, sl_op_find(&found, f->registry, SL_STR("Mine"), &f->err));
    assert_ptr_equal(found, added);
    assert_int_equal(found->index, SL_OP_NO_ROW);
    assert_ptr_equal(found->shape_arg, &arg);
    assert_true(sl_op_is_stateful(found));
    assert_true(sl_str_is(found->def->description, "d"));
    assert_int_equal(sl_op_count(f->registry), SL_ROW_COUNT + 1);
    assert_ok(f->err, sl_op_at(&found, f->registry, SL_ROW_COUNT, &f->err));
    assert_ptr_equal(found, added);
    for (int i = 0; i < 100; i++) {
        def = op_def(f, sl_arena_format(&f->arena, "name: 'Mine%d'", i));
        assert_ok(f->err, sl_op_register(NULL, f->registry, def, NULL, NULL, &f->err));
    }
    assert_int_equal(sl_op_count(f->registry), SL_ROW_COUNT + 101);
    assert_ok(f->err, sl_op_find(&found, f->registry, SL_STR("Mine77"), &f->err));
}

static void a_name_is_taken_once(void **state) {
    struct ops_fixture *f = *state;
    struct sl_pb_OpDef *def = op_def(f, "name: 'Mine'");
    assert_ok(f->err, sl_op_register(NULL, f->registry, def, NULL, NULL, &f->err));
    assert_fails(f->err, SL_ALREADY_EXISTS, "Op with name Mine",
                 sl_op_register(NULL, f->registry, def, NULL, NULL, &f->err));
    def = op_def(f, "name: 'Add'");
    assert_fails(f->err, SL_ALREADY_EXISTS, "Op with name Add",
                 sl_op_register(NULL, f->registry, def, NULL, NULL, &f->err));
}

static const struct {
    const char *def, *wanted; /* wanted: NULL when the definition is sound */
} definitions[] = {
    {"name: 'Ns>Op'", NULL},
    {"name: '_under'", NULL},
    {"name: '__X'", NULL},
    {"name: '_'", NULL},
    {"name: 'A1_b'", NULL},
    {"name: 'lower'", "Invalid name: lower (Did you use CamelCase?)"},
    {"name: 'Bad-Name'", "Invalid name: Bad-Name"},
    {"name: '1X'", "Invalid name: 1X"},
    {"name: ''", "Invalid name: "},
    {"name: 'A B'", "Invalid name: A B"},
    {"name: 'ns>Op'", "Invalid name: "},
    {"name: 'Ns>op'", "Invalid name: "},
    {"name: 'Ns>>Op'", "Invalid name: "},
    {"name: '>X'", "Invalid name: "},
    {"name: 'X>'", "Invalid name: "},
    {"name: 'X' attr { name: 'T' type: 'type' } attr { name: 'T' type: 'int' }", "Duplicate name: T"},
    {"name: 'X' input_arg { name: 'y' type: DT_INT32 } output_arg { name: 'y' type: DT_INT32 }", "Duplicate name: y"},
    {"name: 'X' attr { name: 'float' type: 'int' }", "Attr can't have name float that matches a data type"},
    {"name: 'X' attr { name: 'T' type: 'what' }", "Unrecognized type 'what' in attr 'T'"},
    {"name: 'X' attr { name: 'T' type: 'list(int' }", "Unrecognized type 'list(int' in attr 'T'"},
    {"name: 'X' attr { name: 'T' type: 'string' has_minimum: true minimum: 1 }",
     "Attr 'T' has minimum for unsupported type string"},
    {"name: 'X' attr { name: 'T' type: 'list(int)' has_minimum: true minimum: -1 }",
     "Attr 'T' with list type must have a non-negative minimum, not -1"},
    {"name: 'X' attr { name: 'T' type: 'int' minimum: 1 }",
     "Attr 'T' with has_minimum = false but minimum 1 not equal to default of 0"},
    {"name: 'X' attr { name: 'T' type: 'int' allowed_values { list { i: 1 } } }", "allowed values that do not fit"},
    {"name: 'X' attr { name: 'T' type: 'type' allowed_values { list { type: 77 } } }", "allows 77, which is no type"},
    {"name: 'X' attr { name: 'T' type: 'type' default_value { type: DT_INT32 } allowed_values { list { type: DT_FLOAT "
     "} } }",
     "Value for attr 'T' of int32 is not in the list of allowed values: float\n\t in Op 'X'"},
    {"name: 'X' attr { name: 'T' type: 'string' default_value { s: 'b' } allowed_values { list { s: 'a' } } }",
     "Value for attr 'T' of \"b\" is not in the list of allowed values: \"a\"\n\t in Op 'X'"},
    {"name: 'X' attr { name: 'T' type: 'int' default_value { i: 2 } has_minimum: true minimum: 3 }",
     "Value for attr 'T' of 2 must be at least minimum 3\n\t in Op 'X'"},
    {"name: 'X' attr { name: 'T' type: 'list(int)' default_value { list { i: 1 } } has_minimum: true minimum: 2 }",
     "Length for attr 'T' of 1 must be at least minimum 2\n\t in Op 'X'"},
    {"name: 'X' attr { name: 'T' type: 'type' default_value { type: DT_FLOAT_REF } }",
     "AttrValue must not have reference type value of float_ref\n\t for attr 'T'\n\t in Op 'X'"},
    {"name: 'X' attr { name: 'T' type: 'type' default_value { type: 9999 } }",
     "AttrValue has invalid DataType enum: 9999\n\t for attr 'T'\n\t in Op 'X'"},
    {"name: 'X' input_arg { name: 'x' }",
     "Exactly one of type, type_attr, type_list_attr must be set for input 'x'; in OpDef: X"},
    {"name: 'X' attr { name: 'T' type: 'type' } output_arg { name: 'x' type: DT_INT32 type_attr: 'T' }",
     "Exactly one of type, type_attr, type_list_attr must be set for output 'x'"},
    {"name: 'X' input_arg { name: 'x' type: DT_INT32_REF }",
     "Illegal use of ref type 'int32_ref'. Use 'Ref(type)' instead for input 'x'"},
    {"name: 'X' input_arg { name: 'x' type: 77 }", "Invalid type 77 for input 'x'"},
    {"name: 'X' input_arg { name: 'x' type: -3 }", "Invalid type -3 for input 'x'"},
    {"name: 'X' input_arg { name: 'x' type_attr: 'Q' }", "No attr with name 'Q' for input 'x'"},
    {"name: 'X' input_arg { name: 'x' type: DT_INT32 number_attr: 'Q' }", "No attr with name 'Q' for input 'x'"},
    {"name: 'X' attr { name: 'N' type: 'int' } input_arg { name: 'x' type: DT_INT32 number_attr: 'N' }",
     "Attr 'N' used as length for input 'x' must have minimum >= 0"},
    {"name: 'X' attr { name: 'N' type: 'float' } input_arg { name: 'x' type: DT_INT32 number_attr: 'N' }",
     "Attr 'N' used as length for input 'x' has type float, not int"},
    {"name: 'X' attr { name: 'N' type: 'int' has_minimum: true } attr { name: 'L' type: 'list(type)' } input_arg { "
     "name: 'x' number_attr: 'N' type_list_attr: 'L' }",
     "Can't have both number_attr and type_list_attr for input 'x'"},
    {"name: 'X' attr { name: 'L' type: 'list(type)' } input_arg { name: 'x' type_attr: 'L' }",
     "Attr 'L' used as type for input 'x' has type list(type), not type"},
};

static void definitions_are_checked(void **state) {
    struct ops_fixture *f = *state;
    for (size_t i = 0; i < sizeof definitions / sizeof *definitions; i++) {
        const struct sl_pb_OpDef *def = op_def(f, definitions[i].def);
        if (!definitions[i].wanted) assert_ok(f->err, sl_op_def_check(def, &f->err));
        else assert_fails(f->err, SL_INVALID_ARGUMENT, definitions[i].wanted, sl_op_def_check(def, &f->err));
    }
}

static void a_signature_of_a_function_is_an_op(void **state) {
    struct ops_fixture *f = *state;
    const struct sl_pb_OpDef *def = op_def(f, "name: '__inference_f_12' input_arg { name: 'x' type: DT_FLOAT } "
                                              "output_arg { name: 'x' type: DT_FLOAT } control_output: 'c'");
    struct sl_op op;
    assert_ok(f->err, sl_op_from_def(&op, &f->arena, def, &f->err));
    assert_int_equal(op.n_inputs, 1);
    assert_int_equal(op.inputs[0].type, SL_FLOAT);
    assert_int_equal(op.index, SL_OP_NO_ROW);
    assert_ptr_equal(op.def, def);
}

enum { THREADS = 8 };
static const struct sl_op *seen[THREADS][SL_ROW_COUNT];

struct job {
    struct ops_fixture *f;
    int number;
};

static void *find_all(void *arg) {
    struct job *job = arg;
    for (size_t i = 0; i < SL_ROW_COUNT; i++) {
        uint32_t row = (uint32_t)((i * 7919 + (size_t)job->number * 100) % SL_ROW_COUNT);
        if (sl_op_find(&seen[job->number][row], job->f->registry, sl_row_name(row), NULL)) return NULL;
    }
    struct sl_arena arena;
    struct sl_pb_OpDef def = {0};
    sl_arena_init(&arena);
    def.name = sl_str_of(sl_arena_format(&arena, "Thread%d", job->number));
    sl_code code = sl_op_register(NULL, job->f->registry, &def, NULL, NULL, NULL);
    sl_arena_clear(&arena);
    return code ? NULL : job;
}

static void many_threads_see_the_same_ops(void **state) {
    struct ops_fixture *f = *state;
    pthread_t threads[THREADS];
    struct job jobs[THREADS];
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (struct job){f, i};
        assert_int_equal(pthread_create(&threads[i], NULL, find_all, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *done;
        pthread_join(threads[i], &done);
        assert_ptr_equal(done, &jobs[i]);
        assert_memory_equal(seen[i], seen[0], sizeof seen[0]);
    }
    assert_int_equal(sl_op_count(f->registry), SL_ROW_COUNT + THREADS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_unknown_op_is_told_with_the_host, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(an_added_op_is_found, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(a_name_is_taken_once, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(definitions_are_checked, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(a_signature_of_a_function_is_an_op, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(many_threads_see_the_same_ops, ops_setup, ops_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
