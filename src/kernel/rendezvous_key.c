/* What the ends of a pair say of it in their attrs, and keys of a rendezvous as TensorFlow's processes write them:
 * "src_device;incarnation;dst_device;edge_name;frame:iteration". */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device/device_name.h"
#include "kernel/rendezvous.h"

sl_code sl_rendezvous_pair_read(struct sl_rendezvous_pair *out, const struct sl_attrs *attrs, struct sl_error *err) {
    struct sl_rendezvous_pair pair = {.number = 0};
    int64_t number = 0, incarnation;
    if (sl_attr_find(attrs, SL_STR("_pair"))) SL_TRY(sl_attr_int(&number, attrs, "_pair", err));
    SL_TRY(sl_attr_int(&incarnation, attrs, "send_device_incarnation", err));
    SL_TRY(sl_attr_string(&pair.send_device, attrs, "send_device", err));
    SL_TRY(sl_attr_string(&pair.recv_device, attrs, "recv_device", err));
    SL_TRY(sl_attr_string(&pair.tensor_name, attrs, "tensor_name", err));
    if (sl_attr_find(attrs, SL_STR("client_terminated")))
        SL_TRY(sl_attr_bool(&pair.is_client_terminated, attrs, "client_terminated", err));
    pair.number = (uint32_t)number;
    pair.incarnation = (uint64_t)incarnation;
    *out = pair;
    return SL_OK;
}

bool sl_rendezvous_pair_leaves(const struct sl_rendezvous_pair *pair) {
    struct sl_device_name from, to;
    if (pair->is_client_terminated) return true;
    return sl_device_parse(&from, pair->send_device, NULL) == SL_OK &&
           sl_device_parse(&to, pair->recv_device, NULL) == SL_OK && !sl_device_is_same_task(&from, &to);
}

int sl_rendezvous_key_print(char *text, size_t size, const struct sl_rendezvous_key *key) {
    const struct sl_rendezvous_pair *p = key->pair;
    return snprintf(text, size, "%.*s;%016" PRIx64 ";%.*s;%.*s;%" PRIu64 ":%" PRIu64, SL_STR_ARG(p->send_device),
                    p->incarnation, SL_STR_ARG(p->recv_device), SL_STR_ARG(p->tensor_name), key->frame, key->iteration);
}

/* Takes what stands before the next `mark` off the text; false when there is none. */
static bool take_until(struct sl_str *part, struct sl_str *text, char mark) {
    const char *at = text->n ? memchr(text->p, mark, text->n) : NULL;
    if (!at) return false;
    *part = (struct sl_str){text->p, (size_t)(at - text->p)};
    *text = (struct sl_str){at + 1, text->n - part->n - 1};
    return true;
}

static int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

static bool read_number(uint64_t *out, struct sl_str digits, unsigned base) {
    uint64_t number = 0;
    for (size_t i = 0; i < digits.n; i++) {
        unsigned digit = (unsigned)digit_of(digits.p[i]);
        if (digit >= base || number > (UINT64_MAX - digit) / base) return false;
        number = number * base + digit;
    }
    *out = number;
    return digits.n > 0;
}

static bool is_device(struct sl_str text) {
    struct sl_device_name name;
    return text.n && sl_device_parse(&name, text, NULL) == SL_OK;
}

sl_code sl_rendezvous_key_parse(struct sl_rendezvous_pair *pair, uint64_t *frame, uint64_t *iteration,
                                struct sl_str text, struct sl_error *err) {
    struct sl_str rest = text, incarnation, number;
    *pair = (struct sl_rendezvous_pair){.number = 0};
    if (take_until(&pair->send_device, &rest, ';') && take_until(&incarnation, &rest, ';') &&
        take_until(&pair->recv_device, &rest, ';') && take_until(&pair->tensor_name, &rest, ';') &&
        take_until(&number, &rest, ':') && is_device(pair->send_device) && is_device(pair->recv_device) &&
        pair->tensor_name.n && read_number(&pair->incarnation, incarnation, 16) && read_number(frame, number, 10) &&
        read_number(iteration, rest, 10))
        return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid rendezvous key: %.*s", SL_STR_ARG(text));
}
