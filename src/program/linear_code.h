/* Loops over scalars as machine code. Internal to the room. */
#ifndef SL_PROGRAM_LINEAR_CODE_H
#define SL_PROGRAM_LINEAR_CODE_H

#include "ops/op_row.h"
#include "program/program.h"

/* Gives each of the program's loops that is over scalars alone its code; `p` has all other tables. May add slots. Without
 * machine code nothing happens. False: memory is out. */
bool sl_loops_to_code(struct sl_program *p, struct sl_loop *loops, size_t n, unsigned watch, struct sl_arena *scratch);

#endif
