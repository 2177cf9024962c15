/* Pages that need nothing else: those of cli/pages, which the build puts into the command, with data in them. */
#ifndef SLUICE_CLI_HTML_PAGE_H
#define SLUICE_CLI_HTML_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

extern const unsigned char page_profile[], page_graph[];

/* Writes the page to a file, with what `put` writes, a JSON value, in place of its mark. False after an error, which has been
 * printed. */
bool page_write(const char *path, const unsigned char *page, void (*put)(FILE *out, const void *arg), const void *arg);
/* A string of JSON that may stand within a script; NULL as null. Bytes that are no UTF-8 become question marks. */
void page_put_text(FILE *out, const char *text);

#endif
