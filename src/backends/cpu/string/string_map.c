/* Strings one by one, on several threads. Called by the kernels of strings. */
#include "backends/cpu/string/string_map.h"

#include <stdatomic.h>

struct each {
    sl_string_each_fn fn;
    const void *arg;
    _Atomic int64_t failed; /* the first element that failed; the number of elements: none did */
};

static void run_range(void *arg, int64_t begin, int64_t end) {
    struct each *m = arg;
    for (int64_t i = begin; i < end; i++) {
        if (m->fn(m->arg, i, NULL) == SL_OK) continue;
        int64_t first = atomic_load(&m->failed);
        while (i < first && !atomic_compare_exchange_weak(&m->failed, &first, i)) continue;
        return;
    }
}

sl_code sl_string_each(struct sl_kernel_context *k, int64_t n, sl_string_each_fn fn, const void *arg, double ns_each) {
    struct each m = {.fn = fn, .arg = arg, .failed = n};
    sl_kernel_split(k, n, ns_each, run_range, &m);
    const int64_t failed = atomic_load(&m.failed);
    if (failed == n) return SL_OK;
    sl_code code = fn(arg, failed, k->err); /* again, for its message */
    return code != SL_OK ? code : sl_fail(k->err, SL_RESOURCE_EXHAUSTED, "memory is out");
}

struct map {
    const TF_TString *from;
    char *to;
    size_t size;
    sl_string_fn fn;
    const void *arg;
};

static sl_code map_one(const void *arg, int64_t i, struct sl_error *err) {
    const struct map *m = arg;
    return m->fn(m->to + (size_t)i * m->size, sl_string_get(&m->from[i]), m->arg, err);
}

sl_code sl_string_map(struct sl_kernel_context *k, sl_string_fn fn, const void *arg, double ns_each) {
    struct sl_view in = sl_in(k, 0), out;
    SL_TRY(sl_out_new(&out, k, 0, sl_view_shape(in)));
    struct map m = {.from = in.data, .to = out.data, .size = sl_dtype_size(out.dtype), .fn = fn, .arg = arg};
    return sl_string_each(k, in.count, map_one, &m, ns_each);
}
