/* Which steps become one piece of code, and when. */
#include "backends/cpu/math/elementwise_code.h"

#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/array/move_tiles.h"
#include "base/alloc.h"
#include "jit/jit.h"
#include "jit/vectors.h"

/* Steps times elements that the loops do first, about as long as making code takes; codes of one program. */
enum { WORK_BEFORE = 1 << 17, MOST_CODES = 4 };

/* Steps `first` to `last`, without those that ran before. */
struct piece {
    int first, last;
    struct sl_jit_vector_code code; /* run NULL: one step, by its loop */
    int8_t places[SL_JIT_VECTOR_PLACES];
    int n_places;
};

struct sl_elementwise_code {
    struct sl_elementwise_code *next;
    uint32_t early, scalars; /* what it was made for: steps, values */
    uint32_t in_loops;       /* values that steps without code read */
    int n_pieces;
    struct piece pieces[SL_ELEMENTWISE_STEPS];
};

_Static_assert(SL_ELEMENTWISE_VALUES <= 32, "values are bits of 32");

struct sl_elementwise_codes {
    _Atomic(struct sl_elementwise_code *) first;
    atomic_llong work;
    atomic_int made;
};

/* ---- which ops are instructions */
static enum sl_jit_vector_op instruction_of(const struct sl_elementwise_program_step *s) {
    static const uint8_t of[SL_LOOP_COUNT] = {
        [SL_LOOP_Add] = SL_JIT_VECTORS_ADD,
        [SL_LOOP_Sub] = SL_JIT_VECTORS_SUB,
        [SL_LOOP_Mul] = SL_JIT_VECTORS_MUL,
        [SL_LOOP_Div] = SL_JIT_VECTORS_DIV,
        [SL_LOOP_Square] = SL_JIT_VECTORS_SQUARE,
        [SL_LOOP_SquaredDifference] = SL_JIT_VECTORS_SQUARED_DIFFERENCE,
        [SL_LOOP_Maximum] = SL_JIT_VECTORS_MAXIMUM,
        [SL_LOOP_Minimum] = SL_JIT_VECTORS_MINIMUM,
        [SL_LOOP_Neg] = SL_JIT_VECTORS_NEGATE,
        [SL_LOOP_Abs] = SL_JIT_VECTORS_ABSOLUTE,
        [SL_LOOP_Sqrt] = SL_JIT_VECTORS_SQRT,
        [SL_LOOP_Reciprocal] = SL_JIT_VECTORS_RECIPROCAL,
        [SL_LOOP_Floor] = SL_JIT_VECTORS_FLOOR,
        [SL_LOOP_Ceil] = SL_JIT_VECTORS_CEIL,
        [SL_LOOP_Rint] = SL_JIT_VECTORS_ROUND,
        [SL_LOOP_Round] = SL_JIT_VECTORS_ROUND,
        [SL_LOOP_Relu] = SL_JIT_VECTORS_RELU,
        [SL_LOOP_Relu6] = SL_JIT_VECTORS_RELU6,
        [SL_LOOP_ReluGrad] = SL_JIT_VECTORS_RELU_GRAD,
        [SL_LOOP_Relu6Grad] = SL_JIT_VECTORS_RELU6_GRAD,
        [SL_LOOP_TanhGrad] = SL_JIT_VECTORS_TANH_GRAD,
        [SL_LOOP_SigmoidGrad] = SL_JIT_VECTORS_SIGMOID_GRAD,
        [SL_LOOP_DivNoNan] = SL_JIT_VECTORS_DIV_NO_NAN,
        [SL_LOOP_MulNoNan] = SL_JIT_VECTORS_MUL_NO_NAN,
    };
    return s->def ? (enum sl_jit_vector_op)of[((const struct sl_elementwise *)s->def->data)->op] : SL_JIT_VECTORS_NONE;
}

struct sl_elementwise_codes *sl_elementwise_codes_new(const struct sl_elementwise_program *p) {
    int n = 0;
    for (int i = 0; i < p->n_steps; i++) n += instruction_of(&p->steps[i]) != SL_JIT_VECTORS_NONE;
    const enum sl_isa isa = sl_isa_chosen();
    if (n < 2 || (isa != SL_ISA_AVX2 && isa != SL_ISA_AVX512)) return NULL;
    return sl_calloc(1, sizeof(struct sl_elementwise_codes));
}

static void code_free(struct sl_elementwise_code *code) {
    for (int i = 0; i < code->n_pieces; i++) sl_jit_vectors_free(&code->pieces[i].code);
    sl_free(code);
}

void sl_elementwise_codes_free(struct sl_elementwise_codes *codes) {
    for (struct sl_elementwise_code *c = codes ? atomic_load(&codes->first) : NULL, *next; c; c = next) {
        next = c->next;
        code_free(c);
    }
    sl_free(codes);
}

/* ---- making */
struct making {
    const struct sl_elementwise_program *p;
    struct sl_elementwise_code *code;
    int last_use[SL_ELEMENTWISE_VALUES]; /* the step that reads it last */
};

static int place_of(struct piece *piece, int value) {
    for (int i = 0; i < piece->n_places; i++)
        if (piece->places[i] == value) return i;
    if (piece->n_places == SL_JIT_VECTOR_PLACES) return -1;
    piece->places[piece->n_places] = (int8_t)value;
    return piece->n_places++;
}

/* The piece's code; without, its steps are pieces of their own. */
static bool make_piece(struct making *m, struct piece *piece) {
    const struct sl_elementwise_program *p = m->p;
    struct sl_jit_vector_step steps[SL_ELEMENTWISE_STEPS];
    int number[SL_ELEMENTWISE_VALUES], n = 0; /* of steps of the piece: which one */
    memset(number, -1, sizeof number);
    piece->n_places = 0;
    for (int i = piece->first; i <= piece->last; i++) {
        const struct sl_elementwise_program_step *s = &p->steps[i];
        int at[2] = {-1, -1};
        if (m->code->early >> i & 1) continue;
        for (int o = 0; o < s->n_operands; o++) {
            const int from = s->operands[o];
            at[o] = number[from] >= 0 ? SL_JIT_VECTOR_PLACES + number[from] : place_of(piece, from);
            if (at[o] < 0) return false;
        }
        const bool is_read_later = i == p->n_steps - 1 || m->last_use[p->n_inputs + i] > piece->last;
        const int to = is_read_later ? place_of(piece, p->n_inputs + i) : SL_JIT_NOWHERE;
        if (is_read_later && to < 0) return false;
        number[p->n_inputs + i] = n;
        steps[n++] = (struct sl_jit_vector_step){.op = (uint8_t)instruction_of(s),
                                                 .a = (int16_t)at[0],
                                                 .b = (int16_t)at[1],
                                                 .to_place = (int16_t)to};
    }
    struct sl_jit_vectors v = {.steps = steps,
                               .n_steps = n,
                               .n_places = piece->n_places,
                               .is_double = p->is_double,
                               .is_wide = sl_isa_chosen() == SL_ISA_AVX512};
    for (int i = 0; i < n; i++) { /* now that it is known how many places there are */
        if (steps[i].a >= SL_JIT_VECTOR_PLACES) steps[i].a += (int16_t)(v.n_places - SL_JIT_VECTOR_PLACES);
        if (steps[i].b >= SL_JIT_VECTOR_PLACES) steps[i].b += (int16_t)(v.n_places - SL_JIT_VECTOR_PLACES);
    }
    for (int i = 0; i < piece->n_places; i++) v.fixed |= (m->code->scalars >> piece->places[i] & 1) << i;
    if (n > 1) sl_jit_vectors_make(&piece->code, &v);
    return piece->code.run != NULL;
}

/* Cuts the steps into pieces, of which one at least is to be code. */
static bool make_pieces(struct making *m) {
    const struct sl_elementwise_program *p = m->p;
    struct sl_elementwise_code *code = m->code;
    bool any = false;
    for (int i = 0; i < p->n_steps; i++)
        for (int o = 0; o < p->steps[i].n_operands; o++) m->last_use[p->steps[i].operands[o]] = i;
    for (int i = 0; i < p->n_steps;) {
        struct piece *piece = &code->pieces[code->n_pieces];
        *piece = (struct piece){.first = i, .last = i};
        if (code->early >> i & 1) {
            i++;
            continue;
        }
        code->n_pieces++;
        while (instruction_of(&p->steps[i]) && piece->last + 1 < p->n_steps &&
               (code->early >> (piece->last + 1) & 1 || instruction_of(&p->steps[piece->last + 1])))
            piece->last++;
        if (make_piece(m, piece)) any = true;
        else piece->last = i;
        for (int o = 0; !piece->code.run && o < p->steps[i].n_operands; o++)
            code->in_loops |= UINT32_C(1) << p->steps[i].operands[o];
        i = piece->last + 1;
    }
    return any;
}

/* Puts it before the others. Two threads may make the same one: the later is not found, and does no harm. */
static const struct sl_elementwise_code *make_code(struct sl_elementwise_codes *codes,
                                                   const struct sl_elementwise_program *p, uint32_t early,
                                                   uint32_t scalars) {
    if (atomic_fetch_add(&codes->made, 1) >= MOST_CODES) {
        atomic_store(&codes->made, MOST_CODES);
        return NULL;
    }
    struct sl_elementwise_code *code = sl_calloc(1, sizeof *code);
    if (!code) return NULL;
    code->early = early;
    code->scalars = scalars;
    struct making m = {.p = p, .code = code};
    if (!make_pieces(&m)) {
        code_free(code);
        return NULL;
    }
    struct sl_elementwise_code *first = atomic_load(&codes->first);
    do code->next = first;
    while (!atomic_compare_exchange_weak(&codes->first, &first, code));
    return code;
}

const struct sl_elementwise_code *sl_elementwise_code_of(const struct sl_elementwise_program_run *r) {
    struct sl_elementwise_codes *codes = r->p->codes;
    uint32_t early = 0, scalars = 0;
    if (!codes) return NULL;
    for (int i = 0; r->has_early && i < r->p->n_steps; i++) early |= (uint32_t)r->is_early[i] << i;
    for (int e = 0; e < r->n_external; e++) scalars |= (uint32_t)(r->modes[e] == SL_PLAN_SCALAR) << r->external[e];
    for (const struct sl_elementwise_code *c = atomic_load_explicit(&codes->first, memory_order_acquire); c;
         c = c->next)
        if (c->early == early && c->scalars == scalars) return c;
    const long long work = r->count * r->p->n_steps;
    const bool is_due = atomic_fetch_add_explicit(&codes->work, work, memory_order_relaxed) + work >= WORK_BEFORE;
    if (!is_due && !sl_jit_is_due()) return NULL;
    return make_code(codes, r->p, early, scalars);
}

/* ---- running */
struct tiles {
    _Alignas(64) unsigned char inputs[SL_ELEMENTWISE_VALUES][SL_TILE];
    _Alignas(64) unsigned char steps[SL_ELEMENTWISE_STEPS][SL_TILE];
};

static void run_pieces(const struct sl_elementwise_program_run *r, void *const *values, int64_t n) {
    const struct sl_elementwise_program *p = r->p;
    for (int i = 0; i < r->code->n_pieces; i++) {
        const struct piece *piece = &r->code->pieces[i];
        if (piece->code.run) {
            void *places[SL_JIT_VECTOR_PLACES];
            for (int k = 0; k < piece->n_places; k++) places[k] = values[piece->places[k]];
            piece->code.run(places, n * p->size);
        } else {
            const struct sl_elementwise_program_step *s = &p->steps[piece->first];
            s->loop(values[p->n_inputs + piece->first], values[s->operands[0]],
                    s->n_operands > 1 ? values[s->operands[1]] : NULL, NULL, n);
        }
    }
}

/* Where the n elements from `begin` on of what is read from outside are. Of what is one element and read by code alone a
 * vector of copies is enough. */
static void find_inputs(const struct sl_elementwise_program_run *r, struct tiles *t, void **values, int64_t begin,
                        int64_t n, bool is_first) {
    for (int i = 0; i < r->n_external; i++) {
        const int v = r->external[i];
        const bool is_vector = (r->code->scalars & ~r->code->in_loops) >> v & 1;
        if (is_vector && is_first)
            sl_elements_fill(t->inputs[i], r->values[v].data, (int)r->p->size, SL_JIT_FIXED_BYTES / r->p->size);
        values[v] =
            is_vector ? t->inputs[i] : (void *)(uintptr_t)sl_plan_block(&r->plan, i, t->inputs[i], begin, n, is_first);
    }
}

/* The last elements of a block, fewer than a vector, `at` from its begin: in copies that are whole vectors. */
static void run_rest(const struct sl_elementwise_program_run *r, void **values, int64_t at, int64_t n) {
    _Alignas(64) unsigned char whole[SL_ELEMENTWISE_VALUES][SL_JIT_VECTOR_BYTES], result[SL_JIT_VECTOR_BYTES];
    const int last = r->p->n_inputs + r->p->n_steps - 1;
    char *to = (char *)values[last] + at * r->p->size;
    for (int i = 0; i < r->n_external; i++) {
        const int v = r->external[i];
        if (r->modes[i] == SL_PLAN_SCALAR) continue;
        memset(whole[i], 0, sizeof whole[i]);
        memcpy(whole[i], (const char *)values[v] + at * r->p->size, (size_t)(n * r->p->size));
        values[v] = whole[i];
    }
    values[last] = result;
    run_pieces(r, values, SL_JIT_VECTOR_BYTES / r->p->size);
    memcpy(to, result, (size_t)(n * r->p->size));
}

void sl_elementwise_code_run(void *arg, int64_t begin, int64_t end) {
    const struct sl_elementwise_program_run *r = arg;
    const struct sl_elementwise_program *p = r->p;
    const int64_t vector = SL_JIT_VECTOR_BYTES / p->size;
    void *values[SL_ELEMENTWISE_VALUES] = {NULL};
    struct tiles t;
    for (int64_t b = begin; b < end; b += r->plan.step) {
        const int64_t n = end - b < r->plan.step ? end - b : r->plan.step, whole = n & -vector;
        for (int i = 0; i < p->n_steps; i++)
            values[p->n_inputs + i] = i == p->n_steps - 1 ? r->to + b * p->size : (void *)t.steps[p->steps[i].tile];
        find_inputs(r, &t, values, b, n, b == begin);
        if (whole) run_pieces(r, values, whole);
        if (whole < n) run_rest(r, values, whole, n - whole);
    }
}
