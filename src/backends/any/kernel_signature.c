/* Signatures. Called by the kernels of queues and tables. */
#include "backends/any/kernel_signature.h"

#include <stdio.h>
#include <string.h>

enum { SIGNATURE_TEXT = 512 };

static void append(char text[SIGNATURE_TEXT], const char *more) {
    size_t n = strlen(text);
    snprintf(text + n, SIGNATURE_TEXT - n, "%s", more);
}

static void append_types(char text[SIGNATURE_TEXT], const uint8_t *types, int n) {
    for (int i = 0; i < n; i++) {
        size_t length = strlen(text);
        if (length && text[length - 1] != '>') append(text, ", ");
        append(text, sl_dtype_name(sl_dtype_base(types[i])));
        if (sl_dtype_is_ref(types[i])) append(text, "_ref");
    }
}

static bool fits(const uint8_t *have, int n, const uint8_t *wanted, int n_wanted) {
    bool same = n == n_wanted;
    for (int i = 0; same && i < n; i++) same = sl_dtype_base(have[i]) == wanted[i];
    return same;
}

sl_code sl_kernel_signature_check(struct sl_kernel_context *k, const uint8_t *in, int n_in, const uint8_t *out,
                                  int n_out) {
    const struct sl_kernel_node *node = k->node;
    if (fits(node->in_types + 1, (int)node->n_in - 1, in, n_in) && fits(node->out_types, (int)node->n_out, out, n_out))
        return SL_OK;
    char have[SIGNATURE_TEXT] = "", wanted[SIGNATURE_TEXT] = "";
    append_types(have, node->in_types, (int)node->n_in);
    append(have, "->");
    append_types(have, node->out_types, (int)node->n_out);
    append_types(wanted, node->in_types, 1);
    append_types(wanted, in, n_in);
    append(wanted, "->");
    append_types(wanted, out, n_out);
    return sl_invalid(k, "Signature mismatch, have: %s expected: %s", have, wanted);
}
