/* What of src/ops/lookup.def has no gradient. */
#include "grad/words.h"

RULES(lookup) = {
    /* clang-format off */
    NO_GRAD(HashTable) NO_GRAD(HashTableV2) NO_GRAD(InitializeTable) NO_GRAD(InitializeTableFromTextFile)
    NO_GRAD(InitializeTableFromTextFileV2) NO_GRAD(InitializeTableV2) NO_GRAD(LookupTableFind)
    NO_GRAD(LookupTableFindV2) NO_GRAD(LookupTableInsert) NO_GRAD(LookupTableInsertV2) NO_GRAD(LookupTableSize)
    NO_GRAD(LookupTableSizeV2) NO_GRAD(MutableDenseHashTable) NO_GRAD(MutableDenseHashTableV2) NO_GRAD(MutableHashTable)
    NO_GRAD(MutableHashTableOfTensors) NO_GRAD(MutableHashTableOfTensorsV2) NO_GRAD(MutableHashTableV2)
    UNDEFINED(AnonymousMutableDenseHashTable) UNDEFINED(LookupTableExportV2)
    RULES_END
    /* clang-format on */
};
