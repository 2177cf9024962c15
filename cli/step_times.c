/* Reads a trace as the library writes it, an event a line, and sums it up. */
#include "step_times.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

struct event {
    char *name, *op;
    long thread;
    double start, length, own; /* microseconds; own: without the events within it */
    int64_t bytes, weight;     /* weight: for how many alike it stands */
};
struct events {
    struct event *items;
    size_t n, room;
};

/* A row of the table. */
struct row {
    const char *name, *op;
    int64_t times, bytes;
    double own;
};

bool step_times_begin(char folder[STEP_TIMES_PATH]) {
    const char *parent = getenv("TMPDIR");
    char file[STEP_TIMES_PATH + 16];
    int n = snprintf(folder, STEP_TIMES_PATH, "%s/sluice-XXXXXX", parent && *parent ? parent : "/tmp");
    if (n >= STEP_TIMES_PATH || !mkdtemp(folder)) {
        complain("%s: cannot make a folder for the trace: %s", folder, strerror(errno));
        return false;
    }
    snprintf(file, sizeof file, "%s/trace", folder);
    setenv("SLUICE_TRACE", file, 1);
    setenv("SLUICE_TRACE_EVERY", "64", 0); /* a turn of a loop that takes nanoseconds would take a microsecond */
    return true;
}

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

/* False when the line is no event. */
static bool parse_event(struct event *e, const char *line) {
    int end = 0;
    *e = (struct event){.weight = 1};
    if (take_word(&line, "{\"name\":") && (e->name = take_text(&line)) && take_word(&line, ",\"cat\":") &&
        (e->op = take_text(&line)) &&
        sscanf(line,
               ",\"ph\":\"X\",\"pid\":%*d,\"tid\":%ld,\"ts\":%lf,\"dur\":%lf,\"args\":{\"step\":%*u,\"bytes\":%" SCNd64
               "%n",
               &e->thread, &e->start, &e->length, &e->bytes, &end) == 4) {
        sscanf(line + end, ",\"times\":%" SCNd64, &e->weight);
        return true;
    }
    free(e->name);
    free(e->op);
    return false;
}

static void read_events(struct events *all, FILE *in) {
    char *line = NULL;
    size_t room = 0;
    struct event e;
    while (getline(&line, &room, in) > 0) {
        if (!parse_event(&e, line)) continue;
        if (all->n == all->room) {
            all->room = all->room ? 2 * all->room : 256;
            all->items = must_allocate(all->items, all->room * sizeof *all->items);
        }
        all->items[all->n++] = e;
    }
    free(line);
}

static int order(double a, double b) { return (a > b) - (a < b); }

/* Of a thread in the order they began, what encloses others first. */
static int by_start(const void *a, const void *b) {
    const struct event *x = a, *y = b;
    if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
    return x->start != y->start ? order(x->start, y->start) : order(y->length, x->length);
}

/* Takes each event's time from the event around it, as often as it happened there. */
static void find_own_times(struct events *all) {
    qsort(all->items, all->n, sizeof *all->items, by_start);
    size_t *around = must_allocate(NULL, (all->n + 1) * sizeof *around), depth = 0;
    for (size_t i = 0; i < all->n; i++) {
        struct event *e = &all->items[i];
        e->own = e->length;
        for (; depth > 0; depth--) {
            const struct event *outer = &all->items[around[depth - 1]];
            if (outer->thread == e->thread && e->start < outer->start + outer->length) break;
        }
        if (depth > 0) {
            struct event *outer = &all->items[around[depth - 1]];
            outer->own -= e->length * (double)e->weight / (double)outer->weight;
        }
        around[depth++] = i;
    }
    free(around);
}

static int by_op(const void *a, const void *b) {
    return strcmp(((const struct row *)a)->op, ((const struct row *)b)->op);
}
static int by_name(const void *a, const void *b) {
    int c = strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
    return c ? c : by_op(a, b);
}
static int by_time(const void *a, const void *b) {
    int c = order(((const struct row *)b)->own, ((const struct row *)a)->own);
    return c ? c : by_name(a, b);
}

/* Rows of the events, those alike in one; how many. */
static size_t sum_up(struct row *rows, const struct events *all, int (*compare)(const void *, const void *)) {
    for (size_t i = 0; i < all->n; i++) {
        const struct event *e = &all->items[i];
        double own = e->own > 0 ? e->own : 0; /* what others stand for is not exact */
        rows[i] = (struct row){e->name, e->op, e->weight, e->bytes * e->weight, own * (double)e->weight};
    }
    qsort(rows, all->n, sizeof *rows, compare);
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        if (n > 0 && compare(&rows[n - 1], &rows[i]) == 0) {
            rows[n - 1].times += rows[i].times;
            rows[n - 1].bytes += rows[i].bytes;
            rows[n - 1].own += rows[i].own;
        } else {
            rows[n++] = rows[i];
        }
    }
    qsort(rows, n, sizeof *rows, by_time);
    return n;
}

static void print_rows(FILE *out, const struct row *rows, size_t n, bool by_node) {
    double total = 0;
    int64_t times = 0;
    int width = 5, op_width = 2;
    for (size_t i = 0; i < n; i++) {
        const char *name = by_node ? rows[i].name : rows[i].op;
        if ((int)strlen(name) > width) width = (int)strlen(name);
        if ((int)strlen(rows[i].op) > op_width) op_width = (int)strlen(rows[i].op);
        total += rows[i].own;
        times += rows[i].times;
    }
    if (!by_node) op_width = -1;
    fprintf(out, "%-*s %*s%8s %12s %7s %14s\n", width, by_node ? "node" : "op", -(op_width + 1), by_node ? "op" : "",
            "times", "total us", "share", "bytes");
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%-*s %*s%8" PRId64 " %12.1f %6.1f%% %14" PRId64 "\n", width, by_node ? rows[i].name : rows[i].op,
                -(op_width + 1), by_node ? rows[i].op : "", rows[i].times, rows[i].own,
                total > 0 ? 100 * rows[i].own / total : 0, rows[i].bytes);
    fprintf(out, "%-*s %*s%8" PRId64 " %12.1f\n", width, "total", -(op_width + 1), "", times, total);
}

bool step_times_end(FILE *out, const char *folder, bool by_node) {
    char file[STEP_TIMES_PATH + 16];
    struct events all = {0};
    snprintf(file, sizeof file, "%s/trace", folder);
    FILE *in = fopen(file, "r");
    bool ok = in != NULL;
    if (in && out) {
        read_events(&all, in);
        find_own_times(&all);
        struct row *rows = must_allocate(NULL, (all.n + 1) * sizeof *rows);
        print_rows(out, rows, sum_up(rows, &all, by_node ? by_name : by_op), by_node);
        free(rows);
    }
    if (in) fclose(in);
    if (!ok && out) complain("%s: %s", file, strerror(errno));
    for (size_t i = 0; i < all.n; i++) {
        free(all.items[i].name);
        free(all.items[i].op);
    }
    free(all.items);
    unlink(file);
    rmdir(folder);
    return ok;
}
