/* All kinds of datasets. Each stands at the end of the file that kinds of its sort share. Constant data. */
#ifndef SL_DATA_KINDS_H
#define SL_DATA_KINDS_H

#include "data/input_dataset.h"

/* source_data.c */
extern const struct sl_dataset_kind sl_range_data, sl_tensor_data, sl_slice_data, sl_random_data;
/* map_data.c */
extern const struct sl_dataset_kind sl_map_data, sl_parallel_map_data, sl_filter_data, sl_parallel_filter_data,
    sl_take_while_data, sl_parse_example_data, sl_scan_data,
    sl_reduce_data; /* of ReduceDataset alone, which gives no dataset */
/* flat_data.c */
extern const struct sl_dataset_kind sl_flat_map_data, sl_interleave_data, sl_parallel_interleave_data;
/* batch_data.c */
extern const struct sl_dataset_kind sl_batch_data, sl_parallel_batch_data, sl_padded_batch_data, sl_unbatch_data,
    sl_map_and_batch_data;
/* queued_interleave_data.c */
extern const struct sl_dataset_kind sl_queued_interleave_data;
/* rebatch_data.c */
extern const struct sl_dataset_kind sl_rebatch_data, sl_rebatch_replicas_data;
/* window_data.c */
extern const struct sl_dataset_kind sl_window_data;
/* list_data.c; sl_listed_data: what windows and groups hold */
extern const struct sl_dataset_kind sl_list_data, sl_listed_data;
/* group_data.c */
extern const struct sl_dataset_kind sl_group_by_window_data, sl_group_by_reducer_data, sl_unique_data;
/* order_data.c */
extern const struct sl_dataset_kind sl_pass_data, sl_repeat_data, sl_take_data, sl_skip_data, sl_shard_data,
    sl_concatenate_data, sl_zip_data, sl_directed_data, sl_prefetch_data, sl_ignore_errors_data,
    sl_assert_cardinality_data;
/* shuffle_data.c, cache_data.c */
extern const struct sl_dataset_kind sl_shuffle_data, sl_shuffle_by_source_data, sl_shuffle_and_repeat_data,
    sl_cache_data;
/* generator_data.c */
extern const struct sl_dataset_kind sl_generator_data;
/* file_data.c */
extern const struct sl_dataset_kind sl_text_line_data, sl_fixed_length_data, sl_record_data;
/* csv_data.c */
extern const struct sl_dataset_kind sl_csv_data;
/* sparse_data.c */
extern const struct sl_dataset_kind sl_sparse_slice_data, sl_sparse_batch_data;
/* match_data.c */
extern const struct sl_dataset_kind sl_match_data;
/* chosen_data.c */
extern const struct sl_dataset_kind sl_sampling_data, sl_sleep_data, sl_choose_fastest_data, sl_choose_branch_data;
/* assert_next_data.c */
extern const struct sl_dataset_kind sl_assert_next_data;
/* sliding_data.c */
extern const struct sl_dataset_kind sl_sliding_data;
/* index_map_data.c */
extern const struct sl_dataset_kind sl_index_map_data, sl_weighted_data;
/* global_shuffle_data.c */
extern const struct sl_dataset_kind sl_global_shuffle_data;
/* file_cache_data.c: what a cache with a file name becomes */
extern const struct sl_dataset_kind sl_file_cache_data;
/* snapshot_data.c, snapshot_reader_data.c, older_snapshot_data.c, chunk_names_data.c */
extern const struct sl_dataset_kind sl_save_data, sl_load_data, sl_snapshot_data;
extern const struct sl_dataset_kind sl_snapshot_reader_data, sl_snapshot_nested_data, sl_snapshot_chunk_data;
extern const struct sl_dataset_kind sl_older_snapshot_data, sl_chunk_names_data;

#endif
