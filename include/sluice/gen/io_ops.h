/* Wrappers of the io ops, made by tools/gen_ops.py from src/ops/io.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_IO_OPS_H
#define SLUICE_GEN_IO_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_audio_summary_attrs {
    float sample_rate; /* must be given */
    int64_t max_outputs; /* 3 */
};
/* AudioSummary: tag: string, tensor: float -> summary: string */
static inline TF_Output sl_audio_summary(struct sl_scope *scope, TF_Output tag, TF_Output tensor, struct sl_audio_summary_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&tag, -1}, {&tensor, -1}};
    const struct sl_attr_given attrs_[] = {{"sample_rate", SL_GIVEN_FLOAT_NEEDED, &attrs.sample_rate}, {"max_outputs", SL_GIVEN_INT, &attrs.max_outputs}};
    return sl_op_first(sl_op(scope, "AudioSummary", inputs_, 2, attrs_, 2));
}

struct sl_audio_summary_v2_attrs {
    int64_t max_outputs; /* 3 */
};
/* AudioSummaryV2: tag: string, tensor: float, sample_rate: float -> summary: string */
static inline TF_Output sl_audio_summary_v2_with(struct sl_scope *scope, TF_Output tag, TF_Output tensor, TF_Output sample_rate, struct sl_audio_summary_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&tag, -1}, {&tensor, -1}, {&sample_rate, -1}};
    const struct sl_attr_given attrs_[] = {{"max_outputs", SL_GIVEN_INT, &attrs.max_outputs}};
    return sl_op_first(sl_op(scope, "AudioSummaryV2", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_audio_summary_v2(struct sl_scope *scope, TF_Output tag, TF_Output tensor, TF_Output sample_rate) {
    const struct sl_audio_summary_v2_attrs attrs = SL_DEFAULTS;
    return sl_audio_summary_v2_with(scope, tag, tensor, sample_rate, attrs);
}

/* CloseSummaryWriter: writer: resource -> () */
static inline TF_Operation *sl_close_summary_writer(struct sl_scope *scope, TF_Output writer) {
    const struct sl_op_input inputs_[] = {{&writer, -1}};
    return sl_op(scope, "CloseSummaryWriter", inputs_, 1, NULL, 0);
}

/* CreateSummaryDbWriter: writer: resource, db_uri: string, experiment_name: string, run_name: string, user_name: string -> () */
static inline TF_Operation *sl_create_summary_db_writer(struct sl_scope *scope, TF_Output writer, TF_Output db_uri, TF_Output experiment_name, TF_Output run_name, TF_Output user_name) {
    const struct sl_op_input inputs_[] = {{&writer, -1}, {&db_uri, -1}, {&experiment_name, -1}, {&run_name, -1}, {&user_name, -1}};
    return sl_op(scope, "CreateSummaryDbWriter", inputs_, 5, NULL, 0);
}

/* CreateSummaryFileWriter: writer: resource, logdir: string, max_queue: int32, flush_millis: int32, filename_suffix: string -> () */
static inline TF_Operation *sl_create_summary_file_writer(struct sl_scope *scope, TF_Output writer, TF_Output logdir, TF_Output max_queue, TF_Output flush_millis, TF_Output filename_suffix) {
    const struct sl_op_input inputs_[] = {{&writer, -1}, {&logdir, -1}, {&max_queue, -1}, {&flush_millis, -1}, {&filename_suffix, -1}};
    return sl_op(scope, "CreateSummaryFileWriter", inputs_, 5, NULL, 0);
}

/* FileSystemSetConfiguration: scheme: string, key: string, value: string -> () */
static inline TF_Operation *sl_file_system_set_configuration(struct sl_scope *scope, TF_Output scheme, TF_Output key, TF_Output value) {
    const struct sl_op_input inputs_[] = {{&scheme, -1}, {&key, -1}, {&value, -1}};
    return sl_op(scope, "FileSystemSetConfiguration", inputs_, 3, NULL, 0);
}

struct sl_fixed_length_record_reader_attrs {
    int64_t header_bytes; /* 0 */
    int64_t record_bytes; /* must be given */
    int64_t footer_bytes; /* 0 */
    int64_t hop_bytes; /* 0 */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* FixedLengthRecordReader: () -> reader_handle: Ref(string) */
static inline TF_Output sl_fixed_length_record_reader(struct sl_scope *scope, struct sl_fixed_length_record_reader_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"header_bytes", SL_GIVEN_INT, &attrs.header_bytes}, {"record_bytes", SL_GIVEN_INT_NEEDED, &attrs.record_bytes}, {"footer_bytes", SL_GIVEN_INT, &attrs.footer_bytes}, {"hop_bytes", SL_GIVEN_INT, &attrs.hop_bytes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "FixedLengthRecordReader", NULL, 0, attrs_, 6));
}

struct sl_fixed_length_record_reader_v2_attrs {
    int64_t header_bytes; /* 0 */
    int64_t record_bytes; /* must be given */
    int64_t footer_bytes; /* 0 */
    int64_t hop_bytes; /* 0 */
    const char *container; /* '' */
    const char *shared_name; /* '' */
    const char *encoding; /* '' */
};
/* FixedLengthRecordReaderV2: () -> reader_handle: resource */
static inline TF_Output sl_fixed_length_record_reader_v2(struct sl_scope *scope, struct sl_fixed_length_record_reader_v2_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"header_bytes", SL_GIVEN_INT, &attrs.header_bytes}, {"record_bytes", SL_GIVEN_INT_NEEDED, &attrs.record_bytes}, {"footer_bytes", SL_GIVEN_INT, &attrs.footer_bytes}, {"hop_bytes", SL_GIVEN_INT, &attrs.hop_bytes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}, {"encoding", SL_GIVEN_STRING, &attrs.encoding}};
    return sl_op_first(sl_op(scope, "FixedLengthRecordReaderV2", NULL, 0, attrs_, 7));
}

/* FlushSummaryWriter: writer: resource -> () */
static inline TF_Operation *sl_flush_summary_writer(struct sl_scope *scope, TF_Output writer) {
    const struct sl_op_input inputs_[] = {{&writer, -1}};
    return sl_op(scope, "FlushSummaryWriter", inputs_, 1, NULL, 0);
}

struct sl_generate_vocab_remapping_outputs {
    TF_Output remapping, num_present;
};
struct sl_generate_vocab_remapping_attrs {
    int64_t new_vocab_offset; /* must be given */
    int64_t num_new_vocab; /* must be given */
    int64_t old_vocab_size; /* -1 */
};
/* GenerateVocabRemapping: new_vocab_file: string, old_vocab_file: string -> remapping: int64, num_present: int32 */
static inline struct sl_generate_vocab_remapping_outputs sl_generate_vocab_remapping(struct sl_scope *scope, TF_Output new_vocab_file, TF_Output old_vocab_file, struct sl_generate_vocab_remapping_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&new_vocab_file, -1}, {&old_vocab_file, -1}};
    const struct sl_attr_given attrs_[] = {{"new_vocab_offset", SL_GIVEN_INT_NEEDED, &attrs.new_vocab_offset}, {"num_new_vocab", SL_GIVEN_INT_NEEDED, &attrs.num_new_vocab}, {"old_vocab_size", SL_GIVEN_INT, &attrs.old_vocab_size}};
    TF_Operation *const op_ = sl_op(scope, "GenerateVocabRemapping", inputs_, 2, attrs_, 3);
    const struct sl_generate_vocab_remapping_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

/* HistogramSummary: tag: string, values: T -> summary: string */
static inline TF_Output sl_histogram_summary(struct sl_scope *scope, TF_Output tag, TF_Output values) {
    const struct sl_op_input inputs_[] = {{&tag, -1}, {&values, -1}};
    return sl_op_first(sl_op(scope, "HistogramSummary", inputs_, 2, NULL, 0));
}

struct sl_identity_reader_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* IdentityReader: () -> reader_handle: Ref(string) */
static inline TF_Output sl_identity_reader_with(struct sl_scope *scope, struct sl_identity_reader_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "IdentityReader", NULL, 0, attrs_, 2));
}
static inline TF_Output sl_identity_reader(struct sl_scope *scope) {
    const struct sl_identity_reader_attrs attrs = SL_DEFAULTS;
    return sl_identity_reader_with(scope, attrs);
}

struct sl_identity_reader_v2_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* IdentityReaderV2: () -> reader_handle: resource */
static inline TF_Output sl_identity_reader_v2_with(struct sl_scope *scope, struct sl_identity_reader_v2_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "IdentityReaderV2", NULL, 0, attrs_, 2));
}
static inline TF_Output sl_identity_reader_v2(struct sl_scope *scope) {
    const struct sl_identity_reader_v2_attrs attrs = SL_DEFAULTS;
    return sl_identity_reader_v2_with(scope, attrs);
}

struct sl_image_summary_attrs {
    int64_t max_images; /* 3 */
    TF_Tensor *bad_color; /* { dtype: DT_UINT8 tensor_shape { dim { size: 4 } } int_val: 255 int_val: 0 int_val: 0 int_val: 255 } */
};
/* ImageSummary: tag: string, tensor: T -> summary: string */
static inline TF_Output sl_image_summary_with(struct sl_scope *scope, TF_Output tag, TF_Output tensor, struct sl_image_summary_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&tag, -1}, {&tensor, -1}};
    const struct sl_attr_given attrs_[] = {{"max_images", SL_GIVEN_INT, &attrs.max_images}, {"bad_color", SL_GIVEN_TENSOR, &attrs.bad_color}};
    return sl_op_first(sl_op(scope, "ImageSummary", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_image_summary(struct sl_scope *scope, TF_Output tag, TF_Output tensor) {
    const struct sl_image_summary_attrs attrs = SL_DEFAULTS;
    return sl_image_summary_with(scope, tag, tensor, attrs);
}

/* ImportEvent: writer: resource, event: string -> () */
static inline TF_Operation *sl_import_event(struct sl_scope *scope, TF_Output writer, TF_Output event) {
    const struct sl_op_input inputs_[] = {{&writer, -1}, {&event, -1}};
    return sl_op(scope, "ImportEvent", inputs_, 2, NULL, 0);
}

struct sl_lmdb_reader_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* LMDBReader: () -> reader_handle: Ref(string) */
static inline TF_Output sl_lmdb_reader_with(struct sl_scope *scope, struct sl_lmdb_reader_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "LMDBReader", NULL, 0, attrs_, 2));
}
static inline TF_Output sl_lmdb_reader(struct sl_scope *scope) {
    const struct sl_lmdb_reader_attrs attrs = SL_DEFAULTS;
    return sl_lmdb_reader_with(scope, attrs);
}

struct sl_load_and_remap_matrix_attrs {
    int64_t num_rows; /* must be given */
    int64_t num_cols; /* must be given */
    int64_t max_rows_in_memory; /* -1 */
};
/* LoadAndRemapMatrix: ckpt_path: string, old_tensor_name: string, row_remapping: int64, col_remapping: int64, initializing_values: float -> output_matrix: float */
static inline TF_Output sl_load_and_remap_matrix(struct sl_scope *scope, TF_Output ckpt_path, TF_Output old_tensor_name, TF_Output row_remapping, TF_Output col_remapping, TF_Output initializing_values, struct sl_load_and_remap_matrix_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ckpt_path, -1}, {&old_tensor_name, -1}, {&row_remapping, -1}, {&col_remapping, -1}, {&initializing_values, -1}};
    const struct sl_attr_given attrs_[] = {{"num_rows", SL_GIVEN_INT_NEEDED, &attrs.num_rows}, {"num_cols", SL_GIVEN_INT_NEEDED, &attrs.num_cols}, {"max_rows_in_memory", SL_GIVEN_INT, &attrs.max_rows_in_memory}};
    return sl_op_first(sl_op(scope, "LoadAndRemapMatrix", inputs_, 5, attrs_, 3));
}

/* MatchingFiles: pattern: string -> filenames: string */
static inline TF_Output sl_matching_files(struct sl_scope *scope, TF_Output pattern) {
    const struct sl_op_input inputs_[] = {{&pattern, -1}};
    return sl_op_first(sl_op(scope, "MatchingFiles", inputs_, 1, NULL, 0));
}

/* MergeSummary: inputs: N * string -> summary: string */
static inline TF_Output sl_merge_summary(struct sl_scope *scope, const TF_Output *inputs, int num_inputs) {
    const struct sl_op_input inputs_[] = {{inputs, num_inputs}};
    return sl_op_first(sl_op(scope, "MergeSummary", inputs_, 1, NULL, 0));
}

struct sl_merge_v2_checkpoints_attrs {
    enum sl_choice delete_old_dirs; /* true */
    bool allow_missing_files; /* false */
};
/* MergeV2Checkpoints: checkpoint_prefixes: string, destination_prefix: string -> () */
static inline TF_Operation *sl_merge_v2_checkpoints_with(struct sl_scope *scope, TF_Output checkpoint_prefixes, TF_Output destination_prefix, struct sl_merge_v2_checkpoints_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&checkpoint_prefixes, -1}, {&destination_prefix, -1}};
    const struct sl_attr_given attrs_[] = {{"delete_old_dirs", SL_GIVEN_CHOICE, &attrs.delete_old_dirs}, {"allow_missing_files", SL_GIVEN_BOOL, &attrs.allow_missing_files}};
    return sl_op(scope, "MergeV2Checkpoints", inputs_, 2, attrs_, 2);
}
static inline TF_Operation *sl_merge_v2_checkpoints(struct sl_scope *scope, TF_Output checkpoint_prefixes, TF_Output destination_prefix) {
    const struct sl_merge_v2_checkpoints_attrs attrs = SL_DEFAULTS;
    return sl_merge_v2_checkpoints_with(scope, checkpoint_prefixes, destination_prefix, attrs);
}

/* ReadFile: filename: string -> contents: string */
static inline TF_Output sl_read_file(struct sl_scope *scope, TF_Output filename) {
    const struct sl_op_input inputs_[] = {{&filename, -1}};
    return sl_op_first(sl_op(scope, "ReadFile", inputs_, 1, NULL, 0));
}

/* ReaderNumRecordsProduced: reader_handle: Ref(string) -> records_produced: int64 */
static inline TF_Output sl_reader_num_records_produced(struct sl_scope *scope, TF_Output reader_handle) {
    const struct sl_op_input inputs_[] = {{&reader_handle, -1}};
    return sl_op_first(sl_op(scope, "ReaderNumRecordsProduced", inputs_, 1, NULL, 0));
}

/* ReaderNumRecordsProducedV2: reader_handle: resource -> records_produced: int64 */
static inline TF_Output sl_reader_num_records_produced_v2(struct sl_scope *scope, TF_Output reader_handle) {
    const struct sl_op_input inputs_[] = {{&reader_handle, -1}};
    return sl_op_first(sl_op(scope, "ReaderNumRecordsProducedV2", inputs_, 1, NULL, 0));
}

/* ReaderNumWorkUnitsCompleted: reader_handle: Ref(string) -> units_completed: int64 */
static inline TF_Output sl_reader_num_work_units_completed(struct sl_scope *scope, TF_Output reader_handle) {
    const struct sl_op_input inputs_[] = {{&reader_handle, -1}};
    return sl_op_first(sl_op(scope, "ReaderNumWorkUnitsCompleted", inputs_, 1, NULL, 0));
}

/* ReaderNumWorkUnitsCompletedV2: reader_handle: resource -> units_completed: int64 */
static inline TF_Output sl_reader_num_work_units_completed_v2(struct sl_scope *scope, TF_Output reader_handle) {
    const struct sl_op_input inputs_[] = {{&reader_handle, -1}};
    return sl_op_first(sl_op(scope, "ReaderNumWorkUnitsCompletedV2", inputs_, 1, NULL, 0));
}

struct sl_reader_read_outputs {
    TF_Output key, value;
};
/* ReaderRead: reader_handle: Ref(string), queue_handle: Ref(string) -> key: string, value: string */
static inline struct sl_reader_read_outputs sl_reader_read(struct sl_scope *scope, TF_Output reader_handle, TF_Output queue_handle) {
    const struct sl_op_input inputs_[] = {{&reader_handle, -1}, {&queue_handle, -1}};
    TF_Operation *const op_ = sl_op(scope, "ReaderRead", inputs_, 2, NULL, 0);
    const struct sl_reader_read_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_reader_read_up_to_outputs {
    TF_Output keys, values;
};
/* ReaderReadUpTo: reader_handle: Ref(string), queue_handle: Ref(string), num_records: int64 -> keys: string, values: string */
static inline struct sl_reader_read_up_to_outputs sl_reader_read_up_to(struct sl_scope *scope, TF_Output reader_handle, TF_Output queue_handle, TF_Output num_records) {
    const struct sl_op_input inputs_[] = {{&reader_handle, -1}, {&queue_handle, -1}, {&num_records, -1}};
    TF_Operation *const op_ = sl_op(scope, "ReaderReadUpTo", inputs_, 3, NULL, 0);
    const struct sl_reader_read_up_to_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_reader_read_up_to_v2_outputs {
    TF_Output keys, values;
};
/* ReaderReadUpToV2: reader_handle: resource, queue_handle: resource, num_records: int64 -> keys: string, values: string */
static inline struct sl_reader_read_up_to_v2_outputs sl_reader_read_up_to_v2(struct sl_scope *scope, TF_Output reader_handle, TF_Output queue_handle, TF_Output num_records) {
    const struct sl_op_input inputs_[] = {{&reader_handle, -1}, {&queue_handle, -1}, {&num_records, -1}};
    TF_Operation *const op_ = sl_op(scope, "ReaderReadUpToV2", inputs_, 3, NULL, 0);
    const struct sl_reader_read_up_to_v2_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_reader_read_v2_outputs {
    TF_Output key, value;
};
/* ReaderReadV2: reader_handle: resource, queue_handle: resource -> key: string, value: string */
static inline struct sl_reader_read_v2_outputs sl_reader_read_v2(struct sl_scope *scope, TF_Output reader_handle, TF_Output queue_handle) {
    const struct sl_op_input inputs_[] = {{&reader_handle, -1}, {&queue_handle, -1}};
    TF_Operation *const op_ = sl_op(scope, "ReaderReadV2", inputs_, 2, NULL, 0);
    const struct sl_reader_read_v2_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

/* ReaderReset: reader_handle: Ref(string) -> () */
static inline TF_Operation *sl_reader_reset(struct sl_scope *scope, TF_Output reader_handle) {
    const struct sl_op_input inputs_[] = {{&reader_handle, -1}};
    return sl_op(scope, "ReaderReset", inputs_, 1, NULL, 0);
}

/* ReaderResetV2: reader_handle: resource -> () */
static inline TF_Operation *sl_reader_reset_v2(struct sl_scope *scope, TF_Output reader_handle) {
    const struct sl_op_input inputs_[] = {{&reader_handle, -1}};
    return sl_op(scope, "ReaderResetV2", inputs_, 1, NULL, 0);
}

/* ReaderRestoreState: reader_handle: Ref(string), state: string -> () */
static inline TF_Operation *sl_reader_restore_state(struct sl_scope *scope, TF_Output reader_handle, TF_Output state) {
    const struct sl_op_input inputs_[] = {{&reader_handle, -1}, {&state, -1}};
    return sl_op(scope, "ReaderRestoreState", inputs_, 2, NULL, 0);
}

/* ReaderRestoreStateV2: reader_handle: resource, state: string -> () */
static inline TF_Operation *sl_reader_restore_state_v2(struct sl_scope *scope, TF_Output reader_handle, TF_Output state) {
    const struct sl_op_input inputs_[] = {{&reader_handle, -1}, {&state, -1}};
    return sl_op(scope, "ReaderRestoreStateV2", inputs_, 2, NULL, 0);
}

/* ReaderSerializeState: reader_handle: Ref(string) -> state: string */
static inline TF_Output sl_reader_serialize_state(struct sl_scope *scope, TF_Output reader_handle) {
    const struct sl_op_input inputs_[] = {{&reader_handle, -1}};
    return sl_op_first(sl_op(scope, "ReaderSerializeState", inputs_, 1, NULL, 0));
}

/* ReaderSerializeStateV2: reader_handle: resource -> state: string */
static inline TF_Output sl_reader_serialize_state_v2(struct sl_scope *scope, TF_Output reader_handle) {
    const struct sl_op_input inputs_[] = {{&reader_handle, -1}};
    return sl_op_first(sl_op(scope, "ReaderSerializeStateV2", inputs_, 1, NULL, 0));
}

struct sl_restore_attrs {
    TF_DataType dt; /* must be given */
    int64_t preferred_shard; /* -1 */
};
/* Restore: file_pattern: string, tensor_name: string -> tensor: dt */
static inline TF_Output sl_restore(struct sl_scope *scope, TF_Output file_pattern, TF_Output tensor_name, struct sl_restore_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&file_pattern, -1}, {&tensor_name, -1}};
    const struct sl_attr_given attrs_[] = {{"dt", SL_GIVEN_TYPE, &attrs.dt}, {"preferred_shard", SL_GIVEN_INT, &attrs.preferred_shard}};
    return sl_op_first(sl_op(scope, "Restore", inputs_, 2, attrs_, 2));
}

struct sl_restore_slice_attrs {
    TF_DataType dt; /* must be given */
    int64_t preferred_shard; /* -1 */
};
/* RestoreSlice: file_pattern: string, tensor_name: string, shape_and_slice: string -> tensor: dt */
static inline TF_Output sl_restore_slice(struct sl_scope *scope, TF_Output file_pattern, TF_Output tensor_name, TF_Output shape_and_slice, struct sl_restore_slice_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&file_pattern, -1}, {&tensor_name, -1}, {&shape_and_slice, -1}};
    const struct sl_attr_given attrs_[] = {{"dt", SL_GIVEN_TYPE, &attrs.dt}, {"preferred_shard", SL_GIVEN_INT, &attrs.preferred_shard}};
    return sl_op_first(sl_op(scope, "RestoreSlice", inputs_, 3, attrs_, 2));
}

struct sl_restore_v2_attrs {
    struct sl_types dtypes; /* must be given */
};
/* RestoreV2: prefix: string, tensor_names: string, shape_and_slices: string -> tensors: dtypes */
static inline TF_Operation *sl_restore_v2(struct sl_scope *scope, TF_Output prefix, TF_Output tensor_names, TF_Output shape_and_slices, struct sl_restore_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&prefix, -1}, {&tensor_names, -1}, {&shape_and_slices, -1}};
    const struct sl_attr_given attrs_[] = {{"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}};
    return sl_op(scope, "RestoreV2", inputs_, 3, attrs_, 1);
}

/* Save: filename: string, tensor_names: string, data: T -> () */
static inline TF_Operation *sl_save(struct sl_scope *scope, TF_Output filename, TF_Output tensor_names, const TF_Output *data, int num_data) {
    const struct sl_op_input inputs_[] = {{&filename, -1}, {&tensor_names, -1}, {data, num_data}};
    return sl_op(scope, "Save", inputs_, 3, NULL, 0);
}

/* SaveSlices: filename: string, tensor_names: string, shapes_and_slices: string, data: T -> () */
static inline TF_Operation *sl_save_slices(struct sl_scope *scope, TF_Output filename, TF_Output tensor_names, TF_Output shapes_and_slices, const TF_Output *data, int num_data) {
    const struct sl_op_input inputs_[] = {{&filename, -1}, {&tensor_names, -1}, {&shapes_and_slices, -1}, {data, num_data}};
    return sl_op(scope, "SaveSlices", inputs_, 4, NULL, 0);
}

/* SaveV2: prefix: string, tensor_names: string, shape_and_slices: string, tensors: dtypes -> () */
static inline TF_Operation *sl_save_v2(struct sl_scope *scope, TF_Output prefix, TF_Output tensor_names, TF_Output shape_and_slices, const TF_Output *tensors, int num_tensors) {
    const struct sl_op_input inputs_[] = {{&prefix, -1}, {&tensor_names, -1}, {&shape_and_slices, -1}, {tensors, num_tensors}};
    return sl_op(scope, "SaveV2", inputs_, 4, NULL, 0);
}

/* ScalarSummary: tags: string, values: T -> summary: string */
static inline TF_Output sl_scalar_summary(struct sl_scope *scope, TF_Output tags, TF_Output values) {
    const struct sl_op_input inputs_[] = {{&tags, -1}, {&values, -1}};
    return sl_op_first(sl_op(scope, "ScalarSummary", inputs_, 2, NULL, 0));
}

/* ShardedFilename: basename: string, shard: int32, num_shards: int32 -> filename: string */
static inline TF_Output sl_sharded_filename(struct sl_scope *scope, TF_Output basename, TF_Output shard, TF_Output num_shards) {
    const struct sl_op_input inputs_[] = {{&basename, -1}, {&shard, -1}, {&num_shards, -1}};
    return sl_op_first(sl_op(scope, "ShardedFilename", inputs_, 3, NULL, 0));
}

/* ShardedFilespec: basename: string, num_shards: int32 -> filename: string */
static inline TF_Output sl_sharded_filespec(struct sl_scope *scope, TF_Output basename, TF_Output num_shards) {
    const struct sl_op_input inputs_[] = {{&basename, -1}, {&num_shards, -1}};
    return sl_op_first(sl_op(scope, "ShardedFilespec", inputs_, 2, NULL, 0));
}

struct sl_skipgram_outputs {
    TF_Output vocab_word, vocab_freq, words_per_epoch, current_epoch, total_words_processed, examples, labels;
};
struct sl_skipgram_attrs {
    const char *filename; /* must be given */
    int64_t batch_size; /* must be given */
    int64_t window_size; /* 5 */
    int64_t min_count; /* 5 */
    float subsample; /* 0.001 */
};
/* Skipgram: () -> vocab_word: string, vocab_freq: int32, words_per_epoch: int64, current_epoch: int32, total_words_processed: int64, examples: int32, labels: int32 */
static inline struct sl_skipgram_outputs sl_skipgram(struct sl_scope *scope, struct sl_skipgram_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"filename", SL_GIVEN_STRING, &attrs.filename}, {"batch_size", SL_GIVEN_INT_NEEDED, &attrs.batch_size}, {"window_size", SL_GIVEN_INT, &attrs.window_size}, {"min_count", SL_GIVEN_INT, &attrs.min_count}, {"subsample", SL_GIVEN_FLOAT, &attrs.subsample}};
    TF_Operation *const op_ = sl_op(scope, "Skipgram", NULL, 0, attrs_, 5);
    const struct sl_skipgram_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}, {op_, 4}, {op_, 5}, {op_, 6}};
    return outputs_;
}

struct sl_summary_writer_attrs {
    const char *shared_name; /* '' */
    const char *container; /* '' */
};
/* SummaryWriter: () -> writer: resource */
static inline TF_Output sl_summary_writer_with(struct sl_scope *scope, struct sl_summary_writer_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"shared_name", SL_GIVEN_STRING, &attrs.shared_name}, {"container", SL_GIVEN_STRING, &attrs.container}};
    return sl_op_first(sl_op(scope, "SummaryWriter", NULL, 0, attrs_, 2));
}
static inline TF_Output sl_summary_writer(struct sl_scope *scope) {
    const struct sl_summary_writer_attrs attrs = SL_DEFAULTS;
    return sl_summary_writer_with(scope, attrs);
}

struct sl_tf_record_reader_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
    const char *compression_type; /* '' */
};
/* TFRecordReader: () -> reader_handle: Ref(string) */
static inline TF_Output sl_tf_record_reader_with(struct sl_scope *scope, struct sl_tf_record_reader_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}, {"compression_type", SL_GIVEN_STRING, &attrs.compression_type}};
    return sl_op_first(sl_op(scope, "TFRecordReader", NULL, 0, attrs_, 3));
}
static inline TF_Output sl_tf_record_reader(struct sl_scope *scope) {
    const struct sl_tf_record_reader_attrs attrs = SL_DEFAULTS;
    return sl_tf_record_reader_with(scope, attrs);
}

struct sl_tf_record_reader_v2_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
    const char *compression_type; /* '' */
};
/* TFRecordReaderV2: () -> reader_handle: resource */
static inline TF_Output sl_tf_record_reader_v2_with(struct sl_scope *scope, struct sl_tf_record_reader_v2_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}, {"compression_type", SL_GIVEN_STRING, &attrs.compression_type}};
    return sl_op_first(sl_op(scope, "TFRecordReaderV2", NULL, 0, attrs_, 3));
}
static inline TF_Output sl_tf_record_reader_v2(struct sl_scope *scope) {
    const struct sl_tf_record_reader_v2_attrs attrs = SL_DEFAULTS;
    return sl_tf_record_reader_v2_with(scope, attrs);
}

struct sl_tensor_summary_attrs {
    const char *description; /* '' */
    struct sl_strings labels; /* [] */
    const char *display_name; /* '' */
};
/* TensorSummary: tensor: T -> summary: string */
static inline TF_Output sl_tensor_summary_with(struct sl_scope *scope, TF_Output tensor, struct sl_tensor_summary_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}};
    const struct sl_attr_given attrs_[] = {{"description", SL_GIVEN_STRING, &attrs.description}, {"labels", SL_GIVEN_STRINGS, &attrs.labels}, {"display_name", SL_GIVEN_STRING, &attrs.display_name}};
    return sl_op_first(sl_op(scope, "TensorSummary", inputs_, 1, attrs_, 3));
}
static inline TF_Output sl_tensor_summary(struct sl_scope *scope, TF_Output tensor) {
    const struct sl_tensor_summary_attrs attrs = SL_DEFAULTS;
    return sl_tensor_summary_with(scope, tensor, attrs);
}

/* TensorSummaryV2: tag: string, tensor: T, serialized_summary_metadata: string -> summary: string */
static inline TF_Output sl_tensor_summary_v2(struct sl_scope *scope, TF_Output tag, TF_Output tensor, TF_Output serialized_summary_metadata) {
    const struct sl_op_input inputs_[] = {{&tag, -1}, {&tensor, -1}, {&serialized_summary_metadata, -1}};
    return sl_op_first(sl_op(scope, "TensorSummaryV2", inputs_, 3, NULL, 0));
}

struct sl_text_line_reader_attrs {
    int64_t skip_header_lines; /* 0 */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* TextLineReader: () -> reader_handle: Ref(string) */
static inline TF_Output sl_text_line_reader_with(struct sl_scope *scope, struct sl_text_line_reader_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"skip_header_lines", SL_GIVEN_INT, &attrs.skip_header_lines}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "TextLineReader", NULL, 0, attrs_, 3));
}
static inline TF_Output sl_text_line_reader(struct sl_scope *scope) {
    const struct sl_text_line_reader_attrs attrs = SL_DEFAULTS;
    return sl_text_line_reader_with(scope, attrs);
}

struct sl_text_line_reader_v2_attrs {
    int64_t skip_header_lines; /* 0 */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* TextLineReaderV2: () -> reader_handle: resource */
static inline TF_Output sl_text_line_reader_v2_with(struct sl_scope *scope, struct sl_text_line_reader_v2_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"skip_header_lines", SL_GIVEN_INT, &attrs.skip_header_lines}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "TextLineReaderV2", NULL, 0, attrs_, 3));
}
static inline TF_Output sl_text_line_reader_v2(struct sl_scope *scope) {
    const struct sl_text_line_reader_v2_attrs attrs = SL_DEFAULTS;
    return sl_text_line_reader_v2_with(scope, attrs);
}

struct sl_whole_file_reader_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* WholeFileReader: () -> reader_handle: Ref(string) */
static inline TF_Output sl_whole_file_reader_with(struct sl_scope *scope, struct sl_whole_file_reader_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "WholeFileReader", NULL, 0, attrs_, 2));
}
static inline TF_Output sl_whole_file_reader(struct sl_scope *scope) {
    const struct sl_whole_file_reader_attrs attrs = SL_DEFAULTS;
    return sl_whole_file_reader_with(scope, attrs);
}

struct sl_whole_file_reader_v2_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* WholeFileReaderV2: () -> reader_handle: resource */
static inline TF_Output sl_whole_file_reader_v2_with(struct sl_scope *scope, struct sl_whole_file_reader_v2_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "WholeFileReaderV2", NULL, 0, attrs_, 2));
}
static inline TF_Output sl_whole_file_reader_v2(struct sl_scope *scope) {
    const struct sl_whole_file_reader_v2_attrs attrs = SL_DEFAULTS;
    return sl_whole_file_reader_v2_with(scope, attrs);
}

struct sl_write_audio_summary_attrs {
    int64_t max_outputs; /* 3 */
};
/* WriteAudioSummary: writer: resource, step: int64, tag: string, tensor: float, sample_rate: float -> () */
static inline TF_Operation *sl_write_audio_summary_with(struct sl_scope *scope, TF_Output writer, TF_Output step, TF_Output tag, TF_Output tensor, TF_Output sample_rate, struct sl_write_audio_summary_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&writer, -1}, {&step, -1}, {&tag, -1}, {&tensor, -1}, {&sample_rate, -1}};
    const struct sl_attr_given attrs_[] = {{"max_outputs", SL_GIVEN_INT, &attrs.max_outputs}};
    return sl_op(scope, "WriteAudioSummary", inputs_, 5, attrs_, 1);
}
static inline TF_Operation *sl_write_audio_summary(struct sl_scope *scope, TF_Output writer, TF_Output step, TF_Output tag, TF_Output tensor, TF_Output sample_rate) {
    const struct sl_write_audio_summary_attrs attrs = SL_DEFAULTS;
    return sl_write_audio_summary_with(scope, writer, step, tag, tensor, sample_rate, attrs);
}

/* WriteFile: filename: string, contents: string -> () */
static inline TF_Operation *sl_write_file(struct sl_scope *scope, TF_Output filename, TF_Output contents) {
    const struct sl_op_input inputs_[] = {{&filename, -1}, {&contents, -1}};
    return sl_op(scope, "WriteFile", inputs_, 2, NULL, 0);
}

/* WriteGraphSummary: writer: resource, step: int64, tensor: string -> () */
static inline TF_Operation *sl_write_graph_summary(struct sl_scope *scope, TF_Output writer, TF_Output step, TF_Output tensor) {
    const struct sl_op_input inputs_[] = {{&writer, -1}, {&step, -1}, {&tensor, -1}};
    return sl_op(scope, "WriteGraphSummary", inputs_, 3, NULL, 0);
}

/* WriteHistogramSummary: writer: resource, step: int64, tag: string, values: T -> () */
static inline TF_Operation *sl_write_histogram_summary(struct sl_scope *scope, TF_Output writer, TF_Output step, TF_Output tag, TF_Output values) {
    const struct sl_op_input inputs_[] = {{&writer, -1}, {&step, -1}, {&tag, -1}, {&values, -1}};
    return sl_op(scope, "WriteHistogramSummary", inputs_, 4, NULL, 0);
}

struct sl_write_image_summary_attrs {
    int64_t max_images; /* 3 */
};
/* WriteImageSummary: writer: resource, step: int64, tag: string, tensor: T, bad_color: uint8 -> () */
static inline TF_Operation *sl_write_image_summary_with(struct sl_scope *scope, TF_Output writer, TF_Output step, TF_Output tag, TF_Output tensor, TF_Output bad_color, struct sl_write_image_summary_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&writer, -1}, {&step, -1}, {&tag, -1}, {&tensor, -1}, {&bad_color, -1}};
    const struct sl_attr_given attrs_[] = {{"max_images", SL_GIVEN_INT, &attrs.max_images}};
    return sl_op(scope, "WriteImageSummary", inputs_, 5, attrs_, 1);
}
static inline TF_Operation *sl_write_image_summary(struct sl_scope *scope, TF_Output writer, TF_Output step, TF_Output tag, TF_Output tensor, TF_Output bad_color) {
    const struct sl_write_image_summary_attrs attrs = SL_DEFAULTS;
    return sl_write_image_summary_with(scope, writer, step, tag, tensor, bad_color, attrs);
}

/* WriteRawProtoSummary: writer: resource, step: int64, tensor: string -> () */
static inline TF_Operation *sl_write_raw_proto_summary(struct sl_scope *scope, TF_Output writer, TF_Output step, TF_Output tensor) {
    const struct sl_op_input inputs_[] = {{&writer, -1}, {&step, -1}, {&tensor, -1}};
    return sl_op(scope, "WriteRawProtoSummary", inputs_, 3, NULL, 0);
}

/* WriteScalarSummary: writer: resource, step: int64, tag: string, value: T -> () */
static inline TF_Operation *sl_write_scalar_summary(struct sl_scope *scope, TF_Output writer, TF_Output step, TF_Output tag, TF_Output value) {
    const struct sl_op_input inputs_[] = {{&writer, -1}, {&step, -1}, {&tag, -1}, {&value, -1}};
    return sl_op(scope, "WriteScalarSummary", inputs_, 4, NULL, 0);
}

/* WriteSummary: writer: resource, step: int64, tensor: T, tag: string, summary_metadata: string -> () */
static inline TF_Operation *sl_write_summary(struct sl_scope *scope, TF_Output writer, TF_Output step, TF_Output tensor, TF_Output tag, TF_Output summary_metadata) {
    const struct sl_op_input inputs_[] = {{&writer, -1}, {&step, -1}, {&tensor, -1}, {&tag, -1}, {&summary_metadata, -1}};
    return sl_op(scope, "WriteSummary", inputs_, 5, NULL, 0);
}

#ifdef __cplusplus
}
#endif

#endif
