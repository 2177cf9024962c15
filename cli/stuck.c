/* The library knows what waits, on what, and who could end that; the lines of the program are in files that the command has
 * read. */
#include "stuck.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

/* The name between the first quotes behind `word`; false when there is none. */
static bool quoted_behind(char *name, size_t size, const char *text, const char *word) {
    const char *at = strstr(text, word), *end = at ? strchr(at + strlen(word), '\'') : NULL;
    if (!end || (size_t)(end - at) >= size) return false;
    at += strlen(word);
    memcpy(name, at, (size_t)(end - at));
    name[end - at] = 0;
    return true;
}

void stuck_explain(const struct sl_source_lines *lines, const char *sentences) {
    char *copy = must_have(strdup(sentences)), name[512], *rest = copy;
    if (!*copy) complain("nothing runs");
    for (char *line; (line = strsep(&rest, "\n")) && *line;) {
        complain("%s", line);
        if (!strncmp(line, "  ", 2) || !quoted_behind(name, sizeof name, line, "node '")) continue;
        const char *made = sl_source_line_of(lines, name);
        if (made) complain("  node '%s' was made at %s", name, made);
    }
    free(copy);
}
