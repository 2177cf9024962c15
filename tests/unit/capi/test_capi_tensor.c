/* Tensors: memory and its owners, alignment, shapes, sharing. */
#include <stdlib.h>

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/tf_tstring.h"
#include "unit/capi/capi_fixture.h"

static int freed;
static void note_freed(void *data, size_t len, void *arg) {
    (void)len;
    freed++;
    if (arg) free(data);
}

static void types_have_sizes(void **state) {
    (void)state;
    static const struct {
        TF_DataType type;
        size_t bytes;
    } rows[] = {{TF_FLOAT, 4},    {TF_DOUBLE, 8},      {TF_INT32, 4},   {TF_UINT8, 1},       {TF_INT16, 2},
                {TF_INT8, 1},     {TF_COMPLEX64, 8},   {TF_INT64, 8},   {TF_BOOL, 1},        {TF_QINT32, 4},
                {TF_BFLOAT16, 2}, {TF_COMPLEX128, 16}, {TF_HALF, 2},    {TF_UINT64, 8},      {TF_INT4, 1},
                {TF_STRING, 0},   {TF_RESOURCE, 0},    {TF_VARIANT, 0}, {(TF_DataType)0, 0}, {(TF_DataType)99, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(TF_DataTypeSize(rows[i].type), rows[i].bytes);
}

static void aligned_memory_is_wrapped(void **state) {
    (void)state;
    const int64_t dims[2] = {2, 3};
    float *data = aligned_alloc(64, 64);
    freed = 0;
    TF_Tensor *t = TF_NewTensor(TF_FLOAT, dims, 2, data, 24, note_freed, data);
    assert_non_null(t);
    assert_ptr_equal(TF_TensorData(t), data);
    assert_int_equal(TF_TensorType(t), TF_FLOAT);
    assert_int_equal(TF_NumDims(t), 2);
    assert_int_equal(TF_Dim(t, 0), 2);
    assert_int_equal(TF_Dim(t, 1), 3);
    assert_int_equal(TF_TensorByteSize(t), 24);
    assert_int_equal(TF_TensorElementCount(t), 6);
    assert_true(TF_TensorIsAligned(t));
    assert_int_equal(freed, 0);
    TF_DeleteTensor(t);
    assert_int_equal(freed, 1);
}

static void unaligned_memory_is_copied(void **state) {
    (void)state;
    const int64_t dims[1] = {4};
    float *block = aligned_alloc(64, 128), *data = block + 1;
    for (int i = 0; i < 4; i++) data[i] = (float)i;
    freed = 0;
    TF_Tensor *t = TF_NewTensor(TF_FLOAT, dims, 1, data, 16, note_freed, NULL);
    assert_int_equal(freed, 1);
    assert_ptr_not_equal(TF_TensorData(t), data);
    assert_true(TF_TensorIsAligned(t));
    data[3] = -1;
    assert_float_equal(((float *)TF_TensorData(t))[3], 3, 0);
    TF_DeleteTensor(t);
    assert_int_equal(freed, 1);
    free(block);
}

static void memory_that_does_not_fit_is_refused(void **state) {
    (void)state;
    const int64_t dims[1] = {4}, negative[1] = {-1}, huge[2] = {INT64_MAX, INT64_MAX};
    float *data = aligned_alloc(64, 128);
    freed = 0;
    assert_null(TF_NewTensor(TF_FLOAT, NULL, 0, NULL, 0, note_freed, NULL)); /* a scalar without bytes */
    assert_null(TF_NewTensor(TF_FLOAT, dims, 1, data, 15, note_freed, NULL));
    assert_null(TF_NewTensor(TF_FLOAT, negative, 1, data, 16, note_freed, NULL));
    assert_null(TF_NewTensor(TF_FLOAT, huge, 2, data, 16, note_freed, NULL));
    assert_null(TF_NewTensor(TF_FLOAT, dims, 1, NULL, 16, note_freed, NULL));  /* bytes that are nowhere */
    assert_null(TF_NewTensor(TF_FLOAT, NULL, 1, data, 16, note_freed, NULL));  /* dims that are nowhere */
    assert_null(TF_NewTensor(TF_FLOAT, dims, -1, data, 16, note_freed, NULL)); /* an unknown rank */
    assert_null(TF_NewTensor((TF_DataType)99, dims, 1, data, 16, note_freed, NULL));
    /* objects of the library are no bytes of the caller's */
    assert_null(TF_NewTensor(TF_RESOURCE, dims, 1, data, 128, note_freed, NULL));
    assert_null(TF_NewTensor(TF_VARIANT, dims, 1, data, 128, note_freed, NULL));
    assert_int_equal(freed, 10); /* refused or not, the memory is the library's to give back */
    assert_null(TF_AllocateTensor(TF_FLOAT, huge, 2, 16));
    assert_null(TF_AllocateTensor(TF_STRING, huge, 2, 16));
    assert_null(TF_NewTensor(TF_STRING, huge, 2, data, 16, NULL, NULL));
    free(data);
}

/* Bindings that count the bytes of strings, or nothing at all, get tensors that hold as many strings as their shape. */
static void strings_have_room_whatever_the_length(void **state) {
    (void)state;
    const int64_t dims[1] = {3};
    TF_TString two[2];
    for (size_t len = 0; len <= sizeof two; len += sizeof *two) {
        for (int i = 0; i < 2; i++) TF_StringInit(&two[i]);
        TF_StringCopy(&two[1], "a string too long to be kept in its element", 43);
        freed = 0;
        TF_Tensor *tensors[2] = {TF_NewTensor(TF_STRING, dims, 1, two, len, note_freed, NULL),
                                 TF_AllocateTensor(TF_STRING, dims, 1, len)};
        assert_int_equal(freed, 1);
        TF_StringDealloc(&two[1]);
        for (int i = 0; i < 2; i++) {
            assert_non_null(tensors[i]);
            assert_int_equal(TF_TensorElementCount(tensors[i]), 3);
            assert_int_equal(TF_TensorByteSize(tensors[i]), len);
            TF_TString *elements = TF_TensorData(tensors[i]);
            for (int j = 0; j < 3; j++) assert_int_equal(TF_StringGetSize(&elements[j]), 0);
            TF_StringCopy(&elements[2], "another string that has to have memory of its own", 49);
            TF_DeleteTensor(tensors[i]);
        }
    }
}

static void empty_tensors_are_tensors(void **state) {
    (void)state;
    const int64_t dims[2] = {0, 3};
    freed = 0;
    TF_Tensor *t = TF_NewTensor(TF_FLOAT, dims, 2, NULL, 0, note_freed, NULL);
    assert_non_null(t);
    assert_int_equal(TF_TensorElementCount(t), 0);
    TF_DeleteTensor(t);
    assert_int_equal(freed, 1);
    TF_DeleteTensor(NULL);
}

static void allocated_tensors_are_aligned_and_the_librarys(void **state) {
    (void)state;
    const int64_t dims[1] = {100};
    TF_Tensor *t = TF_AllocateTensor(TF_INT64, dims, 1, 800);
    assert_int_equal((uintptr_t)TF_TensorData(t) % TF_TensorDefaultAlignment(), 0);
    memset(TF_TensorData(t), 1, 800);
    TF_Tensor *moved = TF_TensorMaybeMove(t);
    assert_ptr_equal(moved, t);
    TF_DeleteTensor(moved);

    int64_t *data = aligned_alloc(64, 832);
    TF_Tensor *foreign = TF_NewTensor(TF_INT64, dims, 1, data, 800, note_freed, data);
    assert_null(TF_TensorMaybeMove(foreign));
    TF_DeleteTensor(foreign);
}

/* The size of a tensor is that of its buffer, under every shape and type that is given to it. */
static void more_room_than_needed_may_be_had(void **state) {
    (void)state;
    const int64_t dims[1] = {2}, more[2] = {5, 5}, too_many[1] = {1025};
    TF_Status *s = TF_NewStatus();
    TF_Tensor *t = TF_AllocateTensor(TF_FLOAT, dims, 1, 4096), *other = int_tensor(1);
    assert_non_null(t);
    memset(TF_TensorData(t), 0, 4096);
    assert_int_equal(TF_TensorElementCount(t), 2);
    assert_int_equal(TF_TensorByteSize(t), 4096);
    TF_TensorBitcastFrom(t, TF_INT32, other, dims, 1, s);
    assert_status_ok(s);
    assert_int_equal(TF_TensorByteSize(other), 4096);
    TF_SetShape(t, more, 2);
    assert_int_equal(TF_TensorElementCount(t), 25);
    TF_SetShape(t, too_many, 1);
    assert_int_equal(TF_TensorElementCount(t), 25);
    assert_int_equal(TF_TensorByteSize(t), 4096);
    assert_ptr_equal(TF_TensorData(t), TF_TensorData(other));
    TF_DeleteTensor(other);
    assert_ptr_equal(TF_TensorMaybeMove(t), t);
    TF_DeleteTensor(t);
    TF_DeleteStatus(s);
}

static void memory_may_be_larger_than_the_elements(void **state) {
    (void)state;
    const int64_t dims[1] = {2}, more[1] = {16};
    float *data = aligned_alloc(64, 128);
    for (int i = 0; i < 32; i++) data[i] = (float)i;
    freed = 0;
    TF_Tensor *t = TF_NewTensor(TF_FLOAT, dims, 1, data, 100, note_freed, NULL);
    assert_ptr_equal(TF_TensorData(t), data);
    assert_int_equal(TF_TensorByteSize(t), 100);
    TF_SetShape(t, more, 1);
    assert_int_equal(TF_TensorElementCount(t), 16);
    assert_int_equal(freed, 0);
    TF_DeleteTensor(t);
    assert_int_equal(freed, 1);

    t = TF_NewTensor(TF_FLOAT, dims, 1, data + 1, 100, note_freed, NULL); /* a copy, of all of it */
    assert_int_equal(freed, 2);
    assert_int_equal(TF_TensorByteSize(t), 100);
    assert_float_equal(((float *)TF_TensorData(t))[24], 25, 0);
    TF_DeleteTensor(t);
    free(data);
}

static void bitcast_shares_the_buffer(void **state) {
    (void)state;
    const int64_t dims[2] = {2, 3}, other[2] = {3, 2}, short_dims[1] = {5};
    TF_Status *s = TF_NewStatus();
    TF_Tensor *a = TF_AllocateTensor(TF_UINT64, dims, 2, 48), *b = TF_AllocateTensor(TF_UINT64, other, 2, 48);
    for (int i = 0; i < 6; i++) ((uint64_t *)TF_TensorData(a))[i] = 3;
    for (int i = 0; i < 6; i++) ((uint64_t *)TF_TensorData(b))[i] = 6;
    TF_TensorBitcastFrom(a, TF_UINT64, b, other, 2, s);
    assert_status_ok(s);
    assert_int_equal(((uint64_t *)TF_TensorData(b))[0], 3);
    assert_int_equal(TF_Dim(b, 0), 3);
    ((uint64_t *)TF_TensorData(b))[5] = 9;
    assert_int_equal(((uint64_t *)TF_TensorData(a))[5], 9);
    assert_null(TF_TensorMaybeMove(a)); /* two handles */
    TF_TensorBitcastFrom(a, TF_UINT64, b, short_dims, 1, s);
    assert_status(s, TF_INVALID_ARGUMENT, "");
    TF_DeleteTensor(a);
    assert_int_equal(((uint64_t *)TF_TensorData(b))[0], 3);
    TF_DeleteTensor(b);
    TF_DeleteStatus(s);
}

static void shapes_change_in_place(void **state) {
    (void)state;
    const int64_t dims[2] = {2, 3}, flat[1] = {6};
    TF_Tensor *t = TF_AllocateTensor(TF_FLOAT, dims, 2, 24);
    void *data = TF_TensorData(t);
    TF_SetShape(t, flat, 1);
    assert_int_equal(TF_NumDims(t), 1);
    assert_int_equal(TF_Dim(t, 0), 6);
    assert_ptr_equal(TF_TensorData(t), data);
    TF_DeleteTensor(t);
}

static void tensors_come_from_messages(void **state) {
    (void)state;
    /* dtype: DT_INT32 tensor_shape { dim { size: 3 } } int_val: 5 -1 */
    static const unsigned char proto[] = {8,   3,   18,  4,   18,  2,   8,   3,   58,  11, 5,
                                          255, 255, 255, 255, 255, 255, 255, 255, 255, 1};
    TF_Status *s = TF_NewStatus();
    TF_Tensor *t = int_tensor(1);
    TF_Buffer *bytes = TF_NewBufferFromString(proto, sizeof proto);
    TF_TensorFromProto(bytes, t, s);
    assert_status_ok(s);
    assert_int_equal(TF_TensorElementCount(t), 3);
    const int32_t *values = TF_TensorData(t);
    assert_int_equal(values[0], 5);
    assert_int_equal(values[1], -1);
    assert_int_equal(values[2], -1); /* the last one stands for the missing */
    TF_DeleteBuffer(bytes);
    bytes = TF_NewBufferFromString(proto, 8); /* no values at all: zeros */
    TF_TensorFromProto(bytes, t, s);
    assert_status_ok(s);
    values = TF_TensorData(t);
    assert_true(values[0] == 0 && values[1] == 0 && values[2] == 0);
    TF_DeleteBuffer(bytes);
    bytes = TF_NewBufferFromString("\xff", 1);
    TF_TensorFromProto(bytes, t, s);
    assert_status(s, TF_INVALID_ARGUMENT, "");
    assert_int_equal(TF_TensorElementCount(t), 3);
    TF_DeleteBuffer(bytes);
    TF_DeleteTensor(t);
    TF_DeleteStatus(s);
}

static void string_tensors_free_their_strings(void **state) {
    (void)state;
    const int64_t dims[2] = {4, 1};
    char text[300];
    memset(text, 'l', sizeof text);
    TF_Tensor *t = TF_AllocateTensor(TF_STRING, dims, 2, 4 * sizeof(TF_TString));
    TF_TString *strings = TF_TensorData(t);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(TF_TString_GetSize(&strings[i]), 0);
        TF_TString_Copy(&strings[i], text, sizeof text);
    }
    TF_DeleteTensor(t); /* the leak checker watches */
}

static void string_buffers_have_any_length_that_is_enough(void **state) {
    (void)state;
    const int64_t dims[1] = {2}, more[1] = {4};
    static TF_TString strings[3];
    static const char zeros[100];
    char text[100];
    freed = 0;
    for (size_t bytes = 48; bytes <= 72; bytes += 12) {
        TF_Tensor *t = TF_NewTensor(TF_STRING, dims, 1, strings, bytes, note_freed, NULL);
        assert_ptr_equal(TF_TensorData(t), strings);
        assert_int_equal(TF_TensorByteSize(t), bytes);
        TF_DeleteTensor(t);
    }
    assert_int_equal(freed, 3);

    TF_Tensor *t = TF_AllocateTensor(TF_STRING, dims, 1, 100);
    assert_int_equal(TF_TensorByteSize(t), 100);
    assert_memory_equal(TF_TensorData(t), zeros, 100);
    TF_SetShape(t, more, 1);
    memset(text, 'l', sizeof text);
    for (int i = 0; i < 4; i++) TF_TString_Copy((TF_TString *)TF_TensorData(t) + i, text, sizeof text);
    TF_SetShape(t, dims, 1);
    TF_DeleteTensor(t); /* the leak checker watches */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_have_sizes),
        cmocka_unit_test(aligned_memory_is_wrapped),
        cmocka_unit_test(unaligned_memory_is_copied),
        cmocka_unit_test(memory_that_does_not_fit_is_refused),
        cmocka_unit_test(strings_have_room_whatever_the_length),
        cmocka_unit_test(empty_tensors_are_tensors),
        cmocka_unit_test(allocated_tensors_are_aligned_and_the_librarys),
        cmocka_unit_test(more_room_than_needed_may_be_had),
        cmocka_unit_test(memory_may_be_larger_than_the_elements),
        cmocka_unit_test(bitcast_shares_the_buffer),
        cmocka_unit_test(shapes_change_in_place),
        cmocka_unit_test(tensors_come_from_messages),
        cmocka_unit_test(string_tensors_free_their_strings),
        cmocka_unit_test(string_buffers_have_any_length_that_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
