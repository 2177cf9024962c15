/* What AssertPrevDataset says of the datasets below it: NameAttrLists as text, the nearest first. Names may differ, since
 * TensorFlow compares them with the pipeline as it has rewritten it, and nothing is rewritten here. */
#include "backends/any/assert_prev.h"

#include "proto/text_format.h"

/* Without "V2" and the like at its end. */
static struct sl_str without_version(struct sl_str op) {
    size_t n = op.n;
    while (n > 0 && op.p[n - 1] >= '0' && op.p[n - 1] <= '9') n--;
    return n < op.n && n > 1 && op.p[n - 1] == 'V' ? (struct sl_str){op.p, n - 1} : op;
}

static sl_code check_one(const struct sl_dataset *d, struct sl_str text, struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_NameAttrList wanted;
    SL_TRY(sl_pb_text_parse(&wanted, SL_PB_TYPE(NameAttrList), text, arena, err));
    if (!sl_str_eq(without_version(wanted.name), without_version(d->spec->op))) return SL_OK;
    for (size_t i = 0; i < wanted.attr.n; i++)
        if (!sl_attr_find(&d->spec->attrs, wanted.attr.items[i].key))
            return sl_fail(err, SL_INVALID_ARGUMENT, "Asserted attribute %.*s, which %.*s does not have.",
                           SL_STR_ARG(wanted.attr.items[i].key), SL_STR_ARG(d->spec->op));
    return SL_OK;
}

sl_code sl_assert_prev_check(const struct sl_dataset *d, struct sl_error *err) {
    const struct sl_view texts = d->n_values ? sl_value_on_host(&d->values[0]) : (struct sl_view){.rank = 0};
    struct sl_arena arena;
    sl_code code = SL_OK;
    if (texts.count && texts.dtype != SL_STRING)
        return sl_fail(err, SL_INVALID_ARGUMENT, "transformations must be a vector of strings");
    sl_arena_init(&arena);
    for (int64_t i = 0; i < texts.count && code == SL_OK; i++) {
        d = d->n_inputs ? d->inputs[0] : NULL;
        if (d) code = check_one(d, sl_string_get((const TF_TString *)texts.data + i), &arena, err);
        else
            code =
                sl_fail(err, SL_INVALID_ARGUMENT, "Asserted previous %lld transformations but encountered only %lld.",
                        (long long)texts.count, (long long)i);
        if (!d) break;
    }
    sl_arena_clear(&arena);
    return code;
}
