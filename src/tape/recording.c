/* Recording: which values a tape follows, and what it keeps of the ops between them. */
#include "tape/recording.h"

#include "base/alloc.h"
#include "grad/rules.h"
#include "grad/sums.h"
#include "tape/recorded.h"

sl_code sl_recording_new(struct sl_recording **out, struct sl_execute_env *env, bool is_persistent,
                         struct sl_error *err) {
    struct sl_recording *tape = env->own_spare;
    if (!tape) {
        tape = sl_calloc(1, sizeof *tape);
        if (!tape) return sl_fail_memory(err, sizeof *tape);
        sl_arena_init(&tape->arena);
    }
    env->own_spare = NULL;
    tape->env = env;
    tape->is_persistent = is_persistent;
    *out = tape;
    return SL_OK;
}

static void drop_items(struct sl_recorded_op *r) {
    for (int i = 0; i < r->n_inputs + r->n_outputs; i++) sl_value_clear(&r->items[i].value);
}

void sl_record_let_go(struct sl_recorded_op *r) {
    if (!r->op) return;
    drop_items(r);
    if (r->owns_instance) sl_kernel_instance_unref(r->instance);
    sl_call_gradient_unref(r->call);
    sl_custom_rule_unref(r->custom);
    r->op = NULL;
    r->instance = NULL;
    r->call = NULL;
    r->custom = NULL;
}

static void free_all(struct sl_recording *tape) {
    sl_vec_free(&tape->records);
    sl_free(tape->slots);
    sl_arena_clear(&tape->arena);
    sl_free(tape);
}

/* As new; false when it has become large. */
static bool make_spare(struct sl_recording *tape) {
    enum { MOST_SLOTS = 1024, MOST_BYTES = 1 << 16 };
    if (tape->cap_slots > MOST_SLOTS || tape->records.cap > MOST_SLOTS) return false;
    sl_arena_reset(&tape->arena);
    if (sl_arena_bytes(&tape->arena) > MOST_BYTES) return false;
    if (tape->n_slots) memset(tape->slots, 0, tape->cap_slots * sizeof *tape->slots);
    tape->n_slots = 0;
    tape->records.n = 0;
    tape->is_used = false;
    return true;
}

void sl_recording_free(struct sl_recording *tape) {
    if (!tape) return;
    for (size_t i = 0; i < tape->records.n; i++) sl_record_let_go(tape->records.items[i]);
    if (!tape->env->own_spare && make_spare(tape)) tape->env->own_spare = tape;
    else free_all(tape);
}

sl_code sl_recording_check(const struct sl_recording *tape, struct sl_error *err) {
    if (!tape->is_used) return SL_OK;
    return sl_fail(err, SL_FAILED_PRECONDITION,
                   "The tape has given its gradients already; a persistent one gives them again");
}

sl_code sl_recording_begin_many(struct sl_recording *tape, struct sl_error *err) {
    SL_TRY(sl_recording_check(tape, err));
    tape->gives_once = !tape->is_persistent;
    tape->is_persistent = true;
    return SL_OK;
}

void sl_recording_end_many(struct sl_recording *tape) {
    if (!tape->gives_once) return;
    tape->is_persistent = false;
    tape->is_used = true;
    for (size_t i = 0; i < tape->records.n; i++) sl_record_let_go(tape->records.items[i]);
}

bool sl_recording_is_persistent(const struct sl_recording *tape) { return tape->is_persistent; }

void sl_recording_free_spare(struct sl_execute_env *env) {
    if (env->own_spare) free_all(env->own_spare);
    env->own_spare = NULL;
}

/* ---- slots */
static size_t first_place(const struct sl_recording *tape, uint64_t id) {
    return (size_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (tape->cap_slots - 1);
}

static struct sl_slot_entry *find_entry(const struct sl_recording *tape, uint64_t id) {
    size_t at = first_place(tape, id);
    while (tape->slots[at].id && tape->slots[at].id != id) at = (at + 1) & (tape->cap_slots - 1);
    return &tape->slots[at];
}

int32_t sl_recording_slot(const struct sl_recording *tape, uint64_t id) {
    if (!tape->n_slots) return -1;
    const struct sl_slot_entry *entry = find_entry(tape, id);
    return entry->id ? entry->slot : -1;
}

/* Makes room for `more` further slots: the table is never more than half full, and grows to four times its size. */
static sl_code reserve(struct sl_recording *tape, int more, struct sl_error *err) {
    const size_t wanted = 2 * ((size_t)tape->n_slots + (size_t)more);
    size_t cap = tape->cap_slots ? tape->cap_slots : 64;
    if (wanted <= tape->cap_slots) return SL_OK;
    if (wanted > INT32_MAX) return sl_fail(err, SL_RESOURCE_EXHAUSTED, "A tape follows too many values");
    while (cap < 2 * wanted) cap *= 2;
    struct sl_slot_entry *old = tape->slots, *end = old + tape->cap_slots;
    tape->slots = sl_calloc(cap, sizeof *tape->slots);
    if (!tape->slots) {
        tape->slots = old;
        return sl_fail_memory(err, cap * sizeof *old);
    }
    tape->cap_slots = cap;
    for (const struct sl_slot_entry *entry = old; entry < end; entry++)
        if (entry->id) *find_entry(tape, entry->id) = *entry;
    sl_free(old);
    return SL_OK;
}

/* There is room. */
static int32_t follow(struct sl_recording *tape, uint64_t id) {
    struct sl_slot_entry *entry = find_entry(tape, id);
    if (!entry->id) *entry = (struct sl_slot_entry){id, tape->n_slots++};
    return entry->slot;
}

sl_code sl_recording_watch(struct sl_recording *tape, const struct sl_traced *value, struct sl_error *err) {
    if (!sl_is_trainable(value->value.dtype)) return SL_OK;
    SL_TRY(reserve(tape, 1, err));
    follow(tape, value->id);
    return SL_OK;
}

/* ---- records */
/* What a record keeps of an op: the `reads` of its rule; nothing is recorded when gradients end there by design. */
static bool find_reads(uint32_t *reads, const struct sl_recording *tape, const struct sl_op *op) {
    const struct sl_rule_row *row = op->index < SL_ROW_COUNT ? tape->env->own_rules[op->index] : NULL;
    *reads = row ? row->reads : 0;
    return !row || row->rule;
}

static int32_t slot_of(const struct sl_recording *tape, const struct sl_traced *value) {
    return sl_is_trainable(value->value.dtype) ? sl_recording_slot(tape, value->id) : -1;
}

bool sl_recording_follows(const struct sl_recording *tape, const struct sl_traced *value) {
    return slot_of(tape, value) >= 0;
}

/* The first input that is followed, and its slot; as many as there are inputs: none is. */
static int find_followed(int32_t *slot, const struct sl_recording *tape, const struct sl_ran *ran) {
    int i = 0;
    while (i < ran->n_inputs && (*slot = slot_of(tape, ran->inputs[i])) < 0) i++;
    return i;
}

/* Those of an instance that remembers them stay as long as it. */
static sl_code keep_attrs(const struct sl_attrs **out, struct sl_recording *tape, const struct sl_ran *ran,
                          struct sl_error *err) {
    *out = ran->instance ? ran->instance->request.attrs : NULL;
    if (*out || ran->call || ran->refusal || ran->custom) return SL_OK;
    struct sl_attrs *copy = SL_ARENA_NEW(&tape->arena, struct sl_attrs);
    *out = copy;
    return copy ? sl_attrs_copy(copy, &tape->arena, ran->attrs, err) : sl_fail_memory(err, sizeof *copy);
}

static sl_code keep_refusal(const struct sl_error **out, struct sl_recording *tape, const struct sl_ran *ran,
                            struct sl_error *err) {
    *out = NULL;
    if (!ran->refusal) return SL_OK;
    struct sl_error *copy = SL_ARENA_NEW(&tape->arena, struct sl_error);
    if (!copy) return sl_fail_memory(err, sizeof *copy);
    *copy = *ran->refusal;
    *out = copy;
    return SL_OK;
}

/* Whether a value is worth leaving out, when no rule reads it: what has its elements within itself is not. */
static bool is_heavy(const struct sl_value *v) { return v->kind == SL_VALUE_TENSOR && sl_dtype_is_plain(v->dtype); }

/* Item `at`, of which the rule reads elements when `is_read`. */
static sl_code keep_item(struct sl_recorded_op *r, struct sl_recording *tape, int at, const struct sl_traced *item,
                         bool is_read, struct sl_error *err) {
    if (is_read || !is_heavy(&item->value)) {
        r->items[at] = (struct sl_traced){sl_value_share(&item->value), item->id};
        return SL_OK;
    }
    const size_t n = (size_t)r->n_inputs + (size_t)r->n_outputs;
    if (!r->shapes) r->shapes = SL_ARENA_ARRAY(&tape->arena, struct sl_shape, n);
    if (!r->shapes) return sl_fail_memory(err, n * sizeof *r->shapes);
    r->shapes[at] = sl_shape_copy(&tape->arena, sl_tensor_shape(item->value.tensor));
    r->items[at] = (struct sl_traced){{.kind = SL_VALUE_NONE, .dtype = item->value.dtype}, item->id};
    return r->shapes[at].rank == -2 ? sl_fail_memory(err, sizeof *r->shapes) : SL_OK;
}

static bool reads(uint32_t which, uint32_t bit, int i) { return which == 0 || (i < 15 && which & bit); }

static void drop_record(struct sl_recorded_op *r) {
    drop_items(r);
    r->op = NULL;
}

static sl_code keep_inputs(struct sl_recorded_op *r, struct sl_recording *tape, const struct sl_ran *ran,
                           struct sl_error *err) {
    SL_TRY(keep_attrs(&r->attrs, tape, ran, err));
    SL_TRY(keep_refusal(&r->refusal, tape, ran, err));
    for (int i = 0; i < ran->n_inputs; i++)
        SL_TRY(keep_item(r, tape, i, ran->inputs[i], reads(r->reads, SL_READS_X(i & 15), i), err));
    return SL_OK;
}

/* `first` is the first input that is followed. */
static void find_slots(struct sl_recorded_op *r, const struct sl_recording *tape, int first, int32_t slot) {
    for (int i = 0; i < r->n_inputs; i++)
        r->slots[i] = i > first ? slot_of(tape, &r->items[i]) : i == first ? slot : -1;
}

sl_code sl_recording_begin(struct sl_recorded_op **out, struct sl_recording *tape, const struct sl_ran *ran,
                           struct sl_error *err) {
    const size_t n = (size_t)ran->n_inputs + (size_t)ran->n_outputs;
    int32_t slot = -1;
    uint32_t which = 0;
    *out = NULL;
    if (tape->is_used) return SL_OK;
    int followed = find_followed(&slot, tape, ran);
    const bool is_by_graph = ran->call || ran->refusal; /* all is kept: what is read is up to nodes */
    if (followed == ran->n_inputs) return SL_OK;
    if (!ran->custom && !is_by_graph && !find_reads(&which, tape, ran->op)) return SL_OK;
    const size_t bytes = sizeof(struct sl_recorded_op) + n * (sizeof(struct sl_traced) + sizeof(int32_t));
    struct sl_recorded_op *r = sl_arena_alloc(&tape->arena, bytes);
    if (!r) return sl_fail_memory(err, bytes);
    r->op = ran->op;
    r->instance = NULL;
    r->owns_instance = false;
    r->call = NULL;
    r->custom = NULL;
    r->reads = which;
    r->n_inputs = ran->n_inputs;
    r->n_outputs = ran->n_outputs;
    r->shapes = NULL;
    r->items = (struct sl_traced *)(r + 1);
    r->slots = (int32_t *)(r->items + n);
    for (size_t i = 0; i < n; i++) r->items[i].value.kind = SL_VALUE_NONE;
    sl_code code = keep_inputs(r, tape, ran, err);
    if (code != SL_OK) {
        drop_record(r);
        return code;
    }
    find_slots(r, tape, followed, slot);
    if (ran->instance) {
        r->instance = ran->instance;
        /* That of a call goes with its function. */
        r->owns_instance = ran->call || !sl_execute_holds(tape->env, ran->instance);
        if (r->owns_instance) sl_kernel_instance_ref(ran->instance);
    }
    if (ran->call) r->call = sl_call_gradient_ref(ran->call);
    if (ran->custom) r->custom = sl_custom_rule_ref(ran->custom);
    *out = r;
    return SL_OK;
}

static sl_code finish(struct sl_recording *tape, struct sl_recorded_op *r, const struct sl_traced *outputs,
                      struct sl_error *err) {
    if (tape->records.n == tape->records.cap && sl_vec_reserve(&tape->records, 1)) return sl_fail_memory(err, sizeof r);
    SL_TRY(reserve(tape, r->n_outputs, err));
    for (int i = 0; i < r->n_outputs; i++)
        SL_TRY(keep_item(r, tape, r->n_inputs + i, &outputs[i], reads(r->reads, SL_READS_Y(i & 15), i), err));
    for (int i = 0, at = r->n_inputs; i < r->n_outputs; i++, at++)
        r->slots[at] = sl_is_trainable(r->items[at].value.dtype) ? follow(tape, r->items[at].id) : -1;
    tape->records.items[tape->records.n++] = r;
    return SL_OK;
}

sl_code sl_recording_finish(struct sl_recording *tape, struct sl_recorded_op *r, const struct sl_traced *outputs,
                            struct sl_error *err) {
    sl_code code = finish(tape, r, outputs, err);
    if (code != SL_OK) sl_record_let_go(r);
    return code;
}

sl_code sl_recording_add(struct sl_recording *tape, const struct sl_ran *ran, struct sl_error *err) {
    struct sl_recorded_op *r;
    SL_TRY(sl_recording_begin(&r, tape, ran, err));
    return r ? sl_recording_finish(tape, r, ran->outputs, err) : SL_OK;
}

/* ---- rules of the caller's own */
struct sl_custom_rule *sl_custom_rule_ref(struct sl_custom_rule *c) {
    c->refs++;
    return c;
}

void sl_custom_rule_unref(struct sl_custom_rule *c) {
    if (!c || --c->refs) return;
    if (c->free_arg) c->free_arg(c->arg);
    sl_free(c);
}
