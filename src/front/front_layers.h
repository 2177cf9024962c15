/* What layers of sluice/layers.h have in common. Used by front_*.c alone. One owner, as the scope. */
#ifndef SL_FRONT_FRONT_LAYERS_H
#define SL_FRONT_FRONT_LAYERS_H

#include "sluice/scope.h"

/* The last size of x, which must be known: the scope fails otherwise, naming the layer, and it is 1. */
int64_t sl_layer_last_size(struct sl_scope *scope, TF_Output x, const char *layer);
/* From [..., last] to [rows, last], and of rows [rows, units] to [..., units] with the outer sizes of x. */
TF_Output sl_layer_rows(struct sl_scope *scope, TF_Output x, int64_t last);
TF_Output sl_layer_unrows(struct sl_scope *scope, TF_Output rows, TF_Output x, int64_t units);
/* [batch, width]: whether a place is one of the first lengths[batch]. `width` is a scalar int32. */
TF_Output sl_layer_mask(struct sl_scope *scope, TF_Output lengths, TF_Output width);
/* From [..., inputs] to [..., units]: x kernel, perhaps with a bias. */
TF_Output sl_layer_project(struct sl_scope *scope, const char *name, TF_Output x, int64_t units, bool has_bias);
/* n sizes of x from number `first` on, as a vector; a vector of these sizes and further ones. */
TF_Output sl_layer_sizes(struct sl_scope *scope, TF_Output x, int64_t first, int64_t n);
TF_Output sl_layer_shape(struct sl_scope *scope, TF_Output outer, struct sl_ints inner);

#endif
