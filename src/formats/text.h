/* Text that grows: bytes are appended, and whether memory lasted is asked once at the end. One owner;
 * zero-initialise to start. */
#ifndef SL_FORMATS_TEXT_H
#define SL_FORMATS_TEXT_H

#include <stdint.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/str.h"
#include "tensor/tensor.h"

struct sl_text {
    char *p; /* not NUL-terminated */
    size_t n, cap;
    bool is_broken; /* memory was out: what is here is of no use */
};

/* Room for `more` further bytes: false, and broken, when memory is out. */
bool sl_text_reserve(struct sl_text *t, size_t more);
static inline void sl_text_byte(struct sl_text *t, char c) {
    if (t->n < t->cap || sl_text_reserve(t, 1)) t->p[t->n++] = c;
}
void sl_text_add(struct sl_text *t, struct sl_str s);
static inline void sl_text_words(struct sl_text *t, const char *words) { sl_text_add(t, sl_str_of(words)); }
void sl_text_format(struct sl_text *t, const char *format, ...) SL_PRINTF(2, 3);
static inline void sl_text_clear(struct sl_text *t) { t->n = 0; } /* keeps the memory */
void sl_text_free(struct sl_text *t);

static inline struct sl_str sl_text_str(const struct sl_text *t) { return (struct sl_str){t->p, t->n}; }
/* Copies the text into a string element; RESOURCE_EXHAUSTED also when the text is broken. */
sl_code sl_text_store(TF_TString *to, const struct sl_text *t, struct sl_error *err);

#endif
