/* Options are merged as wire format: of most fields the last value stays, messages are merged field by field, and
 * repeated ones are put together. A field that was set to its default counts, so decoding into a struct would not do.
 * Format: protobuf.dev/programming-guides/encoding. */
#include "backends/any/dataset_options.h"

#include <string.h>

#include "base/vec.h"

enum { FIELDS = 32, VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5, VARINT_BITS = 64 };

/* Of the Options message: distribute, optimization, threading, autotune and service options; framework_type. */
static bool is_message(unsigned field) { return field == 2 || field == 3 || field == 5 || field == 7 || field == 12; }
static bool is_repeated(unsigned field) { return field == 11; }

struct bytes {
    SL_VEC(char) text;
};

struct field {
    unsigned number;
    struct sl_str whole, payload; /* payload: of BYTES */
    uint64_t value;               /* of VARINT */
};

static bool read_varint(uint64_t *out, struct sl_str *from) {
    *out = 0;
    for (int shift = 0; shift < VARINT_BITS && from->n; shift += 7) {
        const unsigned char c = (unsigned char)*from->p;
        from->p++;
        from->n--;
        *out |= (uint64_t)(c & 0x7f) << shift;
        if (c < 0x80) return true;
    }
    return false;
}

static bool read_field(struct field *f, struct sl_str *from) {
    const char *begin = from->p;
    uint64_t tag, x;
    size_t n = 0;
    if (!read_varint(&tag, from) || tag >> 3 == 0 || tag >> 3 >= FIELDS) return false;
    f->number = (unsigned)(tag >> 3);
    f->payload = (struct sl_str){NULL, 0};
    f->value = 0;
    switch (tag & 7) {
    case VARINT:
        if (!read_varint(&f->value, from)) return false;
        break;
    case FIXED64: n = sizeof(uint64_t); break;
    case FIXED32: n = sizeof(uint32_t); break;
    case BYTES:
        if (!read_varint(&x, from) || x > from->n) return false;
        n = (size_t)x;
        f->payload = (struct sl_str){from->p, n};
        break;
    default: return false;
    }
    if (n > from->n) return false;
    from->p += n;
    from->n -= n;
    f->whole = (struct sl_str){begin, (size_t)(from->p - begin)};
    return true;
}

static sl_code append(struct bytes *to, struct sl_str s, struct sl_error *err) {
    if (sl_vec_reserve(&to->text, s.n)) return sl_fail_memory(err, s.n);
    if (s.n) memcpy(to->text.items + to->text.n, s.p, s.n);
    to->text.n += s.n;
    return SL_OK;
}

static sl_code append_varint(struct bytes *to, uint64_t x, struct sl_error *err) {
    for (; x >= 0x80; x >>= 7) SL_TRY(append(to, (struct sl_str){(const char[]){(char)(x | 0x80)}, 1}, err));
    return append(to, (struct sl_str){(const char[]){(char)x}, 1}, err);
}

static sl_code merge(struct bytes *out, struct sl_str message, bool is_inner, struct sl_error *err);

/* Appends the merged message of a field whose values stand one after another. */
static sl_code append_message(struct bytes *out, unsigned number, struct sl_str payloads, struct sl_error *err) {
    struct bytes inner = {0};
    sl_code code = merge(&inner, payloads, true, err);
    if (code == SL_OK) code = append_varint(out, (uint64_t)number << 3 | BYTES, err);
    if (code == SL_OK) code = append_varint(out, inner.text.n, err);
    if (code == SL_OK) code = append(out, (struct sl_str){inner.text.items, inner.text.n}, err);
    sl_vec_free(&inner.text);
    return code;
}

static sl_code fail_malformed(struct sl_error *err) {
    return sl_fail(err, SL_INVALID_ARGUMENT, "The options of a dataset are malformed");
}

static sl_code gather(struct bytes fields[FIELDS], bool there[FIELDS], struct sl_str message, bool is_inner,
                      struct sl_error *err) {
    while (message.n) {
        struct field f;
        if (!read_field(&f, &message)) return fail_malformed(err);
        const bool joins = !is_inner && (is_message(f.number) || is_repeated(f.number));
        struct bytes *to = &fields[f.number];
        if (!joins) to->text.n = 0;
        SL_TRY(append(to, joins && is_message(f.number) ? f.payload : f.whole, err));
        there[f.number] = true;
    }
    return SL_OK;
}

/* Appends `message`, any number of messages one after another, as one, its fields by number. */
static sl_code merge(struct bytes *out, struct sl_str message, bool is_inner, struct sl_error *err) {
    struct bytes fields[FIELDS] = {0};
    bool there[FIELDS] = {false};
    sl_code code = gather(fields, there, message, is_inner, err);
    for (unsigned i = 0; i < FIELDS && code == SL_OK; i++) {
        const struct sl_str s = {fields[i].text.items, fields[i].text.n};
        if (there[i]) code = !is_inner && is_message(i) ? append_message(out, i, s, err) : append(out, s, err);
    }
    for (unsigned i = 0; i < FIELDS; i++) sl_vec_free(&fields[i].text);
    return code;
}

/* All options one after another; recursion is as deep as datasets are. */
static sl_code collect(struct bytes *all, const struct sl_dataset *d, struct sl_error *err) {
    struct sl_str own;
    for (int i = 0; i < d->n_inputs; i++) SL_TRY(collect(all, d->inputs[i], err));
    if (!sl_attr_find(&d->spec->attrs, SL_STR("serialized_options"))) return SL_OK;
    SL_TRY(sl_attr_string(&own, &d->spec->attrs, "serialized_options", err));
    return append(all, own, err);
}

sl_code sl_dataset_options(struct sl_str *out, const struct sl_dataset *d, struct sl_arena *arena,
                           struct sl_error *err) {
    struct bytes all = {0}, merged = {0};
    sl_code code = collect(&all, d, err);
    if (code == SL_OK) code = merge(&merged, (struct sl_str){all.text.items, all.text.n}, false, err);
    if (code == SL_OK) {
        *out = sl_arena_str(arena, (struct sl_str){merged.text.items, merged.text.n});
        if (!out->p) code = sl_fail_memory(err, merged.text.n);
    }
    sl_vec_free(&all.text);
    sl_vec_free(&merged.text);
    return code;
}

sl_code sl_dataset_external_state_policy(int64_t *policy, const struct sl_dataset *d, struct sl_error *err) {
    enum { EXTERNAL_STATE_POLICY = 6 };
    struct bytes all = {0};
    struct field f;
    sl_code code = collect(&all, d, err);
    for (struct sl_str rest = {all.text.items, all.text.n}; code == SL_OK && rest.n;) {
        if (!read_field(&f, &rest)) code = fail_malformed(err);
        else if (f.number == EXTERNAL_STATE_POLICY) *policy = (int64_t)f.value;
    }
    sl_vec_free(&all.text);
    return code;
}
