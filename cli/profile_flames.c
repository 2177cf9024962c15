/* The tree of scopes, and its picture: an SVG without scripts, with a title for each flame. */
#include "profile_flames.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int add(struct flames *f, int parent, const char *name, size_t n, const char *op) {
    for (int i = f->n && parent >= 0 ? f->items[parent].first : -1; i >= 0; i = f->items[i].next)
        if (strlen(f->items[i].name) == n && !memcmp(f->items[i].name, name, n) && !op == !f->items[i].op) return i;
    if (!(f->n & (f->n - 1))) f->items = must_allocate(f->items, (size_t)(f->n ? 2 * f->n : 1) * sizeof *f->items);
    char *copy = must_allocate(NULL, n + 1);
    memcpy(copy, name, n);
    copy[n] = 0;
    struct flame *x = &f->items[f->n];
    *x = (struct flame){.name = copy, .op = op, .parent = parent, .first = -1, .next = -1};
    if (parent >= 0) {
        x->depth = f->items[parent].depth + 1;
        x->next = f->items[parent].first;
        f->items[parent].first = f->n;
        if (x->depth > f->deepest) f->deepest = x->depth;
    }
    return f->n++;
}

void flames_make(struct flames *f, const struct profile *p) {
    *f = (struct flames){0};
    add(f, -1, "all", 3, NULL);
    for (size_t i = p->nodes.n; i-- > 0;) { /* what comes later stands before: so the longest are first */
        const struct profile_row *row = &p->nodes.items[i];
        int at = 0;
        f->items[0].us += row->own_us;
        for (const char *name = row->name;;) {
            const size_t n = strcspn(name, "/");
            const bool is_node = !name[n] || f->items[at].depth > 60;
            at = add(f, at, name, is_node ? strlen(name) : n, is_node ? row->op : NULL);
            f->items[at].us += row->own_us;
            if (is_node) break;
            name += n + 1;
        }
    }
}

void flames_clear(struct flames *f) {
    for (int i = 0; i < f->n; i++) free(f->items[i].name);
    free(f->items);
}

/* ---- the picture */

enum { WIDTH = 1200, ROW = 18, TOP = 26, CHARACTER = 7 };

static void put_xml(FILE *out, const char *text, size_t n) {
    for (size_t i = 0; i < n && text[i]; i++) {
        if (text[i] == '<') fputs("&lt;", out);
        else if (text[i] == '&') fputs("&amp;", out);
        else if (text[i] == '"') fputs("&quot;", out);
        else if ((unsigned char)text[i] >= ' ') fputc(text[i], out);
    }
}

/* A warm colour that is the same for the same op. */
static void colour_of(char text[32], const struct flame *x) {
    unsigned hash = 5381;
    for (const char *c = x->op ? x->op : "scope"; *c; c++) hash = 33 * hash + (unsigned char)*c;
    if (!x->op) snprintf(text, 32, "hsl(210,25%%,%u%%)", 72 + (unsigned)x->depth % 3 * 4);
    else snprintf(text, 32, "hsl(%u,80%%,%u%%)", hash % 55, 60 + hash / 64 % 15);
}

static void draw(FILE *out, const struct flames *f, int at, double x, double scale) {
    const struct flame *flame = &f->items[at];
    const double width = flame->us * scale;
    const int y = TOP + (f->deepest - flame->depth) * ROW;
    char colour[32], time[AMOUNT_TEXT];
    if (width < 0.3) return;
    colour_of(colour, flame);
    fputs("<g><title>", out);
    put_xml(out, flame->name, SIZE_MAX);
    if (flame->op) {
        fputs(" (", out);
        put_xml(out, flame->op, SIZE_MAX);
        fputs(")", out);
    }
    fprintf(out, ", %s, %.1f%%</title><rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
            us_text(time, flame->us), f->items[0].us > 0 ? 100 * flame->us / f->items[0].us : 0, x, y,
            width > 1 ? width - 0.5 : width, ROW - 1, colour);
    if (width > 4 * CHARACTER) {
        fprintf(out, "<text x=\"%.1f\" y=\"%d\">", x + 3, y + 13);
        put_xml(out, flame->name, (size_t)(width / CHARACTER));
        fputs("</text>", out);
    }
    fputs("</g>\n", out);
    for (int i = flame->first; i >= 0; i = f->items[i].next) {
        draw(out, f, i, x, scale);
        x += f->items[i].us * scale;
    }
}

bool profile_write_flames(const char *path, const struct profile *p) {
    FILE *out = fopen(path, "w");
    struct flames f;
    char time[AMOUNT_TEXT];
    if (!out) {
        complain("%s: %s", path, strerror(errno));
        return false;
    }
    flames_make(&f, p);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"monospace\" "
            "font-size=\"11\">\n<style>text{fill:#111;pointer-events:none} .bare{fill:#fff} .head{fill:#111}"
            "@media(prefers-color-scheme:dark){.bare{fill:#16181d} .head{fill:#eee}}</style>\n"
            "<rect class=\"bare\" width=\"100%%\" height=\"100%%\"/><text class=\"head\" x=\"4\" y=\"16\">Time of %d "
            "runs by scope and node: %s</text>\n",
            WIDTH, TOP + (f.deepest + 1) * ROW + 4, p->n_steps, us_text(time, f.items[0].us));
    draw(out, &f, 0, 0, f.items[0].us > 0 ? WIDTH / f.items[0].us : 0);
    fputs("</svg>\n", out);
    flames_clear(&f);
    const bool failed = ferror(out) != 0;
    if (!fclose(out) && !failed) return true;
    complain("%s: %s", path, strerror(errno));
    return false;
}
