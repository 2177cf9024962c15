/* The emitter for 64-bit ARM, AAPCS64 calls. Encodings: Arm Architecture Reference Manual for A-profile, chapter C6 and C7.
 *
 *   x19          the base of homes
 *   x20, x21     the context, the poll function
 *   x16 x17      scratch, as are v16 and v17
 *   [sp]         homes of local values, then what the caller wants back
 *
 * Truth values in registers are 0 or 1 in 32 bits; of an I32 the lower 32 bits count. */
#include "jit/code_emission.h"

#include <string.h>

#ifdef __aarch64__

enum { X0, X1, X2, X16 = 16, X17, BASE = 19, CONTEXT, POLL, X30 = 30, ZERO = 31, SP = 31 };
enum { V16 = 16, V17 };
enum { IF_EQUAL, IF_NOT_EQUAL, IF_MINUS = 4, IF_LOWER_OR_SAME = 9, IF_LESS = 11, IF_GREATER, IF_LESS_OR_EQUAL };

/* Of instructions that come for 64 bits, and for doubles. */
#define WIDE   UINT32_C(0x80000000)
#define DOUBLE UINT32_C(0x00400000)

/* A register, or a place in memory. */
struct operand {
    bool is_register;
    int reg; /* or the base */
    uint32_t offset;
};

static struct operand reg(int r) { return (struct operand){true, r, 0}; }

static struct operand home(const struct sl_jit_emission *e, uint32_t v) {
    const struct sl_jit_value *of = sl_jit_of(e, v);
    return (struct operand){false, of->is_local ? SP : BASE, of->home};
}

static struct operand place(const struct sl_jit_emission *e, uint32_t v) {
    return sl_jit_of(e, v)->reg >= 0 ? reg(sl_jit_of(e, v)->reg) : home(e, v);
}

static void word(struct sl_jit_emission *e, uint32_t instruction) { sl_jit_number(e, instruction, 4); }

/* The form of most: a destination and two sources. */
static void three(struct sl_jit_emission *e, uint32_t instruction, int to, int a, int b) {
    word(e, instruction | (uint32_t)b << 16 | (uint32_t)a << 5 | (uint32_t)to);
}
static void two(struct sl_jit_emission *e, uint32_t instruction, int to, int a) {
    word(e, instruction | (uint32_t)a << 5 | (uint32_t)to);
}

static bool is_float(uint8_t type) { return type >= SL_JIT_F32; }
static uint32_t width(uint8_t type) { return type == SL_JIT_I64 ? WIDE : type == SL_JIT_F64 ? DOUBLE : 0; }
static int scratch(uint8_t type) { return is_float(type) ? V16 : X16; }
static int scratch_2(uint8_t type) { return is_float(type) ? V17 : X17; }

static void set_number(struct sl_jit_emission *e, int to, uint64_t number) {
    two(e, UINT32_C(0xd2800000), to, (int)(number & 0xffff));
    for (uint32_t part = 1; part < 4; part++)
        if (number >> (16 * part) & 0xffff)
            two(e, UINT32_C(0xf2800000) | part << 21, to, (int)(number >> (16 * part) & 0xffff));
}

static uint32_t bytes_of(uint8_t type) {
    return type == SL_JIT_BOOL ? 1 : type == SL_JIT_I32 || type == SL_JIT_F32 ? 4 : 8;
}

/* Loads or stores a register. Offsets that do not fit into the instruction go through x17. */
static void access(struct sl_jit_emission *e, uint8_t type, int r, struct operand at, bool is_load) {
    static const uint32_t stores[] = {0x39000000, 0xb9000000, 0xf9000000, 0xbd000000, 0xfd000000};
    const uint32_t size = bytes_of(type), instruction = stores[type] | (is_load ? UINT32_C(0x00400000) : 0);
    if (at.offset % size == 0 && at.offset / size < 4096) {
        two(e, instruction | at.offset / size << 10, r, at.reg);
        return;
    }
    set_number(e, X17, at.offset);
    /* of the stack pointer there are sums with extended registers alone */
    three(e, UINT32_C(0x8b206000), X17, at.reg, X17);
    two(e, instruction, r, X17);
}

static void load(struct sl_jit_emission *e, uint8_t type, int to, struct operand from) {
    if (!from.is_register) access(e, type, to, from, true);
    else if (from.reg == to) return;
    else if (is_float(type)) two(e, UINT32_C(0x1e204000) | width(type), to, from.reg);
    else three(e, UINT32_C(0x2a000000) | width(type), to, ZERO, from.reg);
}

static void store(struct sl_jit_emission *e, uint8_t type, struct operand to, int from) {
    if (to.is_register) load(e, type, to.reg, reg(from));
    else access(e, type, from, to, false);
}

/* The register in which the operand is, or into which it was loaded. */
static int in_register(struct sl_jit_emission *e, uint8_t type, struct operand from, int otherwise) {
    if (from.is_register) return from.reg;
    load(e, type, otherwise, from);
    return otherwise;
}

static int first(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    return in_register(e, i->type, place(e, i->a), scratch(i->type));
}
/* After the first: a far home of it would go through the same register. */
static int second(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    return in_register(e, i->type, place(e, i->b), scratch_2(i->type));
}

static int result(const struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    const struct operand out = place(e, i->out);
    return out.is_register ? out.reg : scratch(sl_jit_of(e, i->out)->type);
}

static void put_result(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    const struct operand out = place(e, i->out);
    const uint8_t type = sl_jit_of(e, i->out)->type;
    if (!out.is_register) store(e, type, out, scratch(type));
}

static void arithmetic(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    static const uint32_t of_integers[] = {
        [SL_JIT_ADD] = 0x0b000000, [SL_JIT_SUB] = 0x4b000000, [SL_JIT_MUL] = 0x1b007c00,
        [SL_JIT_AND] = 0x0a000000, [SL_JIT_OR] = 0x2a000000,  [SL_JIT_XOR] = 0x4a000000};
    static const uint32_t of_floats[] = {
        [SL_JIT_ADD] = 0x1e202800, [SL_JIT_SUB] = 0x1e203800, [SL_JIT_MUL] = 0x1e200800, [SL_JIT_DIV] = 0x1e201800};
    const int a = first(e, i), b = second(e, i);
    three(e, (is_float(i->type) ? of_floats : of_integers)[i->op] | width(i->type), result(e, i), a, b);
    put_result(e, i);
}

static void of_one(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    const int a = first(e, i);
    if (i->op == SL_JIT_SQRT) two(e, UINT32_C(0x1e21c000) | width(i->type), result(e, i), a);
    else if (i->op == SL_JIT_NOT) two(e, UINT32_C(0x52000000), result(e, i), a); /* exclusive or with 1 */
    else if (is_float(i->type)) two(e, UINT32_C(0x1e214000) | width(i->type), result(e, i), a);
    else three(e, UINT32_C(0x4b000000) | width(i->type), result(e, i), ZERO, a);
    put_result(e, i);
}

static size_t branch(struct sl_jit_emission *e, uint32_t instruction) {
    word(e, instruction);
    return e->out->n - 4;
}

static size_t branch_if(struct sl_jit_emission *e, int condition) {
    return branch(e, UINT32_C(0x54000000) | (uint32_t)condition);
}

/* Jumps with and without a condition have 19 and 26 bits, which count instructions. */
static void set_target(struct sl_jit_emission *e, size_t at, size_t target) {
    if (e->failed) return;
    const int64_t by = ((int64_t)target - (int64_t)at) / 4;
    const bool is_plain = (e->out->items[at + 3] & 0xfc) == 0x14;
    const int bits = is_plain ? 26 : 19;
    uint32_t instruction;
    if (by >= INT64_C(1) << (bits - 1) || by < -(INT64_C(1) << (bits - 1))) {
        e->failed = true;
        return;
    }
    memcpy(&instruction, e->out->items + at, 4);
    instruction |= ((uint32_t)by & ((UINT32_C(1) << bits) - 1)) << (is_plain ? 0 : 5);
    memcpy(e->out->items + at, &instruction, 4);
}

static void to_here(struct sl_jit_emission *e, size_t at) { set_target(e, at, e->out->n); }

/* Of a quotient towards zero makes one towards minus infinity, where there is a rest and its sign is not the divisor's. */
static void divide(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    enum { QUOTIENT = X0, REST = X1, SIGNS = X2 }; /* no values live there */
    const uint32_t wide = width(i->type);
    const int a = first(e, i), b = second(e, i);
    three(e, UINT32_C(0x1ac00c00) | wide, QUOTIENT, a, b);
    three(e, UINT32_C(0x1b008000) | wide | (uint32_t)a << 10, REST, QUOTIENT, b);
    const bool is_quotient = i->op == SL_JIT_QUOTIENT;
    const size_t exact = branch(e, UINT32_C(0x34000000) | wide | REST);
    three(e, UINT32_C(0x4a000000) | wide, SIGNS, REST, b);
    three(e, UINT32_C(0x6a000000) | wide, ZERO, SIGNS, SIGNS);
    const size_t same_signs = branch_if(e, IF_MINUS ^ 1);
    if (is_quotient) two(e, UINT32_C(0x51000400) | wide, QUOTIENT, QUOTIENT); /* less 1 */
    else three(e, UINT32_C(0x0b000000) | wide, REST, REST, b);
    to_here(e, exact);
    to_here(e, same_signs);
    store(e, i->type, place(e, i->out), is_quotient ? QUOTIENT : REST);
}

/* Compares, and gives the condition under which it is true: of floats one that no NaN meets, but for NOT_EQUAL. */
static int compare(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    const int a = first(e, i), b = second(e, i);
    if (is_float(i->type)) three(e, UINT32_C(0x1e202000) | width(i->type), 0, a, b);
    else three(e, UINT32_C(0x6b000000) | width(i->type), ZERO, a, b);
    return i->op == SL_JIT_EQUAL       ? IF_EQUAL
           : i->op == SL_JIT_NOT_EQUAL ? IF_NOT_EQUAL
           : i->op == SL_JIT_LESS      ? (is_float(i->type) ? IF_MINUS : IF_LESS)
                                       : (is_float(i->type) ? IF_LOWER_OR_SAME : IF_LESS_OR_EQUAL);
}

static void truth_of(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    const int condition = compare(e, i);
    const struct operand out = place(e, i->out);
    const int to = out.is_register ? out.reg : X16;
    word(e, UINT32_C(0x1a9f07e0) | (uint32_t)(condition ^ 1) << 12 | (uint32_t)to);
    if (!out.is_register) store(e, SL_JIT_BOOL, out, to);
}

/* to = condition ? a : b */
static void choose(struct sl_jit_emission *e, const struct sl_jit_instruction *i, int condition, int a, int b) {
    const uint32_t instruction = is_float(i->type) ? UINT32_C(0x1e200c00) : UINT32_C(0x1a800000);
    three(e, instruction | width(i->type) | (uint32_t)condition << 12, result(e, i), a, b);
    put_result(e, i);
}

static void least(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    const int a = first(e, i), b = second(e, i);
    three(e, UINT32_C(0x6b000000) | width(i->type), ZERO, a, b);
    choose(e, i, i->op == SL_JIT_MIN ? IF_LESS : IF_GREATER, a, b);
}

static void select(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    const int c = in_register(e, SL_JIT_BOOL, place(e, i->c), X16);
    three(e, UINT32_C(0x6a000000), ZERO, c, c);
    const int a = first(e, i), b = second(e, i); /* loads leave the flags alone */
    choose(e, i, IF_NOT_EQUAL, a, b);
}

static void convert(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    const uint8_t from = i->type, to = sl_jit_of(e, i->out)->type;
    const int a = first(e, i), r = result(e, i);
    if (is_float(to) && !is_float(from)) two(e, UINT32_C(0x1e220000) | width(from) | width(to), r, a);
    else if (is_float(to) && from != to) two(e, from == SL_JIT_F32 ? UINT32_C(0x1e22c000) : UINT32_C(0x1e624000), r, a);
    else if (to == SL_JIT_I64 && from == SL_JIT_I32) two(e, UINT32_C(0x93407c00), r, a);
    else load(e, from, r, reg(a));
    put_result(e, i);
}

/* Stores what is in registers and will be needed again: all of it, or what a call destroys; or loads it. */
static void save(struct sl_jit_emission *e, uint32_t instruction, bool is_back, bool all) {
    for (uint32_t v = 0; v < e->j->values.n; v++) {
        const struct sl_jit_value *of = sl_jit_of(e, v);
        if (!sl_jit_is_saved(e, v, instruction, all)) continue;
        access(e, of->type, of->reg, home(e, v), is_back);
    }
}

static void address(struct sl_jit_emission *e, int to, struct operand of) {
    set_number(e, X17, of.offset);
    three(e, UINT32_C(0x8b206000), to, of.reg, X17);
}

static void bring_home(struct sl_jit_emission *e, uint32_t v) {
    if (sl_jit_of(e, v)->reg >= 0) store(e, sl_jit_of(e, v)->type, home(e, v), sl_jit_of(e, v)->reg);
}

static void call_register(struct sl_jit_emission *e, int r) { two(e, UINT32_C(0xd63f0000), 0, r); }

static void call(struct sl_jit_emission *e, const struct sl_jit_instruction *i, uint32_t at) {
    const uint32_t b = i->b == SL_JIT_NONE ? i->a : i->b;
    const struct sl_jit_value *out = sl_jit_of(e, i->out);
    uint64_t callee = 0;
    memcpy(&callee, &i->callee, sizeof i->callee);
    save(e, at, false, false);
    bring_home(e, i->a);
    bring_home(e, b);
    address(e, X0, home(e, i->out));
    address(e, X1, home(e, i->a));
    address(e, X2, home(e, b));
    set_number(e, X16, callee);
    call_register(e, X16);
    save(e, at, true, false);
    if (out->reg >= 0) load(e, out->type, out->reg, home(e, i->out));
}

/* FCMPE complains of a NaN, which a difference of two infinities is. */
static void look(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    const int a = first(e, i);
    if (i->number) three(e, UINT32_C(0x1e203800) | width(i->type), V17, a, a);
    three(e, UINT32_C(0x1e202010) | width(i->type), 0, a, a);
}

/* A jump with a condition reaches 1 MiB, which set_target looks at. */
static void jump_on(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    const int r = first(e, i);
    const uint32_t instruction = i->op == SL_JIT_JUMP_IF ? UINT32_C(0x35000000) : UINT32_C(0x34000000);
    sl_jit_site(e, branch(e, instruction | width(i->type) | (uint32_t)r), i->label);
}

static void poll(struct sl_jit_emission *e, const struct sl_jit_instruction *i, uint32_t at) {
    const int turns = in_register(e, SL_JIT_I64, place(e, i->a), X16);
    two(e, UINT32_C(0xf240241f), 0, turns); /* tests the lower 10 bits: every 1,024 turns, about a microsecond */
    sl_jit_cold(e, branch_if(e, IF_EQUAL), at);
}

static void emit_cold(struct sl_jit_emission *e, const struct sl_jit_cold *cold) {
    const struct sl_jit_instruction *i = &e->j->code.items[cold->instruction];
    to_here(e, cold->jump);
    save(e, cold->instruction, false, true);
    load(e, SL_JIT_I64, X0, reg(CONTEXT));
    set_number(e, X1, i->number);
    access(e, SL_JIT_I64, X2, home(e, i->a), true);
    call_register(e, POLL);
    two(e, UINT32_C(0x12000000), X0, X0); /* of the result one bit counts */
    sl_jit_stop(e, branch(e, UINT32_C(0x34000000) | X0));
    save(e, cold->instruction, true, false);
    set_target(e, branch(e, UINT32_C(0x14000000)), cold->back);
}

/* Registers that belong to the caller: x19 to x28, the link, d8 to d15. */
static void keep(struct sl_jit_emission *e, bool is_load) {
    uint32_t at = 8 * e->j->n_locals;
    for (int r = BASE; r <= 28; r++, at += 8) access(e, SL_JIT_I64, r, (struct operand){false, SP, at}, is_load);
    access(e, SL_JIT_I64, X30, (struct operand){false, SP, at}, is_load);
    at += 8;
    for (int r = 8; r <= 15; r++, at += 8) access(e, SL_JIT_F64, r, (struct operand){false, SP, at}, is_load);
}

static void move_stack(struct sl_jit_emission *e, uint32_t instruction) {
    set_number(e, X17, (uint64_t)e->frame);
    three(e, instruction, SP, SP, X17);
}

static void enter(struct sl_jit_emission *e) {
    e->frame = (int32_t)(8 * (e->j->n_locals + 10 + 1 + 8) + 15) / 16 * 16;
    move_stack(e, UINT32_C(0xcb206000));
    keep(e, false);
    load(e, SL_JIT_I64, BASE, reg(X0));
    load(e, SL_JIT_I64, CONTEXT, reg(X1));
    load(e, SL_JIT_I64, POLL, reg(X2));
}

static void leave(struct sl_jit_emission *e, uint32_t with) {
    keep(e, true);
    move_stack(e, UINT32_C(0x8b206000));
    set_number(e, X0, with);
    word(e, UINT32_C(0xd65f03c0));
}

/* Emits an instruction; gives how many, as two may become one. */
static uint32_t emit_one(struct sl_jit_emission *e, uint32_t at) {
    const struct sl_jit_instruction *i = &e->j->code.items[at];
    if (sl_jit_is_for_jump(e, at)) {
        const int condition = compare(e, i);
        sl_jit_site(e, branch_if(e, i[1].op == SL_JIT_JUMP_IF ? condition : condition ^ 1), i[1].label);
        return 2;
    }
    switch ((enum sl_jit_op)i->op) {
    case SL_JIT_MOVE: store(e, i->type, place(e, i->out), first(e, i)); break;
    case SL_JIT_ADD:
    case SL_JIT_SUB:
    case SL_JIT_MUL:
    case SL_JIT_DIV:
    case SL_JIT_AND:
    case SL_JIT_OR:
    case SL_JIT_XOR: arithmetic(e, i); break;
    case SL_JIT_SQRT:
    case SL_JIT_NEGATE:
    case SL_JIT_NOT: of_one(e, i); break;
    case SL_JIT_QUOTIENT:
    case SL_JIT_REMAINDER: divide(e, i); break;
    case SL_JIT_MIN:
    case SL_JIT_MAX: least(e, i); break;
    case SL_JIT_LESS:
    case SL_JIT_LESS_EQUAL:
    case SL_JIT_EQUAL:
    case SL_JIT_NOT_EQUAL: truth_of(e, i); break;
    case SL_JIT_SELECT: select(e, i); break;
    case SL_JIT_CONVERT: convert(e, i); break;
    case SL_JIT_CALL: call(e, i, at); break;
    case SL_JIT_LOOK: look(e, i); break;
    case SL_JIT_GET: {
        const int from = in_register(e, SL_JIT_I64, place(e, i->a), X16);
        access(e, i->type, result(e, i), (struct operand){false, from, 0}, true);
        put_result(e, i);
        break;
    }
    case SL_JIT_PUT: {
        const int to = in_register(e, SL_JIT_I64, place(e, i->a), X16);
        access(e, i->type, second(e, i), (struct operand){false, to, 0}, false);
        break;
    }
    case SL_JIT_LOAD:
        if (sl_jit_of(e, i->out)->reg >= 0)
            load(e, sl_jit_of(e, i->out)->type, sl_jit_of(e, i->out)->reg, home(e, i->out));
        break;
    case SL_JIT_STORE: bring_home(e, i->a); break;
    case SL_JIT_SET:
        set_number(e, X16, i->number);
        store(e, sl_jit_of(e, i->out)->type, place(e, i->out), X16);
        break;
    case SL_JIT_COUNT: {
        const int r = in_register(e, SL_JIT_I64, place(e, i->a), X16);
        two(e, UINT32_C(0x91000400), r, r); /* plus 1 */
        store(e, SL_JIT_I64, place(e, i->out), r);
        break;
    }
    case SL_JIT_PLACE: break;
    case SL_JIT_JUMP: sl_jit_site(e, branch(e, UINT32_C(0x14000000)), i->label); break;
    case SL_JIT_JUMP_IF:
    case SL_JIT_JUMP_UNLESS:
    case SL_JIT_JUMP_IF_ZERO: jump_on(e, i); break;
    case SL_JIT_POLL: poll(e, i, at); break;
    case SL_JIT_RETURN: leave(e, i->number); break;
    }
    return 1;
}

/* x0 to x2 are for quotients and calls, x16 and x17 scratch, x18 the system's. */
static const int8_t integers[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 22, 23, 24, 25, 26, 27, 28};
static const int8_t floats[] = {0,  1,  2,  3,  4,  5,  6,  7, 18, 19, 20, 21, 22, 23, 24,
                                25, 26, 27, 28, 29, 30, 31, 8, 9,  10, 11, 12, 13, 14, 15};

const struct sl_jit_emitter sl_jit_aarch64 = {
    .registers = {integers, floats},
    .n_registers = {sizeof integers, sizeof floats},
    .n_lost = {13, 22},
    .enter = enter,
    .one = emit_one,
    .cold = emit_cold,
    .leave = leave,
    .set_target = set_target,
};

#endif
