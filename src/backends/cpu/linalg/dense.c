/* Which table of dense.h serves: isa/dense_table.inc has them. */
#include "backends/cpu/linalg/dense.h"

#include "backends/cpu/isa.h"

static _Thread_local struct sl_pace *pace_of_thread;
void sl_dense_set_pace(struct sl_pace *pace) { pace_of_thread = pace; }
bool sl_dense_ends(int64_t multiplications) { return pace_of_thread && sl_pace_ends(pace_of_thread, multiplications); }

const struct sl_dense *sl_dense_of(int dtype, int64_t side) {
    return side < SL_DENSE_LARGE ? sl_dense_table_base(dtype) : SL_ISA_PICK(sl_dense_table)(dtype);
}
