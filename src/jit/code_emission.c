/* What emitters of all processors share: instructions one by one, then what is reached seldom, then where jumps lead. */
#include "jit/code_emission.h"

void sl_jit_byte(struct sl_jit_emission *e, int byte) {
    if (sl_vec_push(e->out, (uint8_t)byte)) e->failed = true;
}

void sl_jit_number(struct sl_jit_emission *e, uint64_t value, int n_bytes) {
    for (int i = 0; i < n_bytes; i++) sl_jit_byte(e, (int)(value >> (8 * i) & 255));
}

void sl_jit_site(struct sl_jit_emission *e, size_t at, uint32_t label) {
    if (sl_vec_push(&e->sites, ((struct sl_jit_site){at, label}))) e->failed = true;
}

void sl_jit_cold(struct sl_jit_emission *e, size_t jump, uint32_t instruction) {
    const struct sl_jit_cold cold = {.jump = jump, .back = e->out->n, .instruction = instruction};
    if (sl_vec_push(&e->colds, cold)) e->failed = true;
}

void sl_jit_stop(struct sl_jit_emission *e, size_t jump) {
    if (sl_vec_push(&e->stops, jump)) e->failed = true;
}

bool sl_jit_is_for_jump(const struct sl_jit_emission *e, uint32_t at) {
    const struct sl_jit_instruction *i = &e->j->code.items[at];
    if (i->op < SL_JIT_LESS || i->op > SL_JIT_NOT_EQUAL || at + 1 >= e->j->code.n) return false;
    const struct sl_jit_instruction *next = i + 1;
    return (next->op == SL_JIT_JUMP_IF || next->op == SL_JIT_JUMP_UNLESS) && next->a == i->out && e->uses[i->out] == 1;
}

static void count_uses(struct sl_jit_emission *e) {
    for (uint32_t t = 0; t < e->j->code.n; t++) {
        const struct sl_jit_operands of = sl_jit_operands(&e->j->code.items[t]);
        for (int k = 0; k < 3; k++)
            if (of.in[k] != SL_JIT_NONE) e->uses[of.in[k]]++;
    }
}

static void emit_all(struct sl_jit_emission *e) {
    const struct sl_jit_emitter *by = &SL_JIT_EMITTER;
    count_uses(e);
    by->enter(e);
    for (uint32_t t = 0; t < e->j->code.n && !e->failed;) {
        if (e->j->code.items[t].op == SL_JIT_PLACE) e->labels[e->j->code.items[t].label] = e->out->n;
        t += by->one(e, t);
    }
    for (size_t c = 0; c < e->colds.n && !e->failed; c++) by->cold(e, &e->colds.items[c]);
    for (size_t s = 0; s < e->sites.n && !e->failed; s++)
        by->set_target(e, e->sites.items[s].at, e->labels[e->sites.items[s].label]);
    for (size_t s = 0; s < e->stops.n && !e->failed; s++) by->set_target(e, e->stops.items[s], e->out->n);
    by->leave(e, (uint32_t)SL_JIT_STOPPED);
}

bool sl_jit_emit(sl_jit_bytes *out, const struct sl_jit *j) {
    struct sl_jit_emission emission = {.j = j, .out = out}, *e = &emission;
    e->labels = sl_calloc(j->n_labels + 1, sizeof *e->labels);
    e->uses = sl_calloc(j->values.n + 1, sizeof *e->uses);
    e->failed = !e->labels || !e->uses;
    if (!e->failed) emit_all(e);
    sl_free(e->labels);
    sl_free(e->uses);
    sl_vec_free(&e->sites);
    sl_vec_free(&e->colds);
    sl_vec_free(&e->stops);
    return !e->failed;
}
