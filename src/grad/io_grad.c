/* What of src/ops/io.def has no gradient. */
#include "grad/words.h"

RULES(io) = {
    /* clang-format off */
    NO_GRAD(AudioSummary) NO_GRAD(AudioSummaryV2) NO_GRAD(FixedLengthRecordReader) NO_GRAD(GenerateVocabRemapping)
    NO_GRAD(HistogramSummary) NO_GRAD(IdentityReader) NO_GRAD(ImageSummary) NO_GRAD(LMDBReader)
    NO_GRAD(LoadAndRemapMatrix) NO_GRAD(MergeSummary) NO_GRAD(ReaderNumRecordsProduced)
    NO_GRAD(ReaderNumWorkUnitsCompleted) NO_GRAD(ReaderRead) NO_GRAD(ReaderReadUpTo) NO_GRAD(ReaderReset)
    NO_GRAD(ReaderRestoreState) NO_GRAD(ReaderSerializeState) NO_GRAD(Restore) NO_GRAD(RestoreSlice) NO_GRAD(RestoreV2)
    NO_GRAD(Save) NO_GRAD(SaveV2) NO_GRAD(ScalarSummary) NO_GRAD(TFRecordReader) NO_GRAD(TensorSummary)
    NO_GRAD(TensorSummaryV2) NO_GRAD(TextLineReader) NO_GRAD(WholeFileReader)
    RULES_END
    /* clang-format on */
};
