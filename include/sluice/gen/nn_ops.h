/* Wrappers of the nn ops, made by tools/gen_ops.py from src/ops/nn.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_NN_OPS_H
#define SLUICE_GEN_NN_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_approx_top_k_outputs {
    TF_Output values, indices;
};
struct sl_approx_top_k_attrs {
    int64_t k; /* must be given */
    int64_t reduction_dimension; /* -1 */
    float recall_target; /* 0.95 */
    enum sl_choice is_max_k; /* true */
    int64_t reduction_input_size_override; /* -1 */
    enum sl_choice aggregate_to_topk; /* true */
};
/* ApproxTopK: input: T -> values: T, indices: int32 */
static inline struct sl_approx_top_k_outputs sl_approx_top_k(struct sl_scope *scope, TF_Output input, struct sl_approx_top_k_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"k", SL_GIVEN_INT_NEEDED, &attrs.k}, {"reduction_dimension", SL_GIVEN_INT, &attrs.reduction_dimension}, {"recall_target", SL_GIVEN_FLOAT, &attrs.recall_target}, {"is_max_k", SL_GIVEN_CHOICE, &attrs.is_max_k}, {"reduction_input_size_override", SL_GIVEN_INT, &attrs.reduction_input_size_override}, {"aggregate_to_topk", SL_GIVEN_CHOICE, &attrs.aggregate_to_topk}};
    TF_Operation *const op_ = sl_op(scope, "ApproxTopK", inputs_, 1, attrs_, 6);
    const struct sl_approx_top_k_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_bias_add_attrs {
    const char *data_format; /* 'NHWC' */
};
/* BiasAdd: value: T, bias: T -> output: T */
static inline TF_Output sl_bias_add_with(struct sl_scope *scope, TF_Output value, TF_Output bias, struct sl_bias_add_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&value, -1}, {&bias, -1}};
    const struct sl_attr_given attrs_[] = {{"data_format", SL_GIVEN_STRING, &attrs.data_format}};
    return sl_op_first(sl_op(scope, "BiasAdd", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_bias_add(struct sl_scope *scope, TF_Output value, TF_Output bias) {
    const struct sl_bias_add_attrs attrs = SL_DEFAULTS;
    return sl_bias_add_with(scope, value, bias, attrs);
}

struct sl_bias_add_grad_attrs {
    const char *data_format; /* 'NHWC' */
};
/* BiasAddGrad: out_backprop: T -> output: T */
static inline TF_Output sl_bias_add_grad_with(struct sl_scope *scope, TF_Output out_backprop, struct sl_bias_add_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&out_backprop, -1}};
    const struct sl_attr_given attrs_[] = {{"data_format", SL_GIVEN_STRING, &attrs.data_format}};
    return sl_op_first(sl_op(scope, "BiasAddGrad", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_bias_add_grad(struct sl_scope *scope, TF_Output out_backprop) {
    const struct sl_bias_add_grad_attrs attrs = SL_DEFAULTS;
    return sl_bias_add_grad_with(scope, out_backprop, attrs);
}

/* BiasAddV1: value: T, bias: T -> output: T */
static inline TF_Output sl_bias_add_v1(struct sl_scope *scope, TF_Output value, TF_Output bias) {
    const struct sl_op_input inputs_[] = {{&value, -1}, {&bias, -1}};
    return sl_op_first(sl_op(scope, "BiasAddV1", inputs_, 2, NULL, 0));
}

struct sl_block_lstm_outputs {
    TF_Output i, cs, f, o, ci, co, h;
};
struct sl_block_lstm_attrs {
    float forget_bias; /* 1 */
    float cell_clip; /* 3 */
    bool use_peephole; /* false */
};
/* BlockLSTM: seq_len_max: int64, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T -> i: T, cs: T, f: T, o: T, ci: T, co: T, h: T */
static inline struct sl_block_lstm_outputs sl_block_lstm_with(struct sl_scope *scope, TF_Output seq_len_max, TF_Output x, TF_Output cs_prev, TF_Output h_prev, TF_Output w, TF_Output wci, TF_Output wcf, TF_Output wco, TF_Output b, struct sl_block_lstm_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&seq_len_max, -1}, {&x, -1}, {&cs_prev, -1}, {&h_prev, -1}, {&w, -1}, {&wci, -1}, {&wcf, -1}, {&wco, -1}, {&b, -1}};
    const struct sl_attr_given attrs_[] = {{"forget_bias", SL_GIVEN_FLOAT, &attrs.forget_bias}, {"cell_clip", SL_GIVEN_FLOAT, &attrs.cell_clip}, {"use_peephole", SL_GIVEN_BOOL, &attrs.use_peephole}};
    TF_Operation *const op_ = sl_op(scope, "BlockLSTM", inputs_, 9, attrs_, 3);
    const struct sl_block_lstm_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}, {op_, 4}, {op_, 5}, {op_, 6}};
    return outputs_;
}
static inline struct sl_block_lstm_outputs sl_block_lstm(struct sl_scope *scope, TF_Output seq_len_max, TF_Output x, TF_Output cs_prev, TF_Output h_prev, TF_Output w, TF_Output wci, TF_Output wcf, TF_Output wco, TF_Output b) {
    const struct sl_block_lstm_attrs attrs = SL_DEFAULTS;
    return sl_block_lstm_with(scope, seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, attrs);
}

struct sl_block_lstm_grad_outputs {
    TF_Output x_grad, cs_prev_grad, h_prev_grad, w_grad, wci_grad, wcf_grad, wco_grad, b_grad;
};
struct sl_block_lstm_grad_attrs {
    bool use_peephole; /* must be given */
};
/* BlockLSTMGrad: seq_len_max: int64, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T, i: T, cs: T, f: T, o: T, ci: T, co: T, h: T, cs_grad: T, h_grad: T -> x_grad: T, cs_prev_grad: T, h_prev_grad: T, w_grad: T, wci_grad: T, wcf_grad: T, wco_grad: T, b_grad: T */
static inline struct sl_block_lstm_grad_outputs sl_block_lstm_grad(struct sl_scope *scope, TF_Output seq_len_max, TF_Output x, TF_Output cs_prev, TF_Output h_prev, TF_Output w, TF_Output wci, TF_Output wcf, TF_Output wco, TF_Output b, TF_Output i, TF_Output cs, TF_Output f, TF_Output o, TF_Output ci, TF_Output co, TF_Output h, TF_Output cs_grad, TF_Output h_grad, struct sl_block_lstm_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&seq_len_max, -1}, {&x, -1}, {&cs_prev, -1}, {&h_prev, -1}, {&w, -1}, {&wci, -1}, {&wcf, -1}, {&wco, -1}, {&b, -1}, {&i, -1}, {&cs, -1}, {&f, -1}, {&o, -1}, {&ci, -1}, {&co, -1}, {&h, -1}, {&cs_grad, -1}, {&h_grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_peephole", SL_GIVEN_BOOL_NEEDED, &attrs.use_peephole}};
    TF_Operation *const op_ = sl_op(scope, "BlockLSTMGrad", inputs_, 18, attrs_, 1);
    const struct sl_block_lstm_grad_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}, {op_, 4}, {op_, 5}, {op_, 6}, {op_, 7}};
    return outputs_;
}

struct sl_block_lstm_grad_v2_outputs {
    TF_Output x_grad, cs_prev_grad, h_prev_grad, w_grad, wci_grad, wcf_grad, wco_grad, b_grad;
};
struct sl_block_lstm_grad_v2_attrs {
    bool use_peephole; /* must be given */
};
/* BlockLSTMGradV2: seq_len_max: int64, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T, i: T, cs: T, f: T, o: T, ci: T, co: T, h: T, cs_grad: T, h_grad: T -> x_grad: T, cs_prev_grad: T, h_prev_grad: T, w_grad: T, wci_grad: T, wcf_grad: T, wco_grad: T, b_grad: T */
static inline struct sl_block_lstm_grad_v2_outputs sl_block_lstm_grad_v2(struct sl_scope *scope, TF_Output seq_len_max, TF_Output x, TF_Output cs_prev, TF_Output h_prev, TF_Output w, TF_Output wci, TF_Output wcf, TF_Output wco, TF_Output b, TF_Output i, TF_Output cs, TF_Output f, TF_Output o, TF_Output ci, TF_Output co, TF_Output h, TF_Output cs_grad, TF_Output h_grad, struct sl_block_lstm_grad_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&seq_len_max, -1}, {&x, -1}, {&cs_prev, -1}, {&h_prev, -1}, {&w, -1}, {&wci, -1}, {&wcf, -1}, {&wco, -1}, {&b, -1}, {&i, -1}, {&cs, -1}, {&f, -1}, {&o, -1}, {&ci, -1}, {&co, -1}, {&h, -1}, {&cs_grad, -1}, {&h_grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_peephole", SL_GIVEN_BOOL_NEEDED, &attrs.use_peephole}};
    TF_Operation *const op_ = sl_op(scope, "BlockLSTMGradV2", inputs_, 18, attrs_, 1);
    const struct sl_block_lstm_grad_v2_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}, {op_, 4}, {op_, 5}, {op_, 6}, {op_, 7}};
    return outputs_;
}

struct sl_block_lstmv2_outputs {
    TF_Output i, cs, f, o, ci, co, h;
};
struct sl_block_lstmv2_attrs {
    float cell_clip; /* 0 */
    bool use_peephole; /* false */
};
/* BlockLSTMV2: seq_len_max: int64, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T -> i: T, cs: T, f: T, o: T, ci: T, co: T, h: T */
static inline struct sl_block_lstmv2_outputs sl_block_lstmv2_with(struct sl_scope *scope, TF_Output seq_len_max, TF_Output x, TF_Output cs_prev, TF_Output h_prev, TF_Output w, TF_Output wci, TF_Output wcf, TF_Output wco, TF_Output b, struct sl_block_lstmv2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&seq_len_max, -1}, {&x, -1}, {&cs_prev, -1}, {&h_prev, -1}, {&w, -1}, {&wci, -1}, {&wcf, -1}, {&wco, -1}, {&b, -1}};
    const struct sl_attr_given attrs_[] = {{"cell_clip", SL_GIVEN_FLOAT, &attrs.cell_clip}, {"use_peephole", SL_GIVEN_BOOL, &attrs.use_peephole}};
    TF_Operation *const op_ = sl_op(scope, "BlockLSTMV2", inputs_, 9, attrs_, 2);
    const struct sl_block_lstmv2_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}, {op_, 4}, {op_, 5}, {op_, 6}};
    return outputs_;
}
static inline struct sl_block_lstmv2_outputs sl_block_lstmv2(struct sl_scope *scope, TF_Output seq_len_max, TF_Output x, TF_Output cs_prev, TF_Output h_prev, TF_Output w, TF_Output wci, TF_Output wcf, TF_Output wco, TF_Output b) {
    const struct sl_block_lstmv2_attrs attrs = SL_DEFAULTS;
    return sl_block_lstmv2_with(scope, seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, attrs);
}

struct sl_ctc_beam_search_decoder_attrs {
    int64_t beam_width; /* must be given */
    int64_t top_paths; /* must be given */
    enum sl_choice merge_repeated; /* true */
};
/* CTCBeamSearchDecoder: inputs: T, sequence_length: int32 -> decoded_indices: top_paths * int64, decoded_values: top_paths * int64, decoded_shape: top_paths * int64, log_probability: T */
static inline TF_Operation *sl_ctc_beam_search_decoder(struct sl_scope *scope, TF_Output inputs, TF_Output sequence_length, struct sl_ctc_beam_search_decoder_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&inputs, -1}, {&sequence_length, -1}};
    const struct sl_attr_given attrs_[] = {{"beam_width", SL_GIVEN_INT_NEEDED, &attrs.beam_width}, {"top_paths", SL_GIVEN_INT_NEEDED, &attrs.top_paths}, {"merge_repeated", SL_GIVEN_CHOICE, &attrs.merge_repeated}};
    return sl_op(scope, "CTCBeamSearchDecoder", inputs_, 2, attrs_, 3);
}

struct sl_ctc_greedy_decoder_outputs {
    TF_Output decoded_indices, decoded_values, decoded_shape, log_probability;
};
struct sl_ctc_greedy_decoder_attrs {
    bool merge_repeated; /* false */
    int64_t blank_index; /* -1 */
};
/* CTCGreedyDecoder: inputs: T, sequence_length: int32 -> decoded_indices: int64, decoded_values: int64, decoded_shape: int64, log_probability: T */
static inline struct sl_ctc_greedy_decoder_outputs sl_ctc_greedy_decoder_with(struct sl_scope *scope, TF_Output inputs, TF_Output sequence_length, struct sl_ctc_greedy_decoder_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&inputs, -1}, {&sequence_length, -1}};
    const struct sl_attr_given attrs_[] = {{"merge_repeated", SL_GIVEN_BOOL, &attrs.merge_repeated}, {"blank_index", SL_GIVEN_INT, &attrs.blank_index}};
    TF_Operation *const op_ = sl_op(scope, "CTCGreedyDecoder", inputs_, 2, attrs_, 2);
    const struct sl_ctc_greedy_decoder_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}};
    return outputs_;
}
static inline struct sl_ctc_greedy_decoder_outputs sl_ctc_greedy_decoder(struct sl_scope *scope, TF_Output inputs, TF_Output sequence_length) {
    const struct sl_ctc_greedy_decoder_attrs attrs = SL_DEFAULTS;
    return sl_ctc_greedy_decoder_with(scope, inputs, sequence_length, attrs);
}

struct sl_ctc_loss_outputs {
    TF_Output loss, gradient;
};
struct sl_ctc_loss_attrs {
    bool preprocess_collapse_repeated; /* false */
    enum sl_choice ctc_merge_repeated; /* true */
    bool ignore_longer_outputs_than_inputs; /* false */
};
/* CTCLoss: inputs: T, labels_indices: int64, labels_values: int32, sequence_length: int32 -> loss: T, gradient: T */
static inline struct sl_ctc_loss_outputs sl_ctc_loss_with(struct sl_scope *scope, TF_Output inputs, TF_Output labels_indices, TF_Output labels_values, TF_Output sequence_length, struct sl_ctc_loss_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&inputs, -1}, {&labels_indices, -1}, {&labels_values, -1}, {&sequence_length, -1}};
    const struct sl_attr_given attrs_[] = {{"preprocess_collapse_repeated", SL_GIVEN_BOOL, &attrs.preprocess_collapse_repeated}, {"ctc_merge_repeated", SL_GIVEN_CHOICE, &attrs.ctc_merge_repeated}, {"ignore_longer_outputs_than_inputs", SL_GIVEN_BOOL, &attrs.ignore_longer_outputs_than_inputs}};
    TF_Operation *const op_ = sl_op(scope, "CTCLoss", inputs_, 4, attrs_, 3);
    const struct sl_ctc_loss_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}
static inline struct sl_ctc_loss_outputs sl_ctc_loss(struct sl_scope *scope, TF_Output inputs, TF_Output labels_indices, TF_Output labels_values, TF_Output sequence_length) {
    const struct sl_ctc_loss_attrs attrs = SL_DEFAULTS;
    return sl_ctc_loss_with(scope, inputs, labels_indices, labels_values, sequence_length, attrs);
}

struct sl_ctc_loss_v2_outputs {
    TF_Output loss, gradient;
};
struct sl_ctc_loss_v2_attrs {
    bool preprocess_collapse_repeated; /* false */
    enum sl_choice ctc_merge_repeated; /* true */
    bool ignore_longer_outputs_than_inputs; /* false */
};
/* CTCLossV2: inputs: float, labels_indices: int64, labels_values: int32, sequence_length: int32 -> loss: float, gradient: float */
static inline struct sl_ctc_loss_v2_outputs sl_ctc_loss_v2_with(struct sl_scope *scope, TF_Output inputs, TF_Output labels_indices, TF_Output labels_values, TF_Output sequence_length, struct sl_ctc_loss_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&inputs, -1}, {&labels_indices, -1}, {&labels_values, -1}, {&sequence_length, -1}};
    const struct sl_attr_given attrs_[] = {{"preprocess_collapse_repeated", SL_GIVEN_BOOL, &attrs.preprocess_collapse_repeated}, {"ctc_merge_repeated", SL_GIVEN_CHOICE, &attrs.ctc_merge_repeated}, {"ignore_longer_outputs_than_inputs", SL_GIVEN_BOOL, &attrs.ignore_longer_outputs_than_inputs}};
    TF_Operation *const op_ = sl_op(scope, "CTCLossV2", inputs_, 4, attrs_, 3);
    const struct sl_ctc_loss_v2_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}
static inline struct sl_ctc_loss_v2_outputs sl_ctc_loss_v2(struct sl_scope *scope, TF_Output inputs, TF_Output labels_indices, TF_Output labels_values, TF_Output sequence_length) {
    const struct sl_ctc_loss_v2_attrs attrs = SL_DEFAULTS;
    return sl_ctc_loss_v2_with(scope, inputs, labels_indices, labels_values, sequence_length, attrs);
}

struct sl_cudnn_rnn_outputs {
    TF_Output output, output_h, output_c, reserve_space;
};
struct sl_cudnn_rnn_attrs {
    const char *rnn_mode; /* 'lstm' */
    const char *input_mode; /* 'linear_input' */
    const char *direction; /* 'unidirectional' */
    float dropout; /* 0 */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
    enum sl_choice is_training; /* true */
};
/* CudnnRNN: input: T, input_h: T, input_c: T, params: T -> output: T, output_h: T, output_c: T, reserve_space: T */
static inline struct sl_cudnn_rnn_outputs sl_cudnn_rnn_with(struct sl_scope *scope, TF_Output input, TF_Output input_h, TF_Output input_c, TF_Output params, struct sl_cudnn_rnn_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&input_h, -1}, {&input_c, -1}, {&params, -1}};
    const struct sl_attr_given attrs_[] = {{"rnn_mode", SL_GIVEN_STRING, &attrs.rnn_mode}, {"input_mode", SL_GIVEN_STRING, &attrs.input_mode}, {"direction", SL_GIVEN_STRING, &attrs.direction}, {"dropout", SL_GIVEN_FLOAT, &attrs.dropout}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}, {"is_training", SL_GIVEN_CHOICE, &attrs.is_training}};
    TF_Operation *const op_ = sl_op(scope, "CudnnRNN", inputs_, 4, attrs_, 7);
    const struct sl_cudnn_rnn_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}};
    return outputs_;
}
static inline struct sl_cudnn_rnn_outputs sl_cudnn_rnn(struct sl_scope *scope, TF_Output input, TF_Output input_h, TF_Output input_c, TF_Output params) {
    const struct sl_cudnn_rnn_attrs attrs = SL_DEFAULTS;
    return sl_cudnn_rnn_with(scope, input, input_h, input_c, params, attrs);
}

struct sl_cudnn_rnn_backprop_outputs {
    TF_Output input_backprop, input_h_backprop, input_c_backprop, params_backprop;
};
struct sl_cudnn_rnn_backprop_attrs {
    const char *rnn_mode; /* 'lstm' */
    const char *input_mode; /* 'linear_input' */
    const char *direction; /* 'unidirectional' */
    float dropout; /* 0 */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* CudnnRNNBackprop: input: T, input_h: T, input_c: T, params: T, output: T, output_h: T, output_c: T, output_backprop: T, output_h_backprop: T, output_c_backprop: T, reserve_space: T -> input_backprop: T, input_h_backprop: T, input_c_backprop: T, params_backprop: T */
static inline struct sl_cudnn_rnn_backprop_outputs sl_cudnn_rnn_backprop_with(struct sl_scope *scope, TF_Output input, TF_Output input_h, TF_Output input_c, TF_Output params, TF_Output output, TF_Output output_h, TF_Output output_c, TF_Output output_backprop, TF_Output output_h_backprop, TF_Output output_c_backprop, TF_Output reserve_space, struct sl_cudnn_rnn_backprop_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&input_h, -1}, {&input_c, -1}, {&params, -1}, {&output, -1}, {&output_h, -1}, {&output_c, -1}, {&output_backprop, -1}, {&output_h_backprop, -1}, {&output_c_backprop, -1}, {&reserve_space, -1}};
    const struct sl_attr_given attrs_[] = {{"rnn_mode", SL_GIVEN_STRING, &attrs.rnn_mode}, {"input_mode", SL_GIVEN_STRING, &attrs.input_mode}, {"direction", SL_GIVEN_STRING, &attrs.direction}, {"dropout", SL_GIVEN_FLOAT, &attrs.dropout}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    TF_Operation *const op_ = sl_op(scope, "CudnnRNNBackprop", inputs_, 11, attrs_, 6);
    const struct sl_cudnn_rnn_backprop_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}};
    return outputs_;
}
static inline struct sl_cudnn_rnn_backprop_outputs sl_cudnn_rnn_backprop(struct sl_scope *scope, TF_Output input, TF_Output input_h, TF_Output input_c, TF_Output params, TF_Output output, TF_Output output_h, TF_Output output_c, TF_Output output_backprop, TF_Output output_h_backprop, TF_Output output_c_backprop, TF_Output reserve_space) {
    const struct sl_cudnn_rnn_backprop_attrs attrs = SL_DEFAULTS;
    return sl_cudnn_rnn_backprop_with(scope, input, input_h, input_c, params, output, output_h, output_c, output_backprop, output_h_backprop, output_c_backprop, reserve_space, attrs);
}

struct sl_cudnn_rnn_backprop_v2_outputs {
    TF_Output input_backprop, input_h_backprop, input_c_backprop, params_backprop;
};
struct sl_cudnn_rnn_backprop_v2_attrs {
    const char *rnn_mode; /* 'lstm' */
    const char *input_mode; /* 'linear_input' */
    const char *direction; /* 'unidirectional' */
    float dropout; /* 0 */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* CudnnRNNBackpropV2: input: T, input_h: T, input_c: T, params: T, output: T, output_h: T, output_c: T, output_backprop: T, output_h_backprop: T, output_c_backprop: T, reserve_space: T, host_reserved: int8 -> input_backprop: T, input_h_backprop: T, input_c_backprop: T, params_backprop: T */
static inline struct sl_cudnn_rnn_backprop_v2_outputs sl_cudnn_rnn_backprop_v2_with(struct sl_scope *scope, TF_Output input, TF_Output input_h, TF_Output input_c, TF_Output params, TF_Output output, TF_Output output_h, TF_Output output_c, TF_Output output_backprop, TF_Output output_h_backprop, TF_Output output_c_backprop, TF_Output reserve_space, TF_Output host_reserved, struct sl_cudnn_rnn_backprop_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&input_h, -1}, {&input_c, -1}, {&params, -1}, {&output, -1}, {&output_h, -1}, {&output_c, -1}, {&output_backprop, -1}, {&output_h_backprop, -1}, {&output_c_backprop, -1}, {&reserve_space, -1}, {&host_reserved, -1}};
    const struct sl_attr_given attrs_[] = {{"rnn_mode", SL_GIVEN_STRING, &attrs.rnn_mode}, {"input_mode", SL_GIVEN_STRING, &attrs.input_mode}, {"direction", SL_GIVEN_STRING, &attrs.direction}, {"dropout", SL_GIVEN_FLOAT, &attrs.dropout}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    TF_Operation *const op_ = sl_op(scope, "CudnnRNNBackpropV2", inputs_, 12, attrs_, 6);
    const struct sl_cudnn_rnn_backprop_v2_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}};
    return outputs_;
}
static inline struct sl_cudnn_rnn_backprop_v2_outputs sl_cudnn_rnn_backprop_v2(struct sl_scope *scope, TF_Output input, TF_Output input_h, TF_Output input_c, TF_Output params, TF_Output output, TF_Output output_h, TF_Output output_c, TF_Output output_backprop, TF_Output output_h_backprop, TF_Output output_c_backprop, TF_Output reserve_space, TF_Output host_reserved) {
    const struct sl_cudnn_rnn_backprop_v2_attrs attrs = SL_DEFAULTS;
    return sl_cudnn_rnn_backprop_v2_with(scope, input, input_h, input_c, params, output, output_h, output_c, output_backprop, output_h_backprop, output_c_backprop, reserve_space, host_reserved, attrs);
}

struct sl_cudnn_rnn_backprop_v3_outputs {
    TF_Output input_backprop, input_h_backprop, input_c_backprop, params_backprop;
};
struct sl_cudnn_rnn_backprop_v3_attrs {
    const char *rnn_mode; /* 'lstm' */
    const char *input_mode; /* 'linear_input' */
    const char *direction; /* 'unidirectional' */
    float dropout; /* 0 */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
    int64_t num_proj; /* 0 */
    enum sl_choice time_major; /* true */
};
/* CudnnRNNBackpropV3: input: T, input_h: T, input_c: T, params: T, sequence_lengths: int32, output: T, output_h: T, output_c: T, output_backprop: T, output_h_backprop: T, output_c_backprop: T, reserve_space: T, host_reserved: int8 -> input_backprop: T, input_h_backprop: T, input_c_backprop: T, params_backprop: T */
static inline struct sl_cudnn_rnn_backprop_v3_outputs sl_cudnn_rnn_backprop_v3_with(struct sl_scope *scope, TF_Output input, TF_Output input_h, TF_Output input_c, TF_Output params, TF_Output sequence_lengths, TF_Output output, TF_Output output_h, TF_Output output_c, TF_Output output_backprop, TF_Output output_h_backprop, TF_Output output_c_backprop, TF_Output reserve_space, TF_Output host_reserved, struct sl_cudnn_rnn_backprop_v3_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&input_h, -1}, {&input_c, -1}, {&params, -1}, {&sequence_lengths, -1}, {&output, -1}, {&output_h, -1}, {&output_c, -1}, {&output_backprop, -1}, {&output_h_backprop, -1}, {&output_c_backprop, -1}, {&reserve_space, -1}, {&host_reserved, -1}};
    const struct sl_attr_given attrs_[] = {{"rnn_mode", SL_GIVEN_STRING, &attrs.rnn_mode}, {"input_mode", SL_GIVEN_STRING, &attrs.input_mode}, {"direction", SL_GIVEN_STRING, &attrs.direction}, {"dropout", SL_GIVEN_FLOAT, &attrs.dropout}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}, {"num_proj", SL_GIVEN_INT, &attrs.num_proj}, {"time_major", SL_GIVEN_CHOICE, &attrs.time_major}};
    TF_Operation *const op_ = sl_op(scope, "CudnnRNNBackpropV3", inputs_, 13, attrs_, 8);
    const struct sl_cudnn_rnn_backprop_v3_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}};
    return outputs_;
}
static inline struct sl_cudnn_rnn_backprop_v3_outputs sl_cudnn_rnn_backprop_v3(struct sl_scope *scope, TF_Output input, TF_Output input_h, TF_Output input_c, TF_Output params, TF_Output sequence_lengths, TF_Output output, TF_Output output_h, TF_Output output_c, TF_Output output_backprop, TF_Output output_h_backprop, TF_Output output_c_backprop, TF_Output reserve_space, TF_Output host_reserved) {
    const struct sl_cudnn_rnn_backprop_v3_attrs attrs = SL_DEFAULTS;
    return sl_cudnn_rnn_backprop_v3_with(scope, input, input_h, input_c, params, sequence_lengths, output, output_h, output_c, output_backprop, output_h_backprop, output_c_backprop, reserve_space, host_reserved, attrs);
}

struct sl_cudnn_rnn_canonical_to_params_attrs {
    const char *rnn_mode; /* 'lstm' */
    const char *input_mode; /* 'linear_input' */
    const char *direction; /* 'unidirectional' */
    float dropout; /* 0 */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* CudnnRNNCanonicalToParams: num_layers: int32, num_units: int32, input_size: int32, weights: num_params * T, biases: num_params * T -> params: T */
static inline TF_Output sl_cudnn_rnn_canonical_to_params_with(struct sl_scope *scope, TF_Output num_layers, TF_Output num_units, TF_Output input_size, const TF_Output *weights, int num_weights, const TF_Output *biases, int num_biases, struct sl_cudnn_rnn_canonical_to_params_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&num_layers, -1}, {&num_units, -1}, {&input_size, -1}, {weights, num_weights}, {biases, num_biases}};
    const struct sl_attr_given attrs_[] = {{"rnn_mode", SL_GIVEN_STRING, &attrs.rnn_mode}, {"input_mode", SL_GIVEN_STRING, &attrs.input_mode}, {"direction", SL_GIVEN_STRING, &attrs.direction}, {"dropout", SL_GIVEN_FLOAT, &attrs.dropout}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    return sl_op_first(sl_op(scope, "CudnnRNNCanonicalToParams", inputs_, 5, attrs_, 6));
}
static inline TF_Output sl_cudnn_rnn_canonical_to_params(struct sl_scope *scope, TF_Output num_layers, TF_Output num_units, TF_Output input_size, const TF_Output *weights, int num_weights, const TF_Output *biases, int num_biases) {
    const struct sl_cudnn_rnn_canonical_to_params_attrs attrs = SL_DEFAULTS;
    return sl_cudnn_rnn_canonical_to_params_with(scope, num_layers, num_units, input_size, weights, num_weights, biases, num_biases, attrs);
}

struct sl_cudnn_rnn_canonical_to_params_v2_attrs {
    const char *rnn_mode; /* 'lstm' */
    const char *input_mode; /* 'linear_input' */
    const char *direction; /* 'unidirectional' */
    float dropout; /* 0 */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
    int64_t num_proj; /* 0 */
};
/* CudnnRNNCanonicalToParamsV2: num_layers: int32, num_units: int32, input_size: int32, weights: num_params_weights * T, biases: num_params_biases * T -> params: T */
static inline TF_Output sl_cudnn_rnn_canonical_to_params_v2_with(struct sl_scope *scope, TF_Output num_layers, TF_Output num_units, TF_Output input_size, const TF_Output *weights, int num_weights, const TF_Output *biases, int num_biases, struct sl_cudnn_rnn_canonical_to_params_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&num_layers, -1}, {&num_units, -1}, {&input_size, -1}, {weights, num_weights}, {biases, num_biases}};
    const struct sl_attr_given attrs_[] = {{"rnn_mode", SL_GIVEN_STRING, &attrs.rnn_mode}, {"input_mode", SL_GIVEN_STRING, &attrs.input_mode}, {"direction", SL_GIVEN_STRING, &attrs.direction}, {"dropout", SL_GIVEN_FLOAT, &attrs.dropout}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}, {"num_proj", SL_GIVEN_INT, &attrs.num_proj}};
    return sl_op_first(sl_op(scope, "CudnnRNNCanonicalToParamsV2", inputs_, 5, attrs_, 7));
}
static inline TF_Output sl_cudnn_rnn_canonical_to_params_v2(struct sl_scope *scope, TF_Output num_layers, TF_Output num_units, TF_Output input_size, const TF_Output *weights, int num_weights, const TF_Output *biases, int num_biases) {
    const struct sl_cudnn_rnn_canonical_to_params_v2_attrs attrs = SL_DEFAULTS;
    return sl_cudnn_rnn_canonical_to_params_v2_with(scope, num_layers, num_units, input_size, weights, num_weights, biases, num_biases, attrs);
}

struct sl_cudnn_rnn_params_size_attrs {
    TF_DataType T; /* must be given */
    TF_DataType S; /* must be given */
    const char *rnn_mode; /* 'lstm' */
    const char *input_mode; /* 'linear_input' */
    const char *direction; /* 'unidirectional' */
    float dropout; /* 0 */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
    int64_t num_proj; /* 0 */
};
/* CudnnRNNParamsSize: num_layers: int32, num_units: int32, input_size: int32 -> params_size: S */
static inline TF_Output sl_cudnn_rnn_params_size(struct sl_scope *scope, TF_Output num_layers, TF_Output num_units, TF_Output input_size, struct sl_cudnn_rnn_params_size_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&num_layers, -1}, {&num_units, -1}, {&input_size, -1}};
    const struct sl_attr_given attrs_[] = {{"T", SL_GIVEN_TYPE, &attrs.T}, {"S", SL_GIVEN_TYPE, &attrs.S}, {"rnn_mode", SL_GIVEN_STRING, &attrs.rnn_mode}, {"input_mode", SL_GIVEN_STRING, &attrs.input_mode}, {"direction", SL_GIVEN_STRING, &attrs.direction}, {"dropout", SL_GIVEN_FLOAT, &attrs.dropout}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}, {"num_proj", SL_GIVEN_INT, &attrs.num_proj}};
    return sl_op_first(sl_op(scope, "CudnnRNNParamsSize", inputs_, 3, attrs_, 9));
}

struct sl_cudnn_rnn_params_to_canonical_attrs {
    int64_t num_params; /* must be given */
    const char *rnn_mode; /* 'lstm' */
    const char *input_mode; /* 'linear_input' */
    const char *direction; /* 'unidirectional' */
    float dropout; /* 0 */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* CudnnRNNParamsToCanonical: num_layers: int32, num_units: int32, input_size: int32, params: T -> weights: num_params * T, biases: num_params * T */
static inline TF_Operation *sl_cudnn_rnn_params_to_canonical(struct sl_scope *scope, TF_Output num_layers, TF_Output num_units, TF_Output input_size, TF_Output params, struct sl_cudnn_rnn_params_to_canonical_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&num_layers, -1}, {&num_units, -1}, {&input_size, -1}, {&params, -1}};
    const struct sl_attr_given attrs_[] = {{"num_params", SL_GIVEN_INT_NEEDED, &attrs.num_params}, {"rnn_mode", SL_GIVEN_STRING, &attrs.rnn_mode}, {"input_mode", SL_GIVEN_STRING, &attrs.input_mode}, {"direction", SL_GIVEN_STRING, &attrs.direction}, {"dropout", SL_GIVEN_FLOAT, &attrs.dropout}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    return sl_op(scope, "CudnnRNNParamsToCanonical", inputs_, 4, attrs_, 7);
}

struct sl_cudnn_rnn_params_to_canonical_v2_attrs {
    int64_t num_params_weights; /* must be given */
    int64_t num_params_biases; /* must be given */
    const char *rnn_mode; /* 'lstm' */
    const char *input_mode; /* 'linear_input' */
    const char *direction; /* 'unidirectional' */
    float dropout; /* 0 */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
    int64_t num_proj; /* 0 */
};
/* CudnnRNNParamsToCanonicalV2: num_layers: int32, num_units: int32, input_size: int32, params: T -> weights: num_params_weights * T, biases: num_params_biases * T */
static inline TF_Operation *sl_cudnn_rnn_params_to_canonical_v2(struct sl_scope *scope, TF_Output num_layers, TF_Output num_units, TF_Output input_size, TF_Output params, struct sl_cudnn_rnn_params_to_canonical_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&num_layers, -1}, {&num_units, -1}, {&input_size, -1}, {&params, -1}};
    const struct sl_attr_given attrs_[] = {{"num_params_weights", SL_GIVEN_INT_NEEDED, &attrs.num_params_weights}, {"num_params_biases", SL_GIVEN_INT_NEEDED, &attrs.num_params_biases}, {"rnn_mode", SL_GIVEN_STRING, &attrs.rnn_mode}, {"input_mode", SL_GIVEN_STRING, &attrs.input_mode}, {"direction", SL_GIVEN_STRING, &attrs.direction}, {"dropout", SL_GIVEN_FLOAT, &attrs.dropout}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}, {"num_proj", SL_GIVEN_INT, &attrs.num_proj}};
    return sl_op(scope, "CudnnRNNParamsToCanonicalV2", inputs_, 4, attrs_, 9);
}

struct sl_cudnn_rnnv2_outputs {
    TF_Output output, output_h, output_c, reserve_space, host_reserved;
};
struct sl_cudnn_rnnv2_attrs {
    const char *rnn_mode; /* 'lstm' */
    const char *input_mode; /* 'linear_input' */
    const char *direction; /* 'unidirectional' */
    float dropout; /* 0 */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
    enum sl_choice is_training; /* true */
};
/* CudnnRNNV2: input: T, input_h: T, input_c: T, params: T -> output: T, output_h: T, output_c: T, reserve_space: T, host_reserved: int8 */
static inline struct sl_cudnn_rnnv2_outputs sl_cudnn_rnnv2_with(struct sl_scope *scope, TF_Output input, TF_Output input_h, TF_Output input_c, TF_Output params, struct sl_cudnn_rnnv2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&input_h, -1}, {&input_c, -1}, {&params, -1}};
    const struct sl_attr_given attrs_[] = {{"rnn_mode", SL_GIVEN_STRING, &attrs.rnn_mode}, {"input_mode", SL_GIVEN_STRING, &attrs.input_mode}, {"direction", SL_GIVEN_STRING, &attrs.direction}, {"dropout", SL_GIVEN_FLOAT, &attrs.dropout}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}, {"is_training", SL_GIVEN_CHOICE, &attrs.is_training}};
    TF_Operation *const op_ = sl_op(scope, "CudnnRNNV2", inputs_, 4, attrs_, 7);
    const struct sl_cudnn_rnnv2_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}, {op_, 4}};
    return outputs_;
}
static inline struct sl_cudnn_rnnv2_outputs sl_cudnn_rnnv2(struct sl_scope *scope, TF_Output input, TF_Output input_h, TF_Output input_c, TF_Output params) {
    const struct sl_cudnn_rnnv2_attrs attrs = SL_DEFAULTS;
    return sl_cudnn_rnnv2_with(scope, input, input_h, input_c, params, attrs);
}

struct sl_cudnn_rnnv3_outputs {
    TF_Output output, output_h, output_c, reserve_space, host_reserved;
};
struct sl_cudnn_rnnv3_attrs {
    const char *rnn_mode; /* 'lstm' */
    const char *input_mode; /* 'linear_input' */
    const char *direction; /* 'unidirectional' */
    float dropout; /* 0 */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
    int64_t num_proj; /* 0 */
    enum sl_choice is_training; /* true */
    enum sl_choice time_major; /* true */
};
/* CudnnRNNV3: input: T, input_h: T, input_c: T, params: T, sequence_lengths: int32 -> output: T, output_h: T, output_c: T, reserve_space: T, host_reserved: int8 */
static inline struct sl_cudnn_rnnv3_outputs sl_cudnn_rnnv3_with(struct sl_scope *scope, TF_Output input, TF_Output input_h, TF_Output input_c, TF_Output params, TF_Output sequence_lengths, struct sl_cudnn_rnnv3_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&input_h, -1}, {&input_c, -1}, {&params, -1}, {&sequence_lengths, -1}};
    const struct sl_attr_given attrs_[] = {{"rnn_mode", SL_GIVEN_STRING, &attrs.rnn_mode}, {"input_mode", SL_GIVEN_STRING, &attrs.input_mode}, {"direction", SL_GIVEN_STRING, &attrs.direction}, {"dropout", SL_GIVEN_FLOAT, &attrs.dropout}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}, {"num_proj", SL_GIVEN_INT, &attrs.num_proj}, {"is_training", SL_GIVEN_CHOICE, &attrs.is_training}, {"time_major", SL_GIVEN_CHOICE, &attrs.time_major}};
    TF_Operation *const op_ = sl_op(scope, "CudnnRNNV3", inputs_, 5, attrs_, 9);
    const struct sl_cudnn_rnnv3_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}, {op_, 4}};
    return outputs_;
}
static inline struct sl_cudnn_rnnv3_outputs sl_cudnn_rnnv3(struct sl_scope *scope, TF_Output input, TF_Output input_h, TF_Output input_c, TF_Output params, TF_Output sequence_lengths) {
    const struct sl_cudnn_rnnv3_attrs attrs = SL_DEFAULTS;
    return sl_cudnn_rnnv3_with(scope, input, input_h, input_c, params, sequence_lengths, attrs);
}

struct sl_data_format_dim_map_attrs {
    const char *src_format; /* 'NHWC' */
    const char *dst_format; /* 'NCHW' */
};
/* DataFormatDimMap: x: T -> y: T */
static inline TF_Output sl_data_format_dim_map_with(struct sl_scope *scope, TF_Output x, struct sl_data_format_dim_map_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    const struct sl_attr_given attrs_[] = {{"src_format", SL_GIVEN_STRING, &attrs.src_format}, {"dst_format", SL_GIVEN_STRING, &attrs.dst_format}};
    return sl_op_first(sl_op(scope, "DataFormatDimMap", inputs_, 1, attrs_, 2));
}
static inline TF_Output sl_data_format_dim_map(struct sl_scope *scope, TF_Output x) {
    const struct sl_data_format_dim_map_attrs attrs = SL_DEFAULTS;
    return sl_data_format_dim_map_with(scope, x, attrs);
}

struct sl_data_format_vec_permute_attrs {
    const char *src_format; /* 'NHWC' */
    const char *dst_format; /* 'NCHW' */
};
/* DataFormatVecPermute: x: T -> y: T */
static inline TF_Output sl_data_format_vec_permute_with(struct sl_scope *scope, TF_Output x, struct sl_data_format_vec_permute_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    const struct sl_attr_given attrs_[] = {{"src_format", SL_GIVEN_STRING, &attrs.src_format}, {"dst_format", SL_GIVEN_STRING, &attrs.dst_format}};
    return sl_op_first(sl_op(scope, "DataFormatVecPermute", inputs_, 1, attrs_, 2));
}
static inline TF_Output sl_data_format_vec_permute(struct sl_scope *scope, TF_Output x) {
    const struct sl_data_format_vec_permute_attrs attrs = SL_DEFAULTS;
    return sl_data_format_vec_permute_with(scope, x, attrs);
}

/* Elu: features: T -> activations: T */
static inline TF_Output sl_elu(struct sl_scope *scope, TF_Output features) {
    const struct sl_op_input inputs_[] = {{&features, -1}};
    return sl_op_first(sl_op(scope, "Elu", inputs_, 1, NULL, 0));
}

/* EluGrad: gradients: T, outputs: T -> backprops: T */
static inline TF_Output sl_elu_grad(struct sl_scope *scope, TF_Output gradients, TF_Output outputs) {
    const struct sl_op_input inputs_[] = {{&gradients, -1}, {&outputs, -1}};
    return sl_op_first(sl_op(scope, "EluGrad", inputs_, 2, NULL, 0));
}

struct sl_gru_block_cell_outputs {
    TF_Output r, u, c, h;
};
/* GRUBlockCell: x: T, h_prev: T, w_ru: T, w_c: T, b_ru: T, b_c: T -> r: T, u: T, c: T, h: T */
static inline struct sl_gru_block_cell_outputs sl_gru_block_cell(struct sl_scope *scope, TF_Output x, TF_Output h_prev, TF_Output w_ru, TF_Output w_c, TF_Output b_ru, TF_Output b_c) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&h_prev, -1}, {&w_ru, -1}, {&w_c, -1}, {&b_ru, -1}, {&b_c, -1}};
    TF_Operation *const op_ = sl_op(scope, "GRUBlockCell", inputs_, 6, NULL, 0);
    const struct sl_gru_block_cell_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}};
    return outputs_;
}

struct sl_gru_block_cell_grad_outputs {
    TF_Output d_x, d_h_prev, d_c_bar, d_r_bar_u_bar;
};
/* GRUBlockCellGrad: x: T, h_prev: T, w_ru: T, w_c: T, b_ru: T, b_c: T, r: T, u: T, c: T, d_h: T -> d_x: T, d_h_prev: T, d_c_bar: T, d_r_bar_u_bar: T */
static inline struct sl_gru_block_cell_grad_outputs sl_gru_block_cell_grad(struct sl_scope *scope, TF_Output x, TF_Output h_prev, TF_Output w_ru, TF_Output w_c, TF_Output b_ru, TF_Output b_c, TF_Output r, TF_Output u, TF_Output c, TF_Output d_h) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&h_prev, -1}, {&w_ru, -1}, {&w_c, -1}, {&b_ru, -1}, {&b_c, -1}, {&r, -1}, {&u, -1}, {&c, -1}, {&d_h, -1}};
    TF_Operation *const op_ = sl_op(scope, "GRUBlockCellGrad", inputs_, 10, NULL, 0);
    const struct sl_gru_block_cell_grad_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}};
    return outputs_;
}

struct sl_in_top_k_attrs {
    int64_t k; /* must be given */
};
/* InTopK: predictions: float, targets: T -> precision: bool */
static inline TF_Output sl_in_top_k(struct sl_scope *scope, TF_Output predictions, TF_Output targets, struct sl_in_top_k_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&predictions, -1}, {&targets, -1}};
    const struct sl_attr_given attrs_[] = {{"k", SL_GIVEN_INT_NEEDED, &attrs.k}};
    return sl_op_first(sl_op(scope, "InTopK", inputs_, 2, attrs_, 1));
}

/* InTopKV2: predictions: float, targets: T, k: T -> precision: bool */
static inline TF_Output sl_in_top_kv2(struct sl_scope *scope, TF_Output predictions, TF_Output targets, TF_Output k) {
    const struct sl_op_input inputs_[] = {{&predictions, -1}, {&targets, -1}, {&k, -1}};
    return sl_op_first(sl_op(scope, "InTopKV2", inputs_, 3, NULL, 0));
}

struct sl_isotonic_regression_outputs {
    TF_Output output, segments;
};
struct sl_isotonic_regression_attrs {
    TF_DataType output_dtype; /* DT_FLOAT */
};
/* IsotonicRegression: input: T -> output: output_dtype, segments: int32 */
static inline struct sl_isotonic_regression_outputs sl_isotonic_regression_with(struct sl_scope *scope, TF_Output input, struct sl_isotonic_regression_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"output_dtype", SL_GIVEN_TYPE, &attrs.output_dtype}};
    TF_Operation *const op_ = sl_op(scope, "IsotonicRegression", inputs_, 1, attrs_, 1);
    const struct sl_isotonic_regression_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}
static inline struct sl_isotonic_regression_outputs sl_isotonic_regression(struct sl_scope *scope, TF_Output input) {
    const struct sl_isotonic_regression_attrs attrs = SL_DEFAULTS;
    return sl_isotonic_regression_with(scope, input, attrs);
}

struct sl_kth_order_statistic_attrs {
    int64_t k; /* must be given */
};
/* KthOrderStatistic: input: float -> output: float */
static inline TF_Output sl_kth_order_statistic(struct sl_scope *scope, TF_Output input, struct sl_kth_order_statistic_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"k", SL_GIVEN_INT_NEEDED, &attrs.k}};
    return sl_op_first(sl_op(scope, "KthOrderStatistic", inputs_, 1, attrs_, 1));
}

/* L2Loss: t: T -> output: T */
static inline TF_Output sl_l2_loss(struct sl_scope *scope, TF_Output t) {
    const struct sl_op_input inputs_[] = {{&t, -1}};
    return sl_op_first(sl_op(scope, "L2Loss", inputs_, 1, NULL, 0));
}

struct sl_lstm_block_cell_outputs {
    TF_Output i, cs, f, o, ci, co, h;
};
struct sl_lstm_block_cell_attrs {
    float forget_bias; /* 1 */
    float cell_clip; /* 3 */
    bool use_peephole; /* false */
};
/* LSTMBlockCell: x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T -> i: T, cs: T, f: T, o: T, ci: T, co: T, h: T */
static inline struct sl_lstm_block_cell_outputs sl_lstm_block_cell_with(struct sl_scope *scope, TF_Output x, TF_Output cs_prev, TF_Output h_prev, TF_Output w, TF_Output wci, TF_Output wcf, TF_Output wco, TF_Output b, struct sl_lstm_block_cell_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&cs_prev, -1}, {&h_prev, -1}, {&w, -1}, {&wci, -1}, {&wcf, -1}, {&wco, -1}, {&b, -1}};
    const struct sl_attr_given attrs_[] = {{"forget_bias", SL_GIVEN_FLOAT, &attrs.forget_bias}, {"cell_clip", SL_GIVEN_FLOAT, &attrs.cell_clip}, {"use_peephole", SL_GIVEN_BOOL, &attrs.use_peephole}};
    TF_Operation *const op_ = sl_op(scope, "LSTMBlockCell", inputs_, 8, attrs_, 3);
    const struct sl_lstm_block_cell_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}, {op_, 4}, {op_, 5}, {op_, 6}};
    return outputs_;
}
static inline struct sl_lstm_block_cell_outputs sl_lstm_block_cell(struct sl_scope *scope, TF_Output x, TF_Output cs_prev, TF_Output h_prev, TF_Output w, TF_Output wci, TF_Output wcf, TF_Output wco, TF_Output b) {
    const struct sl_lstm_block_cell_attrs attrs = SL_DEFAULTS;
    return sl_lstm_block_cell_with(scope, x, cs_prev, h_prev, w, wci, wcf, wco, b, attrs);
}

struct sl_lstm_block_cell_grad_outputs {
    TF_Output cs_prev_grad, dicfo, wci_grad, wcf_grad, wco_grad;
};
struct sl_lstm_block_cell_grad_attrs {
    bool use_peephole; /* must be given */
};
/* LSTMBlockCellGrad: x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T, i: T, cs: T, f: T, o: T, ci: T, co: T, cs_grad: T, h_grad: T -> cs_prev_grad: T, dicfo: T, wci_grad: T, wcf_grad: T, wco_grad: T */
static inline struct sl_lstm_block_cell_grad_outputs sl_lstm_block_cell_grad(struct sl_scope *scope, TF_Output x, TF_Output cs_prev, TF_Output h_prev, TF_Output w, TF_Output wci, TF_Output wcf, TF_Output wco, TF_Output b, TF_Output i, TF_Output cs, TF_Output f, TF_Output o, TF_Output ci, TF_Output co, TF_Output cs_grad, TF_Output h_grad, struct sl_lstm_block_cell_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&cs_prev, -1}, {&h_prev, -1}, {&w, -1}, {&wci, -1}, {&wcf, -1}, {&wco, -1}, {&b, -1}, {&i, -1}, {&cs, -1}, {&f, -1}, {&o, -1}, {&ci, -1}, {&co, -1}, {&cs_grad, -1}, {&h_grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_peephole", SL_GIVEN_BOOL_NEEDED, &attrs.use_peephole}};
    TF_Operation *const op_ = sl_op(scope, "LSTMBlockCellGrad", inputs_, 16, attrs_, 1);
    const struct sl_lstm_block_cell_grad_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}, {op_, 4}};
    return outputs_;
}

struct sl_leaky_relu_attrs {
    float alpha; /* 0.2 */
};
/* LeakyRelu: features: T -> activations: T */
static inline TF_Output sl_leaky_relu_with(struct sl_scope *scope, TF_Output features, struct sl_leaky_relu_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&features, -1}};
    const struct sl_attr_given attrs_[] = {{"alpha", SL_GIVEN_FLOAT, &attrs.alpha}};
    return sl_op_first(sl_op(scope, "LeakyRelu", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_leaky_relu(struct sl_scope *scope, TF_Output features) {
    const struct sl_leaky_relu_attrs attrs = SL_DEFAULTS;
    return sl_leaky_relu_with(scope, features, attrs);
}

struct sl_leaky_relu_grad_attrs {
    float alpha; /* 0.2 */
};
/* LeakyReluGrad: gradients: T, features: T -> backprops: T */
static inline TF_Output sl_leaky_relu_grad_with(struct sl_scope *scope, TF_Output gradients, TF_Output features, struct sl_leaky_relu_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&gradients, -1}, {&features, -1}};
    const struct sl_attr_given attrs_[] = {{"alpha", SL_GIVEN_FLOAT, &attrs.alpha}};
    return sl_op_first(sl_op(scope, "LeakyReluGrad", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_leaky_relu_grad(struct sl_scope *scope, TF_Output gradients, TF_Output features) {
    const struct sl_leaky_relu_grad_attrs attrs = SL_DEFAULTS;
    return sl_leaky_relu_grad_with(scope, gradients, features, attrs);
}

/* LogSoftmax: logits: T -> logsoftmax: T */
static inline TF_Output sl_log_softmax(struct sl_scope *scope, TF_Output logits) {
    const struct sl_op_input inputs_[] = {{&logits, -1}};
    return sl_op_first(sl_op(scope, "LogSoftmax", inputs_, 1, NULL, 0));
}

struct sl_nth_element_attrs {
    bool reverse; /* false */
};
/* NthElement: input: T, n: int32 -> values: T */
static inline TF_Output sl_nth_element_with(struct sl_scope *scope, TF_Output input, TF_Output n, struct sl_nth_element_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&n, -1}};
    const struct sl_attr_given attrs_[] = {{"reverse", SL_GIVEN_BOOL, &attrs.reverse}};
    return sl_op_first(sl_op(scope, "NthElement", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_nth_element(struct sl_scope *scope, TF_Output input, TF_Output n) {
    const struct sl_nth_element_attrs attrs = SL_DEFAULTS;
    return sl_nth_element_with(scope, input, n, attrs);
}

/* Relu: features: T -> activations: T */
static inline TF_Output sl_relu(struct sl_scope *scope, TF_Output features) {
    const struct sl_op_input inputs_[] = {{&features, -1}};
    return sl_op_first(sl_op(scope, "Relu", inputs_, 1, NULL, 0));
}

/* Relu6: features: T -> activations: T */
static inline TF_Output sl_relu6(struct sl_scope *scope, TF_Output features) {
    const struct sl_op_input inputs_[] = {{&features, -1}};
    return sl_op_first(sl_op(scope, "Relu6", inputs_, 1, NULL, 0));
}

/* Relu6Grad: gradients: T, features: T -> backprops: T */
static inline TF_Output sl_relu6_grad(struct sl_scope *scope, TF_Output gradients, TF_Output features) {
    const struct sl_op_input inputs_[] = {{&gradients, -1}, {&features, -1}};
    return sl_op_first(sl_op(scope, "Relu6Grad", inputs_, 2, NULL, 0));
}

/* ReluGrad: gradients: T, features: T -> backprops: T */
static inline TF_Output sl_relu_grad(struct sl_scope *scope, TF_Output gradients, TF_Output features) {
    const struct sl_op_input inputs_[] = {{&gradients, -1}, {&features, -1}};
    return sl_op_first(sl_op(scope, "ReluGrad", inputs_, 2, NULL, 0));
}

/* Selu: features: T -> activations: T */
static inline TF_Output sl_selu(struct sl_scope *scope, TF_Output features) {
    const struct sl_op_input inputs_[] = {{&features, -1}};
    return sl_op_first(sl_op(scope, "Selu", inputs_, 1, NULL, 0));
}

/* SeluGrad: gradients: T, outputs: T -> backprops: T */
static inline TF_Output sl_selu_grad(struct sl_scope *scope, TF_Output gradients, TF_Output outputs) {
    const struct sl_op_input inputs_[] = {{&gradients, -1}, {&outputs, -1}};
    return sl_op_first(sl_op(scope, "SeluGrad", inputs_, 2, NULL, 0));
}

/* Softmax: logits: T -> softmax: T */
static inline TF_Output sl_softmax(struct sl_scope *scope, TF_Output logits) {
    const struct sl_op_input inputs_[] = {{&logits, -1}};
    return sl_op_first(sl_op(scope, "Softmax", inputs_, 1, NULL, 0));
}

struct sl_softmax_cross_entropy_with_logits_outputs {
    TF_Output loss, backprop;
};
/* SoftmaxCrossEntropyWithLogits: features: T, labels: T -> loss: T, backprop: T */
static inline struct sl_softmax_cross_entropy_with_logits_outputs sl_softmax_cross_entropy_with_logits(struct sl_scope *scope, TF_Output features, TF_Output labels) {
    const struct sl_op_input inputs_[] = {{&features, -1}, {&labels, -1}};
    TF_Operation *const op_ = sl_op(scope, "SoftmaxCrossEntropyWithLogits", inputs_, 2, NULL, 0);
    const struct sl_softmax_cross_entropy_with_logits_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

/* Softplus: features: T -> activations: T */
static inline TF_Output sl_softplus(struct sl_scope *scope, TF_Output features) {
    const struct sl_op_input inputs_[] = {{&features, -1}};
    return sl_op_first(sl_op(scope, "Softplus", inputs_, 1, NULL, 0));
}

/* SoftplusGrad: gradients: T, features: T -> backprops: T */
static inline TF_Output sl_softplus_grad(struct sl_scope *scope, TF_Output gradients, TF_Output features) {
    const struct sl_op_input inputs_[] = {{&gradients, -1}, {&features, -1}};
    return sl_op_first(sl_op(scope, "SoftplusGrad", inputs_, 2, NULL, 0));
}

/* Softsign: features: T -> activations: T */
static inline TF_Output sl_softsign(struct sl_scope *scope, TF_Output features) {
    const struct sl_op_input inputs_[] = {{&features, -1}};
    return sl_op_first(sl_op(scope, "Softsign", inputs_, 1, NULL, 0));
}

/* SoftsignGrad: gradients: T, features: T -> backprops: T */
static inline TF_Output sl_softsign_grad(struct sl_scope *scope, TF_Output gradients, TF_Output features) {
    const struct sl_op_input inputs_[] = {{&gradients, -1}, {&features, -1}};
    return sl_op_first(sl_op(scope, "SoftsignGrad", inputs_, 2, NULL, 0));
}

struct sl_sparse_softmax_cross_entropy_with_logits_outputs {
    TF_Output loss, backprop;
};
/* SparseSoftmaxCrossEntropyWithLogits: features: T, labels: Tlabels -> loss: T, backprop: T */
static inline struct sl_sparse_softmax_cross_entropy_with_logits_outputs sl_sparse_softmax_cross_entropy_with_logits(struct sl_scope *scope, TF_Output features, TF_Output labels) {
    const struct sl_op_input inputs_[] = {{&features, -1}, {&labels, -1}};
    TF_Operation *const op_ = sl_op(scope, "SparseSoftmaxCrossEntropyWithLogits", inputs_, 2, NULL, 0);
    const struct sl_sparse_softmax_cross_entropy_with_logits_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_top_k_outputs {
    TF_Output values, indices;
};
struct sl_top_k_attrs {
    int64_t k; /* must be given */
    enum sl_choice sorted; /* true */
};
/* TopK: input: T -> values: T, indices: int32 */
static inline struct sl_top_k_outputs sl_top_k(struct sl_scope *scope, TF_Output input, struct sl_top_k_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"k", SL_GIVEN_INT_NEEDED, &attrs.k}, {"sorted", SL_GIVEN_CHOICE, &attrs.sorted}};
    TF_Operation *const op_ = sl_op(scope, "TopK", inputs_, 1, attrs_, 2);
    const struct sl_top_k_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_top_kv2_outputs {
    TF_Output values, indices;
};
struct sl_top_kv2_attrs {
    enum sl_choice sorted; /* true */
    TF_DataType index_type; /* DT_INT32 */
};
/* TopKV2: input: T, k: Tk -> values: T, indices: index_type */
static inline struct sl_top_kv2_outputs sl_top_kv2_with(struct sl_scope *scope, TF_Output input, TF_Output k, struct sl_top_kv2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&k, -1}};
    const struct sl_attr_given attrs_[] = {{"sorted", SL_GIVEN_CHOICE, &attrs.sorted}, {"index_type", SL_GIVEN_TYPE, &attrs.index_type}};
    TF_Operation *const op_ = sl_op(scope, "TopKV2", inputs_, 2, attrs_, 2);
    const struct sl_top_kv2_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}
static inline struct sl_top_kv2_outputs sl_top_kv2(struct sl_scope *scope, TF_Output input, TF_Output k) {
    const struct sl_top_kv2_attrs attrs = SL_DEFAULTS;
    return sl_top_kv2_with(scope, input, k, attrs);
}

#ifdef __cplusplus
}
#endif

#endif
