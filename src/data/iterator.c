/* What the iterators of all kinds share: they hold their dataset, open its first input, know their place in the walk, and
 * end with its cancellation. */
#include "data/iterator.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/error_place.h"
#include "data/element.h"
#include "data/state.h"
#include "kernel/cancellation.h"

static sl_code begin(struct sl_iterator **out, struct sl_data_walk *walk, const struct sl_iterator *parent,
                     int64_t index, struct sl_dataset *d, struct sl_error *err) {
    struct sl_iterator *it = sl_calloc(1, d->kind->iterator_bytes);
    if (!it) return sl_fail_memory(err, d->kind->iterator_bytes);
    it->dataset = sl_dataset_ref(d);
    it->walk = walk;
    it->parent = parent;
    it->index = index;
    sl_code code = d->kind->opens_input ? sl_iterator_new(&it->input, it, SL_ONLY_INPUT, d->inputs[0], err) : SL_OK;
    if (code == SL_OK && d->kind->begin) code = d->kind->begin(it, err);
    if (code == SL_OK) *out = it;
    else sl_iterator_free(it);
    return code;
}

sl_code sl_iterator_new(struct sl_iterator **out, const struct sl_iterator *parent, int64_t index, struct sl_dataset *d,
                        struct sl_error *err) {
    return begin(out, parent->walk, parent, index, d, err);
}

sl_code sl_iterator_new_over(struct sl_iterator **out, const struct sl_iterator *parent, int64_t index,
                             const struct sl_value *made, struct sl_error *err) {
    const struct sl_dataset *d = parent->dataset;
    struct sl_dataset *nested;
    SL_TRY(sl_dataset_of_value(&nested, made, err));
    if (nested->n == d->n) return sl_iterator_new(out, parent, index, nested, err);
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "%sDataset declares %d components, but a dataset that its function made has %d", d->kind->name, d->n,
                   nested->n);
}

sl_code sl_iterator_new_root(struct sl_iterator **out, struct sl_data_walk *walk, struct sl_dataset *d,
                             struct sl_error *err) {
    return begin(out, walk, NULL, SL_ONLY_INPUT, d, err);
}

void sl_iterator_free(struct sl_iterator *it) {
    if (!it) return;
    if (it->dataset->kind->end) it->dataset->kind->end(it);
    sl_iterator_free(it->input);
    sl_iterator_free(it->spent);
    sl_dataset_unref(it->dataset);
    sl_free(it);
}

/* That says the end nowhere else, so a function's must not look like it. */
static sl_code refuse_out_of_range(const struct sl_iterator *it, struct sl_error *err) {
    enum { PATH = 1024 };
    char path[PATH];
    const struct sl_error reason = err ? *err : (struct sl_error){0};
    return sl_fail(err, SL_INTERNAL,
                   "Iterator \"%s\" returned `OutOfRange`. This indicates an implementation error as `OutOfRange` "
                   "errors are not expected to be returned here. Original message: %s",
                   sl_iterator_path(path, sizeof path, it), reason.message);
}

void sl_iterator_trace(const struct sl_iterator *it, int64_t begun) {
    enum { PATH = 512, KIND = 128 };
    char path[PATH], kind[KIND];
    const char *name = it->dataset->spec->name;
    if (!begun) return;
    snprintf(kind, sizeof kind, "Iterator::%s", name && *name ? name : it->dataset->kind->name);
    sl_data_walk_trace_end(it->walk, sl_iterator_path(path, sizeof path, it), kind, begun);
}

/* When the walk is cancelled, has a deadline or is traced. */
static __attribute__((noinline)) sl_code next_slowly(struct sl_iterator *it, struct sl_value *element, bool *is_end,
                                                     struct sl_error *err) {
    struct sl_cancellation *cancellation = sl_data_walk_env(it->walk)->cancellation;
    if (sl_cancellation_is_on(cancellation)) return sl_cancellation_status(cancellation, err);
    const int64_t begun = sl_data_walk_is_traced(it->walk) ? sl_data_walk_trace_begin(it->walk) : 0;
    sl_code code = it->dataset->kind->next(it, element, is_end, err);
    if (begun) sl_iterator_trace(it, begun);
    return code;
}

sl_code sl_iterator_heed_slowly(const struct sl_iterator *it, sl_code code, struct sl_error *err, const char *format,
                                ...) {
    if (code != SL_OK && code != SL_CANCELLED && code != SL_DEADLINE_EXCEEDED) return code;
    struct sl_cancellation *c = sl_data_walk_env(it->walk)->cancellation;
    char who[64], text[256];
    va_list args;
    snprintf(who, sizeof who, "a %s dataset", it->dataset->kind->name);
    int n = snprintf(text, sizeof text, "%s ", who);
    va_start(args, format);
    vsnprintf(text + n, sizeof text - (size_t)n, format, args);
    va_end(args);
    sl_cancellation_answer(c, text);
    if (!sl_cancellation_is_on(c)) return code;
    sl_cancellation_note_wait(c, who, text);
    return sl_cancellation_status(c, err);
}

/* An error, or the end. */
static __attribute__((noinline)) sl_code leave_nothing(struct sl_iterator *it, struct sl_value *element, sl_code code,
                                                       struct sl_error *err) {
    if (code == SL_OUT_OF_RANGE) code = refuse_out_of_range(it, err);
    sl_element_clear(element, it->dataset->n);
    return code;
}

static inline sl_code next(struct sl_iterator *it, struct sl_value *element, bool *is_end, struct sl_error *err) {
    const struct sl_dataset *d = it->dataset;
    for (int i = 0; i < d->n; i++) element[i].kind = SL_VALUE_NONE;
    *is_end = false;
    const bool is_plain =
        !sl_cancellation_has_news(sl_data_walk_env(it->walk)->cancellation) && !sl_data_walk_is_traced(it->walk);
    sl_code code = is_plain ? d->kind->next(it, element, is_end, err) : next_slowly(it, element, is_end, err);
    return code == SL_OK && !*is_end ? SL_OK : leave_nothing(it, element, code, err);
}

sl_code sl_iterator_next(struct sl_iterator *it, struct sl_value *element, bool *is_end, struct sl_error *err) {
    return next(it, element, is_end, err);
}

sl_code sl_iterator_pull(struct sl_iterator *it, struct sl_value *element, bool *is_end, struct sl_error *err) {
    *is_end = true;
    if (!it->input) return SL_OK;
    sl_code code = next(it->input, element, is_end, err);
    if (code != SL_OK) return code;
    if (*is_end) sl_iterator_close_input(it);
    else it->pulled++;
    return SL_OK;
}

void sl_iterator_close_input(struct sl_iterator *it) {
    sl_iterator_free(it->spent);
    it->spent = it->input;
    it->input = NULL;
}

sl_code sl_iterator_open_input(struct sl_iterator *it, int64_t index, int which, struct sl_error *err) {
    sl_iterator_free(it->spent);
    sl_iterator_free(it->input);
    it->spent = it->input = NULL;
    return sl_iterator_new(&it->input, it, index, it->dataset->inputs[which], err);
}

static __attribute__((noinline)) sl_code refuse_more(const struct sl_iterator *it, const struct sl_element_list *list,
                                                     struct sl_error *err) {
    enum { PATH = 512 };
    char path[PATH];
    return sl_fail(err, SL_RESOURCE_EXHAUSTED,
                   "%s holds %lld elements of %lld bytes, more than the %lld that a stage of a pipeline may gather "
                   "(SLUICE_DATA_MEMORY)",
                   sl_iterator_path(path, sizeof path, it), (long long)list->n, (long long)list->bytes,
                   (long long)sl_data_walk_most_gathered(it->walk));
}

sl_code sl_iterator_gather(struct sl_value **out, const struct sl_iterator *it, struct sl_element_list *list,
                           struct sl_error *err) {
    const int64_t own = (int64_t)sizeof(struct sl_value) * list->width;
    if (list->counted > list->n) list->counted = list->bytes = 0;
    for (; list->counted < list->n; list->counted++)
        list->bytes += own + sl_element_bytes(sl_element_at(list, list->counted), list->width);
    if (list->bytes <= sl_data_walk_most_gathered(it->walk)) return sl_element_list_room(out, list, err);
    return refuse_more(it, list, err);
}

sl_code sl_iterator_skip(int64_t *gone, struct sl_iterator *it, int64_t count, struct sl_error *err) {
    *gone = 0;
    if (!it->input) return SL_OK;
    const int n = it->input->dataset->n;
    struct sl_value *element;
    SL_TRY(sl_element_new(&element, n, err));
    sl_code code = SL_OK;
    for (bool is_end = false; *gone < count;) {
        code = sl_iterator_pull(it, element, &is_end, err);
        if (code != SL_OK || is_end) break;
        sl_element_clear(element, n);
        ++*gone;
    }
    sl_free(element);
    return code;
}

sl_code sl_iterator_call(struct sl_value *rets, const struct sl_iterator *it, int which, struct sl_value *args, int n,
                         struct sl_error *err) {
    return sl_data_walk_call(rets, it->walk, it->dataset, which, args, n, err);
}

sl_code sl_iterator_call_at_end(struct sl_value *rets, const struct sl_iterator *it, int which, struct sl_value *args,
                                int n, struct sl_error *err) {
    return sl_data_walk_call_at_end(rets, it->walk, it->dataset, which, args, n, err);
}

sl_code sl_iterator_refuse_end(struct sl_error *err) {
    char why[SL_ERROR_MESSAGE_MAX];
    if (err) snprintf(why, sizeof why, "%s", err->message);
    return sl_fail(err, SL_INVALID_ARGUMENT, "Function invocation produced OutOfRangeError: %s", err ? why : "");
}

sl_code sl_iterator_name_stage(sl_code code, const struct sl_iterator *it, int64_t element, struct sl_error *err) {
    enum { PATH = 512, WHICH = 40 };
    char path[PATH], which[WHICH] = "", why[SL_ERROR_MESSAGE_MAX];
    if (!err || code == SL_OK || code == SL_CANCELLED) return code;
    char place[256];
    snprintf(why, sizeof why, "%s", err->message);
    snprintf(place, sizeof place, "%s", sl_error_place(err));
    if (element >= 0) snprintf(which, sizeof which, "element %lld: ", (long long)element);
    sl_fail(err, code, "Error in user-defined function passed to %sDataset transformation with iterator: %s: %s%s",
            it->dataset->kind->name, sl_iterator_path(path, sizeof path, it), which, why);
    if (*place) sl_error_add_place(err, "%s", place);
    return code;
}

/* ---- paths */

/* Appends the path to the `n` bytes that are there; recursion is as deep as datasets are. */
static size_t append_path(char *text, size_t size, size_t n, const struct sl_iterator *it) {
    enum { NAME = 128 };
    char name[NAME];
    if (it->parent) n = append_path(text, size, n, it->parent);
    else n += (size_t)snprintf(text, size, "Iterator::Root");
    if (n >= size) return n;
    const char *other = it->dataset->spec->name;
    if (it->index != SL_ONLY_INPUT) n += (size_t)snprintf(text + n, size - n, "[%lld]", (long long)it->index);
    if (n >= size || (other && !*other)) return n; /* options and the like are not seen */
    if (it->dataset->kind->path_name) it->dataset->kind->path_name(it, name, sizeof name);
    else snprintf(name, sizeof name, "%s", other ? other : it->dataset->kind->name);
    return n + (size_t)snprintf(text + n, size - n, "::%s", name);
}

char *sl_iterator_path(char *text, size_t size, const struct sl_iterator *it) {
    append_path(text, size, 0, it);
    return text;
}

/* ---- saving */

sl_code sl_state_put_input(struct sl_state *s, const struct sl_iterator *it, const char *empty, struct sl_error *err) {
    if (empty) SL_TRY(sl_state_put_int(s, it, empty, it->input == NULL, err));
    if (it->input) return sl_iterator_save(it->input, s, err);
    return it->spent && !empty ? sl_iterator_save(it->spent, s, err) : SL_OK;
}

sl_code sl_state_get_input(const struct sl_state *s, struct sl_iterator *it, int64_t index, const char *empty,
                           struct sl_error *err) {
    int64_t is_empty = 0;
    if (empty) SL_TRY(sl_state_get_int(&is_empty, s, it, empty, err));
    SL_TRY(sl_iterator_open_input(it, index, 0, err));
    if (!is_empty) return sl_iterator_restore(it->input, s, err);
    sl_iterator_free(it->input);
    it->input = NULL;
    return SL_OK;
}

sl_code sl_iterator_save(const struct sl_iterator *it, struct sl_state *s, struct sl_error *err) {
    const struct sl_dataset_kind *kind = it->dataset->kind;
    if (kind->save) return kind->save(it, s, err);
    if (kind->opens_input) return sl_state_put_input(s, it, NULL, err);
    return sl_fail(err, SL_UNIMPLEMENTED, "The position in a %sDataset cannot be saved", kind->name);
}

sl_code sl_iterator_restore(struct sl_iterator *it, const struct sl_state *s, struct sl_error *err) {
    const struct sl_dataset_kind *kind = it->dataset->kind;
    if (kind->restore) return kind->restore(it, s, err);
    if (kind->opens_input) return sl_state_get_input(s, it, SL_ONLY_INPUT, NULL, err);
    return sl_fail(err, SL_UNIMPLEMENTED, "The position in a %sDataset cannot be restored", kind->name);
}
