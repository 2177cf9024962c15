/* Print and PrintV2: tensors as text for people. A line is one write, so lines of several threads do not mix. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "backends/any/any_kernels.h"
#include "base/alloc.h"
#include "os/file.h"
#include "tensor/summary.h"

/* ---- PrintV2 */

struct printer {
    enum stream { TO_ERROR, TO_OUTPUT, TO_LOG, TO_FILE } stream;
    size_t end; /* bytes of the end, which comes first; then what stands before the text, or the file's name */
    const char *name;
    char text[];
};

static sl_code printer_create(void **out, struct sl_kernel_setup *setup) {
    static const struct {
        const char *name;
        enum stream stream;
        const char *mark;
    } streams[] = {{"stderr", TO_ERROR, ""},
                   {"stdout", TO_OUTPUT, ""},
                   {"log(info)", TO_LOG, "I "},
                   {"log(warning)", TO_LOG, "W "},
                   {"log(error)", TO_LOG, "E "}};
    struct sl_str stream, end;
    SL_TRY(sl_attr_string(&stream, setup->attrs, "output_stream", setup->err));
    SL_TRY(sl_attr_string(&end, setup->attrs, "end", setup->err));
    struct printer *p = sl_malloc(sizeof *p + end.n + stream.n + 4);
    if (!p) return sl_fail_memory(setup->err, stream.n + end.n);
    bool is_known = false;
    p->end = end.n;
    if (end.n) memcpy(p->text, end.p, end.n);
    p->name = p->text + end.n;
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        if (!sl_str_is(stream, streams[i].name)) continue;
        is_known = true;
        p->stream = streams[i].stream;
        memcpy(p->text + end.n, streams[i].mark, strlen(streams[i].mark) + 1);
    }
    if (!is_known && sl_str_starts(stream, SL_STR("file://"))) {
        is_known = true;
        p->stream = TO_FILE;
        memcpy(p->text + end.n, stream.p + 7, stream.n - 7);
        p->text[end.n + stream.n - 7] = 0;
    }
    if (!is_known) {
        sl_free(p);
        return sl_fail(
            setup->err, SL_INVALID_ARGUMENT,
            "Unknown output stream: %.*s. Valid streams are: stderr, stdout, log(info), log(warning), log(error), "
            "or a path that starts with file://.",
            SL_STR_ARG(stream));
    }
    *out = p;
    return SL_OK;
}
static void destroy(void *state) { sl_free(state); }

static sl_code append(const char *path, const char *text, size_t n, struct sl_error *err) {
    struct sl_writer writer;
    SL_TRY(sl_writer_open(&writer, path, SL_WRITER_APPEND, err));
    sl_code code = sl_writer_write(&writer, text, n, err), closed = sl_writer_close(&writer, err);
    return code != SL_OK ? code : closed;
}

static sl_code print_v2_run(struct sl_kernel_context *k) {
    const struct printer *p = k->state;
    struct sl_view v = sl_in(k, 0);
    if (v.rank) return sl_invalid(k, "Input is expected to be scalar, but got a tensor of rank %d", v.rank);
    struct sl_str text = sl_string_get(v.data);
    size_t mark = p->stream == TO_LOG ? strlen(p->name) : 0, n = mark + text.n + p->end;
    char *line = sl_malloc(n + 1);
    if (!line) return sl_fail_memory(k->err, n);
    if (mark) memcpy(line, p->name, mark);
    if (text.n) memcpy(line + mark, text.p, text.n);
    if (p->end) memcpy(line + mark + text.n, p->text, p->end);
    sl_code code = SL_OK;
    if (p->stream == TO_FILE) code = append(p->name, line, n, k->err);
    else {
        FILE *to = p->stream == TO_OUTPUT ? stdout : stderr;
        fwrite(line, 1, n, to);
        fflush(to);
    }
    sl_free(line);
    return code;
}

/* ---- Print */

struct old_printer {
    atomic_llong left; /* lines to go; negative: without end */
    int64_t summarize;
    size_t n;
    char message[];
};

static sl_code old_printer_create(void **out, struct sl_kernel_setup *setup) {
    struct sl_str message;
    int64_t left, summarize;
    SL_TRY(sl_attr_string(&message, setup->attrs, "message", setup->err));
    SL_TRY(sl_attr_int(&left, setup->attrs, "first_n", setup->err));
    SL_TRY(sl_attr_int(&summarize, setup->attrs, "summarize", setup->err));
    struct old_printer *p = sl_malloc(sizeof *p + message.n + 1);
    if (!p) return sl_fail_memory(setup->err, message.n);
    atomic_init(&p->left, left);
    p->summarize = summarize;
    p->n = message.n;
    if (message.n) memcpy(p->message, message.p, message.n);
    *out = p;
    return SL_OK;
}

static sl_code add(char **line, size_t *n, const char *text, size_t more, struct sl_error *err) {
    char *longer = sl_realloc(*line, *n + more + 1);
    if (!longer) return sl_fail_memory(err, *n + more);
    *line = longer;
    if (more) memcpy(longer + *n, text, more);
    *n += more;
    return SL_OK;
}

static sl_code make_line(char **line, size_t *n, struct sl_kernel_context *k, const struct old_printer *p) {
    SL_TRY(add(line, n, p->message, p->n, k->err));
    for (int i = 1; i < sl_in_count(k); i++) {
        char *summary;
        SL_TRY(sl_view_summary(&summary, sl_in(k, i), p->summarize, k->err));
        sl_code code = add(line, n, "[", 1, k->err);
        if (code == SL_OK) code = add(line, n, summary, strlen(summary), k->err);
        if (code == SL_OK) code = add(line, n, "]", 1, k->err);
        sl_free(summary);
        SL_TRY(code);
    }
    return add(line, n, "\n", 1, k->err);
}

static sl_code print_run(struct sl_kernel_context *k) {
    struct old_printer *p = k->state;
    long long left = atomic_load(&p->left);
    while (left > 0 && !atomic_compare_exchange_weak(&p->left, &left, left - 1)) continue;
    if (left) {
        char *line = NULL;
        size_t n = 0;
        sl_code code = make_line(&line, &n, k, p);
        if (code == SL_OK) fwrite(line, 1, n, stderr);
        sl_free(line);
        SL_TRY(code);
    }
    sl_out_forward(k, 0, 0);
    return SL_OK;
}

/* clang-format off */
const struct sl_kernel_def sl_any_print_rows[] = {
    KERNEL("Print", NO_RULE, .run = print_run, .create = old_printer_create, .destroy = destroy, .cost_ns = 2000)
    KERNEL("PrintV2", NO_RULE, .run = print_v2_run, .create = printer_create, .destroy = destroy, .cost_ns = 2000)
    SL_ROWS_END
};
/* clang-format on */
