/* Sparse matrices and ragged tensors that travel as variants: there and back, what is done with them, and what they
 * refuse. */
#include "unit/cpu/kernel_rows.h"

#include "base/alloc.h"
#include "tensor/summary.h"

static sl_code run_with(struct sl_value *out, const char *op, const char *attrs, struct sl_value *in, int n,
                        struct sl_error *err) {
    sl_code code = run_kernel(out, op, attrs, in, n, false, NULL, err);
    for (int i = 0; i < n; i++) sl_value_clear(&in[i]);
    return code;
}

/* Output 0; the inputs are used up. */
#define RUN(op, attrs, ...)                                                                                            \
    run_ok(op, attrs, (struct sl_value[]){__VA_ARGS__},                                                                \
           (int)(sizeof((struct sl_value[]){__VA_ARGS__}) / sizeof(struct sl_value)))
static struct sl_value run_ok(const char *op, const char *attrs, struct sl_value *in, int n) {
    struct sl_value out = {0};
    struct sl_error err;
    sl_error_clear(&err);
    sl_code code = run_with(&out, op, attrs, in, n, &err);
    if (code != SL_OK) print_error("%s: %s\n", op, err.message);
    assert_int_equal(code, SL_OK);
    return out;
}
#define REFUSED(words, op, attrs, ...)                                                                                 \
    refused(words, op, attrs, (struct sl_value[]){__VA_ARGS__},                                                        \
            (int)(sizeof((struct sl_value[]){__VA_ARGS__}) / sizeof(struct sl_value)))
static void refused(const char *words, const char *op, const char *attrs, struct sl_value *in, int n) {
    struct sl_value out = {0};
    struct sl_error err;
    sl_error_clear(&err);
    assert_int_equal(run_with(&out, op, attrs, in, n, &err), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(err.message, words));
    sl_value_clear(&out);
}

static void expect(struct sl_value got, const char *wanted) {
    struct sl_value w = value_of(wanted);
    char *a, *b;
    assert_int_equal(sl_view_summary(&a, sl_value_view(&got), -1, NULL), SL_OK);
    assert_int_equal(sl_view_summary(&b, sl_value_view(&w), -1, NULL), SL_OK);
    assert_string_equal(a, b);
    assert_true(sl_shape_equal(sl_view_shape(sl_value_view(&got)), sl_view_shape(sl_value_view(&w))));
    sl_free(a);
    sl_free(b);
    sl_value_clear(&w);
    sl_value_clear(&got);
}

#define V(text) value_of(text)
#define TYPE    "type type: DT_FLOAT"

/* [0 1 0; 2 0 3], its entries out of order. */
static struct sl_value matrix(void) {
    return RUN("SparseTensorToCSRSparseMatrix", "", V("int64[3,2] 1 2 0 1 1 0"), V("float[3] 3 1 2"),
               V("int64[2] 2 3"));
}
/* A batch of two, [0 2] and [3 0]. */
static struct sl_value batch(void) {
    return RUN("DenseToCSRSparseMatrix", "", V("float[2,1,2] 1 2 3 4"), V("int64[2,3] 0 0 1 1 0 0"));
}

static void matrices_there_and_back(void **state) {
    (void)state;
    expect(RUN("CSRSparseMatrixToDense", TYPE, matrix()), "float[2,3] 0 1 0 2 0 3");
    expect(RUN("CSRSparseMatrixToDense", TYPE, batch()), "float[2,1,2] 0 2 3 0");
    expect(RUN("CSRSparseMatrixToSparseTensor", TYPE, matrix()), "int64[3,2] 0 1 1 0 1 2");
    expect(RUN("CSRSparseMatrixToSparseTensor", TYPE, batch()), "int64[2,3] 0 0 1 1 0 0");
    expect(RUN("CSRSparseMatrixComponents", TYPE, matrix(), V("int32 0")), "int32[3] 0 1 3");
    expect(RUN("CSRSparseMatrixComponents", TYPE, batch(), V("int32 1")), "int32[2] 0 1");
}

static void matrices_multiply(void **state) {
    (void)state;
    expect(RUN("SparseMatrixMatMul", "", matrix(), V("float[3,2] 0 1 2 3 4 5")), "float[2,2] 2 3 12 17");
    expect(RUN("SparseMatrixMatMul", "transpose_output b: true", matrix(), V("float[3,2] 0 1 2 3 4 5")),
           "float[2,2] 2 12 3 17");
    expect(RUN("SparseMatrixMatMul", "transpose_a b: true", matrix(), V("float[2,2] 0 1 2 3")),
           "float[3,2] 4 6 0 1 6 9");
    expect(RUN("SparseMatrixMatMul", "transpose_b b: true", matrix(), V("float[2,3] 0 2 4 1 3 5")),
           "float[2,2] 2 3 12 17");
    expect(RUN("SparseMatrixMatMul", "", batch(), V("float[2,2,1] 5 6 7 8")), "float[2,1,1] 12 21");
    struct sl_value z =
        RUN("SparseTensorToCSRSparseMatrix", "", V("int64[1,2] 0 1"), V("complex64[1] 1,2"), V("int64[2] 1 2"));
    struct sl_value conj = RUN("Conj", "T type: DT_VARIANT", z);
    expect(RUN("CSRSparseMatrixToDense", "type type: DT_COMPLEX64", conj), "complex64[1,2] 0,0 1,-2");
}

/* A square matrix of all its elements. */
static struct sl_value square(const char *values) {
    return RUN("DenseToCSRSparseMatrix", "", V(values), V("int64[9,2] 0 0 0 1 0 2 1 0 1 1 1 2 2 0 2 1 2 2"));
}
/* Without what is 0: at (0, 1), (0, 2), (1, 0), (2, 0) and the diagonal. */
static struct sl_value arrow(void) {
    return RUN("SparseTensorToCSRSparseMatrix", "", V("int64[7,2] 0 0 0 1 0 2 1 0 1 1 2 0 2 2"),
               V("float[7] 4 1 1 1 4 1 4"), V("int64[2] 3 3"));
}

static void matrices_of_matrices(void **state) {
    (void)state;
    expect(RUN("SparseMatrixNNZ", "", matrix()), "int32 3");
    expect(RUN("SparseMatrixNNZ", "", batch()), "int32[2] 1 1");
    struct sl_value turned = RUN("SparseMatrixTranspose", TYPE, matrix());
    expect(RUN("CSRSparseMatrixToDense", TYPE, turned), "float[3,2] 0 2 1 0 0 3");
    turned = RUN("SparseMatrixTranspose", TYPE, batch());
    expect(RUN("CSRSparseMatrixToDense", TYPE, turned), "float[2,2,1] 0 2 3 0");
    struct sl_value product = RUN("SparseMatrixSparseMatMul", TYPE "; transpose_b b: true", matrix(), matrix());
    expect(RUN("CSRSparseMatrixToDense", TYPE, product), "float[2,2] 1 0 0 13");
    product = RUN("SparseMatrixSparseMatMul", TYPE "; adjoint_a b: true", matrix(), matrix());
    expect(RUN("CSRSparseMatrixComponents", TYPE, product, V("int32 0")), "int32[4] 0 2 3 5");
    product = RUN("SparseMatrixSparseMatMul", TYPE "; transpose_b b: true", batch(), batch());
    expect(RUN("CSRSparseMatrixToDense", TYPE, product), "float[2,1,1] 4 9");
}

/* Factors are of the permuted matrix, and only the lower half of what is given counts. */
static void matrices_have_factors(void **state) {
    (void)state;
    struct sl_value factor =
        RUN("SparseMatrixSparseCholesky", TYPE, square("float[3,3] 4 9 9 2 5 9 0 0 9"), V("int32[3] 2 0 1"));
    expect(RUN("CSRSparseMatrixToDense", TYPE, factor), "float[3,3] 3 0 0 0 2 0 0 1 2");
    factor = RUN("SparseMatrixSparseCholesky", TYPE, arrow(), V("int32[3] 1 2 0"));
    expect(RUN("CSRSparseMatrixComponents", TYPE, factor, V("int32 0")), "int32[4] 0 1 2 5");
    factor = RUN("SparseMatrixSparseCholesky", TYPE, arrow(), V("int32[3] 0 1 2")); /* it fills in */
    expect(RUN("CSRSparseMatrixComponents", TYPE, factor, V("int32 0")), "int32[4] 0 1 3 6");
    expect(RUN("SparseMatrixOrderingAMD", "", arrow()), "int32[3] 1 0 2");
    expect(RUN("SparseMatrixOrderingAMD", "", square("float[3,3] 1 1 1 1 1 1 1 1 1")), "int32[3] 0 1 2");
}

static void matrices_have_no_factors(void **state) {
    (void)state;
    REFUSED("factorization failed for batch index 0", "SparseMatrixSparseCholesky", TYPE,
            square("float[3,3] 1 0 0 2 1 0 0 0 1"), V("int32[3] 0 1 2"));
    REFUSED("permutation is not one: 1 at 2", "SparseMatrixSparseCholesky", TYPE, arrow(), V("int32[3] 0 1 1"));
    REFUSED("permutation is not one: 3 at 0", "SparseMatrixSparseCholesky", TYPE, arrow(), V("int32[3] 3 1 2"));
    REFUSED("a row for each matrix", "SparseMatrixSparseCholesky", TYPE, arrow(), V("int32[2] 0 1"));
    REFUSED("must be square", "SparseMatrixSparseCholesky", TYPE, matrix(), V("int32[2] 0 1"));
    REFUSED("must be square", "SparseMatrixOrderingAMD", "", matrix());
    REFUSED("Inner product dimensions", "SparseMatrixSparseMatMul", TYPE, matrix(), matrix());
    REFUSED("batch sizes of A and B", "SparseMatrixSparseMatMul", TYPE, matrix(), batch());
    REFUSED("is not equal", "SparseMatrixTranspose", "type type: DT_DOUBLE", matrix());
}

static void matrices_refuse(void **state) {
    (void)state;
    REFUSED("is out of bounds", "SparseTensorToCSRSparseMatrix", "", V("int64[1,2] 1 5"), V("float[1] 1"),
            V("int64[2] 2 3"));
    REFUSED("rank 2 or 3", "SparseTensorToCSRSparseMatrix", "", V("int64[1,1] 1"), V("float[1] 1"), V("int64[1] 2"));
    REFUSED("is not equal", "CSRSparseMatrixToDense", "type type: DT_DOUBLE", matrix());
    REFUSED("not in [0, 1)", "CSRSparseMatrixComponents", TYPE, matrix(), V("int32 1"));
    REFUSED("Inner dimensions", "SparseMatrixMatMul", "", matrix(), V("float[2,2] 1 2 3 4"));
    struct sl_value ragged =
        RUN("RaggedTensorToVariant", "RAGGED_RANK i: 1; batched_input b: false", V("int64[2] 0 1"), V("float[1] 1"));
    REFUSED("Unable to retrieve", "CSRSparseMatrixToDense", TYPE, ragged);
}

#define RAGGED(rank, batched) "RAGGED_RANK i: " rank "; batched_input b: " batched
#define BACK(in, out)         "input_ragged_rank i: " in "; output_ragged_rank i: " out "; Tvalues type: DT_FLOAT"

static void ragged_there_and_back(void **state) {
    (void)state;
    struct sl_value whole =
        RUN("RaggedTensorToVariant", RAGGED("1", "false"), V("int64[4] 0 2 2 3"), V("float[3] 1 2 3"));
    expect(RUN("RaggedTensorFromVariant", BACK("1", "1"), whole), "int64[4] 0 2 2 3");
    struct sl_value rows =
        RUN("RaggedTensorToVariant", RAGGED("1", "true"), V("int64[4] 0 2 2 3"), V("float[3] 1 2 3"));
    assert_int_equal(sl_value_view(&rows).count, 3);
    expect(RUN("RaggedTensorFromVariant", BACK("-1", "1"), rows), "int64[4] 0 2 2 3");
    struct sl_value dense = RUN("RaggedTensorToVariant", RAGGED("0", "true"), V("float[2,2] 1 2 3 4"));
    expect(RUN("RaggedTensorFromVariant", BACK("0", "0"), dense), "float[2,2] 1 2 3 4");
}

static void ragged_rows_as_gradients(void **state) {
    (void)state;
#define GRADIENT "Tvalues type: DT_FLOAT"
    struct sl_value rows =
        RUN("RaggedTensorToVariant", RAGGED("1", "true"), V("int64[4] 0 2 2 3"), V("float[3] 1 2 3"));
    expect(RUN("RaggedTensorToVariantGradient", GRADIENT, rows, V("int64[4] 0 2 2 3"), V("int32[1] 3")),
           "float[3] 1 2 3");
    struct sl_value whole =
        RUN("RaggedTensorToVariant", RAGGED("1", "false"), V("int64[4] 0 2 2 3"), V("float[3] 1 2 3"));
    struct sl_value zeros = RUN("ZerosLike", "", whole);
    expect(RUN("RaggedTensorToVariantGradient", GRADIENT, zeros, V("int64[4] 0 2 2 3"), V("int32[1] 3")),
           "float[3] 0 0 0");
    whole = RUN("RaggedTensorToVariant", RAGGED("1", "false"), V("int64[4] 0 2 2 3"), V("float[3] 1 2 3"));
    struct sl_value more =
        RUN("RaggedTensorToVariant", RAGGED("1", "false"), V("int64[4] 0 2 2 3"), V("float[3] 4 5 6"));
    struct sl_value sum = RUN("AddN", "N i: 2", whole, more);
    expect(RUN("RaggedTensorToVariantGradient", GRADIENT, sum, V("int64[4] 0 2 2 3"), V("int32[2] 3 1")),
           "float[3,1] 5 7 9");
    whole = RUN("RaggedTensorToVariant", RAGGED("0", "false"), V("float[2] 4 5")); /* without splits */
    expect(RUN("RaggedTensorToVariantGradient", GRADIENT, whole, V("int32[] 0"), V("int32[1] 2")), "float[2] 4 5");
    rows = RUN("RaggedTensorToVariant", RAGGED("1", "true"), V("int64[4] 0 2 2 3"), V("float[3] 1 2 3"));
    REFUSED("must be rank 1 but is rank 0", "RaggedTensorToVariantGradient", GRADIENT, rows, V("int32[] 0"),
            V("int32[1] 2"));
    rows = RUN("RaggedTensorToVariant", RAGGED("1", "true"), V("int64[4] 0 2 2 3"), V("float[3] 1 2 3"));
    REFUSED("more values than dense_values_shape", "RaggedTensorToVariantGradient", GRADIENT, rows,
            V("int64[4] 0 2 2 3"), V("int32[1] 2"));
}

static void ragged_refuses(void **state) {
    (void)state;
    REFUSED("ragged_splits[2]=1 is smaller than row_splits[1]=2", "RaggedTensorToVariant", RAGGED("1", "false"),
            V("int64[3] 0 2 1"), V("float[2] 1 2"));
    REFUSED("must be the number of ragged values(2) but is 9", "RaggedTensorToVariant", RAGGED("1", "true"),
            V("int64[2] 0 9"), V("float[2] 1 2"));
    REFUSED("doesn't hold", "RaggedTensorFromVariant", BACK("0", "0"), matrix());
    struct sl_value whole = RUN("RaggedTensorToVariant", RAGGED("1", "false"), V("int64[2] 0 1"), V("float[1] 1"));
    REFUSED("ragged_rank=1", "RaggedTensorFromVariant", BACK("0", "0"), whole);
}

static void sparse_tensors_packed_as_variants(void **state) {
    (void)state;
    struct sl_value packed = RUN("SerializeSparse", "out_type type: DT_VARIANT", V("int64[2,2] 0 1 1 0"),
                                 V("float[2] 5 6"), V("int64[2] 2 2"));
    expect(RUN("DeserializeSparse", "dtype type: DT_FLOAT; Tserialized type: DT_VARIANT", packed),
           "int64[2,2] 0 1 1 0");
}

/* Each row of a batch, and a tensor alone, get numbers; taken together again they are a batch, and gone from the
 * map. */
static void sparse_tensors_kept_by_number(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_value outs[3], numbers = V("int64[2] 2 0");
    expect(RUN("AddManySparseToTensorsMap", "shared_name s: 'm'", V("int64[3,2] 0 1 1 0 1 2"), V("float[3] 5 6 7"),
               V("int64[2] 2 3")),
           "int64[2] 0 1");
    expect(RUN("AddSparseToTensorsMap", "shared_name s: 'm'", V("int64[1,1] 2"), V("float[1] 8"), V("int64[1] 4")),
           "int64 2");
    assert_ok(err, run_kernel_for_all(outs, 3, "TakeManySparseFromTensorsMap",
                                      "dtype type: DT_FLOAT; shared_name s: 'm'", &numbers, 1, &err));
    expect(outs[0], "int64[2,2] 0 2 1 1");
    expect(outs[1], "float[2] 8 5");
    expect(outs[2], "int64[2] 2 4");
    REFUSED("Unable to find SparseTensor: 2 in map", "TakeManySparseFromTensorsMap",
            "dtype type: DT_FLOAT; shared_name s: 'm'", numbers);
    REFUSED("has 0 rows", "TakeManySparseFromTensorsMap", "dtype type: DT_FLOAT; shared_name s: 'm'", V("int64[0]"));
    REFUSED("", "TakeManySparseFromTensorsMap", "dtype type: DT_INT32; shared_name s: 'm'", V("int64[1] 1"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_there_and_back),
        cmocka_unit_test(matrices_multiply),
        cmocka_unit_test(matrices_of_matrices),
        cmocka_unit_test(matrices_have_factors),
        cmocka_unit_test(matrices_have_no_factors),
        cmocka_unit_test(matrices_refuse),
        cmocka_unit_test(ragged_there_and_back),
        cmocka_unit_test(ragged_rows_as_gradients),
        cmocka_unit_test(ragged_refuses),
        cmocka_unit_test(sparse_tensors_packed_as_variants),
        cmocka_unit_test(sparse_tensors_kept_by_number),
    };
    return cmocka_run_group_tests(tests, kernels_setup, kernels_teardown);
}
