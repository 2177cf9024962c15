/* Checking what AssertPrevDataset says. Pure. */
#ifndef SL_BACKENDS_ANY_ASSERT_PREV_H
#define SL_BACKENDS_ANY_ASSERT_PREV_H

#include "data/input_dataset.h"

/* INVALID_ARGUMENT when more datasets are named than there are below `d`, or one of them has no such attribute. */
sl_code sl_assert_prev_check(const struct sl_dataset *d, struct sl_error *err);

#endif
