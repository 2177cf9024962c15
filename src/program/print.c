/* A program as text, for people: SLUICE_DUMP=program. One line per item, regions with their guards, loops indented. */
#include <inttypes.h>
#include <stdio.h>

#include "program/program.h"

struct printer {
    const struct sl_program *p;
    FILE *out;
};

static void print_list(const struct printer *w, const char *what, struct sl_table_range list) {
    if (!list.n) return;
    fprintf(w->out, "  %s", what);
    for (uint32_t i = 0; i < list.n; i++) fprintf(w->out, " s%" PRIu32, w->p->slot_lists[list.first + i]);
}

static void print_guard(const struct printer *w, struct sl_table_range guard) {
    for (uint32_t i = 0; i < guard.n; i++) {
        const struct sl_literal *l = &w->p->literals[guard.first + i];
        const char *and = i ? " and " : "";
        switch ((enum sl_literal_kind)l->kind) {
        case SL_LITERAL_TRUE: fprintf(w->out, "%ss%" PRIu32, and, l->slot); break;
        case SL_LITERAL_FALSE: fprintf(w->out, "%snot s%" PRIu32, and, l->slot); break;
        case SL_LITERAL_INDEX: fprintf(w->out, "%ss%" PRIu32 " is %" PRId32, and, l->slot, l->index); break;
        case SL_LITERAL_LIVE: fprintf(w->out, "%ss%" PRIu32 " is live", and, l->slot); break;
        }
    }
}

static void print_moves(const struct printer *w, int depth, const char *what, struct sl_table_range moves) {
    for (uint32_t i = 0; i < moves.n; i++) {
        const struct sl_slot_move *m = &w->p->moves[moves.first + i];
        fprintf(w->out, "%*s%s s%" PRIu32 " = %ss%" PRIu32 "\n", depth * 2, "", what, m->to, m->take ? "take " : "",
                m->from);
    }
}

static void print_regions(const struct printer *w, struct sl_table_range regions, int depth);

static void print_loop(const struct printer *w, const struct sl_loop *loop, int depth) {
    fprintf(w->out, loop->code ? "loop, as machine code\n" : "loop\n");
    print_moves(w, depth + 1, "enter", loop->enters);
    print_regions(w, loop->condition, depth + 1);
    fprintf(w->out, "%*swhile s%" PRIu32 "\n", depth * 2 + 2, "", loop->predicate);
    print_regions(w, loop->body, depth + 2);
    print_moves(w, depth + 2, "next", loop->nexts);
    print_regions(w, loop->tail, depth + 1);
    print_moves(w, depth + 1, "exit", loop->exits);
    fprintf(w->out, "%*send", depth * 2 + 2, "");
    print_list(w, "back", loop->back);
    print_list(w, "release", loop->release);
}

static void print_item(const struct printer *w, const struct sl_item *item, int depth) {
    fprintf(w->out, "%*s", depth * 2, "");
    switch ((enum sl_item_kind)item->kind) {
    case SL_ITEM_LOOP: print_loop(w, &w->p->loops[item->detail], depth); break;
    case SL_ITEM_MERGE: {
        const struct sl_slot_merge *m = &w->p->merges[item->detail];
        fprintf(w->out, "s%" PRIu32 " = merge", item->out);
        for (uint32_t i = 0; i < m->inputs.n; i++) {
            const struct sl_slot_merge_input *in = &w->p->merge_inputs[m->inputs.first + i];
            fprintf(w->out, "%s s%" PRIu32 " if ", i ? "," : "", in->slot);
            print_guard(w, in->guard);
        }
        break;
    }
    case SL_ITEM_FORK: {
        const struct sl_fork *f = &w->p->forks[item->detail];
        fprintf(w->out, "fork");
        for (uint32_t i = 0; i < f->strands.n; i++) {
            const struct sl_strand *strand = &w->p->strands[f->strands.first + i];
            fprintf(w->out, "%s %" PRIu32, i ? "," : "", strand->items.n);
        }
        break;
    }
    case SL_ITEM_DEREF: fprintf(w->out, "s%" PRIu32 " = deref s%" PRIu32, item->out, item->a); break;
    case SL_ITEM_SCALAR:
    case SL_ITEM_KERNEL: {
        const struct sl_kernel_node *n = item->node;
        for (uint32_t o = 0; o < n->n_out; o++) fprintf(w->out, "%ss%" PRIu32, o ? ", " : "", n->out + o);
        fprintf(w->out, "%s%s%.*s(", n->n_out ? " = " : "", item->kind == SL_ITEM_SCALAR ? "scalar " : "",
                SL_STR_ARG(n->op->name));
        for (uint32_t i = 0; i < n->n_in; i++)
            fprintf(w->out, "%s%ss%" PRIu32, i ? ", " : "", i < 64 && (item->may_take >> i & 1) ? "take " : "",
                    n->in[i]);
        fprintf(w->out, ")");
        break;
    }
    }
    print_list(w, "release", item->release);
    if (item->node && item->node->name.n) fprintf(w->out, "   # %.*s", SL_STR_ARG(item->node->name));
    fprintf(w->out, "\n");
}

static void print_regions(const struct printer *w, struct sl_table_range regions, int depth) {
    for (uint32_t r = 0; r < regions.n; r++) {
        const struct sl_region *region = &w->p->regions[regions.first + r];
        fprintf(w->out, "%*sregion ", depth * 2, "");
        if (region->guard.n) fprintf(w->out, "if ");
        print_guard(w, region->guard);
        fprintf(w->out, "\n");
        for (uint32_t i = 0; i < region->items.n; i++) print_item(w, &w->p->items[region->items.first + i], depth + 1);
    }
}

void sl_program_print(const struct sl_program *p, FILE *out) {
    struct printer w = {p, out};
    if (p->n_parts) {
        fprintf(out, "program in %d parts, %" PRIu32 " pairs\n", p->n_parts, p->n_pairs);
        for (int i = 0; i < p->n_parts; i++) {
            fprintf(out, "%s: ", p->parts[i]->device);
            sl_program_print(p->parts[i], out);
        }
        return;
    }
    if (!p->is_linear) {
        fprintf(out, "program of %" PRIu32 " nodes in %" PRIu32 " frames, as tokens\n", p->n_token_nodes,
                p->n_token_frames);
        return;
    }
    fprintf(out, "program of %" PRIu32 " items, %" PRIu32 " slots (%" PRIu32 " constants)\n", p->n_items, p->n_slots,
            p->n_constants);
    for (int i = 0; i < p->n_args; i++)
        if (p->args[i].slot != SL_NO_SLOT) fprintf(out, "s%" PRIu32 " = argument %d\n", p->args[i].slot, i);
    print_regions(&w, p->root, 0);
    for (int i = 0; i < p->n_rets; i++)
        fprintf(out, "result %d = %ss%" PRIu32 "\n", i, p->rets[i].take ? "take " : "", p->rets[i].slot);
}
