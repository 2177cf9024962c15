/* Kernels that work on rows named by numbers: gather, scatter, stitch, segments, bins; and searches. */
#include "unit/cpu/kernel_rows.h"

/* clang-format off */
static const struct kernel_row gathers[] = {
    {"Gather", "", {"float[3,2] 1 2 3 4 5 6", "int32[2] 2 0"}, "float[2,2] 5 6 1 2"},
    {"GatherV2", "", {"string[2,3] a b c d e f", "int64[2] 2 0", "int32 1"}, "string[2,2] c a f d"},
    {"GatherV2", "batch_dims i: 1", {"int32[2,2] 1 2 3 4", "int32[2,1] 0 1", "int32 1"}, "int32[2,1] 1 4"},
    {"GatherV2", "", {"complex128[2] 1,2 3,4", "int16 1", "int32 0"}, "complex128 3,4"},
    {"GatherV2", "", {"int32[2] 1 2", "int32[2,2] 0 1 -1 0", "int32 0"}, "INVALID_ARGUMENT indices[1,0] = -1 is not in [0, 2)"},
    {"GatherV2", "", {"int32[2] 1 2", "int32 2", "int32 0"}, "INVALID_ARGUMENT indices = 2 is not in [0, 2)"},
    {"GatherV2", "", {"int32[2] 1 2", "int32[1] 0", "int32 1"}, "INVALID_ARGUMENT Expected axis in the range [-1, 1), but got 1"},
    {"GatherV2", "", {"int32[2,0]", "int32[1] 5", "int32 0"}, "INVALID_ARGUMENT indices[0] = 5 is not in [0, 2)"},
    {"GatherNd", "", {"int32[2,2] 1 2 3 4", "int32[2,2] 1 0 0 1"}, "int32[2] 3 2"},
    {"GatherNd", "", {"int32[2,2] 1 2 3 4", "int64[1,1] 1"}, "int32[1,2] 3 4"},
    {"GatherNd", "", {"int32[2] 1 2", "int32[3,0]"}, "int32[3,2] 1 2 1 2 1 2"},
    {"GatherNd", "bad_indices_policy s: 'IGNORE'", {"string[2] a b", "int32[2,1] 0 2"}, "string[2] a ''"},
    {"GatherNd", "", {"int32[2] 1 2", "int32[1,2,1] 0 2"}, "INVALID_ARGUMENT indices[0,1] = [2] does not index into param shape [2], node name: tested"},
    {"GatherNd", "bad_indices_policy s: 'HEY'", {"int32[2] 1 2", "int32[1,1] 0"}, "INVALID_ARGUMENT Unknown bad indices handling attribute: HEY"},
    {"GatherNd", "", {"int32[2] 1 2", "int32[1,2] 0"}, "INVALID_ARGUMENT index innermost dimension length must be <= params rank; saw: 2 vs. 1"},
};

static const struct kernel_row scatters[] = {
    {"ScatterNd", "", {"int32[3,1] 2 0 2", "float[3] 1 2 4", "int32[1] 4"}, "float[4] 2 0 5 0"},
    {"ScatterNd", "", {"int32[2,1] 0 0", "string[2] a b", "int32[1] 2"}, "string[2] ab ''"},
    {"ScatterNd", "bad_indices_policy s: 'IGNORE'", {"int32[2,1] 0 2", "int32[2] 1 2", "int32[1] 2"}, "int32[2] 1 0"},
    {"ScatterNd", "", {"int32[2,1] 0 2", "int32[2] 1 2", "int32[1] 2"}, "INVALID_ARGUMENT indices[1] = [2] does not index into shape [2]"},
    {"ScatterNd", "", {"int32[1,1] 0", "int32[1] 1", "int32[1] 0"}, "INVALID_ARGUMENT Indices and updates specified for empty output"},
    {"ScatterNd", "", {"int32[2,1] 0", "int32[2,1] 1", "int32[1] 2"}, "INVALID_ARGUMENT Dimensions [1,1) of input[shape=[2]] must match dimensions [1,2) of updates[shape=[2,1]]"},
    {"ScatterNdNonAliasingAdd", "", {"bool[2] 1 0", "int32[2,1] 1 0", "bool[2] 1 0"}, "bool[2] 1 1"},
    {"TensorScatterUpdate", "", {"string[2] a b", "int32[2,1] 1 1", "string[2] c d"}, "string[2] a d"},
    {"TensorScatterUpdate", "", {"int32[2,2] 1 2 3 4", "int32[1,2] 0 1", "int32[1] 9"}, "int32[2,2] 1 9 3 4"},
    {"TensorScatterAdd", "", {"half[2] 1 2", "int32[2,1] 1 1", "half[2] 3 4"}, "half[2] 1 9"},
    {"TensorScatterSub", "", {"uint8[2] 1 2", "int64[1,1] 0", "uint8[1] 2"}, "uint8[2] 255 2"},
    {"TensorScatterMin", "", {"float[3] 1 nan 5", "int32[3,1] 0 1 2", "float[3] nan 3 2"}, "float[3] 1 nan 2"},
    {"TensorScatterMax", "", {"int8[2] 1 2", "int32[2,1] 0 1", "int8[2] -5 7"}, "int8[2] 1 7"},
    {"InplaceUpdate", "", {"float[2,1] 1 2", "int32[1] -1", "float[1,1] 5"}, "float[2,1] 1 5"},
    {"InplaceAdd", "", {"int32[2] 1 2", "int32[2] 1 3", "int32[2] 5 7"}, "int32[2] 1 14"},
    {"InplaceSub", "", {"string[1] a", "int32[1] 0", "string[1] b"}, "INVALID_ARGUMENT Unsupported data type: string"},
    {"InplaceUpdate", "", {"float[2,1] 1 2", "int32[2] 0", "float[1,1] 5"}, "INVALID_ARGUMENT i and x shape doesn't match at index 0"},
    {"DynamicPartition", "num_partitions i: 2", {"int32[3,1] 1 2 3", "int32[3] 1 0 1"}, "int32[1,1] 2; int32[2,1] 1 3"},
    {"DynamicPartition", "num_partitions i: 2", {"string x", "int32 1"}, "string[0]; string[1] x"},
    {"DynamicPartition", "num_partitions i: 2", {"int32[1] 1", "int32[1] 2"}, "INVALID_ARGUMENT partitions[0] = 2 is not in [0, 2)"},
};

static const struct kernel_row segments[] = {
    {"SegmentSum", "", {"float[4] 1 2 3 4", "int32[4] 0 0 2 2"}, "float[3] 3 0 7"},
    {"SegmentMean", "", {"int32[3] 1 2 9", "int64[3] 0 0 1"}, "int32[2] 1 9"},
    {"SegmentProd", "", {"float[3] 2 3 4", "int32[3] 0 0 2"}, "float[3] 6 1 4"},
    {"SegmentMax", "", {"int32[3,2] 1 5 3 2 -1 -1", "int32[3] 0 0 1"}, "int32[2,2] 3 5 -1 -1"},
    {"SegmentMin", "", {"uint8[2] 3 1", "int32[2] 0 0"}, "uint8[1] 1"},
    {"SegmentSum", "", {"float[2] 1 2", "int32[2] 1 0"}, "INVALID_ARGUMENT segment ids are not increasing"},
    {"SegmentSum", "", {"float[2] 1 2", "int32[2] -1 0"}, "INVALID_ARGUMENT Segment id -1 out of range [0, 1)"},
    {"SegmentSum", "", {"float[2] 1 2", "int32[1] 0"}, "INVALID_ARGUMENT segment_ids should be the same size as dimension 0 of input."},
    {"SegmentSum", "", {"float[1] 1", "int64[1] 9223372036854775807"}, "INVALID_ARGUMENT"},
    {"SparseSegmentSum", "", {"int16[2,2] 1 2 3 4", "int32[3] 1 1 0", "int32[3] 0 0 1"}, "int16[2,2] 6 8 1 2"},
    {"SparseSegmentMean", "", {"half[2,1] 1 2", "int32[2] 1 0", "int32[2] 0 0"}, "half[1,1] 1.5"},
    {"SparseSegmentSqrtN", "", {"double[1,1] 2", "int32[4] 0", "int32[4] 0"}, "double[1,1] 4"},
    {"SparseSegmentSumWithNumSegments", "", {"float[2] 1 2", "int32[1] 1", "int32[1] 1", "int32 3"}, "float[3] 0 2 0"},
    {"SparseSegmentSum", "", {"float[2] 1 2", "int32[1] 2", "int32[1] 0"}, "INVALID_ARGUMENT Bad: indices[0] == 2 out of range [0, 2)"},
    {"SparseSegmentMeanGrad", "", {"float[2,1] 4 6", "int32[3] 0 1 1", "int32[3] 0 0 1", "int32 3"}, "float[3,1] 2 8 0"},
    {"SparseSegmentSumGradV2", "", {"float[2,1] 4 6", "int32[3] 5 1 1", "int32[3] 0 0 1", "int32 6"}, "float[2,1] 10 4; int32[2] 1 5"},
    {"SparseSegmentSumGrad", "", {"float[1,1] 4", "int32[1] 3", "int32[1] 0", "int32 3"}, "INVALID_ARGUMENT Index 3 out of range [0, 3)."},
    {"UnsortedSegmentSum", "", {"int32[2,2] 1 2 3 4", "int32[2,2] 2 0 -1 2", "int32 3"}, "int32[3] 2 0 5"},
    {"UnsortedSegmentProd", "", {"complex64[2] 0,1", "int32[2] 0", "int32 2"}, "complex64[2] -1,0 1,0"},
    {"UnsortedSegmentMax", "", {"float[2] 1 nan", "int32[2] 0", "int32 2"}, "float[2] nan -3.4028234663852886e38"},
    {"UnsortedSegmentMin", "", {"int8[1] 1", "int32[1] 0", "int32 2"}, "int8[2] 1 127"},
    {"UnsortedSegmentSum", "", {"float[1] 1", "int32[1] 3", "int32 3"}, "INVALID_ARGUMENT segment_ids[0] = 3 is out of range [0, 3)"},
    {"UnsortedSegmentSum", "", {"float[1] 1", "int32[1] 0", "int32 -1"}, "INVALID_ARGUMENT must not be negative"},
};

static const struct kernel_row counts[] = {
    {"Bincount", "", {"int32[4] 1 2 1 7", "int32 3", "int32[0]"}, "int32[3] 0 2 1"},
    {"Bincount", "", {"int32[2] 1 1", "int32 2", "float[2] 0.5 2"}, "float[2] 0 2.5"},
    {"Bincount", "", {"int32[1] -1", "int32 3", "int32[0]"}, "INVALID_ARGUMENT Input arr must be non-negative!"},
    {"DenseBincount", "binary_output b: true", {"int64[2,2] 1 1 2 1", "int64 3", "int32[0]"}, "int32[2,3] 0 1 0 0 1 1"},
    {"RaggedBincount", "", {"int64[3] 0 2 3", "int32[3] 1 1 2", "int32 3", "int32[0]"}, "int32[2,3] 0 2 0 0 0 1"},
    {"RaggedBincount", "", {"int64[3] 0 5 3", "int32[3] 1 1 2", "int32 3", "int32[0]"}, "INVALID_ARGUMENT Splits must not decrease"},
    {"SparseBincount", "", {"int64[2,2] 0 1 1 0", "int32[2] 1 2", "int64[2] 2 3", "int32 3", "int64[2] 5 6"}, "int64[2,3] 0 5 0 0 0 6"},
    {"HistogramFixedWidth", "", {"float[5] -1 0 1.9 2 9", "float[2] 0 2", "int32 2"}, "int32[2] 2 3"},
    {"HistogramFixedWidth", "", {"float[1] nan", "float[2] 0 2", "int32 2"}, "INVALID_ARGUMENT Histogram values must not contain NaN"},
    {"Cumsum", "", {"int32[2,2] 1 2 3 4", "int32 0"}, "int32[2,2] 1 2 4 6"},
    {"Cumsum", "exclusive b: true; reverse b: true", {"float[3] 1 2 3", "int32 -1"}, "float[3] 5 3 0"},
    {"Cumprod", "", {"complex64[2] 0,1", "int32 0"}, "complex64[2] 0,1 -1,0"},
    {"CumulativeLogsumexp", "", {"float[2] 0 0", "int32 0"}, "float[2] 0 0.6931471805599453"},
    {"Cumsum", "", {"int32[2] 1", "int32 1"}, "INVALID_ARGUMENT ScanOp: Expected scan axis in the range [-1, 1), but got 1"},
};

static const struct kernel_row searches[] = {
    {"Where", "", {"bool[2,2] 0 1 1 1"}, "int64[3,2] 0 1 1 0 1 1"},
    {"Where", "", {"float[4] nan -0.0 1e-40 2"}, "int64[2,1] 0 3"},
    {"Where", "", {"bool 1"}, "INVALID_ARGUMENT Unhandled input dimensions: 0"},
    {"Unique", "", {"string[3] b a b"}, "string[2] b a; int32[3] 0 1 0"},
    {"Unique", "out_idx type: DT_INT64", {"float[4] nan 0 nan -0.0"}, "float[3] nan 0 nan; int64[4] 0 1 2 1"},
    {"UniqueWithCounts", "", {"int8[3] 4 4 5"}, "int8[2] 4 5; int32[3] 0 0 1; int32[2] 2 1"},
    {"UniqueV2", "", {"int32[2,3] 1 2 1 1 2 1", "int32[1] 1"}, "int32[2,2] 1 2 1 2; int32[3] 0 1 0"},
    {"UniqueV2", "", {"int32[2,3] 1", "int32[1] 2"}, "INVALID_ARGUMENT axis has to be between [0, 2)"},
    {"ListDiff", "", {"int32[4] 1 2 3 2", "int32[1] 2"}, "int32[2] 1 3; int32[2] 0 2"},
    {"ListDiff", "", {"string[1] a", "string[0]"}, "string[1] a; int32[1] 0"},
    {"LowerBound", "", {"float[1,4] 1 2 2 3", "float[1,3] 2 4 0"}, "int32[1,3] 1 4 0"},
    {"UpperBound", "", {"int8[1,4] 1 2 2 3", "int8[1,3] 2 4 0"}, "int32[1,3] 3 4 0"},
    {"TopKV2", "", {"float[2,4] 1 3 2 3 5 4 9 0", "int32 2"}, "float[2,2] 3 3 9 5; int32[2,2] 1 3 2 0"},
    {"TopKV2", "", {"uint16[3] 7 7 7", "int32 3"}, "uint16[3] 7; int32[3] 0 1 2"},
    {"TopKV2", "", {"float[2] 1 2", "int32 3"}, "INVALID_ARGUMENT input must have at least k columns. Had 2, needed 3"},
    {"ApproxTopK", "k i: 1", {"float[3] 1 3 2"}, "float[1] 3; int32[1] 1"},
    {"NthElement", "", {"half[2,3] 5 1 3 9 8 7", "int32 1"}, "half[2] 3 8"},
    {"NthElement", "reverse b: true", {"int32[5] 5 5 5 1 9", "int32 0"}, "int32 9"},
    {"NthElement", "", {"int32[2] 5 1", "int32 2"}, "INVALID_ARGUMENT Input must have last dimension > n = 2"},
    {"ArgMax", "", {"float[2,3] 1 nan 3 7 7 2", "int32 1"}, "int64[2] 2 0"},
    {"ArgMin", "output_type type: DT_INT32", {"bool[2,2] 1 0 0 1", "int32 0"}, "int32[2] 1 0"},
    {"ArgMax", "", {"float[2,0]", "int32 1"}, "INVALID_ARGUMENT Reduction axis 1 is empty in shape [2,0]"},
};

static const struct kernel_row diagonals[] = {
    {"Diag", "", {"int32[2] 1 2"}, "int32[2,2] 1 0 0 2"},
    {"DiagPart", "", {"float[2,2] 1 2 3 4"}, "float[2] 1 4"},
    {"DiagPart", "", {"float[2,3] 1"}, "INVALID_ARGUMENT dimensions 0 and 1 do not match."},
    {"MatrixDiag", "", {"half[1,2] 1 2"}, "half[1,2,2] 1 0 0 2"},
    {"MatrixDiagV3", "", {"int32[2,2] 1 2 3 4", "int32[2] 0 1", "int32 -1", "int32 -1", "int32 9"}, "int32[2,2] 3 2 9 4"},
    {"MatrixDiagV3", "align s: 'LEFT_LEFT'", {"int32[2,2] 1 2 3 4", "int32[2] 0 1", "int32 2", "int32 2", "int32 9"}, "int32[2,2] 3 1 9 4"},
    {"MatrixDiagV2", "", {"int32[2] 1 2", "int32 1", "int32 1", "int32 -1", "int32 0"}, "INVALID_ARGUMENT The number of rows is too small."},
    {"MatrixDiagPartV3", "", {"int32[2,3] 1 2 3 4 5 6", "int32[2] -1 1", "int32 0"}, "int32[3,2] 2 6 1 5 4 0"},
    {"MatrixDiagPart", "", {"complex128[1,1] 1,2"}, "complex128[1] 1,2"},
    {"MatrixDiagPartV3", "", {"int32[2,3] 1", "int32[2] -2 1", "int32 0"}, "INVALID_ARGUMENT lower_diag_index is out of bound: -2"},
    {"MatrixSetDiag", "", {"int32[2,2] 1 2 3 4", "int32[2] 8 9"}, "int32[2,2] 8 2 3 9"},
    {"MatrixSetDiagV3", "", {"int32[2,2] 1 2 3 4", "int32[1] 9", "int32 -1"}, "int32[2,2] 1 2 9 4"},
    {"MatrixSetDiag", "", {"int32[2,2] 1 2 3 4", "int32[3] 9"}, "INVALID_ARGUMENT Either first dimensions of diagonal don't match"},
    {"MatrixBandPart", "", {"int32[3,3] 1 2 3 4 5 6 7 8 9", "int64 0", "int64 1"}, "int32[3,3] 1 2 0 0 5 6 0 0 9"},
    {"MatrixBandPart", "", {"int32[3,3] 1 2 3 4 5 6 7 8 9", "int32 -1", "int32 0"}, "int32[3,3] 1 0 0 4 5 0 7 8 9"},
    {"MatrixBandPart", "", {"int32[2,2] 1", "int64 3", "int64 0"}, "INVALID_ARGUMENT num_lower must be negative or less or equal to number of rows (2) got: 3"},
};
/* clang-format on */

static void test_gathers(void **state) {
    (void)state;
    CHECK_ROWS(gathers);
}
static void test_scatters(void **state) {
    (void)state;
    CHECK_ROWS(scatters);
}
static void test_segments(void **state) {
    (void)state;
    CHECK_ROWS(segments);
}
static void test_counts(void **state) {
    (void)state;
    CHECK_ROWS(counts);
}
static void test_searches(void **state) {
    (void)state;
    CHECK_ROWS(searches);
}
static void test_diagonals(void **state) {
    (void)state;
    CHECK_ROWS(diagonals);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gathers), cmocka_unit_test(test_scatters), cmocka_unit_test(test_segments),
        cmocka_unit_test(test_counts),  cmocka_unit_test(test_searches), cmocka_unit_test(test_diagonals),
    };
    return cmocka_run_group_tests(tests, kernels_setup, kernels_teardown);
}
