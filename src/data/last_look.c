/* What a look for the end finds instead of it is kept until it is asked for. */
#include "data/last_look.h"

#include "base/alloc.h"
#include "data/element.h"

sl_code sl_last_look_pull(struct sl_last_look *look, struct sl_iterator *it, struct sl_value *element, bool *is_end,
                          struct sl_error *err) {
    sl_code code = SL_OK;
    if (look->element) {
        for (int i = 0; i < it->dataset->n; i++) element[i] = look->element[i];
        sl_free(look->element);
        look->element = NULL;
        *is_end = false;
    } else if (look->error) {
        code = sl_fail(err, look->error->code, "%s", look->error->message);
        sl_free(look->error);
        look->error = NULL;
    } else {
        code = sl_iterator_pull(it, element, is_end, err);
    }
    return code;
}

bool sl_last_look_is_end(struct sl_last_look *look, struct sl_iterator *it) {
    bool is_end = false;
    struct sl_value *element = sl_calloc((size_t)it->dataset->n, sizeof *element);
    struct sl_error *error = sl_malloc(sizeof *error);
    if (element && error) {
        sl_error_clear(error);
        if (sl_iterator_pull(it, element, &is_end, error) != SL_OK) {
            look->error = error;
            error = NULL;
        } else if (!is_end) {
            look->element = element;
            element = NULL;
        }
    }
    sl_free(element);
    sl_free(error);
    return is_end;
}

void sl_last_look_clear(struct sl_last_look *look, const struct sl_iterator *it) {
    if (look->element) sl_element_clear(look->element, it->dataset->n);
    sl_free(look->element);
    sl_free(look->error);
    *look = (struct sl_last_look){.element = NULL};
}
