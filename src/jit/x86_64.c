/* The emitter for x86-64, System V calls. Encodings: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2.
 *
 *   rbx          the base of homes
 *   [rsp]        the context, [rsp + 8] the poll function, homes of local values from [rsp + 16]
 *   rax rcx rdx  scratch, as are xmm0 and xmm1
 *
 * Truth values in registers are 0 or 1 in 32 bits; of an I32 the lower 32 bits count. */
#include "jit/code_emission.h"

#include <string.h>

#ifdef __x86_64__

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };
enum { XMM0, XMM1 };
enum { LOCALS = 16 }; /* offset in the frame */

/* What comes before an opcode: the low byte, and bits. */
enum { NO_PREFIX = 0, P66 = 0x66, PF2 = 0xf2, PF3 = 0xf3, WIDE = 0x100, BYTE = 0x200 };

/* A register, or a place in memory. */
struct operand {
    bool is_register;
    int reg; /* or the base */
    int32_t offset;
};

static struct operand reg(int r) { return (struct operand){true, r, 0}; }
static struct operand memory(int base, int32_t offset) { return (struct operand){false, base, offset}; }

static struct operand home(const struct sl_jit_emission *e, uint32_t v) {
    const struct sl_jit_value *of = sl_jit_of(e, v);
    return of->is_local ? memory(RSP, LOCALS + (int32_t)of->home) : memory(RBX, (int32_t)of->home);
}

static struct operand place(const struct sl_jit_emission *e, uint32_t v) {
    return sl_jit_of(e, v)->reg >= 0 ? reg(sl_jit_of(e, v)->reg) : home(e, v);
}

/* An instruction of `field` (a register, or what extends the opcode) and an operand. Opcodes of two bytes begin with 0x0f. */
static void encode(struct sl_jit_emission *e, int how, int opcode, int field, struct operand with) {
    const int prefix = how & 0xff;
    int rex = (how & WIDE ? 8 : 0) | (field >= 8 ? 4 : 0) | (with.reg >= 8 ? 1 : 0);
    /* Without it the bytes of registers 4 to 7 would be those of others. */
    if (how & BYTE && (field >= 4 || (with.is_register && with.reg >= 4))) rex |= 0x40;
    if (prefix) sl_jit_byte(e, prefix);
    if (rex) sl_jit_byte(e, rex | 0x40);
    if (opcode > 0xff) sl_jit_byte(e, opcode >> 8);
    sl_jit_byte(e, opcode & 0xff);
    sl_jit_byte(e, (with.is_register ? 0xc0 : 0x80) | (field & 7) << 3 | (with.reg & 7));
    if (with.is_register) return;
    if ((with.reg & 7) == RSP) sl_jit_byte(e, 0x24); /* no index */
    sl_jit_number(e, (uint32_t)with.offset, 4);
}

static bool is_float(uint8_t type) { return type >= SL_JIT_F32; }
static int float_prefix(uint8_t type) { return type == SL_JIT_F32 ? PF3 : PF2; }
static int width(uint8_t type) { return type == SL_JIT_I64 ? WIDE : NO_PREFIX; }
static int scratch(uint8_t type) { return is_float(type) ? XMM0 : RAX; }

static void load(struct sl_jit_emission *e, uint8_t type, int to, struct operand from) {
    if (from.is_register && from.reg == to) return;
    if (is_float(type) && from.is_register) encode(e, NO_PREFIX, 0x0f28, to, from);
    else if (is_float(type)) encode(e, float_prefix(type), 0x0f10, to, from);
    else if (type == SL_JIT_BOOL && !from.is_register) encode(e, NO_PREFIX, 0x0fb6, to, from);
    else encode(e, width(type), 0x8b, to, from);
}

static void store(struct sl_jit_emission *e, uint8_t type, struct operand to, int from) {
    if (to.is_register) load(e, type, to.reg, reg(from));
    else if (is_float(type)) encode(e, float_prefix(type), 0x0f11, from, to);
    else if (type == SL_JIT_BOOL) encode(e, BYTE, 0x88, from, to);
    else encode(e, width(type), 0x89, from, to);
}

static void move(struct sl_jit_emission *e, uint8_t type, struct operand to, struct operand from) {
    if (to.is_register) load(e, type, to.reg, from);
    else if (from.is_register) store(e, type, to, from.reg);
    else {
        load(e, type, scratch(type), from);
        store(e, type, to, scratch(type));
    }
}

/* The register in which the operand is, or into which it was loaded. */
static int in_register(struct sl_jit_emission *e, uint8_t type, struct operand from, int otherwise) {
    if (from.is_register) return from.reg;
    load(e, type, otherwise, from);
    return otherwise;
}

/* out = a op b, where the instruction has the form to = to op from. A sum of two NaN is the first, so operands stay in
 * their order. */
static void two_operands(struct sl_jit_emission *e, uint8_t type, int how, int opcode,
                         const struct sl_jit_instruction *i) {
    const struct operand out = place(e, i->out), b = place(e, i->b);
    const bool is_direct = out.is_register && !(b.is_register && b.reg == out.reg);
    const int to = is_direct ? out.reg : scratch(type);
    load(e, type, to, place(e, i->a));
    if (type == SL_JIT_BOOL && !b.is_register) { /* it has a byte in memory */
        load(e, type, RCX, b);
        encode(e, how, opcode, to, reg(RCX));
    } else {
        encode(e, how, opcode, to, b);
    }
    if (!is_direct) store(e, type, out, to);
}

static void arithmetic(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    static const int of_integers[] = {[SL_JIT_ADD] = 0x03, [SL_JIT_SUB] = 0x2b, [SL_JIT_MUL] = 0x0faf,
                                      [SL_JIT_AND] = 0x23, [SL_JIT_OR] = 0x0b,  [SL_JIT_XOR] = 0x33};
    static const int of_floats[] = {
        [SL_JIT_ADD] = 0x0f58, [SL_JIT_SUB] = 0x0f5c, [SL_JIT_MUL] = 0x0f59, [SL_JIT_DIV] = 0x0f5e};
    if (is_float(i->type)) two_operands(e, i->type, float_prefix(i->type), of_floats[i->op], i);
    else two_operands(e, i->type, width(i->type), of_integers[i->op], i);
}

static void root(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    const struct operand out = place(e, i->out);
    const int to = out.is_register ? out.reg : XMM0;
    encode(e, float_prefix(i->type), 0x0f51, to, place(e, i->a));
    if (!out.is_register) store(e, i->type, out, to);
}

static void negate(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    if (!is_float(i->type)) {
        load(e, i->type, RAX, place(e, i->a));
        encode(e, width(i->type), 0xf7, 3, reg(RAX));
        store(e, i->type, place(e, i->out), RAX);
        return;
    }
    const bool is_double = i->type == SL_JIT_F64;
    sl_jit_byte(e, is_double ? 0x48 : 0xb8); /* rax = the sign */
    if (is_double) sl_jit_byte(e, 0xb8);
    sl_jit_number(e, is_double ? UINT64_C(1) << 63 : UINT64_C(1) << 31, is_double ? 8 : 4);
    encode(e, P66 | (is_double ? WIDE : 0), 0x0f6e, XMM1, reg(RAX));
    load(e, i->type, XMM0, place(e, i->a));
    encode(e, NO_PREFIX, 0x0f57, XMM0, reg(XMM1));
    store(e, i->type, place(e, i->out), XMM0);
}

/* A jump of a condition (the low half of its opcode) over what follows; gives where it is told how far. */
static size_t skip_if(struct sl_jit_emission *e, int condition) {
    sl_jit_byte(e, 0x70 | condition);
    sl_jit_byte(e, 0);
    return e->out->n;
}
static void skip_to_here(struct sl_jit_emission *e, size_t from) {
    if (!e->failed) e->out->items[from - 1] = (uint8_t)(e->out->n - from);
}
enum {
    IF_ABOVE_OR_EQUAL = 3,
    IF_EQUAL = 4,
    IF_NOT_EQUAL = 5,
    IF_ABOVE = 7,
    IF_NOT_SIGN = 9,
    IF_PARITY = 10,
    IF_NO_PARITY = 11,
    IF_LESS = 12,
    IF_LESS_OR_EQUAL = 14,
    IF_GREATER = 15
};

static void divide(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    const int wide = width(i->type);
    load(e, i->type, RCX, place(e, i->b));
    load(e, i->type, RAX, place(e, i->a));
    if (wide) sl_jit_byte(e, 0x48);
    sl_jit_byte(e, 0x99); /* the sign of rax into rdx */
    encode(e, wide, 0xf7, 7, reg(RCX));
    const bool is_quotient = i->op == SL_JIT_QUOTIENT;
    if (!is_quotient) load(e, i->type, RAX, reg(RDX));
    encode(e, wide, 0x85, RDX, reg(RDX));
    const size_t exact = skip_if(e, IF_EQUAL);
    encode(e, wide, 0x33, RDX, reg(RCX));
    const size_t same_signs = skip_if(e, IF_NOT_SIGN);
    if (is_quotient) encode(e, wide, 0xff, 1, reg(RAX));
    else encode(e, wide, 0x03, RAX, reg(RCX));
    skip_to_here(e, exact);
    skip_to_here(e, same_signs);
    store(e, i->type, place(e, i->out), RAX);
}

static void least(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    const int b = in_register(e, i->type, place(e, i->b), RCX);
    load(e, i->type, RAX, place(e, i->a));
    encode(e, width(i->type), 0x3b, RAX, reg(b));
    encode(e, width(i->type), 0x0f40 | (i->op == SL_JIT_MIN ? IF_GREATER : IF_LESS), RAX, reg(b));
    store(e, i->type, place(e, i->out), RAX);
}

/* Compares, and gives the condition under which it is true. Of floats a less than b is b above a: then nothing is less or
 * more than a NaN. */
static int compare(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    if (is_float(i->type)) {
        const bool is_swapped = i->op == SL_JIT_LESS || i->op == SL_JIT_LESS_EQUAL;
        const struct operand first = place(e, is_swapped ? i->b : i->a), second = place(e, is_swapped ? i->a : i->b);
        encode(e, i->type == SL_JIT_F64 ? P66 : NO_PREFIX, 0x0f2e, in_register(e, i->type, first, XMM0), second);
        return i->op == SL_JIT_LESS         ? IF_ABOVE
               : i->op == SL_JIT_LESS_EQUAL ? IF_ABOVE_OR_EQUAL
               : i->op == SL_JIT_EQUAL      ? IF_EQUAL
                                            : IF_NOT_EQUAL;
    }
    const int a = in_register(e, i->type, place(e, i->a), RAX);
    struct operand b = place(e, i->b);
    if (i->type == SL_JIT_BOOL) b = reg(in_register(e, i->type, b, RCX));
    encode(e, width(i->type), 0x3b, a, b);
    return i->op == SL_JIT_LESS         ? IF_LESS
           : i->op == SL_JIT_LESS_EQUAL ? IF_LESS_OR_EQUAL
           : i->op == SL_JIT_EQUAL      ? IF_EQUAL
                                        : IF_NOT_EQUAL;
}

static void set_truth(struct sl_jit_emission *e, uint32_t out) {
    encode(e, NO_PREFIX, 0x0fb6, RAX, reg(RAX));
    store(e, SL_JIT_BOOL, place(e, out), RAX);
}

static void truth_of(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    const int condition = compare(e, i);
    encode(e, BYTE, 0x0f90 | condition, 0, reg(RAX));
    if (is_float(i->type) && condition == IF_EQUAL) { /* nothing equals a NaN */
        encode(e, BYTE, 0x0f90 | IF_NO_PARITY, 0, reg(RCX));
        encode(e, NO_PREFIX, 0x23, RAX, reg(RCX));
    } else if (is_float(i->type) && condition == IF_NOT_EQUAL) {
        encode(e, BYTE, 0x0f90 | IF_PARITY, 0, reg(RCX));
        encode(e, NO_PREFIX, 0x0b, RAX, reg(RCX));
    }
    set_truth(e, i->out);
}

static void invert(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    load(e, SL_JIT_BOOL, RAX, place(e, i->a));
    encode(e, NO_PREFIX, 0x83, 6, reg(RAX));
    sl_jit_byte(e, 1);
    store(e, SL_JIT_BOOL, place(e, i->out), RAX);
}

static void select(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    const int c = in_register(e, SL_JIT_BOOL, place(e, i->c), RCX), to = scratch(i->type);
    encode(e, NO_PREFIX, 0x85, c, reg(c));
    load(e, i->type, to, place(e, i->a)); /* moves leave the flags alone */
    const size_t is_a = skip_if(e, IF_NOT_EQUAL);
    load(e, i->type, to, place(e, i->b));
    skip_to_here(e, is_a);
    store(e, i->type, place(e, i->out), to);
}

static void convert(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    const uint8_t from = i->type, to = sl_jit_of(e, i->out)->type;
    const struct operand out = place(e, i->out);
    if (!is_float(to)) {
        load(e, from, RAX, place(e, i->a));
        if (to == SL_JIT_I64 && from == SL_JIT_I32) encode(e, WIDE, 0x63, RAX, reg(RAX));
        store(e, to, out, RAX);
        return;
    }
    const int r = out.is_register ? out.reg : XMM0;
    if (is_float(from)) {
        load(e, from, XMM0, place(e, i->a));
        if (from != to) encode(e, float_prefix(from), 0x0f5a, XMM0, reg(XMM0));
        load(e, to, r, reg(XMM0));
    } else {
        const int a = in_register(e, from, place(e, i->a), RAX);
        encode(e, NO_PREFIX, 0x0f57, r, reg(r)); /* so that it does not wait for what was there */
        encode(e, float_prefix(to) | width(from), 0x0f2a, r, reg(a));
    }
    if (!out.is_register) store(e, to, out, r);
}

/* Stores what is in registers and will be needed again: all of it, or what a call destroys; or loads it. */
static void save(struct sl_jit_emission *e, uint32_t instruction, bool is_back, bool all) {
    for (uint32_t v = 0; v < e->j->values.n; v++) {
        const struct sl_jit_value *of = sl_jit_of(e, v);
        if (!sl_jit_is_saved(e, v, instruction, all)) continue;
        if (is_back) load(e, of->type, of->reg, home(e, v));
        else store(e, of->type, home(e, v), of->reg);
    }
}

static void address(struct sl_jit_emission *e, int to, struct operand of) { encode(e, WIDE, 0x8d, to, of); }

static void bring_home(struct sl_jit_emission *e, uint32_t v) {
    if (sl_jit_of(e, v)->reg >= 0) store(e, sl_jit_of(e, v)->type, home(e, v), sl_jit_of(e, v)->reg);
}

static void call(struct sl_jit_emission *e, const struct sl_jit_instruction *i, uint32_t at) {
    const uint32_t b = i->b == SL_JIT_NONE ? i->a : i->b;
    uint64_t callee = 0;
    memcpy(&callee, &i->callee, sizeof i->callee);
    save(e, at, false, false);
    bring_home(e, i->a);
    bring_home(e, b);
    address(e, RDI, home(e, i->out));
    address(e, RSI, home(e, i->a));
    address(e, RDX, home(e, b));
    sl_jit_byte(e, 0x48);
    sl_jit_byte(e, 0xb8); /* rax = callee */
    sl_jit_number(e, callee, 8);
    encode(e, NO_PREFIX, 0xff, 2, reg(RAX));
    save(e, at, true, false);
    if (sl_jit_of(e, i->out)->reg >= 0) load(e, sl_jit_of(e, i->out)->type, sl_jit_of(e, i->out)->reg, home(e, i->out));
}

/* COMISS complains of a NaN, which a difference of two infinities is. */
static void look(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    const int a = in_register(e, i->type, place(e, i->a), XMM0);
    if (i->number) {
        load(e, i->type, XMM1, reg(a));
        encode(e, float_prefix(i->type), 0x0f5c, XMM1, reg(a));
    }
    encode(e, i->type == SL_JIT_F64 ? P66 : NO_PREFIX, 0x0f2f, a, reg(a));
}

/* A jump of four bytes; gives where it is told how far. */
static size_t far_jump(struct sl_jit_emission *e, int condition) {
    if (condition < 0) {
        sl_jit_byte(e, 0xe9);
    } else {
        sl_jit_byte(e, 0x0f);
        sl_jit_byte(e, 0x80 | condition);
    }
    sl_jit_number(e, 0, 4);
    return e->out->n - 4;
}

static void set_target(struct sl_jit_emission *e, size_t at, size_t target) {
    if (e->failed) return;
    const uint32_t by = (uint32_t)(target - (at + 4));
    for (int i = 0; i < 4; i++) e->out->items[at + (size_t)i] = (uint8_t)(by >> (8 * i));
}

static void jump_to(struct sl_jit_emission *e, int condition, uint32_t label) {
    sl_jit_site(e, far_jump(e, condition), label);
}

static void test(struct sl_jit_emission *e, const struct sl_jit_instruction *i) {
    const int r = in_register(e, i->type, place(e, i->a), RAX);
    encode(e, width(i->type), 0x85, r, reg(r));
}

static void poll(struct sl_jit_emission *e, const struct sl_jit_instruction *i, uint32_t at) {
    enum { NOW_AND_THEN = 1023 }; /* turns between polls: about a microsecond */
    encode(e, NO_PREFIX, 0xf7, 0, place(e, i->a));
    sl_jit_number(e, NOW_AND_THEN, 4);
    sl_jit_cold(e, far_jump(e, IF_EQUAL), at);
}

static void emit_cold(struct sl_jit_emission *e, const struct sl_jit_cold *cold) {
    const struct sl_jit_instruction *i = &e->j->code.items[cold->instruction];
    set_target(e, cold->jump, e->out->n);
    save(e, cold->instruction, false, true);
    encode(e, WIDE, 0x8b, RDI, memory(RSP, 0));
    sl_jit_byte(e, 0xb8 | RSI);
    sl_jit_number(e, i->number, 4);
    encode(e, WIDE, 0x8b, RDX, home(e, i->a));
    encode(e, NO_PREFIX, 0xff, 2, memory(RSP, 8));
    encode(e, BYTE, 0x84, RAX, reg(RAX));
    sl_jit_stop(e, far_jump(e, IF_EQUAL));
    save(e, cold->instruction, true, false);
    set_target(e, far_jump(e, -1), cold->back);
}

static const int8_t kept[] = {RBX, RBP, R12, R13, R14, R15};
enum { N_KEPT = sizeof kept };

static void push_or_pop(struct sl_jit_emission *e, int opcode, int r) {
    if (r >= 8) sl_jit_byte(e, 0x41);
    sl_jit_byte(e, opcode | (r & 7));
}

static void enter(struct sl_jit_emission *e) {
    for (int i = 0; i < N_KEPT; i++) push_or_pop(e, 0x50, kept[i]);
    /* With the return address and these the stack is off by 8 from what calls want. */
    e->frame = (LOCALS + 8 * (int32_t)e->j->n_locals + 15) / 16 * 16 + 8;
    encode(e, WIDE, 0x81, 5, reg(RSP));
    sl_jit_number(e, (uint32_t)e->frame, 4);
    encode(e, WIDE, 0x8b, RBX, reg(RDI));
    encode(e, WIDE, 0x89, RSI, memory(RSP, 0));
    encode(e, WIDE, 0x89, RDX, memory(RSP, 8));
}

static void leave(struct sl_jit_emission *e, uint32_t result) {
    sl_jit_byte(e, 0xb8 | RAX);
    sl_jit_number(e, result, 4);
    encode(e, WIDE, 0x81, 0, reg(RSP));
    sl_jit_number(e, (uint32_t)e->frame, 4);
    for (int i = N_KEPT - 1; i >= 0; i--) push_or_pop(e, 0x58, kept[i]);
    sl_jit_byte(e, 0xc3);
}

/* Emits an instruction; gives how many, as two may become one. */
static uint32_t emit_one(struct sl_jit_emission *e, uint32_t at) {
    const struct sl_jit_instruction *i = &e->j->code.items[at];
    if (sl_jit_is_for_jump(e, at) && !(is_float(i->type) && i->op >= SL_JIT_EQUAL)) { /* those are two conditions */
        const int condition = compare(e, i);
        jump_to(e, i[1].op == SL_JIT_JUMP_IF ? condition : condition ^ 1, i[1].label);
        return 2;
    }
    switch ((enum sl_jit_op)i->op) {
    case SL_JIT_MOVE: move(e, i->type, place(e, i->out), place(e, i->a)); break;
    case SL_JIT_ADD:
    case SL_JIT_SUB:
    case SL_JIT_MUL:
    case SL_JIT_DIV:
    case SL_JIT_AND:
    case SL_JIT_OR:
    case SL_JIT_XOR: arithmetic(e, i); break;
    case SL_JIT_SQRT: root(e, i); break;
    case SL_JIT_QUOTIENT:
    case SL_JIT_REMAINDER: divide(e, i); break;
    case SL_JIT_MIN:
    case SL_JIT_MAX: least(e, i); break;
    case SL_JIT_NEGATE: negate(e, i); break;
    case SL_JIT_NOT: invert(e, i); break;
    case SL_JIT_LESS:
    case SL_JIT_LESS_EQUAL:
    case SL_JIT_EQUAL:
    case SL_JIT_NOT_EQUAL: truth_of(e, i); break;
    case SL_JIT_SELECT: select(e, i); break;
    case SL_JIT_CONVERT: convert(e, i); break;
    case SL_JIT_CALL: call(e, i, at); break;
    case SL_JIT_LOOK: look(e, i); break;
    case SL_JIT_GET:
        move(e, i->type, place(e, i->out), memory(in_register(e, SL_JIT_I64, place(e, i->a), RAX), 0));
        break;
    case SL_JIT_PUT: {
        const int to = in_register(e, SL_JIT_I64, place(e, i->a), RCX);
        store(e, i->type, memory(to, 0), in_register(e, i->type, place(e, i->b), scratch(i->type)));
        break;
    }
    case SL_JIT_LOAD: move(e, sl_jit_of(e, i->out)->type, place(e, i->out), home(e, i->out)); break;
    case SL_JIT_STORE: bring_home(e, i->a); break;
    case SL_JIT_SET:
        sl_jit_byte(e, 0xb8 | RAX);
        sl_jit_number(e, i->number, 4);
        store(e, sl_jit_of(e, i->out)->type, place(e, i->out), RAX);
        break;
    case SL_JIT_COUNT:
        encode(e, width(sl_jit_of(e, i->out)->type), 0x83, 0, place(e, i->out));
        sl_jit_byte(e, 1);
        break;
    case SL_JIT_PLACE: break;
    case SL_JIT_JUMP: jump_to(e, -1, i->label); break;
    case SL_JIT_JUMP_IF:
    case SL_JIT_JUMP_UNLESS:
    case SL_JIT_JUMP_IF_ZERO:
        test(e, i);
        jump_to(e, i->op == SL_JIT_JUMP_IF ? IF_NOT_EQUAL : IF_EQUAL, i->label);
        break;
    case SL_JIT_POLL: poll(e, i, at); break;
    case SL_JIT_RETURN: leave(e, i->number); break;
    }
    return 1;
}

/* rax, rcx and rdx are scratch; rbx and rsp have what they have. */
static const int8_t integers[] = {RSI, RDI, R8, R9, R10, R11, RBP, R12, R13, R14, R15};
static const int8_t floats[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

const struct sl_jit_emitter sl_jit_x86_64 = {
    .registers = {integers, floats},
    .n_registers = {sizeof integers, sizeof floats},
    .n_lost = {6, sizeof floats},
    .enter = enter,
    .one = emit_one,
    .cold = emit_cold,
    .leave = leave,
    .set_target = set_target,
};

#endif
