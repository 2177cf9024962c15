/* A program's end, and its slabs. A slab is made with the constants in place and kept for the next step; as many are
 * kept as steps ran at once, up to a few. */
#include "program/program.h"

#include "base/alloc.h"
#include "base/vec.h"
#include "kernel/remote_pairs.h"

enum { MOST_IDLE_SLABS = 16 };

static void slab_free(const struct sl_program *p, struct sl_slab *slab) {
    for (uint32_t i = 0; i < p->n_slots; i++) sl_value_clear(&slab->slots[i]);
    sl_free(slab);
}

void sl_program_free(struct sl_program *p) {
    if (!p) return;
    for (struct sl_slab *s = p->slabs, *next; s; s = next) {
        next = s->next;
        slab_free(p, s);
    }
    for (size_t i = 0; i < p->n_instances; i++) sl_kernel_instance_unref(p->instances[i]);
    for (uint32_t i = 0; p->constants && i < p->n_constants; i++) { /* none when compiling has failed early */
        struct sl_value v = p->constants[i];
        sl_value_clear(&v);
    }
    for (struct sl_loop_code *code = p->loop_codes; code; code = code->next) sl_jit_code_free(&code->jit);
    for (int i = 0; i < p->n_parts; i++) sl_program_free(p->parts[i]);
    sl_remote_pairs_unref(p->remote_pairs);
    sl_mutex_clear(&p->slab_mutex);
    struct sl_arena arena = p->arena; /* the program itself lives in its arena */
    sl_arena_clear(&arena);
}

typedef SL_VEC(struct sl_rendezvous_end) pair_ends;

static sl_code add_ends(pair_ends *ends, const struct sl_program *part, struct sl_error *err) {
    for (uint32_t n = 0; n < part->n_token_nodes; n++) {
        const struct sl_token_node *node = &part->token_nodes[n];
        if (!node->runs_dead) continue; /* the ends of pairs alone do */
        const struct sl_rendezvous_end end = {node->kernel->state, node->kernel->n_out == 0};
        if (sl_vec_push(ends, end)) return sl_fail_memory(err, sizeof end);
    }
    return SL_OK;
}

static sl_code find_remote_pairs(struct sl_program *p, struct sl_error *err) {
    pair_ends ends = {NULL, 0, 0};
    sl_code code = SL_OK;
    for (int i = 0; i < p->n_parts && code == SL_OK; i++) code = add_ends(&ends, p->parts[i], err);
    if (code == SL_OK) code = sl_remote_pairs_new(&p->remote_pairs, ends.items, ends.n, p->n_pairs, err);
    sl_vec_free(&ends);
    return code;
}

sl_code sl_program_find_pairs(struct sl_program *p, struct sl_error *err) {
    pair_ends ends = {NULL, 0, 0};
    sl_code code = add_ends(&ends, p, err);
    for (size_t i = 0; i < ends.n; i++)
        if (ends.items[i].pair->number >= p->n_pairs) p->n_pairs = ends.items[i].pair->number + 1;
    if (code == SL_OK) code = sl_remote_pairs_new(&p->remote_pairs, ends.items, ends.n, p->n_pairs, err);
    sl_vec_free(&ends);
    return code;
}

static sl_code fail_join(struct sl_program *const *parts, int n, struct sl_arena *arena, struct sl_error *err) {
    for (int i = 0; i < n; i++) sl_program_free(parts[i]);
    sl_arena_clear(arena);
    return sl_fail_memory(err, sizeof(struct sl_program));
}

sl_code sl_program_join(struct sl_program **out, struct sl_program *const *parts, int n, int part_of_args,
                        uint32_t n_pairs, struct sl_error *err) {
    struct sl_arena arena;
    sl_arena_init(&arena);
    struct sl_program *p = SL_ARENA_NEW(&arena, struct sl_program);
    struct sl_program **kept = SL_ARENA_ARRAY(&arena, struct sl_program *, (size_t)n);
    if (!p || !kept) return fail_join(parts, n, &arena, err);
    const struct sl_program *first = parts[part_of_args];
    for (int i = 0; i < n; i++) kept[i] = parts[i];
    p->arena = arena;
    sl_mutex_init(&p->slab_mutex);
    p->parts = kept;
    p->n_parts = n;
    p->part_of_args = part_of_args;
    p->n_pairs = n_pairs;
    p->n_args = first->n_args;
    p->n_rets = first->n_rets;
    p->arg_types = first->arg_types;
    p->ret_types = first->ret_types;
    p->device = first->device;
    sl_code code = find_remote_pairs(p, err);
    if (code == SL_OK) *out = p;
    else sl_program_free(p);
    return code;
}

struct sl_slab *sl_program_take_slab(struct sl_program *p) {
    sl_mutex_lock(&p->slab_mutex);
    struct sl_slab *slab = p->slabs;
    if (slab) {
        p->slabs = slab->next;
        p->n_slabs--;
    }
    sl_mutex_unlock(&p->slab_mutex);
    if (slab) return slab;
    slab = sl_calloc(1, sizeof *slab + p->n_slots * sizeof(struct sl_value));
    if (!slab) return NULL;
    for (uint32_t i = 0; i < p->n_constants; i++) slab->slots[i] = sl_value_share(&p->constants[i]);
    return slab;
}

void sl_program_give_slab(struct sl_program *p, struct sl_slab *slab) {
    sl_mutex_lock(&p->slab_mutex);
    bool keep = p->n_slabs < MOST_IDLE_SLABS;
    if (keep) {
        slab->next = p->slabs;
        p->slabs = slab;
        p->n_slabs++;
    }
    sl_mutex_unlock(&p->slab_mutex);
    if (!keep) slab_free(p, slab);
}
