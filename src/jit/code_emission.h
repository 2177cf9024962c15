/* Between building and emitting: how values get registers, and what an emitter is. Internal to the room. */
#ifndef SL_JIT_CODE_EMISSION_H
#define SL_JIT_CODE_EMISSION_H

#include "jit/jit.h"

typedef SL_VEC(uint8_t) sl_jit_bytes;

enum sl_jit_class { SL_JIT_INTEGERS, SL_JIT_FLOATS, SL_JIT_CLASSES };
static inline enum sl_jit_class sl_jit_class_of(uint8_t type) {
    return type < SL_JIT_F32 ? SL_JIT_INTEGERS : SL_JIT_FLOATS;
}

/* Bytes that say how far a jump goes, at `at`, before the label has its place. */
struct sl_jit_site {
    size_t at;
    uint32_t label;
};
/* Code that is reached seldom: it stands after the rest. `jump` leads to it, it leads to `back`. */
struct sl_jit_cold {
    size_t jump, back;
    uint32_t instruction;
};
/* Code that is being emitted. */
struct sl_jit_emission {
    const struct sl_jit *j;
    sl_jit_bytes *out;
    bool failed;    /* memory is out, or a jump too far */
    int32_t frame;  /* bytes */
    size_t *labels; /* where they are */
    uint32_t *uses; /* of each value as an input */
    SL_VEC(struct sl_jit_site) sites;
    SL_VEC(struct sl_jit_cold) colds;
    SL_VEC(size_t) stops; /* jumps to where SL_JIT_STOPPED is returned */
};
static inline const struct sl_jit_value *sl_jit_of(const struct sl_jit_emission *e, uint32_t value) {
    return &e->j->values.items[value];
}
void sl_jit_byte(struct sl_jit_emission *e, int byte);
void sl_jit_number(struct sl_jit_emission *e, uint64_t value, int n_bytes); /* the lowest first */
/* A jump of which `at` says how far. */
void sl_jit_site(struct sl_jit_emission *e, size_t at, uint32_t label);
void sl_jit_cold(struct sl_jit_emission *e, size_t jump, uint32_t instruction); /* and back to here */
void sl_jit_stop(struct sl_jit_emission *e, size_t jump);
/* Whether the comparison at `at` is there for the jump behind it alone. */
bool sl_jit_is_for_jump(const struct sl_jit_emission *e, uint32_t at);

/* The processor that the library is built for. */
struct sl_jit_emitter {
    /* Registers that values may have, those first that a call destroys; the rest, from `n_lost` on, survives it. */
    const int8_t *registers[SL_JIT_CLASSES];
    int n_registers[SL_JIT_CLASSES], n_lost[SL_JIT_CLASSES];
    void (*enter)(struct sl_jit_emission *e); /* NULL: there is no emitter */
    /* Emits the instruction at `at`, and maybe the one behind it; gives how many. */
    uint32_t (*one)(struct sl_jit_emission *e, uint32_t at);
    void (*cold)(struct sl_jit_emission *e, const struct sl_jit_cold *cold); /* what a poll does when it asks */
    void (*leave)(struct sl_jit_emission *e, uint32_t result);
    void (*set_target)(struct sl_jit_emission *e, size_t at, size_t target);
};
extern const struct sl_jit_emitter sl_jit_x86_64, sl_jit_aarch64, sl_jit_none;
#if defined __x86_64__
#define SL_JIT_EMITTER sl_jit_x86_64
#elif defined __aarch64__
#define SL_JIT_EMITTER sl_jit_aarch64
#else
#define SL_JIT_EMITTER sl_jit_none
#endif

/* Whether a call destroys the register. */
bool sl_jit_is_lost(enum sl_jit_class class, int8_t reg);
/* Whether a value is needed both before and after the instruction. */
static inline bool sl_jit_lives_across(const struct sl_jit_value *v, uint32_t instruction) {
    return v->begin < instruction && v->end > instruction;
}
/* Whether a value is in a register and needed after the instruction as well as before: all such, or those whose register a
 * call destroys. They go home before it. */
static inline bool sl_jit_is_saved(const struct sl_jit_emission *e, uint32_t value, uint32_t instruction, bool all) {
    const struct sl_jit_value *v = sl_jit_of(e, value);
    if (v->reg < 0 || !sl_jit_lives_across(v, instruction)) return false;
    return all || sl_jit_is_lost(sl_jit_class_of(v->type), v->reg);
}
/* Emits all of it, registers assigned; false: memory is out. */
bool sl_jit_emit(sl_jit_bytes *out, const struct sl_jit *j);
/* Gives each value the instructions between which it lives, and a register or its home; false: memory is out. */
bool sl_jit_assign_registers(struct sl_jit *j);

/* What instructions read (up to three values) and write; SL_JIT_NONE where there is none. */
struct sl_jit_operands {
    uint32_t out, in[3];
};
static inline struct sl_jit_operands sl_jit_operands(const struct sl_jit_instruction *i) {
    return (struct sl_jit_operands){i->out, {i->a, i->b, i->c}};
}

#endif
