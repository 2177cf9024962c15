/* TF_CheckpointReader: both versions of checkpoints say the same; what is not there or damaged is told. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tensorflow/c/c_api_experimental.h"
#include "tensorflow/c/tf_tstring.h"
#include "unit/capi/capi_fixture.h"

#define DATA SL_TEST_DATA "/ckpt/"

static void tensors_are_listed_and_read(void **state) {
    struct fixture *f = *state;
    static const char *const files[] = {DATA "types", DATA "types.v1"};
    static const char *const names[] = {"bool",  "complex", "double", "empty", "float", "half",
                                        "int32", "int64",   "int8",   "text",  "uint16"};
    const int n = (int)(sizeof names / sizeof *names);
    for (int v = 0; v < 2; v++) {
        TF_CheckpointReader *r = TF_NewCheckpointReader(files[v], f->status);
        assert_status_ok(f->status);
        assert_int_equal(TF_CheckpointReaderSize(r), n);
        for (int i = 0; i < n; i++) {
            assert_string_equal(TF_CheckpointReaderGetVariable(r, i), names[i]);
            assert_int_equal(TF_CheckpointReaderHasTensor(r, names[i]), 1);
            TF_Tensor *t = TF_CheckpointReaderGetTensor(r, names[i], f->status);
            assert_status_ok(f->status);
            assert_int_equal(TF_TensorType(t), TF_CheckpointReaderGetVariableDataType(r, names[i]));
            assert_int_equal(TF_NumDims(t), TF_CheckpointReaderGetVariableNumDims(r, names[i]));
            TF_DeleteTensor(t);
        }
        TF_Tensor *t = TF_CheckpointReaderGetTensor(r, "float", f->status);
        assert_memory_equal(TF_TensorData(t), ((float[]){1, -2, 0.5F, 3, 4, 5}), 24);
        TF_DeleteTensor(t);
        t = TF_CheckpointReaderGetTensor(r, "text", f->status);
        assert_string_equal(TF_TString_GetDataPointer((TF_TString *)TF_TensorData(t)), "abc");
        TF_DeleteTensor(t);
        TF_DeleteCheckpointReader(r);
    }
}

static void shapes_are_told_to_who_knows_the_rank(void **state) {
    struct fixture *f = *state;
    int64_t dims[3] = {-7, -7, -7};
    TF_CheckpointReader *r = TF_NewCheckpointReader(DATA "types", f->status);
    TF_CheckpointReaderGetVariableShape(r, "float", dims, 3, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Expected rank is 3 but actual rank is 2");
    assert_int_equal(dims[0], -7);
    TF_CheckpointReaderGetVariableShape(r, "float", dims, 2, f->status);
    assert_status_ok(f->status);
    assert_memory_equal(dims, ((int64_t[]){2, 3, -7}), sizeof dims);
    TF_CheckpointReaderGetVariableShape(r, "int64", NULL, 0, f->status);
    assert_status_ok(f->status);
    TF_DeleteCheckpointReader(r);
}

static void slices_are_put_together(void **state) {
    struct fixture *f = *state;
    static const char *const files[] = {DATA "parts", DATA "parts.v1"};
    for (int v = 0; v < 2; v++) {
        int64_t dims[2];
        TF_CheckpointReader *r = TF_NewCheckpointReader(files[v], f->status);
        assert_int_equal(TF_CheckpointReaderSize(r), 1);
        TF_CheckpointReaderGetVariableShape(r, "p", dims, 2, f->status);
        assert_memory_equal(dims, ((int64_t[]){4, 6}), sizeof dims);
        TF_Tensor *t = TF_CheckpointReaderGetTensor(r, "p", f->status);
        assert_status_ok(f->status);
        for (int i = 0; i < 24; i++) assert_float_equal(((float *)TF_TensorData(t))[i], i, 0);
        TF_DeleteTensor(t);
        TF_DeleteCheckpointReader(r);
    }
}

/* Names that are not there crash the original where there is no status. */
static void unknown_names_are_told(void **state) {
    struct fixture *f = *state;
    static const char *const files[] = {DATA "types", DATA "types.v1"};
    static const char *const texts[] = {"Key nope not found in checkpoint", "nope not found in checkpoint file"};
    for (int v = 0; v < 2; v++) {
        int64_t dim;
        TF_CheckpointReader *r = TF_NewCheckpointReader(files[v], f->status);
        assert_int_equal(TF_CheckpointReaderHasTensor(r, "nope"), 0);
        assert_int_equal(TF_CheckpointReaderHasTensor(r, ""), 0);
        assert_null(TF_CheckpointReaderGetTensor(r, "nope", f->status));
        assert_status(f->status, TF_NOT_FOUND, texts[v]);
        TF_CheckpointReaderGetVariableShape(r, "nope", &dim, 1, f->status);
        assert_status(f->status, TF_NOT_FOUND, texts[v]);
        assert_int_equal(TF_CheckpointReaderGetVariableDataType(r, "nope"), 0);
        assert_int_equal(TF_CheckpointReaderGetVariableNumDims(r, "nope"), -1);
        assert_null(TF_CheckpointReaderGetVariable(r, -1));
        assert_null(TF_CheckpointReaderGetVariable(r, 11));
        TF_DeleteCheckpointReader(r);
    }
}

static void write_file(const char *path, const char *bytes, size_t n) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

static void files_that_are_none_are_told(void **state) {
    struct fixture *f = *state;
    static const char rubbish[300] = "rubbish";
    char folder[] = "/tmp/sluice-checkpoint-XXXXXX", prefix[64], path[80];
    assert_non_null(mkdtemp(folder));
    snprintf(prefix, sizeof prefix, "%s/bad", folder);
    assert_null(TF_NewCheckpointReader(prefix, f->status));
    assert_status(f->status, TF_NOT_FOUND,
                  "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for");
    write_file(prefix, rubbish, sizeof rubbish);
    assert_null(TF_NewCheckpointReader(prefix, f->status));
    assert_status(f->status, TF_DATA_LOSS, "");
    snprintf(path, sizeof path, "%s.index", prefix);
    write_file(path, rubbish, sizeof rubbish);
    assert_null(TF_NewCheckpointReader(prefix, f->status));
    assert_status(f->status, TF_DATA_LOSS, "");
    unlink(path);
    unlink(prefix);
    rmdir(folder);
    TF_DeleteCheckpointReader(NULL);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(tensors_are_listed_and_read), TEST(shapes_are_told_to_who_knows_the_rank), TEST(slices_are_put_together),
        TEST(unknown_names_are_told),      TEST(files_that_are_none_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
