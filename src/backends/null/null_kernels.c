/* Rows that stand before the rows of another backend, and what they keep: the outputs of a node's first run. */
#include "backends/null/null_kernels.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "ops/op_effects.h"

struct null_row {
    struct sl_kernel_def rows[2]; /* a family of one */
    const struct sl_kernel_def *real;
};

struct kept {
    size_t n;
    struct sl_value values[];
};

struct null_state {
    const struct sl_kernel_def *real;
    void *real_state;
    bool is_null; /* completes at once when something is kept */
    _Atomic(struct kept *) kept;
};

/* Whether the outputs depend on the inputs alone and are floating-point. */
static bool is_replaced(const struct sl_kernel_setup *setup) {
    static const sl_dtype_set replaced = SL_SET_FLOATS | SL_SET_COMPLEX;
    if (setup->n_out == 0 || !sl_op_is_pure(setup->op)) return false;
    for (int o = 0; o < setup->n_out; o++)
        if (!sl_set_has(replaced, setup->out_types[o])) return false;
    for (int i = 0; i < setup->n_in; i++)
        if (setup->in_types[i] == SL_RESOURCE || setup->in_types[i] == SL_VARIANT) return false;
    return true;
}

static sl_code null_create(void **state, struct sl_kernel_setup *setup) {
    const struct sl_kernel_def *own = setup->def;
    struct null_state *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    s->real = ((const struct null_row *)(const void *)own)->real;
    s->is_null = is_replaced(setup);
    setup->def = s->real;
    sl_code code = s->real->create ? s->real->create(&s->real_state, setup) : SL_OK;
    setup->def = own;
    if (code != SL_OK) sl_free(s);
    else *state = s;
    return code;
}

static void kept_free(struct kept *kept) {
    for (size_t i = 0; kept && i < kept->n; i++) sl_value_clear(&kept->values[i]);
    sl_free(kept);
}

static void null_destroy(void *state) {
    struct null_state *s = state;
    if (s->real->destroy && s->real_state) s->real->destroy(s->real_state);
    kept_free(atomic_load(&s->kept));
    sl_free(s);
}

/* Keeps what the first run gave; of several at once, one. Without memory, nothing. */
static void keep_outputs(struct null_state *s, struct sl_kernel_context *k) {
    struct kept *kept = sl_calloc(1, sizeof *kept + k->node->n_out * sizeof *kept->values), *none = NULL;
    if (!kept) return;
    for (; kept->n < k->node->n_out; kept->n++) {
        const struct sl_value *out = sl_out_value(k, (int)kept->n);
        if (out->kind != SL_VALUE_SCALAR && out->kind != SL_VALUE_TENSOR) break; /* not all are made */
        kept->values[kept->n] = sl_value_share(out);
    }
    if (kept->n < k->node->n_out || !atomic_compare_exchange_strong(&s->kept, &none, kept)) kept_free(kept);
}

static sl_code null_run(struct sl_kernel_context *k) {
    struct null_state *s = k->state;
    const struct kept *kept = atomic_load_explicit(&s->kept, memory_order_acquire);
    for (uint32_t o = 0; kept && o < k->node->n_out; o++) *sl_out_value(k, (int)o) = sl_value_share(&kept->values[o]);
    if (kept) return SL_OK;
    k->state = s->real_state;
    sl_code code = s->real->run(k);
    k->state = s;
    if (code == SL_OK && s->is_null) keep_outputs(s, k);
    return code;
}

static struct null_row row_before(const struct sl_kernel_def *real) {
    struct null_row row = {.rows = {*real}, .real = real};
    const uint32_t others = SL_KERNEL_ASYNC | SL_KERNEL_PASS | SL_KERNEL_DEAD;
    if (!real->run || real->start || (real->flags & others)) return row;
    row.rows[0].create = null_create;
    row.rows[0].destroy = null_destroy;
    row.rows[0].run = null_run;
    row.rows[0].flags |= SL_KERNEL_OWN;
    return row;
}

sl_code sl_null_families(struct sl_kernel_family **out, size_t *n_out, const struct sl_kernel_family *families,
                         size_t n, struct sl_error *err) {
    size_t n_rows = 0, at = 0;
    for (size_t f = 0; f < n; f++)
        for (const struct sl_kernel_def *row = families[f].rows; row->op; row++) n_rows++;
    struct sl_kernel_family *all = sl_malloc(n_rows * (sizeof *all + sizeof(struct null_row)) + sizeof *all);
    if (!all) return sl_fail_memory(err, n_rows * sizeof(struct null_row));
    struct null_row *rows = (struct null_row *)(void *)(all + n_rows);
    for (size_t f = 0; f < n; f++)
        for (const struct sl_kernel_def *row = families[f].rows; row->op; row++, at++) {
            rows[at] = row_before(row);
            all[at].rows = rows[at].rows;
        }
    *out = all;
    *n_out = n_rows;
    return SL_OK;
}
