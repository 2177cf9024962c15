/* Tensors by DLPack, both ways and without a copy; what has no place there. The structs are those of dlpack.h, written
 * down a second time. */
#include <stdlib.h>

#include "tensorflow/c/eager/c_api_experimental.h"
#include "tensorflow/c/eager/dlpack.h"
#include "unit/capi/capi_fixture.h"

typedef struct {
    int32_t type, id;
} device;
typedef struct managed {
    void *data;
    device device;
    int32_t ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
    void *manager;
    void (*deleter)(struct managed *);
} managed;

static TFE_Context *new_context(TF_Status *s) {
    TFE_ContextOptions *options = TFE_NewContextOptions();
    TFE_Context *c = TFE_NewContext(options, s);
    TFE_DeleteContextOptions(options);
    assert_status_ok(s);
    return c;
}

static TFE_TensorHandle *handle_of(TF_Status *s, TF_DataType type, const int64_t *dims, int rank, size_t bytes,
                                   void **data) {
    TF_Tensor *t = TF_AllocateTensor(type, dims, rank, bytes);
    memset(TF_TensorData(t), 0, bytes);
    if (data) *data = TF_TensorData(t);
    TFE_TensorHandle *h = TFE_NewTensorHandle(t, s);
    assert_status_ok(s);
    TF_DeleteTensor(t);
    return h;
}

static int n_deleted;
static void count_deleted(managed *m) {
    (void)m;
    n_deleted++;
}

/* ---- out */

static void a_handle_goes_out(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    const int64_t dims[] = {2, 3, 4};
    void *data;
    TFE_TensorHandle *h = handle_of(s, TF_INT16, dims, 3, 48, &data);
    managed *m = TFE_HandleToDLPack(h, s);
    assert_status_ok(s);
    assert_ptr_equal(m->data, data);
    assert_true(m->device.type == 1 && m->device.id == 0 && m->ndim == 3 && m->byte_offset == 0);
    assert_true(m->code == 0 && m->bits == 16 && m->lanes == 1);
    assert_memory_equal(m->shape, dims, sizeof dims);
    assert_memory_equal(m->strides, ((int64_t[]){12, 4, 1}), sizeof dims);
    device *d = TFE_GetDLDevice(h, s);
    assert_true(d && d->type == 1 && d->id == 0);
    free(d);
    TFE_DeleteTensorHandle(h);
    ((int16_t *)m->data)[23] = 7; /* the elements outlive the handle */
    m->deleter(m);
}

static void types_have_their_codes(void **state) {
    static const struct {
        TF_DataType type;
        uint8_t code, bits;
    } rows[] = {{TF_BOOL, 6, 8},       {TF_INT8, 0, 8},        {TF_UINT8, 1, 8},   {TF_UINT16, 1, 16},
                {TF_INT32, 0, 32},     {TF_UINT32, 1, 32},     {TF_INT64, 0, 64},  {TF_UINT64, 1, 64},
                {TF_HALF, 2, 16},      {TF_FLOAT, 2, 32},      {TF_DOUBLE, 2, 64}, {TF_BFLOAT16, 4, 16},
                {TF_COMPLEX64, 5, 64}, {TF_COMPLEX128, 5, 128}};
    TF_Status *s = ((struct fixture *)*state)->status;
    TFE_Context *c = new_context(s);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TFE_TensorHandle *h = handle_of(s, rows[i].type, NULL, 0, rows[i].bits / 8, NULL);
        managed *m = TFE_HandleToDLPack(h, s);
        assert_status_ok(s);
        assert_true(m->code == rows[i].code && m->bits == rows[i].bits && m->ndim == 0);
        TFE_TensorHandle *back = TFE_HandleFromDLPack(m, s, c);
        assert_status_ok(s);
        assert_int_equal(TFE_TensorHandleDataType(back), rows[i].type);
        TFE_DeleteTensorHandle(h);
        TFE_DeleteTensorHandle(back);
    }
    TFE_TensorHandle *text = handle_of(s, TF_STRING, NULL, 0, sizeof(TF_TString), NULL);
    assert_null(TFE_HandleToDLPack(text, s));
    assert_status(s, TF_INVALID_ARGUMENT, "string");
    assert_null(TFE_HandleToDLPack(NULL, s));
    assert_status(s, TF_INVALID_ARGUMENT, "Invalid handle");
    assert_null(TFE_GetDLDevice(NULL, s));
    assert_status(s, TF_INVALID_ARGUMENT, "Invalid handle");
    TFE_DeleteTensorHandle(text);
    TFE_DeleteContext(c);
}

/* ---- in */

static void a_tensor_comes_in(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TFE_Context *c = new_context(s);
    float elements[6] = {1, 2, 3, 4, 5, 6};
    int64_t shape[] = {1, 2, 3}, strides[] = {99, 3, 1}; /* a dimension of one may have any stride */
    managed m = {elements, {1, 0}, 3, 2, 32, 1, shape, strides, 0, NULL, count_deleted};
    n_deleted = 0;
    TFE_TensorHandle *h = TFE_HandleFromDLPack(&m, s, c), *out;
    assert_status_ok(s);
    assert_ptr_equal(TFE_TensorHandleDevicePointer(h, s), elements);
    int n = 1;
    TFE_Op *op = TFE_NewOp(c, "Neg", s);
    TFE_OpAddInput(op, h, s);
    TFE_DeleteTensorHandle(h); /* the op has the last reference, and may not write into foreign elements all the same */
    TFE_Execute(op, &out, &n, s);
    assert_status_ok(s);
    TFE_DeleteOp(op);
    assert_int_equal(n_deleted, 1);
    assert_true(elements[5] == 6);
    assert_true(((float *)TFE_TensorHandleDevicePointer(out, s))[5] == -6);
    TFE_DeleteTensorHandle(out);
    TFE_DeleteContext(c);
}

static void refused(TF_Status *s, TFE_Context *c, managed *m, const char *words) {
    n_deleted = 0;
    assert_null(TFE_HandleFromDLPack(m, s, c));
    assert_status(s, TF_INVALID_ARGUMENT, words);
    assert_int_equal(n_deleted, 0); /* it stays the caller's */
}

static void what_is_odd_is_refused(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TFE_Context *c = new_context(s);
    float elements[6] = {0};
    int64_t shape[] = {2, 3}, row_major[] = {3, 1}, columns[] = {1, 2}, wrong[] = {-2, 3};
    const managed good = {elements, {1, 0}, 2, 2, 32, 1, shape, row_major, 0, NULL, count_deleted};
    managed m = good;
    m.device.type = 2;
    refused(s, c, &m, "Unsupported Device Type");
    m = good, m.byte_offset = 4;
    refused(s, c, &m, "byte_offset");
    m = good, m.strides = columns;
    refused(s, c, &m, "Invalid strides array");
    m = good, m.lanes = 2;
    refused(s, c, &m, "Unsupported type");
    m = good, m.bits = 24;
    refused(s, c, &m, "Unsupported type");
    m = good, m.ndim = -1;
    refused(s, c, &m, "rank -1");
    m = good, m.shape = NULL;
    refused(s, c, &m, "rank 2");
    m = good, m.shape = wrong, m.strides = NULL;
    refused(s, c, &m, "");
    m = good, m.data = (char *)elements + 1;
    refused(s, c, &m, "not aligned");
    m = good, m.data = NULL;
    refused(s, c, &m, "not there");
    refused(s, c, NULL, "no DLManagedTensor");
    TFE_CallDLManagedTensorDeleter(NULL);
    m = good, m.strides = NULL;
    TFE_DeleteTensorHandle(TFE_HandleFromDLPack(&m, s, c));
    assert_status_ok(s);
    assert_int_equal(n_deleted, 1);
    TFE_CallDLManagedTensorDeleter(&m);
    assert_int_equal(n_deleted, 2);
    TFE_DeleteContext(c);
}

static void an_empty_tensor_has_no_elements(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TFE_Context *c = new_context(s);
    int64_t shape[] = {0, 4}, strides[] = {7, 7};
    managed m = {NULL, {1, 0}, 2, 2, 32, 1, shape, strides, 0, NULL, NULL};
    TFE_TensorHandle *h = TFE_HandleFromDLPack(&m, s, c);
    assert_status_ok(s);
    assert_int_equal(TFE_TensorHandleNumElements(h, s), 0);
    managed *back = TFE_HandleToDLPack(h, s);
    assert_status_ok(s);
    TFE_CallDLManagedTensorDeleter(back);
    TFE_DeleteTensorHandle(h);
    TFE_DeleteContext(c);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_handle_goes_out),      TEST(types_have_their_codes),          TEST(a_tensor_comes_in),
        TEST(what_is_odd_is_refused), TEST(an_empty_tensor_has_no_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
