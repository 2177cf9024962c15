/* All kinds of datasets. Each stands at the end of the file that kinds of its sort share. Constant data. */
#ifndef SL_DATA_KINDS_H
#define SL_DATA_KINDS_H

#include "data/input_dataset.h"

/* source_data.c */
extern const struct sl_dataset_kind sl_range_data, sl_tensor_data, sl_slice_data, sl_random_data;
/* map_data.c */
extern const struct sl_dataset_kind sl_map_data, sl_filter_data, sl_take_while_data, sl_scan_data,
    sl_reduce_data; /* of ReduceDataset alone, which gives no dataset */
/* flat_data.c */
extern const struct sl_dataset_kind sl_flat_map_data, sl_interleave_data, sl_parallel_interleave_data;
/* batch_data.c */
extern const struct sl_dataset_kind sl_batch_data, sl_padded_batch_data, sl_unbatch_data, sl_map_and_batch_data;
/* window_data.c; what windows hold */
extern const struct sl_dataset_kind sl_window_data, sl_listed_data;
/* order_data.c */
extern const struct sl_dataset_kind sl_pass_data, sl_repeat_data, sl_take_data, sl_skip_data, sl_shard_data,
    sl_concatenate_data, sl_zip_data, sl_directed_data, sl_prefetch_data, sl_ignore_errors_data,
    sl_assert_cardinality_data;
/* shuffle_data.c, cache_data.c */
extern const struct sl_dataset_kind sl_shuffle_data, sl_shuffle_by_source_data, sl_shuffle_and_repeat_data,
    sl_cache_data;

#endif
