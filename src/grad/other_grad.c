/* What passes its input on while it does something else, and ops of further families that have no gradient by design. */
#include "grad/words.h"

GRAD(Print) { g->dx[0] = g->dy[0]; }

RULES(other) = {
    /* clang-format off */
    RULE(Print) RULE_OF(DebugGradientRefIdentity, Print) RULE_OF(DebugIdentityV2, Print) RULE_OF(_EagerConst, Print)
    RULE_OF(Copy, Print) RULE_OF(CopyHost, Print)
    NO_GRAD(AsString) NO_GRAD(AudioSummary) NO_GRAD(AudioSummaryV2) NO_GRAD(DecodeBase64) NO_GRAD(DecodePaddedRaw)
    NO_GRAD(DecodeProtoV2) NO_GRAD(DecodeRaw) NO_GRAD(DeleteSessionTensor) NO_GRAD(EncodeBase64) NO_GRAD(EncodeProto)
    NO_GRAD(FixedLengthRecordReader) NO_GRAD(GenerateVocabRemapping) NO_GRAD(GetSessionHandle)
    NO_GRAD(GetSessionHandleV2) NO_GRAD(GetSessionTensor) NO_GRAD(HashTable) NO_GRAD(HashTableV2)
    NO_GRAD(HistogramSummary) NO_GRAD(IdentityReader) NO_GRAD(ImageSummary) NO_GRAD(InitializeTable)
    NO_GRAD(InitializeTableFromTextFile) NO_GRAD(InitializeTableFromTextFileV2) NO_GRAD(InitializeTableV2)
    NO_GRAD(LMDBReader) NO_GRAD(LoadAndRemapMatrix) NO_GRAD(LookupTableFind) NO_GRAD(LookupTableFindV2)
    NO_GRAD(LookupTableInsert) NO_GRAD(LookupTableInsertV2) NO_GRAD(LookupTableSize) NO_GRAD(LookupTableSizeV2)
    NO_GRAD(MergeSummary) NO_GRAD(MutableDenseHashTable) NO_GRAD(MutableDenseHashTableV2) NO_GRAD(MutableHashTable)
    NO_GRAD(MutableHashTableOfTensors) NO_GRAD(MutableHashTableOfTensorsV2) NO_GRAD(MutableHashTableV2)
    NO_GRAD(ParseTensor) NO_GRAD(PyFunc) NO_GRAD(PyFuncStateless) NO_GRAD(QueueClose) NO_GRAD(QueueCloseV2)
    NO_GRAD(QueueDequeue) NO_GRAD(QueueDequeueV2) NO_GRAD(QueueDequeueMany) NO_GRAD(QueueDequeueManyV2)
    NO_GRAD(QueueDequeueUpTo) NO_GRAD(QueueDequeueUpToV2) NO_GRAD(QueueEnqueue) NO_GRAD(QueueEnqueueV2)
    NO_GRAD(QueueEnqueueMany) NO_GRAD(QueueEnqueueManyV2) NO_GRAD(QueueSize) NO_GRAD(QueueSizeV2)
    NO_GRAD(ReaderNumRecordsProduced) NO_GRAD(ReaderNumWorkUnitsCompleted) NO_GRAD(ReaderRead) NO_GRAD(ReaderReadUpTo)
    NO_GRAD(ReaderReset) NO_GRAD(ReaderRestoreState) NO_GRAD(ReaderSerializeState) NO_GRAD(ReduceDataset)
    NO_GRAD(RegexReplace) NO_GRAD(ScalarSummary) NO_GRAD(SdcaFprint) NO_GRAD(SdcaOptimizer) NO_GRAD(SdcaOptimizerV2)
    NO_GRAD(SdcaShrinkL1) NO_GRAD(SerializeTensor) NO_GRAD(SparseMatrixNNZ) NO_GRAD(SparseMatrixZeros) NO_GRAD(Stack)
    NO_GRAD(StackV2) NO_GRAD(StackClose) NO_GRAD(StackCloseV2) NO_GRAD(StackPop) NO_GRAD(StackPopV2)
    NO_GRAD(StackPush) NO_GRAD(StackPushV2) NO_GRAD(StringJoin) NO_GRAD(StringSplit) NO_GRAD(StringSplitV2)
    NO_GRAD(StringToHashBucket) NO_GRAD(StringToHashBucketFast) NO_GRAD(StringToHashBucketStrong)
    NO_GRAD(StringToNumber) NO_GRAD(TFRecordReader) NO_GRAD(TPUReplicatedInput) NO_GRAD(TensorSummary)
    NO_GRAD(TensorSummaryV2) NO_GRAD(TextLineReader) NO_GRAD(Timestamp) NO_GRAD(WholeFileReader)
    NO_GRAD(XlaVariadicReduce) NO_GRAD(Save) NO_GRAD(SaveV2) NO_GRAD(Restore) NO_GRAD(RestoreV2) NO_GRAD(RestoreSlice)
    RULES_END
    /* clang-format on */
};
