/* The tile registers of some x86-64 processors (AMX). Thread-safe. */
#ifndef SL_OS_TILES_H
#define SL_OS_TILES_H

#include <stdbool.h>

/* Whether this process may use them, with products of bfloat16. The first call asks the system for them, as it has to:
 * from then on each thread that touches them costs it 8 KiB, and stacks for signals must be larger. False with
 * SLUICE_ISA below avx512. */
bool sl_tiles_are_there(void);

#endif
