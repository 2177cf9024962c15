/* Which values are in registers: a linear scan over the instructions. A value has one register, or its home, for as long
 * as it lives; where there are too few, those that are used least stay at home, a use in a loop counting as many. */
#include "jit/code_emission.h"

#include <stdlib.h>

bool sl_jit_is_lost(enum sl_jit_class class, int8_t reg) {
    for (int i = 0; i < SL_JIT_EMITTER.n_lost[class]; i++)
        if (SL_JIT_EMITTER.registers[class][i] == reg) return true;
    return false;
}

/* A loop: instructions from a label to the last jump back to it. */
struct stretch {
    uint32_t begin, end;
};
typedef SL_VEC(struct stretch) stretches;

static bool is_jump(const struct sl_jit_instruction *i) { return i->op >= SL_JIT_JUMP && i->op <= SL_JIT_JUMP_IF_ZERO; }

static bool find_loops(stretches *loops, const struct sl_jit *j) {
    uint32_t *placed = sl_calloc(j->n_labels + 1, sizeof *placed);
    if (!placed) return false;
    bool is_fine = true;
    for (uint32_t l = 0; l < j->n_labels; l++) placed[l] = UINT32_MAX;
    for (uint32_t t = 0; t < j->code.n && is_fine; t++) {
        const struct sl_jit_instruction *i = &j->code.items[t];
        if (i->op == SL_JIT_PLACE) placed[i->label] = t;
        if (is_jump(i) && placed[i->label] != UINT32_MAX)
            is_fine = sl_vec_push(loops, ((struct stretch){placed[i->label], t})) == 0;
    }
    sl_free(placed);
    return is_fine;
}

static void touch(struct sl_jit *j, uint32_t value, uint32_t at, double weight) {
    if (value == SL_JIT_NONE) return;
    struct sl_jit_value *v = &j->values.items[value];
    if (at < v->begin) v->begin = at;
    if (at > v->end) v->end = at;
    v->weight += weight;
}

/* A value from before a loop, or from one turn to the next, lives through all of it. */
static bool stretch_to(struct sl_jit_value *v, const struct stretch *loop) {
    if (v->begin > loop->end || v->end < loop->begin) return false;
    const bool enters = v->begin<loop->begin, leaves = v->end> loop->end;
    const struct sl_jit_value before = *v;
    if (enters && v->end < loop->end) v->end = loop->end;
    if (leaves && v->begin > loop->begin) v->begin = loop->begin;
    return v->begin != before.begin || v->end != before.end;
}

static void find_lives(struct sl_jit *j, const stretches *loops) {
    for (size_t v = 0; v < j->values.n; v++) j->values.items[v].begin = UINT32_MAX;
    for (uint32_t t = 0; t < j->code.n; t++) {
        double weight = 1;
        for (size_t l = 0; l < loops->n; l++)
            if (t >= loops->items[l].begin && t <= loops->items[l].end) weight *= 10;
        const struct sl_jit_operands of = sl_jit_operands(&j->code.items[t]);
        touch(j, of.out, t, weight);
        for (int k = 0; k < 3; k++) touch(j, of.in[k], t, weight);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t v = 0; v < j->values.n; v++)
            for (size_t l = 0; l < loops->n; l++) changed |= stretch_to(&j->values.items[v], &loops->items[l]);
    }
}

static bool crosses_call(const struct sl_jit *j, const struct sl_jit_value *v) {
    for (uint32_t t = v->begin; t <= v->end && t < j->code.n; t++)
        if (j->code.items[t].op == SL_JIT_CALL && sl_jit_lives_across(v, t)) return true;
    return false;
}

static int by_begin(const void *a, const void *b) {
    const struct sl_jit_value *x = *(struct sl_jit_value *const *)a, *y = *(struct sl_jit_value *const *)b;
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    return x < y ? -1 : x > y;
}

enum { MOST_REGISTERS = 32 };

/* Who has each register at the moment. */
struct holders {
    struct sl_jit_value *of[SL_JIT_CLASSES][MOST_REGISTERS];
};

/* A register that is free while `v` lives; for want of one that of the least of its holders, or none. */
static void assign(struct holders *h, const struct sl_jit *j, struct sl_jit_value *v) {
    const enum sl_jit_class class = sl_jit_class_of(v->type);
    const int8_t *registers = SL_JIT_EMITTER.registers[class];
    const int n = SL_JIT_EMITTER.n_registers[class], n_lost = SL_JIT_EMITTER.n_lost[class];
    const int first = crosses_call(j, v) ? n_lost : 0;
    struct sl_jit_value **least = NULL;
    int at = -1;
    for (int k = 0; k < n; k++) {
        const int i = (first + k) % n;
        struct sl_jit_value **holder = &h->of[class][i];
        if (*holder && (*holder)->end < v->begin) *holder = NULL;
        if (!*holder) {
            *holder = v;
            v->reg = registers[i];
            return;
        }
        if (!least || (*holder)->weight < (*least)->weight) {
            least = holder;
            at = i;
        }
    }
    if (!least || (*least)->weight >= v->weight) return;
    (*least)->reg = -1;
    *least = v;
    v->reg = registers[at];
}

bool sl_jit_assign_registers(struct sl_jit *j) {
    stretches loops = {NULL, 0, 0};
    struct sl_jit_value **order = sl_calloc(j->values.n + 1, sizeof(struct sl_jit_value *));
    const bool is_fine = order && find_loops(&loops, j);
    if (is_fine) {
        struct holders holders = {.of = {{NULL}}};
        find_lives(j, &loops);
        size_t n = 0;
        for (size_t v = 0; v < j->values.n; v++)
            if (j->values.items[v].begin != UINT32_MAX) order[n++] = &j->values.items[v];
        qsort(order, n, sizeof *order, by_begin);
        for (size_t v = 0; v < n; v++) assign(&holders, j, order[v]);
    }
    sl_vec_free(&loops);
    sl_free(order);
    return is_fine;
}
