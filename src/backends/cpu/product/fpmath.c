#include "backends/cpu/product/fpmath.h"

#include <stdatomic.h>
#include <string.h>

#include "base/env.h"
#include "tensor/dtype.h"

enum { NOT_ASKED, FLOAT, BF16 };
static _Atomic int chosen = NOT_ASKED;

bool sl_fpmath_is_bf16(void) {
    int now = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (now == NOT_ASKED) {
        const char *wish = sl_env_text(SL_ENV_FPMATH);
        int first = NOT_ASKED;
        now = wish && strstr(wish, "bf16") ? BF16 : FLOAT;
        if (!atomic_compare_exchange_strong(&chosen, &first, now)) now = first;
    }
    return now == BF16;
}

bool sl_fpmath_rounds(int dtype) { return dtype == SL_FLOAT && sl_fpmath_is_bf16(); }

void sl_fpmath_choose_bf16(bool is_bf16) { atomic_store(&chosen, is_bf16 ? BF16 : FLOAT); }
