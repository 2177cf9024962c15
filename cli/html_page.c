/* A page is a text with one mark. */
#include "html_page.h"

#include <errno.h>
#include <string.h>

#include "command.h"
#include "quoted_text.h"

void page_put_text(FILE *out, const char *text) {
    if (!text) {
        fputs("null", out);
        return;
    }
    fputc('"', out);
    for (size_t left = strlen(text); left;) {
        const size_t n = text_character(text, left);
        const unsigned char c = (unsigned char)*text;
        if (n == 0) fputc('?', out);
        else if (c < 0x20 || c == '<' || c == '&' || c == 0x7f) fprintf(out, "\\u%04x", c);
        else if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
        else fwrite(text, 1, n, out);
        text += n ? n : 1;
        left -= n ? n : 1;
    }
    fputc('"', out);
}

bool page_write(const char *path, const unsigned char *page, void (*put)(FILE *out, const void *arg), const void *arg) {
    static const char mark[] = "/*DATA*/";
    const char *text = (const char *)page, *at = strstr(text, mark);
    FILE *out = fopen(path, "w");
    if (!out) {
        complain("%s: %s", path, strerror(errno));
        return false;
    }
    fwrite(text, 1, (size_t)(at - text), out);
    put(out, arg);
    fputs(at + strlen(mark), out);
    const bool failed = ferror(out) != 0;
    if (!fclose(out) && !failed) return true;
    complain("%s: %s", path, strerror(errno));
    return false;
}
