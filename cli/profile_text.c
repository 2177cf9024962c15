/* A profile as text: what limits first, then tables, the longest rows first. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"

static double all_of(const struct profile *p) {
    double all = 0;
    for (int i = 0; i < N_LIMITS; i++) all += p->limits_us[i];
    return all > 0 ? all : 1;
}

static void print_head(FILE *out, const struct profile *p) {
    char a[AMOUNT_TEXT], b[AMOUNT_TEXT], c[AMOUNT_TEXT];
    fprintf(out, "a run takes %s, the first %s; %.1f of %d processors work\n", us_text(a, p->plain_us),
            us_text(b, p->first_us), p->plain_us > 0 ? p->cpu_us / p->plain_us : 0, p->machine.threads);
    fprintf(out, "measured: %d runs with a trace, %s each\n", p->n_steps,
            us_text(a, p->wall_us / (p->n_steps ? p->n_steps : 1)));
    fprintf(out, "this machine: %.3g GFLOP/s, %s/s, %s a node\n", p->machine.flops / 1e9,
            bytes_text(b, (int64_t)p->machine.bytes), us_text(c, p->machine.node_us));
    fputs("limits:", out);
    for (int i = 0; i < N_LIMITS; i++)
        fprintf(out, "%s %s %.0f%%", i ? "," : "", limit_names[i], 100 * p->limits_us[i] / all_of(p));
    fputc('\n', out);
}

static int width_of(const struct profile_rows *rows, size_t n, const char *title, bool by_op) {
    int width = (int)strlen(title);
    for (size_t i = 0; i < n; i++) {
        const int length = (int)strlen(by_op ? rows->items[i].op : rows->items[i].name);
        if (length > width) width = length;
    }
    return width < 60 ? width : 60;
}

static void print_rates(FILE *out, const struct profile *p, const struct profile_row *row) {
    const double us = row->times ? row->own_us / (double)row->times : 0;
    if (row->flops < 0 || us <= 0) {
        fprintf(out, " %8s %8s", "", "");
        return;
    }
    fprintf(out, " %7.0f%% %7.0f%%", p->machine.flops > 0 ? 100 * row->flops / us * 1e6 / p->machine.flops : 0,
            p->machine.bytes > 0 ? 100 * row->moved / us * 1e6 / p->machine.bytes : 0);
}

/* `rates`: of nodes, how much of the machine's rates they reach. */
static void print_rows(FILE *out, const struct profile *p, const char *title, const struct profile_rows *rows, int most,
                       enum profile_key key) {
    const size_t n = rows->n < (size_t)most ? rows->n : (size_t)most;
    const bool is_node = key == PER_NODE;
    const int width = key == PER_SCOPE || key == PER_LINE ? 60 : width_of(rows, n, title, key == PER_OP);
    char a[AMOUNT_TEXT], b[AMOUNT_TEXT], c[AMOUNT_TEXT], scope[1024];
    fprintf(out, "\n%-*s %8s %10s %10s %6s %10s", width, title, "times", "time", "waits", "share", "bytes");
    if (is_node) fprintf(out, " %8s %8s", "compute", "memory");
    fputs("  limit\n", out);
    for (size_t i = 0; i < n; i++) {
        const struct profile_row *row = &rows->items[i];
        const char *name = key == PER_OP      ? row->op
                           : key == PER_LINE  ? (row->line ? row->line : "(not known)")
                           : key == PER_SCOPE ? scope_of(scope, sizeof scope, row->name)
                                              : row->name;
        fprintf(out, "%-*s %8" PRId64 " %10s %10s %5.1f%% %10s", width, *name ? name : "(no scope)", row->times,
                us_text(a, row->own_us), row->wait_us > 0 ? us_text(b, row->wait_us) : "-",
                100 * row->own_us / all_of(p), bytes_text(c, row->bytes));
        if (is_node) print_rates(out, p, row);
        fprintf(out, "  %s%s%s\n", limit_names[row->limit], is_node && row->line ? "  " : "",
                is_node && row->line ? row->line : "");
    }
    if (rows->n > n) fprintf(out, "... and %zu more\n", rows->n - n);
}

static void print_sum(FILE *out, const struct profile *p, const char *title, int most, enum profile_key key) {
    struct profile_rows rows = profile_sum(p, key);
    print_rows(out, p, title, &rows, most, key);
    free(rows.items);
}

static void print_loops(FILE *out, const struct profile *p) {
    char a[AMOUNT_TEXT], b[AMOUNT_TEXT];
    if (p->n_loops)
        fprintf(out, "\n%-40s %10s %12s %8s %12s %6s\n", "loop", "time", "rounds", "nodes", "each", "share");
    for (int i = 0; i < p->n_loops; i++) {
        const struct profile_loop *l = &p->loops[i];
        fprintf(out, "%-40s %10s %12" PRId64 " %8d %12s %5.1f%%\n", l->name, us_text(a, l->us), l->rounds, l->n_nodes,
                us_text(b, l->rounds ? l->us / (double)l->rounds : 0), 100 * l->us / all_of(p));
    }
}

static void print_threads(FILE *out, const struct profile *p) {
    char a[AMOUNT_TEXT], b[AMOUNT_TEXT];
    fprintf(out, "\n%-12s %10s %10s %6s\n", "thread", "works", "waits", "works");
    for (int i = 0; i < p->n_threads; i++) {
        const double busy = p->threads[i].busy_us < p->wall_us ? p->threads[i].busy_us : p->wall_us;
        fprintf(out, "%-12ld %10s %10s %5.1f%%\n", p->threads[i].id, us_text(a, busy), us_text(b, p->wall_us - busy),
                p->wall_us > 0 ? 100 * busy / p->wall_us : 0);
    }
}

static const char *shape_text(char text[160], const struct stats_shape *s) {
    int n = snprintf(text, 160, "%s [", type_name((TF_DataType)s->dtype));
    for (int d = 0; d < s->rank && n < 130; d++)
        n += snprintf(text + n, (size_t)(160 - n), "%s%" PRId64, d ? "," : "", s->dims[d]);
    snprintf(text + n, (size_t)(160 - n), "]");
    return text;
}

static void print_memory(FILE *out, const struct profile *p, int most) {
    const struct profile_memory *m = &p->memory;
    char a[AMOUNT_TEXT], b[AMOUNT_TEXT], c[AMOUNT_TEXT], text[160];
    if (!m->is_known) {
        fputs("\nmemory: not looked at, the step has too many events\n", out);
        return;
    }
    fprintf(out, "\nmemory: the step makes at most %s at a time, at %s of %s", bytes_text(a, m->peak),
            us_text(b, m->peak_us), us_text(c, m->step_us));
    fprintf(out, "; constants %s", bytes_text(a, m->constants));
    fprintf(out, ", variables read %s\n", bytes_text(a, m->variables));
    for (int i = 0; i < m->n_holders && i < most; i++) {
        const struct profile_holder *h = &m->holders[i];
        fprintf(out, "  %10s  %s made by '%s' (%s), held until %s%s%s\n", bytes_text(a, h->shape.bytes),
                shape_text(text, &h->shape), h->maker, h->op, h->reader ? "'" : "", h->reader ? h->reader : "the end",
                h->reader ? "'" : "");
    }
    if (m->n_holders > most) fprintf(out, "  ... and %d more\n", m->n_holders - most);
}

void profile_print(FILE *out, const struct profile *p, int n_rows) {
    print_head(out, p);
    for (int i = 0; i < p->n_advice; i++) fprintf(out, "%s%s\n", i ? "  " : "advice:\n  ", p->advice[i]);
    print_sum(out, p, "op", n_rows, PER_OP);
    print_rows(out, p, "node", &p->nodes, n_rows, PER_NODE);
    print_sum(out, p, "scope", n_rows, PER_SCOPE);
    if (sl_source_lines_count(p->lines)) print_sum(out, p, "source line", n_rows, PER_LINE);
    print_loops(out, p);
    print_threads(out, p);
    print_memory(out, p, n_rows);
}
