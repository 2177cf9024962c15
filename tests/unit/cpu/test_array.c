/* Array kernels: what each op gives on few elements, and what it refuses. */
#include "unit/cpu/kernel_rows.h"

#include "os/clock.h"

/* clang-format off */
static const struct kernel_row shapes[] = {
    {"Shape", "", {"float[2,0,3]"}, "int32[3] 2 0 3"},
    {"Shape", "out_type type: DT_INT64", {"string x"}, "int64[0]"},
    {"ShapeN", "", {"float[2]", "float[3,1]"}, "int32[1] 2; int32[2] 3 1"},
    {"Rank", "", {"bool[2,3]"}, "int32 2"},
    {"Size", "", {"int8[2,3]"}, "int32 6"},
    {"Reshape", "", {"int32[2,3] 1 2 3 4 5 6", "int32[2] 3 -1"}, "int32[3,2] 1 2 3 4 5 6"},
    {"Reshape", "", {"int32 7", "int64[2] 1 1"}, "int32[1,1] 7"},
    {"Reshape", "", {"int32[1,1] 7", "int32[0]"}, "int32 7"},
    {"Reshape", "", {"string[2] a b", "int32[2] 1 2"}, "string[1,2] a b"},
    {"Reshape", "", {"float[0,3]", "int32[2] -1 0"}, "float[3,0]"},
    {"Reshape", "", {"int32[6]", "int32[2] -1 -1"}, "INVALID_ARGUMENT Only one input size may be -1, not both 0 and 1"},
    {"Reshape", "", {"int32[6]", "int32[2] -1 4"}, "INVALID_ARGUMENT requires a multiple of 4"},
    {"Reshape", "", {"int32[6]", "int32[1] 5"}, "INVALID_ARGUMENT tensor with 6 values, but the requested shape has 5"},
    {"Reshape", "", {"int32[6]", "int32[2] -2 4"}, "INVALID_ARGUMENT Size 0 must be non-negative, not -2"},
    {"Reshape", "", {"int32[6]", "int64[2] 1099511627776 1099511627776"}, "INVALID_ARGUMENT too many elements"},
    {"Reshape", "", {"int32[6]", "int32[1,1] 6"}, "INVALID_ARGUMENT sizes input must be 1-D, not [1,1]"},
    {"ExpandDims", "", {"int32[2] 1 2", "int32 -1"}, "int32[2,1] 1 2"},
    {"ExpandDims", "", {"int32[2] 1 2", "int32 2"}, "INVALID_ARGUMENT Tried to expand dim index 2 for tensor with 1 dimensions."},
    {"Squeeze", "", {"int32[1,2,1] 1 2"}, "int32[2] 1 2"},
    {"Squeeze", "squeeze_dims list { i: -1 }", {"int32[1,2,1] 1 2"}, "int32[1,2] 1 2"},
    {"Squeeze", "squeeze_dims list { i: 1 }", {"int32[1,2] 1 2"}, "INVALID_ARGUMENT Can not squeeze dim[1], expected a dimension of 1, got 2"},
    {"Squeeze", "squeeze_dims list { i: 2 }", {"int32[1,2] 1 2"}, "INVALID_ARGUMENT Tried to squeeze dim index 2"},
    {"Bitcast", "type type: DT_INT32", {"float[2] 1 0"}, "int32[2] 1065353216 0"},
    {"Bitcast", "type type: DT_UINT8", {"int16[1] 258"}, "uint8[1,2] 2 1"},
    {"Bitcast", "type type: DT_INT16", {"uint8[1,2] 2 1"}, "int16[1] 258"},
    {"Bitcast", "type type: DT_INT64", {"int32[3] 1"}, "INVALID_ARGUMENT Cannot bitcast"},
    {"BroadcastArgs", "", {"int32[2] 2 1", "int32[1] 5"}, "int32[2] 2 5"},
    {"BroadcastArgs", "", {"int32[1] 2", "int32[1] 3"}, "INVALID_ARGUMENT Incompatible shapes: [2] vs. [3]"},
    {"BroadcastGradientArgs", "", {"int32[3] 2 1 1", "int32[3] 2 1 3"}, "int32[2] 1 2; int32[1] 1"},
    {"BroadcastGradientArgs", "", {"int32[2] 1 1", "int32[2] 1 1"}, "int32[0]; int32[0]"},
    {"BroadcastGradientArgs", "", {"int32[0]", "int32[2] 2 3"}, "int32[2] 0 1; int32[0]"},
    {"ConcatOffset", "", {"int32 1", "int32[2] 2 3", "int32[2] 2 5"}, "int32[2] 0 0; int32[2] 0 3"},
    {"ConcatOffset", "", {"int32 2", "int32[2] 2 3", "int32[2] 2 5"}, "INVALID_ARGUMENT Concat dim is out of range: 2 vs. 2"},
    {"ConcatOffset", "", {"int32 0", "int32[2] 2 3", "int32[2] 2 5"}, "INVALID_ARGUMENT All dimensions except 0 must match"},
    {"InvertPermutation", "", {"int64[3] 2 0 1"}, "int64[3] 1 2 0"},
    {"InvertPermutation", "", {"int32[2] 1 1"}, "INVALID_ARGUMENT 1 is duplicated in the input."},
    {"InvertPermutation", "", {"int32[2] 1 2"}, "INVALID_ARGUMENT 2 is not between 0 and 2"},
    {"UnravelIndex", "", {"int32[2] 5 0", "int32[2] 2 3"}, "int32[2,2] 1 0 2 0"},
    {"UnravelIndex", "", {"int32[1] 6", "int32[2] 2 3"}, "INVALID_ARGUMENT index is out of bound"},
    {"UnravelIndex", "", {"int32[1] 1", "int32[2] 0 3"}, "INVALID_ARGUMENT cannot contain a dim of zero"},
};

static const struct kernel_row fills[] = {
    {"Fill", "", {"int32[2] 2 2", "string ab"}, "string[2,2] ab"},
    {"Fill", "", {"int64[0]", "complex128 1,2"}, "complex128 1,2"},
    {"Fill", "", {"int32[1] -3", "int32 1"}, "INVALID_ARGUMENT Dimension -3 must be >= 0"},
    {"Fill", "", {"int32[1] 3", "int32[2] 1"}, "INVALID_ARGUMENT value must represent a scalar, got shape [2]"},
    {"Fill", "", {"int64[2] 1099511627776 1099511627776", "int32 1"}, "INVALID_ARGUMENT"},
    {"Empty", "dtype type: DT_STRING", {"int32[1] 2"}, "string[2] ''"},
    {"ZerosLike", "", {"float[2] 1 2"}, "float[2] 0 0"},
    {"ZerosLike", "", {"int32 5"}, "int32 0"},
    {"ZerosLike", "", {"string[1] a"}, "string[1] ''"},
    {"OnesLike", "", {"bfloat16[2] 0 3"}, "bfloat16[2] 1 1"},
    {"OnesLike", "", {"complex64[2] 0 3"}, "complex64[2] 1,0"},
    {"OnesLike", "", {"bool[1] 0"}, "bool[1] 1"},
    {"DeepCopy", "", {"string[2] a b"}, "string[2] a b"},
    {"Range", "", {"int32 1", "int32 8", "int32 3"}, "int32[3] 1 4 7"},
    {"Range", "", {"int64 3", "int64 0", "int64 -2"}, "int64[2] 3 1"},
    {"Range", "", {"float 0", "float 1", "float 0.3"}, "float[4] 0 0.3 0.6 0.90000004"},
    {"Range", "", {"int64 -9223372036854775808", "int64 9223372036854775807", "int64 4611686018427387904"},
     "int64[4] -9223372036854775808 -4611686018427387904 0 4611686018427387904"},
    {"Range", "", {"int32 1", "int32 3", "int32 0"}, "INVALID_ARGUMENT Requires delta != 0"},
    {"Range", "", {"int32 3", "int32 1", "int32 1"}, "INVALID_ARGUMENT Requires start <= limit when delta > 0: 3/1"},
    {"Range", "", {"float 0", "float inf", "float 1"}, "INVALID_ARGUMENT Requires ((limit - start) / delta) <="},
    {"LinSpace", "", {"float 1", "float 2", "int32 3"}, "float[3] 1 1.5 2"},
    {"LinSpace", "", {"double 1", "double 2", "int64 1"}, "double[1] 1"},
    {"LinSpace", "", {"float 1", "float 2", "int32 0"}, "INVALID_ARGUMENT Requires num > 0: 0"},
    {"OneHot", "", {"int64[2] 1 -1", "int32 2", "float 5", "float 1"}, "float[2,2] 1 5 1 1"},
    {"OneHot", "axis i: 0", {"int32[2] 1 7", "int32 2", "string a", "string b"}, "string[2,2] b b a b"},
    {"OneHot", "", {"int64[2] 1 0", "int32 -1", "float 1", "float 0"}, "INVALID_ARGUMENT depth must be non-negative, got: -1"},
    {"OneHot", "axis i: 2", {"int64[2] 1 0", "int32 1", "float 1", "float 0"}, "INVALID_ARGUMENT Expected axis to be -1 or between [0, 2)"},
    {"CheckNumerics", "message s: 'hey'", {"float[2] 1 2"}, "float[2] 1 2"},
    {"CheckNumerics", "message s: 'hey'", {"half[2] 1 nan"}, "INVALID_ARGUMENT hey : Tensor had NaN values"},
    {"CheckNumerics", "message s: 'hey'", {"double[2] nan inf"}, "INVALID_ARGUMENT hey : Tensor had Inf and NaN values"},
    {"CheckNumericsV2", "message s: 'hey'", {"bfloat16[3] nan inf -inf"}, "INVALID_ARGUMENT hey : Tensor had -Inf, +Inf, and NaN values"},
};

static const struct kernel_row joins[] = {
    {"ConcatV2", "", {"int32[1,2] 1 2", "int32[1,1] 3", "int32 -1"}, "int32[1,3] 1 2 3"},
    {"ConcatV2", "", {"string[2,1] a b", "string[2,2] c d e f", "int32 1"}, "string[2,3] a c d b e f"},
    {"ConcatV2", "", {"float[0]", "float[1] 1", "int32 0"}, "float[1] 1"},
    {"Concat", "", {"int32 0", "int8[1,2] 1 2", "int8[1,2] 3 4"}, "int8[2,2] 1 2 3 4"},
    {"ConcatV2", "", {"int32[1,1] 1", "int32[2,2] 1", "int32 0"}, "INVALID_ARGUMENT Dimension 1 in both shapes must be equal"},
    {"ConcatV2", "", {"int32[1] 1", "int32[1,1] 1", "int32 0"}, "INVALID_ARGUMENT Ranks of all input tensors should match"},
    {"ConcatV2", "", {"int32[1] 1", "int32[1] 1", "int32 1"}, "INVALID_ARGUMENT Expected concatenating dimensions in the range [-1, 1), but got 1"},
    {"ConcatV2", "", {"int32 1", "int32 1", "int32 0"}, "INVALID_ARGUMENT Can't concatenate scalars"},
    {"Pack", "axis i: 1", {"int32[2] 1 2", "int32[2] 3 4"}, "int32[2,2] 1 3 2 4"},
    {"Pack", "", {"string a", "string b"}, "string[2] a b"},
    {"Pack", "axis i: 2", {"int32 1", "int32 2"}, "INVALID_ARGUMENT axis = 2 not in [-1, 1)"},
    {"Pack", "", {"int32[1] 1", "int32[2] 2"}, "INVALID_ARGUMENT Shapes of all inputs must match"},
    {"ParallelConcat", "shape shape { dim { size: 2 } dim { size: 1 } }", {"int32[1,1] 1", "int32[1,1] 2"}, "int32[2,1] 1 2"},
    {"Split", "num_split i: 2", {"int32 1", "int32[2,2] 1 2 3 4"}, "int32[2,1] 1 3; int32[2,1] 2 4"},
    {"Split", "num_split i: 2", {"int32 0", "string[2] a b"}, "string[1] a; string[1] b"},
    {"Split", "num_split i: 2", {"int32 0", "int32[3] 1"}, "INVALID_ARGUMENT Number of ways to split should evenly divide the split dimension"},
    {"Split", "num_split i: 2", {"int32 1", "int32[3] 1"}, "INVALID_ARGUMENT -input rank(-1) <= split_dim < input rank (1), but got 1"},
    {"SplitV", "num_split i: 2", {"int32[3] 1 2 3", "int64[2] 1 -1", "int32 0"}, "int32[1] 1; int32[2] 2 3"},
    {"SplitV", "num_split i: 2", {"int32[3] 1 2 3", "int64[2] -1 -1", "int32 0"}, "INVALID_ARGUMENT There can only be one -1"},
    {"SplitV", "num_split i: 2", {"int32[3] 1 2 3", "int64[2] 1 1", "int32 0"}, "INVALID_ARGUMENT Determined shape must either match"},
    {"Unpack", "num i: 2; axis i: -1", {"int32[2,2] 1 2 3 4"}, "int32[2] 1 3; int32[2] 2 4"},
    {"Unpack", "num i: 2", {"bool[2] 0 1"}, "bool 0; bool 1"},
    {"Unpack", "num i: 3", {"int32[2] 1 2"}, "INVALID_ARGUMENT Input shape axis 0 must equal 3, got shape [2]"},
    {"Tile", "", {"int32[1,2] 1 2", "int32[2] 2 2"}, "int32[2,4] 1 2 1 2 1 2 1 2"},
    {"Tile", "", {"int32[2] 1 2", "int32[1] 0"}, "int32[0]"},
    {"Tile", "", {"int32[2] 1 2", "int32[1] -1"}, "INVALID_ARGUMENT Expected multiples[0] >= 0, but got -1"},
    {"Tile", "", {"int32[2] 1 2", "int64[1] 9223372036854775807"}, "INVALID_ARGUMENT overflow"},
    {"TileGrad", "", {"float[4] 1 2 3 4", "int32[1] 2"}, "float[2] 4 6"},
    {"BroadcastTo", "", {"int16[2,1] 1 2", "int32[3] 2 2 2"}, "int16[2,2,2] 1 1 2 2 1 1 2 2"},
    {"BroadcastTo", "", {"int32[2] 1 2", "int32[2] 2 3"}, "INVALID_ARGUMENT Incompatible shapes: [2] vs. [2,3]"},
    {"BroadcastTo", "", {"int32[2] 1 2", "int32[0]"}, "INVALID_ARGUMENT Rank of input (1) must be no greater"},
};

static const struct kernel_row slices[] = {
    {"Slice", "", {"int32[2,3] 1 2 3 4 5 6", "int32[2] 0 1", "int32[2] -1 2"}, "int32[2,2] 2 3 5 6"},
    {"Slice", "", {"string[3] a b c", "int32[1] 1", "int32[1] 1"}, "string[1] b"},
    {"Slice", "", {"int32[2] 1 2", "int32[1] 1", "int32[1] 2"}, "INVALID_ARGUMENT Expected size[0] in [0, 1], but got 2"},
    {"Slice", "", {"int32[2] 1 2", "int32[1] 3", "int32[1] -1"}, "INVALID_ARGUMENT Expected begin[0] in [0, 2], but got 3"},
    {"Slice", "", {"int32[2] 1 2", "int64[1] -9223372036854775808", "int64[1] -1"}, "INVALID_ARGUMENT Expected begin[0] in [0, 2]"},
    {"Slice", "", {"int32[2] 1 2", "int32[2] 0", "int32[2] 0"}, "INVALID_ARGUMENT to be 1-D tensors of size 1"},
    {"StridedSlice", "", {"int32[5] 0 1 2 3 4", "int32[1] 4", "int32[1] -6", "int32[1] -2"}, "int32[3] 4 2 0"},
    {"StridedSlice", "shrink_axis_mask i: 1", {"int32[3] 5 6 7", "int32[1] -1", "int32[1] 0", "int32[1] 1"}, "int32 7"},
    {"StridedSlice", "ellipsis_mask i: 1; new_axis_mask i: 2", {"int32[2,2] 1 2 3 4", "int32[3] 0 0 1", "int32[3] 0 0 2", "int32[3] 1 1 1"}, "int32[2,1,1] 2 4"},
    {"StridedSlice", "begin_mask i: 1; end_mask i: 1", {"int32[3] 5 6 7", "int32[1] 1", "int32[1] 1", "int32[1] -1"}, "int32[3] 7 6 5"},
    {"StridedSlice", "", {"int32[3] 5 6 7", "int64[1] -9223372036854775808", "int64[1] 9223372036854775807", "int64[1] 9223372036854775807"}, "int32[1] 5"},
    {"StridedSlice", "", {"int32[2] 1 2", "int32[1] 0", "int32[1] 1", "int32[1] 0"}, "INVALID_ARGUMENT strides[0] must be non-zero"},
    {"StridedSlice", "shrink_axis_mask i: 1", {"int32[2] 1 2", "int32[1] 2", "int32[1] 3", "int32[1] 1"}, "INVALID_ARGUMENT slice index 2 of dimension 0 out of bounds."},
    {"StridedSlice", "", {"int32[2] 1 2", "int32[2] 0", "int32[2] 1", "int32[2] 1"}, "INVALID_ARGUMENT Index out of range using input dim 1; input has only 1 dims"},
    {"StridedSliceGrad", "", {"int32[1] 4", "int32[1] 3", "int32[1] -5", "int32[1] -2", "float[2] 1 2"}, "float[4] 0 2 0 1"},
    {"StridedSliceGrad", "shrink_axis_mask i: 1", {"int32[1] 2", "int32[1] 1", "int32[1] 2", "int32[1] 1", "string a"}, "string[2] '' a"},
    {"StridedSliceGrad", "", {"int32[1] 4", "int32[1] 0", "int32[1] 4", "int32[1] 2", "float[3] 1"}, "INVALID_ARGUMENT shape of dy was [3] instead of [2]"},
    {"TensorStridedSliceUpdate", "", {"int32[3] 1 2 3", "int32[1] 2", "int32[1] 0", "int32[1] -1", "int32[2] 8 9"}, "int32[3] 1 9 8"},
    {"TensorStridedSliceUpdate", "", {"int32[2,2] 1 2 3 4", "int32[2] 0 1", "int32[2] 2 2", "int32[2] 1 1", "int32 7"}, "int32[2,2] 1 7 3 7"},
    {"TensorStridedSliceUpdate", "", {"int32[3] 1 2 3", "int32[1] 0", "int32[1] 2", "int32[1] 1", "int32[3] 5"}, "INVALID_ARGUMENT Cannot broadcast input shape [3] into final shape [2]"},
};

static const struct kernel_row orders[] = {
    {"Transpose", "", {"int32[2,3] 1 2 3 4 5 6", "int32[2] 1 0"}, "int32[3,2] 1 4 2 5 3 6"},
    {"Transpose", "", {"string[1,2] a b", "int32[2] -1 -2"}, "string[2,1] a b"},
    {"Transpose", "", {"int32[2,3] 1", "int32[2] 0 0"}, "INVALID_ARGUMENT 1 is missing from {0,0}."},
    {"Transpose", "", {"int32[2,3] 1", "int32[2] 0 2"}, "INVALID_ARGUMENT 2 is out of range [0 .. 2)"},
    {"Transpose", "", {"int32[2,3] 1", "int32[1] 0"}, "INVALID_ARGUMENT transpose expects a vector of size 2. But input(1) is a vector of size 1"},
    {"ConjugateTranspose", "", {"complex64[2,1] 1,2 3,-4", "int32[2] 1 0"}, "complex64[1,2] 1,-2 3,4"},
    {"Reverse", "", {"int32[2,2] 1 2 3 4", "bool[2] 1 0"}, "int32[2,2] 3 4 1 2"},
    {"ReverseV2", "", {"string[2,2] a b c d", "int32[1] -1"}, "string[2,2] b a d c"},
    {"ReverseV2", "", {"int32[2] 1 2", "int32[2] 0 -1"}, "INVALID_ARGUMENT axis 0 specified more than once."},
    {"ReverseV2", "", {"int32[2] 1 2", "int32[1] 1"}, "INVALID_ARGUMENT 'axis'[0] = 1 is out of valid range"},
    {"ReverseSequence", "seq_dim i: 1", {"int32[2,3] 1 2 3 4 5 6", "int64[2] 2 3"}, "int32[2,3] 2 1 3 6 5 4"},
    {"ReverseSequence", "seq_dim i: 1", {"int32[2,3] 1", "int64[2] 2 4"}, "INVALID_ARGUMENT seq_lens(1) > input.dims(1)"},
    {"ReverseSequence", "seq_dim i: 0", {"int32[2,3] 1", "int64[2] 2 4"}, "INVALID_ARGUMENT batch_dim == seq_dim == 0"},
    {"Roll", "", {"int32[2,3] 1 2 3 4 5 6", "int32[2] 1 -1", "int32[2] 0 1"}, "int32[2,3] 5 6 4 2 3 1"},
    {"Roll", "", {"string[3] a b c", "int64 -4", "int32 0"}, "string[3] b c a"},
    {"Roll", "", {"int32[3] 1", "int32[1] 1", "int32[1] 1"}, "INVALID_ARGUMENT axis 1 is out of range"},
};

static const struct kernel_row pads[] = {
    {"Pad", "", {"int32[1,2] 1 2", "int32[2,2] 1 0 0 1"}, "int32[2,3] 0 0 0 1 2 0"},
    {"PadV2", "", {"string[1] a", "int32[1,2] 1 2", "string z"}, "string[4] z a z z"},
    {"Pad", "", {"int32[2] 1", "int32[1,2] -1 1"}, "INVALID_ARGUMENT Paddings must be non-negative: -1 1"},
    {"Pad", "", {"int32[2] 1", "int64[1,2] 9223372036854775807 1"}, "INVALID_ARGUMENT"},
    {"Pad", "", {"int32[2] 1", "int32[2,1] 1"}, "INVALID_ARGUMENT paddings must be a matrix with 2 columns"},
    {"MirrorPad", "mode s: 'REFLECT'", {"int32[3] 1 2 3", "int32[1,2] 2 1"}, "int32[6] 3 2 1 2 3 2"},
    {"MirrorPad", "mode s: 'SYMMETRIC'", {"int32[1,3] 1 2 3", "int32[2,2] 1 0 3 0"}, "int32[2,6] 3 2 1 1 2 3 3 2 1 1 2 3"},
    {"MirrorPad", "mode s: 'REFLECT'", {"int32[3] 1", "int32[1,2] 3 0"}, "INVALID_ARGUMENT paddings must be less than the dimension size: 3, 0 not less than 3"},
    {"MirrorPadGrad", "mode s: 'SYMMETRIC'", {"int32[5] 1 2 3 4 5", "int32[1,2] 1 1"}, "int32[3] 3 3 9"},
    {"MirrorPadGrad", "mode s: 'REFLECT'", {"float[5] 1 2 3 4 5", "int32[1,2] 1 1"}, "float[3] 2 9 4"},
    {"SpaceToDepth", "block_size i: 2", {"int32[1,2,2,1] 1 2 3 4"}, "int32[1,1,1,4] 1 2 3 4"},
    {"DepthToSpace", "block_size i: 2", {"int8[1,1,1,8] 1 2 3 4 5 6 7 8"}, "int8[1,2,2,2] 1 2 3 4 5 6 7 8"},
    {"DepthToSpace", "block_size i: 2; data_format s: 'NCHW'", {"int32[1,4,1,2] 1 2 3 4 5 6 7 8"}, "int32[1,1,2,4] 1 3 2 4 5 7 6 8"},
    {"SpaceToDepth", "block_size i: 2; data_format s: 'NCHW'", {"int32[1,1,2,4] 1 3 2 4 5 7 6 8"}, "int32[1,4,1,2] 1 2 3 4 5 6 7 8"},
    {"DepthToSpace", "block_size i: 2", {"int32[1,1,1,3] 1"}, "INVALID_ARGUMENT Input depth dimension 3 should be divisible by: 4"},
    {"SpaceToBatchND", "", {"int32[1,3,1] 1 2 3", "int32[1] 2", "int32[1,2] 0 1"}, "int32[2,2,1] 1 3 2 0"},
    {"BatchToSpaceND", "", {"int32[2,2,1] 1 3 2 0", "int32[1] 2", "int32[1,2] 0 1"}, "int32[1,3,1] 1 2 3"},
    {"SpaceToBatch", "block_size i: 2", {"int32[1,2,2,1] 1 2 3 4", "int32[2,2] 0"}, "int32[4,1,1,1] 1 2 3 4"},
    {"BatchToSpace", "block_size i: 2", {"int32[4,1,1,1] 1 2 3 4", "int32[2,2] 0 0 1 0"}, "int32[1,2,1,1] 2 4"},
    {"SpaceToBatchND", "", {"int32[1,3,1] 1 2 3", "int32[1] 2", "int32[1,2] 0 0"}, "INVALID_ARGUMENT padded_shape[0]=3 is not divisible by block_shape[0]=2"},
    {"BatchToSpaceND", "", {"int32[3,2,1] 1", "int32[1] 2", "int32[1,2] 0 1"}, "INVALID_ARGUMENT Input batch dimension (3) is not divisible"},
    {"ExtractImagePatches", "ksizes list { i: 1 i: 2 i: 1 i: 1 }; strides list { i: 1 i: 2 i: 1 i: 1 }; rates list { i: 1 i: 1 i: 1 i: 1 }; padding s: 'SAME'",
     {"int32[1,3,2,1] 1 2 3 4 5 6"}, "int32[1,2,2,2] 1 3 2 4 5 0 6 0"},
    {"ExtractImagePatches", "ksizes list { i: 2 i: 2 i: 1 i: 1 }; strides list { i: 1 i: 2 i: 1 i: 1 }; rates list { i: 1 i: 1 i: 1 i: 1 }; padding s: 'SAME'",
     {"int32[1,3,2,1] 1"}, "UNIMPLEMENTED Only support ksizes across space."},
    {"DataFormatDimMap", "", {"int32[4] 1 -4 3 5"}, "int32[4] 2 0 1 2"},
    {"DataFormatVecPermute", "", {"int32[4] 7 4 9 3"}, "int32[4] 7 3 4 9"},
    {"DataFormatVecPermute", "", {"int32[3] 7 4 9"}, "INVALID_ARGUMENT 1D input must be of size 2 or 4, but got shape [3]"},
    {"DataFormatDimMap", "dst_format s: 'NCHD'", {"int32[1] 0"}, "INVALID_ARGUMENT must determine a permutation"},
};
/* clang-format on */

static void test_shapes(void **state) {
    (void)state;
    CHECK_ROWS(shapes);
}
static void test_fills(void **state) {
    (void)state;
    CHECK_ROWS(fills);
}
static void test_joins(void **state) {
    (void)state;
    CHECK_ROWS(joins);
}
static void test_slices(void **state) {
    (void)state;
    CHECK_ROWS(slices);
}
static void test_orders(void **state) {
    (void)state;
    CHECK_ROWS(orders);
}
static void test_pads(void **state) {
    (void)state;
    CHECK_ROWS(pads);
}

static void the_time_is_that_of_the_clock(void **state) {
    (void)state;
    struct sl_value now = {0};
    struct sl_error err;
    sl_error_clear(&err);
    double before = 1e-6 * (double)sl_wall_us();
    assert_int_equal(run_kernel(&now, "Timestamp", "", NULL, 0, false, NULL, &err), SL_OK);
    double seconds = *(const double *)sl_value_view(&now).data;
    assert_true(before <= seconds && seconds <= 1e-6 * (double)sl_wall_us());
    sl_value_clear(&now);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_fills),
        cmocka_unit_test(test_joins),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_pads),
        cmocka_unit_test(the_time_is_that_of_the_clock),
    };
    return cmocka_run_group_tests(tests, kernels_setup, kernels_teardown);
}
