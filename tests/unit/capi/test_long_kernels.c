/* Kernels that one thread works on for long, though their inputs are small: each asks while it works whether it shall
 * stop. The calls are cancelled before they begin, which such a kernel sees when it asks for the first time; nearly all
 * would else take seconds to years, or more memory than there is. */
#include <string.h>

#include "tensorflow/c/eager/c_api.h"
#include "tensorflow/c/eager/c_api_experimental.h"
#include "tensorflow/c/tf_tstring.h"
#include "unit/unit.h"

static TFE_Context *context;
static TF_Status *status;

static void check(void) {
    if (TF_GetCode(status) != TF_OK) fail_msg("%s", TF_Message(status));
}

static TFE_Op *op_new(const char *name) {
    TFE_Op *op = TFE_NewOp(context, name, status);
    check();
    return op;
}

static void add(TFE_Op *op, TF_Tensor *t) {
    TFE_TensorHandle *h = TFE_NewTensorHandle(t, status);
    check();
    TFE_OpAddInput(op, h, status);
    check();
    TFE_DeleteTensorHandle(h);
    TF_DeleteTensor(t);
}

/* Element i is first + i * step. */
static void add_numbers(TFE_Op *op, TF_DataType type, int rank, const int64_t *dims, double first, double step) {
    int64_t n = 1;
    for (int d = 0; d < rank; d++) n *= dims[d];
    TF_Tensor *t = TF_AllocateTensor(type, dims, rank, (size_t)n * TF_DataTypeSize(type));
    for (int64_t i = 0; i < n; i++) {
        const double x = first + step * (double)i;
        if (type == TF_INT32) ((int32_t *)TF_TensorData(t))[i] = (int32_t)x;
        else if (type == TF_INT64) ((int64_t *)TF_TensorData(t))[i] = (int64_t)x;
        else if (type == TF_COMPLEX64)
            ((float *)TF_TensorData(t))[2 * i] = (float)x, ((float *)TF_TensorData(t))[2 * i + 1] = 0;
        else ((float *)TF_TensorData(t))[i] = (float)x;
    }
    add(op, t);
}
static void add_number(TFE_Op *op, TF_DataType type, double x) { add_numbers(op, type, 0, NULL, x, 0); }
#define DIMS(...)                                                                                                      \
    (const int64_t[]) { __VA_ARGS__ }

/* Strings of so many bytes: words of a byte. */
static void add_texts(TFE_Op *op, int rank, const int64_t *dims, size_t bytes) {
    int64_t n = 1;
    for (int d = 0; d < rank; d++) n *= dims[d];
    TF_Tensor *t = TF_AllocateTensor(TF_STRING, dims, rank, (size_t)n * sizeof(TF_TString));
    for (int64_t i = 0; i < n; i++) {
        TF_TString *s = (TF_TString *)TF_TensorData(t) + i;
        TF_TString_Init(s);
        char *to = TF_TString_ResizeUninitialized(s, bytes);
        for (size_t b = 0; b < bytes; b++) to[b] = b % 2 ? ' ' : 'x';
    }
    add(op, t);
}

static void stops(TFE_Op *op, int n_outputs) {
    TFE_TensorHandle *outputs[4] = {NULL};
    TFE_CancellationManager *manager = TFE_NewCancellationManager();
    TFE_CancellationManagerStartCancel(manager);
    TFE_OpSetCancellationManager(op, manager, status);
    check();
    TFE_Execute(op, outputs, &n_outputs, status);
    if (TF_GetCode(status) != TF_CANCELLED)
        fail_msg("it went on to its end: %d %s", TF_GetCode(status), TF_Message(status));
    TFE_DeleteOp(op);
    TFE_DeleteCancellationManager(manager);
}

enum { MIB = 1 << 20, MANY = 1 << 20 };

static void copies_of_strings(void **state) {
    (void)state;
    TFE_Op *op = op_new("Fill");
    add_number(op, TF_INT32, 65536); /* a scalar stands for a vector of one */
    add_texts(op, 0, NULL, MIB);
    stops(op, 1);
    op = op_new("Tile");
    add_texts(op, 1, DIMS(1), MIB);
    add_numbers(op, TF_INT32, 1, DIMS(1), 65536, 0);
    stops(op, 1);
    op = op_new("BroadcastTo");
    add_texts(op, 0, NULL, MIB);
    add_numbers(op, TF_INT32, 1, DIMS(2), 256, 0);
    stops(op, 1);
}

static void strings_that_are_split_and_joined(void **state) {
    (void)state;
    TFE_Op *op = op_new("StringNGrams");
    add_texts(op, 1, DIMS(1), 10);
    add_numbers(op, TF_INT64, 1, DIMS(2), 0, 1);
    TFE_OpSetAttrString(op, "separator", "-", 1);
    TFE_OpSetAttrString(op, "left_pad", "left", 4);
    TFE_OpSetAttrString(op, "right_pad", "right", 5);
    TFE_OpSetAttrIntList(op, "ngram_widths", DIMS(100000), 1);
    TFE_OpSetAttrInt(op, "pad_width", -1);
    TFE_OpSetAttrBool(op, "preserve_short_sequences", 0);
    stops(op, 2);
    op = op_new("StringSplitV2");
    add_texts(op, 1, DIMS(4), 4 * MIB);
    add_texts(op, 0, NULL, 0);
    stops(op, 3);
    op = op_new("ReduceJoin");
    add_texts(op, 1, DIMS(MANY), 10);
    add_numbers(op, TF_INT32, 1, DIMS(1), 0, 0);
    stops(op, 1);
    op = op_new("UnsortedSegmentJoin");
    add_texts(op, 1, DIMS(1), 10);
    add_numbers(op, TF_INT32, 1, DIMS(1), 0, 0);
    add_number(op, TF_INT32, 1 << 22);
    stops(op, 1);
}

static void samplers(void **state) {
    (void)state;
    static const char *const names[] = {"LogUniformCandidateSampler", "UniformCandidateSampler",
                                        "UniformCandidateSampler"};
    for (int i = 0; i < 3; i++) {
        TFE_Op *op = op_new(names[i]);
        add_numbers(op, TF_INT64, 2, DIMS(1, 1), 0, 0);
        TFE_OpSetAttrInt(op, "num_true", 1);
        TFE_OpSetAttrInt(op, "num_sampled", MANY);
        TFE_OpSetAttrInt(op, "range_max", MANY);
        TFE_OpSetAttrBool(op, "unique", i < 2);
        stops(op, 3);
    }
    TFE_Op *op = op_new("SampleDistortedBoundingBoxV2");
    add_numbers(op, TF_INT32, 1, DIMS(3), 100, 0);
    add_numbers(op, TF_FLOAT, 3, DIMS(1, 1, 4), 0, .1);
    add_number(op, TF_FLOAT, 2); /* a box is never twice in a part */
    TFE_OpSetAttrInt(op, "max_attempts", INT64_C(1) << 62);
    stops(op, 3);
    op = op_new("ParameterizedTruncatedNormal");
    add_numbers(op, TF_INT32, 1, DIMS(1), 1 << 24, 0);
    for (int i = 0; i < 4; i++) add_number(op, TF_FLOAT, (double[]){0, 1, -1, 1}[i]);
    stops(op, 1);
}

static void what_is_compared_with_all_others(void **state) {
    (void)state;
    enum { N = 50000 };
    TFE_Op *op = op_new("NonMaxSuppressionV2");
    add_numbers(op, TF_FLOAT, 2, DIMS(N, 4), 0, 1); /* one apart from the other */
    add_numbers(op, TF_FLOAT, 1, DIMS(N), 1, 0);
    add_number(op, TF_INT32, N);
    add_number(op, TF_FLOAT, .5);
    stops(op, 1);
    op = op_new("EditDistance");
    for (int i = 0; i < 2; i++) {
        add_numbers(op, TF_INT64, 2, DIMS(N, 2), 0, 0);
        add_numbers(op, TF_INT64, 1, DIMS(N), i, 0);
        add_numbers(op, TF_INT64, 1, DIMS(2), 1, 0);
    }
    stops(op, 1);
    op = op_new("SparseCrossV2");
    for (int i = 0; i < 3; i++) add_texts(op, 2, DIMS(1, 200), 4);
    add_texts(op, 0, NULL, 1);
    TFE_OpSetAttrInt(op, "N", 0);
    TFE_OpSetAttrTypeList(op, "sparse_types", NULL, 0);
    TFE_OpSetAttrTypeList(op, "dense_types", (const TF_DataType[]){TF_STRING, TF_STRING, TF_STRING}, 3);
    stops(op, 3);
}

/* A matrix of n x n numbers that are not 0, as a sparse one. */
static TFE_TensorHandle *full_sparse(int64_t n) {
    TFE_TensorHandle *out = NULL;
    int one = 1;
    TFE_Op *op = op_new("DenseToCSRSparseMatrix");
    add_numbers(op, TF_FLOAT, 2, DIMS(n, n), 1, 0);
    TF_Tensor *at = TF_AllocateTensor(TF_INT64, DIMS(n * n, 2), 2, (size_t)(n * n) * 2 * sizeof(int64_t));
    for (int64_t i = 0; i < n * n; i++) {
        ((int64_t *)TF_TensorData(at))[2 * i] = i / n;
        ((int64_t *)TF_TensorData(at))[2 * i + 1] = i % n;
    }
    add(op, at);
    TFE_Execute(op, &out, &one, status);
    check();
    TFE_DeleteOp(op);
    return out;
}

static void sparse_matrices_that_are_full(void **state) {
    (void)state;
    TFE_TensorHandle *m = full_sparse(200);
    TFE_Op *op = op_new("SparseMatrixSparseMatMul");
    for (int i = 0; i < 2; i++) TFE_OpAddInput(op, m, status);
    TFE_OpSetAttrType(op, "type", TF_FLOAT);
    stops(op, 1);
    op = op_new("SparseMatrixOrderingAMD");
    TFE_OpAddInput(op, m, status);
    stops(op, 1);
    TFE_DeleteTensorHandle(m);
}

static void beams(void **state) {
    (void)state;
    TFE_Op *op = op_new("CTCBeamSearchDecoder");
    add_numbers(op, TF_FLOAT, 3, DIMS(500, 1, 100), 0, .001);
    add_numbers(op, TF_INT32, 1, DIMS(1), 500, 0);
    TFE_OpSetAttrInt(op, "beam_width", 1000);
    TFE_OpSetAttrInt(op, "top_paths", 1);
    stops(op, 4);
}

static void long_rows_of_numbers(void **state) {
    (void)state;
    static const char *const ops[] = {"Unique", "ListDiff"};
    for (int i = 0; i < 2; i++) {
        TFE_Op *op = op_new(ops[i]);
        for (int j = 0; j <= i; j++) add_numbers(op, TF_INT32, 1, DIMS(MANY), 0, 1);
        stops(op, 2);
    }
    TFE_Op *op = op_new("Bincount");
    add_numbers(op, TF_INT32, 1, DIMS(MANY), 0, 0);
    add_number(op, TF_INT32, 10);
    add_numbers(op, TF_FLOAT, 1, DIMS(MANY), 1, 0);
    stops(op, 1);
    op = op_new("RaggedRange");
    for (int i = 0; i < 3; i++) add_number(op, TF_FLOAT, (double[]){0, 1e6, .1}[i]);
    stops(op, 2);
    op = op_new("SparseFillEmptyRows");
    add_numbers(op, TF_INT64, 2, DIMS(0, 2), 0, 0);
    add_numbers(op, TF_FLOAT, 1, DIMS(0), 0, 0);
    add_numbers(op, TF_INT64, 1, DIMS(2), 1 << 24, 1 - (1 << 24));
    add_number(op, TF_FLOAT, 0);
    stops(op, 4);
}

static void lists_of_what_was_never_set(void **state) {
    (void)state;
    TFE_Op *op = op_new("TensorListReserve");
    add_numbers(op, TF_INT32, 1, DIMS(1), 1, 0);
    add_number(op, TF_INT32, 1 << 24);
    TFE_OpSetAttrType(op, "element_dtype", TF_FLOAT);
    TFE_TensorHandle *list = NULL;
    int one = 1;
    TFE_Execute(op, &list, &one, status);
    check();
    TFE_DeleteOp(op);
    op = op_new("TensorListStack");
    TFE_OpAddInput(op, list, status);
    add_numbers(op, TF_INT32, 1, DIMS(1), 1, 0);
    TFE_OpSetAttrType(op, "element_dtype", TF_FLOAT);
    stops(op, 1);
    op = op_new("TensorListConcatV2");
    TFE_OpAddInput(op, list, status);
    add_numbers(op, TF_INT32, 1, DIMS(1), 1, 0);
    add_numbers(op, TF_INT64, 1, DIMS(0), 0, 0);
    TFE_OpSetAttrType(op, "element_dtype", TF_FLOAT);
    stops(op, 2);
    TFE_DeleteTensorHandle(list);
}

static void matrices(void **state) {
    (void)state;
    enum { N = 400 };
    static const struct {
        const char *op;
        TF_DataType type;
        int n_out;
    } rows[] = {{"Cholesky", TF_FLOAT, 1},
                {"Lu", TF_FLOAT, 2},
                {"MatrixInverse", TF_FLOAT, 1},
                {"MatrixDeterminant", TF_FLOAT, 1},
                {"Qr", TF_FLOAT, 2},
                {"Svd", TF_FLOAT, 3},
                {"SelfAdjointEigV2", TF_FLOAT, 2},
                {"Eig", TF_FLOAT, 2},
                {"Eig", TF_COMPLEX64, 2},
                {"MatrixSquareRoot", TF_FLOAT, 1},
                {"MatrixLogarithm", TF_COMPLEX64, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TFE_Op *op = op_new(rows[i].op);
        int64_t dims[] = {N, N};
        TF_Tensor *t = TF_AllocateTensor(rows[i].type, dims, 2, N * N * TF_DataTypeSize(rows[i].type));
        const int step = rows[i].type == TF_COMPLEX64 ? 2 : 1;
        float *x = TF_TensorData(t);
        memset(x, 0, TF_TensorByteSize(t));
        for (int r = 0; r < N; r++)
            for (int c = 0; c < N; c++)
                x[(r * N + c) * step] = r == c ? 2 * N : 1.0f / (float)(1 + (r * c) % 17 + r + c);
        add(op, t);
        if (!strcmp(rows[i].op, "Eig")) TFE_OpSetAttrType(op, "Tout", TF_COMPLEX64);
        stops(op, rows[i].n_out);
    }
}

static int set_up(void **state) {
    (void)state;
    status = TF_NewStatus();
    TFE_ContextOptions *options = TFE_NewContextOptions();
    context = TFE_NewContext(options, status);
    TFE_DeleteContextOptions(options);
    return TF_GetCode(status) != TF_OK;
}

static int tear_down(void **state) {
    (void)state;
    TFE_DeleteContext(context);
    TF_DeleteStatus(status);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_of_strings),
        cmocka_unit_test(strings_that_are_split_and_joined),
        cmocka_unit_test(samplers),
        cmocka_unit_test(what_is_compared_with_all_others),
        cmocka_unit_test(sparse_matrices_that_are_full),
        cmocka_unit_test(beams),
        cmocka_unit_test(long_rows_of_numbers),
        cmocka_unit_test(lists_of_what_was_never_set),
        cmocka_unit_test(matrices),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
