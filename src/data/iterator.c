/* What the iterators of all kinds share: they hold their dataset, open its first input, and end with the step's
 * cancellation. */
#include "data/iterator.h"

#include "base/alloc.h"
#include "data/element.h"
#include "kernel/cancellation.h"

sl_code sl_iterator_new(struct sl_iterator **out, struct sl_dataset *d, struct sl_step_env *env, struct sl_error *err) {
    struct sl_iterator *it = sl_calloc(1, d->kind->iterator_bytes);
    if (!it) return sl_fail_memory(err, d->kind->iterator_bytes);
    it->dataset = sl_dataset_ref(d);
    sl_code code = d->kind->opens_input ? sl_iterator_new(&it->input, d->inputs[0], env, err) : SL_OK;
    if (code == SL_OK && d->kind->begin) code = d->kind->begin(it, env, err);
    if (code == SL_OK) *out = it;
    else sl_iterator_free(it);
    return code;
}

void sl_iterator_free(struct sl_iterator *it) {
    if (!it) return;
    if (it->dataset->kind->end) it->dataset->kind->end(it);
    sl_iterator_free(it->input);
    sl_dataset_unref(it->dataset);
    sl_free(it);
}

sl_code sl_iterator_next(struct sl_iterator *it, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                         struct sl_error *err) {
    const int n = it->dataset->n;
    for (int i = 0; i < n; i++) element[i].kind = SL_VALUE_NONE;
    *is_end = false;
    if (env->cancellation && sl_cancellation_is_on(env->cancellation))
        return sl_cancellation_status(env->cancellation, err);
    sl_code code = it->dataset->kind->next(it, element, is_end, env, err);
    if (code != SL_OK || *is_end) sl_element_clear(element, n);
    return code;
}

sl_code sl_iterator_pull(struct sl_iterator *it, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                         struct sl_error *err) {
    *is_end = true;
    if (!it->input) return SL_OK;
    sl_code code = sl_iterator_next(it->input, element, is_end, env, err);
    if (code == SL_OK && *is_end) {
        sl_iterator_free(it->input);
        it->input = NULL;
    }
    return code;
}

sl_code sl_iterator_skip(int64_t *gone, struct sl_iterator *it, int64_t count, struct sl_step_env *env,
                         struct sl_error *err) {
    *gone = 0;
    if (!it->input) return SL_OK;
    const int n = it->input->dataset->n;
    struct sl_value *element;
    SL_TRY(sl_element_new(&element, n, err));
    sl_code code = SL_OK;
    for (bool is_end = false; *gone < count;) {
        code = sl_iterator_pull(it, element, &is_end, env, err);
        if (code != SL_OK || is_end) break;
        sl_element_clear(element, n);
        ++*gone;
    }
    sl_free(element);
    return code;
}
