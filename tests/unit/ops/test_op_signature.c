/* From attrs to types of inputs and outputs, and from types of inputs to attrs. Wanted texts were recorded from
 * TensorFlow 2.21. */
#include "unit/ops/ops_fixture.h"

/* "float, int32_ref" */
static const char *type_names(struct ops_fixture *f, const uint8_t *types, int n) {
    const char *text = "";
    for (int i = 0; i < n; i++)
        text = sl_arena_format(&f->arena, "%s%s%s", text, i ? ", " : "", sl_dtype_name(types[i]));
    return text;
}

static const struct {
    const char *op, *attrs, *inputs, *outputs;
} signatures[] = {
    {"NoOp", "", "", ""},
    {"Add", "T type: DT_FLOAT", "float, float", "float"},
    {"Assign", "T type: DT_HALF", "half_ref, half", "half_ref"},
    {"AddN", "T type: DT_INT32; N i: 3", "int32, int32, int32", "int32"},
    {"Split", "T type: DT_BOOL; num_split i: 2", "int32, bool", "bool, bool"},
    {"IdentityN", "T list { type: DT_FLOAT type: DT_INT64 }", "float, int64", "float, int64"},
    {"ConcatV2", "T type: DT_HALF; N i: 2; Tidx type: DT_INT64", "half, half, int64", "half"},
    {"If", "Tcond type: DT_BOOL; Tin list { type: DT_INT8 }; Tout list { }; then_branch func { }; else_branch func { }",
     "bool, int8", ""},
    {"NIntsOut", "N i: 4", "", "int32, int32, int32, int32"},
    {"RefMerge", "T type: DT_INT32; N i: 2", "int32_ref, int32_ref", "int32_ref, int32"},
    {"Add", "T placeholder: 'T'", "unknown, unknown", "unknown"},
    {"Assign", "T placeholder: 'T'", "unknown, unknown", "unknown"},
    {"AddN", "T type: DT_FLOAT; N placeholder: 'N'", "", "float"},
    {"IdentityN", "T placeholder: 'T'", "", ""},
};

static void bind(struct sl_attrs *bound, struct ops_fixture *f, const struct sl_op *op, const char *attrs) {
    struct sl_attrs given = attrs_of(f, attrs);
    assert_ok(f->err, sl_attrs_bind(bound, &f->arena, op, &given, SL_STR("n"), &f->err));
}

static void attrs_give_types(void **state) {
    struct ops_fixture *f = *state;
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++) {
        const struct sl_op *op = find_op(f, signatures[i].op);
        struct sl_attrs bound;
        struct sl_signature signature;
        bind(&bound, f, op, signatures[i].attrs);
        assert_ok(f->err, sl_op_signature(&signature, &f->arena, op, &bound, &f->err));
        assert_text(type_names(f, signature.inputs, signature.n_inputs), signatures[i].inputs);
        assert_text(type_names(f, signature.outputs, signature.n_outputs), signatures[i].outputs);
    }
}

static void arguments_have_ranges(void **state) {
    struct ops_fixture *f = *state;
    const struct sl_op *op = find_op(f, "ConcatV2");
    struct sl_attrs bound;
    int first, n;
    bind(&bound, f, op, "T type: DT_HALF; N i: 3; Tidx type: DT_INT64");
    sl_op_input_range(&first, &n, op, 0, &bound);
    assert_true(first == 0 && n == 3);
    sl_op_input_range(&first, &n, op, 1, &bound);
    assert_true(first == 3 && n == 1);
    op = find_op(f, "MapUnstageNoKey");
    bind(&bound, f, op, "dtypes list { type: DT_INT8 type: DT_BOOL }");
    sl_op_output_range(&first, &n, op, 1, &bound);
    assert_true(first == 1 && n == 2);
}

static void too_long_lists_are_refused(void **state) {
    struct ops_fixture *f = *state;
    const struct sl_op *op = find_op(f, "Split");
    struct sl_attrs bound;
    struct sl_signature signature;
    bind(&bound, f, op, "T type: DT_FLOAT; num_split i: 1000000000000");
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Argument 'output' of op Split stands for more than 1048576 tensors",
                 sl_op_signature(&signature, &f->arena, op, &bound, &f->err));
}

static void the_number_of_inputs_is_checked(void **state) {
    struct ops_fixture *f = *state;
    const struct sl_op *op = find_op(f, "AddN");
    struct sl_attrs bound;
    struct sl_signature signature;
    bind(&bound, f, op, "T type: DT_FLOAT; N i: 3");
    assert_ok(f->err, sl_op_signature(&signature, &f->arena, op, &bound, &f->err));
    assert_ok(f->err, sl_signature_check(&signature, op, 3, SL_STR("n"), &f->err));
    assert_fails(f->err, SL_INVALID_ARGUMENT,
                 "NodeDef expected inputs 'float, float, float' do not match 2 inputs specified; Op<name=AddN; "
                 "signature=inputs:N*T -> sum:T; attr=N:int,min=1; attr=T:type,allowed=[DT_FLOAT, DT_DOUBLE, ",
                 sl_signature_check(&signature, op, 2, SL_STR("n"), &f->err));
    assert_non_null(strstr(f->err.message, "; is_commutative=true; is_aggregate=true>; NodeDef: {{node n}}"));
}

static void a_reference_can_be_read_as_a_value(void **state) {
    (void)state;
    assert_true(sl_types_fit(SL_FLOAT, SL_FLOAT));
    assert_true(sl_types_fit(SL_FLOAT, SL_FLOAT + SL_REF_OFFSET));
    assert_false(sl_types_fit(SL_FLOAT + SL_REF_OFFSET, SL_FLOAT));
    assert_true(sl_types_fit(SL_FLOAT + SL_REF_OFFSET, SL_FLOAT + SL_REF_OFFSET));
    assert_false(sl_types_fit(SL_FLOAT, SL_INT32));
}

/* ---- inference */
/* Inputs: one letter a tensor, f(loat) i(nt32) s(tring) b(ool), V for a reference to float, W for one to int32;
 * brackets around a list. */
static int read_inputs(struct ops_fixture *f, struct sl_given_input *inputs, const char *text) {
    uint8_t *types = sl_arena_zalloc(&f->arena, 64);
    int n = 0, used = 0;
    bool in_list = false;
    for (; *text; text++) {
        if (*text == '[') {
            inputs[n++] = (struct sl_given_input){.is_list = true, .types = types + used};
            in_list = true;
        } else if (*text == ']') {
            in_list = false;
        } else {
            types[used] = *text == 'f'   ? SL_FLOAT
                          : *text == 'i' ? SL_INT32
                          : *text == 's' ? SL_STRING
                          : *text == 'b' ? SL_BOOL
                          : *text == 'V' ? SL_FLOAT + SL_REF_OFFSET
                                         : SL_INT32 + SL_REF_OFFSET;
            if (in_list) inputs[n - 1].n++;
            else inputs[n++] = (struct sl_given_input){.n = 1, .types = types + used};
            used++;
        }
    }
    return n;
}

#define WHILE " while building NodeDef 'n' using Op<name="
static const struct {
    const char *op, *inputs, *attrs, *wanted;
} inferences[] = {
    {"Add", "ff", "", "T=type: DT_FLOAT"},
    {"Add", "Vf", "", "T=type: DT_FLOAT"},
    {"Add", "ff", "T type: DT_FLOAT", "T=type: DT_FLOAT"},
    {"Add", "ff", "foo i: 3", "T=type: DT_FLOAT foo=i: 3"},
    {"AddN", "[ff]", "", "N=i: 2 T=type: DT_FLOAT"},
    {"AddN", "[]", "", "N=i: 0"},
    {"IdentityN", "[fi]", "", "T=list { type: DT_FLOAT type: DT_INT32 }"},
    {"IdentityN", "[]", "", "T=list { }"},
    {"Assign", "Vf", "", "T=type: DT_FLOAT"},
    {"Identity", "V", "", "T=type: DT_FLOAT"},
    {"ConcatV2", "[ff]i", "", "N=i: 2 T=type: DT_FLOAT Tidx=type: DT_INT32"},
    {"NInTwice", "[ii][ss]", "", "N=i: 2"},
    {"If", "b[]", "Tout list { }", "Tcond=type: DT_BOOL Tin=list { } Tout=list { }"},
    {"Placeholder", "", "dtype placeholder: 'T'", "dtype=placeholder: \"T\""},

    {"Add", "fi", "", "Inconsistent values for attr 'T' DT_FLOAT vs. DT_INT32" WHILE "Add; signature=x:T, y:T"},
    {"Add", "ff", "T type: DT_INT32", "Inconsistent values for attr 'T' DT_FLOAT vs. DT_INT32" WHILE "Add; "},
    {"Add", "f", "", "1 inputs specified of 2 inputs in Op" WHILE "Add; "},
    {"Add", "fff", "", "More Input() calls than the 2 input_args" WHILE "Add; "},
    {"Add", "[ff]", "", "2 errors" WHILE "Add; "},
    {"Add", "[ff]", "",
     ">:\nList provided to input 'x' when single Tensor expected\n1 inputs specified of 2 inputs in Op"},
    {"AddN", "[fi]", "", "Input 'inputs' passed int32 expected float" WHILE "AddN; "},
    {"AddN", "f", "", "Single tensor passed to 'inputs', expected list" WHILE "AddN; "},
    {"AddN", "ff", "", ">:\nSingle tensor passed to 'inputs', expected list\nMore Input() calls than the 1 input_args"},
    {"AddN", "[ff]", "N i: 3", "Inconsistent values for attr 'N' 2 vs. 3" WHILE "AddN; "},
    {"IdentityN", "f", "", "Single tensor passed to 'input', expected list" WHILE "IdentityN; "},
    {"Assign", "ff", "",
     "Input 'ref' passed float expected ref type" WHILE "Assign; signature=ref:Ref(T), value:T -> "},
    {"Assign", "Vi", "", "Inconsistent values for attr 'T' DT_FLOAT vs. DT_INT32" WHILE "Assign; "},
    {"LogicalNot", "f", "", "Input 'x' passed float expected bool" WHILE "LogicalNot; signature=x:bool -> y:bool>"},
    {"NInPolymorphicTwice", "[ff][f]", "", "Inconsistent values for attr 'N' 2 vs. 1" WHILE},
    {"TypeListTwice", "[fi][ff]", "",
     "Inconsistent values for attr 'T' [DT_FLOAT, DT_INT32] vs. [DT_FLOAT, DT_FLOAT]" WHILE
     "TypeListTwice; signature=a:, b: -> ; attr=T:list(type),min=0>"},
    {"NIntsIn", "[ff]", "",
     "2 errors while building NodeDef 'n' using Op<name=NIntsIn; signature=a:N*int32 -> ; attr=N:int,min=2>:\nInput "
     "'a' passed float expected int32\nInput 'a' passed float expected int32"},
    {"TwoRefsIn", "VW", "", "Inconsistent values for attr 'T' DT_FLOAT vs. DT_INT32" WHILE "TwoRefsIn; "},
    {"Cast", "f", "SrcT type: DT_INT32", "Inconsistent values for attr 'SrcT' DT_FLOAT vs. DT_INT32" WHILE "Cast; "},
    {"NoOp", "f", "", "More Input() calls than the 0 input_args" WHILE "NoOp; signature= -> >"},
};

static void inputs_give_attrs(void **state) {
    struct ops_fixture *f = *state;
    for (size_t i = 0; i < sizeof inferences / sizeof *inferences; i++) {
        struct sl_given_input inputs[8];
        int n = read_inputs(f, inputs, inferences[i].inputs);
        struct sl_attrs given = attrs_of(f, inferences[i].attrs), found;
        const struct sl_op *op = find_op(f, inferences[i].op);
        sl_error_clear(&f->err);
        if (sl_attrs_infer(&found, &f->arena, op, inputs, n, &given, SL_STR("n"), &f->err) == SL_OK) {
            const char *text = "";
            for (int k = 0; k < found.n; k++)
                text = sl_arena_format(&f->arena, "%s%s%.*s=%s", text, k ? " " : "", SL_STR_ARG(found.items[k].name),
                                       print_value(f, found.items[k].value));
            assert_text(text, inferences[i].wanted);
        } else if (f->err.code != SL_INVALID_ARGUMENT || !strstr(f->err.message, inferences[i].wanted)) {
            fail_msg("%s(%s): got %s\nwanted %s", inferences[i].op, inferences[i].inputs, f->err.message,
                     inferences[i].wanted);
        }
    }
}

static void old_ops_are_refused_in_new_graphs(void **state) {
    struct ops_fixture *f = *state;
    const struct sl_op *op = find_op(f, "BatchSvd");
    assert_ok(f->err, sl_op_check_version(op, 5, &f->err));
    assert_ok(f->err, sl_op_check_version(op, 12, &f->err));
    assert_ok(f->err, sl_op_check_version(find_op(f, "Add"), 1 << 30, &f->err));
    assert_fails(f->err, SL_UNIMPLEMENTED,
                 "Op BatchSvd is not available in GraphDef version 13. It has been removed in version 13. Use Svd "
                 "instead..",
                 sl_op_check_version(op, 13, &f->err));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, ops_setup, ops_teardown)
    const struct CMUnitTest tests[] = {
        TEST(attrs_give_types),
        TEST(arguments_have_ranges),
        TEST(too_long_lists_are_refused),
        TEST(the_number_of_inputs_is_checked),
        TEST(a_reference_can_be_read_as_a_value),
        TEST(inputs_give_attrs),
        TEST(old_ops_are_refused_in_new_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
