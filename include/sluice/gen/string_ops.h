/* Wrappers of the string ops, made by tools/gen_ops.py from src/ops/string.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_STRING_OPS_H
#define SLUICE_GEN_STRING_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_as_string_attrs {
    int64_t precision; /* -1 */
    bool scientific; /* false */
    bool shortest; /* false */
    int64_t width; /* -1 */
    const char *fill; /* '' */
};
/* AsString: input: T -> output: string */
static inline TF_Output sl_as_string_with(struct sl_scope *scope, TF_Output input, struct sl_as_string_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"precision", SL_GIVEN_INT, &attrs.precision}, {"scientific", SL_GIVEN_BOOL, &attrs.scientific}, {"shortest", SL_GIVEN_BOOL, &attrs.shortest}, {"width", SL_GIVEN_INT, &attrs.width}, {"fill", SL_GIVEN_STRING, &attrs.fill}};
    return sl_op_first(sl_op(scope, "AsString", inputs_, 1, attrs_, 5));
}
static inline TF_Output sl_as_string(struct sl_scope *scope, TF_Output input) {
    const struct sl_as_string_attrs attrs = SL_DEFAULTS;
    return sl_as_string_with(scope, input, attrs);
}

/* DecodeBase64: input: string -> output: string */
static inline TF_Output sl_decode_base64(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "DecodeBase64", inputs_, 1, NULL, 0));
}

struct sl_edit_distance_attrs {
    enum sl_choice normalize; /* true */
};
/* EditDistance: hypothesis_indices: int64, hypothesis_values: T, hypothesis_shape: int64, truth_indices: int64, truth_values: T, truth_shape: int64 -> output: float */
static inline TF_Output sl_edit_distance_with(struct sl_scope *scope, TF_Output hypothesis_indices, TF_Output hypothesis_values, TF_Output hypothesis_shape, TF_Output truth_indices, TF_Output truth_values, TF_Output truth_shape, struct sl_edit_distance_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&hypothesis_indices, -1}, {&hypothesis_values, -1}, {&hypothesis_shape, -1}, {&truth_indices, -1}, {&truth_values, -1}, {&truth_shape, -1}};
    const struct sl_attr_given attrs_[] = {{"normalize", SL_GIVEN_CHOICE, &attrs.normalize}};
    return sl_op_first(sl_op(scope, "EditDistance", inputs_, 6, attrs_, 1));
}
static inline TF_Output sl_edit_distance(struct sl_scope *scope, TF_Output hypothesis_indices, TF_Output hypothesis_values, TF_Output hypothesis_shape, TF_Output truth_indices, TF_Output truth_values, TF_Output truth_shape) {
    const struct sl_edit_distance_attrs attrs = SL_DEFAULTS;
    return sl_edit_distance_with(scope, hypothesis_indices, hypothesis_values, hypothesis_shape, truth_indices, truth_values, truth_shape, attrs);
}

struct sl_encode_base64_attrs {
    bool pad; /* false */
};
/* EncodeBase64: input: string -> output: string */
static inline TF_Output sl_encode_base64_with(struct sl_scope *scope, TF_Output input, struct sl_encode_base64_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"pad", SL_GIVEN_BOOL, &attrs.pad}};
    return sl_op_first(sl_op(scope, "EncodeBase64", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_encode_base64(struct sl_scope *scope, TF_Output input) {
    const struct sl_encode_base64_attrs attrs = SL_DEFAULTS;
    return sl_encode_base64_with(scope, input, attrs);
}

/* Fingerprint: data: T, method: string -> fingerprint: uint8 */
static inline TF_Output sl_fingerprint(struct sl_scope *scope, TF_Output data, TF_Output method) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&method, -1}};
    return sl_op_first(sl_op(scope, "Fingerprint", inputs_, 2, NULL, 0));
}

struct sl_reduce_join_attrs {
    bool keep_dims; /* false */
    const char *separator; /* '' */
};
/* ReduceJoin: inputs: string, reduction_indices: int32 -> output: string */
static inline TF_Output sl_reduce_join_with(struct sl_scope *scope, TF_Output inputs, TF_Output reduction_indices, struct sl_reduce_join_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&inputs, -1}, {&reduction_indices, -1}};
    const struct sl_attr_given attrs_[] = {{"keep_dims", SL_GIVEN_BOOL, &attrs.keep_dims}, {"separator", SL_GIVEN_STRING, &attrs.separator}};
    return sl_op_first(sl_op(scope, "ReduceJoin", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_reduce_join(struct sl_scope *scope, TF_Output inputs, TF_Output reduction_indices) {
    const struct sl_reduce_join_attrs attrs = SL_DEFAULTS;
    return sl_reduce_join_with(scope, inputs, reduction_indices, attrs);
}

/* RegexFullMatch: input: string, pattern: string -> output: bool */
static inline TF_Output sl_regex_full_match(struct sl_scope *scope, TF_Output input, TF_Output pattern) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&pattern, -1}};
    return sl_op_first(sl_op(scope, "RegexFullMatch", inputs_, 2, NULL, 0));
}

struct sl_regex_replace_attrs {
    enum sl_choice replace_global; /* true */
};
/* RegexReplace: input: string, pattern: string, rewrite: string -> output: string */
static inline TF_Output sl_regex_replace_with(struct sl_scope *scope, TF_Output input, TF_Output pattern, TF_Output rewrite, struct sl_regex_replace_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&pattern, -1}, {&rewrite, -1}};
    const struct sl_attr_given attrs_[] = {{"replace_global", SL_GIVEN_CHOICE, &attrs.replace_global}};
    return sl_op_first(sl_op(scope, "RegexReplace", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_regex_replace(struct sl_scope *scope, TF_Output input, TF_Output pattern, TF_Output rewrite) {
    const struct sl_regex_replace_attrs attrs = SL_DEFAULTS;
    return sl_regex_replace_with(scope, input, pattern, rewrite, attrs);
}

/* SdcaFprint: input: string -> output: int64 */
static inline TF_Output sl_sdca_fprint(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "SdcaFprint", inputs_, 1, NULL, 0));
}

struct sl_static_regex_full_match_attrs {
    const char *pattern; /* must be given */
};
/* StaticRegexFullMatch: input: string -> output: bool */
static inline TF_Output sl_static_regex_full_match(struct sl_scope *scope, TF_Output input, struct sl_static_regex_full_match_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"pattern", SL_GIVEN_STRING, &attrs.pattern}};
    return sl_op_first(sl_op(scope, "StaticRegexFullMatch", inputs_, 1, attrs_, 1));
}

struct sl_static_regex_replace_attrs {
    const char *pattern; /* must be given */
    const char *rewrite; /* must be given */
    enum sl_choice replace_global; /* true */
};
/* StaticRegexReplace: input: string -> output: string */
static inline TF_Output sl_static_regex_replace(struct sl_scope *scope, TF_Output input, struct sl_static_regex_replace_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"pattern", SL_GIVEN_STRING, &attrs.pattern}, {"rewrite", SL_GIVEN_STRING, &attrs.rewrite}, {"replace_global", SL_GIVEN_CHOICE, &attrs.replace_global}};
    return sl_op_first(sl_op(scope, "StaticRegexReplace", inputs_, 1, attrs_, 3));
}

struct sl_string_format_attrs {
    const char *template_; /* '%s' */
    const char *placeholder; /* '%s' */
    int64_t summarize; /* 3 */
};
/* StringFormat: inputs: T -> output: string */
static inline TF_Output sl_string_format_with(struct sl_scope *scope, const TF_Output *inputs, int num_inputs, struct sl_string_format_attrs attrs) {
    const struct sl_op_input inputs_[] = {{inputs, num_inputs}};
    const struct sl_attr_given attrs_[] = {{"template", SL_GIVEN_STRING, &attrs.template_}, {"placeholder", SL_GIVEN_STRING, &attrs.placeholder}, {"summarize", SL_GIVEN_INT, &attrs.summarize}};
    return sl_op_first(sl_op(scope, "StringFormat", inputs_, 1, attrs_, 3));
}
static inline TF_Output sl_string_format(struct sl_scope *scope, const TF_Output *inputs, int num_inputs) {
    const struct sl_string_format_attrs attrs = SL_DEFAULTS;
    return sl_string_format_with(scope, inputs, num_inputs, attrs);
}

struct sl_string_join_attrs {
    const char *separator; /* '' */
};
/* StringJoin: inputs: N * string -> output: string */
static inline TF_Output sl_string_join_with(struct sl_scope *scope, const TF_Output *inputs, int num_inputs, struct sl_string_join_attrs attrs) {
    const struct sl_op_input inputs_[] = {{inputs, num_inputs}};
    const struct sl_attr_given attrs_[] = {{"separator", SL_GIVEN_STRING, &attrs.separator}};
    return sl_op_first(sl_op(scope, "StringJoin", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_string_join(struct sl_scope *scope, const TF_Output *inputs, int num_inputs) {
    const struct sl_string_join_attrs attrs = SL_DEFAULTS;
    return sl_string_join_with(scope, inputs, num_inputs, attrs);
}

struct sl_string_length_attrs {
    const char *unit; /* 'BYTE' */
};
/* StringLength: input: string -> output: int32 */
static inline TF_Output sl_string_length_with(struct sl_scope *scope, TF_Output input, struct sl_string_length_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"unit", SL_GIVEN_STRING, &attrs.unit}};
    return sl_op_first(sl_op(scope, "StringLength", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_string_length(struct sl_scope *scope, TF_Output input) {
    const struct sl_string_length_attrs attrs = SL_DEFAULTS;
    return sl_string_length_with(scope, input, attrs);
}

struct sl_string_lower_attrs {
    const char *encoding; /* '' */
};
/* StringLower: input: string -> output: string */
static inline TF_Output sl_string_lower_with(struct sl_scope *scope, TF_Output input, struct sl_string_lower_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"encoding", SL_GIVEN_STRING, &attrs.encoding}};
    return sl_op_first(sl_op(scope, "StringLower", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_string_lower(struct sl_scope *scope, TF_Output input) {
    const struct sl_string_lower_attrs attrs = SL_DEFAULTS;
    return sl_string_lower_with(scope, input, attrs);
}

struct sl_string_n_grams_outputs {
    TF_Output ngrams, ngrams_splits;
};
struct sl_string_n_grams_attrs {
    const char *separator; /* must be given */
    struct sl_ints ngram_widths; /* must be given */
    const char *left_pad; /* must be given */
    const char *right_pad; /* must be given */
    int64_t pad_width; /* must be given */
    bool preserve_short_sequences; /* must be given */
};
/* StringNGrams: data: string, data_splits: Tsplits -> ngrams: string, ngrams_splits: Tsplits */
static inline struct sl_string_n_grams_outputs sl_string_n_grams(struct sl_scope *scope, TF_Output data, TF_Output data_splits, struct sl_string_n_grams_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&data_splits, -1}};
    const struct sl_attr_given attrs_[] = {{"separator", SL_GIVEN_STRING, &attrs.separator}, {"ngram_widths", SL_GIVEN_INTS_NEEDED, &attrs.ngram_widths}, {"left_pad", SL_GIVEN_STRING, &attrs.left_pad}, {"right_pad", SL_GIVEN_STRING, &attrs.right_pad}, {"pad_width", SL_GIVEN_INT_NEEDED, &attrs.pad_width}, {"preserve_short_sequences", SL_GIVEN_BOOL_NEEDED, &attrs.preserve_short_sequences}};
    TF_Operation *const op_ = sl_op(scope, "StringNGrams", inputs_, 2, attrs_, 6);
    const struct sl_string_n_grams_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_string_split_outputs {
    TF_Output indices, values, shape;
};
struct sl_string_split_attrs {
    enum sl_choice skip_empty; /* true */
};
/* StringSplit: input: string, delimiter: string -> indices: int64, values: string, shape: int64 */
static inline struct sl_string_split_outputs sl_string_split_with(struct sl_scope *scope, TF_Output input, TF_Output delimiter, struct sl_string_split_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&delimiter, -1}};
    const struct sl_attr_given attrs_[] = {{"skip_empty", SL_GIVEN_CHOICE, &attrs.skip_empty}};
    TF_Operation *const op_ = sl_op(scope, "StringSplit", inputs_, 2, attrs_, 1);
    const struct sl_string_split_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_string_split_outputs sl_string_split(struct sl_scope *scope, TF_Output input, TF_Output delimiter) {
    const struct sl_string_split_attrs attrs = SL_DEFAULTS;
    return sl_string_split_with(scope, input, delimiter, attrs);
}

struct sl_string_split_v2_outputs {
    TF_Output indices, values, shape;
};
struct sl_string_split_v2_attrs {
    int64_t maxsplit; /* -1 */
};
/* StringSplitV2: input: string, sep: string -> indices: int64, values: string, shape: int64 */
static inline struct sl_string_split_v2_outputs sl_string_split_v2_with(struct sl_scope *scope, TF_Output input, TF_Output sep, struct sl_string_split_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&sep, -1}};
    const struct sl_attr_given attrs_[] = {{"maxsplit", SL_GIVEN_INT, &attrs.maxsplit}};
    TF_Operation *const op_ = sl_op(scope, "StringSplitV2", inputs_, 2, attrs_, 1);
    const struct sl_string_split_v2_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_string_split_v2_outputs sl_string_split_v2(struct sl_scope *scope, TF_Output input, TF_Output sep) {
    const struct sl_string_split_v2_attrs attrs = SL_DEFAULTS;
    return sl_string_split_v2_with(scope, input, sep, attrs);
}

/* StringStrip: input: string -> output: string */
static inline TF_Output sl_string_strip(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "StringStrip", inputs_, 1, NULL, 0));
}

struct sl_string_to_hash_bucket_attrs {
    int64_t num_buckets; /* must be given */
};
/* StringToHashBucket: string_tensor: string -> output: int64 */
static inline TF_Output sl_string_to_hash_bucket(struct sl_scope *scope, TF_Output string_tensor, struct sl_string_to_hash_bucket_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&string_tensor, -1}};
    const struct sl_attr_given attrs_[] = {{"num_buckets", SL_GIVEN_INT_NEEDED, &attrs.num_buckets}};
    return sl_op_first(sl_op(scope, "StringToHashBucket", inputs_, 1, attrs_, 1));
}

struct sl_string_to_hash_bucket_fast_attrs {
    int64_t num_buckets; /* must be given */
};
/* StringToHashBucketFast: input: string -> output: int64 */
static inline TF_Output sl_string_to_hash_bucket_fast(struct sl_scope *scope, TF_Output input, struct sl_string_to_hash_bucket_fast_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"num_buckets", SL_GIVEN_INT_NEEDED, &attrs.num_buckets}};
    return sl_op_first(sl_op(scope, "StringToHashBucketFast", inputs_, 1, attrs_, 1));
}

struct sl_string_to_hash_bucket_strong_attrs {
    int64_t num_buckets; /* must be given */
    struct sl_ints key; /* must be given */
};
/* StringToHashBucketStrong: input: string -> output: int64 */
static inline TF_Output sl_string_to_hash_bucket_strong(struct sl_scope *scope, TF_Output input, struct sl_string_to_hash_bucket_strong_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"num_buckets", SL_GIVEN_INT_NEEDED, &attrs.num_buckets}, {"key", SL_GIVEN_INTS_NEEDED, &attrs.key}};
    return sl_op_first(sl_op(scope, "StringToHashBucketStrong", inputs_, 1, attrs_, 2));
}

struct sl_string_to_number_attrs {
    TF_DataType out_type; /* DT_FLOAT */
};
/* StringToNumber: string_tensor: string -> output: out_type */
static inline TF_Output sl_string_to_number_with(struct sl_scope *scope, TF_Output string_tensor, struct sl_string_to_number_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&string_tensor, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}};
    return sl_op_first(sl_op(scope, "StringToNumber", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_string_to_number(struct sl_scope *scope, TF_Output string_tensor) {
    const struct sl_string_to_number_attrs attrs = SL_DEFAULTS;
    return sl_string_to_number_with(scope, string_tensor, attrs);
}

struct sl_string_upper_attrs {
    const char *encoding; /* '' */
};
/* StringUpper: input: string -> output: string */
static inline TF_Output sl_string_upper_with(struct sl_scope *scope, TF_Output input, struct sl_string_upper_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"encoding", SL_GIVEN_STRING, &attrs.encoding}};
    return sl_op_first(sl_op(scope, "StringUpper", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_string_upper(struct sl_scope *scope, TF_Output input) {
    const struct sl_string_upper_attrs attrs = SL_DEFAULTS;
    return sl_string_upper_with(scope, input, attrs);
}

struct sl_substr_attrs {
    const char *unit; /* 'BYTE' */
};
/* Substr: input: string, pos: T, len: T -> output: string */
static inline TF_Output sl_substr_with(struct sl_scope *scope, TF_Output input, TF_Output pos, TF_Output len, struct sl_substr_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&pos, -1}, {&len, -1}};
    const struct sl_attr_given attrs_[] = {{"unit", SL_GIVEN_STRING, &attrs.unit}};
    return sl_op_first(sl_op(scope, "Substr", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_substr(struct sl_scope *scope, TF_Output input, TF_Output pos, TF_Output len) {
    const struct sl_substr_attrs attrs = SL_DEFAULTS;
    return sl_substr_with(scope, input, pos, len, attrs);
}

struct sl_unicode_decode_outputs {
    TF_Output row_splits, char_values;
};
struct sl_unicode_decode_attrs {
    const char *input_encoding; /* must be given */
    const char *errors; /* 'replace' */
    int64_t replacement_char; /* 65533 */
    bool replace_control_characters; /* false */
    TF_DataType Tsplits; /* DT_INT64 */
};
/* UnicodeDecode: input: string -> row_splits: Tsplits, char_values: int32 */
static inline struct sl_unicode_decode_outputs sl_unicode_decode(struct sl_scope *scope, TF_Output input, struct sl_unicode_decode_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"input_encoding", SL_GIVEN_STRING, &attrs.input_encoding}, {"errors", SL_GIVEN_STRING, &attrs.errors}, {"replacement_char", SL_GIVEN_INT, &attrs.replacement_char}, {"replace_control_characters", SL_GIVEN_BOOL, &attrs.replace_control_characters}, {"Tsplits", SL_GIVEN_TYPE, &attrs.Tsplits}};
    TF_Operation *const op_ = sl_op(scope, "UnicodeDecode", inputs_, 1, attrs_, 5);
    const struct sl_unicode_decode_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_unicode_decode_with_offsets_outputs {
    TF_Output row_splits, char_values, char_to_byte_starts;
};
struct sl_unicode_decode_with_offsets_attrs {
    const char *input_encoding; /* must be given */
    const char *errors; /* 'replace' */
    int64_t replacement_char; /* 65533 */
    bool replace_control_characters; /* false */
    TF_DataType Tsplits; /* DT_INT64 */
};
/* UnicodeDecodeWithOffsets: input: string -> row_splits: Tsplits, char_values: int32, char_to_byte_starts: int64 */
static inline struct sl_unicode_decode_with_offsets_outputs sl_unicode_decode_with_offsets(struct sl_scope *scope, TF_Output input, struct sl_unicode_decode_with_offsets_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"input_encoding", SL_GIVEN_STRING, &attrs.input_encoding}, {"errors", SL_GIVEN_STRING, &attrs.errors}, {"replacement_char", SL_GIVEN_INT, &attrs.replacement_char}, {"replace_control_characters", SL_GIVEN_BOOL, &attrs.replace_control_characters}, {"Tsplits", SL_GIVEN_TYPE, &attrs.Tsplits}};
    TF_Operation *const op_ = sl_op(scope, "UnicodeDecodeWithOffsets", inputs_, 1, attrs_, 5);
    const struct sl_unicode_decode_with_offsets_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_unicode_encode_attrs {
    const char *errors; /* 'replace' */
    const char *output_encoding; /* must be given */
    int64_t replacement_char; /* 65533 */
};
/* UnicodeEncode: input_values: int32, input_splits: Tsplits -> output: string */
static inline TF_Output sl_unicode_encode(struct sl_scope *scope, TF_Output input_values, TF_Output input_splits, struct sl_unicode_encode_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_values, -1}, {&input_splits, -1}};
    const struct sl_attr_given attrs_[] = {{"errors", SL_GIVEN_STRING, &attrs.errors}, {"output_encoding", SL_GIVEN_STRING, &attrs.output_encoding}, {"replacement_char", SL_GIVEN_INT, &attrs.replacement_char}};
    return sl_op_first(sl_op(scope, "UnicodeEncode", inputs_, 2, attrs_, 3));
}

/* UnicodeScript: input: int32 -> output: int32 */
static inline TF_Output sl_unicode_script(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "UnicodeScript", inputs_, 1, NULL, 0));
}

struct sl_unicode_transcode_attrs {
    const char *input_encoding; /* must be given */
    const char *output_encoding; /* must be given */
    const char *errors; /* 'replace' */
    int64_t replacement_char; /* 65533 */
    bool replace_control_characters; /* false */
};
/* UnicodeTranscode: input: string -> output: string */
static inline TF_Output sl_unicode_transcode(struct sl_scope *scope, TF_Output input, struct sl_unicode_transcode_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"input_encoding", SL_GIVEN_STRING, &attrs.input_encoding}, {"output_encoding", SL_GIVEN_STRING, &attrs.output_encoding}, {"errors", SL_GIVEN_STRING, &attrs.errors}, {"replacement_char", SL_GIVEN_INT, &attrs.replacement_char}, {"replace_control_characters", SL_GIVEN_BOOL, &attrs.replace_control_characters}};
    return sl_op_first(sl_op(scope, "UnicodeTranscode", inputs_, 1, attrs_, 5));
}

struct sl_unsorted_segment_join_attrs {
    const char *separator; /* '' */
};
/* UnsortedSegmentJoin: inputs: string, segment_ids: Tindices, num_segments: Tnumsegments -> output: string */
static inline TF_Output sl_unsorted_segment_join_with(struct sl_scope *scope, TF_Output inputs, TF_Output segment_ids, TF_Output num_segments, struct sl_unsorted_segment_join_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&inputs, -1}, {&segment_ids, -1}, {&num_segments, -1}};
    const struct sl_attr_given attrs_[] = {{"separator", SL_GIVEN_STRING, &attrs.separator}};
    return sl_op_first(sl_op(scope, "UnsortedSegmentJoin", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_unsorted_segment_join(struct sl_scope *scope, TF_Output inputs, TF_Output segment_ids, TF_Output num_segments) {
    const struct sl_unsorted_segment_join_attrs attrs = SL_DEFAULTS;
    return sl_unsorted_segment_join_with(scope, inputs, segment_ids, num_segments, attrs);
}

#ifdef __cplusplus
}
#endif

#endif
