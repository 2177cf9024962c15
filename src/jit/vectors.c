/* The emitter for vectors of AVX2 and AVX-512. Encodings: Intel 64 and IA-32 Architectures Software Developer's Manual,
 * volume 2.
 *
 *   rdi  the places; rsi  how many bytes
 *   rax  how far it is; rdx  how far it will be
 *   r8   the place that a step's a is read from; r9  that of b; r10  the one that is written
 *   the last four vector registers: two of the step itself, two for its operands from memory; the others: results
 *   k1   AVX-512: what a comparison gave
 *
 * The loop works on several vectors in turn, step by step, so that a step need not wait for the one before; as many as
 * there are registers for. What is left goes vector by vector, with AVX-512 half a vector at the end. */
#include "jit/vectors.h"

#include <string.h>

#include "jit/code_emission.h"
#include "os/page.h"

void sl_jit_vectors_free(struct sl_jit_vector_code *code) {
    if (code->pages) sl_pages_free_code(code->pages, code->n_bytes);
    *code = (struct sl_jit_vector_code){.run = NULL};
}

#ifdef __x86_64__

enum { MOST_VECTORS = 8, MOST_STEPS = 64, MOST_REGISTERS = 28, WIDE_BYTES = 64 };

/* What a step consists of. Each part is D = X op Y, where X is a register and Y may be in memory. */
enum { NOTHING, OF_A, OF_B, OF_S, OF_T, OF_D, ONE, SIX, SIGN, MAGNITUDE, N_OPERANDS };
enum { N_CONSTANTS = N_OPERANDS - ONE };
struct part {
    uint8_t opcode, to, x, y;
    uint8_t how, number; /* SELECT: y where T says so, else x; ROUND and COMPARE: `number` says which way */
};
enum { PLAIN, COMPARE, ROUND, SELECT };
enum {
    MOVE = 0x10,
    SQRT = 0x51,
    AND = 0x54,
    AND_NOT = 0x55,
    XOR = 0x57,
    ADD = 0x58,
    MUL = 0x59,
    SUB = 0x5c,
    MIN = 0x5d
};
enum { DIV = 0x5e, MAX = 0x5f, IS = 0xc2 };
enum { EQUAL = 0, NOT_ORDERED = 3, LESS = 0x11 };
enum { MOST_PARTS = 6 };
#define ZERO(r)                                                                                                        \
    { XOR, r, r, r, PLAIN, 0 }

static const struct part parts_of[SL_JIT_VECTOR_OPS][MOST_PARTS] = {
    [SL_JIT_VECTORS_ADD] = {{ADD, OF_D, OF_A, OF_B, PLAIN, 0}},
    [SL_JIT_VECTORS_SUB] = {{SUB, OF_D, OF_A, OF_B, PLAIN, 0}},
    [SL_JIT_VECTORS_MUL] = {{MUL, OF_D, OF_A, OF_B, PLAIN, 0}},
    [SL_JIT_VECTORS_DIV] = {{DIV, OF_D, OF_A, OF_B, PLAIN, 0}},
    [SL_JIT_VECTORS_SQUARE] = {{MUL, OF_D, OF_A, OF_A, PLAIN, 0}},
    [SL_JIT_VECTORS_SQUARED_DIFFERENCE] = {{SUB, OF_S, OF_A, OF_B, PLAIN, 0}, {MUL, OF_D, OF_S, OF_S, PLAIN, 0}},
    /* The instructions give b when either is a NaN. */
    [SL_JIT_VECTORS_MAXIMUM] = {{MAX, OF_S, OF_A, OF_B, PLAIN, 0},
                                {IS, OF_T, OF_A, OF_A, COMPARE, NOT_ORDERED},
                                {0x4a, OF_D, OF_S, OF_A, SELECT, 0}},
    [SL_JIT_VECTORS_MINIMUM] = {{MIN, OF_S, OF_A, OF_B, PLAIN, 0},
                                {IS, OF_T, OF_A, OF_A, COMPARE, NOT_ORDERED},
                                {0x4a, OF_D, OF_S, OF_A, SELECT, 0}},
    [SL_JIT_VECTORS_NEGATE] = {{XOR, OF_D, OF_A, SIGN, PLAIN, 0}},
    [SL_JIT_VECTORS_ABSOLUTE] = {{AND, OF_D, OF_A, MAGNITUDE, PLAIN, 0}},
    [SL_JIT_VECTORS_SQRT] = {{SQRT, OF_D, NOTHING, OF_A, PLAIN, 0}},
    [SL_JIT_VECTORS_RECIPROCAL] = {{MOVE, OF_S, NOTHING, ONE, PLAIN, 0}, {DIV, OF_D, OF_S, OF_A, PLAIN, 0}},
    [SL_JIT_VECTORS_FLOOR] = {{0x08, OF_D, NOTHING, OF_A, ROUND, 9}},
    [SL_JIT_VECTORS_CEIL] = {{0x08, OF_D, NOTHING, OF_A, ROUND, 10}},
    [SL_JIT_VECTORS_ROUND] = {{0x08, OF_D, NOTHING, OF_A, ROUND, 8}},
    [SL_JIT_VECTORS_RELU] = {ZERO(OF_S), {MAX, OF_D, OF_S, OF_A, PLAIN, 0}},
    [SL_JIT_VECTORS_RELU6] = {{MOVE, OF_S, NOTHING, SIX, PLAIN, 0},
                              {MIN, OF_S, OF_S, OF_A, PLAIN, 0},
                              ZERO(OF_T),
                              {MAX, OF_D, OF_T, OF_S, PLAIN, 0}},
    [SL_JIT_VECTORS_RELU_GRAD] = {ZERO(OF_S),
                                  {IS, OF_S, OF_S, OF_B, COMPARE, LESS},
                                  {AND, OF_S, OF_S, ONE, PLAIN, 0},
                                  {MUL, OF_D, OF_A, OF_S, PLAIN, 0}},
    [SL_JIT_VECTORS_RELU6_GRAD] = {ZERO(OF_S),
                                   {IS, OF_S, OF_S, OF_B, COMPARE, LESS},
                                   {IS, OF_T, OF_B, SIX, COMPARE, LESS},
                                   {AND, OF_S, OF_S, OF_T, PLAIN, 0},
                                   {AND, OF_S, OF_S, ONE, PLAIN, 0},
                                   {MUL, OF_D, OF_A, OF_S, PLAIN, 0}},
    [SL_JIT_VECTORS_TANH_GRAD] = {{MUL, OF_S, OF_A, OF_A, PLAIN, 0},
                                  {MOVE, OF_T, NOTHING, ONE, PLAIN, 0},
                                  {SUB, OF_T, OF_T, OF_S, PLAIN, 0},
                                  {MUL, OF_D, OF_B, OF_T, PLAIN, 0}},
    [SL_JIT_VECTORS_SIGMOID_GRAD] = {{MOVE, OF_T, NOTHING, ONE, PLAIN, 0},
                                     {SUB, OF_T, OF_T, OF_A, PLAIN, 0},
                                     {MUL, OF_T, OF_A, OF_T, PLAIN, 0},
                                     {MUL, OF_D, OF_B, OF_T, PLAIN, 0}},
    [SL_JIT_VECTORS_DIV_NO_NAN] = {{DIV, OF_S, OF_A, OF_B, PLAIN, 0},
                                   ZERO(OF_T),
                                   {IS, OF_T, OF_T, OF_B, COMPARE, EQUAL},
                                   {AND_NOT, OF_D, OF_T, OF_S, PLAIN, 0}},
    [SL_JIT_VECTORS_MUL_NO_NAN] = {{MUL, OF_S, OF_A, OF_B, PLAIN, 0},
                                   ZERO(OF_T),
                                   {IS, OF_T, OF_T, OF_B, COMPARE, EQUAL},
                                   {AND_NOT, OF_D, OF_T, OF_S, PLAIN, 0}},
};

struct emission {
    struct sl_jit_emission code;
    const struct sl_jit_vectors *v;
    int8_t registers[MOST_STEPS]; /* of each step's result, for the first of the vectors */
    int n_live;                   /* registers of one vector */
    int n_vectors;
    int n_registers; /* for results; then those of one step */
    int vector;      /* bytes of a vector in the loop that is emitted */
};
enum { OWN_S, OWN_T, LOADED_A, LOADED_B };
static int own(const struct emission *e, int which) { return e->n_registers + which; }

/* ---- registers: a result has one of its own for as long as later steps read it */
static bool assign_registers(struct emission *e) {
    const struct sl_jit_vectors *v = e->v;
    int last[MOST_STEPS];
    bool is_used[MOST_REGISTERS] = {false};
    for (int i = 0; i < v->n_steps; i++) {
        last[i] = i;
        if (v->steps[i].a >= v->n_places) last[v->steps[i].a - v->n_places] = i;
        if (v->steps[i].b >= v->n_places) last[v->steps[i].b - v->n_places] = i;
    }
    for (int i = 0; i < v->n_steps; i++) {
        int at = 0;
        for (int before = 0; before < i; before++)
            if (last[before] == i) is_used[e->registers[before]] = false;
        while (at < e->n_registers && is_used[at]) at++;
        if (at == e->n_registers) return false;
        is_used[at] = last[i] > i;
        e->registers[i] = (int8_t)at;
        if (at >= e->n_live) e->n_live = at + 1;
    }
    const int n = e->n_registers / e->n_live;
    e->n_vectors = n < MOST_VECTORS ? n : MOST_VECTORS;
    return true;
}

/* ---- instructions */
static void bytes(struct emission *e, uint64_t value, int n) { sl_jit_number(&e->code, value, n); }

/* Where an operand is: in a register; in memory at the base and how far it is, or at the base alone; or a constant. */
enum { IN_REGISTER, AT_OFFSET, AT_BASE, CONSTANT };
struct source {
    uint8_t kind;
    int reg; /* or base, or which constant */
    int32_t offset;
};
enum { R8 = 8, R9, R10 };

static struct source in_register(int reg) { return (struct source){IN_REGISTER, reg, 0}; }

/* What comes before the opcode. */
static void encode_prefix(struct emission *e, int map, int prefix, int to, int x, struct source y) {
    const bool is_high = y.kind != CONSTANT && y.reg & 8;
    const int first = (to & 8 ? 0 : 0x80) | (is_high ? 0 : 0x20) | map, second = (~x & 15) << 3 | 4 | prefix;
    if (!e->v->is_wide) {
        bytes(e, 0xc4, 1);
        bytes(e, (uint64_t)(first | 0x40), 1);
        bytes(e, (uint64_t)second, 1);
        return;
    }
    const bool is_highest = y.kind == IN_REGISTER && y.reg & 16, is_select = map == 2 && prefix == 1;
    bytes(e, 0x62, 1);
    bytes(e, (uint64_t)(first | (is_highest ? 0 : 0x40) | (to & 16 ? 0 : 0x10)), 1);
    bytes(e, (uint64_t)(second | (e->v->is_double && prefix ? 0x80 : 0)), 1);
    bytes(e, (uint64_t)((e->vector == WIDE_BYTES ? 0x40 : 0x20) | (x & 16 ? 0 : 8) | is_select), 1);
}

/* An instruction `to = x op y` of a whole vector; `number` is a byte behind it, unless negative. */
static void encode(struct emission *e, int map, int prefix, int opcode, int to, int x, struct source y, int number) {
    const int field = (to & 7) << 3;
    encode_prefix(e, map, prefix, to, x, y);
    bytes(e, (uint64_t)opcode, 1);
    if (y.kind == IN_REGISTER) {
        bytes(e, (uint64_t)(0xc0 | field | (y.reg & 7)), 1);
    } else if (y.kind == CONSTANT) { /* counted from the end of the instruction; the label has that end, too */
        bytes(e, (uint64_t)(field | 5), 1);
        sl_jit_site(&e->code, e->code.out->n, (uint32_t)(2 * y.reg + (number >= 0)));
        bytes(e, 0, 4);
    } else {
        const bool is_at_offset = y.kind == AT_OFFSET;
        bytes(e, (uint64_t)(0x80 | field | (is_at_offset ? 4 : y.reg & 7)), 1);
        if (is_at_offset) bytes(e, (uint64_t)(y.reg & 7), 1);
        bytes(e, (uint32_t)y.offset, 4);
    }
    if (number >= 0) bytes(e, (uint64_t)number, 1);
}

static void move(struct emission *e, bool is_store, int reg, struct source memory) {
    encode(e, 1, 0, is_store ? MOVE + 1 : MOVE, reg, 0, memory, -1);
}

static void take_place(struct emission *e, int base, int place) {
    bytes(e, 0x8b4c, 2); /* base = [rdi + 8 * place] */
    bytes(e, (uint64_t)(0x87 | (base & 7) << 3), 1);
    bytes(e, (uint64_t)(8 * place), 4);
}

/* ---- steps */
static bool is_place(const struct emission *e, int value) { return value < e->v->n_places; }

static struct source place_of(const struct emission *e, int value, int base, int vector) {
    const bool is_fixed = e->v->fixed >> value & 1;
    return (struct source){is_fixed ? AT_BASE : AT_OFFSET, base, is_fixed ? 0 : vector * e->vector};
}

static int register_of(const struct emission *e, int step, int vector) {
    return e->registers[step] + vector * e->n_live;
}

static void emit_part(struct emission *e, const struct part *p, int d, struct source a, struct source b) {
    const struct source of[N_OPERANDS] = {[OF_A] = a,
                                          [OF_B] = b,
                                          [OF_S] = in_register(own(e, OWN_S)),
                                          [OF_T] = in_register(own(e, OWN_T)),
                                          [OF_D] = in_register(d),
                                          [ONE] = {CONSTANT, 0, 0},
                                          [SIX] = {CONSTANT, 1, 0},
                                          [SIGN] = {CONSTANT, 2, 0},
                                          [MAGNITUDE] = {CONSTANT, 3, 0}};
    const int to = of[p->to].reg, x = p->x == NOTHING ? 0 : of[p->x].reg, is_double = e->v->is_double;
    switch (p->how) {
    case ROUND: encode(e, 3, 1, p->opcode + is_double, to, x, of[p->y], p->number); break;
    case SELECT:
        if (e->v->is_wide) encode(e, 2, 1, 0x65, to, x, of[p->y], -1);
        else encode(e, 3, 1, p->opcode + is_double, to, x, of[p->y], own(e, OWN_T) << 4);
        break;
    case COMPARE:
        encode(e, 1, is_double, p->opcode, e->v->is_wide ? 1 : to, x, of[p->y], p->number);
        if (e->v->is_wide && p[1].how != SELECT) encode(e, 2, 2, 0x38, to, 0, in_register(1), -1); /* k1 as a vector */
        break;
    default: encode(e, 1, is_double, p->opcode, to, x, of[p->y], -1);
    }
}

/* Whether b has to be in a register. */
static bool wants_register(const struct part *parts) {
    for (int i = 0; i < MOST_PARTS; i++)
        if (parts[i].x == OF_B) return true;
    return false;
}

static void emit_step(struct emission *e, int i, int n_vectors) {
    const struct sl_jit_vector_step *step = &e->v->steps[i];
    const struct part *parts = parts_of[step->op];
    const bool has_b = step->b >= 0, is_stored = step->to_place != SL_JIT_NOWHERE;
    if (is_place(e, step->a)) take_place(e, R8, step->a);
    if (has_b && is_place(e, step->b)) take_place(e, R9, step->b);
    if (is_stored) take_place(e, R10, step->to_place);
    for (int k = 0; k < n_vectors; k++) {
        const int d = register_of(e, i, k);
        struct source a = in_register(own(e, LOADED_A)), b = in_register(own(e, LOADED_B));
        if (is_place(e, step->a)) move(e, false, a.reg, place_of(e, step->a, R8, k));
        else a.reg = register_of(e, step->a - e->v->n_places, k);
        if (has_b && !is_place(e, step->b)) b.reg = register_of(e, step->b - e->v->n_places, k);
        else if (has_b && !wants_register(parts)) b = place_of(e, step->b, R9, k);
        else if (has_b) move(e, false, b.reg, place_of(e, step->b, R9, k));
        for (int p = 0; p < MOST_PARTS && parts[p].opcode; p++) emit_part(e, &parts[p], d, a, b);
        if (is_stored) move(e, true, d, place_of(e, step->to_place, R10, k));
    }
}

/* ---- the loops */
static void set_distance(struct emission *e, size_t at, size_t target, size_t end) {
    const uint32_t by = (uint32_t)(target - end);
    for (int i = 0; i < 4 && !e->code.failed; i++) e->code.out->items[at + (size_t)i] = (uint8_t)(by >> (8 * i));
}

/* For as long as so many vectors are left. */
static void emit_loop(struct emission *e, int n_vectors, int vector) {
    e->vector = vector;
    const size_t top = e->code.out->n;
    bytes(e, 0x908d48, 3); /* rdx = rax + ... */
    bytes(e, (uint64_t)(n_vectors * vector), 4);
    bytes(e, 0xf23948, 3); /* rdx > rsi: out */
    bytes(e, 0x8f0f, 2);
    bytes(e, 0, 4);
    const size_t out = e->code.out->n;
    for (int i = 0; i < e->v->n_steps; i++) emit_step(e, i, n_vectors);
    bytes(e, 0xd08948, 3); /* rax = rdx */
    bytes(e, 0xe9, 1);
    bytes(e, 0, 4);
    set_distance(e, e->code.out->n - 4, top, e->code.out->n);
    set_distance(e, out - 4, e->code.out->n, out);
}

static void emit_constants(struct emission *e) {
    static const uint32_t of_float[] = {0x3f800000, 0x40c00000, 0x80000000, 0x7fffffff};
    static const uint64_t of_double[] = {UINT64_C(0x3ff0000000000000), UINT64_C(0x4018000000000000),
                                         UINT64_C(0x8000000000000000), UINT64_C(0x7fffffffffffffff)};
    const size_t size = e->v->is_wide ? WIDE_BYTES : SL_JIT_VECTOR_BYTES;
    while (e->code.out->n % size && !e->code.failed) bytes(e, 0xcc, 1);
    const size_t first = e->code.out->n;
    for (size_t c = 0; c < N_CONSTANTS; c++)
        for (size_t i = 0; i < size / 8; i++)
            bytes(e, e->v->is_double ? of_double[c] : of_float[c] * (UINT64_C(1) << 32 | 1), 8);
    for (size_t s = 0; s < e->code.sites.n; s++) {
        const struct sl_jit_site *site = &e->code.sites.items[s];
        set_distance(e, site->at, first + site->label / 2 * size, site->at + 4 + site->label % 2);
    }
}

static bool emit(struct emission *e) {
    e->n_registers = e->v->is_wide ? MOST_REGISTERS : MOST_REGISTERS - 16;
    if (!assign_registers(e)) return false;
    bytes(e, 0xc031, 2); /* rax = 0 */
    if (e->n_vectors > 1) emit_loop(e, e->n_vectors, e->v->is_wide ? WIDE_BYTES : SL_JIT_VECTOR_BYTES);
    if (e->v->is_wide) emit_loop(e, 1, WIDE_BYTES);
    emit_loop(e, 1, SL_JIT_VECTOR_BYTES);
    bytes(e, 0xc377f8c5, 4); /* the upper halves are clear; return */
    emit_constants(e);
    return !e->code.failed;
}

void sl_jit_vectors_make(struct sl_jit_vector_code *out, const struct sl_jit_vectors *v) {
    sl_jit_bytes code = {NULL, 0, 0};
    struct emission e = {.code = {.out = &code}, .v = v};
    *out = (struct sl_jit_vector_code){.run = NULL};
    if (sl_jit_is_there() && v->n_steps <= MOST_STEPS && v->n_places <= SL_JIT_VECTOR_PLACES && emit(&e)) {
        out->pages = sl_pages_for_code(code.items, code.n);
        out->n_bytes = code.n;
        if (out->pages) memcpy(&out->run, &out->pages, sizeof out->run); /* ISO C has no cast from data to code */
    }
    sl_vec_free(&code);
    sl_vec_free(&e.code.sites);
}

#else

void sl_jit_vectors_make(struct sl_jit_vector_code *out, const struct sl_jit_vectors *v) {
    (void)v;
    *out = (struct sl_jit_vector_code){.run = NULL};
}

#endif
