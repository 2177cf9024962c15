/* Lookup tables that are filled from a dataset of keys and values. */
#include "backends/any/any_kernels.h"
#include "backends/any/lookup_kernels.h"
#include "data/data_walk.h"
#include "data/element.h"

static sl_code take_entries(struct sl_element_list *entries, struct sl_kernel_context *k, struct sl_data_walk *walk) {
    for (bool is_end = false; !is_end;) {
        struct sl_value *room;
        SL_TRY(sl_element_list_room(&room, entries, k->err));
        SL_TRY(sl_data_walk_next(walk, room, &is_end, k->env, k->err));
        if (!is_end) entries->n++;
    }
    return SL_OK;
}

/* Scalars become a vector; vectors and more are joined. */
static sl_code gather(struct sl_value *out, const struct sl_element_list *entries, int c, int dtype,
                      struct sl_kernel_context *k) {
    const bool is_joined = entries->n && sl_value_view(&sl_element_at(entries, 0)[c]).rank > 0;
    for (int64_t i = 0; i < entries->n; i++)
        if (sl_element_at(entries, i)[c].dtype != dtype)
            return sl_invalid(k, "The dataset gives %s where the table has %s",
                              sl_dtype_name(sl_element_at(entries, i)[c].dtype), sl_dtype_name(dtype));
    return is_joined ? sl_element_join(out, entries, c, k->err) : sl_element_stack(out, entries, c, k->err);
}

static sl_code initialize_of(struct sl_kernel_context *k, struct sl_table *t, const struct sl_element_list *entries) {
    struct sl_value keys = {0}, values = {0};
    if (!entries->n) {
        sl_rwlock_write(&t->lock);
        t->is_initialized = true;
        sl_rwlock_unlock(&t->lock);
        return SL_OK;
    }
    sl_code code = gather(&keys, entries, 0, t->key_dtype, k);
    if (code == SL_OK) code = gather(&values, entries, 1, t->value_dtype, k);
    if (code == SL_OK && !sl_shape_equal(sl_view_shape(sl_value_view(&keys)), sl_view_shape(sl_value_view(&values))))
        code = sl_invalid(k, "The dataset gives another number of keys than of values");
    if (code == SL_OK) code = sl_table_initialize(t, &keys, &values, k->err);
    sl_value_clear(&keys);
    sl_value_clear(&values);
    return code;
}

static sl_code initialize_from_dataset(struct sl_kernel_context *k, struct sl_table *t) {
    struct sl_dataset *d;
    struct sl_data_walk *walk;
    struct sl_element_list entries = {.width = 2};
    SL_TRY(sl_table_check_initializable(k, t));
    SL_TRY(sl_dataset_of_value(&d, sl_in_value(k, 1), k->err));
    if (d->n != 2) return sl_invalid(k, "Expected the dataset to have 2 components (keys, values), got %d", d->n);
    SL_TRY(sl_data_walk_new(&walk, d, k->env, k->err));
    sl_code code = take_entries(&entries, k, walk);
    if (code == SL_OK) code = initialize_of(k, t, &entries);
    sl_element_list_clear(&entries);
    sl_data_walk_unref(walk);
    return code;
}

static sl_code dataset_run(struct sl_kernel_context *k) { return sl_with_table(k, initialize_from_dataset); }

/* clang-format off */
const struct sl_kernel_def sl_any_lookup_dataset_rows[] = {
    KERNEL("InitializeTableFromDataset", NO_RULE, .run = dataset_run)
    SL_ROWS_END
};
/* clang-format on */
