/* Texts of ops, nodes and values, as recorded from TensorFlow 2.21. */
#include "ops/op_summary.h"

#include "unit/ops/ops_fixture.h"

#define TEN "xxxxxxxxxx"
static const struct {
    const char *value, *wanted;
} values[] = {
    {"i: 3", "3"},
    {"f: 1.5", "1.5"},
    {"f: 1e-5", "1e-05"},
    {"f: 1e20", "1e+20"},
    {"f: 3", "3"},
    {"f: 0.1", "0.1"},
    {"f: 123456789", "123456792"},
    {"f: inf", "inf"},
    {"f: nan", "nan"},
    {"b: true", "true"},
    {"s: 'abc'", "\"abc\""},
    {"s: 'a\"b\\n\\xff\\\\\\''", "\"a\\\"b\\n\\377\\\\\\'\""},
    {"s: '" TEN TEN TEN TEN TEN TEN TEN "xxxxxxxxx'", "\"" TEN TEN TEN TEN TEN TEN TEN "xxxxxxxxx\""},
    {"s: '" TEN TEN TEN TEN TEN TEN TEN TEN "'", "\"" TEN "..." TEN "\""},
    {"type: DT_FLOAT_REF", "DT_FLOAT_REF"},
    {"type: 99", ""},
    {"type: 0", "DT_INVALID"},
    {"shape { }", "[]"},
    {"shape { unknown_rank: true }", "<unknown>"},
    {"shape { dim { size: 2 } dim { size: -1 } }", "[2,?]"},
    {"tensor { dtype: DT_FLOAT tensor_shape { } float_val: 1 }", "Tensor<type: float shape: [] values: 1>"},
    {"tensor { dtype: DT_FLOAT tensor_shape { dim { size: 20 } } float_val: 1 }",
     "Tensor<type: float shape: [20] values: 1 1 1...>"},
    {"tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } }", "Tensor<type: float shape: [2] values: 0 0>"},
    {"tensor { dtype: DT_UINT8 tensor_shape { dim { size: 4 } } int_val: 255 int_val: 0 int_val: 0 int_val: 255 }",
     "Tensor<type: uint8 shape: [4] values: 255 0 0...>"},
    {"tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } tensor_content: '\\001\\000\\000\\000\\002\\000\\000"
     "\\000' }",
     "Tensor<type: int32 shape: [2] values: 1 2>"},
    {"tensor { dtype: DT_STRING tensor_shape { dim { size: 2 } } string_val: 'a' string_val: 'b' }",
     "Tensor<type: string shape: [2] values: a b>"},
    {"tensor { }", "<Invalid TensorProto>"},
    {"list { }", "[]"},
    {"list { i: 1 i: 2 }", "[1, 2]"},
    {"list { i: [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,"
     "37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59] }",
     "[0, 1, 2, 3, 4, ..., 55, 56, 57, 58, 59]"},
    {"list { s: 'a' s: 'b' }", "[\"a\", \"b\"]"},
    {"list { f: 1 f: 2.5 }", "[1, 2.5]"},
    {"list { b: true b: false }", "[true, false]"},
    {"list { type: DT_INT32 type: DT_BOOL }", "[DT_INT32, DT_BOOL]"},
    {"list { shape { } shape { dim { size: 1 } } }", "[[], [1]]"},
    {"list { func { name: 'f' attr { key: 'a' value { i: 3 } } } }", "[f[a=3]]"},
    {"func { name: 'f' attr { key: 'b' value { i: 3 } } attr { key: 'a' value { s: 'x' } } }", "f[a=\"x\", b=3]"},
    {"placeholder: 'P'", "$P"},
    {"", "<Unknown AttrValue type>"},
    {"list { i: 1 f: 2 }", "[1]"},
};

static void values_are_told(void **state) {
    struct ops_fixture *f = *state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[SL_SUMMARY_MAX];
        assert_text(sl_attr_summary(text, attr_value(f, values[i].value)), values[i].wanted);
    }
}

static const struct {
    const char *op, *wanted;
} ops[] = {
    {"ImageSummary", "Op<name=ImageSummary; signature=tag:string, tensor:T -> summary:string; "
                     "attr=max_images:int,default=3,min=1; attr=T:type,default=DT_FLOAT,allowed=[DT_UINT8, DT_FLOAT, "
                     "DT_HALF, DT_DOUBLE]; attr=bad_color:tensor,default=Tensor<type: uint8 shape: [4] values: 255 0 "
                     "0...>>"},
    {"DefaultAttrs",
     "Op<name=DefaultAttrs; signature= -> ; attr=string_val:string,default=\"abc\"; "
     "attr=string_list_val:list(string),default=[\"abc\", \"\"]; attr=int_val:int,default=123; "
     "attr=int_list_val:list(int),default=[1, 2, 3]; attr=float_val:float,default=10; "
     "attr=float_list_val:list(float),default=[10]; attr=bool_val:bool,default=true; "
     "attr=bool_list_val:list(bool),default=[true, false]; attr=type_val:type,default=DT_INT32; "
     "attr=type_list_val:list(type),default=[DT_INT32, DT_FLOAT]; attr=shape_val:shape,default=[2,1]; "
     "attr=shape_list_val:list(shape),default=[[], [1]]; attr=tensor_val:tensor,default=Tensor<type: int32 shape: [] "
     "values: 1>; attr=tensor_list_val:list(tensor),default=[Tensor<type: int32 shape: [] values: 1>]>"},
    {"Variable", "Op<name=Variable; signature= -> ref:Ref(dtype); attr=shape:shape; attr=dtype:type; "
                 "attr=container:string,default=\"\"; attr=shared_name:string,default=\"\"; is_stateful=true>"},
    {"CollectiveReduce",
     "Op<name=CollectiveReduce; signature=input:T -> data:T; attr=T:type,allowed=[DT_BFLOAT16, DT_FLOAT, DT_HALF, "
     "DT_DOUBLE, DT_INT32, DT_INT64]; attr=group_size:int; attr=group_key:int; attr=instance_key:int; "
     "attr=merge_op:string,allowed=[\"Min\", \"Max\", \"Mul\", \"Add\"]; attr=final_op:string,allowed=[\"Id\", "
     "\"Div\"]; attr=subdiv_offsets:list(int); attr=wait_for:list(int),default=[]; "
     "attr=communication_hint:string,default=\"auto\"; attr=timeout_seconds:float,default=0; is_stateful=true; "
     "is_distributed_communication=true>"},
    {"DebugIdentityV3",
     "Op<name=DebugIdentityV3; signature=input:T -> output:T; attr=T:type; attr=device_name:string,default=\"\"; "
     "attr=tensor_name:string,default=\"\"; attr=io_of_node:string,default=\"\"; attr=is_input:bool,default=false; "
     "attr=io_index:int,default=-1; attr=debug_urls:list(string),default=[]; attr=gated_grpc:bool,default=false; "
     "is_stateful=true; allows_uninitialized_input=true>"},
    {"StatelessCase",
     "Op<name=StatelessCase; signature=branch_index:int32, input: -> output:; attr=Tin:list(type),min=0; "
     "attr=Tout:list(type),min=0; attr=branches:list(func),min=1; attr=output_shapes:list(shape),default=[]>"},
    {"ParseExampleV2",
     "Op<name=ParseExampleV2; signature=serialized:string, names:string, sparse_keys:string, dense_keys:string, "
     "ragged_keys:string, dense_defaults: -> sparse_indices:num_sparse*int64, sparse_values:, "
     "sparse_shapes:num_sparse*int64, dense_values:, ragged_values:, ragged_row_splits:; "
     "attr=Tdense:list(type),min=0,allowed=[DT_FLOAT, DT_INT64, DT_STRING]; attr=num_sparse:int,min=0; "
     "attr=sparse_types:list(type),min=0,allowed=[DT_FLOAT, DT_INT64, DT_STRING]; "
     "attr=ragged_value_types:list(type),min=0,allowed=[DT_FLOAT, DT_INT64, DT_STRING]; "
     "attr=ragged_split_types:list(type),min=0,allowed=[DT_INT32, DT_INT64]; attr=dense_shapes:list(shape),min=0>"},
    {"FakeQuantWithMinMaxArgs",
     "Op<name=FakeQuantWithMinMaxArgs; signature=inputs:float -> outputs:float; attr=min:float,default=-6; "
     "attr=max:float,default=6; attr=num_bits:int,default=8; attr=narrow_range:bool,default=false>"},
};

static void ops_are_told(void **state) {
    struct ops_fixture *f = *state;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        char text[SL_SUMMARY_MAX];
        assert_text(sl_op_summary(text, find_op(f, ops[i].op)), ops[i].wanted);
    }
}

static void nodes_are_told(void **state) {
    struct ops_fixture *f = *state;
    char text[SL_SUMMARY_MAX];
    struct sl_attrs attrs = attrs_of(f, "transpose_b b: true; zz i: 1; T type: DT_FLOAT; grad_a b: false; _q i: 1; "
                                        "transpose_a b: false; grad_b b: false");
    struct sl_str inputs[] = {SL_STR("p"), SL_STR("p:1"), SL_STR("^c")}, none = {NULL, 0};
    assert_text(sl_node_summary(text, SL_STR("a/n"), SL_STR("MatMul"), &attrs, none, inputs, 3),
                "{{node a/n}} = MatMul[T=DT_FLOAT, _q=1, grad_a=false, grad_b=false, transpose_a=false, "
                "transpose_b=true, zz=1](p, p:1, ^c)");
    assert_text(sl_node_summary(text, SL_STR("n"), SL_STR("NoOp"), &(struct sl_attrs){NULL, 0}, SL_STR("/cpu:0"), NULL,
                                0),
                "{{node n}} = NoOp[_device=\"/cpu:0\"]()");
}

static void long_texts_are_cut(void **state) {
    struct ops_fixture *f = *state;
    char text[SL_SUMMARY_MAX], *name = sl_arena_zalloc(&f->arena, 5000);
    memset(name, 'x', 4999);
    struct sl_attrs none = {NULL, 0};
    sl_node_summary(text, (struct sl_str){name, 4999}, SL_STR("NoOp"), &none, SL_STR(""), NULL, 0);
    assert_int_equal(strlen(text), SL_SUMMARY_MAX - 1);
    assert_text(text + SL_SUMMARY_MAX - 5, "x...");
}

/* A function in an attr of a function ... as deep as a message may go, and a wide one. */
static void nested_functions_stay_cheap(void **state) {
    struct ops_fixture *f = *state;
    char text[SL_SUMMARY_MAX];
    const char *deep = "i: 1";
    for (int i = 0; i < 20; i++)
        deep = sl_arena_format(&f->arena, "func { name: 'f' attr { key: 'a' value { %s } } }", deep);
    assert_text(sl_attr_summary(text, attr_value(f, deep)), "f[a=f[a=f[a=f[a=f[a=f[...]]]]]]");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, ops_setup, ops_teardown)
    const struct CMUnitTest tests[] = {
        TEST(values_are_told),
        TEST(ops_are_told),
        TEST(nodes_are_told),
        TEST(long_texts_are_cut),
        TEST(nested_functions_stay_cheap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
