/* The built-in rows: every one reads, is found by name, and says what the original says. */
#include "base/hash.h"
#include "ops/op_effects.h"
#include "ops/op_row.h"
#include "proto/wire.h"
#include "unit/ops/ops_fixture.h"

static void every_row_is_an_op(void **state) {
    struct ops_fixture *f = *state;
    assert_int_equal(sl_op_count(f->registry), SL_ROW_COUNT);
    for (uint32_t row = 0; row < SL_ROW_COUNT; row++) {
        const struct sl_op *op, *same;
        assert_ok(f->err, sl_op_at(&op, f->registry, row, &f->err));
        assert_int_equal(op->index, row);
        assert_non_null(op->shape);
        assert_ok(f->err, sl_op_find(&same, f->registry, sl_row_name(row), &f->err));
        assert_ptr_equal(op, same);
        assert_ok(f->err, sl_op_def_check(op->def, &f->err));
        for (int i = 0; i < op->n_attrs; i++) assert_int_equal(sl_op_attr_index(op, op->attrs[i].name), i);
    }
}

/* The rows as definitions, a digest a family: the definitions of TensorFlow 2.21, without descriptions, give these
 * numbers. An op of ours that is not the original's belongs into a family of its own. */
static const struct family {
    const char *name;
    uint32_t first, last;
    uint64_t digest;
} families[] = {
    {"array", SL_ROW_BatchToSpace, SL_ROW__ParallelConcatUpdate, 0xcc27c4d855345232},
    {"math", SL_ROW_Abs, SL_ROW__UnaryOpsComposition, 0xdf4b3d95f6dbeea1},
    {"reduce", SL_ROW_All, SL_ROW_Sum, 0xe2c804e9f1303b95},
    {"matmul", SL_ROW_BatchMatMul, SL_ROW__FusedMatMul, 0x301a871e7977e0e3},
    {"conv", SL_ROW_Conv, SL_ROW__FusedDepthwiseConv2dNative, 0xa8b34276ab5e9370},
    {"pool", SL_ROW_AvgPool, SL_ROW_MaxPoolWithArgmax, 0x91e7fe484fae97ac},
    {"norm", SL_ROW_BatchNormWithGlobalNormalization, SL_ROW__FusedBatchNormGradEx, 0x0a4a04059888854b},
    {"nn", SL_ROW_ApproxTopK, SL_ROW_TopKV2, 0x4bce4b5017f3854f},
    {"image", SL_ROW_AdjustContrast, SL_ROW_StatelessSampleDistortedBoundingBox, 0xc8b29fd6485533cf},
    {"string", SL_ROW_AsString, SL_ROW__TensorToHashBucketFast, 0x898db7349df22a7d},
    {"parse", SL_ROW_DecodeCSV, SL_ROW_SerializeTensor, 0x8006b7e55556767b},
    {"random", SL_ROW_AllCandidateSampler, SL_ROW_UniformCandidateSampler, 0xb4685ffa45edca95},
    {"linalg", SL_ROW_BandedTriangularSolve, SL_ROW_TridiagonalSolve, 0xe212e561d9ea5a10},
    {"segment", SL_ROW_SegmentMax, SL_ROW_UnsortedSegmentSum, 0x0c2a98c7294be6e1},
    {"scatter", SL_ROW_DynamicPartition, SL_ROW_TensorScatterUpdate, 0xef66707a3bacfd2a},
    {"sparse", SL_ROW_AddManySparseToTensorsMap, SL_ROW_TakeManySparseFromTensorsMap, 0xa7bb81b90a5c7a3f},
    {"quant", SL_ROW_CalibrationStatisticsSaver, SL_ROW__QuantizedMaxPool3D, 0x12c2666f6690d62d},
    {"signal", SL_ROW_AudioMicrofrontend, SL_ROW_RFFTND, 0x4340eecf6a88c30f},
    {"control", SL_ROW_Abort, SL_ROW__SwitchN, 0x7335296b16255a05},
    {"function", SL_ROW_Batch, SL_ROW__While, 0x20ea416fd7732e35},
    {"variable", SL_ROW_Assign, SL_ROW__VarHandlesOp, 0xe26dee9661caba8a},
    {"optimizer", SL_ROW_ApplyAdaMax, SL_ROW_SparseApplyRMSProp, 0x70b340c933ccea12},
    {"queue", SL_ROW_AccumulatorApplyGradient, SL_ROW_Unstage, 0x8a084f1d7875d5c0},
    {"tensorarray", SL_ROW_Stack, SL_ROW_TensorArrayWriteV3, 0xa38c8241ed283d65},
    {"list", SL_ROW_EmptyTensorList, SL_ROW_TensorMapStackKeys, 0x4c90ad211deffb4f},
    {"lookup", SL_ROW_AnonymousHashTable, SL_ROW_MutableHashTableV2, 0x5b014be526a13419},
    {"io", SL_ROW_AudioSummary, SL_ROW_WriteSummary, 0x9a54e78c57a0ae03},
    {"debug", SL_ROW_Assert, SL_ROW_Timestamp, 0xdef65079a395f844},
    {"collective", SL_ROW_CollectiveAllToAllV2, SL_ROW__ScopedAllocatorSplit, 0xc60885fe0d647bc3},
    {"dataset", SL_ROW_AnonymousIterator, SL_ROW_ZipDataset, 0x0cacc99bf9cccf08},
    {"clustering", SL_ROW_KMC2ChainInitialization, SL_ROW_NearestNeighbors, 0x396e09b9859389de},
    {"rpc", SL_ROW_DeleteRpcFutureResource, SL_ROW_RpcServerStart, 0x5e12978a82df5b73},
    {"boosted_trees", SL_ROW_BoostedTreesAggregateStats, SL_ROW_IsBoostedTreesQuantileStreamResourceInitialized,
     0x6d07feb689fc7b9a},
    {"dtensor", SL_ROW_CopyToMesh, SL_ROW_RelayoutLike, 0x05cac2494d3975c5},
    {"tpu", SL_ROW_AllToAll, SL_ROW__WaitForDistributedTPU, 0x8c7602056a2c47be},
    {"xla", SL_ROW_AssignVariableXlaConcatND, SL_ROW__XlaSendFromHostV2, 0x89461c55152697af},
    {"risc", SL_ROW_RiscAbs, SL_ROW_RiscWhile, 0x9f0f8a7aaa4d0567},
    {"mkl", SL_ROW__MklAvgPool, SL_ROW___MklDummyPadWithFusedConv2D, 0x7454228848cfc639},
    {"test", SL_ROW_A, SL_ROW_Unary, 0x02aeb7fbcef20356},
    {"own", SL_ROW_CompareAndBitpack, SL_ROW__TanhSoftplus, 0xc990748294a3195d}, /* no original, but no change unseen */
};

static uint64_t digest_of(struct ops_fixture *f, uint32_t first, uint32_t last) {
    uint64_t digest = 0;
    for (uint32_t row = first; row <= last; row++) {
        const struct sl_op *op;
        struct sl_str bytes;
        assert_ok(f->err, sl_op_at(&op, f->registry, row, &f->err));
        assert_ok(f->err, sl_pb_encode(&bytes, SL_PB_TYPE(OpDef), op->def, SL_PB_SORT_MAPS, &f->arena, &f->err));
        digest = sl_hash_mix(digest, sl_hash_bytes(bytes.p, bytes.n));
    }
    return digest;
}

static void rows_say_what_the_original_says(void **state) {
    struct ops_fixture *f = *state;
    int wrong = 0;
    uint32_t next = 0;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const struct family *family = &families[i];
        if (family->first != next) print_error("%s does not begin with its first row\n", family->name), wrong++;
        next = family->last + 1;
        uint64_t digest = digest_of(f, family->first, family->last);
        if (digest == family->digest) continue;
        print_error("%s.def: digest 0x%016llx\n", family->name, (unsigned long long)digest);
        wrong++;
    }
    assert_int_equal(next, SL_ROW_COUNT);
    assert_int_equal(wrong, 0);
}

static void a_row_has_all_its_parts(void **state) {
    struct ops_fixture *f = *state;
    const struct sl_op *op = find_op(f, "AccumulateNV2");
    assert_int_equal(op->index, SL_ROW_AccumulateNV2);
    assert_int_equal(op->facts, SL_OP_COMMUTATIVE | SL_OP_AGGREGATE | SL_OP_ELEMENTWISE);
    assert_int_equal(op->n_inputs, 1);
    assert_int_equal(op->n_outputs, 1);
    assert_int_equal(op->n_attrs, 3);
    assert_true(op->has_lists);
    assert_int_equal(op->inputs[0].number_attr, 0);
    assert_int_equal(op->inputs[0].type_attr, 1);
    assert_int_equal(op->inputs[0].type_list_attr, -1);
    assert_int_equal(op->outputs[0].number_attr, -1);
    assert_true(op->attrs[0].has_minimum);
    assert_int_equal(op->attrs[0].minimum, 1);
    assert_int_equal(op->attrs[1].types, SL_SET_NUMBERS | SL_SET_QUANTIZED);
    assert_int_equal(op->attrs[2].kind, SL_ATTR_SHAPE);
    assert_int_equal(op->deprecated, 0);

    op = find_op(f, "Assign");
    assert_int_equal(op->facts, SL_OP_ALLOWS_UNINITIALIZED);
    assert_true(op->inputs[0].is_ref);
    assert_false(op->inputs[1].is_ref);
    assert_false(op->has_lists);
    assert_true(find_op(f, "VariableV2")->facts & SL_OP_STATEFUL);
    assert_true(find_op(f, "CollectiveReduce")->facts & SL_OP_DISTRIBUTED);
    assert_int_equal(find_op(f, "TopK")->deprecated, 7);
    assert_text(print_value(f, find_op(f, "PrintV2")->attrs[1].default_value), "s: \"\\n\"");
}

static void names_that_are_no_identifiers_are_found(void **state) {
    struct ops_fixture *f = *state;
    assert_int_equal(find_op(f, "Namespace>TestStringOutput")->index, SL_ROW_Namespace_TestStringOutput);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_row_is_an_op, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(rows_say_what_the_original_says, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(a_row_has_all_its_parts, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(names_that_are_no_identifiers_are_found, ops_setup, ops_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
