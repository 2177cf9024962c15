/* Gradient rules of the caller's, by name; thread-safe. */
#ifndef SL_CAPI_GRADIENT_REGISTRY_H
#define SL_CAPI_GRADIENT_REGISTRY_H

#include "capi/handles.h"
#include "grad/graph/backprop.h"

/* The rule of that name, which lives for ever, or NULL. For sl_gradient_spec.find_rule; `owner` is the TF_Graph,
 * locked. */
const struct sl_gradient_rule *sl_gradient_registry_find(struct sl_str name);

#endif
