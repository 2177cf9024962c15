/* Rows. A function is called on many elements as long as their shapes are what it asks for; the first element that has others
 * is the last one that is taken before it is called for each, so behind an error nothing is lost. */
#include "data/element_rows.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "kernel/cancellation.h"

sl_code sl_rows_init(struct sl_rows *rows, int width, struct sl_error *err) {
    rows->list.width = width;
    return sl_element_new(&rows->stacked, width, err);
}

void sl_rows_drop(struct sl_rows *rows) {
    if (rows->stacked) sl_element_clear(rows->stacked, rows->list.width);
    if (rows->list.values) sl_element_list_clear(&rows->list);
    rows->n = 0;
    rows->is_stacked = false;
}

void sl_rows_clear(struct sl_rows *rows) {
    sl_rows_drop(rows);
    sl_free(rows->stacked);
    rows->stacked = NULL;
}

sl_code sl_rows_take(struct sl_value *out, struct sl_rows *rows, int c, struct sl_error *err) {
    if (!rows->is_stacked) return sl_element_stack(out, &rows->list, c, err);
    *out = sl_value_move(&rows->stacked[c]);
    return SL_OK;
}

static sl_code unstack(struct sl_rows *rows, struct sl_error *err) {
    for (int64_t i = 0; i < rows->n; i++) {
        struct sl_value *room;
        SL_TRY(sl_element_list_room(&room, &rows->list, err));
        rows->list.n++;
        for (int c = 0; c < rows->list.width; c++) SL_TRY(sl_element_row(&room[c], &rows->stacked[c], i, err));
    }
    return SL_OK;
}

sl_code sl_rows_unstack(struct sl_rows *rows, struct sl_error *err) {
    if (!rows->is_stacked) return SL_OK;
    sl_code code = unstack(rows, err);
    sl_element_clear(rows->stacked, rows->list.width);
    rows->is_stacked = false;
    if (code != SL_OK) sl_rows_drop(rows);
    return code;
}

/* ---- taking */

static sl_code pull_one(struct sl_iterator *it, struct sl_rows *rows, bool *is_end, struct sl_error *err) {
    struct sl_value *room;
    SL_TRY(sl_iterator_gather(&room, it, &rows->list, err));
    SL_TRY(sl_iterator_pull(it, room, is_end, err));
    if (*is_end) return SL_OK;
    rows->list.n++;
    rows->n++;
    return SL_OK;
}

static sl_code heed_rows(const struct sl_iterator *it, int64_t has, int64_t wants, sl_code code, struct sl_error *err) {
    return SL_ITERATOR_HEED(it, code, err, "has %" PRId64 " of the %" PRId64 " elements that it wants", has, wants);
}

sl_code sl_iterator_pull_list(struct sl_iterator *it, struct sl_rows *rows, int64_t n, bool *is_end,
                              struct sl_error *err) {
    sl_code code = SL_OK;
    *is_end = false;
    while (rows->n < n && !*is_end && code == SL_OK) {
        code = heed_rows(it, rows->n, n, SL_OK, err);
        if (code == SL_OK) code = pull_one(it, rows, is_end, err);
    }
    if (code != SL_OK) code = heed_rows(it, rows->n, n, code, err);
    if (code != SL_OK) sl_rows_drop(rows);
    return code;
}

sl_code sl_iterator_list_rows(struct sl_iterator *it, struct sl_rows *rows, int64_t n, bool *is_end,
                              struct sl_error *err) {
    while (rows->n < n) {
        struct sl_value *room;
        SL_TRY(sl_iterator_gather(&room, it, &rows->list, err));
        SL_TRY(sl_iterator_next(it, room, is_end, err));
        if (*is_end) break;
        rows->list.n++;
        rows->n++;
    }
    return SL_OK;
}

sl_code sl_iterator_pull_rows(struct sl_iterator *it, struct sl_rows *rows, int64_t n, bool *is_end,
                              struct sl_error *err) {
    struct sl_iterator *input = it->input;
    if (!input || !input->dataset->kind->next_rows) return sl_iterator_pull_list(it, rows, n, is_end, err);
    struct sl_cancellation *cancellation = sl_data_walk_env(it->walk)->cancellation;
    if (sl_cancellation_is_on(cancellation)) return sl_cancellation_status(cancellation, err);
    *is_end = false;
    const int64_t begun = sl_data_walk_is_traced(it->walk) ? sl_data_walk_trace_begin(it->walk) : 0;
    sl_code code = input->dataset->kind->next_rows(input, rows, n, is_end, err);
    if (begun) sl_iterator_trace(input, begun);
    if (code != SL_OK) sl_rows_drop(rows);
    it->pulled += rows->n;
    if (code == SL_OK && *is_end) sl_iterator_close_input(it);
    return code;
}

/* ---- calls */

bool sl_rows_may_call(const struct sl_iterator *it) {
    const struct sl_dataset_function *f = &it->dataset->spec->functions[0];
    if (!f->row_groups) return false;
    for (int i = 0; i < f->n_captured; i++)
        if (sl_value_view(&it->dataset->values[f->captured + i]).rank != 0) return false;
    return true;
}

static struct sl_shape shape_of(const struct sl_value *v) { return sl_view_shape(sl_value_view(v)); }

/* Whether element `i` of the list may be called together with those before it. */
static bool fits(const struct sl_dataset_function *f, const struct sl_element_list *list, int64_t i) {
    const struct sl_value *first = sl_element_at(list, 0), *element = sl_element_at(list, i);
    for (int c = 0; c < list->width; c++) {
        const struct sl_shape shape = shape_of(&element[c]);
        if (element[c].dtype != f->arg_types[c] || !sl_shape_equal(shape, shape_of(&first[c]))) return false;
        if (f->row_groups[c] != c && !sl_shape_equal(shape, shape_of(&element[f->row_groups[c]]))) return false;
    }
    return true;
}

static bool has_groups(const struct sl_dataset_function *f, int n) {
    for (int c = 0; c < n; c++)
        if (f->row_groups[c] != c) return true;
    return false;
}

/* Takes arguments until there are `n`, or one that does not fit. Those that the input gives all at once may have any shape: a
 * function without groups fails for none. */
static sl_code take_args(struct sl_rows *args, bool *fit, struct sl_iterator *it, int64_t n, bool *is_end,
                         struct sl_error *err) {
    const struct sl_dataset_function *f = &it->dataset->spec->functions[0];
    *fit = true;
    if (it->input && it->input->dataset->kind->next_rows && !has_groups(f, args->list.width)) {
        SL_TRY(sl_iterator_pull_rows(it, args, n, is_end, err));
        for (int c = 0; c < args->list.width && args->is_stacked; c++)
            *fit = *fit && args->stacked[c].dtype == f->arg_types[c];
        for (int64_t i = 0; i < args->list.n && *fit; i++) *fit = fits(f, &args->list, i);
        return SL_OK;
    }
    while (args->n < n && !*is_end && *fit) {
        SL_TRY(pull_one(it, args, is_end, err));
        *fit = *is_end || fits(f, &args->list, args->n - 1);
    }
    return SL_OK;
}

static sl_code call_once(struct sl_rows *rows, struct sl_rows *args, struct sl_iterator *it, struct sl_error *err) {
    const int width = args->list.width;
    for (int c = 0; c < width && !args->is_stacked; c++)
        SL_TRY(sl_element_stack(&args->stacked[c], &args->list, c, err));
    sl_code code = sl_iterator_call(rows->stacked, it, 0, args->stacked, width, err);
    if (code != SL_OK) return sl_iterator_name_stage(code, it, it->pulled - args->n, err);
    rows->is_stacked = true;
    rows->n = args->n;
    for (int c = 0; c < rows->list.width; c++) {
        const struct sl_view v = sl_value_view(&rows->stacked[c]);
        if (v.rank < 1 || v.dims[0] != args->n)
            return sl_fail(err, SL_INTERNAL, "A call for %lld elements gave other results", (long long)args->n);
    }
    return SL_OK;
}

static sl_code call_for_each(struct sl_rows *rows, struct sl_rows *args, struct sl_iterator *it, struct sl_error *err) {
    struct sl_value *room;
    SL_TRY(sl_rows_unstack(args, err));
    for (int64_t i = 0; i < args->n; i++) {
        SL_TRY(sl_iterator_gather(&room, it, &rows->list, err));
        sl_code code = sl_iterator_call(room, it, 0, sl_element_at(&args->list, i), args->list.width, err);
        if (code != SL_OK) return sl_iterator_name_stage(code, it, it->pulled - args->n + i, err);
        rows->list.n++;
        rows->n++;
    }
    return SL_OK;
}

sl_code sl_rows_call(struct sl_rows *rows, struct sl_rows *args, struct sl_iterator *it, int64_t n, bool *is_end,
                     struct sl_error *err) {
    bool fit;
    sl_code code = take_args(args, &fit, it, n, is_end, err);
    if (code == SL_OK && args->n > 0) code = fit ? call_once(rows, args, it, err) : call_for_each(rows, args, it, err);
    while (code == SL_OK && rows->n < n && !*is_end) { /* behind one that did not fit */
        sl_rows_drop(args);
        code = pull_one(it, args, is_end, err);
        if (code == SL_OK && !*is_end) code = call_for_each(rows, args, it, err);
    }
    sl_rows_drop(args);
    return code;
}
