/* Shape inference along several nodes: what resources and variants stand for goes with them. Rows as in shape_row.h;
 * wanted shapes were recorded from TensorFlow 2.21. */
#include "unit/ops/shape_row.h"

static void variables_know_what_they_hold(void **state) {
    shape_rows_hold(
        *state, "v = VarHandleOp | dtype type: DT_FLOAT; shape shape { dim { size: 2 } dim { size: -1 } } | -> []",
        "i = Identity | T type: DT_RESOURCE | v -> []", "ReadVariableOp | dtype type: DT_FLOAT | i -> [2,?]",
        "ReadVariableOp | dtype type: DT_INT32 | v -> ! Trying to read variable with wrong dtype. Expected float "
        "got int32",
        "AssignVariableOp | dtype type: DT_FLOAT | v [2,4] ->",
        "AssignVariableOp | dtype type: DT_FLOAT | v [3,4] -> ! Dimension 0 in both shapes must be equal",
        "VariableShape |  | v -> [2]",
        "ResourceGather | dtype type: DT_FLOAT; Tindices type: DT_INT32 | v [5,6] -> [5,6,?]",
        "ResourceGatherNd | dtype type: DT_FLOAT; Tindices type: DT_INT32 | v [7,2] -> [7]",
        "ResourceScatterAdd | dtype type: DT_FLOAT; Tindices type: DT_INT32 | v [5] [] ->",
        "ResourceScatterAdd | dtype type: DT_FLOAT; Tindices type: DT_INT32 | v [5] [4,3] -> ! must be equal",
        "ResourceApplyGradientDescent | T type: DT_FLOAT | v [] [2,9] ->",
        "ResourceApplyGradientDescent | T type: DT_FLOAT | v [] [3,9] -> ! must be equal");
}

static void lists_know_their_elements(void **state) {
    shape_rows_hold(
        *state,
        "l = TensorListReserve | element_dtype type: DT_FLOAT; shape_type type: DT_INT32 | int32[2]{2,-1} [] -> []",
        "TensorListPopBack | element_dtype type: DT_FLOAT | l int32[]{-1} -> [] [2,?]",
        "TensorListGetItem | element_dtype type: DT_FLOAT | l [] int32[2]{-1,4} -> [2,4]",
        "TensorListGetItem | element_dtype type: DT_INT32 | l [] int32[]{-1} -> ! wrong element dtype",
        "TensorListStack | element_dtype type: DT_FLOAT; num_elements i: 5 | l int32[]{-1} -> [5,2,?]",
        "TensorListGather | element_dtype type: DT_FLOAT | l [6] int32[]{-1} -> [6,2,?]",
        "TensorListConcat | element_dtype type: DT_FLOAT | l -> [?,?] [?]",
        "TensorListElementShape | shape_type type: DT_INT32 | l -> [2]",
        "TensorListSetItem | element_dtype type: DT_FLOAT | l [] [3] -> ! must be equal rank",
        "p = TensorListPushBack | element_dtype type: DT_FLOAT | l [2,7] -> []",
        "TensorListPopBack | element_dtype type: DT_FLOAT | p int32[]{-1} -> [] [2,?]",
        "s = Switch | T type: DT_VARIANT | l [] -> [] []",
        "TensorListElementShape | shape_type type: DT_INT32 | s:1 -> [2]",
        "m = Merge | T type: DT_VARIANT; N i: 2 | s s:1 -> [] []",
        "TensorListPopBack | element_dtype type: DT_FLOAT | m int32[]{-1} -> [] ?",
        "e = Enter | T type: DT_VARIANT; frame_name s: 'f' | l -> ?",
        "TensorListElementShape | shape_type type: DT_INT32 | e -> [2]",
        "o = TensorListReserve | element_dtype type: DT_FLOAT; shape_type type: DT_INT32 | int32[2]{2,5} [] -> []",
        "a = AddN | T type: DT_VARIANT; N i: 2 | l o -> []",
        "TensorListPopBack | element_dtype type: DT_FLOAT | a int32[]{-1} -> [] [2,5]",
        "f = TensorListFromTensor | element_dtype type: DT_FLOAT; shape_type type: DT_INT32 | [5,2,3] int32[2]{2,-1} "
        "-> []",
        "TensorListPopBack | element_dtype type: DT_FLOAT | f int32[]{-1} -> [] [2,?]",
        "TensorListFromTensor | element_dtype type: DT_FLOAT; shape_type type: DT_INT32 | [5,2,3] int32[1]{4} -> ! "
        "equal rank");
}

static void tensor_arrays_know_their_elements(void **state) {
    shape_rows_hold(*state,
                    "t = TensorArrayV3 | dtype type: DT_FLOAT; element_shape shape { dim { size: 2 } dim { size: 3 } } "
                    "| [] -> [2] []",
                    "TensorArrayReadV3 | dtype type: DT_FLOAT | t [] t:1 -> [2,3]",
                    "TensorArrayWriteV3 | T type: DT_FLOAT | t [] [2,4] t:1 -> ! must be equal",
                    "TensorArrayGatherV3 | dtype type: DT_FLOAT | t [5] t:1 -> [5,2,3]",
                    "TensorArrayScatterV3 | T type: DT_FLOAT | t [5] [5,2,3] t:1 -> []",
                    "g = TensorArrayGradV3 | source s: 'x' | t t:1 -> [2] []",
                    "TensorArrayReadV3 | dtype type: DT_FLOAT | g [] g:1 -> [2,3]",
                    "w = TensorArrayGradWithShape | source s: 'x' | t t:1 int32[1]{4} -> [2] []",
                    "TensorArrayReadV3 | dtype type: DT_FLOAT | w [] w:1 -> [?,2,3]",
                    "u = TensorArrayV3 | dtype type: DT_FLOAT; element_shape shape { dim { size: -1 } } | [] -> [2] []",
                    "TensorArrayReadV3 | dtype type: DT_FLOAT | u [] u:1 -> ?",
                    "k = TensorArrayV3 | dtype type: DT_FLOAT; element_shape shape { dim { size: -1 } }; "
                    "identical_element_shapes b: true | [] "
                    "-> [2] []",
                    "TensorArrayReadV3 | dtype type: DT_FLOAT | k [] k:1 -> [?]");
}

static void tables_know_keys_and_values(void **state) {
    shape_rows_hold(
        *state,
        "t = MutableHashTableOfTensorsV2 | key_dtype type: DT_INT64; value_dtype type: DT_FLOAT; value_shape shape { "
        "dim "
        "{ size: 5 } } | -> []",
        "LookupTableFindV2 | Tin type: DT_INT64; Tout type: DT_FLOAT | t [3,2] [5] -> [3,2,5]",
        "LookupTableFindV2 | Tin type: DT_INT64; Tout type: DT_INT32 | t [3,2] [5] -> ! wrong dtype",
        "d = MutableDenseHashTableV2 | key_dtype type: DT_INT64; value_dtype type: DT_FLOAT | [2] [2] -> []",
        "LookupTableFindV2 | Tin type: DT_INT64; Tout type: DT_FLOAT | d [3,2] [] -> [3]",
        "LookupTableFindV2 | Tin type: DT_INT64; Tout type: DT_FLOAT | d [3,4] [] -> ! must be equal");
}

static void sparse_matrices_know_their_dense_shape(void **state) {
    shape_rows_hold(
        *state, "m = DenseToCSRSparseMatrix | T type: DT_FLOAT | [2,3] [5,2] -> []",
        "CSRSparseMatrixToDense | type type: DT_FLOAT | m -> [2,3]",
        "CSRSparseMatrixComponents | type type: DT_FLOAT | m [] -> [3] [?] [?]",
        "CSRSparseMatrixToSparseTensor | type type: DT_FLOAT | m -> [?,2] [?] [2]",
        "SparseMatrixMatMul | T type: DT_FLOAT | m [3,7] -> [2,7]",
        "SparseMatrixMatMul | T type: DT_FLOAT; transpose_output b: true | m [3,7] -> [7,2]",
        "SparseMatrixMatMul | T type: DT_FLOAT; transpose_a b: true | m [3,7] -> ! Dimensions must be equal",
        "CSRSparseMatrixToDense | type type: DT_FLOAT | [] -> ! Unable to access shape and type info");
    shape_rows_hold(*state, "m = DenseToCSRSparseMatrix | T type: DT_FLOAT | [2,3] [5,2] -> []",
                    "s = SparseMatrixSparseMatMul | type type: DT_FLOAT; transpose_b b: true | m m -> []",
                    "b = DenseToCSRSparseMatrix | T type: DT_FLOAT | [7,2,3] [5,3] -> []",
                    "CSRSparseMatrixToDense | type type: DT_FLOAT | s -> [2,2]",
                    "t = SparseMatrixTranspose | type type: DT_FLOAT | m -> []",
                    "CSRSparseMatrixToDense | type type: DT_FLOAT | t -> [3,2]",
                    "u = SparseMatrixTranspose | type type: DT_FLOAT | b -> []",
                    "CSRSparseMatrixToDense | type type: DT_FLOAT | u -> [7,3,2]",
                    "p = SparseMatrixOrderingAMD |  | s -> [2]",
                    "f = SparseMatrixSparseCholesky | type type: DT_FLOAT | s [2] -> []",
                    "CSRSparseMatrixToDense | type type: DT_FLOAT | f -> [2,2]",
                    "n = SparseMatrixMul | T type: DT_FLOAT | f [] -> []",
                    "a = SparseMatrixAdd | T type: DT_FLOAT | n f [] [] -> []",
                    "x = SparseMatrixSoftmax | type type: DT_FLOAT | a -> []",
                    "CSRSparseMatrixToDense | type type: DT_FLOAT | x -> [2,2]", "SparseMatrixNNZ |  | m -> []",
                    "SparseMatrixNNZ |  | b -> [7]", "SparseMatrixMul | T type: DT_FLOAT | b [7,1,1] -> []",
                    "SparseMatrixMul | T type: DT_FLOAT | b [6,1,1] -> ! must be equal",
                    "SparseMatrixOrderingAMD |  | m -> ! must be equal",
                    "SparseMatrixSparseCholesky | type type: DT_FLOAT | s [3] -> ! must be equal",
                    "SparseMatrixSparseMatMul | type type: DT_FLOAT | m m -> ! must be equal",
                    "SparseMatrixAdd | T type: DT_FLOAT | m s [] [] -> ! must be equal",
                    "SparseMatrixZeros | type type: DT_FLOAT | [1] -> ! Expected a known rank of either 2 or 3");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(variables_know_what_they_hold, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(lists_know_their_elements, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(tensor_arrays_know_their_elements, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(tables_know_keys_and_values, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(sparse_matrices_know_their_dense_shape, ops_setup, ops_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
