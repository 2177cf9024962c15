/* sluice profile --live: reads the trace that a process writes while it runs, and shows from time to time what it did since.
 * The process is one that this command starts, in any language, with SLUICE_TRACE set; or one that was started so. On a
 * terminal a report takes the place of the one before. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profile.h"

enum { MOST_FILES = 64, POLL_MS = 50, LINES = 24 };

/* One of the traces, a session each. */
struct followed {
    FILE *in;
    char *line; /* that is not whole yet */
    size_t n, room;
};
struct live {
    char base[4096]; /* of the traces: base, base.2 and so on */
    struct followed files[MOST_FILES];
    int n_files;
    struct trace_events since; /* the last report */
    double begun, reported;    /* seconds */
    int64_t reports;
    bool has_terminal;
};

static volatile sig_atomic_t was_interrupted;
static void interrupt(int number) {
    (void)number;
    was_interrupted = 1;
}

/* ---- reading */

static void take_bytes(struct live *l, struct followed *f, const char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (f->n + 1 >= f->room) f->line = must_allocate(f->line, f->room = 2 * f->room + 512);
        f->line[f->n++] = bytes[i];
        if (bytes[i] != '\n') continue;
        f->line[f->n] = 0;
        trace_take_line(&l->since, f->line);
        f->n = 0;
    }
}

static void open_new(struct live *l) {
    char path[4200];
    while (l->n_files < MOST_FILES) {
        if (l->n_files == 0) snprintf(path, sizeof path, "%s", l->base);
        else snprintf(path, sizeof path, "%s.%d", l->base, l->n_files + 1);
        FILE *in = fopen(path, "r");
        if (!in) return;
        l->files[l->n_files++] = (struct followed){.in = in};
    }
}

/* What has been written since. */
static void read_on(struct live *l) {
    char bytes[1 << 16];
    size_t n;
    open_new(l);
    for (int i = 0; i < l->n_files; i++) {
        clearerr(l->files[i].in); /* the end of before */
        while ((n = fread(bytes, 1, sizeof bytes, l->files[i].in)) > 0) take_bytes(l, &l->files[i], bytes, n);
    }
}

/* ---- reports */

static int by_op(const void *a, const void *b) {
    return strcmp(((const struct profile_row *)a)->op, ((const struct profile_row *)b)->op);
}
static int by_time(const void *a, const void *b) {
    const struct profile_row *x = a, *y = b;
    return (x->own_us < y->own_us) - (x->own_us > y->own_us);
}

/* Rows of ops; how many. `slowest` gets the node that took longest at a time. */
static size_t sum_up(struct profile_row *rows, const struct trace_events *all, const struct trace_event **slowest) {
    size_t n = 0, n_ops = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct trace_event *e = &all->items[i];
        rows[n++] = (struct profile_row){.op = e->op,
                                         .name = e->name,
                                         .times = e->is_wait ? 0 : e->weight,
                                         .own_us = !e->is_wait && e->own > 0 ? e->own * (double)e->weight : 0,
                                         .wait_us = e->is_wait ? e->length * (double)e->weight : 0};
        if (!e->is_wait && (!*slowest || e->own > (*slowest)->own)) *slowest = e;
    }
    if (n) qsort(rows, n, sizeof *rows, by_op);
    for (size_t i = 0; i < n; i++) {
        if (n_ops && !strcmp(rows[n_ops - 1].op, rows[i].op)) {
            rows[n_ops - 1].times += rows[i].times;
            rows[n_ops - 1].own_us += rows[i].own_us;
            rows[n_ops - 1].wait_us += rows[i].wait_us;
        } else {
            rows[n_ops++] = rows[i];
        }
    }
    if (n_ops) qsort(rows, n_ops, sizeof *rows, by_time);
    return n_ops;
}

static int count_steps(const struct trace_events *all) {
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < all->n; i++) {
        if (all->items[i].step < least) least = all->items[i].step;
        if (all->items[i].step > most) most = all->items[i].step;
    }
    return all->n ? (int)(most - least + 1) : 0;
}

static void report(struct live *l) {
    char a[AMOUNT_TEXT], b[AMOUNT_TEXT];
    const double now = seconds_now(), seconds = now - l->reported;
    const struct trace_event *slowest = NULL;
    struct profile_row *rows = must_allocate(NULL, (l->since.n + 1) * sizeof *rows);
    trace_find_own_times(&l->since);
    const size_t n = sum_up(rows, &l->since, &slowest);
    if (l->has_terminal) fputs("\033[H\033[J", stdout);
    const int steps = count_steps(&l->since);
    printf("at %.1f s: %d steps in %.1f s%s\n", now - l->begun, steps, seconds,
           n ? "" : "; nothing ran, or it is still within a node");
    double all = 0;
    for (size_t i = 0; i < n; i++) all += rows[i].own_us;
    if (n) printf("%-32s %10s %10s %6s %10s\n", "op", "times", "time", "share", "waits");
    for (size_t i = 0; i < n && i < LINES - 6; i++)
        printf("%-32s %10" PRId64 " %10s %5.1f%% %10s\n", rows[i].op, rows[i].times, us_text(a, rows[i].own_us),
               all > 0 ? 100 * rows[i].own_us / all : 0, rows[i].wait_us > 0 ? us_text(b, rows[i].wait_us) : "-");
    if (slowest) printf("slowest: node '%s' (%s), %s\n", slowest->name, slowest->op, us_text(a, slowest->own));
    fflush(stdout);
    free(rows);
    /* Waits that are open stay. */
    struct trace_events rest = {.open = l->since.open, .n_open = l->since.n_open, .open_room = l->since.open_room};
    l->since.open = NULL;
    l->since.n_open = 0;
    trace_clear(&l->since);
    l->since = rest;
    l->reported = now;
    l->reports++;
}

/* ---- processes */

/* SLUICE_TRACE as the process was given it. */
static bool trace_of(char base[4096], int64_t pid) {
    char path[64], *line = NULL;
    size_t room = 0;
    bool found = false;
    snprintf(path, sizeof path, "/proc/%" PRId64 "/environ", pid);
    FILE *in = fopen(path, "r");
    if (!in) {
        complain("process %" PRId64 ": %s", pid, strerror(errno));
        return false;
    }
    while (!found && getdelim(&line, &room, 0, in) > 0) {
        found = !strncmp(line, "SLUICE_TRACE=", 13) && line[13];
        if (!found) continue;
        if (line[13] == '/') snprintf(base, 4096, "%s", line + 13);
        else snprintf(base, 4096, "/proc/%" PRId64 "/cwd/%s", pid, line + 13);
    }
    fclose(in);
    free(line);
    if (!found)
        complain("process %" PRId64 " writes no trace; start it with SLUICE_TRACE=FILE SLUICE_TRACE_EVERY=64, or by "
                 "sluice profile --live -- PROGRAM",
                 pid);
    return found;
}

static pid_t start(char **program) {
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        const int out = open("/dev/null", O_WRONLY);
        if (isatty(STDOUT_FILENO) && out >= 0) dup2(out, STDOUT_FILENO); /* it would write into the reports */
        execvp(program[0], program);
        complain("%s: %s", program[0], strerror(errno));
        _exit(127);
    }
    if (pid < 0) complain("%s: %s", program[0], strerror(errno));
    return pid;
}

/* Until the process ends, or there were enough reports. Returns its exit status. */
static int follow(struct live *l, pid_t child, int64_t pid, double every, int64_t most) {
    int status = 0;
    bool is_over = false;
    while (!is_over && !was_interrupted && (!most || l->reports < most)) {
        usleep(POLL_MS * 1000);
        is_over = child > 0 ? waitpid(child, &status, WNOHANG) == child : kill((pid_t)pid, 0) && errno == ESRCH;
        read_on(l);
        if (seconds_now() - l->reported >= every && !is_over) report(l);
    }
    if (child > 0 && !is_over) {
        kill(child, SIGTERM);
        waitpid(child, &status, 0);
        status = 0;
    }
    read_on(l);
    if (!most || l->reports < most) report(l);
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILED;
}

int profile_live(const struct command *self, char **program, int64_t pid, double seconds, int64_t reports) {
    struct live l = {.begun = seconds_now(), .reported = seconds_now(), .has_terminal = isatty(STDOUT_FILENO)};
    char folder[TRACE_PATH] = "";
    pid_t child = 0;
    int result = EXIT_FAILED;
    if (!pid == !(program && *program))
        return complain_usage(self, "which program? --live -- PROGRAM ARGUMENT..., or --live --pid PID");
    if (pid && !trace_of(l.base, pid)) return EXIT_FAILED;
    if (!pid && !trace_begin(folder)) return EXIT_FAILED;
    if (!pid) snprintf(l.base, sizeof l.base, "%s/trace", folder);
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    if (pid || (child = start(program)) > 0) result = follow(&l, child, pid, seconds, reports);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    for (int i = 0; i < l.n_files; i++) {
        fclose(l.files[i].in);
        free(l.files[i].line);
    }
    trace_clear(&l.since);
    if (!pid) trace_end(folder);
    return result;
}
