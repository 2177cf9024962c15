/* Datasets whose elements are arguments, one after another: ListDataset, and what windows and groups hold. */
#include "base/alloc.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/listed.h"
#include "data/state.h"

struct list_iterator {
    struct sl_iterator base;
    int64_t at;
};

static int64_t list_cardinality(const struct sl_dataset *d) { return d->n_values / d->n; }

static void give(struct sl_value *element, const struct sl_dataset *d, int64_t i) {
    for (int c = 0; c < d->n; c++) element[c] = sl_value_share(&d->values[i * d->n + c]);
}

static sl_code list_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    (void)err;
    struct list_iterator *it = (struct list_iterator *)self;
    *is_end = it->at >= list_cardinality(self->dataset);
    if (!*is_end) give(element, self->dataset, it->at++);
    return SL_OK;
}

static sl_code list_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                            struct sl_value *element, struct sl_error *err) {
    (void)walk, (void)err;
    give(element, d, index);
    return SL_OK;
}

static sl_code get_place(struct sl_iterator *self, const char *key, const struct sl_state *state,
                         struct sl_error *err) {
    struct list_iterator *it = (struct list_iterator *)self;
    SL_TRY(sl_state_get_int(&it->at, state, self, key, err));
    if (it->at >= 0) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "The saved state has a negative '%s'", key);
}

static sl_code list_init(struct sl_dataset *d, struct sl_error *err) {
    if (d->n_values % d->n == 0) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "%d tensors are no elements of %d components", d->n_values, d->n);
}

/* ---- ListDataset: tensors */

static sl_code list_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    SL_TRY(sl_state_put_int(state, self, ":index", ((const struct list_iterator *)self)->at, err));
    return sl_state_put_int(state, self, "global_shuffle_iterator_next_index", 0, err);
}
static sl_code list_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    return get_place(self, ":index", state, err);
}

#define LISTS                                                                                                          \
    .iterator_bytes = sizeof(struct list_iterator), .init = list_init, .cardinality = list_cardinality,                \
    .element = list_element, .next = list_next
const struct sl_dataset_kind sl_list_data = {.name = "List", .save = list_save, .restore = list_restore, LISTS};

/* ---- WindowOp, and what windows and groups hold */

static sl_code listed_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    return sl_state_put_int(state, self, "i", ((const struct list_iterator *)self)->at, err);
}
static sl_code listed_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    return get_place(self, "i", state, err);
}

const struct sl_dataset_kind sl_listed_data = {.name = "Window", .save = listed_save, .restore = listed_restore, LISTS};

sl_code sl_listed_spec_new(struct sl_dataset_spec **out, int n, const uint8_t *types, const struct sl_shape *shapes,
                           struct sl_error *err) {
    return sl_dataset_spec_new(out, &sl_listed_data, NULL, n, types, shapes, err);
}

sl_code sl_listed_make(struct sl_value *out, struct sl_dataset_spec *spec, const struct sl_element_list *list,
                       struct sl_error *err) {
    struct sl_dataset *d;
    if (list->n > INT32_MAX / list->width)
        return sl_fail(err, SL_RESOURCE_EXHAUSTED, "A window has more than %d values", INT32_MAX);
    SL_TRY(sl_dataset_new(&d, spec, NULL, 0, list->values, (int)list->n * list->width, err));
    *out = sl_dataset_value(d);
    return SL_OK;
}
