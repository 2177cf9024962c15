/* Machine code for small functions over scalars: loops whose values are plain numbers.
 *
 * Who makes one begins it, names its values, adds instructions in order and finishes it:
 *
 *     struct sl_jit j;
 *     sl_jit_begin(&j);
 *     uint32_t i = sl_jit_value(&j, SL_JIT_I32, offset of its home), ...;
 *     sl_jit_load(&j, i);
 *     uint32_t top = sl_jit_label(&j);
 *     sl_jit_place(&j, top);
 *     sl_jit_add(&j, SL_JIT_ADD, i, i, one);
 *     ...
 *     sl_jit_finish(&code, &j);
 *
 * A value has a type and a home, a place in the memory that the caller gives; while the code runs it may be in a
 * register instead. What is read first must have been loaded; what shall be seen afterwards is stored. Instructions
 * have the results that C has for wrapping integers and IEEE numbers; results of fused operations never occur.
 *
 * One owner until it is finished; the code is then read-only and may be run by any number of threads. Where there is no
 * emitter for the processor, or the system gives no memory for code, finish says so and who asked does without. */
#ifndef SL_JIT_JIT_H
#define SL_JIT_JIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

enum sl_jit_type { SL_JIT_BOOL, SL_JIT_I32, SL_JIT_I64, SL_JIT_F32, SL_JIT_F64 };

enum sl_jit_op {
    SL_JIT_MOVE, /* out = a */
    SL_JIT_ADD,  /* numbers, from here to MUL */
    SL_JIT_SUB,
    SL_JIT_MUL,
    SL_JIT_DIV,       /* floating-point numbers; SQRT, too */
    SL_JIT_SQRT,      /* out = root of a; NEGATE and NOT have no b either */
    SL_JIT_QUOTIENT,  /* integers, from here to MAX; b is not 0; rounded towards minus infinity */
    SL_JIT_REMAINDER, /* with the sign of b */
    SL_JIT_MIN,
    SL_JIT_MAX,
    SL_JIT_NEGATE, /* numbers */
    SL_JIT_AND,    /* integers and truth values, from here to XOR */
    SL_JIT_OR,
    SL_JIT_XOR,
    SL_JIT_NOT,  /* truth values */
    SL_JIT_LESS, /* out is a truth value, from here to NOT_EQUAL */
    SL_JIT_LESS_EQUAL,
    SL_JIT_EQUAL,
    SL_JIT_NOT_EQUAL,
    SL_JIT_SELECT,  /* out = c ? a : b */
    SL_JIT_CONVERT, /* a as the type of out: from integers to wider ones and to floating point, between the latter */
    SL_JIT_CALL,    /* call(home of out, home of a, home of b) */
    SL_JIT_LOOK,    /* leaves the processor's mark of an invalid operation when a is a NaN, or infinite */
    SL_JIT_GET,     /* out = what stands at the address a, an I64 */
    SL_JIT_PUT,     /* at the address a: b */
    /* Control flow and memory, for the functions below. */
    SL_JIT_LOAD,
    SL_JIT_STORE,
    SL_JIT_SET,   /* out = number */
    SL_JIT_COUNT, /* out += 1 */
    SL_JIT_PLACE,
    SL_JIT_JUMP,
    SL_JIT_JUMP_IF,      /* a is true */
    SL_JIT_JUMP_UNLESS,  /* a is false */
    SL_JIT_JUMP_IF_ZERO, /* the integer a is 0 */
    SL_JIT_POLL,
    SL_JIT_RETURN
};

typedef void (*sl_jit_callee)(void *out, const void *a, const void *b);
/* Asked at the head of loops: `loop` is the number that the poll was given, `turn` how often it went round. Homes hold
 * what the values are. False: the code returns SL_JIT_STOPPED. */
typedef bool (*sl_jit_poll_fn)(void *context, uint32_t loop, uint64_t turn);
enum sl_jit_end { SL_JIT_STOPPED = -1 };

/* `base`: homes are at their offsets from it. What is returned is the number of the return, or SL_JIT_STOPPED. */
typedef int (*sl_jit_fn)(void *base, void *context, sl_jit_poll_fn poll);

struct sl_jit_instruction {
    uint8_t op;
    uint8_t type;          /* of its operands */
    uint32_t out, a, b, c; /* values; SL_JIT_NONE: it has none there */
    union {
        uint32_t label, number; /* the poll's loop, too; of a look: whether infinities count */
        sl_jit_callee callee;
    };
};

struct sl_jit_value {
    uint8_t type;
    uint32_t home; /* offset */
    bool is_local; /* its home is in the frame of the code */
    /* Found when it is finished: where it lives, between which instructions. */
    uint32_t begin, end;
    double weight;
    int8_t reg; /* -1: at home */
};

struct sl_jit {
    SL_VEC(struct sl_jit_instruction) code;
    SL_VEC(struct sl_jit_value) values;
    uint32_t n_labels, n_locals;
    bool failed; /* memory is out */
};

/* The code and the pages that it lies in. */
struct sl_jit_code {
    sl_jit_fn run; /* NULL: there is none */
    void *pages;
    size_t n_bytes;
};

enum { SL_JIT_NONE = UINT32_MAX };

/* Whether code can be made on this machine at all: SLUICE_JIT=off says that it shall not. */
bool sl_jit_is_there(void);
/* Whether to make code before it is worth it: SLUICE_JIT=now. */
bool sl_jit_is_due(void);

void sl_jit_begin(struct sl_jit *j);
/* A value whose home is at `home` from the base, aligned for its type; with SL_JIT_NONE one that nobody else sees. */
uint32_t sl_jit_value(struct sl_jit *j, enum sl_jit_type type, uint32_t home);
uint32_t sl_jit_label(struct sl_jit *j);
void sl_jit_place(struct sl_jit *j, uint32_t label);
/* `b` is SL_JIT_NONE for ops of one operand. */
void sl_jit_add(struct sl_jit *j, enum sl_jit_op op, uint32_t out, uint32_t a, uint32_t b);
void sl_jit_select(struct sl_jit *j, uint32_t out, uint32_t c, uint32_t a, uint32_t b);
void sl_jit_call(struct sl_jit *j, sl_jit_callee callee, uint32_t out, uint32_t a, uint32_t b);
/* At floating-point numbers, for os/float_mode.h: at infinities, too, if they count. */
void sl_jit_look(struct sl_jit *j, uint32_t a, bool counts_infinities);
void sl_jit_get(struct sl_jit *j, uint32_t out, uint32_t address);
void sl_jit_put(struct sl_jit *j, uint32_t address, uint32_t value);
void sl_jit_load(struct sl_jit *j, uint32_t value);
void sl_jit_store(struct sl_jit *j, uint32_t value);
void sl_jit_set(struct sl_jit *j, uint32_t out, uint32_t number); /* integers and truth values */
void sl_jit_count(struct sl_jit *j, uint32_t value);
void sl_jit_jump(struct sl_jit *j, uint32_t label);
void sl_jit_jump_if(struct sl_jit *j, uint32_t truth, bool when, uint32_t label);
void sl_jit_jump_if_zero(struct sl_jit *j, uint32_t integer, uint32_t label);
/* `turns`, an I64, counts. Polls now and then, not in each turn. */
void sl_jit_poll(struct sl_jit *j, uint32_t loop, uint32_t turns);
void sl_jit_return(struct sl_jit *j, uint32_t number);
/* Makes the code and frees what it was made of. Without memory, or an emitter, `out->run` is NULL. */
void sl_jit_finish(struct sl_jit_code *out, struct sl_jit *j);
void sl_jit_abandon(struct sl_jit *j); /* frees it unfinished */
void sl_jit_code_free(struct sl_jit_code *code);

#endif
