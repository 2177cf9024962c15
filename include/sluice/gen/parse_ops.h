/* Wrappers of the parse ops, made by tools/gen_ops.py from src/ops/parse.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_PARSE_OPS_H
#define SLUICE_GEN_PARSE_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_decode_csv_attrs {
    const char *field_delim; /* ',' */
    enum sl_choice use_quote_delim; /* true */
    const char *na_value; /* '' */
    struct sl_ints select_cols; /* [] */
};
/* DecodeCSV: records: string, record_defaults: OUT_TYPE -> output: OUT_TYPE */
static inline TF_Operation *sl_decode_csv_with(struct sl_scope *scope, TF_Output records, const TF_Output *record_defaults, int num_record_defaults, struct sl_decode_csv_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&records, -1}, {record_defaults, num_record_defaults}};
    const struct sl_attr_given attrs_[] = {{"field_delim", SL_GIVEN_STRING, &attrs.field_delim}, {"use_quote_delim", SL_GIVEN_CHOICE, &attrs.use_quote_delim}, {"na_value", SL_GIVEN_STRING, &attrs.na_value}, {"select_cols", SL_GIVEN_INTS, &attrs.select_cols}};
    return sl_op(scope, "DecodeCSV", inputs_, 2, attrs_, 4);
}
static inline TF_Operation *sl_decode_csv(struct sl_scope *scope, TF_Output records, const TF_Output *record_defaults, int num_record_defaults) {
    const struct sl_decode_csv_attrs attrs = SL_DEFAULTS;
    return sl_decode_csv_with(scope, records, record_defaults, num_record_defaults, attrs);
}

struct sl_decode_compressed_attrs {
    const char *compression_type; /* '' */
};
/* DecodeCompressed: bytes: string -> output: string */
static inline TF_Output sl_decode_compressed_with(struct sl_scope *scope, TF_Output bytes, struct sl_decode_compressed_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&bytes, -1}};
    const struct sl_attr_given attrs_[] = {{"compression_type", SL_GIVEN_STRING, &attrs.compression_type}};
    return sl_op_first(sl_op(scope, "DecodeCompressed", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_decode_compressed(struct sl_scope *scope, TF_Output bytes) {
    const struct sl_decode_compressed_attrs attrs = SL_DEFAULTS;
    return sl_decode_compressed_with(scope, bytes, attrs);
}

/* DecodeJSONExample: json_examples: string -> binary_examples: string */
static inline TF_Output sl_decode_json_example(struct sl_scope *scope, TF_Output json_examples) {
    const struct sl_op_input inputs_[] = {{&json_examples, -1}};
    return sl_op_first(sl_op(scope, "DecodeJSONExample", inputs_, 1, NULL, 0));
}

struct sl_decode_padded_raw_attrs {
    TF_DataType out_type; /* must be given */
    enum sl_choice little_endian; /* true */
};
/* DecodePaddedRaw: input_bytes: string, fixed_length: int32 -> output: out_type */
static inline TF_Output sl_decode_padded_raw(struct sl_scope *scope, TF_Output input_bytes, TF_Output fixed_length, struct sl_decode_padded_raw_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_bytes, -1}, {&fixed_length, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"little_endian", SL_GIVEN_CHOICE, &attrs.little_endian}};
    return sl_op_first(sl_op(scope, "DecodePaddedRaw", inputs_, 2, attrs_, 2));
}

struct sl_decode_proto_v2_attrs {
    const char *message_type; /* must be given */
    struct sl_strings field_names; /* must be given */
    struct sl_types output_types; /* must be given */
    const char *descriptor_source; /* 'local://' */
    const char *message_format; /* 'binary' */
    bool sanitize; /* false */
};
/* DecodeProtoV2: bytes: string -> sizes: int32, values: output_types */
static inline TF_Operation *sl_decode_proto_v2(struct sl_scope *scope, TF_Output bytes, struct sl_decode_proto_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&bytes, -1}};
    const struct sl_attr_given attrs_[] = {{"message_type", SL_GIVEN_STRING, &attrs.message_type}, {"field_names", SL_GIVEN_STRINGS_NEEDED, &attrs.field_names}, {"output_types", SL_GIVEN_TYPES_NEEDED, &attrs.output_types}, {"descriptor_source", SL_GIVEN_STRING, &attrs.descriptor_source}, {"message_format", SL_GIVEN_STRING, &attrs.message_format}, {"sanitize", SL_GIVEN_BOOL, &attrs.sanitize}};
    return sl_op(scope, "DecodeProtoV2", inputs_, 1, attrs_, 6);
}

struct sl_decode_raw_attrs {
    TF_DataType out_type; /* must be given */
    enum sl_choice little_endian; /* true */
};
/* DecodeRaw: bytes: string -> output: out_type */
static inline TF_Output sl_decode_raw(struct sl_scope *scope, TF_Output bytes, struct sl_decode_raw_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&bytes, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"little_endian", SL_GIVEN_CHOICE, &attrs.little_endian}};
    return sl_op_first(sl_op(scope, "DecodeRaw", inputs_, 1, attrs_, 2));
}

struct sl_encode_proto_attrs {
    struct sl_strings field_names; /* must be given */
    const char *message_type; /* must be given */
    const char *descriptor_source; /* 'local://' */
};
/* EncodeProto: sizes: int32, values: Tinput_types -> bytes: string */
static inline TF_Output sl_encode_proto(struct sl_scope *scope, TF_Output sizes, const TF_Output *values, int num_values, struct sl_encode_proto_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&sizes, -1}, {values, num_values}};
    const struct sl_attr_given attrs_[] = {{"field_names", SL_GIVEN_STRINGS_NEEDED, &attrs.field_names}, {"message_type", SL_GIVEN_STRING, &attrs.message_type}, {"descriptor_source", SL_GIVEN_STRING, &attrs.descriptor_source}};
    return sl_op_first(sl_op(scope, "EncodeProto", inputs_, 2, attrs_, 3));
}

struct sl_parse_example_attrs {
    struct sl_types sparse_types; /* must be given */
    struct sl_shapes dense_shapes; /* must be given */
};
/* ParseExample: serialized: string, names: string, sparse_keys: Nsparse * string, dense_keys: Ndense * string, dense_defaults: Tdense -> sparse_indices: Nsparse * int64, sparse_values: sparse_types, sparse_shapes: Nsparse * int64, dense_values: Tdense */
static inline TF_Operation *sl_parse_example(struct sl_scope *scope, TF_Output serialized, TF_Output names, const TF_Output *sparse_keys, int num_sparse_keys, const TF_Output *dense_keys, int num_dense_keys, const TF_Output *dense_defaults, int num_dense_defaults, struct sl_parse_example_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&serialized, -1}, {&names, -1}, {sparse_keys, num_sparse_keys}, {dense_keys, num_dense_keys}, {dense_defaults, num_dense_defaults}};
    const struct sl_attr_given attrs_[] = {{"sparse_types", SL_GIVEN_TYPES_NEEDED, &attrs.sparse_types}, {"dense_shapes", SL_GIVEN_SHAPES_NEEDED, &attrs.dense_shapes}};
    return sl_op(scope, "ParseExample", inputs_, 5, attrs_, 2);
}

struct sl_parse_example_v2_attrs {
    int64_t num_sparse; /* must be given */
    struct sl_types sparse_types; /* must be given */
    struct sl_types ragged_value_types; /* must be given */
    struct sl_types ragged_split_types; /* must be given */
    struct sl_shapes dense_shapes; /* must be given */
};
/* ParseExampleV2: serialized: string, names: string, sparse_keys: string, dense_keys: string, ragged_keys: string, dense_defaults: Tdense -> sparse_indices: num_sparse * int64, sparse_values: sparse_types, sparse_shapes: num_sparse * int64, dense_values: Tdense, ragged_values: ragged_value_types, ragged_row_splits: ragged_split_types */
static inline TF_Operation *sl_parse_example_v2(struct sl_scope *scope, TF_Output serialized, TF_Output names, TF_Output sparse_keys, TF_Output dense_keys, TF_Output ragged_keys, const TF_Output *dense_defaults, int num_dense_defaults, struct sl_parse_example_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&serialized, -1}, {&names, -1}, {&sparse_keys, -1}, {&dense_keys, -1}, {&ragged_keys, -1}, {dense_defaults, num_dense_defaults}};
    const struct sl_attr_given attrs_[] = {{"num_sparse", SL_GIVEN_INT_NEEDED, &attrs.num_sparse}, {"sparse_types", SL_GIVEN_TYPES_NEEDED, &attrs.sparse_types}, {"ragged_value_types", SL_GIVEN_TYPES_NEEDED, &attrs.ragged_value_types}, {"ragged_split_types", SL_GIVEN_TYPES_NEEDED, &attrs.ragged_split_types}, {"dense_shapes", SL_GIVEN_SHAPES_NEEDED, &attrs.dense_shapes}};
    return sl_op(scope, "ParseExampleV2", inputs_, 6, attrs_, 5);
}

struct sl_parse_sequence_example_attrs {
    struct sl_strings feature_list_dense_missing_assumed_empty; /* must be given */
    struct sl_strings context_sparse_keys; /* must be given */
    struct sl_strings context_dense_keys; /* must be given */
    struct sl_strings feature_list_sparse_keys; /* must be given */
    struct sl_strings feature_list_dense_keys; /* must be given */
    int64_t Ncontext_sparse; /* 0 */
    int64_t Ncontext_dense; /* 0 */
    int64_t Nfeature_list_sparse; /* 0 */
    int64_t Nfeature_list_dense; /* 0 */
    struct sl_types context_sparse_types; /* [] */
    struct sl_types feature_list_dense_types; /* [] */
    struct sl_shapes context_dense_shapes; /* [] */
    struct sl_types feature_list_sparse_types; /* [] */
    struct sl_shapes feature_list_dense_shapes; /* [] */
};
/* ParseSequenceExample: serialized: string, debug_name: string, context_dense_defaults: Tcontext_dense -> context_sparse_indices: Ncontext_sparse * int64, context_sparse_values: context_sparse_types, context_sparse_shapes: Ncontext_sparse * int64, context_dense_values: Tcontext_dense, feature_list_sparse_indices: Nfeature_list_sparse * int64, feature_list_sparse_values: feature_list_sparse_types, feature_list_sparse_shapes: Nfeature_list_sparse * int64, feature_list_dense_values: feature_list_dense_types, feature_list_dense_lengths: Nfeature_list_dense * int64 */
static inline TF_Operation *sl_parse_sequence_example(struct sl_scope *scope, TF_Output serialized, TF_Output debug_name, const TF_Output *context_dense_defaults, int num_context_dense_defaults, struct sl_parse_sequence_example_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&serialized, -1}, {&debug_name, -1}, {context_dense_defaults, num_context_dense_defaults}};
    const struct sl_attr_given attrs_[] = {{"feature_list_dense_missing_assumed_empty", SL_GIVEN_STRINGS_NEEDED, &attrs.feature_list_dense_missing_assumed_empty}, {"context_sparse_keys", SL_GIVEN_STRINGS_NEEDED, &attrs.context_sparse_keys}, {"context_dense_keys", SL_GIVEN_STRINGS_NEEDED, &attrs.context_dense_keys}, {"feature_list_sparse_keys", SL_GIVEN_STRINGS_NEEDED, &attrs.feature_list_sparse_keys}, {"feature_list_dense_keys", SL_GIVEN_STRINGS_NEEDED, &attrs.feature_list_dense_keys}, {"Ncontext_sparse", SL_GIVEN_INT, &attrs.Ncontext_sparse}, {"Ncontext_dense", SL_GIVEN_INT, &attrs.Ncontext_dense}, {"Nfeature_list_sparse", SL_GIVEN_INT, &attrs.Nfeature_list_sparse}, {"Nfeature_list_dense", SL_GIVEN_INT, &attrs.Nfeature_list_dense}, {"context_sparse_types", SL_GIVEN_TYPES, &attrs.context_sparse_types}, {"feature_list_dense_types", SL_GIVEN_TYPES, &attrs.feature_list_dense_types}, {"context_dense_shapes", SL_GIVEN_SHAPES, &attrs.context_dense_shapes}, {"feature_list_sparse_types", SL_GIVEN_TYPES, &attrs.feature_list_sparse_types}, {"feature_list_dense_shapes", SL_GIVEN_SHAPES, &attrs.feature_list_dense_shapes}};
    return sl_op(scope, "ParseSequenceExample", inputs_, 3, attrs_, 14);
}

struct sl_parse_sequence_example_v2_attrs {
    int64_t Ncontext_sparse; /* 0 */
    struct sl_types context_sparse_types; /* [] */
    struct sl_types context_ragged_value_types; /* [] */
    struct sl_types context_ragged_split_types; /* [] */
    struct sl_shapes context_dense_shapes; /* [] */
    int64_t Nfeature_list_sparse; /* 0 */
    int64_t Nfeature_list_dense; /* 0 */
    struct sl_types feature_list_dense_types; /* [] */
    struct sl_types feature_list_sparse_types; /* [] */
    struct sl_types feature_list_ragged_value_types; /* [] */
    struct sl_types feature_list_ragged_split_types; /* [] */
    struct sl_shapes feature_list_dense_shapes; /* [] */
};
/* ParseSequenceExampleV2: serialized: string, debug_name: string, context_sparse_keys: string, context_dense_keys: string, context_ragged_keys: string, feature_list_sparse_keys: string, feature_list_dense_keys: string, feature_list_ragged_keys: string, feature_list_dense_missing_assumed_empty: bool, context_dense_defaults: Tcontext_dense -> context_sparse_indices: Ncontext_sparse * int64, context_sparse_values: context_sparse_types, context_sparse_shapes: Ncontext_sparse * int64, context_dense_values: Tcontext_dense, context_ragged_values: context_ragged_value_types, context_ragged_row_splits: context_ragged_split_types, feature_list_sparse_indices: Nfeature_list_sparse * int64, feature_list_sparse_values: feature_list_sparse_types, feature_list_sparse_shapes: Nfeature_list_sparse * int64, feature_list_dense_values: feature_list_dense_types, feature_list_dense_lengths: Nfeature_list_dense * int64, feature_list_ragged_values: feature_list_ragged_value_types, feature_list_ragged_outer_splits: feature_list_ragged_split_types, feature_list_ragged_inner_splits: feature_list_ragged_split_types */
static inline TF_Operation *sl_parse_sequence_example_v2_with(struct sl_scope *scope, TF_Output serialized, TF_Output debug_name, TF_Output context_sparse_keys, TF_Output context_dense_keys, TF_Output context_ragged_keys, TF_Output feature_list_sparse_keys, TF_Output feature_list_dense_keys, TF_Output feature_list_ragged_keys, TF_Output feature_list_dense_missing_assumed_empty, const TF_Output *context_dense_defaults, int num_context_dense_defaults, struct sl_parse_sequence_example_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&serialized, -1}, {&debug_name, -1}, {&context_sparse_keys, -1}, {&context_dense_keys, -1}, {&context_ragged_keys, -1}, {&feature_list_sparse_keys, -1}, {&feature_list_dense_keys, -1}, {&feature_list_ragged_keys, -1}, {&feature_list_dense_missing_assumed_empty, -1}, {context_dense_defaults, num_context_dense_defaults}};
    const struct sl_attr_given attrs_[] = {{"Ncontext_sparse", SL_GIVEN_INT, &attrs.Ncontext_sparse}, {"context_sparse_types", SL_GIVEN_TYPES, &attrs.context_sparse_types}, {"context_ragged_value_types", SL_GIVEN_TYPES, &attrs.context_ragged_value_types}, {"context_ragged_split_types", SL_GIVEN_TYPES, &attrs.context_ragged_split_types}, {"context_dense_shapes", SL_GIVEN_SHAPES, &attrs.context_dense_shapes}, {"Nfeature_list_sparse", SL_GIVEN_INT, &attrs.Nfeature_list_sparse}, {"Nfeature_list_dense", SL_GIVEN_INT, &attrs.Nfeature_list_dense}, {"feature_list_dense_types", SL_GIVEN_TYPES, &attrs.feature_list_dense_types}, {"feature_list_sparse_types", SL_GIVEN_TYPES, &attrs.feature_list_sparse_types}, {"feature_list_ragged_value_types", SL_GIVEN_TYPES, &attrs.feature_list_ragged_value_types}, {"feature_list_ragged_split_types", SL_GIVEN_TYPES, &attrs.feature_list_ragged_split_types}, {"feature_list_dense_shapes", SL_GIVEN_SHAPES, &attrs.feature_list_dense_shapes}};
    return sl_op(scope, "ParseSequenceExampleV2", inputs_, 10, attrs_, 12);
}
static inline TF_Operation *sl_parse_sequence_example_v2(struct sl_scope *scope, TF_Output serialized, TF_Output debug_name, TF_Output context_sparse_keys, TF_Output context_dense_keys, TF_Output context_ragged_keys, TF_Output feature_list_sparse_keys, TF_Output feature_list_dense_keys, TF_Output feature_list_ragged_keys, TF_Output feature_list_dense_missing_assumed_empty, const TF_Output *context_dense_defaults, int num_context_dense_defaults) {
    const struct sl_parse_sequence_example_v2_attrs attrs = SL_DEFAULTS;
    return sl_parse_sequence_example_v2_with(scope, serialized, debug_name, context_sparse_keys, context_dense_keys, context_ragged_keys, feature_list_sparse_keys, feature_list_dense_keys, feature_list_ragged_keys, feature_list_dense_missing_assumed_empty, context_dense_defaults, num_context_dense_defaults, attrs);
}

struct sl_parse_single_example_attrs {
    int64_t num_sparse; /* must be given */
    struct sl_strings sparse_keys; /* must be given */
    struct sl_strings dense_keys; /* must be given */
    struct sl_types sparse_types; /* must be given */
    struct sl_shapes dense_shapes; /* must be given */
};
/* ParseSingleExample: serialized: string, dense_defaults: Tdense -> sparse_indices: num_sparse * int64, sparse_values: sparse_types, sparse_shapes: num_sparse * int64, dense_values: Tdense */
static inline TF_Operation *sl_parse_single_example(struct sl_scope *scope, TF_Output serialized, const TF_Output *dense_defaults, int num_dense_defaults, struct sl_parse_single_example_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&serialized, -1}, {dense_defaults, num_dense_defaults}};
    const struct sl_attr_given attrs_[] = {{"num_sparse", SL_GIVEN_INT_NEEDED, &attrs.num_sparse}, {"sparse_keys", SL_GIVEN_STRINGS_NEEDED, &attrs.sparse_keys}, {"dense_keys", SL_GIVEN_STRINGS_NEEDED, &attrs.dense_keys}, {"sparse_types", SL_GIVEN_TYPES_NEEDED, &attrs.sparse_types}, {"dense_shapes", SL_GIVEN_SHAPES_NEEDED, &attrs.dense_shapes}};
    return sl_op(scope, "ParseSingleExample", inputs_, 2, attrs_, 5);
}

struct sl_parse_single_sequence_example_attrs {
    struct sl_types context_sparse_types; /* [] */
    struct sl_types feature_list_dense_types; /* [] */
    struct sl_shapes context_dense_shapes; /* [] */
    struct sl_types feature_list_sparse_types; /* [] */
    struct sl_shapes feature_list_dense_shapes; /* [] */
};
/* ParseSingleSequenceExample: serialized: string, feature_list_dense_missing_assumed_empty: string, context_sparse_keys: Ncontext_sparse * string, context_dense_keys: Ncontext_dense * string, feature_list_sparse_keys: Nfeature_list_sparse * string, feature_list_dense_keys: Nfeature_list_dense * string, context_dense_defaults: Tcontext_dense, debug_name: string -> context_sparse_indices: Ncontext_sparse * int64, context_sparse_values: context_sparse_types, context_sparse_shapes: Ncontext_sparse * int64, context_dense_values: Tcontext_dense, feature_list_sparse_indices: Nfeature_list_sparse * int64, feature_list_sparse_values: feature_list_sparse_types, feature_list_sparse_shapes: Nfeature_list_sparse * int64, feature_list_dense_values: feature_list_dense_types */
static inline TF_Operation *sl_parse_single_sequence_example_with(struct sl_scope *scope, TF_Output serialized, TF_Output feature_list_dense_missing_assumed_empty, const TF_Output *context_sparse_keys, int num_context_sparse_keys, const TF_Output *context_dense_keys, int num_context_dense_keys, const TF_Output *feature_list_sparse_keys, int num_feature_list_sparse_keys, const TF_Output *feature_list_dense_keys, int num_feature_list_dense_keys, const TF_Output *context_dense_defaults, int num_context_dense_defaults, TF_Output debug_name, struct sl_parse_single_sequence_example_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&serialized, -1}, {&feature_list_dense_missing_assumed_empty, -1}, {context_sparse_keys, num_context_sparse_keys}, {context_dense_keys, num_context_dense_keys}, {feature_list_sparse_keys, num_feature_list_sparse_keys}, {feature_list_dense_keys, num_feature_list_dense_keys}, {context_dense_defaults, num_context_dense_defaults}, {&debug_name, -1}};
    const struct sl_attr_given attrs_[] = {{"context_sparse_types", SL_GIVEN_TYPES, &attrs.context_sparse_types}, {"feature_list_dense_types", SL_GIVEN_TYPES, &attrs.feature_list_dense_types}, {"context_dense_shapes", SL_GIVEN_SHAPES, &attrs.context_dense_shapes}, {"feature_list_sparse_types", SL_GIVEN_TYPES, &attrs.feature_list_sparse_types}, {"feature_list_dense_shapes", SL_GIVEN_SHAPES, &attrs.feature_list_dense_shapes}};
    return sl_op(scope, "ParseSingleSequenceExample", inputs_, 8, attrs_, 5);
}
static inline TF_Operation *sl_parse_single_sequence_example(struct sl_scope *scope, TF_Output serialized, TF_Output feature_list_dense_missing_assumed_empty, const TF_Output *context_sparse_keys, int num_context_sparse_keys, const TF_Output *context_dense_keys, int num_context_dense_keys, const TF_Output *feature_list_sparse_keys, int num_feature_list_sparse_keys, const TF_Output *feature_list_dense_keys, int num_feature_list_dense_keys, const TF_Output *context_dense_defaults, int num_context_dense_defaults, TF_Output debug_name) {
    const struct sl_parse_single_sequence_example_attrs attrs = SL_DEFAULTS;
    return sl_parse_single_sequence_example_with(scope, serialized, feature_list_dense_missing_assumed_empty, context_sparse_keys, num_context_sparse_keys, context_dense_keys, num_context_dense_keys, feature_list_sparse_keys, num_feature_list_sparse_keys, feature_list_dense_keys, num_feature_list_dense_keys, context_dense_defaults, num_context_dense_defaults, debug_name, attrs);
}

struct sl_parse_tensor_attrs {
    TF_DataType out_type; /* must be given */
};
/* ParseTensor: serialized: string -> output: out_type */
static inline TF_Output sl_parse_tensor(struct sl_scope *scope, TF_Output serialized, struct sl_parse_tensor_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&serialized, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}};
    return sl_op_first(sl_op(scope, "ParseTensor", inputs_, 1, attrs_, 1));
}

/* SerializeTensor: tensor: T -> serialized: string */
static inline TF_Output sl_serialize_tensor(struct sl_scope *scope, TF_Output tensor) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}};
    return sl_op_first(sl_op(scope, "SerializeTensor", inputs_, 1, NULL, 0));
}

#ifdef __cplusplus
}
#endif

#endif
