/* Variants: lists, maps, optionals. What they hold, in place or copied, and what they refuse. */
#include "unit/any/one_node.h"

#include "backends/any/tensor_list.h"
#include "kernel/variant.h"

#define ATTRS(type)                                                                                                    \
    "attr { key: 'element_dtype' value { type: " type " } } attr { key: 'shape_type' value { type: DT_INT32 } }"
#define FLOATS  ATTRS("DT_FLOAT")
#define STRINGS ATTRS("DT_STRING")
#define LISTS   ATTRS("DT_VARIANT")
#define UNKNOWN i32(-1)

static struct sl_value empty_list(struct bench *b) { return RUN(b, "EmptyTensorList", FLOATS, UNKNOWN, i32(-1)); }
static struct sl_value push(struct bench *b, struct sl_value list, struct sl_value v) {
    return RUN(b, "TensorListPushBack", FLOATS, list, v);
}
static struct sl_value reserve(struct bench *b, struct sl_value shape, int32_t n) {
    return RUN(b, "TensorListReserve", FLOATS, shape, i32(n));
}
static struct sl_value set(struct bench *b, struct sl_value list, int32_t i, struct sl_value v) {
    return RUN(b, "TensorListSetItem", FLOATS, list, i32(i), v);
}
static struct sl_value stack(struct bench *b, struct sl_value list) {
    return RUN(b, "TensorListStack", FLOATS, list, UNKNOWN);
}
static struct sl_value list_of(struct bench *b, struct sl_value tensor) {
    return RUN(b, "TensorListFromTensor", FLOATS, tensor, UNKNOWN);
}

static void pushes_in_place_when_alone(void **state) {
    struct bench *b = *state;
    struct sl_value list = empty_list(b);
    struct sl_object *object = list.object;
    list = push(b, list, f32(1));
    assert_ptr_equal(list.object, object);
    struct sl_value other = share(list), longer = push(b, list, f32(2));
    assert_ptr_not_equal(longer.object, other.object);
    take_and_expect(stack(b, longer), "[2]", "1 2");
    take_and_expect(stack(b, other), "[1]", "1");
}

static void pops_what_was_pushed(void **state) {
    struct bench *b = *state;
    struct sl_value list = push(b, push(b, empty_list(b), VEC_F32(1, 2)), VEC_F32(3, 4)), outs[2];
    const struct sl_value shared = list;
    struct sl_value kept = share(shared);
    assert_ok(b->err, run_once(b, outs, "TensorListPopBack", FLOATS, INPUTS(list, UNKNOWN)));
    take_and_expect(outs[1], "[2]", "3 4");
    take_and_expect(RUN(b, "TensorListLength", "", outs[0]), "[]", "1");
    take_and_expect(RUN(b, "TensorListLength", "", kept), "[]", "2");
    REFUSED(b, SL_INVALID_ARGUMENT, "Trying to pop from an empty list.", "TensorListPopBack", FLOATS, empty_list(b),
            UNKNOWN);
}

static void unset_elements_read_as_zeros(void **state) {
    struct bench *b = *state;
    take_and_expect(RUN(b, "TensorListGetItem", FLOATS, reserve(b, VEC_I32(2), 3), i32(1), UNKNOWN), "[2]", "0 0");
    take_and_expect(RUN(b, "TensorListGetItem", FLOATS, reserve(b, VEC_I32(-1, 2), 3), i32(1), VEC_I32(2, -1)), "[2,2]",
                    "[0 0][0 0]");
    take_and_expect(RUN(b, "TensorListGetItem", FLOATS, set(b, reserve(b, UNKNOWN, 2), 0, VEC_F32(1, 2)), i32(1),
                        UNKNOWN),
                    "[2]", "0 0");
    take_and_expect(stack(b, set(b, reserve(b, UNKNOWN, 2), 1, VEC_F32(1, 2))), "[2,2]", "[0 0][1 2]");
    struct sl_value outs[2];
    assert_ok(b->err, run_once(b, outs, "TensorListPopBack", FLOATS, INPUTS(reserve(b, VEC_I32(2), 3), UNKNOWN)));
    take_and_expect(outs[1], "[2]", "0 0");
    sl_value_clear(&outs[0]);
    REFUSED(b, SL_INVALID_ARGUMENT, "element_shape is not fully defined: <unknown> and no list element is set.",
            "TensorListGetItem", FLOATS, reserve(b, UNKNOWN, 2), i32(0), UNKNOWN);
    REFUSED(b, SL_INVALID_ARGUMENT, "Tried to stack list which only contains uninitialized tensors", "TensorListStack",
            FLOATS, reserve(b, UNKNOWN, 2), UNKNOWN);
    struct sl_value strings = RUN(b, "TensorListReserve", STRINGS, vec_i32(0, NULL), i32(2));
    take_and_expect(RUN(b, "TensorListStack", STRINGS, strings, UNKNOWN), "[2]", " ");
}

static void refuses_what_does_not_fit(void **state) {
    struct bench *b = *state;
    REFUSED(b, SL_INVALID_ARGUMENT, "Tried to push item into a full list list size: 0 max_num_elements: 0",
            "TensorListPushBack", FLOATS, RUN(b, "EmptyTensorList", FLOATS, UNKNOWN, i32(0)), f32(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "Op element shape: [] list shape: [2]", "TensorListPushBack", FLOATS,
            RUN(b, "EmptyTensorList", FLOATS, VEC_I32(2), i32(-1)), f32(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "Invalid data types; op elements int32 but list elements float",
            "TensorListPushBack", "attr { key: 'element_dtype' value { type: DT_INT32 } }", empty_list(b), i32(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "Trying to access element 2 in a list with 2 elements.", "TensorListGetItem",
            FLOATS, reserve(b, UNKNOWN, 2), i32(2), UNKNOWN);
    REFUSED(b, SL_INVALID_ARGUMENT, "Trying to modify element -1 in a list with 2 elements.", "TensorListSetItem",
            FLOATS "attr { key: 'resize_if_index_out_of_bounds' value { b: true } }", reserve(b, UNKNOWN, 2), i32(-1),
            f32(0));
    REFUSED(b, SL_INVALID_ARGUMENT, "must be a non negative number, but got -1", "TensorListReserve", FLOATS, UNKNOWN,
            i32(-1));
    REFUSED(b, SL_INVALID_ARGUMENT, "The only valid scalar shape tensor", "TensorListReserve", FLOATS, i32(0), i32(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "Dimension -2 must be >= -1", "TensorListReserve", FLOATS, VEC_I32(-2), i32(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "Incompatible shapes during merge: [1] vs. [2]", "TensorListStack", FLOATS,
            push(b, push(b, empty_list(b), VEC_F32(1)), VEC_F32(1, 2)), UNKNOWN);
    REFUSED(b, SL_INVALID_ARGUMENT, "Input handle is not a list", "TensorListLength", "",
            RUN(b, "TensorMapErase",
                "attr { key: 'key_dtype' value { type: DT_INT32 } } attr { key: 'value_dtype' "
                "value { type: DT_INT32 } }",
                RUN(b, "TensorMapInsert",
                    "attr { key: 'key_dtype' value { type: DT_INT32 } } attr { key: 'value_dtype' "
                    "value { type: DT_INT32 } }",
                    run_one(b, "EmptyTensorMap", "", NULL, 0), i32(1), i32(1)),
                i32(1)));
}

static void resizes_and_scatters(void **state) {
    struct bench *b = *state;
    take_and_expect(stack(b, RUN(b, "TensorListResize", "", list_of(b, VEC_F32(1, 2)), i32(3))), "[3]", "1 2 0");
    take_and_expect(stack(b, RUN(b, "TensorListResize", "", list_of(b, VEC_F32(1, 2)), i32(1))), "[1]", "1");
    take_and_expect(stack(b, RUN(b, "TensorListSetItem",
                                 FLOATS "attr { key: 'resize_if_index_out_of_bounds' value { b: true } }",
                                 list_of(b, VEC_F32(1)), i32(2), f32(5))),
                    "[3]", "1 0 5");
    take_and_expect(stack(b, RUN(b, "TensorListScatterV2", FLOATS, VEC_F32(1, 2), VEC_I32(2, 0), UNKNOWN, i32(-1))),
                    "[3]", "2 0 1");
    take_and_expect(stack(b, RUN(b, "TensorListScatterIntoExistingList", FLOATS, list_of(b, VEC_F32(1, 2)),
                                 VEC_F32(7, 8), VEC_I32(1, 3))),
                    "[4]", "1 7 0 8");
    REFUSED(b, SL_INVALID_ARGUMENT, "must all be non-negative", "TensorListScatterIntoExistingList", FLOATS,
            list_of(b, VEC_F32(1, 2)), VEC_F32(7), VEC_I32(-1));
    REFUSED(b, SL_INVALID_ARGUMENT, "Trying to scatter at index 2 in list with size 2", "TensorListScatterV2", FLOATS,
            VEC_F32(1), VEC_I32(2), UNKNOWN, i32(2));
    take_and_expect(RUN(b, "TensorListGather", FLOATS, list_of(b, VEC_F32(1, 2)), VEC_I32(1, 0, 1), UNKNOWN), "[3]",
                    "2 1 2");
}

static void takes_tensors_apart_and_together(void **state) {
    struct bench *b = *state;
    const float six[] = {1, 2, 3, 4, 5, 6};
    take_and_expect(stack(b, list_of(b, mat_f32(3, 2, six))), "[3,2]", "[1 2][3 4][5 6]");
    /* rows too large to copy are views of the tensor */
    float many[600];
    for (int i = 0; i < 600; i++) many[i] = (float)i;
    struct sl_value whole = mat_f32(2, 300, many), kept = share(whole), list = list_of(b, whole);
    struct sl_value row = RUN(b, "TensorListGetItem", FLOATS, list, i32(1), UNKNOWN);
    assert_ptr_equal(row.tensor->data, (float *)kept.tensor->data + 300);
    sl_value_clear(&row);
    sl_value_clear(&kept);
    struct sl_value outs[2], parts = RUN(b, "TensorListSplit", FLOATS, VEC_F32(1, 2, 3), UNKNOWN, VEC_I64(1, 0, 2));
    assert_ok(b->err, run_once(b, outs, "TensorListConcatV2", FLOATS, INPUTS(parts, UNKNOWN, vec_i64(0, NULL))));
    take_and_expect(outs[0], "[3]", "1 2 3");
    take_and_expect(outs[1], "[3]", "1 0 2");
    parts = set(b, reserve(b, UNKNOWN, 2), 0, VEC_F32(1, 2));
    assert_ok(b->err, run_once(b, outs, "TensorListConcatV2", FLOATS, INPUTS(parts, UNKNOWN, VEC_I64(9, 1))));
    take_and_expect(outs[0], "[3]", "1 2 0");
    take_and_expect(outs[1], "[2]", "2 1");
    REFUSED(b, SL_INVALID_ARGUMENT, "must not be negative", "TensorListConcatV2", FLOATS,
            set(b, reserve(b, UNKNOWN, 2), 0, VEC_F32(1, 2)), UNKNOWN, VEC_I64(1, -1));
    REFUSED(b, SL_INVALID_ARGUMENT, "Attempting to slice [0, 4] from tensor with length 3", "TensorListSplit", FLOATS,
            VEC_F32(1, 2, 3), UNKNOWN, VEC_I64(4, -1));
}

static void joins_lists(void **state) {
    struct bench *b = *state;
    struct sl_value list = list_of(b, VEC_F32(1, 2));
    take_and_expect(stack(b, RUN(b, "TensorListConcatLists", FLOATS, share(list), list)), "[4]", "1 2 1 2");
    REFUSED(b, SL_INVALID_ARGUMENT, "element shapes are not identical at index 0.  Saw [1] vs. [2]",
            "TensorListConcatLists", FLOATS, reserve(b, VEC_I32(1), 0), reserve(b, VEC_I32(2), 0));
}

static void adds_and_zeros(void **state) {
    struct bench *b = *state;
    struct sl_value a = set(b, reserve(b, UNKNOWN, 3), 0, f32(1)), c = set(b, list_of(b, VEC_F32(4, 5, 6)), 0, f32(7)),
                    r;
    r = (struct sl_value){.kind = SL_VALUE_OBJECT, .dtype = SL_VARIANT};
    assert_ok(b->err, sl_variant_add(&r.object, a.object, c.object, NULL, &b->err));
    take_and_expect(stack(b, r), "[3]", "8 5 6");
    assert_ok(b->err, sl_variant_zeros(&r.object, c.object, NULL, &b->err));
    take_and_expect(stack(b, r), "[3]", "0 0 0");
    struct sl_value shorter = list_of(b, VEC_F32(1));
    assert_fails(b->err, SL_INVALID_ARGUMENT, "different lengths. One is 3 and the other is 1",
                 sl_variant_add(&r.object, a.object, shorter.object, NULL, &b->err));
    assert_fails(b->err, SL_INTERNAL, "have different type ids",
                 sl_variant_add(&r.object, a.object, NULL, NULL, &b->err));
    sl_value_clear(&a);
    sl_value_clear(&c);
    sl_value_clear(&shorter);
}

/* What walks nested lists goes down with them, so nesting ends somewhere. */
static void nests_so_deep_and_no_deeper(void **state) {
    struct bench *b = *state;
    struct sl_value list = empty_list(b), outer;
    for (int depth = 0;; depth++) {
        outer = RUN(b, "EmptyTensorList", LISTS, UNKNOWN, i32(-1));
        struct sl_value result;
        sl_code code = run_once(b, &result, "TensorListPushBack", LISTS, INPUTS(outer, list));
        if (code != SL_OK) {
            assert_int_equal(code, SL_INVALID_ARGUMENT);
            assert_int_equal(depth, SL_VARIANT_DEPTH_MAX);
            break;
        }
        list = result;
    }
}

/* ---- maps */

#define KEYS(key, value)                                                                                               \
    "attr { key: 'key_dtype' value { type: " key " } } attr { key: 'value_dtype' value { type: " value " } }"
#define KEY(key) "attr { key: 'key_dtype' value { type: " key " } }"

static struct sl_value empty_map(struct bench *b) { return run_one(b, "EmptyTensorMap", "", NULL, 0); }
static struct sl_value insert(struct bench *b, struct sl_value map, struct sl_value key, struct sl_value value) {
    return RUN(b, "TensorMapInsert",
               key.dtype == SL_STRING ? KEYS("DT_STRING", "DT_FLOAT") : KEYS("DT_INT32", "DT_FLOAT"), map, key, value);
}

static void finds_by_key(void **state) {
    struct bench *b = *state;
    struct sl_value map = empty_map(b);
    for (int i = 0; i < 100; i++) map = insert(b, map, i32(i), f32((float)i / 2));
    map = insert(b, map, text("text"), f32(-1));
    map = insert(b, map, i32(30), f32(-2));
    map = insert(b, map, VEC_I32(30), f32(-3));
    take_and_expect(RUN(b, "TensorMapSize", "", share(map)), "[]", "102");
    take_and_expect(RUN(b, "TensorMapLookup", KEYS("DT_INT32", "DT_FLOAT"), share(map), i32(99)), "[]", "49.5");
    take_and_expect(RUN(b, "TensorMapLookup", KEYS("DT_INT32", "DT_FLOAT"), share(map), i32(30)), "[]", "-2");
    take_and_expect(RUN(b, "TensorMapLookup", KEYS("DT_STRING", "DT_FLOAT"), share(map), text("text")), "[]", "-1");
    take_and_expect(RUN(b, "TensorMapHasKey", KEY("DT_INT64"), share(map), i64(30)), "[]", "0");
    struct sl_value copy = share(map);
    for (int i = 0; i < 100; i += 2) map = RUN(b, "TensorMapErase", KEYS("DT_INT32", "DT_FLOAT"), map, i32(i));
    for (int i = 0; i < 100; i++)
        take_and_expect(RUN(b, "TensorMapHasKey", KEY("DT_INT32"), share(map), i32(i)), "[]", i % 2 ? "1" : "0");
    take_and_expect(RUN(b, "TensorMapSize", "", copy), "[]", "102");
    REFUSED(b, SL_INVALID_ARGUMENT, "Trying to lookup non-existent key. Could not find key \"8\".", "TensorMapLookup",
            KEYS("DT_INT32", "DT_FLOAT"), share(map), i32(8));
    REFUSED(b, SL_INVALID_ARGUMENT, "Trying to erase non-existent item. Could not find key \"8\".", "TensorMapErase",
            KEYS("DT_INT32", "DT_FLOAT"), share(map), i32(8));
    REFUSED(b, SL_INTERNAL, "Output 0 of type float does not match declared output type int32", "TensorMapLookup",
            KEYS("DT_INT32", "DT_INT32"), map, i32(9));
}

static void stacks_keys(void **state) {
    struct bench *b = *state;
    take_and_expect(RUN(b, "TensorMapStackKeys", KEY("DT_INT32"),
                        insert(b, insert(b, empty_map(b), i32(3), f32(0)), i32(1), f32(0))),
                    "[2]", "3 1");
    REFUSED(b, SL_INVALID_ARGUMENT, "cannot be called on empty map", "TensorMapStackKeys", KEY("DT_INT32"),
            empty_map(b));
    REFUSED(b, SL_INVALID_ARGUMENT, "Keys must all have the same shape.", "TensorMapStackKeys", KEY("DT_INT32"),
            insert(b, insert(b, empty_map(b), i32(3), f32(0)), VEC_I32(1), f32(0)));
    REFUSED(b, SL_INVALID_ARGUMENT, "Key does not match requested dtype.", "TensorMapStackKeys", KEY("DT_INT64"),
            insert(b, empty_map(b), i32(3), f32(0)));
}

static void adds_maps_by_key(void **state) {
    struct bench *b = *state;
    struct sl_value x = insert(b, insert(b, empty_map(b), i32(1), f32(2)), i32(2), f32(3)),
                    y = insert(b, insert(b, empty_map(b), i32(1), f32(5)), i32(3), f32(7)), r = x;
    assert_ok(b->err, sl_variant_add(&r.object, x.object, y.object, NULL, &b->err));
    take_and_expect(RUN(b, "TensorMapLookup", KEYS("DT_INT32", "DT_FLOAT"), share(r), i32(1)), "[]", "7");
    take_and_expect(RUN(b, "TensorMapSize", "", r), "[]", "3");
    take_and_expect(RUN(b, "TensorMapLookup", KEYS("DT_INT32", "DT_FLOAT"), x, i32(1)), "[]", "2");
    sl_value_clear(&y);
}

/* ---- optionals */

#define GET(shape)                                                                                                     \
    "attr { key: 'output_types' value { list { type: [DT_FLOAT, DT_INT32] } } } attr { key: 'output_shapes' "          \
    "value { list { shape { " shape " } shape { unknown_rank: true } } } }"
#define VALUES "attr { key: 'Toutput_types' value { list { type: [DT_FLOAT, DT_INT32] } } }"

static struct sl_value optional(struct bench *b, float f) {
    return RUN(b, "OptionalFromValue", VALUES, VEC_F32(f, f), i32(3));
}
static struct sl_value none(struct bench *b) { return run_one(b, "OptionalNone", "", NULL, 0); }

static void optionals_give_back_what_they_hold(void **state) {
    struct bench *b = *state;
    struct sl_value outs[2];
    assert_ok(b->err, run_once(b, outs, "OptionalGetValue", GET("unknown_rank: true"), INPUTS(optional(b, 1))));
    take_and_expect(outs[0], "[2]", "1 1");
    take_and_expect(outs[1], "[]", "3");
    take_and_expect(RUN(b, "OptionalHasValue", "", optional(b, 1)), "[]", "1");
    take_and_expect(RUN(b, "OptionalHasValue", "", none(b)), "[]", "0");
    REFUSED(b, SL_INVALID_ARGUMENT, "The given optional does not have a value.", "OptionalGetValue",
            GET("unknown_rank: true"), none(b));
    REFUSED(b, SL_INVALID_ARGUMENT, "expected shape for component 0. Expected: [3]. Actual: [2].", "OptionalGetValue",
            GET("dim { size: 3 }"), optional(b, 1));
    REFUSED(b, SL_INVALID_ARGUMENT, "must be an OptionalVariant object", "OptionalHasValue", "", empty_list(b));
}

static void optionals_add_and_vanish(void **state) {
    struct bench *b = *state;
    struct sl_value x = optional(b, 1), y = optional(b, 2), nothing = none(b), r = x, outs[2];
    assert_ok(b->err, sl_variant_add(&r.object, x.object, y.object, NULL, &b->err));
    assert_ok(b->err, run_once(b, outs, "OptionalGetValue", GET("unknown_rank: true"), INPUTS(r)));
    take_and_expect(outs[0], "[2]", "3 3");
    take_and_expect(outs[1], "[]", "6");
    assert_fails(b->err, SL_INVALID_ARGUMENT, "one has a value and the other doesn't",
                 sl_variant_add(&r.object, x.object, nothing.object, NULL, &b->err));
    assert_ok(b->err, sl_variant_zeros(&r.object, x.object, NULL, &b->err));
    assert_ok(b->err, run_once(b, outs, "OptionalGetValue", GET("unknown_rank: true"), INPUTS(r)));
    take_and_expect(outs[0], "[2]", "0 0");
    sl_value_clear(&outs[1]);
    sl_value_clear(&x);
    sl_value_clear(&y);
    sl_value_clear(&nothing);
}

/* Each list of a batch gets its row. */
static void pushes_to_a_batch_of_lists(void **state) {
    struct bench *b = *state;
    struct sl_value lists = {0}, outs[1];
    assert_ok(b->err, sl_value_new(&lists, SL_VARIANT, (struct sl_shape){1, (const int64_t[]){2}}, &b->err));
    struct sl_object **in = lists.tensor->data;
    in[0] = push(b, empty_list(b), VEC_F32(1, 2)).object;
    in[1] = empty_list(b).object;
    struct sl_value rows = mat_f32(2, 2, (const float[]){3, 4, 5, 6});
    assert_ok(b->err, run_once(b, outs, "TensorListPushBackBatch", FLOATS, INPUTS(share(lists), share(rows))));
    struct sl_object **out = outs[0].tensor->data;
    struct sl_value first = {.kind = SL_VALUE_OBJECT, .dtype = SL_VARIANT, .object = sl_object_ref(out[0])},
                    second = {.kind = SL_VALUE_OBJECT, .dtype = SL_VARIANT, .object = sl_object_ref(out[1])};
    take_and_expect(stack(b, first), "[2,2]", "[1 2][3 4]");
    take_and_expect(stack(b, second), "[1,2]", "[5 6]");
    sl_value_clear(&outs[0]);
    REFUSED(b, SL_INVALID_ARGUMENT, "", "TensorListPushBackBatch", FLOATS, share(lists), VEC_F32(1));
    take_and_expect(
        RUN(b, "TensorListLength", "",
            (struct sl_value){.kind = SL_VALUE_OBJECT, .dtype = SL_VARIANT, .object = sl_object_ref(in[0])}),
        "[]", "1"); /* the old ones are as they were */
    sl_value_clear(&lists);
    sl_value_clear(&rows);
}

static void scatters_into_a_new_list(void **state) {
    struct bench *b = *state;
    take_and_expect(stack(b, RUN(b, "TensorListScatter", FLOATS, mat_f32(2, 2, (const float[]){1, 2, 3, 4}),
                                 VEC_I32(2, 0), UNKNOWN)),
                    "[3,2]", "[3 4][0 0][1 2]");
    REFUSED(b, SL_INVALID_ARGUMENT, "", "TensorListScatter", FLOATS, VEC_F32(1, 2), VEC_I32(0, -1), UNKNOWN);
}

static void composites_come_apart(void **state) {
    struct bench *b = *state;
    const char *attrs =
                   "attr { key: 'metadata' value { s: '' } } attr { key: 'Tcomponents' value { list { type: [DT_FLOAT, "
                   "DT_INT32] } } }",
               *wrong =
                   "attr { key: 'metadata' value { s: '' } } attr { key: 'Tcomponents' value { list { type: [DT_INT32, "
                   "DT_INT32] } } }";
    struct sl_value outs[2], c = RUN(b, "CompositeTensorVariantFromComponents", attrs, VEC_F32(1, 2), i32(3));
    assert_ok(b->err, run_once(b, outs, "CompositeTensorVariantToComponents", attrs, INPUTS(share(c))));
    take_and_expect(outs[0], "[2]", "1 2");
    take_and_expect(outs[1], "[]", "3");
    REFUSED(b, SL_INVALID_ARGUMENT, "Tensor component 0 had dtype float; expected dtype int32",
            "CompositeTensorVariantToComponents", wrong, c);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_setup, bench_teardown)
    const struct CMUnitTest tests[] = {
        TEST(pushes_in_place_when_alone),
        TEST(pops_what_was_pushed),
        TEST(unset_elements_read_as_zeros),
        TEST(refuses_what_does_not_fit),
        TEST(resizes_and_scatters),
        TEST(takes_tensors_apart_and_together),
        TEST(joins_lists),
        TEST(pushes_to_a_batch_of_lists),
        TEST(scatters_into_a_new_list),
        TEST(adds_and_zeros),
        TEST(nests_so_deep_and_no_deeper),
        TEST(finds_by_key),
        TEST(stacks_keys),
        TEST(adds_maps_by_key),
        TEST(optionals_give_back_what_they_hold),
        TEST(optionals_add_and_vanish),
        TEST(composites_come_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
