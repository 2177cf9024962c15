/* Growing text. Called by the kernels of strings. */
#include "formats/text.h"

#include <stdio.h>

bool sl_text_reserve(struct sl_text *t, size_t more) {
    if (t->is_broken || more > SIZE_MAX / 2 - t->n || sl_grow((void **)&t->p, &t->cap, t->n + more, 1))
        t->is_broken = true;
    return !t->is_broken;
}

void sl_text_add(struct sl_text *t, struct sl_str s) {
    if (s.n == 0 || (s.n > t->cap - t->n && !sl_text_reserve(t, s.n))) return;
    memcpy(t->p + t->n, s.p, s.n);
    t->n += s.n;
}

void sl_text_format(struct sl_text *t, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    if (n < 0) t->is_broken = true;
    else if (sl_text_reserve(t, (size_t)n + 1)) {
        vsnprintf(t->p + t->n, (size_t)n + 1, format, again);
        t->n += (size_t)n;
    }
    va_end(again);
    va_end(args);
}

void sl_text_free(struct sl_text *t) {
    sl_free(t->p);
    *t = (struct sl_text){.n = 0};
}

sl_code sl_text_store(TF_TString *to, const struct sl_text *t, struct sl_error *err) {
    return t->is_broken ? sl_fail_memory(err, t->n) : sl_string_set(to, sl_text_str(t), err);
}
