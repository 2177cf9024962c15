/* Datasets of elements that are there already: what windows and groups hold. */
#ifndef SL_DATA_LISTED_H
#define SL_DATA_LISTED_H

#include "data/element.h"
#include "data/input_dataset.h"

/* The spec of such datasets with `n` components; types and shapes are copied. The arguments of a dataset are its
 * values, element by element. Unref'd by the caller, also after a failure. */
sl_code sl_listed_spec_new(struct sl_dataset_spec **out, int n, const uint8_t *types, const struct sl_shape *shapes,
                           struct sl_error *err);
/* The dataset of these elements, which are shared, as a variant. */
sl_code sl_listed_make(struct sl_value *out, struct sl_dataset_spec *spec, const struct sl_element_list *list,
                       struct sl_error *err);

#endif
