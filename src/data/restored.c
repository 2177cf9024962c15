/* What was made before a state was saved. */
#include "data/restored.h"

#include <string.h>

#include "base/alloc.h"
#include "data/element.h"

sl_code sl_restored_room(struct sl_made_element **out, struct sl_restored *r, int width, struct sl_error *err) {
    if (sl_grow((void **)&r->made, &r->cap, (size_t)r->n + 1, sizeof *r->made))
        return sl_fail_memory(err, sizeof *r->made);
    struct sl_made_element *made = &r->made[r->n];
    memset(made, 0, sizeof *made);
    SL_TRY(sl_element_new(&made->element, width, err));
    r->n++;
    *out = made;
    return SL_OK;
}

sl_code sl_restored_next(struct sl_restored *r, struct sl_value *element, int width, struct sl_error *err) {
    bool is_end;
    return sl_made_element_take(&r->made[r->at++], element, width, &is_end, err);
}

void sl_restored_clear(struct sl_restored *r, int width) {
    for (int64_t i = 0; i < r->n; i++) {
        sl_element_clear(r->made[i].element, width);
        sl_free(r->made[i].element);
        sl_free(r->made[i].message);
    }
    sl_free(r->made);
    *r = (struct sl_restored){0};
}

/* ---- batches: batch_results_I with what they are, and another path for their values */

static const char *batch_key(char key[SL_STATE_KEY], const char *start, int64_t i, const char *what) {
    return sl_state_key(key, "%sbatch_results_%lld%s", start, (long long)i, what);
}

static sl_code put_batch(struct sl_state *s, const struct sl_iterator *it, int64_t i,
                         const struct sl_made_element *made, struct sl_error *err) {
    char key[SL_STATE_KEY], part[SL_STATE_KEY];
    const int n = made->code == SL_OK ? it->dataset->n : 0;
    const struct sl_view first = n ? sl_value_view(&made->element[0]) : (struct sl_view){0};
    SL_TRY(sl_state_put_int(s, it, batch_key(key, "", i, "_num_elements"), first.rank ? first.dims[0] : 0, err));
    SL_TRY(sl_state_put_mark(s, it, batch_key(key, "", i, "_call_finished"), err));
    if (n) SL_TRY(sl_state_put_mark(s, it, batch_key(key, "", i, "_output_allocated"), err));
    SL_TRY(sl_state_put_int(s, it, batch_key(key, ":", i, "_output_size"), n, err));
    SL_TRY(sl_state_put_int(s, it, batch_key(key, ":", i, "_status_code"), made->code, err));
    if (made->code != SL_OK)
        SL_TRY(sl_state_put_part_text(s, it, "", batch_key(key, ":", i, "_status_msg"), made->message, err));
    for (int k = 0; k < n; k++)
        SL_TRY(sl_state_put_part(s, it, batch_key(part, "|:", i, ""), sl_state_key(key, "output_%d", k),
                                 &made->element[k], err));
    return SL_OK;
}

sl_code sl_state_put_batches(struct sl_state *s, const struct sl_iterator *it, const struct sl_restored *r,
                             struct sl_error *err) {
    SL_TRY(sl_state_put_int(s, it, "batch_results_size", r->n - r->at, err));
    for (int64_t i = r->at; i < r->n; i++) SL_TRY(put_batch(s, it, i - r->at, &r->made[i], err));
    return SL_OK;
}

/* A place of TensorFlow's for the end of the input holds no batch. */
static bool is_empty_batch(const struct sl_state *s, const struct sl_iterator *it, int64_t i) {
    char key[SL_STATE_KEY];
    int64_t rows = 0;
    if (!sl_state_has(s, it, batch_key(key, "", i, "_end_of_input"))) return false;
    return sl_state_get_int(&rows, s, it, batch_key(key, "", i, "_num_elements"), NULL) == SL_OK && rows == 0;
}

/* The first rows of a batch that TensorFlow had made room for more. */
static sl_code cut_batch(struct sl_value *value, int64_t rows, struct sl_error *err) {
    const struct sl_view v = sl_value_view(value);
    int64_t dims[SL_MAX_RANK];
    struct sl_tensor *cut;
    if (rows <= 0 || v.rank == 0 || v.dims[0] <= rows) return SL_OK;
    memcpy(dims, v.dims, (size_t)v.rank * sizeof *dims);
    dims[0] = rows;
    SL_TRY(sl_tensor_view(&cut, value->tensor, value->dtype, (struct sl_shape){v.rank, dims}, 0, err));
    sl_value_clear(value);
    *value = sl_value_of_tensor(cut);
    return SL_OK;
}

static sl_code get_batch(struct sl_restored *r, const struct sl_state *s, const struct sl_iterator *it, int64_t i,
                         struct sl_error *err) {
    char key[SL_STATE_KEY], part[SL_STATE_KEY];
    struct sl_made_element *made;
    int64_t code, n, rows;
    if (is_empty_batch(s, it, i)) return SL_OK;
    SL_TRY(sl_restored_room(&made, r, it->dataset->n, err));
    SL_TRY(sl_state_get_int(&code, s, it, batch_key(key, ":", i, "_status_code"), err));
    if (code != SL_OK)
        return sl_made_element_get_error(made, code, s, it, "", batch_key(key, ":", i, "_status_msg"), err);
    SL_TRY(sl_state_get_int(&rows, s, it, batch_key(key, "", i, "_num_elements"), err));
    SL_TRY(sl_state_get_int(&n, s, it, batch_key(key, ":", i, "_output_size"), err));
    if (n != it->dataset->n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "A saved batch has %lld components", (long long)n);
    for (int k = 0; k < n; k++) {
        SL_TRY(sl_state_get_part(&made->element[k], s, it, batch_key(part, "|:", i, ""),
                                 sl_state_key(key, "output_%d", k), err));
        SL_TRY(cut_batch(&made->element[k], rows, err));
    }
    return SL_OK;
}

sl_code sl_state_get_batches(struct sl_restored *r, const struct sl_state *s, const struct sl_iterator *it,
                             struct sl_error *err) {
    int64_t n;
    SL_TRY(sl_state_get_int(&n, s, it, "batch_results_size", err));
    for (int64_t i = 0; i < n; i++) SL_TRY(get_batch(r, s, it, i, err));
    return SL_OK;
}
