/* Layers of networks, and losses. A layer makes its variables where it is called, under its name; images are [batch,
 * height, width, channels], sequences [time, batch, features].
 *
 *     TF_Output h = sl_layer_dense(s, "hidden", x, 128, SL_RELU);
 *     TF_Output loss = sl_loss_softmax(s, sl_layer_dense(s, "logits", h, 10, SL_LINEAR), labels);
 *
 * Errors and threads: see sluice/scope.h. */
#ifndef SLUICE_LAYERS_H
#define SLUICE_LAYERS_H

#include "sluice/variables.h"

#ifdef __cplusplus
extern "C" {
#endif

enum sl_activation { SL_LINEAR, SL_RELU, SL_TANH, SL_SIGMOID, SL_ELU, SL_SELU, SL_SOFTPLUS, SL_LEAKY_RELU };
SL_API TF_Output sl_activate(struct sl_scope *scope, TF_Output x, enum sl_activation activation);

/* [..., inputs] to [..., units]: activation(x kernel + bias). The last size of x must be known. */
SL_API TF_Output sl_layer_dense(struct sl_scope *scope, const char *name, TF_Output x, int64_t units,
                                enum sl_activation activation);
/* A convolution with a square window, padded to SAME, with bias. The channels of x must be known. */
SL_API TF_Output sl_layer_conv2d(struct sl_scope *scope, const char *name, TF_Output x, int64_t channels,
                                 int64_t window, int64_t stride, enum sl_activation activation);
/* The largest, or the mean, of each square of `window` pixels, without padding. */
SL_API TF_Output sl_layer_max_pool(struct sl_scope *scope, TF_Output x, int64_t window, int64_t stride);
SL_API TF_Output sl_layer_mean_pool(struct sl_scope *scope, TF_Output x, int64_t window, int64_t stride);
/* [batch, ...] to [batch, n]: the other sizes must be known. */
SL_API TF_Output sl_layer_flatten(struct sl_scope *scope, TF_Output x);
/* Batch normalisation of images over all but the channels (Ioffe and Szegedy 2015). When `training` is true: by the
 * batch, and `*update` is an operation that moves the averages which are used otherwise; run it with each step. */
SL_API TF_Output sl_layer_batch_norm(struct sl_scope *scope, const char *name, TF_Output x, bool training,
                                     double momentum, TF_Operation **update);
/* Drops each element with this probability and scales the others up; `is_training` is a scalar bool, {NULL, 0} for
 * true. */
SL_API TF_Output sl_layer_dropout(struct sl_scope *scope, TF_Output x, double probability, TF_Output is_training);
/* Rows of a table [entries, size], by ids of any shape: [ids..., size]. */
SL_API TF_Output sl_layer_embedding(struct sl_scope *scope, const char *name, TF_Output ids, int64_t entries,
                                    int64_t size);
/* Recurrent layers over [time, batch, inputs]: all outputs, [time, batch, units]; `last`, if not NULL, gets the last
 * one, [batch, units]. The batch may be unknown, inputs must be known. */
SL_API TF_Output sl_layer_lstm(struct sl_scope *scope, const char *name, TF_Output x, int64_t units, TF_Output *last);
SL_API TF_Output sl_layer_gru(struct sl_scope *scope, const char *name, TF_Output x, int64_t units, TF_Output *last);

/* ---- losses: scalars, the mean over the batch */
/* Of logits [batch, classes] and int32 or int64 labels [batch]. */
SL_API TF_Output sl_loss_softmax(struct sl_scope *scope, TF_Output logits, TF_Output labels);
/* Of logits and labels between 0 and 1 of the same shape. */
SL_API TF_Output sl_loss_sigmoid(struct sl_scope *scope, TF_Output logits, TF_Output labels);
SL_API TF_Output sl_loss_squares(struct sl_scope *scope, TF_Output guess, TF_Output truth);
/* The sum of the squares of all trainable variables of rank 2 or more, halved, times `weight`. */
SL_API TF_Output sl_loss_l2(struct sl_scope *scope, double weight);
/* The share of rows whose largest logit is the label's, as a float. */
SL_API TF_Output sl_accuracy(struct sl_scope *scope, TF_Output logits, TF_Output labels);
/* The mean, the sum of all elements: a scalar. */
SL_API TF_Output sl_mean_all(struct sl_scope *scope, TF_Output x);
SL_API TF_Output sl_sum_all(struct sl_scope *scope, TF_Output x);

#ifdef __cplusplus
}
#endif

#endif
