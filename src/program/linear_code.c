/* Loops over scalars as machine code (jit/jit.h): a loop of whose items each computes a number from one or two, or is a
 * loop of that kind itself, with conditionals in between. What the code does is what exec/run_linear.c does item by item;
 * that remains the reference, and takes over where the code leaves off:
 *
 *     the interpreter moves what enters, and looks whether all that the code reads are scalars of the types it was made for
 *     the code runs turn after turn, until the predicate is false
 *     the interpreter runs the tail and moves what leaves
 *
 * In between the code asks now and then whether the step is cancelled. A turn that it cannot do (a division by zero, which
 * is an error with a text) it leaves to the interpreter, which begins it anew: the variables of a loop change at the end of
 * a turn only, and nothing else outlives one.
 *
 * A variable may also be a list that a turn appends a number to, or takes one from (gradients keep what they need of the
 * loop before so). Of such a stack the code knows where it ends, and where it has to stop; that, too, changes at the end of
 * a turn only. */
#include <string.h>

#include "kernel/numerics.h"
#include "program/linear_code.h"

/* More would be slow to compile, and is not what this is for. */
enum { MOST_ITEMS = 4096 };

enum { NUMBER_OF_STACKS = 64 };

/* A variable that is a list, and what a turn does to it: at most one thing. */
struct stack {
    uint32_t list;                       /* slot */
    const struct sl_kernel_node *change; /* the push or pop */
    struct sl_table_range guard;         /* of that */
    bool grows, is_next;                 /* is_next: what came of it is what the variable becomes */
    uint32_t end, limit, last;           /* values of the jit; last: of one that is taken, where it stands */
};
/* What a slot with a list holds. */
struct list_slot {
    uint8_t stack; /* 1 + its number; 0: no list */
    bool is_changed;
    struct sl_table_range guard; /* under which it is written */
};

struct coder {
    struct sl_program *p;
    const struct sl_loop *loops;
    struct sl_arena *scratch;
    struct sl_jit jit;
    uint8_t *types;    /* by slot: element type; 0: not known yet */
    uint32_t *values;  /* by slot: the jit's value; SL_JIT_NONE */
    bool *is_written;  /* by slot: by an item or a move within the loop */
    uint32_t *numbers; /* of loops that poll */
    uint32_t n_numbers, n_items;
    struct list_slot *lists; /* by slot */
    struct stack stacks[NUMBER_OF_STACKS];
    uint32_t n_stacks, step; /* step: value of the jit, from one place in a stack to the next */
    uint32_t give_up, again; /* labels */
    bool is_changed, fits;
    unsigned watch; /* enum sl_numerics: what functions make is looked at for these */
    bool has_calls; /* of functions that may make a NaN or an infinity, and are not looked at */
};

static int jit_type(int dtype) {
    switch (dtype) {
    case SL_BOOL: return SL_JIT_BOOL;
    case SL_INT32: return SL_JIT_I32;
    case SL_INT64: return SL_JIT_I64;
    case SL_FLOAT: return SL_JIT_F32;
    case SL_DOUBLE: return SL_JIT_F64;
    default: return -1;
    }
}

/* ---- ops that are instructions; others are called */
enum operands { IN_ORDER, SWAPPED, TWICE };
struct instruction {
    uint32_t row; /* of the op */
    uint8_t op, operands;
    sl_dtype_set types; /* of the first input */
};
#define INTEGERS (SL_SET(INT32) | SL_SET(INT64))
#define FLOATS   (SL_SET(FLOAT) | SL_SET(DOUBLE))
static const struct instruction instructions[] = {
    {SL_ROW_Add, SL_JIT_ADD, IN_ORDER, INTEGERS | FLOATS},
    {SL_ROW_AddV2, SL_JIT_ADD, IN_ORDER, INTEGERS | FLOATS},
    {SL_ROW_Sub, SL_JIT_SUB, IN_ORDER, INTEGERS | FLOATS},
    {SL_ROW_Mul, SL_JIT_MUL, IN_ORDER, INTEGERS | FLOATS},
    {SL_ROW_Square, SL_JIT_MUL, TWICE, INTEGERS | FLOATS},
    {SL_ROW_Div, SL_JIT_DIV, IN_ORDER, FLOATS},
    {SL_ROW_RealDiv, SL_JIT_DIV, IN_ORDER, FLOATS},
    {SL_ROW_Sqrt, SL_JIT_SQRT, IN_ORDER, FLOATS},
    {SL_ROW_FloorDiv, SL_JIT_QUOTIENT, IN_ORDER, INTEGERS},
    {SL_ROW_FloorMod, SL_JIT_REMAINDER, IN_ORDER, INTEGERS},
    {SL_ROW_Minimum, SL_JIT_MIN, IN_ORDER, INTEGERS},
    {SL_ROW_Maximum, SL_JIT_MAX, IN_ORDER, INTEGERS},
    {SL_ROW_Neg, SL_JIT_NEGATE, IN_ORDER, INTEGERS | FLOATS},
    {SL_ROW_BitwiseAnd, SL_JIT_AND, IN_ORDER, INTEGERS},
    {SL_ROW_BitwiseOr, SL_JIT_OR, IN_ORDER, INTEGERS},
    {SL_ROW_BitwiseXor, SL_JIT_XOR, IN_ORDER, INTEGERS},
    {SL_ROW_LogicalAnd, SL_JIT_AND, IN_ORDER, SL_SET(BOOL)},
    {SL_ROW_LogicalOr, SL_JIT_OR, IN_ORDER, SL_SET(BOOL)},
    {SL_ROW_LogicalNot, SL_JIT_NOT, IN_ORDER, SL_SET(BOOL)},
    {SL_ROW_Less, SL_JIT_LESS, IN_ORDER, INTEGERS | FLOATS},
    {SL_ROW_LessEqual, SL_JIT_LESS_EQUAL, IN_ORDER, INTEGERS | FLOATS},
    {SL_ROW_Greater, SL_JIT_LESS, SWAPPED, INTEGERS | FLOATS},
    {SL_ROW_GreaterEqual, SL_JIT_LESS_EQUAL, SWAPPED, INTEGERS | FLOATS},
    {SL_ROW_Equal, SL_JIT_EQUAL, IN_ORDER, INTEGERS | FLOATS | SL_SET(BOOL)},
    {SL_ROW_NotEqual, SL_JIT_NOT_EQUAL, IN_ORDER, INTEGERS | FLOATS | SL_SET(BOOL)},
};

static const struct instruction *find_instruction(struct sl_str op, int dtype) {
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++)
        if (sl_set_has(instructions[i].types, dtype) && sl_str_eq(sl_row_name(instructions[i].row), op))
            return &instructions[i];
    return NULL;
}

static const struct instruction *instruction_of(const struct sl_kernel_node *n) {
    return find_instruction(n->op->name, n->in_types[0]);
}

static bool is_division(const struct instruction *i) {
    return i && (i->op == SL_JIT_QUOTIENT || i->op == SL_JIT_REMAINDER);
}

static bool is_select(const struct sl_kernel_node *n) {
    return n->op->index == SL_ROW_Select || n->op->index == SL_ROW_SelectV2;
}

/* Conversions for which C has one result on all processors. */
static bool is_conversion(const struct sl_kernel_node *n) {
    const int from = n->in_types[0], to = n->out_types[0];
    if (n->op->index != SL_ROW_Cast || to == SL_BOOL) return false;
    return sl_set_has(FLOATS, to) || !sl_set_has(FLOATS, from);
}

static bool has_steps(const struct sl_kernel_node *n) {
    struct sl_scalar_step step;
    return n->def->scalar_step && n->def->scalar_step(&step, n->state, 0);
}

static bool is_push(const struct sl_kernel_node *n) { return n->op->index == SL_ROW_TensorListPushBack; }
static bool is_pop(const struct sl_kernel_node *n) { return n->op->index == SL_ROW_TensorListPopBack; }
static bool is_stack_item(const struct sl_item *item) {
    return item->kind == SL_ITEM_KERNEL && !item->node->device && (is_push(item->node) || is_pop(item->node));
}
static bool is_sum(const struct sl_kernel_node *n) { return n->op->index == SL_ROW_AddN; }

/* Whether an item can be part of the code. Rows of plug-ins, which keep what they do to themselves, are not looked into. */
static bool item_fits(const struct sl_item *item) {
    const struct sl_kernel_node *n = item->node;
    if (item->kind == SL_ITEM_MERGE || item->kind == SL_ITEM_LOOP) return true;
    if ((item->kind != SL_ITEM_SCALAR && item->kind != SL_ITEM_KERNEL) || n->device) return false;
    if (n->n_out != 1 || jit_type(n->out_types[0]) < 0) return false;
    for (uint32_t i = 0; i < n->n_in; i++)
        if (jit_type(n->in_types[i]) < 0) return false;
    if (item->kind == SL_ITEM_SCALAR) return n->n_in >= 1 && n->n_in <= 2;
    return has_steps(n) ||
           (!(n->def->flags & SL_KERNEL_OWN) && (is_select(n) || is_sum(n) || is_division(instruction_of(n))));
}

/* ---- what is in the loop, and of which types */
static void set_type(struct coder *c, uint32_t slot, int dtype) {
    if (!dtype || c->types[slot] == dtype) return;
    if (c->types[slot] || jit_type(dtype) < 0) c->fits = false;
    c->types[slot] = (uint8_t)dtype;
    c->is_changed = true;
}

static void same_type(struct coder *c, uint32_t a, uint32_t b) {
    set_type(c, a, c->types[b]);
    set_type(c, b, c->types[a]);
}

static void write_slot(struct coder *c, uint32_t slot) { c->is_written[slot] = true; }

static void find_moves(struct coder *c, struct sl_table_range moves) {
    for (uint32_t i = 0; i < moves.n; i++) {
        const struct sl_slot_move *m = &c->p->moves[moves.first + i];
        if (m->from == m->to || c->lists[m->to].stack) continue;
        same_type(c, m->from, m->to);
        write_slot(c, m->to);
    }
}

static void find_guard(struct coder *c, struct sl_table_range guard) {
    for (uint32_t i = 0; i < guard.n; i++) {
        const struct sl_literal *l = &c->p->literals[guard.first + i];
        if (l->kind != SL_LITERAL_TRUE && l->kind != SL_LITERAL_FALSE) c->fits = false;
        set_type(c, l->slot, SL_BOOL);
    }
}

/* Of a conditional's two ends one lives: they go by the same truth value. */
static bool merge_fits(const struct coder *c, const struct sl_slot_merge *m) {
    if (m->inputs.n != 2) return false;
    const struct sl_slot_merge_input *in = &c->p->merge_inputs[m->inputs.first];
    if (in[0].guard.n != 1 || in[1].guard.n != 1) return false;
    const struct sl_literal *a = &c->p->literals[in[0].guard.first], *b = &c->p->literals[in[1].guard.first];
    return a->slot == b->slot && a->kind + b->kind == SL_LITERAL_TRUE + SL_LITERAL_FALSE;
}

static void find_merge(struct coder *c, const struct sl_item *item) {
    const struct sl_slot_merge *m = &c->p->merges[item->detail];
    if (c->lists[item->out].stack) {
        for (uint32_t i = 0; i < m->inputs.n; i++) find_guard(c, c->p->merge_inputs[m->inputs.first + i].guard);
        return;
    }
    if (!merge_fits(c, m)) {
        c->fits = false;
        return;
    }
    for (uint32_t i = 0; i < m->inputs.n; i++) {
        const struct sl_slot_merge_input *in = &c->p->merge_inputs[m->inputs.first + i];
        find_guard(c, in->guard);
        same_type(c, in->slot, item->out);
    }
    write_slot(c, item->out);
    if (m->value_index == SL_NO_SLOT) return;
    set_type(c, m->value_index, SL_INT32);
    write_slot(c, m->value_index);
}

static void find_loop(struct coder *c, const struct sl_loop *loop, bool is_outer);

static void find_item(struct coder *c, const struct sl_item *item) {
    const struct sl_kernel_node *n = item->node;
    if (++c->n_items > MOST_ITEMS) {
        c->fits = false;
    } else if (is_stack_item(item)) {
        const uint32_t at = is_push(n) ? n->in[1] : n->out + 1;
        const uint8_t stack = c->lists[n->in[0]].stack;
        if (!stack || c->stacks[stack - 1].change != n) c->fits = false; /* of a loop within, maybe */
        set_type(c, at, is_push(n) ? n->in_types[1] : n->out_types[1]);
        if (!is_push(n)) write_slot(c, at);
    } else if (!item_fits(item)) {
        c->fits = false;
    } else if (item->kind == SL_ITEM_LOOP) {
        find_loop(c, &c->loops[item->detail], false);
    } else if (item->kind == SL_ITEM_MERGE) {
        find_merge(c, item);
    } else {
        for (uint32_t i = 0; i < n->n_in; i++) set_type(c, n->in[i], n->in_types[i]);
        set_type(c, n->out, n->out_types[0]);
        write_slot(c, n->out);
    }
}

static void find_regions(struct coder *c, struct sl_table_range regions) {
    for (uint32_t g = 0; g < regions.n && c->fits; g++) {
        const struct sl_region *region = &c->p->regions[regions.first + g];
        find_guard(c, region->guard);
        for (uint32_t i = 0; i < region->items.n && c->fits; i++) find_item(c, &c->p->items[region->items.first + i]);
    }
}

/* What enters and leaves the outermost loop is the interpreter's. */
static void find_loop(struct coder *c, const struct sl_loop *loop, bool is_outer) {
    if (!is_outer) find_moves(c, loop->enters);
    find_regions(c, loop->condition);
    set_type(c, loop->predicate, SL_BOOL);
    find_regions(c, loop->body);
    find_moves(c, loop->nexts);
    if (is_outer) return;
    find_regions(c, loop->tail);
    find_moves(c, loop->exits);
}

/* ---- stacks */

static bool same_guard(const struct coder *c, struct sl_table_range a, struct sl_table_range b,
                       struct sl_table_range more) {
    if (a.n != b.n + more.n) return false;
    for (uint32_t i = 0; i < a.n; i++) {
        const struct sl_literal *x = &c->p->literals[a.first + i],
                                *y = &c->p->literals[i < b.n ? b.first + i : more.first + i - b.n];
        if (x->slot != y->slot || x->kind != y->kind) return false;
    }
    return true;
}

static bool is_variable(const struct coder *c, const struct sl_loop *loop, uint32_t slot) {
    for (uint32_t i = 0; i < loop->enters.n; i++)
        if (c->p->moves[loop->enters.first + i].to == slot) return true;
    return false;
}

/* A push or pop of what the variable was at the beginning of the turn. */
static void find_change(struct coder *c, const struct sl_loop *loop, const struct sl_kernel_node *n,
                        struct sl_table_range guard) {
    const uint32_t list = n->in[0];
    if (c->lists[list].stack || c->n_stacks == NUMBER_OF_STACKS || !is_variable(c, loop, list)) {
        c->fits = false; /* a second change, too */
        return;
    }
    c->stacks[c->n_stacks++] = (struct stack){.list = list, .change = n, .guard = guard, .grows = is_push(n)};
    c->lists[list] = (struct list_slot){.stack = (uint8_t)c->n_stacks};
    c->lists[n->out] = (struct list_slot){.stack = (uint8_t)c->n_stacks, .is_changed = true, .guard = guard};
}

/* The list behind a conditional, changed on one side: that is so under the merge's guard alone. */
static void find_merged_list(struct coder *c, const struct sl_item *item, struct sl_table_range guard) {
    const struct sl_slot_merge *m = &c->p->merges[item->detail];
    const struct sl_slot_merge_input *in = &c->p->merge_inputs[m->inputs.first];
    bool is_changed = false;
    uint8_t stack = 0;
    for (uint32_t i = 0; i < m->inputs.n; i++) stack |= c->lists[in[i].slot].stack;
    if (!stack) return;
    if (!merge_fits(c, m) || m->value_index != SL_NO_SLOT) c->fits = false;
    for (uint32_t i = 0; i < m->inputs.n && c->fits; i++) {
        const struct list_slot *from = &c->lists[in[i].slot];
        if (from->stack != stack) c->fits = false;
        if (from->is_changed && !same_guard(c, from->guard, guard, in[i].guard)) c->fits = false;
        is_changed |= from->is_changed;
    }
    c->lists[item->out] = (struct list_slot){.stack = stack, .is_changed = is_changed, .guard = guard};
}

/* What the variables that are lists become. */
static void find_next_lists(struct coder *c, const struct sl_loop *loop) {
    for (uint32_t i = 0; i < loop->nexts.n; i++) {
        const struct sl_slot_move *m = &c->p->moves[loop->nexts.first + i];
        const struct list_slot *from = &c->lists[m->from], *to = &c->lists[m->to];
        if (!from->stack && !to->stack) continue;
        if (from->stack != to->stack || !from->is_changed || to->is_changed || from->guard.n) c->fits = false;
        else c->stacks[from->stack - 1].is_next = true;
    }
    for (uint32_t i = 0; i < c->n_stacks; i++) c->fits &= c->stacks[i].is_next;
}

static void find_stacks(struct coder *c, const struct sl_loop *loop) {
    for (uint32_t g = 0; g < loop->body.n && c->fits; g++) {
        const struct sl_region *region = &c->p->regions[loop->body.first + g];
        for (uint32_t i = 0; i < region->items.n && c->fits; i++) {
            const struct sl_item *item = &c->p->items[region->items.first + i];
            if (is_stack_item(item)) find_change(c, loop, item->node, region->guard);
            else if (item->kind == SL_ITEM_MERGE) find_merged_list(c, item, region->guard);
        }
    }
    find_next_lists(c, loop);
}

/* ---- the code */
static uint32_t home_of(uint32_t slot) { return slot * (uint32_t)sizeof(struct sl_value); }

static uint32_t value_of(struct coder *c, uint32_t slot) {
    if (c->values[slot] != SL_JIT_NONE) return c->values[slot];
    const int type = jit_type(c->types[slot]);
    if (type < 0) {
        c->fits = false;
        return 0;
    }
    return c->values[slot] = sl_jit_value(&c->jit, (enum sl_jit_type)type, home_of(slot));
}

static void code_moves(struct coder *c, struct sl_table_range moves) {
    for (uint32_t i = 0; i < moves.n; i++) {
        const struct sl_slot_move *m = &c->p->moves[moves.first + i];
        if (m->from != m->to && !c->lists[m->to].stack)
            sl_jit_add(&c->jit, SL_JIT_MOVE, value_of(c, m->to), value_of(c, m->from), SL_JIT_NONE);
    }
}

static void code_guard(struct coder *c, struct sl_table_range guard, uint32_t otherwise) {
    for (uint32_t i = 0; i < guard.n; i++) {
        const struct sl_literal *l = &c->p->literals[guard.first + i];
        sl_jit_jump_if(&c->jit, value_of(c, l->slot), l->kind == SL_LITERAL_FALSE, otherwise);
    }
}

static void code_merge_input(struct coder *c, const struct sl_item *item, uint32_t i) {
    const struct sl_slot_merge *m = &c->p->merges[item->detail];
    const struct sl_slot_merge_input *in = &c->p->merge_inputs[m->inputs.first + i];
    sl_jit_add(&c->jit, SL_JIT_MOVE, value_of(c, item->out), value_of(c, in->slot), SL_JIT_NONE);
    if (m->value_index != SL_NO_SLOT) sl_jit_set(&c->jit, value_of(c, m->value_index), i);
}

static void code_merge(struct coder *c, const struct sl_item *item) {
    const struct sl_slot_merge *m = &c->p->merges[item->detail];
    const uint32_t other = sl_jit_label(&c->jit), end = sl_jit_label(&c->jit);
    code_guard(c, c->p->merge_inputs[m->inputs.first].guard, other);
    code_merge_input(c, item, 0);
    sl_jit_jump(&c->jit, end);
    sl_jit_place(&c->jit, other);
    code_merge_input(c, item, 1);
    sl_jit_place(&c->jit, end);
}

/* Leaves division by zero to the kernel, which refuses it, and that by -1, which processors may refuse. */
static void code_division(struct coder *c, const struct sl_kernel_node *n, const struct instruction *i) {
    struct sl_jit *j = &c->jit;
    const uint32_t divisor = value_of(c, n->in[1]);
    const uint32_t one = sl_jit_value(j, (enum sl_jit_type)j->values.items[divisor].type, SL_JIT_NONE),
                   next = sl_jit_value(j, (enum sl_jit_type)j->values.items[divisor].type, SL_JIT_NONE);
    sl_jit_jump_if_zero(j, divisor, c->give_up);
    sl_jit_set(j, one, 1);
    sl_jit_add(j, SL_JIT_ADD, next, divisor, one);
    sl_jit_jump_if_zero(j, next, c->give_up);
    sl_jit_add(j, (enum sl_jit_op)i->op, value_of(c, n->out), value_of(c, n->in[0]), divisor);
}

/* Whether an op is known to make a NaN of nothing but a NaN, and an infinity of nothing but one. */
static bool is_tame(struct sl_str op) {
    static const uint32_t rows[] = {SL_ROW_Abs,  SL_ROW_Sign, SL_ROW_Floor,   SL_ROW_Ceil,   SL_ROW_Round,
                                    SL_ROW_Rint, SL_ROW_Relu, SL_ROW_Relu6,   SL_ROW_Tanh,   SL_ROW_Sigmoid,
                                    SL_ROW_Erf,  SL_ROW_Erfc, SL_ROW_Maximum, SL_ROW_Minimum};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sl_str_eq(sl_row_name(rows[i]), op)) return true;
    return false;
}

/* A function has made `value`: it need not leave the marks that instructions do. */
static void code_look(struct coder *c, struct sl_str op, uint32_t value) {
    const enum sl_jit_type type = (enum sl_jit_type)c->jit.values.items[value].type;
    if ((type != SL_JIT_F32 && type != SL_JIT_F64) || is_tame(op)) return;
    if (c->watch) sl_jit_look(&c->jit, value, c->watch & SL_WATCHES_INFINITY);
    else c->has_calls = true;
}

static void code_instruction(struct coder *c, const struct instruction *i, struct sl_str op, sl_scalar_fn otherwise,
                             uint32_t out, uint32_t a, uint32_t b) {
    if (!i) sl_jit_call(&c->jit, otherwise, out, a, b), code_look(c, op, out);
    else if (i->operands == IN_ORDER) sl_jit_add(&c->jit, (enum sl_jit_op)i->op, out, a, b);
    else sl_jit_add(&c->jit, (enum sl_jit_op)i->op, out, i->operands == SWAPPED ? b : a, a);
}

/* A kernel that is several scalar entries. */
static void code_steps(struct coder *c, const struct sl_kernel_node *n) {
    struct sl_scalar_step step;
    const int dtype = n->in_types[0], n_in = (int)n->n_in;
    uint32_t *made = NULL;
    int n_steps = 0;
    while (n->def->scalar_step(&step, n->state, n_steps)) n_steps++;
    made = SL_ARENA_ARRAY(c->scratch, uint32_t, (size_t)n_steps);
    for (int at = 0; made && at < n_steps; at++) {
        uint32_t operands[2] = {SL_JIT_NONE, SL_JIT_NONE};
        n->def->scalar_step(&step, n->state, at);
        for (int o = 0; o < step.n_operands; o++)
            operands[o] =
                step.operands[o] < n_in ? value_of(c, n->in[step.operands[o]]) : made[step.operands[o] - n_in];
        made[at] = at + 1 == n_steps ? value_of(c, n->out)
                                     : sl_jit_value(&c->jit, (enum sl_jit_type)jit_type(dtype), SL_JIT_NONE);
        const struct sl_str op = sl_str_of(step.op);
        code_instruction(c, find_instruction(op, dtype), op, step.scalar, made[at], operands[0], operands[1]);
    }
    if (!made) c->fits = false;
}

static void code_sum(struct coder *c, const struct sl_kernel_node *n) {
    const uint32_t out = value_of(c, n->out);
    sl_jit_add(&c->jit, n->n_in > 1 ? SL_JIT_ADD : SL_JIT_MOVE, out, value_of(c, n->in[0]),
               n->n_in > 1 ? value_of(c, n->in[1]) : SL_JIT_NONE);
    for (uint32_t i = 2; i < n->n_in; i++) sl_jit_add(&c->jit, SL_JIT_ADD, out, out, value_of(c, n->in[i]));
}

/* Leaves when the stack is where the code has to stop. */
static void code_limit(struct coder *c, const struct stack *s) {
    const uint32_t is_there = sl_jit_value(&c->jit, SL_JIT_BOOL, SL_JIT_NONE);
    sl_jit_add(&c->jit, SL_JIT_EQUAL, is_there, s->end, s->limit);
    sl_jit_jump_if(&c->jit, is_there, true, c->again);
}

static void code_pop(struct coder *c, const struct sl_kernel_node *n) {
    struct stack *s = &c->stacks[c->lists[n->in[0]].stack - 1];
    code_limit(c, s);
    sl_jit_add(&c->jit, SL_JIT_SUB, s->last, s->end, c->step);
    sl_jit_get(&c->jit, value_of(c, n->out + 1), s->last);
}

/* What the turn does to stacks. */
static void code_changes(struct coder *c) {
    for (uint32_t i = 0; i < c->n_stacks; i++) {
        const struct stack *s = &c->stacks[i];
        const uint32_t end = sl_jit_label(&c->jit);
        code_guard(c, s->guard, end);
        if (s->grows) sl_jit_put(&c->jit, s->end, value_of(c, s->change->in[1]));
        if (s->grows) sl_jit_add(&c->jit, SL_JIT_ADD, s->end, s->end, c->step);
        else sl_jit_add(&c->jit, SL_JIT_MOVE, s->end, s->last, SL_JIT_NONE);
        sl_jit_place(&c->jit, end);
    }
}

static void code_kernel(struct coder *c, const struct sl_item *item) {
    const struct sl_kernel_node *n = item->node;
    if (is_stack_item(item)) {
        if (is_pop(n)) code_pop(c, n);
        return;
    }
    const struct instruction *i = instruction_of(n);
    const uint32_t out = value_of(c, n->out), a = value_of(c, n->in[0]),
                   b = n->n_in > 1 ? value_of(c, n->in[1]) : SL_JIT_NONE;
    if (item->kind == SL_ITEM_KERNEL && has_steps(n)) code_steps(c, n);
    else if (is_sum(n)) code_sum(c, n);
    else if (is_select(n)) sl_jit_select(&c->jit, out, a, b, value_of(c, n->in[2]));
    else if (is_division(i)) code_division(c, n, i);
    else if (is_conversion(n)) sl_jit_add(&c->jit, SL_JIT_CONVERT, out, a, b);
    else code_instruction(c, i, n->op->name, item->scalar, out, a, b);
}

static void code_loop(struct coder *c, const struct sl_loop *loop);

static void code_regions(struct coder *c, struct sl_table_range regions) {
    for (uint32_t g = 0; g < regions.n; g++) {
        const struct sl_region *region = &c->p->regions[regions.first + g];
        const uint32_t end = sl_jit_label(&c->jit);
        code_guard(c, region->guard, end);
        for (uint32_t i = 0; i < region->items.n; i++) {
            const struct sl_item *item = &c->p->items[region->items.first + i];
            if (item->kind == SL_ITEM_LOOP) code_loop(c, &c->loops[item->detail]);
            else if (item->kind == SL_ITEM_MERGE && c->lists[item->out].stack) continue;
            else if (item->kind == SL_ITEM_MERGE) code_merge(c, item);
            else code_kernel(c, item);
        }
        sl_jit_place(&c->jit, end);
    }
}

/* The turns of a loop, up to where its condition is false. `turns` counts them. The outermost one has the stacks. */
static void code_turns(struct coder *c, const struct sl_loop *loop, uint32_t turns, bool is_outer) {
    struct sl_jit *j = &c->jit;
    const uint32_t top = sl_jit_label(j), end = sl_jit_label(j);
    sl_jit_place(j, top);
    sl_jit_poll(j, c->n_numbers, turns);
    c->numbers[c->n_numbers++] = (uint32_t)(loop - c->loops);
    code_regions(c, loop->condition);
    sl_jit_jump_if(j, value_of(c, loop->predicate), false, end);
    for (uint32_t i = 0; is_outer && i < c->n_stacks; i++)
        if (c->stacks[i].grows) code_limit(c, &c->stacks[i]);
    code_regions(c, loop->body);
    if (is_outer) code_changes(c);
    code_moves(c, loop->nexts);
    sl_jit_count(j, turns);
    sl_jit_jump(j, top);
    sl_jit_place(j, end);
}

static void code_loop(struct coder *c, const struct sl_loop *loop) {
    const uint32_t turns = sl_jit_value(&c->jit, SL_JIT_I64, SL_JIT_NONE);
    code_moves(c, loop->enters);
    sl_jit_set(&c->jit, turns, 0);
    code_turns(c, loop, turns, false);
    code_regions(c, loop->tail);
    code_moves(c, loop->exits);
}

static void store_moves(struct coder *c, struct sl_table_range moves) {
    for (uint32_t i = 0; i < moves.n; i++) {
        const struct sl_slot_move *m = &c->p->moves[moves.first + i];
        if (m->from != m->to && !c->lists[m->to].stack) sl_jit_store(&c->jit, value_of(c, m->to));
    }
}

/* What the condition made may be read after the loop. */
static void store_condition(struct coder *c, const struct sl_loop *loop) {
    for (uint32_t g = 0; g < loop->condition.n; g++) {
        const struct sl_table_range items = c->p->regions[loop->condition.first + g].items;
        for (uint32_t i = items.first; i < items.first + items.n; i++) {
            const struct sl_item *item = &c->p->items[i];
            const uint32_t out = item->kind == SL_ITEM_KERNEL ? item->node->out : item->out;
            if (out != loop->predicate) sl_jit_store(&c->jit, value_of(c, out));
        }
    }
}

static bool condition_has_loop(const struct coder *c, const struct sl_loop *loop) {
    for (uint32_t g = 0; g < loop->condition.n; g++) {
        const struct sl_table_range items = c->p->regions[loop->condition.first + g].items;
        for (uint32_t i = items.first; i < items.first + items.n; i++)
            if (c->p->items[i].kind == SL_ITEM_LOOP) return true;
    }
    return false;
}

/* What the next turn begins with. */
static void store_turn(struct coder *c, const struct sl_loop *loop, uint32_t turns) {
    store_moves(c, loop->nexts);
    sl_jit_store(&c->jit, turns);
    for (uint32_t i = 0; i < c->n_stacks; i++) sl_jit_store(&c->jit, c->stacks[i].end);
}

static void load_stacks(struct coder *c, const struct sl_loop_code *code) {
    struct sl_jit *j = &c->jit;
    if (!c->n_stacks) return;
    sl_jit_set(j, c->step = sl_jit_value(j, SL_JIT_I64, SL_JIT_NONE), sizeof(struct sl_value));
    for (uint32_t i = 0; i < c->n_stacks; i++) {
        struct stack *s = &c->stacks[i];
        sl_jit_load(j, s->end = sl_jit_value(j, SL_JIT_I64, home_of(code->stacks[i].end)));
        sl_jit_load(j, s->limit = sl_jit_value(j, SL_JIT_I64, home_of(code->stacks[i].limit)));
        s->last = sl_jit_value(j, SL_JIT_I64, SL_JIT_NONE);
    }
}

static void code_outermost(struct coder *c, const struct sl_loop *loop, const struct sl_loop_code *code) {
    struct sl_jit *j = &c->jit;
    const uint32_t turns = sl_jit_value(j, SL_JIT_I64, home_of(code->turns));
    const uint32_t predicate = value_of(c, loop->predicate);
    c->give_up = sl_jit_label(j);
    c->again = sl_jit_label(j);
    for (uint32_t i = 0; i < code->n_reads; i++) sl_jit_load(j, value_of(c, code->reads[i].slot));
    sl_jit_load(j, turns);
    load_stacks(c, code);
    code_turns(c, loop, turns, true);
    sl_jit_set(j, predicate, 0);
    sl_jit_store(j, predicate);
    store_turn(c, loop, turns);
    store_condition(c, loop);
    sl_jit_return(j, SL_LOOP_CODE_DONE);
    sl_jit_place(j, c->give_up);
    store_turn(c, loop, turns);
    sl_jit_return(j, SL_LOOP_CODE_GAVE_UP);
    if (c->n_stacks) {
        sl_jit_place(j, c->again);
        store_turn(c, loop, turns);
        sl_jit_return(j, SL_LOOP_CODE_AGAIN);
    }
}

/* ---- one loop after the other */
static bool begin(struct coder *c) {
    const size_t n = c->p->n_slots;
    c->types = SL_ARENA_ARRAY(c->scratch, uint8_t, n);
    c->values = SL_ARENA_ARRAY(c->scratch, uint32_t, n);
    c->is_written = SL_ARENA_ARRAY(c->scratch, bool, n);
    c->lists = SL_ARENA_ARRAY(c->scratch, struct list_slot, n);
    if (!c->types || !c->values || !c->is_written || !c->lists) return false;
    memset(c->values, 0xff, n * sizeof *c->values); /* SL_JIT_NONE */
    c->fits = true;
    return true;
}

/* Whether all of the loop can be code, with the types of its slots. */
static bool find(struct coder *c, const struct sl_loop *loop) {
    if (condition_has_loop(c, loop)) return false;
    find_stacks(c, loop);
    do { /* moves carry types to and fro */
        c->is_changed = false;
        c->n_items = 0;
        find_loop(c, loop, true);
    } while (c->is_changed && c->fits);
    for (uint32_t s = 0; s < c->p->n_slots && c->fits; s++)
        if (c->is_written[s] && !c->types[s]) c->fits = false; /* moved about, and never looked at */
    return c->fits;
}

/* What must be there when the code begins, and what it leaves behind. */
static bool list_slots(struct sl_loop_code *code, const struct coder *c, const struct sl_loop *loop) {
    const uint32_t n = c->p->n_slots;
    bool *is_variable = SL_ARENA_ARRAY(c->scratch, bool, n);
    uint32_t counts[2] = {0, 0};
    if (!is_variable) return false;
    for (uint32_t i = 0; i < loop->enters.n; i++) is_variable[c->p->moves[loop->enters.first + i].to] = true;
    for (int is_filled = 0; is_filled < 2; is_filled++) {
        counts[0] = counts[1] = 0;
        for (uint32_t s = 0; s < n; s++) {
            if (!c->types[s]) continue;
            const struct sl_scalar_slot slot = {s, c->types[s]};
            const bool is_read = is_variable[s] || !c->is_written[s];
            if (is_filled) (is_read ? code->reads : code->writes)[counts[!is_read]] = slot;
            counts[!is_read]++;
        }
        if (is_filled) break;
        code->reads = SL_ARENA_ARRAY(&c->p->arena, struct sl_scalar_slot, counts[0] + 1);
        code->writes = SL_ARENA_ARRAY(&c->p->arena, struct sl_scalar_slot, counts[1] + 1);
        if (!code->reads || !code->writes) return false;
    }
    code->n_reads = counts[0];
    code->n_writes = counts[1];
    return true;
}

static bool list_stacks(struct sl_loop_code *code, const struct coder *c) {
    code->stacks = SL_ARENA_ARRAY(&c->p->arena, struct sl_scalar_stack, c->n_stacks + 1);
    if (!code->stacks) return false;
    code->n_stacks = c->n_stacks;
    for (uint32_t i = 0; i < c->n_stacks; i++) {
        const struct stack *s = &c->stacks[i];
        const uint32_t at = s->grows ? s->change->in[1] : s->change->out + 1;
        code->stacks[i] = (struct sl_scalar_stack){.list = s->list,
                                                   .end = code->turns + 1 + 2 * i,
                                                   .limit = code->turns + 2 + 2 * i,
                                                   .dtype = c->types[at],
                                                   .grows = s->grows};
    }
    return true;
}

/* False: memory is out. */
static bool make(struct sl_loop *loop, struct coder *c) {
    struct sl_loop_code *code = SL_ARENA_NEW(&c->p->arena, struct sl_loop_code);
    if (!code || !list_slots(code, c, loop)) return false;
    c->numbers = SL_ARENA_ARRAY(&c->p->arena, uint32_t, c->n_items + 1);
    if (!c->numbers) return false;
    code->turns = c->p->n_slots;
    code->loops = c->numbers;
    if (!list_stacks(code, c)) return false;
    code_outermost(c, loop, code);
    if (!c->fits) {
        sl_jit_abandon(&c->jit);
        return true;
    }
    sl_jit_finish(&code->jit, &c->jit);
    if (!code->jit.run) return true;
    code->leaves_marks = !c->has_calls;
    code->next = c->p->loop_codes;
    c->p->loop_codes = code;
    loop->code = code;
    c->p->n_slots += 1 + 2 * c->n_stacks; /* `turns`, ends and limits */
    return true;
}

bool sl_loops_to_code(struct sl_program *p, struct sl_loop *loops, size_t n, unsigned watch, struct sl_arena *scratch) {
    if (!n || !sl_jit_is_there()) return true;
    for (size_t l = 0; l < n; l++) {
        struct coder c = {.p = p, .loops = loops, .scratch = scratch, .watch = watch};
        sl_jit_begin(&c.jit);
        if (!begin(&c)) return false;
        if (find(&c, &loops[l]) && !make(&loops[l], &c)) {
            sl_jit_abandon(&c.jit);
            return false;
        }
    }
    return true;
}
