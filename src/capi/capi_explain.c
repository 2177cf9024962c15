/* What sessions tell of their steps. */
#include <string.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "capi/handles.h"
#include "kernel/cancellation.h"
#include "sluice/explain.h"

SL_API void sl_watch_numerics(TF_SessionOptions *options, unsigned what) { options->watch = what; }

struct lines {
    struct sl_wait_listener base;
    SL_VEC(char) text;
    bool is_cut; /* memory was out */
};

static void add_line(struct sl_wait_listener *self, const char *sentence) {
    struct lines *l = (struct lines *)self;
    for (const char *c = sentence; *c && !l->is_cut; c++) l->is_cut = sl_vec_push(&l->text, *c) != 0;
    if (!l->is_cut) l->is_cut = sl_vec_push(&l->text, '\n') != 0;
}

static sl_code explain(TF_Buffer **out, TF_Session *session, struct sl_error *err) {
    struct lines lines = {.base = {.hear = add_line}};
    session->session->methods->tell(session->session, &lines.base);
    TF_Buffer *buffer = lines.is_cut ? NULL : TF_NewBufferFromString(lines.text.items, lines.text.n);
    sl_vec_free(&lines.text);
    if (!buffer) return sl_fail_memory(err, lines.text.n);
    *out = buffer;
    return SL_OK;
}

SL_API TF_Buffer *sl_explain_step(TF_Session *session, TF_Status *status) {
    TF_Buffer *buffer = NULL;
    struct sl_error err;
    sl_status_take(status, explain(&buffer, session, &err), &err);
    return buffer;
}
