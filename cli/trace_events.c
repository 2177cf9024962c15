/* An event is a line, in the form in which the library writes it. */
#include "trace_events.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

enum { MOST_FILES = 1000 }; /* of one process: so many sessions write at a time */

bool trace_begin(char folder[TRACE_PATH]) {
    const char *parent = getenv("TMPDIR");
    char file[TRACE_PATH + 16];
    int n = snprintf(folder, TRACE_PATH, "%s/sluice-XXXXXX", parent && *parent ? parent : "/tmp");
    if (n >= TRACE_PATH || !mkdtemp(folder)) {
        complain("%s: cannot make a folder for the trace: %s", folder, strerror(errno));
        return false;
    }
    snprintf(file, sizeof file, "%s/trace", folder);
    setenv("SLUICE_TRACE", file, 1);
    setenv("SLUICE_TRACE_EVERY", "64", 0); /* a turn of a loop that takes nanoseconds would take a microsecond */
    return true;
}

static void file_name(char file[TRACE_PATH + 16], const char *folder, int number) {
    if (number == 1) snprintf(file, TRACE_PATH + 16, "%s/trace", folder);
    else snprintf(file, TRACE_PATH + 16, "%s/trace.%d", folder, number);
}

bool trace_read(struct trace_events *out, const char *folder) {
    char file[TRACE_PATH + 16], *line = NULL;
    size_t room = 0;
    FILE *in;
    *out = (struct trace_events){0};
    for (int i = 1; i <= MOST_FILES; i++) {
        file_name(file, folder, i);
        if (!(in = fopen(file, "r"))) break;
        while (getline(&line, &room, in) > 0) trace_take_line(out, line);
        fclose(in);
    }
    free(line);
    file_name(file, folder, 1);
    if (access(file, R_OK) == 0) return true;
    complain("%s: %s", file, strerror(errno));
    return false;
}

void trace_end(const char *folder) {
    char file[TRACE_PATH + 16];
    unsetenv("SLUICE_TRACE");
    for (int i = 1; i <= MOST_FILES; i++) {
        file_name(file, folder, i);
        if (unlink(file)) break;
    }
    rmdir(folder);
}

/* ---- lines */

/* The string that begins at the quote; `*at` goes behind it. NULL when there is none. */
static char *take_text(const char **at) {
    const char *p = *at;
    if (*p++ != '"') return NULL;
    char *text = must_allocate(NULL, strlen(p) + 1), *to = text;
    for (; *p && *p != '"'; p++) {
        unsigned code;
        if (*p != '\\') *to++ = *p;
        else if (p[1] == 'u' && sscanf(p + 2, "%4x", &code) == 1) *to++ = (char)code, p += 5;
        else if (*++p) *to++ = *p;
        else break;
    }
    *to = 0;
    *at = *p ? p + 1 : p;
    return text;
}

static bool take_word(const char **at, const char *word) {
    size_t n = strlen(word);
    if (strncmp(*at, word, n) != 0) return false;
    *at += n;
    return true;
}

static void push(struct trace_event **items, size_t *n, size_t *room, struct trace_event e) {
    if (*n == *room) {
        *room = *room ? 2 * *room : 256;
        *items = must_allocate(*items, *room * sizeof **items);
    }
    (*items)[(*n)++] = e;
}

static void drop(struct trace_event *e) {
    free(e->name);
    free(e->op);
}

static bool take_whole(struct trace_event *e, const char *line) {
    int end = 0;
    if (sscanf(line,
               ",\"ph\":\"X\",\"pid\":%*d,\"tid\":%ld,\"ts\":%lf,\"dur\":%lf,\"args\":{\"step\":%" SCNu64
               ",\"bytes\":%" SCNd64 "%n",
               &e->thread, &e->start, &e->length, &e->step, &e->bytes, &end) != 5)
        return false;
    sscanf(line + end, ",\"times\":%" SCNd64, &e->weight);
    return true;
}

/* The end of a wait: an event from the begin that was read before. */
static bool take_wait_end(struct trace_events *all, const char *line) {
    int64_t id;
    double ts;
    if (sscanf(line, ",\"ph\":\"e\",\"pid\":%*d,\"tid\":%*d,\"ts\":%lf,\"id\":%" SCNd64, &ts, &id) != 2) return false;
    for (size_t i = all->n_open; i-- > 0;) {
        struct trace_event e = all->open[i];
        if (e.bytes != id) continue;
        e.length = ts - e.start;
        e.bytes = 0;
        push(&all->items, &all->n, &all->room, e);
        all->open[i] = all->open[--all->n_open];
        break;
    }
    return true;
}

void trace_take_line(struct trace_events *all, const char *line) {
    struct trace_event e = {.weight = 1};
    if (!take_word(&line, "{\"name\":") || !(e.name = take_text(&line))) return;
    if (take_word(&line, ",\"cat\":") && (e.op = take_text(&line))) {
        if (take_whole(&e, line)) {
            push(&all->items, &all->n, &all->room, e);
            return;
        }
        if (sscanf(line,
                   ",\"ph\":\"b\",\"pid\":%*d,\"tid\":%ld,\"ts\":%lf,\"id\":%" SCNd64 ",\"args\":{\"step\":%" SCNu64,
                   &e.thread, &e.start, &e.bytes, &e.step) == 4) {
            e.is_wait = true;
            push(&all->open, &all->n_open, &all->open_room, e);
            return;
        }
        take_wait_end(all, line);
    }
    drop(&e);
}

/* ---- own times */

/* Of a thread in the order they began, what encloses others first; waits, which are on no thread, last. */
static int by_start(const void *a, const void *b) {
    const struct trace_event *x = a, *y = b;
    if (x->is_wait != y->is_wait) return x->is_wait ? 1 : -1;
    if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
    if (x->start != y->start) return (x->start > y->start) - (x->start < y->start);
    return (x->length < y->length) - (x->length > y->length);
}

/* Takes each event's time from the event around it, as often as it happened there. */
void trace_find_own_times(struct trace_events *all) {
    if (all->n) qsort(all->items, all->n, sizeof *all->items, by_start);
    size_t *around = must_allocate(NULL, (all->n + 1) * sizeof *around), depth = 0;
    for (size_t i = 0; i < all->n; i++) {
        struct trace_event *e = &all->items[i];
        e->own = e->length;
        if (e->is_wait) continue;
        for (; depth > 0; depth--) {
            const struct trace_event *outer = &all->items[around[depth - 1]];
            if (outer->thread == e->thread && e->start < outer->start + outer->length) break;
        }
        if (depth > 0) {
            struct trace_event *outer = &all->items[around[depth - 1]];
            outer->own -= e->length * (double)e->weight / (double)outer->weight;
        }
        around[depth++] = i;
    }
    free(around);
}

void trace_clear(struct trace_events *all) {
    for (size_t i = 0; i < all->n; i++) drop(&all->items[i]);
    for (size_t i = 0; i < all->n_open; i++) drop(&all->open[i]);
    free(all->items);
    free(all->open);
    *all = (struct trace_events){0};
}
