/* Near is a name that has the wanted one in it, or that it becomes by few letters put in, left out or exchanged; large
 * and small ones count as equal, nearly. */
#include "nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "command.h"

static int smaller(int a, int b) { return a < b ? a : b; }

/* Edit distance, cut off: names longer than the table are compared by their beginnings. */
static int distance(const char *a, const char *b) {
    enum { MOST = 64 };
    int row[MOST + 1], m = (int)strnlen(b, MOST), n = (int)strnlen(a, MOST);
    for (int j = 0; j <= m; j++) row[j] = j;
    for (int i = 1; i <= n; i++) {
        int diagonal = row[0]++;
        for (int j = 1; j <= m; j++) {
            int old = row[j], differs = tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]);
            row[j] = smaller(diagonal + differs, smaller(row[j], row[j - 1]) + 1);
            diagonal = old;
        }
    }
    return row[m];
}

/* "MatMul" of "model/dense_1/MatMul". */
static bool ends_path(const char *name, const char *wanted) {
    size_t n = strlen(name), m = strlen(wanted);
    return n > m && name[n - m - 1] == '/' && ends_with(name, wanted);
}

/* The beginning of a path's part, "dense" of "model/dense_1/MatMul", is nearer than letters that happen to be there. */
static bool begins_part(const char *name, const char *wanted) {
    for (const char *at = name; *wanted && (at = strstr(at, wanted)); at++)
        if (at == name || at[-1] == '/') return true;
    return false;
}

void nearest_offer(struct nearest *n, const char *name) {
    size_t length = strlen(n->wanted);
    int far = !strcasecmp(name, n->wanted) || ends_path(name, n->wanted) ? 0
              : begins_part(name, n->wanted)                             ? 1
              : length > 2 && strstr(name, n->wanted)                    ? 2
                                                                         : distance(name, n->wanted);
    if (far > 1 + (int)length / 3) return;
    for (int i = 0; i < NEAREST_SHOWN; i++) {
        if (n->names[i] && !strcmp(n->names[i], name)) return;
        if (n->names[i] && n->distances[i] <= far) continue;
        for (int k = NEAREST_SHOWN - 1; k > i; k--) {
            n->names[k] = n->names[k - 1];
            n->distances[k] = n->distances[k - 1];
        }
        n->names[i] = name;
        n->distances[i] = far;
        return;
    }
}

/* Those that are much further away than the first are not meant. */
static bool is_shown(const struct nearest *n, int i) {
    return i < NEAREST_SHOWN && n->names[i] && n->distances[i] <= n->distances[0] + 1;
}

void nearest_say(const struct nearest *n) {
    char text[1024];
    int at = 0;
    for (int i = 0; is_shown(n, i) && at < (int)sizeof text; i++) {
        bool is_last = !is_shown(n, i + 1);
        at += snprintf(text + at, sizeof text - (size_t)at, "%s'%s%s'",
                       i == 0    ? ""
                       : is_last ? " or "
                                 : ", ",
                       n->prefix ? n->prefix : "", n->names[i]);
    }
    if (at) complain("did you mean %s?", text);
}
