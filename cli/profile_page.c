/* The data of the page cli/pages/profile.html. Rows are arrays, in the order that its script reads. */
#include <inttypes.h>

#include "html_page.h"
#include "profile.h"

enum { MOST_EVENTS = 20000, MOST_POINTS = 20000 };

struct page_data {
    const struct profile *profile;
    const char *title;
};

static double part(double rate, double most) { return most > 0 ? 100 * rate / most : -1; }

static void put_nodes(FILE *out, const struct profile *p) {
    fputs("\"nodes\":[", out);
    for (size_t i = 0; i < p->nodes.n; i++) {
        const struct profile_row *row = &p->nodes.items[i];
        const double us = row->times ? row->own_us / (double)row->times : 0;
        const bool is_known = row->flops >= 0 && us > 0;
        fputs(i ? ",\n[" : "[", out);
        page_put_text(out, row->name);
        fputc(',', out);
        page_put_text(out, row->op);
        fprintf(out, ",%" PRId64 ",%.3f,%.3f,%" PRId64 ",%.2f,%.2f,%d,", row->times, row->own_us, row->wait_us,
                row->bytes, is_known ? part(row->flops / us * 1e6, p->machine.flops) : -1,
                is_known ? part(row->moved / us * 1e6, p->machine.bytes) : -1, (int)row->limit);
        page_put_text(out, row->line);
        fputc(']', out);
    }
    fputs("],\n", out);
}

/* Of the last step that was measured. */
static void put_events(FILE *out, const struct profile *p) {
    uint64_t step = 0;
    double begin = 0;
    bool any = false;
    int n = 0;
    for (size_t i = 0; i < p->trace.n; i++)
        if (!any || p->trace.items[i].step > step) step = p->trace.items[i].step, any = true;
    any = false;
    for (size_t i = 0; i < p->trace.n; i++) {
        const struct trace_event *e = &p->trace.items[i];
        if (e->step == step && (!any || e->start < begin)) begin = e->start, any = true;
    }
    fputs("\"events\":[", out);
    for (size_t i = 0; i < p->trace.n && n < MOST_EVENTS; i++) {
        const struct trace_event *e = &p->trace.items[i];
        if (e->step != step || e->is_wait) continue;
        fprintf(out, "%s[%zu,%.3f,%.3f,%ld]", n++ ? "," : "", e->row, e->start - begin, e->length, e->thread);
    }
    fputs("],\n", out);
}

static void put_loops_and_threads(FILE *out, const struct profile *p) {
    fputs("\"loops\":[", out);
    for (int i = 0; i < p->n_loops; i++) {
        fputs(i ? ",[" : "[", out);
        page_put_text(out, p->loops[i].name);
        fprintf(out, ",%.3f,%" PRId64 ",%d]", p->loops[i].us, p->loops[i].rounds, p->loops[i].n_nodes);
    }
    fputs("],\n\"busy\":[", out);
    for (int i = 0; i < p->n_threads; i++)
        fprintf(out, "%s[%ld,%.3f]", i ? "," : "", p->threads[i].id, p->threads[i].busy_us);
    fputs("],\n", out);
}

static void put_holder(FILE *out, const struct profile_holder *h) {
    char shape[256];
    int n = snprintf(shape, sizeof shape, "%s [", type_name((TF_DataType)h->shape.dtype));
    for (int d = 0; d < h->shape.rank && n < 220; d++)
        n += snprintf(shape + n, sizeof shape - (size_t)n, "%s%" PRId64, d ? "," : "", h->shape.dims[d]);
    snprintf(shape + n, sizeof shape - (size_t)n, "]");
    fputc('[', out);
    page_put_text(out, h->maker);
    fputc(',', out);
    page_put_text(out, h->op);
    fputc(',', out);
    page_put_text(out, shape);
    fprintf(out, ",%" PRId64 ",", h->shape.bytes);
    page_put_text(out, h->reader);
    fputc(']', out);
}

static void put_memory(FILE *out, const struct profile *p) {
    const struct profile_memory *m = &p->memory;
    fputs("\"memory\":", out);
    if (!m->is_known) {
        fputs("null\n", out);
        return;
    }
    fprintf(out,
            "{\"peak\":%" PRId64 ",\"at\":%.3f,\"step\":%.3f,\"constants\":%" PRId64 ",\"variables\":%" PRId64
            ",\n\"points\":[",
            m->peak, m->peak_us, m->step_us, m->constants, m->variables);
    for (int i = 0; i < m->n_points && i < MOST_POINTS; i++)
        fprintf(out, "%s[%.3f,%" PRId64 "]", i ? "," : "", m->points[i].us, m->points[i].bytes);
    fputs("],\n\"holders\":[", out);
    for (int i = 0; i < m->n_holders && i < 200; i++) {
        if (i) fputs(",\n", out);
        put_holder(out, &m->holders[i]);
    }
    fputs("]}\n", out);
}

static void put_data(FILE *out, const void *arg) {
    const struct page_data *d = arg;
    const struct profile *p = d->profile;
    fputs("{\"title\":", out);
    page_put_text(out, d->title);
    fprintf(out,
            ",\"plain\":%.3f,\"first\":%.3f,\"wall\":%.3f,\"cpu\":%.3f,\"steps\":%d,\"threads\":%d,\"flops\":%.4g,"
            "\"rate\":%.4g,\"lines\":%s,\n\"limits\":[",
            p->plain_us, p->first_us, p->wall_us, p->cpu_us, p->n_steps, p->machine.threads, p->machine.flops,
            p->machine.bytes, sl_source_lines_count(p->lines) ? "true" : "false");
    for (int i = 0; i < N_LIMITS; i++) fprintf(out, "%s%.3f", i ? "," : "", p->limits_us[i]);
    fputs("],\n\"advice\":[", out);
    for (int i = 0; i < p->n_advice; i++) {
        if (i) fputs(",\n", out);
        page_put_text(out, p->advice[i]);
    }
    fputs("],\n", out);
    put_nodes(out, p);
    put_events(out, p);
    put_loops_and_threads(out, p);
    put_memory(out, p);
    fputc('}', out);
}

bool profile_write_page(const char *path, const struct profile *p, const char *title) {
    return page_write(path, page_profile, put_data, &(struct page_data){p, title});
}
