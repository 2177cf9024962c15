/* AssertNextDataset: transformations, the names of what reads its elements, one behind the other. TensorFlow compares
 * them with the pipeline as it has rewritten it. Nothing is rewritten here, so that names may differ; but rewriting makes
 * at most three stages of two (a map fused with a filter) and adds a Prefetch at the end, so more names than that are wrong
 * there, too. */
#include "data/iterator.h"
#include "data/kinds.h"

static sl_code assert_next_init(struct sl_dataset *d, struct sl_error *err) {
    if (d->n_values == 1 && d->values[0].dtype == SL_STRING) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "transformations must be a vector of strings");
}

static sl_code assert_next_begin(struct sl_iterator *self, struct sl_error *err) {
    const struct sl_view names = sl_value_on_host(&self->dataset->values[0]);
    int64_t n = 0;
    for (const struct sl_iterator *it = self->parent; it; it = it->parent) {
        const char *name = it->dataset->spec->name;
        if (!name || *name) n++; /* options and the like are not seen */
    }
    n += n / 2;
    if (names.count > 0 && sl_str_is(sl_string_get((const TF_TString *)names.data + names.count - 1), "Prefetch")) n++;
    if (names.count <= n) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "Asserted next %lld transformations but encountered only %lld.",
                   (long long)names.count, (long long)n);
}

static sl_code assert_next_next(struct sl_iterator *self, struct sl_value *element, bool *is_end,
                                struct sl_error *err) {
    return sl_iterator_pull(self, element, is_end, err);
}

static sl_code assert_next_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                                   struct sl_value *element, struct sl_error *err) {
    return sl_data_walk_element(walk, d->inputs[0], index, element, err);
}

const struct sl_dataset_kind sl_assert_next_data = {.name = "AssertNext",
                                                    .keeps_types = true,
                                                    .opens_input = true,
                                                    .iterator_bytes = sizeof(struct sl_iterator),
                                                    .init = assert_next_init,
                                                    .cardinality = sl_dataset_input_cardinality,
                                                    .element = assert_next_element,
                                                    .begin = assert_next_begin,
                                                    .next = assert_next_next};
