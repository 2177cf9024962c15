/* Layers of networks, and losses. A call of a layer makes its variables, whose names begin with the layer's. Images are
 * [batch, height, width, channels], sequences [time, batch, features]. Variables and results have the type of `x`,
 * unless the comment says otherwise.
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

enum sl_activation {
    SL_LINEAR,
    SL_RELU,
    SL_TANH,
    SL_SIGMOID,
    SL_ELU,
    SL_SELU,
    SL_SOFTPLUS,
    SL_LEAKY_RELU,
    SL_GELU,         /* x P(N <= x) of a standard normal N; Hendrycks and Gimpel 2016 */
    SL_GELU_TANH,    /* the same approximately, by tanh */
    SL_SILU,         /* x sigmoid(x), also called swish */
    SL_MISH,         /* x tanh(softplus(x)) */
    SL_RELU6,        /* between 0 and 6 */
    SL_HARD_SIGMOID, /* relu6(x + 3) / 6 */
    SL_HARD_SILU,    /* x relu6(x + 3) / 6 */
    SL_SOFTSIGN,
    SL_SOFTMAX, /* over the last dimension */
    SL_LOG_SOFTMAX
};
SL_API TF_Output sl_activate(struct sl_scope *scope, TF_Output x, enum sl_activation activation);

/* From [..., inputs] to [..., units]: activation(x kernel + bias). The last size of x must be known. */
SL_API TF_Output sl_layer_dense(struct sl_scope *scope, const char *name, TF_Output x, int64_t units,
                                enum sl_activation activation);
/* From [batch, height, width, inputs] to [batch, ceil(height / stride), ceil(width / stride), channels]: a convolution
 * with a window of `window` by `window` pixels and SAME padding, a bias, and the activation. The channels of x must be
 * known. */
SL_API TF_Output sl_layer_conv2d(struct sl_scope *scope, const char *name, TF_Output x, int64_t channels,
                                 int64_t window, int64_t stride, enum sl_activation activation);
/* How a convolution treats positions over the edge of x. */
enum sl_conv_padding {
    SL_CONV_SAME,  /* as zeros; so many that the result has ceil(n / stride) of n positions */
    SL_CONV_VALID, /* not at all: the window stays within x */
    SL_CONV_CAUSAL /* of sequences: as zeros before the first position, so that none sees a later one */
};
struct sl_conv_options {
    size_t size;      /* see SL_OPTIONS (sluice/sluice.h) */
    int64_t stride;   /* 0: 1 */
    int64_t dilation; /* distance of the window's positions; 0: 1 */
    enum sl_conv_padding padding;
    bool no_bias;
    enum sl_activation activation;
};
/* The same with options, which may be NULL. */
SL_API TF_Output sl_layer_conv2d_with(struct sl_scope *scope, const char *name, TF_Output x, int64_t channels,
                                      int64_t window, const struct sl_conv_options *options);
/* From [batch, positions, inputs] to [batch, positions, channels]: the same over one dimension. */
SL_API TF_Output sl_layer_conv1d(struct sl_scope *scope, const char *name, TF_Output x, int64_t channels,
                                 int64_t window, const struct sl_conv_options *options);
/* Transposed convolutions, from n positions of each dimension to stride n or, with SL_CONV_VALID, to stride n + window -
 * stride if the window is longer than the stride. UNIMPLEMENTED with SL_CONV_CAUSAL and with dilation. */
SL_API TF_Output sl_layer_conv1d_transposed(struct sl_scope *scope, const char *name, TF_Output x, int64_t channels,
                                            int64_t window, const struct sl_conv_options *options);
SL_API TF_Output sl_layer_conv2d_transposed(struct sl_scope *scope, const char *name, TF_Output x, int64_t channels,
                                            int64_t window, const struct sl_conv_options *options);
/* The largest value, or the mean, of each window of `window` by `window` pixels, by channel, without padding. */
SL_API TF_Output sl_layer_max_pool(struct sl_scope *scope, TF_Output x, int64_t window, int64_t stride);
SL_API TF_Output sl_layer_mean_pool(struct sl_scope *scope, TF_Output x, int64_t window, int64_t stride);
/* From [batch, ...] to [batch, n]. All sizes but the batch must be known. */
SL_API TF_Output sl_layer_flatten(struct sl_scope *scope, TF_Output x);
/* Batch normalisation of images, by channel (Ioffe and Szegedy 2015). When `training` is true it normalises by the mean
 * and variance of the batch, and `*update` is an operation that moves the averages of these towards them, by
 * 1 - momentum; run it with each step. Otherwise it normalises by the averages, and `*update` is NULL. `update` may be
 * NULL. The variables are floats. */
SL_API TF_Output sl_layer_batch_norm(struct sl_scope *scope, const char *name, TF_Output x, bool training,
                                     double momentum, TF_Operation **update);
struct sl_batch_norm_options {
    size_t size;     /* see SL_OPTIONS (sluice/sluice.h) */
    double momentum; /* the averages move by 1 - momentum of the way; 0: 0.99 */
    double epsilon;  /* is added to the variance; 0: 0.001 */
};
/* The same in a graph that both trains and infers: `is_training`, a scalar bool, says by what it normalises; {NULL, 0}
 * stands for true. The averages move in each step of sl_apply_gradients that trains the scale of the layer, if
 * `is_training` is true then; that of the variance takes the squares by n - 1. x has any rank from 2 on. Not within a loop or conditional: UNIMPLEMENTED. `options` may
 * be NULL. */
SL_API TF_Output sl_layer_batch_norm_when(struct sl_scope *scope, const char *name, TF_Output x, TF_Output is_training,
                                          const struct sl_batch_norm_options *options);
/* A scalar bool for layers that differ in training: false, unless it is fed. Models that are written or frozen infer. */
SL_API TF_Output sl_is_training(struct sl_scope *scope);
/* Normalisation of each example over its last dimension (Ba et al. 2016), with a scale and an offset by feature. A
 * number `epsilon`, 0.001 if it is 0, is added to the variance. */
SL_API TF_Output sl_layer_layer_norm(struct sl_scope *scope, const char *name, TF_Output x, double epsilon);
/* Normalisation of each example of [batch, ..., channels] over so many groups of channels, which must divide them (Wu
 * and He 2018), with a scale and an offset by channel. */
SL_API TF_Output sl_layer_group_norm(struct sl_scope *scope, const char *name, TF_Output x, int64_t groups,
                                     double epsilon);
/* Sets each element to 0 with this probability, 0 to below 1, and divides the others by 1 - probability. When
 * `is_training`, a scalar bool, is false, it gives x as it is; {NULL, 0} stands for true. */
SL_API TF_Output sl_layer_dropout(struct sl_scope *scope, TF_Output x, double probability, TF_Output is_training);
/* Rows of a float variable [entries, size], by `ids`, int32 or int64 of any shape: [ids..., size]. */
SL_API TF_Output sl_layer_embedding(struct sl_scope *scope, const char *name, TF_Output ids, int64_t entries,
                                    int64_t size);
/* What becomes of the rows of a bag. */
enum sl_combiner {
    SL_BAG_SUM,
    SL_BAG_MEAN, /* the sum by that of the weights */
    SL_BAG_SQRTN /* the sum by the root of that of the weights' squares */
};
struct sl_bag_options {
    size_t size; /* see SL_OPTIONS (sluice/sluice.h) */
    enum sl_combiner combiner;
    TF_Output lengths; /* int32 or int64 [batch]: so many ids of each bag count, from the first; {NULL, 0}: all */
    TF_Output weights; /* float [batch, width], of the rows; {NULL, 0}: 1 */
};
/* One row for each bag of ids, int32 or int64 [batch, width]: [batch, size], from a float variable [entries, size]. A
 * bag without ids gives zeros. `options` may be NULL. */
SL_API TF_Output sl_layer_embedding_bag(struct sl_scope *scope, const char *name, TF_Output ids, int64_t entries,
                                        int64_t size, const struct sl_bag_options *options);
/* Recurrent layers, from [time, batch, inputs] to [time, batch, units]: the outputs at all times. `last`, if not NULL,
 * gets the last one, [batch, units]. Only `inputs` must be known. LSTM: Hochreiter and Schmidhuber 1997, with a forget
 * gate. GRU: Cho et al. 2014. */
SL_API TF_Output sl_layer_lstm(struct sl_scope *scope, const char *name, TF_Output x, int64_t units, TF_Output *last);
SL_API TF_Output sl_layer_gru(struct sl_scope *scope, const char *name, TF_Output x, int64_t units, TF_Output *last);

struct sl_recurrent_options {
    size_t size; /* see SL_OPTIONS (sluice/sluice.h) */
    TF_Output
        lengths;      /* int32 or int64 [batch]: so many times of each sequence count, from the first; {NULL, 0}: all */
    TF_Output mask;   /* bool [time, batch]: which times count; {NULL, 0}: all */
    bool batch_first; /* x and the outputs are [batch, time, ...], the mask is [batch, time] */
    bool backwards;   /* from the last time to the first */
    bool bidirectional; /* two layers, one in each direction, with variables of their own: results have 2 units */
};
/* The same with options, which may be NULL. At a time that does not count, the state stays as it is and the output is
 * 0; `last` is the output at the last time that counts, backwards at the first. */
SL_API TF_Output sl_layer_lstm_with(struct sl_scope *scope, const char *name, TF_Output x, int64_t units,
                                    TF_Output *last, const struct sl_recurrent_options *options);
SL_API TF_Output sl_layer_gru_with(struct sl_scope *scope, const char *name, TF_Output x, int64_t units,
                                   TF_Output *last, const struct sl_recurrent_options *options);
struct sl_attention_options {
    size_t size;           /* see SL_OPTIONS (sluice/sluice.h) */
    int64_t head_size;     /* features of a head; 0: those of the query by the number of heads */
    int64_t units;         /* features of the result; 0: those of the query */
    TF_Output key;         /* [batch, values, features]; {NULL, 0}: `value` */
    TF_Output mask;        /* bool [queries, values], or with a batch before: what a query sees; {NULL, 0}: all */
    TF_Output lengths;     /* int32 or int64 [batch]: so many values are seen, from the first; {NULL, 0}: all */
    bool causal;           /* the query at position i sees the values at positions 0 to i alone */
    bool no_bias;          /* of the four projections */
    double dropout;        /* probability with which a share is dropped */
    TF_Output is_training; /* of the dropout: see sl_layer_dropout */
};
/* Attention with so many heads (Vaswani et al. 2017), from a query [batch, queries, features] and a value [batch,
 * values, features] to [batch, queries, units]: for each query the mean of the values, weighted by how well their keys
 * match. A query that sees nothing gets the mean of all. The features must be known. `options` may be NULL. */
SL_API TF_Output sl_layer_attention(struct sl_scope *scope, const char *name, TF_Output query, TF_Output value,
                                    int64_t heads, const struct sl_attention_options *options);

/* ---- losses: scalars, the mean over the batch */
/* The cross-entropy of softmax(logits), [batch, classes], with the classes `labels`, int32 or int64 [batch]. */
SL_API TF_Output sl_loss_softmax(struct sl_scope *scope, TF_Output logits, TF_Output labels);
/* The cross-entropy of sigmoid(logits) with labels between 0 and 1, of the same type and shape. */
SL_API TF_Output sl_loss_sigmoid(struct sl_scope *scope, TF_Output logits, TF_Output labels);
/* The mean of the squared differences of all elements. */
SL_API TF_Output sl_loss_squares(struct sl_scope *scope, TF_Output guess, TF_Output truth);
/* weight / 2 times the sum of the squares of all elements of the scope's trainable variables of rank 2 or more. */
SL_API TF_Output sl_loss_l2(struct sl_scope *scope, double weight);
/* The share, a float from 0 to 1, of rows of logits [batch, classes] whose largest element is at labels[row]. */
SL_API TF_Output sl_accuracy(struct sl_scope *scope, TF_Output logits, TF_Output labels);
/* The mean and the sum of all elements: a scalar of the type of x. */
SL_API TF_Output sl_mean_all(struct sl_scope *scope, TF_Output x);
SL_API TF_Output sl_sum_all(struct sl_scope *scope, TF_Output x);

#ifdef __cplusplus
}
#endif

#endif
