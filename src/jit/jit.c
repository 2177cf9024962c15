/* Building: what is added in order, until an emitter makes code of it. */
#include "jit/jit.h"

#include <string.h>

#include "base/env.h"
#include "jit/code_emission.h"
#include "os/page.h"

bool sl_jit_is_there(void) {
    const char *asked = sl_env_text(SL_ENV_JIT);
    return SL_JIT_EMITTER.enter && !(asked && !strcmp(asked, "off"));
}

bool sl_jit_is_due(void) {
    const char *asked = sl_env_text(SL_ENV_JIT);
    return asked && !strcmp(asked, "now");
}

void sl_jit_begin(struct sl_jit *j) { *j = (struct sl_jit){.failed = false}; }

void sl_jit_abandon(struct sl_jit *j) {
    sl_vec_free(&j->code);
    sl_vec_free(&j->values);
}

uint32_t sl_jit_value(struct sl_jit *j, enum sl_jit_type type, uint32_t home) {
    const bool is_local = home == SL_JIT_NONE;
    const struct sl_jit_value value = {.type = (uint8_t)type,
                                       .home = is_local ? 8 * j->n_locals : home,
                                       .is_local = is_local,
                                       .reg = -1};
    j->n_locals += is_local;
    if (sl_vec_push(&j->values, value)) j->failed = true;
    return j->failed ? 0 : (uint32_t)j->values.n - 1;
}

uint32_t sl_jit_label(struct sl_jit *j) { return j->n_labels++; }

static void add(struct sl_jit *j, struct sl_jit_instruction instruction) {
    if (sl_vec_push(&j->code, instruction)) j->failed = true;
}

static uint8_t type_of(const struct sl_jit *j, uint32_t value) {
    return value < j->values.n ? j->values.items[value].type : (uint8_t)SL_JIT_BOOL;
}

/* An instruction without values but those named. */
static struct sl_jit_instruction plain(enum sl_jit_op op) {
    return (struct sl_jit_instruction){
        .op = (uint8_t)op, .out = SL_JIT_NONE, .a = SL_JIT_NONE, .b = SL_JIT_NONE, .c = SL_JIT_NONE};
}

void sl_jit_place(struct sl_jit *j, uint32_t label) {
    struct sl_jit_instruction i = plain(SL_JIT_PLACE);
    i.label = label;
    add(j, i);
}

void sl_jit_add(struct sl_jit *j, enum sl_jit_op op, uint32_t out, uint32_t a, uint32_t b) {
    struct sl_jit_instruction i = plain(op);
    i.out = out;
    i.a = a;
    i.b = b;
    i.type = type_of(j, a);
    if (op != SL_JIT_MOVE || out != a) add(j, i);
}

void sl_jit_select(struct sl_jit *j, uint32_t out, uint32_t c, uint32_t a, uint32_t b) {
    struct sl_jit_instruction i = plain(SL_JIT_SELECT);
    i.out = out;
    i.a = a;
    i.b = b;
    i.c = c;
    i.type = type_of(j, a);
    add(j, i);
}

void sl_jit_call(struct sl_jit *j, sl_jit_callee callee, uint32_t out, uint32_t a, uint32_t b) {
    struct sl_jit_instruction i = plain(SL_JIT_CALL);
    i.out = out;
    i.a = a;
    i.b = b;
    i.callee = callee;
    add(j, i);
}

void sl_jit_look(struct sl_jit *j, uint32_t a, bool counts_infinities) {
    struct sl_jit_instruction i = plain(SL_JIT_LOOK);
    i.a = a;
    i.type = type_of(j, a);
    i.number = counts_infinities;
    add(j, i);
}

void sl_jit_get(struct sl_jit *j, uint32_t out, uint32_t address) {
    struct sl_jit_instruction i = plain(SL_JIT_GET);
    i.out = out;
    i.a = address;
    i.type = type_of(j, out);
    add(j, i);
}

void sl_jit_put(struct sl_jit *j, uint32_t address, uint32_t value) {
    struct sl_jit_instruction i = plain(SL_JIT_PUT);
    i.a = address;
    i.b = value;
    i.type = type_of(j, value);
    add(j, i);
}

void sl_jit_load(struct sl_jit *j, uint32_t value) {
    struct sl_jit_instruction i = plain(SL_JIT_LOAD);
    i.out = value;
    add(j, i);
}

void sl_jit_store(struct sl_jit *j, uint32_t value) {
    struct sl_jit_instruction i = plain(SL_JIT_STORE);
    i.a = value;
    add(j, i);
}

void sl_jit_set(struct sl_jit *j, uint32_t out, uint32_t number) {
    struct sl_jit_instruction i = plain(SL_JIT_SET);
    i.out = out;
    i.number = number;
    add(j, i);
}

void sl_jit_count(struct sl_jit *j, uint32_t value) {
    struct sl_jit_instruction i = plain(SL_JIT_COUNT);
    i.out = i.a = value;
    add(j, i);
}

static void jump(struct sl_jit *j, enum sl_jit_op op, uint32_t value, uint32_t label) {
    struct sl_jit_instruction i = plain(op);
    i.a = value;
    i.label = label;
    i.type = type_of(j, value);
    add(j, i);
}

void sl_jit_jump(struct sl_jit *j, uint32_t label) { jump(j, SL_JIT_JUMP, SL_JIT_NONE, label); }

void sl_jit_jump_if(struct sl_jit *j, uint32_t truth, bool when, uint32_t label) {
    jump(j, when ? SL_JIT_JUMP_IF : SL_JIT_JUMP_UNLESS, truth, label);
}

void sl_jit_jump_if_zero(struct sl_jit *j, uint32_t integer, uint32_t label) {
    jump(j, SL_JIT_JUMP_IF_ZERO, integer, label);
}

void sl_jit_poll(struct sl_jit *j, uint32_t loop, uint32_t turns) {
    struct sl_jit_instruction i = plain(SL_JIT_POLL);
    i.a = turns;
    i.number = loop;
    add(j, i);
}

void sl_jit_return(struct sl_jit *j, uint32_t number) {
    struct sl_jit_instruction i = plain(SL_JIT_RETURN);
    i.number = number;
    add(j, i);
}

void sl_jit_finish(struct sl_jit_code *out, struct sl_jit *j) {
    sl_jit_bytes bytes = {NULL, 0, 0};
    *out = (struct sl_jit_code){.run = NULL};
    if (!j->failed && sl_jit_is_there() && sl_jit_assign_registers(j) && sl_jit_emit(&bytes, j)) {
        out->pages = sl_pages_for_code(bytes.items, bytes.n);
        out->n_bytes = bytes.n;
        if (out->pages) memcpy(&out->run, &out->pages, sizeof out->run); /* ISO C has no cast from data to code */
    }
    sl_vec_free(&bytes);
    sl_jit_abandon(j);
}

void sl_jit_code_free(struct sl_jit_code *code) {
    if (code->pages) sl_pages_free_code(code->pages, code->n_bytes);
    *code = (struct sl_jit_code){.run = NULL};
}
