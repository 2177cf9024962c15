/* Positions of iterators as variants, and elements as packed ones: SerializeIterator, DeserializeIterator,
 * CompressElement, UncompressElement; elements by their number: GetElementAtIndex. */
#include "backends/any/any_kernels.h"

#include "backends/any/iterator_resource.h"
#include "base/alloc.h"
#include "ckpt/compressed_element.h"
#include "data/element.h"
#include "data/state.h"
#include "tensor/variant_data.h"

/* ---- saving; what is done about functions with effects or a memory, which no position holds */

enum policy { WARN, IGNORE, FAIL };

struct saver {
    int32_t policy;
};

static sl_code saver_create(void **state, struct sl_kernel_setup *setup) {
    struct saver *s = sl_calloc(1, sizeof *s);
    int64_t policy = WARN;
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_code code = sl_attr_int(&policy, setup->attrs, "external_state_policy", setup->err);
    s->policy = (int32_t)policy;
    if (code == SL_OK) *state = s;
    else sl_free(s);
    return code;
}

static sl_code save_walk(struct sl_kernel_context *k, struct sl_data_walk *walk) {
    const char *stateful = sl_dataset_stateful_op(sl_data_walk_dataset(walk));
    struct sl_state *state;
    struct sl_tensor *packed;
    if (stateful && ((const struct saver *)k->state)->policy == FAIL)
        return sl_fail(k->err, SL_FAILED_PRECONDITION, "%s is stateful.", stateful);
    SL_TRY(sl_state_new(&state, k->err));
    sl_code code = sl_data_walk_save(walk, state, k->err);
    if (code == SL_OK) code = sl_state_pack(&packed, state, k->err);
    if (code == SL_OK) sl_out_tensor(k, 0, packed);
    sl_state_free(state);
    return code;
}

static sl_code serialize_run(struct sl_kernel_context *k) {
    struct sl_data_walk *walk;
    SL_TRY(sl_iterator_resource_walk(&walk, k, 0));
    if (!walk)
        return sl_fail(k->err, SL_FAILED_PRECONDITION,
                       "Save() failed because the iterator has not been initialized. Ensure that you have run the "
                       "initializer operation for this iterator before saving it.");
    sl_code code = save_walk(k, walk);
    sl_data_walk_unref(walk);
    return code;
}

static sl_code restore_walk(struct sl_kernel_context *k, struct sl_data_walk *walk) {
    struct sl_state *state;
    SL_TRY(sl_state_unpack(&state, sl_in_value(k, 1), k->err));
    sl_code code = sl_data_walk_restore(walk, state, k->err);
    sl_state_free(state);
    return code;
}

static sl_code deserialize_run(struct sl_kernel_context *k) {
    struct sl_data_walk *walk;
    SL_TRY(sl_iterator_resource_walk(&walk, k, 0));
    if (!walk)
        return sl_fail(k->err, SL_FAILED_PRECONDITION,
                       "Restore() failed because the iterator has not been initialized. Ensure that you have run the "
                       "initializer operation for this iterator before restoring it.");
    sl_code code = restore_walk(k, walk);
    sl_data_walk_unref(walk);
    return code;
}

/* ---- packed elements */

static sl_code compress_run(struct sl_kernel_context *k) {
    const int n = sl_in_count(k);
    struct sl_value *components;
    struct sl_str bytes;
    struct sl_object *packed = NULL;
    SL_TRY(sl_element_new(&components, n, k->err));
    for (int i = 0; i < n; i++) components[i] = *sl_in_value(k, i); /* borrowed */
    sl_code code = sl_element_compress(&bytes, components, n, k->err);
    sl_free(components);
    SL_TRY(code);
    code = sl_variant_data_new(&packed, SL_STR(SL_VARIANT_COMPRESSED_ELEMENT), bytes, NULL, 0, k->err);
    sl_free((void *)bytes.p);
    if (code == SL_OK) sl_out_object(k, 0, packed);
    return code;
}

/* Moves an element to the outputs, whose types and shapes the attrs declare. */
static sl_code give_components(struct sl_kernel_context *k, struct sl_value *components, int n) {
    if (n != sl_out_count(k))
        return sl_fail(k->err, SL_FAILED_PRECONDITION, "Expected %d outputs from this op, but got %d.", sl_out_count(k),
                       n);
    for (int i = 0; i < n; i++)
        if (components[i].dtype != sl_out_type(k, i))
            return sl_fail(k->err, SL_FAILED_PRECONDITION, "Expected %s for component %d, but got %s.",
                           sl_dtype_name(sl_out_type(k, i)), i, sl_dtype_name(components[i].dtype));
    for (int i = 0; i < n; i++) *sl_out_value(k, i) = sl_value_move(&components[i]);
    return SL_OK;
}

static sl_code uncompress_run(struct sl_kernel_context *k) {
    const struct sl_view v = sl_in(k, 0);
    const struct sl_variant_data *packed =
        v.dtype == SL_VARIANT && v.count == 1
            ? sl_variant_data_of(*(struct sl_object **)v.data, SL_VARIANT_COMPRESSED_ELEMENT)
            : NULL;
    struct sl_value *components;
    int n;
    if (!packed) return sl_invalid(k, "Tensor does not contain a compressed element");
    SL_TRY(sl_element_uncompress(&components, &n, packed->metadata, k->err));
    sl_code code = give_components(k, components, n);
    sl_element_clear(components, n);
    sl_free(components);
    return code;
}

/* ---- elements by their number */

static sl_code take_element(struct sl_kernel_context *k, struct sl_dataset *d, struct sl_data_walk *walk,
                            int64_t index) {
    struct sl_value *element;
    SL_TRY(sl_element_new(&element, d->n, k->err));
    sl_code code = sl_data_walk_element(walk, d, index, element, k->err);
    if (code == SL_OK) code = give_components(k, element, d->n);
    sl_element_clear(element, d->n);
    sl_free(element);
    return code;
}

static sl_code element_run(struct sl_kernel_context *k) {
    struct sl_dataset *d;
    struct sl_data_walk *walk;
    int64_t index;
    SL_TRY(sl_dataset_of_value(&d, sl_in_value(k, 0), k->err));
    SL_TRY(sl_in_int(&index, k, 1, "index"));
    SL_TRY(sl_data_walk_new_idle(&walk, d, k->env, k->err));
    sl_code code = take_element(k, d, walk, index);
    sl_data_walk_unref(walk);
    return code;
}

/* clang-format off */
const struct sl_kernel_def sl_any_position_rows[] = {
    KERNEL("SerializeIterator", NO_RULE, .run = serialize_run, .create = saver_create, .destroy = sl_free)
    KERNEL("DeserializeIterator", NO_RULE, .run = deserialize_run)
    KERNEL("CompressElement", NO_RULE, .run = compress_run)
    KERNEL("UncompressElement", NO_RULE, .run = uncompress_run)
    KERNEL("GetElementAtIndex", NO_RULE, .run = element_run)
    SL_ROWS_END
};
/* clang-format on */
