/* Tensors in messages: the very bytes that TensorFlow's peers send, and what comes back of them. */
#include "dist/tensor_wire.h"

#include <stdlib.h>

#include "unit/unit.h"

static struct sl_error err;

static void free_body(struct sl_rpc_body *body) {
    free((void *)((uintptr_t)body->bytes.p & ~(uintptr_t)63));
    free(body);
}

/* The message as one block, `shift` bytes off a multiple of 64. */
static struct sl_rpc_body *body_of(struct sl_rpc_message *m, size_t shift) {
    struct sl_rpc_body *body = calloc(1, sizeof *body);
    char *bytes = aligned_alloc(64, (m->size + shift + 127) / 64 * 64), *at = bytes + shift;
    for (size_t i = 0; i < m->n; i++) {
        memcpy(at, m->pieces[i].data, m->pieces[i].size);
        at += m->pieces[i].size;
    }
    body->bytes = (struct sl_str){bytes + shift, m->size};
    body->free = free_body;
    atomic_store(&body->refs, 1);
    sl_rpc_message_clear(m);
    return body;
}

static struct sl_tensor *floats(int rank, const int64_t *dims, float first) {
    struct sl_tensor *t;
    assert_ok(err, sl_tensor_new(&t, SL_FLOAT, (struct sl_shape){rank, dims}, &err));
    for (int64_t i = 0; i < t->count; i++) ((float *)t->data)[i] = first + (float)i;
    return t;
}

static void bytes_are(struct sl_rpc_message *m, const char *bytes, size_t n) {
    struct sl_rpc_body *body = body_of(m, 0);
    assert_int_equal(body->bytes.n, n);
    assert_memory_equal(body->bytes.p, bytes, n);
    sl_rpc_body_unref(body);
}
#define BYTES_ARE(m, literal) bytes_are(m, literal, sizeof(literal) - 1)

static void scalars_have_no_shape_and_empty_dims_no_size(void **state) {
    (void)state;
    struct sl_rpc_message m = {.n = 0};
    struct sl_tensor *scalar = floats(0, NULL, 1), *empty = floats(1, (const int64_t[]){0}, 0);
    assert_ok(err, sl_wire_add_tensor(&m, 1, (struct sl_str){NULL, 0}, scalar, &err));
    BYTES_ARE(&m, "\x0a\x08\x08\x01\x22\x04\0\0\x80\x3f");
    assert_ok(err, sl_wire_add_tensor(&m, 1, SL_STR("a:0"), scalar, &err));
    BYTES_ARE(&m, "\x0a\x0f\x0a\x03"
                  "a:0"
                  "\x12\x08\x08\x01\x22\x04\0\0\x80\x3f");
    assert_ok(err, sl_wire_add_tensor(&m, 1, (struct sl_str){NULL, 0}, empty, &err));
    BYTES_ARE(&m, "\x0a\x06\x08\x01\x12\x02\x12\0");
    sl_tensor_unref(scalar);
    sl_tensor_unref(empty);
}

static void a_dead_value_is_said_before_the_tensor(void **state) {
    (void)state;
    struct sl_rpc_message m = {.n = 0};
    const struct sl_value dead = {.kind = SL_VALUE_DEAD};
    assert_ok(err, sl_wire_add_received(&m, &dead, 5, &err));
    BYTES_ARE(&m, "\x10\x01\x18\x05\x0a\x06\x08\x01\x12\x02\x12\0");
}

static void strings_are_lengths_and_then_bytes(void **state) {
    (void)state;
    struct sl_rpc_message m = {.n = 0};
    struct sl_tensor *t, *back;
    struct sl_pb_NamedTensorProto named;
    struct sl_arena arena;
    sl_arena_init(&arena);
    assert_ok(err, sl_tensor_new(&t, SL_STRING, (struct sl_shape){1, (const int64_t[]){2}}, &err));
    assert_ok(err, sl_string_set((TF_TString *)t->data, SL_STR("ab"), &err));
    assert_ok(err, sl_wire_add_tensor(&m, 2, SL_STR("s"), t, &err));
    struct sl_rpc_body *body = body_of(&m, 0);
    struct sl_str inner = {body->bytes.p + 2, body->bytes.n - 2};
    assert_ok(err, sl_pb_decode(&named, SL_PB_TYPE(NamedTensorProto), inner, &arena, &err));
    assert_int_equal(named.tensor->tensor_content.n, 4);
    assert_memory_equal(named.tensor->tensor_content.p, "\2\0ab", 4);
    assert_ok(err, sl_wire_read_tensor(&back, named.tensor, body, &err));
    assert_true(sl_str_is(sl_string_get((TF_TString *)back->data), "ab"));
    assert_int_equal(sl_string_get((TF_TString *)back->data + 1).n, 0);
    sl_tensor_unref(back);
    sl_tensor_unref(t);
    sl_rpc_body_unref(body);
    sl_arena_clear(&arena);
}

/* Sent from where they are, and used where they came when they lie well. */
static void large_elements_are_not_copied(void **state) {
    (void)state;
    struct sl_tensor *t = floats(2, (const int64_t[]){100, 100}, 3);
    for (size_t shift = 0; shift < 64; shift += 4) {
        struct sl_rpc_message m = {.n = 0};
        struct sl_pb_RecvTensorResponse answer;
        struct sl_arena arena;
        struct sl_value value, sent = {.kind = SL_VALUE_TENSOR, .dtype = SL_FLOAT, .tensor = t};
        sl_arena_init(&arena);
        assert_ok(err, sl_wire_add_received(&m, &sent, 1, &err));
        assert_int_equal(m.n, 2);
        assert_ptr_equal(m.pieces[1].data, t->data);
        struct sl_rpc_body *body = body_of(&m, shift);
        assert_ok(err, sl_pb_decode(&answer, SL_PB_TYPE(RecvTensorResponse), body->bytes, &arena, &err));
        assert_ok(err, sl_wire_read_value(&value, answer.tensor, body, &err));
        bool is_aligned = !((uintptr_t)answer.tensor->tensor_content.p % 16);
        assert_true((value.tensor->data == answer.tensor->tensor_content.p) == is_aligned);
        sl_rpc_body_unref(body);
        assert_memory_equal(value.tensor->data, t->data, t->bytes);
        sl_value_clear(&value);
        sl_arena_clear(&arena);
    }
    sl_tensor_unref(t);
}

static void sizes_that_lie_are_errors(void **state) {
    (void)state;
    struct sl_pb_TensorShapeProto_Dim dim = {.size = 3};
    struct sl_pb_TensorShapeProto shape = {.dim = {&dim, 1}};
    struct sl_pb_TensorProto proto = {.dtype = SL_FLOAT, .tensor_shape = &shape, .tensor_content = SL_STR("01234567")};
    struct sl_tensor *t;
    assert_fails(err, SL_INVALID_ARGUMENT, "8 bytes for 3 elements", sl_wire_read_tensor(&t, &proto, NULL, &err));
    dim.size = INT64_MAX / 2;
    assert_int_equal(sl_wire_read_tensor(&t, &proto, NULL, &err), SL_INVALID_ARGUMENT);
    dim.size = -1;
    assert_int_equal(sl_wire_read_tensor(&t, &proto, NULL, &err), SL_INVALID_ARGUMENT);
    dim.size = 2;
    proto.dtype = SL_STRING;
    proto.tensor_content = SL_STR("\x02\x7f"
                                  "ab");
    assert_int_equal(sl_wire_read_tensor(&t, &proto, NULL, &err), SL_INVALID_ARGUMENT);
    proto.tensor_content = SL_STR("\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff");
    assert_int_equal(sl_wire_read_tensor(&t, &proto, NULL, &err), SL_INVALID_ARGUMENT);
    proto.dtype = 77;
    assert_int_equal(sl_wire_read_tensor(&t, &proto, NULL, &err), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_wire_read_tensor(&t, NULL, NULL, &err), SL_INVALID_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(scalars_have_no_shape_and_empty_dims_no_size),
                                       cmocka_unit_test(a_dead_value_is_said_before_the_tensor),
                                       cmocka_unit_test(strings_are_lengths_and_then_bytes),
                                       cmocka_unit_test(large_elements_are_not_copied),
                                       cmocka_unit_test(sizes_that_lie_are_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
