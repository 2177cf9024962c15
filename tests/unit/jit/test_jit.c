/* Machine code against a reference: random programs of all instructions and types, with conditionals, loops and calls, give
 * the bits that an interpreter of the same instructions gives; with few values (all in registers) and with many.
 * SL_RANDOM_PROGRAMS=n and SL_RANDOM_SEED=n run more, and others. */
#include "jit/jit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os/float_mode.h"
#include "unit/unit.h"

enum { MOST_VALUES = 80, MOST_LABELS = 256, FAR = 257 }; /* FAR: cells from home to home, in some programs */

union cell {
    unsigned char bits[16];
    bool b;
    int32_t i32;
    int64_t i64;
    float f32;
    double f64;
};

/* ---- the reference */
struct memory {
    union cell homes[MOST_VALUES * FAR], locals[8]; /* values that nobody else sees lie in `locals` */
};

static union cell *cell_of(struct memory *m, const struct sl_jit *j, uint32_t v) {
    const struct sl_jit_value *of = &j->values.items[v];
    return of->is_local ? &m->locals[of->home / 8] : &m->homes[of->home / sizeof(union cell)];
}

static int64_t integer(const union cell *c, uint8_t type) {
    return type == SL_JIT_BOOL ? c->b : type == SL_JIT_I32 ? c->i32 : c->i64;
}

static void put_integer(union cell *c, uint8_t type, int64_t value) {
    if (type == SL_JIT_BOOL) c->b = value != 0;
    else if (type == SL_JIT_I32) c->i32 = (int32_t)(uint32_t)value;
    else c->i64 = value;
}

static int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }

static int64_t on_integers(uint8_t op, int64_t a, int64_t b) {
    switch (op) {
    case SL_JIT_ADD: return (int64_t)((uint64_t)a + (uint64_t)b);
    case SL_JIT_SUB: return (int64_t)((uint64_t)a - (uint64_t)b);
    case SL_JIT_MUL: return (int64_t)((uint64_t)a * (uint64_t)b);
    case SL_JIT_QUOTIENT: return floor_quotient(a, b);
    case SL_JIT_REMAINDER: return (int64_t)((uint64_t)a - (uint64_t)b * (uint64_t)floor_quotient(a, b));
    case SL_JIT_MIN: return a < b ? a : b;
    case SL_JIT_MAX: return a > b ? a : b;
    case SL_JIT_NEGATE: return (int64_t)(0 - (uint64_t)a);
    case SL_JIT_AND: return a & b;
    case SL_JIT_OR: return a | b;
    case SL_JIT_XOR: return a ^ b;
    case SL_JIT_NOT: return !a;
    default: fail_msg("op %d of integers", op); return 0;
    }
}

#define ON_FLOATS(name, T, root)                                                                                       \
    static T name(uint8_t op, T a, T b) {                                                                              \
        switch (op) {                                                                                                  \
        case SL_JIT_ADD: return a + b;                                                                                 \
        case SL_JIT_SUB: return a - b;                                                                                 \
        case SL_JIT_MUL: return a * b;                                                                                 \
        case SL_JIT_DIV: return a / b;                                                                                 \
        case SL_JIT_SQRT: return root(a);                                                                              \
        case SL_JIT_NEGATE: return -a;                                                                                 \
        default: fail_msg("op %d of floats", op); return 0;                                                            \
        }                                                                                                              \
    }
ON_FLOATS(on_floats, float, sqrtf)
ON_FLOATS(on_doubles, double, sqrt)

#define COMPARED(op, a, b)                                                                                             \
    ((op) == SL_JIT_LESS         ? (a) < (b)                                                                           \
     : (op) == SL_JIT_LESS_EQUAL ? (a) <= (b)                                                                          \
     : (op) == SL_JIT_EQUAL      ? (a) == (b)                                                                          \
                                 : (a) != (b))

static void calculate(struct memory *m, const struct sl_jit *j, const struct sl_jit_instruction *i) {
    union cell *out = cell_of(m, j, i->out), *a = cell_of(m, j, i->a),
               *b = i->b == SL_JIT_NONE ? a : cell_of(m, j, i->b);
    const uint8_t to = j->values.items[i->out].type;
    if (i->op == SL_JIT_CALL) {
        i->callee(out, a, b);
    } else if (i->op == SL_JIT_SELECT || i->op == SL_JIT_MOVE) {
        const union cell from = i->op == SL_JIT_MOVE || cell_of(m, j, i->c)->b ? *a : *b;
        *out = from;
    } else if (i->op == SL_JIT_CONVERT) {
        const double wide = i->type == SL_JIT_F64 ? a->f64 : (double)a->f32;
        if (to < SL_JIT_F32) put_integer(out, to, integer(a, i->type));
        else if (to == SL_JIT_F32) out->f32 = i->type < SL_JIT_F32 ? (float)integer(a, i->type) : (float)wide;
        else out->f64 = i->type < SL_JIT_F32 ? (double)integer(a, i->type) : wide;
    } else if (i->op >= SL_JIT_LESS && i->op <= SL_JIT_NOT_EQUAL) {
        out->b = i->type == SL_JIT_F32   ? COMPARED(i->op, a->f32, b->f32)
                 : i->type == SL_JIT_F64 ? COMPARED(i->op, a->f64, b->f64)
                                         : COMPARED(i->op, integer(a, i->type), integer(b, i->type));
    } else if (i->type == SL_JIT_F32) {
        out->f32 = on_floats(i->op, a->f32, b->f32);
    } else if (i->type == SL_JIT_F64) {
        out->f64 = on_doubles(i->op, a->f64, b->f64);
    } else {
        put_integer(out, i->type, on_integers(i->op, integer(a, i->type), integer(b, i->type)));
    }
}

static int interpret(struct memory *m, const struct sl_jit *j) {
    uint32_t placed[MOST_LABELS];
    for (uint32_t t = 0; t < j->code.n; t++)
        if (j->code.items[t].op == SL_JIT_PLACE) placed[j->code.items[t].label] = t;
    for (uint32_t t = 0; t < j->code.n; t++) {
        const struct sl_jit_instruction *i = &j->code.items[t];
        switch (i->op) {
        case SL_JIT_LOAD:
        case SL_JIT_STORE:
        case SL_JIT_PLACE:
        case SL_JIT_LOOK:
        case SL_JIT_POLL: break;
        case SL_JIT_SET: put_integer(cell_of(m, j, i->out), j->values.items[i->out].type, i->number); break;
        case SL_JIT_COUNT: cell_of(m, j, i->out)->i64++; break;
        case SL_JIT_JUMP: t = placed[i->label]; break;
        case SL_JIT_JUMP_IF:
        case SL_JIT_JUMP_UNLESS:
            if (cell_of(m, j, i->a)->b == (i->op == SL_JIT_JUMP_IF)) t = placed[i->label];
            break;
        case SL_JIT_JUMP_IF_ZERO:
            if (!integer(cell_of(m, j, i->a), i->type)) t = placed[i->label];
            break;
        case SL_JIT_RETURN: return (int)i->number;
        default: calculate(m, j, i);
        }
    }
    fail_msg("ran over the end");
    return 0;
}

/* ---- random programs */
struct making {
    struct sl_jit *j;
    uint64_t seed;
    uint32_t n;    /* values with homes */
    uint32_t step; /* cells from one to the next */
    int depth;
};

static uint32_t roll(struct making *m, uint32_t n) {
    m->seed = m->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(m->seed >> 33) % n;
}

static uint32_t any(struct making *m, enum sl_jit_type type) {
    for (;;) {
        const uint32_t v = roll(m, m->n);
        if (m->j->values.items[v].type == type) return v;
    }
}

static void call_bool(void *out, const void *a, const void *b) { *(bool *)out = !*(const bool *)a || *(const bool *)b; }
static void call_i32(void *out, const void *a, const void *b) {
    *(uint32_t *)out = 3 * *(const uint32_t *)a ^ *(const uint32_t *)b;
}
static void call_i64(void *out, const void *a, const void *b) {
    *(uint64_t *)out = 5 * *(const uint64_t *)a - *(const uint64_t *)b;
}
static void call_f32(void *out, const void *a, const void *b) {
    *(float *)out = sinf(*(const float *)a) + *(const float *)b;
}
static void call_f64(void *out, const void *a, const void *b) {
    *(double *)out = cos(*(const double *)a) - *(const double *)b;
}

static void add_calculation(struct making *m) {
    static const sl_jit_callee callees[] = {call_bool, call_i32, call_i64, call_f32, call_f64};
    static const uint8_t of_floats[] = {SL_JIT_MOVE, SL_JIT_ADD,  SL_JIT_SUB,    SL_JIT_MUL,
                                        SL_JIT_DIV,  SL_JIT_SQRT, SL_JIT_NEGATE, SL_JIT_ADD};
    static const uint8_t of_integers[] = {SL_JIT_MOVE, SL_JIT_ADD, SL_JIT_SUB, SL_JIT_MUL,    SL_JIT_MIN,
                                          SL_JIT_MAX,  SL_JIT_AND, SL_JIT_OR,  SL_JIT_NEGATE, SL_JIT_XOR};
    static const uint8_t of_bools[] = {SL_JIT_MOVE, SL_JIT_AND, SL_JIT_OR, SL_JIT_XOR, SL_JIT_NOT};
    const enum sl_jit_type type = (enum sl_jit_type)roll(m, 5);
    const uint32_t a = any(m, type), b = any(m, type);
    switch (roll(m, 6)) {
    case 0: sl_jit_call(m->j, callees[type], any(m, type), a, b); break;
    case 1: sl_jit_select(m->j, any(m, type), any(m, SL_JIT_BOOL), a, b); break;
    case 2: {
        const enum sl_jit_op op = (enum sl_jit_op)(SL_JIT_LESS + roll(m, 4));
        sl_jit_add(m->j, type == SL_JIT_BOOL ? SL_JIT_EQUAL : op, any(m, SL_JIT_BOOL), a, b);
        break;
    }
    case 3: {
        const enum sl_jit_type to = (enum sl_jit_type)(SL_JIT_I32 + roll(m, 4));
        if (type < SL_JIT_F32 || to >= SL_JIT_F32) sl_jit_add(m->j, SL_JIT_CONVERT, any(m, to), a, SL_JIT_NONE);
        break;
    }
    case 4:
        if (type >= SL_JIT_F32 && roll(m, 4) == 0) sl_jit_look(m->j, a, roll(m, 2));
        /* fall through */
    default: {
        const uint8_t op = type == SL_JIT_BOOL ? of_bools[roll(m, sizeof of_bools)]
                           : type < SL_JIT_F32 ? of_integers[roll(m, sizeof of_integers)]
                                               : of_floats[roll(m, sizeof of_floats)];
        const bool is_single = op == SL_JIT_MOVE || op == SL_JIT_SQRT || op == SL_JIT_NEGATE || op == SL_JIT_NOT;
        sl_jit_add(m->j, (enum sl_jit_op)op, any(m, type), a, is_single ? SL_JIT_NONE : b);
    }
    }
}

/* By a divisor that is 3, -7 or the like. */
static void add_division(struct making *m) {
    const enum sl_jit_type type = roll(m, 2) ? SL_JIT_I32 : SL_JIT_I64;
    const uint32_t divisor = any(m, type), skip = sl_jit_label(m->j);
    sl_jit_set(m->j, divisor, 3 + roll(m, 9));
    if (roll(m, 2)) sl_jit_add(m->j, SL_JIT_NEGATE, divisor, divisor, SL_JIT_NONE);
    sl_jit_jump_if_zero(m->j, divisor, skip);
    sl_jit_add(m->j, roll(m, 2) ? SL_JIT_QUOTIENT : SL_JIT_REMAINDER, any(m, type), any(m, type), divisor);
    sl_jit_place(m->j, skip);
}

static void add_block(struct making *m, int n);

static void add_conditional(struct making *m) {
    const uint32_t other = sl_jit_label(m->j), end = sl_jit_label(m->j);
    if (roll(m, 2)) /* a comparison for the jump alone */
        sl_jit_add(m->j, SL_JIT_LESS, any(m, SL_JIT_BOOL), any(m, SL_JIT_F32), any(m, SL_JIT_F32));
    sl_jit_jump_if(m->j, any(m, SL_JIT_BOOL), roll(m, 2), other);
    add_block(m, 3);
    sl_jit_jump(m->j, end);
    sl_jit_place(m->j, other);
    add_block(m, 3);
    sl_jit_place(m->j, end);
}

static void add_loop(struct making *m) {
    const uint32_t turns = sl_jit_value(m->j, SL_JIT_I64, SL_JIT_NONE),
                   most = sl_jit_value(m->j, SL_JIT_I64, SL_JIT_NONE),
                   goes_on = sl_jit_value(m->j, SL_JIT_BOOL, SL_JIT_NONE), top = sl_jit_label(m->j),
                   end = sl_jit_label(m->j);
    sl_jit_set(m->j, turns, 0);
    sl_jit_set(m->j, most, roll(m, 5));
    sl_jit_place(m->j, top);
    sl_jit_poll(m->j, 0, turns);
    sl_jit_add(m->j, SL_JIT_LESS, goes_on, turns, most);
    sl_jit_jump_if(m->j, goes_on, false, end);
    add_block(m, 5);
    sl_jit_count(m->j, turns);
    sl_jit_jump(m->j, top);
    sl_jit_place(m->j, end);
}

static void add_block(struct making *m, int n) {
    for (int i = 0; i < n; i++) {
        const uint32_t what = roll(m, 12);
        if (what == 0 && m->depth < 2) {
            m->depth++;
            add_loop(m);
            m->depth--;
        } else if (what == 1 && m->depth < 2) {
            m->depth++;
            add_conditional(m);
            m->depth--;
        } else if (what == 2) {
            add_division(m);
        } else {
            add_calculation(m);
        }
    }
}

static void fill(struct making *m, struct memory *memory) {
    for (uint32_t v = 0; v < m->n; v++) {
        union cell *c = &memory->homes[v * m->step];
        const int32_t number = (int32_t)roll(m, 2000) - 1000;
        switch (m->j->values.items[v].type) {
        case SL_JIT_BOOL: c->b = number & 1; break;
        case SL_JIT_I32: c->i32 = number % 7 ? number : INT32_MIN + abs(number); break;
        case SL_JIT_I64: c->i64 = (int64_t)number * (INT64_C(1) << (number & 31)); break;
        case SL_JIT_F32: c->f32 = number % 9 ? (float)number / 8 : number % 2 ? INFINITY : NAN; break;
        default: c->f64 = number % 9 ? number / 8.0 : number % 2 ? -INFINITY : (double)NAN; break;
        }
    }
}

/* Of a NaN it counts that it is one: which of two a processor hands on is its own affair. */
static bool same(const union cell *a, const union cell *b, uint8_t type) {
    if (type == SL_JIT_F32) return (isnan(a->f32) && isnan(b->f32)) || !memcmp(a, b, sizeof(float));
    if (type == SL_JIT_F64) return (isnan(a->f64) && isnan(b->f64)) || !memcmp(a, b, sizeof(double));
    return integer(a, type) == integer(b, type);
}

static bool go_on(void *context, uint32_t loop, uint64_t turn) {
    (void)loop, (void)turn;
    ++*(int *)context;
    return true;
}

static void one_program(long seed) {
    struct sl_jit j;
    struct making m = {.j = &j, .seed = (uint64_t)seed, .step = seed % 16 ? 1 : FAR};
    static struct memory want, have;
    uint8_t types[MOST_VALUES];
    sl_jit_begin(&j);
    const uint32_t most = seed % 2 ? 10 : MOST_VALUES; /* more than there are registers */
    while (m.n < most)
        sl_jit_value(&j, (enum sl_jit_type)(m.n % 5), m.n * m.step * (uint32_t)sizeof(union cell)), m.n++;
    for (uint32_t v = 0; v < m.n; v++) types[v] = j.values.items[v].type;
    for (uint32_t v = 0; v < m.n; v++) sl_jit_load(&j, v);
    add_block(&m, 12);
    for (uint32_t v = 0; v < m.n; v++) sl_jit_store(&j, v);
    sl_jit_return(&j, 7);
    if (j.n_locals > 8) { /* more than `locals` has */
        sl_jit_abandon(&j);
        return;
    }
    fill(&m, &want);
    for (uint32_t v = 0; v < m.n; v++) have.homes[v * m.step] = want.homes[v * m.step];
    assert_false(j.failed);
    assert_int_equal(interpret(&want, &j), 7);
    struct sl_jit_code code;
    int polls = 0;
    sl_jit_finish(&code, &j);
    assert_non_null(code.run);
    assert_int_equal(code.run(&have, &polls, go_on), 7);
    for (uint32_t v = 0; v < m.n; v++)
        if (!same(&have.homes[v * m.step], &want.homes[v * m.step], types[v]))
            fail_msg("seed %ld: value %u differs", seed, (unsigned)v);
    sl_jit_code_free(&code);
}

static void programs_agree(void **state) {
    (void)state;
    const char *n = getenv("SL_RANDOM_PROGRAMS"), *start = getenv("SL_RANDOM_SEED");
    const long first = start ? atol(start) : 1, last = first + (n ? atol(n) : 20000);
    if (!sl_jit_is_there()) skip();
    for (long seed = first; seed < last; seed++) one_program(seed);
}

/* ---- loops are asked now and then, with their values at home, and may be stopped */
struct asked {
    const union cell *cells;
    uint64_t stop_at;
    int times;
};

static bool ask(void *context, uint32_t loop, uint64_t turn) {
    struct asked *asked = context;
    assert_int_equal(loop, 5);
    assert_int_equal(asked->cells[0].i64, turn);
    asked->times++;
    return turn < asked->stop_at;
}

static struct sl_jit_code count_to_cell_1(void) {
    struct sl_jit j;
    struct sl_jit_code code;
    sl_jit_begin(&j);
    const uint32_t turns = sl_jit_value(&j, SL_JIT_I64, 0), most = sl_jit_value(&j, SL_JIT_I64, 16),
                   goes_on = sl_jit_value(&j, SL_JIT_BOOL, 32), top = sl_jit_label(&j), end = sl_jit_label(&j);
    sl_jit_load(&j, turns);
    sl_jit_load(&j, most);
    sl_jit_place(&j, top);
    sl_jit_poll(&j, 5, turns);
    sl_jit_add(&j, SL_JIT_LESS, goes_on, turns, most);
    sl_jit_jump_if(&j, goes_on, false, end);
    sl_jit_count(&j, turns);
    sl_jit_jump(&j, top);
    sl_jit_place(&j, end);
    sl_jit_store(&j, turns);
    sl_jit_return(&j, 0);
    sl_jit_finish(&code, &j);
    return code;
}

static void loops_poll(void **state) {
    (void)state;
    if (!sl_jit_is_there()) skip();
    union cell cells[3] = {{.i64 = 0}, {.i64 = 100000}, {.i64 = 0}};
    struct asked asked = {.cells = cells, .stop_at = UINT64_MAX};
    struct sl_jit_code code = count_to_cell_1();
    assert_int_equal(code.run(cells, &asked, ask), 0);
    assert_int_equal(cells[0].i64, 100000);
    assert_in_range(asked.times, 10, 1000);
    cells[0].i64 = 0;
    cells[1].i64 = INT64_MAX;
    asked.stop_at = 50000;
    assert_int_equal(code.run(cells, &asked, ask), SL_JIT_STOPPED);
    assert_in_range(cells[0].i64, 50000, 60000);
    sl_jit_code_free(&code);
    sl_jit_code_free(&code); /* twice is fine */
}

/* ---- what stands at addresses, of every type, with few values in registers and with many at home */
static void addresses_are_followed(void **state) {
    (void)state;
    if (!sl_jit_is_there()) skip();
    for (uint32_t n = 10; n <= MOST_VALUES; n += 70) {
        static union cell homes[MOST_VALUES + 2 * 5], from[5], to[5];
        struct sl_jit j;
        struct sl_jit_code code;
        sl_jit_begin(&j);
        for (uint32_t v = 0; v < n; v++) {
            sl_jit_value(&j, (enum sl_jit_type)(v % 5), v * (uint32_t)sizeof *homes);
            sl_jit_load(&j, v);
        }
        for (uint32_t k = 0; k < 5; k++) {
            memset(&from[k], 0x11 * (int)(k + 1), sizeof *from);
            from[k].bits[0] = k ? 0x42 : 1;
            memset(&to[k], 0xee, sizeof *to);
            homes[n + 2 * k].i64 = (int64_t)(intptr_t)&from[k];
            homes[n + 2 * k + 1].i64 = (int64_t)(intptr_t)&to[k];
            const uint32_t source = sl_jit_value(&j, SL_JIT_I64, (n + 2 * k) * (uint32_t)sizeof *homes),
                           target = sl_jit_value(&j, SL_JIT_I64, (n + 2 * k + 1) * (uint32_t)sizeof *homes);
            sl_jit_load(&j, source);
            sl_jit_load(&j, target);
            sl_jit_get(&j, k + n / 10 * 5 - 5, source);
            sl_jit_put(&j, target, k + n / 10 * 5 - 5);
        }
        for (uint32_t v = 0; v < n; v++) sl_jit_store(&j, v);
        sl_jit_return(&j, 3);
        sl_jit_finish(&code, &j);
        assert_non_null(code.run);
        assert_int_equal(code.run(homes, NULL, go_on), 3);
        static const size_t sizes[] = {1, 4, 8, 4, 8};
        for (uint32_t k = 0; k < 5; k++) {
            union cell rest;
            memset(&rest, 0xee, sizeof rest);
            assert_memory_equal(&to[k], &from[k], sizes[k]);
            assert_memory_equal(to[k].bits + sizes[k], rest.bits, sizeof rest - sizes[k]);
            assert_memory_equal(&homes[k + n / 10 * 5 - 5], &from[k], sizes[k]);
        }
        sl_jit_code_free(&code);
    }
}

/* ---- looks leave marks of what is no finite number, and of nothing else */
static bool leaves_mark(enum sl_jit_type type, double number, bool counts_infinities) {
    union cell homes[2] = {{.i64 = 0}};
    struct sl_jit j;
    struct sl_jit_code code;
    sl_jit_begin(&j);
    const uint32_t v = sl_jit_value(&j, type, 0);
    sl_jit_load(&j, v);
    sl_jit_look(&j, v, counts_infinities);
    sl_jit_return(&j, 3);
    sl_jit_finish(&code, &j);
    assert_non_null(code.run);
    if (type == SL_JIT_F32) homes[0].f32 = (float)number;
    else homes[0].f64 = number;
    sl_float_marks_clear();
    assert_int_equal(code.run(homes, NULL, go_on), 3);
    const bool is_marked = sl_float_marks() & SL_FLOAT_MET_NAN;
    sl_jit_code_free(&code);
    return is_marked;
}

static void looks_leave_marks(void **state) {
    static const double plain[] = {0, -0.0, 1, -3.5, 1e30, -1e30, 1e-30};
    (void)state;
    if (!sl_jit_is_there()) skip();
    for (int way = 0; way < 4; way++) {
        const enum sl_jit_type type = way & 1 ? SL_JIT_F32 : SL_JIT_F64;
        const bool counts = way & 2;
        for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) assert_false(leaves_mark(type, plain[i], counts));
        assert_true(leaves_mark(type, (double)NAN, counts));
        assert_int_equal(leaves_mark(type, (double)INFINITY, counts), counts);
        assert_int_equal(leaves_mark(type, -(double)INFINITY, counts), counts);
    }
}

static void may_be_off(void **state) {
    (void)state;
    setenv("SLUICE_JIT", "off", 1);
    assert_false(sl_jit_is_there());
    struct sl_jit_code code = count_to_cell_1();
    assert_null(code.run);
    sl_jit_code_free(&code);
    unsetenv("SLUICE_JIT");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_agree), cmocka_unit_test(loops_poll),
                                       cmocka_unit_test(addresses_are_followed), cmocka_unit_test(looks_leave_marks),
                                       cmocka_unit_test(may_be_off)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
