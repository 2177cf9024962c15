/* Strings to buckets, and fingerprints of rows. */
#include <inttypes.h>
#include <stdio.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/string/string_map.h"
#include "base/alloc.h"
#include "formats/string_hash.h"
#include "tensor/summary.h"

struct buckets {
    uint64_t n;
    uint64_t key[2];
};

static sl_code buckets_create(void **state, struct sl_kernel_setup *setup) {
    int64_t n;
    SL_TRY(sl_attr_int(&n, setup->attrs, "num_buckets", setup->err));
    struct buckets *b = sl_calloc(1, sizeof *b);
    if (!b) return sl_fail_memory(setup->err, sizeof *b);
    b->n = (uint64_t)n;
    *state = b;
    return SL_OK;
}
static sl_code keyed_create(void **state, struct sl_kernel_setup *setup) {
    const int64_t *key;
    int n;
    SL_TRY(sl_attr_int_list(&key, &n, setup->attrs, "key", setup->err));
    if (n != 2) return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Key must have 2 elements");
    SL_TRY(buckets_create(state, setup));
    struct buckets *b = *state;
    b->key[0] = (uint64_t)key[0];
    b->key[1] = (uint64_t)key[1];
    return SL_OK;
}

static sl_code fast(void *to, struct sl_str s, const void *arg, struct sl_error *err) {
    (void)err;
    *(uint64_t *)to = sl_fingerprint64(s) % ((const struct buckets *)arg)->n;
    return SL_OK;
}
static sl_code strong(void *to, struct sl_str s, const void *arg, struct sl_error *err) {
    const struct buckets *b = arg;
    (void)err;
    *(uint64_t *)to = sl_siphash(b->key, s) % b->n;
    return SL_OK;
}
static sl_code old(void *to, struct sl_str s, const void *arg, struct sl_error *err) {
    (void)err;
    *(uint64_t *)to = sl_murmur64(s) % ((const struct buckets *)arg)->n;
    return SL_OK;
}
static sl_code fast_run(struct sl_kernel_context *k) { return sl_string_map(k, fast, k->state, 15); }
static sl_code strong_run(struct sl_kernel_context *k) { return sl_string_map(k, strong, k->state, 40); }
static sl_code old_run(struct sl_kernel_context *k) { return sl_string_map(k, old, k->state, 15); }

/* Numbers, as their decimal digits. */
static sl_code numbers_run(struct sl_kernel_context *k) {
    const struct buckets *b = k->state;
    struct sl_view in = sl_in(k, 0), out;
    SL_TRY(sl_out_new(&out, k, 0, sl_view_shape(in)));
    for (int64_t i = 0; i < in.count; i++) {
        char text[SL_ELEMENT_TEXT];
        sl_element_text(text, in.dtype, (const char *)in.data + (size_t)i * sl_dtype_size(in.dtype));
        ((uint64_t *)out.data)[i] = sl_fingerprint64(sl_str_of(text)) % b->n;
    }
    return SL_OK;
}

/* ---- Fingerprint: 8 bytes for each row of the input, least significant first */

static void put64(uint8_t to[8], uint64_t x) {
    for (int i = 0; i < 8; i++) to[i] = (uint8_t)(x >> 8 * i);
}

/* A row of several strings has the fingerprint of its strings' fingerprints. */
static uint64_t row_of_strings(const TF_TString *s, int64_t n, uint8_t *room) {
    if (n == 1) return sl_fingerprint64(sl_string_get(s));
    for (int64_t i = 0; i < n; i++) put64(room + 8 * i, sl_fingerprint64(sl_string_get(&s[i])));
    return sl_fingerprint64((struct sl_str){(const char *)room, (size_t)n * 8});
}

static sl_code fingerprint_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0), method = sl_in(k, 1), out;
    if (in.rank < 1) return sl_invalid(k, "`data` should have at least one dimension.");
    if (method.rank != 0) return sl_invalid(k, "`method` should be a scalar string.");
    struct sl_str name = sl_string_get(method.data);
    if (!sl_str_is(name, "farmhash64")) return sl_invalid(k, "Unsupported fingerprint method: %.*s", SL_STR_ARG(name));
    const int64_t dims[2] = {in.dims[0], 8}, row = in.dims[0] ? in.count / in.dims[0] : 0;
    const size_t bytes = (size_t)row * 8, row_bytes = (size_t)row * sl_dtype_size(in.dtype);
    uint8_t *room = NULL;
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){2, dims}));
    if (in.dtype == SL_STRING && row != 1 && out.count && !(room = sl_scratch_new(bytes + 1)))
        return sl_fail_memory(k->err, bytes);
    for (int64_t r = 0; r < dims[0]; r++) {
        const char *from = (const char *)in.data + (size_t)r * row_bytes;
        uint64_t print = in.dtype == SL_STRING ? row_of_strings((const TF_TString *)(const void *)from, row, room)
                                               : sl_fingerprint64((struct sl_str){from, row_bytes});
        put64((uint8_t *)out.data + 8 * r, print);
    }
    sl_scratch_free(room, bytes + 1);
    return SL_OK;
}

/* ---- SdcaFprint: 128 bits of each string */

static sl_code fprint_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0), out;
    const int64_t dims[2] = {in.count, 2};
    if (in.rank != 1) return sl_invalid(k, "Input must be a vector, got shape of rank %d", in.rank);
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){2, dims}));
    for (int64_t i = 0; i < in.count; i++)
        sl_fingerprint128((uint64_t *)out.data + 2 * i, sl_string_get((const TF_TString *)in.data + i));
    return SL_OK;
}

#define BUCKETS .create = buckets_create, .destroy = sl_free, .cost_element = 20

/* clang-format off */
const struct sl_kernel_def sl_cpu_string_hash_rows[] = {
    KERNEL("StringToHashBucketFast", NO_RULE, BUCKETS, .run = fast_run)
    KERNEL("StringToHashBucketStrong", NO_RULE, .create = keyed_create, .destroy = sl_free, .run = strong_run, .cost_element = 40)
    KERNEL("StringToHashBucket", NO_RULE, BUCKETS, .run = old_run)
    KERNEL("_TensorToHashBucketFast", RULE("T", SL_SET_INTEGERS), BUCKETS, .run = numbers_run)
    KERNEL("Fingerprint", NO_RULE, .run = fingerprint_run, .cost_element = 5)
    KERNEL("SdcaFprint", NO_RULE, .run = fprint_run, .cost_element = 40)
    SL_ROWS_END
};
/* clang-format on */
