/* Every rule against differences of its op, first and second order. */
#include "unit/grad/gradient_rows.h"

#define UNARY(op)                                                                                                      \
    {                                                                                                                  \
        op, "", { "double[2,3]" }                                                                                      \
    }
#define BINARY(op)                                                                                                     \
    {                                                                                                                  \
        op, "", { "double[2,3]", "double[3]" }                                                                         \
    }
#define SMALL(op)                                                                                                      \
    {                                                                                                                  \
        op, "", { "double[5] -0.6..0.8" }                                                                              \
    }

static void math(void **state) {
    static const struct gradient_row rows[] = {
        {"Abs", "", {"double[4] -2 -1 1 2"}},
        UNARY("Neg"),
        UNARY("Reciprocal"),
        UNARY("Inv"),
        UNARY("Square"),
        UNARY("Sqrt"),
        UNARY("Rsqrt"),
        UNARY("Exp"),
        UNARY("Expm1"),
        UNARY("Log"),
        UNARY("Log1p"),
        UNARY("Sinh"),
        UNARY("Cosh"),
        UNARY("Tanh"),
        UNARY("Asinh"),
        {"Acosh", "", {"double[4] 1.2..3"}},
        SMALL("Atanh"),
        UNARY("Sin"),
        UNARY("Cos"),
        SMALL("Tan"),
        SMALL("Asin"),
        SMALL("Acos"),
        UNARY("Atan"),
        UNARY("Sigmoid"),
        UNARY("Erf"),
        UNARY("Erfc"),
        {"Erfinv", "", {"double[4] -0.6..0.8"}},
        {"Ndtri", "", {"double[4] 0.2..0.8"}},
        UNARY("Lgamma"),
        UNARY("Digamma"),
        UNARY("Dawsn"),
        UNARY("Expint"),
        UNARY("FresnelCos"),
        UNARY("FresnelSin"),
        {"Spence", "", {"double[4] 0.3..0.9"}},
        UNARY("BesselI0"),
        UNARY("BesselI0e"),
        UNARY("BesselI1"),
        UNARY("BesselI1e"),
        UNARY("BesselK0"),
        UNARY("BesselK0e"),
        UNARY("BesselK1"),
        UNARY("BesselK1e"),
        UNARY("BesselJ0"),
        UNARY("BesselJ1"),
        UNARY("BesselY0"),
        UNARY("BesselY1"),
        BINARY("Add"),
        BINARY("AddV2"),
        BINARY("Sub"),
        BINARY("Mul"),
        BINARY("MulNoNan"),
        BINARY("RealDiv"),
        BINARY("Div"),
        BINARY("DivNoNan"),
        BINARY("Pow"),
        BINARY("SquaredDifference"),
        BINARY("Atan2"),
        BINARY("Xlogy"),
        BINARY("Xlog1py"),
        BINARY("Xdivy"),
        {"FloorMod", "", {"double[4] 3.2 4.7 8.1 9.9", "double[4] 1.5 2.2 3.3 2.1"}},
        {"Maximum", "", {"double[2,3] 1 2 3 4 5 6", "double[3] 3 1 7"}},
        {"Minimum", "", {"double[2,3] 1 2 3 4 5 6", "double[3] 3 1 7"}},
        {"~Igammac", "", {"double[4] 1..2", "double[4] 1..2"}},
        {"~Igamma", "", {"double[4] 1..2", "double[4] 1..2"}},
        {"Select", "", {"bool[3] 1 0 1", "double[3]", "double[3]"}},
        {"SelectV2", "", {"bool[2,1] 1 0", "double[3]", "double[2,3]"}},
        {"ClipByValue", "", {"double[5] -2 -1 0.5 1 3", "double 0", "double 2"}},
        {"AddN", "", {"double[2]", "double[2]", "double[2]"}},
        {"Cast", "DstT=double", {"double[3]"}},
        {"SigmoidGrad", "", {"double[3]", "double[3]"}},
        {"TanhGrad", "", {"double[3]", "double[3]"}},
        {"SqrtGrad", "", {"double[3]", "double[3]"}},
        {"RsqrtGrad", "", {"double[3]", "double[3]"}},
        {"ReciprocalGrad", "", {"double[3]", "double[3]"}},
    };
    CHECK_GRADIENTS(rows);
    (void)state;
}

static void reduce(void **state) {
    static const struct gradient_row rows[] = {
        {"Sum", "", {"double[2,3,2]", "int32[2] 0 -1"}},
        {"Sum", "keep_dims=true", {"double[2,3]", "int32 1"}},
        {"Sum", "", {"double[2,3]", "int32[0]"}},
        {"Mean", "", {"double[2,3]", "int64[1] 1"}},
        {"Mean", "", {"double", "int32[0]"}},
        {"Max", "", {"double[2,3]", "int32 1"}},
        {"Min", "keep_dims=true", {"double[2,3]", "int32 0"}},
        {"Prod", "", {"double[2,3]", "int32 1"}},
        {"~Prod", "", {"double[3] 0 2 3", "int32 0"}},
        {"EuclideanNorm", "", {"double[2,3]", "int32 1"}},
        {"Cumsum", "exclusive=true", {"double[2,3]", "int32 1"}},
        {"Cumsum", "reverse=true", {"double[2,3]", "int32 0"}},
        {"Cumprod", "", {"double[4]", "int32 0"}},
        {"Cumprod", "reverse=true exclusive=true", {"double[2,3]", "int32 1"}},
        {"~CumulativeLogsumexp", "", {"double[4]", "int32 0"}},
    };
    CHECK_GRADIENTS(rows);
    (void)state;
}

static void matmul(void **state) {
    static const struct gradient_row rows[] = {
        {"MatMul", "", {"double[2,3]", "double[3,4]"}},
        {"MatMul", "transpose_a=true", {"double[3,2]", "double[3,4]"}},
        {"MatMul", "transpose_b=true", {"double[2,3]", "double[4,3]"}},
        {"MatMul", "transpose_a=true transpose_b=true", {"double[3,2]", "double[4,3]"}},
        {"BatchMatMul", "adj_x=true", {"double[2,3,2]", "double[2,3,1]"}},
        {"BatchMatMulV2", "", {"double[2,2,3]", "double[3,2]"}},
        {"BatchMatMulV2", "adj_y=true", {"double[1,2,3]", "double[2,2,3]"}},
        {"BatchMatMulV3", "adj_x=true adj_y=true Tout=double", {"double[3,2]", "double[2,4,3]"}},
    };
    CHECK_GRADIENTS(rows);
    (void)state;
}

static void nn(void **state) {
    static const struct gradient_row rows[] = {
        {"Relu", "", {"double[4] -2 -1 1 2"}},
        {"Relu6", "", {"double[4] -2 1 5 7"}},
        {"Elu", "", {"double[4] -2 -1 1 2"}},
        {"Selu", "", {"double[4] -2 -1 1 2"}},
        {"LeakyRelu", "alpha=0.3", {"double[4] -2 -1 1 2"}},
        UNARY("Softplus"),
        {"~Softsign", "", {"double[4] -2 -1 1 2"}},
        UNARY("Softmax"),
        UNARY("LogSoftmax"),
        {"~SparseSoftmaxCrossEntropyWithLogits", "", {"double[2,3]", "int32[2] 2 0"}},
        {"L2Loss", "", {"double[2,3]"}},
        {"BiasAdd", "", {"double[2,3]", "double[3]"}},
        {"BiasAdd", "data_format=NCHW", {"double[2,3,2]", "double[3]"}},
        {"BiasAddGrad", "data_format=NCHW", {"double[2,3,2]"}},
        {"TopKV2", "", {"double[2,4]", "int32 2"}},
    };
    CHECK_GRADIENTS(rows);
    (void)state;
}

static void array(void **state) {
    static const struct gradient_row rows[] = {
        {"Identity", "", {"double[3]"}},
        {"Reshape", "", {"double[2,3]", "int32[2] 3 -1"}},
        {"ExpandDims", "", {"double[2,3]", "int32 1"}},
        {"Squeeze", "", {"double[1,3,1]"}},
        {"Transpose", "", {"double[2,3,1]", "int32[3] 2 0 1"}},
        {"ReverseV2", "", {"double[2,3]", "int32[1] 1"}},
        {"ReverseSequence", "seq_dim=1", {"double[2,3]", "int64[2] 2 3"}},
        {"Roll", "", {"double[4]", "int32 1", "int32 0"}},
        {"Pack", "axis=1", {"double[2]", "double[2]"}},
        {"Unpack", "num=2 axis=1", {"double[3,2]"}},
        {"Split", "num_split=2", {"int32 1", "double[3,2]"}},
        {"SplitV", "num_split=2", {"double[3,2]", "int64[2] 1 2", "int32 0"}},
        {"ConcatV2", "", {"double[2,1]", "double[2,3]", "int32 -1"}},
        {"Concat", "", {"int32 0", "double[1,2]", "double[2,2]"}},
        {"Slice", "", {"double[3,3]", "int32[2] 1 0", "int32[2] 2 -1"}},
        {"StridedSlice", "shrink_axis_mask=1", {"double[3,4]", "int32[2] 1 0", "int32[2] 2 4", "int32[2] 1 2"}},
        {"Fill", "", {"int32[2] 2 3", "double"}},
        {"BroadcastTo", "", {"double[2,1]", "int32[3] 2 2 3"}},
        {"Tile", "", {"double[2,2]", "int32[2] 2 3"}},
        {"Pad", "", {"double[2,2]", "int32[2,2] 1 0 0 2"}},
        {"MirrorPad", "mode=REFLECT", {"double[3,3]", "int32[2,2] 1 0 0 2"}},
        {"MatrixDiag", "", {"double[2,3]"}},
        {"MatrixDiagPart", "", {"double[3,2]"}},
        {"MatrixSetDiag", "", {"double[3,3]", "double[3]"}},
        {"MatrixBandPart", "", {"double[3,3]", "int64 1", "int64 0"}},
        {"Gather", "", {"double[3,2]", "int32[2,2] 0 2 2 1"}},
        {"GatherV2", "", {"double[3,2]", "int32[2] 0 2", "int32 0"}},
        {"GatherV2", "", {"double[2,3,2]", "int32[2,2] 0 2 2 1", "int32 1"}},
        {"GatherV2", "batch_dims=1", {"double[2,3,2]", "int32[2,2] 0 2 2 1", "int32 1"}},
        {"GatherV2", "batch_dims=1", {"double[2,2,3]", "int32[2,2] 0 2 2 1", "int32 2"}},
        {"GatherNd", "", {"double[3,2]", "int32[2,2] 0 1 2 0"}},
        {"ScatterNd", "", {"int32[2,1] 0 2", "double[2,2]", "int32[2] 4 2"}},
        {"TensorScatterAdd", "", {"double[3]", "int32[2,1] 0 2", "double[2]"}},
        {"TensorScatterUpdate", "", {"double[3]", "int32[2,1] 0 2", "double[2]"}},
        {"TensorScatterSub", "", {"double[3]", "int32[2,1] 0 2", "double[2]"}},
        {"TensorScatterMax", "", {"double[3]", "int32[2,1] 0 2", "double[2]"}},
        {"DynamicPartition", "num_partitions=2", {"double[4]", "int32[4] 0 1 1 0"}},
        {"DynamicStitch", "", {"int32[2] 0 2", "int32[1] 1", "double[2]", "double[1]"}},
        {"SpaceToDepth", "block_size=2", {"double[1,2,2,1]"}},
        {"DepthToSpace", "block_size=2", {"double[1,1,1,4]"}},
        {"SpaceToBatchND", "", {"double[1,2,2,1]", "int32[2] 2 2", "int32[2,2] 0 0 0 0"}},
    };
    CHECK_GRADIENTS(rows);
    (void)state;
}

static void segment(void **state) {
    static const struct gradient_row rows[] = {
        {"SegmentSum", "", {"double[4,2]", "int32[4] 0 0 1 1"}},
        {"SegmentMean", "", {"double[4,2]", "int32[4] 0 0 0 1"}},
        {"SegmentMax", "", {"double[4]", "int32[4] 0 0 1 1"}},
        {"SegmentMin", "", {"double[4]", "int32[4] 0 0 1 1"}},
        {"SegmentProd", "", {"double[4]", "int32[4] 0 0 0 1"}},
        {"UnsortedSegmentSum", "", {"double[4,2]", "int32[4] 1 -1 1 0", "int32 2"}},
        {"UnsortedSegmentMax", "", {"double[4]", "int32[4] 1 0 1 0", "int32 2"}},
        {"UnsortedSegmentMin", "", {"double[4]", "int32[4] 1 0 1 0", "int32 2"}},
        {"UnsortedSegmentProd", "", {"double[4]", "int32[4] 1 0 1 1", "int32 2"}},
        {"~SparseSegmentSum", "", {"double[3,2]", "int32[3] 0 2 2", "int32[3] 0 0 1"}},
        {"~SparseSegmentMean", "", {"double[3,2]", "int32[3] 0 2 2", "int32[3] 0 0 1"}},
        {"~SparseSegmentSqrtN", "", {"double[3,2]", "int32[3] 0 2 2", "int32[3] 0 0 1"}},
    };
    CHECK_GRADIENTS(rows);
    (void)state;
}

static void windows(void **state) {
    static const struct gradient_row rows[] = {
        {"Conv2D", "strides=[1,2,1,1] padding=SAME", {"double[1,4,3,2]", "double[2,2,2,1]"}},
        {"Conv2D", "strides=[1,1,1,1] padding=VALID", {"double[2,3,3,1]", "double[2,2,1,2]"}},
        {"DepthwiseConv2dNative", "strides=[1,1,1,1] padding=VALID", {"double[1,3,3,2]", "double[2,2,2,1]"}},
        {"Conv3D", "strides=[1,1,1,1,1] padding=VALID", {"double[1,2,3,2,1]", "double[2,2,1,1,1]"}},
        {"MaxPool", "ksize=[1,2,2,1] strides=[1,2,2,1] padding=VALID", {"double[1,4,4,1]"}},
        {"AvgPool", "ksize=[1,2,2,1] strides=[1,1,1,1] padding=SAME", {"double[1,3,3,1]"}},
        {"~MaxPool3D", "ksize=[1,2,2,1,1] strides=[1,2,2,1,1] padding=VALID", {"float[1,2,4,1,1]"}},
        {"AvgPool3D", "ksize=[1,2,2,1,1] strides=[1,1,1,1,1] padding=VALID", {"double[1,2,3,1,1]"}},
        {"~LRN", "depth_radius=1", {"float[1,2,2,3]"}},
        {"~FusedBatchNormV3", "is_training=true", {"float[2,2,2,2]", "float[2]", "float[2]", "-float[0]", "-float[0]"}},
        {"~FusedBatchNormV3",
         "is_training=false",
         {"float[1,2,2,2]", "float[2]", "float[2]", "-float[2]", "-float[2]"}},
        {"~ResizeBilinear", "", {"float[1,2,2,1]", "int32[2] 3 4"}},
        {"~ResizeBicubic", "", {"float[1,2,2,1]", "int32[2] 3 4"}},
        {"~RGBToHSV", "", {"float[2,3] 0.2..0.9"}},
        {"ExtractImagePatches", "ksizes=[1,2,2,1] strides=[1,1,1,1] rates=[1,1,1,1] padding=SAME", {"double[1,3,3,2]"}},
        {"ExtractVolumePatches", "ksizes=[1,1,2,2,1] strides=[1,1,1,1,1] padding=VALID", {"double[1,2,3,3,1]"}},
    };
    CHECK_GRADIENTS(rows);
    (void)state;
}

static void linalg(void **state) {
    static const struct gradient_row rows[] = {
        {"MatrixInverse", "", {"double[2,2] 2 1 1 3"}},
        {"MatrixInverse", "adjoint=true", {"double[2,2] 2 1 0.5 3"}},
        {"MatrixDeterminant", "", {"double[2,2,2] 2 1 1 3 1 2 0.5 4"}},
        {"LogMatrixDeterminant", "", {"double[2,2] 2 1 1 3"}},
        {"MatrixSolve", "", {"double[2,2] 2 1 0.5 3", "double[2,1]"}},
        {"MatrixSolve", "adjoint=true", {"double[2,2] 2 1 0.5 3", "double[2,2]"}},
        {"MatrixTriangularSolve", "lower=true", {"double[2,2] 2 0 0.5 3", "double[2,1]"}},
        {"MatrixTriangularSolve", "lower=false adjoint=true", {"double[2,2] 2 1 0 3", "double[2,2]"}},
        {"Qr", "", {"double[3,2] 1 2 3 5 4 1"}},
        {"Qr", "", {"double[2,3] 1 2 3 5 4 1"}},
        {"MatrixSolveLs", "fast=true", {"double[3,2] 1 2 3 5 4 1", "double[3,2]", "-double 0.5"}},
        {"MatrixSolveLs", "fast=true", {"double[2,3] 1 2 3 5 4 1", "double[2,1]", "-double 0.5"}},
        {"Svd", "compute_uv=false", {"double[2,3] 1 2 3 5 4 1"}},
        {"MatrixSquareRoot", "", {"double[2,2] 5 1 2 7"}},
        {"TridiagonalMatMul", "", {"double[1,3]", "double[1,3]", "double[1,3]", "double[3,2]"}},
        {"TridiagonalSolve", "", {"double[3,3] 1 1 0 4 5 6 0 1 1", "double[3,2]"}},
        {"Einsum", "equation=ab,bc->ac", {"double[2,3]", "double[3,2]"}},
        {"Einsum", "equation=abc->b", {"double[2,3,2]"}},
        {"Einsum", "equation=...ab,...bc->...ac", {"double[2,2,3]", "double[3,2]"}},
        {"Einsum", "equation=ii->i", {"double[3,3]"}},
        {"Einsum", "equation=ij,k->k", {"double[2,2]", "double[3]"}},
    };
    CHECK_GRADIENTS(rows);
    (void)state;
}

static void sparse(void **state) {
#define TWO "int64[2,2] 0 1 2 0" /* elements of a matrix of 3 x 2 */
    static const struct gradient_row rows[] = {
        {"SparseTensorDenseMatMul", "", {TWO, "double[2]", "int64[2] 3 2", "double[2,2]"}},
        {"SparseTensorDenseMatMul", "adjoint_a=true adjoint_b=true", {TWO, "double[2]", "int64[2] 3 2", "double[2,3]"}},
        {"SparseDenseCwiseMul", "", {TWO, "double[2]", "int64[2] 3 2", "double[1,2]"}},
        {"SparseDenseCwiseDiv", "", {TWO, "double[2]", "int64[2] 3 2", "double[3,2]"}},
        {"SparseDenseCwiseAdd", "", {TWO, "double[2]", "int64[2] 3 2", "double[2]"}},
        {"SparseTensorDenseAdd", "", {TWO, "double[2]", "int64[2] 3 2", "double[3,2]"}},
        {"SparseSparseMaximum",
         "",
         {TWO, "double[2] 1 -2", "int64[2] 3 2", "int64[2,2] 0 1 1 1", "double[2] 3 -1", "int64[2] 3 2"}},
        {"SparseReorder", "", {"int64[2,2] 2 0 0 1", "double[2]", "int64[2] 3 2"}},
        {"SparseSoftmax", "", {"int64[3,2] 0 0 0 1 2 0", "double[3]", "int64[2] 3 2"}},
        {"SparseReduceSum", "", {TWO, "double[2]", "int64[2] 3 2", "int32[1] 0"}},
        {"SparseToDense", "", {"int32[2] 0 2", "int32[1] 4", "double[2]", "double"}},
    };
    CHECK_GRADIENTS(rows);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(math),    cmocka_unit_test(reduce), cmocka_unit_test(matmul),
        cmocka_unit_test(nn),      cmocka_unit_test(array),  cmocka_unit_test(segment),
        cmocka_unit_test(windows), cmocka_unit_test(linalg), cmocka_unit_test(sparse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
