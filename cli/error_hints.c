/* The library finds the words; here they get the look of messages. */
#include "error_hints.h"

#include <string.h>

#include "command.h"

struct sl_source_lines *read_source_lines(const char *path) {
    TF_Status *status = must_have(TF_NewStatus());
    struct sl_source_lines *lines = sl_source_lines_read(path, status);
    must_have_memory(status);
    TF_DeleteStatus(status);
    return lines;
}

void hint_error(const TF_Status *status, TF_Graph *graph, const char *path) {
    if (TF_GetCode(status) == TF_OK) return;
    struct sl_source_lines *lines = read_source_lines(path);
    TF_Status *own = must_have(TF_NewStatus());
    TF_Buffer *text = must_have(sl_explain_error(graph, status, lines, own));
    const char *at = text->data, *end = at + text->length;
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end) line_end = end;
        complain("  %.*s", (int)(line_end - at), at);
        at = line_end + 1;
    }
    TF_DeleteBuffer(text);
    TF_DeleteStatus(own);
    sl_source_lines_free(lines);
}
