/* What of src/ops/dataset.def has no gradient. */
#include "grad/words.h"

RULES(dataset) = {
    /* clang-format off */
    NO_GRAD(OptionalHasValue) NO_GRAD(OptionalNone) NO_GRAD(ReduceDataset)
    UNDEFINED(AssertCardinalityDataset) UNDEFINED(AssertNextDataset) UNDEFINED(AssertPrevDataset)
    UNDEFINED(BatchDataset) UNDEFINED(BatchDatasetV2) UNDEFINED(BytesProducedStatsDataset) UNDEFINED(CacheDataset)
    UNDEFINED(CacheDatasetV2) UNDEFINED(ConcatenateDataset) UNDEFINED(DatasetToSingleElement)
    UNDEFINED(DirectedInterleaveDataset) UNDEFINED(ExperimentalAssertNextDataset)
    UNDEFINED(ExperimentalBytesProducedStatsDataset) UNDEFINED(ExperimentalDirectedInterleaveDataset)
    UNDEFINED(ExperimentalIgnoreErrorsDataset) UNDEFINED(ExperimentalLatencyStatsDataset)
    UNDEFINED(ExperimentalMapAndBatchDataset) UNDEFINED(ExperimentalMapDataset)
    UNDEFINED(ExperimentalMaxIntraOpParallelismDataset) UNDEFINED(ExperimentalNonSerializableDataset)
    UNDEFINED(ExperimentalPrivateThreadPoolDataset) UNDEFINED(ExperimentalScanDataset)
    UNDEFINED(ExperimentalTakeWhileDataset) UNDEFINED(ExperimentalUnbatchDataset) UNDEFINED(FilterDataset)
    UNDEFINED(FinalizeDataset) UNDEFINED(FlatMapDataset) UNDEFINED(IgnoreErrorsDataset) UNDEFINED(InterleaveDataset)
    UNDEFINED(IteratorGetNext) UNDEFINED(IteratorGetNextAsOptional) UNDEFINED(IteratorGetNextSync)
    UNDEFINED(LatencyStatsDataset) UNDEFINED(MapAndBatchDataset) UNDEFINED(MapDataset)
    UNDEFINED(MaxIntraOpParallelismDataset) UNDEFINED(ModelDataset) UNDEFINED(NonSerializableDataset)
    UNDEFINED(OptimizeDataset) UNDEFINED(OptimizeDatasetV2) UNDEFINED(OptionsDataset) UNDEFINED(PaddedBatchDataset)
    UNDEFINED(PaddedBatchDatasetV2) UNDEFINED(ParallelBatchDataset) UNDEFINED(ParallelFilterDataset)
    UNDEFINED(ParallelInterleaveDatasetV2) UNDEFINED(ParallelInterleaveDatasetV3)
    UNDEFINED(ParallelInterleaveDatasetV4) UNDEFINED(ParallelMapDataset) UNDEFINED(ParallelMapDatasetV2)
    UNDEFINED(PrefetchDataset) UNDEFINED(PrivateThreadPoolDataset) UNDEFINED(RepeatDataset) UNDEFINED(RewriteDataset)
    UNDEFINED(ScanDataset) UNDEFINED(ShardDataset) UNDEFINED(ShuffleAndRepeatDataset)
    UNDEFINED(ShuffleAndRepeatDatasetV2) UNDEFINED(ShuffleDataset) UNDEFINED(ShuffleDatasetV2)
    UNDEFINED(ShuffleDatasetV3) UNDEFINED(SkipDataset) UNDEFINED(TakeDataset) UNDEFINED(TakeWhileDataset)
    UNDEFINED(TensorDataset) UNDEFINED(TensorSliceDataset) UNDEFINED(UnbatchDataset) UNDEFINED(WindowDataset)
    UNDEFINED(ZipDataset)
    RULES_END
    /* clang-format on */
};
