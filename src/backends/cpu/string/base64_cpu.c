/* Base64 in the alphabet for names of files and addresses (RFC 4648, section 5). */
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/string/string_map.h"
#include "base/alloc.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/* `arg`: whether the last group is filled up with "=". */
static sl_code encode(void *to, struct sl_str s, const void *arg, struct sl_error *err) {
    const bool is_padded = *(const bool *)arg;
    const size_t rest = s.n % 3, n = s.n / 3 * 4 + (rest == 0 ? 0 : is_padded ? 4 : rest + 1);
    char *p = sl_string_reserve(to, n);
    if (!p) return sl_fail_memory(err, n);
    for (size_t i = 0; i < s.n; i += 3) {
        uint32_t group = 0;
        const size_t left = s.n - i < 3 ? s.n - i : 3;
        for (size_t b = 0; b < 3; b++) group = group << 8 | (b < left ? (unsigned char)s.p[i + b] : 0);
        for (size_t c = 0; c < 4; c++) {
            if (c <= left) *p++ = alphabet[group >> (18 - 6 * c) & 63];
            else if (is_padded) *p++ = '=';
        }
    }
    return SL_OK;
}

static int digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '-' ? 62 : c == '_' ? 63 : -1;
}

static sl_code decode(void *to, struct sl_str s, const void *arg, struct sl_error *err) {
    (void)arg;
    if (s.n && s.n % 4 == 0 && s.p[s.n - 1] == '=') s.n -= s.p[s.n - 2] == '=' ? 2 : 1;
    const size_t rest = s.n % 4, n = s.n / 4 * 3 + (rest ? rest - 1 : 0);
    if (rest == 1) return sl_fail(err, SL_INVALID_ARGUMENT, "1 modulo 4 is not a valid length of base64 text");
    char *p = sl_string_reserve(to, n);
    if (!p) return sl_fail_memory(err, n);
    for (size_t i = 0; i < s.n; i += 4) {
        uint32_t group = 0;
        const size_t left = s.n - i < 4 ? s.n - i : 4;
        for (size_t c = 0; c < 4; c++) {
            int d = c < left ? digit(s.p[i + c]) : 0;
            if (d < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid character found in base64.");
            group = group << 6 | (uint32_t)d;
        }
        for (size_t b = 0; b + 1 < left; b++) *p++ = (char)(group >> (16 - 8 * b));
    }
    return SL_OK;
}

static sl_code encode_create(void **state, struct sl_kernel_setup *setup) {
    bool *is_padded = sl_malloc(sizeof *is_padded);
    if (!is_padded) return sl_fail_memory(setup->err, sizeof *is_padded);
    *state = is_padded;
    sl_code code = sl_attr_bool(is_padded, setup->attrs, "pad", setup->err);
    if (code != SL_OK) sl_free(is_padded);
    return code;
}
static sl_code encode_run(struct sl_kernel_context *k) { return sl_string_map(k, encode, k->state, 100); }
static sl_code decode_run(struct sl_kernel_context *k) { return sl_string_map(k, decode, NULL, 100); }

/* clang-format off */
const struct sl_kernel_def sl_cpu_base64_rows[] = {
    KERNEL("EncodeBase64", NO_RULE, .create = encode_create, .destroy = sl_free, .run = encode_run, .cost_element = 100)
    KERNEL("DecodeBase64", NO_RULE, .run = decode_run, .cost_element = 100)
    SL_ROWS_END
};
/* clang-format on */
