/* Scopes whose ops run at once: values, blocks, variables, and the scope's tape.
 *
 *     scope ─ blocks ─► [ value ⇄ value ⇄ ... ]         value: { node of an empty graph | handle of each output }
 *           ─ variables by name, of no block
 *
 * A value that is freed stays in a list for the next one, marked as freed: its memory goes with the scope. So a value
 * that is used too late is told, as long as its place has not been given to another one. */
#include "front/front_eager.h"

#include <string.h>

#include "capi/eager/eager_handles.h"
#include "front/front_attrs.h"
#include "sluice/eager.h"
#include "sluice/ops.h"
#include "sluice/tape.h"
#include "sluice/tensors.h"

enum { FEW_OUTPUTS = 4, MOST_OUTPUTS = 1024 };
#define NO_BLOCK SIZE_MAX

struct eager_value {
    struct sl_node node;               /* first */
    struct eager_value *next, **place; /* in its block, or in the list of the free */
    bool is_free;
    size_t block; /* its position; NO_BLOCK: a variable's */
    int cap;
    struct later *later;                /* it is yet to be computed; in the arena of its block */
    const struct eager_variable *reads; /* its value is what this variable holds whenever it is asked for */
    struct sl_handle_data holds;        /* of a variable's handle */
    uint8_t *types;                     /* cap each, behind it */
    struct sl_shape *shapes;
    struct sl_eager_handle *handles[];
};

/* An initial value that nobody has read yet. */
struct later {
    sl_initial_function *f;
    TF_DataType type;
    int64_t dims[SL_MAX_RANK];
    int rank;
    double a, b;
    TF_Output made; /* `oper` NULL: not yet */
};

struct block {
    struct eager_value *values;
    struct sl_arena arena; /* of the scope, before */
};

struct eager_variable {
    struct sl_var variable; /* `value` is read whenever it is used */
    TF_DataType type;
    struct sl_handle_item holds;
};

struct sl_eager_front {
    TFE_Context *context;
    bool owns_context;
    struct sl_eager_op *op;          /* used for one op after the other */
    SL_VEC(struct block) blocks;     /* the first is the scope's own */
    struct eager_value *kept;        /* of no block */
    struct eager_value *free, *wide; /* with room for FEW_OUTPUTS, and for more */
    struct sl_arena arena;           /* of variables */
    int64_t initial_seeds;           /* as the scope's `seeds`, for initial values */
    struct sl_str_map variables;     /* name -> struct eager_variable */
    struct sl_tape *tape;            /* NULL: nothing is recorded */
    int functions;
    struct sl_eager_handle *outputs[MOST_OUTPUTS]; /* of the op that runs */
};

/* ---- life */
static struct sl_scope *new_scope(TFE_Context *context, bool owns_context, TF_Status *status) {
    TF_Graph *graph = TF_NewGraph();
    struct sl_scope *scope = graph ? sl_scope_new(graph) : NULL;
    struct sl_eager_front *f = scope ? sl_calloc(1, sizeof *f) : NULL;
    struct sl_error err;
    const struct block own = {.values = NULL};
    if (!f || sl_vec_push(&f->blocks, own)) {
        sl_free(f);
        sl_scope_delete(scope);
        TF_DeleteGraph(graph);
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    sl_arena_init(&f->arena);
    f->context = context;
    scope->eager = f;
    sl_code code = sl_eager_op_new(&f->op, sl_as_eager(context), SL_STR("NoOp"), &err);
    f->owns_context = owns_context && code == SL_OK;
    if (sl_status_take(status, code, &err)) return scope;
    sl_scope_delete(scope);
    return NULL;
}

SL_API struct sl_scope *sl_eager_scope_new(TFE_Context *context, TF_Status *status) {
    if (context) return new_scope(context, false, status);
    context = TFE_NewContext(NULL, status);
    struct sl_scope *scope = context ? new_scope(context, true, status) : NULL;
    if (context && !scope) TFE_DeleteContext(context);
    return scope;
}

SL_API TFE_Context *sl_scope_context(const struct sl_scope *scope) {
    return sl_is_eager(scope) ? scope->eager->context : NULL;
}

static void free_list(struct eager_value *v) {
    while (v) {
        struct eager_value *next = v->next;
        for (int i = 0; i < v->node.n_outputs && !v->is_free; i++) sl_eager_handle_unref(v->handles[i]);
        sl_free(v);
        v = next;
    }
}

void sl_scope_end_eager(struct sl_scope *scope) {
    struct sl_eager_front *f = scope->eager;
    if (!f) return;
    while (f->blocks.n > 1) sl_eager_end(scope);
    sl_tape_delete(f->tape);
    free_list(f->blocks.items[0].values);
    free_list(f->kept);
    free_list(f->free);
    free_list(f->wide);
    sl_vec_free(&f->blocks);
    sl_str_map_free(&f->variables);
    sl_arena_clear(&f->arena);
    sl_eager_op_free(f->op);
    if (f->owns_context) TFE_DeleteContext(f->context);
    sl_free(f);
    scope->eager = NULL;
    TF_DeleteGraph(scope->root.graph);
}

bool sl_scope_needs_graph(struct sl_scope *scope, const char *what) {
    if (!sl_is_eager(scope)) return true;
    sl_status_fail(scope->status, SL_FAILED_PRECONDITION,
                   "%s needs the scope of a graph, and this one runs ops at once", what);
    return false;
}

/* ---- values */
static struct eager_value *value_of(TF_Output value) { return (struct eager_value *)sl_as_node(value.oper); }

bool sl_is_eager_value(const struct sl_scope *scope, TF_Output value) {
    return sl_is_eager(scope) && value.oper && sl_as_node(value.oper)->graph == scope->root.graph->graph;
}

static struct eager_value *allocate(int cap) {
    const size_t n = (size_t)cap;
    struct eager_value *v = sl_calloc(1, sizeof *v + n * (sizeof *v->handles + sizeof *v->shapes + sizeof *v->types));
    if (!v) return NULL;
    v->cap = cap;
    v->shapes = (struct sl_shape *)(v->handles + n);
    v->types = (uint8_t *)(v->shapes + n);
    v->node.shapes = v->shapes;
    v->node.out_types = v->types;
    v->node.name = v->node.device = v->node.assigned = SL_STR("");
    return v;
}

static void link_into(struct eager_value **list, struct eager_value *v) {
    v->next = *list;
    v->place = list;
    if (*list) (*list)->place = &v->next;
    *list = v;
}

static void unlink_value(struct eager_value *v) {
    *v->place = v->next;
    if (v->next) v->next->place = v->place;
}

static struct block *innermost(struct sl_eager_front *f) { return &f->blocks.items[f->blocks.n - 1]; }

/* One with room for n outputs, of which none is there, in the innermost block. */
static struct eager_value *new_value(struct sl_scope *s, const struct sl_op *op, int n) {
    struct sl_eager_front *f = s->eager;
    struct eager_value *v = n <= FEW_OUTPUTS ? f->free : f->wide;
    while (v && v->cap < n) v = v->next;
    if (v) unlink_value(v);
    else v = allocate(n <= FEW_OUTPUTS ? FEW_OUTPUTS : n);
    if (!v) {
        sl_scope_fail_memory(s);
        return NULL;
    }
    v->is_free = false;
    v->block = f->blocks.n - 1;
    v->node.graph = s->root.graph->graph;
    v->node.op = op;
    v->node.name = SL_STR("");
    v->node.handles = NULL;
    v->node.n_outputs = 0;
    v->later = NULL;
    v->reads = NULL;
    link_into(&innermost(f)->values, v);
    return v;
}

static void free_value(struct sl_eager_front *f, struct eager_value *v) {
    for (int i = 0; i < v->node.n_outputs; i++) sl_eager_handle_unref(v->handles[i]);
    v->node.n_outputs = 0;
    v->is_free = true;
    v->later = NULL;
    unlink_value(v);
    link_into(v->cap == FEW_OUTPUTS ? &f->free : &f->wide, v);
}

/* Takes over a reference, also on failure. */
static TF_Output value_with(struct sl_scope *s, struct sl_eager_handle *h) {
    static const struct sl_op constant = {.name = {"Const", 5}, .index = SL_OP_NO_ROW};
    struct eager_value *v = h && sl_scope_ok(s) ? new_value(s, &constant, 1) : NULL;
    if (!v) {
        sl_eager_handle_unref(h);
        return sl_op_first(NULL);
    }
    v->handles[0] = h;
    v->types[0] = h->dtype;
    v->shapes[0] = SL_SHAPE_UNKNOWN;
    v->node.n_outputs = 1;
    return (TF_Output){sl_as_operation(&v->node), 0};
}

SL_API TF_Output sl_value_of_handle(struct sl_scope *scope, TFE_TensorHandle *handle) {
    if (!sl_scope_ok(scope) || !sl_is_eager(scope) || !handle) {
        if (scope && scope->eager) sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_value_of_handle: there is no handle");
        else sl_scope_fail(scope, TF_FAILED_PRECONDITION, "sl_value_of_handle needs a scope that runs ops at once");
        return sl_op_first(NULL);
    }
    return value_with(scope, sl_eager_handle_ref(sl_as_eager_handle(handle)));
}

TF_Output sl_eager_constant(struct sl_scope *scope, const TF_Tensor *tensor) {
    TFE_TensorHandle *h = TFE_NewTensorHandleFromTensor(scope->eager->context, (TF_Tensor *)tensor, scope->status);
    return value_with(scope, sl_as_eager_handle(h));
}

static bool compute(struct sl_scope *s, struct eager_value *v);

static struct sl_eager_handle *handle_of(struct sl_scope *s, TF_Output value);

static struct sl_eager_handle *read_now(struct sl_scope *s, const struct eager_variable *v) {
    return handle_of(s, sl_read_variable_op(s, v->variable.handle, (struct sl_read_variable_op_attrs){v->type}));
}

/* The handle of a value, borrowed; NULL after a failure, which the scope tells. */
static struct sl_eager_handle *handle_of(struct sl_scope *s, TF_Output value) {
    if (!value.oper) {
        sl_scope_fail(s, TF_INVALID_ARGUMENT, "there is no value");
        return NULL;
    }
    if (!sl_is_eager_value(s, value)) {
        sl_scope_fail(s, TF_INVALID_ARGUMENT, "a value of a graph, or of another scope");
        return NULL;
    }
    struct eager_value *v = value_of(value);
    if (v->is_free) {
        sl_scope_fail(s, TF_INVALID_ARGUMENT, "a value that has been freed: its block has ended (sl_eager_keep)");
        return NULL;
    }
    if (v->reads && sl_scope_ok(s)) return read_now(s, v->reads);
    if (v->later && !compute(s, v)) return NULL;
    if (value.index >= 0 && value.index < v->node.n_outputs) return v->handles[value.index];
    sl_status_fail(s->status, SL_INVALID_ARGUMENT, "there is no output %d of op %.*s", value.index,
                   SL_STR_ARG(v->node.op->name));
    return NULL;
}

SL_API TFE_TensorHandle *sl_handle_of(struct sl_scope *scope, TF_Output value) {
    if (!sl_scope_ok(scope)) return NULL;
    if (!sl_is_eager(scope)) {
        sl_scope_fail(scope, TF_FAILED_PRECONDITION, "sl_handle_of needs a scope that runs ops at once");
        return NULL;
    }
    return (TFE_TensorHandle *)handle_of(scope, value);
}

/* ---- blocks */
SL_API void sl_eager_begin(struct sl_scope *scope) {
    if (!sl_is_eager(scope)) return;
    const struct block b = {NULL, scope->arena};
    if (sl_vec_push(&scope->eager->blocks, b)) {
        sl_scope_fail_memory(scope);
        return;
    }
    /* The first value of a block points to it, and they have moved. */
    for (size_t i = 0; i < scope->eager->blocks.n; i++) {
        struct block *moved = &scope->eager->blocks.items[i];
        if (moved->values) moved->values->place = &moved->values;
    }
    sl_arena_init(&scope->arena);
}

SL_API void sl_eager_end(struct sl_scope *scope) {
    if (!sl_is_eager(scope)) return;
    struct sl_eager_front *f = scope->eager;
    if (f->blocks.n < 2) {
        sl_scope_fail(scope, TF_FAILED_PRECONDITION, "sl_eager_end: nothing has begun");
        return;
    }
    struct block *b = innermost(f);
    while (b->values) free_value(f, b->values);
    sl_arena_clear(&scope->arena);
    scope->arena = b->arena;
    scope->next_name = NULL;
    f->blocks.n--;
}

SL_API TF_Output sl_eager_keep(struct sl_scope *scope, TF_Output value) {
    if (!sl_is_eager(scope)) return value;
    struct sl_eager_front *f = scope->eager;
    struct eager_value *v = handle_of(scope, value) ? value_of(value) : NULL;
    /* What belongs to a block further out stays there, and variables belong to none. */
    if (!v || v->block != f->blocks.n - 1 || !v->block) return value;
    unlink_value(v);
    link_into(&f->blocks.items[--v->block].values, v);
    return value;
}

/* ---- ops */
static sl_code put_attr(struct sl_scope *s, const struct sl_attr_given *attr, struct sl_error *err) {
    struct sl_eager_attrs *attrs = &s->eager->op->attrs;
    int n;
    bool is_list;
    sl_attr_value *value;
    TF_Tensor *const *tensors = sl_given_tensors(&n, &is_list, attr);
    if (tensors) {
        SL_TRY(sl_value_of_tensors(&value, &attrs->arena, tensors, n, is_list, err));
        for (int i = 0; i < n; i++)
            if (sl_vec_push(&attrs->tensors, sl_tensor_ref(tensors[i]->tensor))) {
                sl_tensor_unref(tensors[i]->tensor);
                return sl_fail_memory(err, sizeof *tensors);
            }
    } else {
        value = sl_given_value(s, &attrs->arena, attr);
    }
    return value ? sl_eager_attrs_put(attrs, sl_str_of(attr->name), value, err) : SL_OK;
}

/* Runs what has been put together. */
static TF_Operation *execute(struct sl_scope *s, const char *name) {
    static const struct sl_op call = {.name = {"Call", 4}, .index = SL_OP_NO_ROW};
    struct sl_eager_handle **outputs = s->eager->outputs;
    struct sl_eager_op *op = s->eager->op;
    struct sl_error err;
    int n = MOST_OUTPUTS;
    sl_code code = sl_eager_execute(outputs, &n, op, &err);
    if (code != SL_OK) {
        sl_eager_op_drop_inputs(op);
        sl_status_fail(s->status, code, "%s: %s", name, err.message);
        return NULL;
    }
    struct eager_value *v = new_value(s, op->function ? &call : op->op, n);
    for (int i = 0; i < n; i++) {
        if (!v) {
            sl_eager_handle_unref(outputs[i]);
            continue;
        }
        v->handles[i] = outputs[i];
        v->types[i] = outputs[i]->dtype;
        v->shapes[i] = SL_SHAPE_UNKNOWN;
    }
    if (!v) return NULL;
    v->node.n_outputs = n;
    return sl_as_operation(&v->node);
}

static bool begin_op(struct sl_scope *s, const char *name) {
    struct sl_error err;
    s->next_name = NULL;
    return sl_status_take(s->status,
                          sl_eager_op_reset(s->eager->op, sl_str_of(name ? name : ""), sl_str_of(s->device), &err),
                          &err);
}

static int count_of(const struct sl_op_input *input) { return input->n < 0 ? 1 : input->n; }

/* All inputs, one after the other: to ask for a value may run ops. */
static bool take_inputs(struct sl_eager_handle **to, struct sl_scope *s, const char *op,
                        const struct sl_op_input *inputs, int n_inputs) {
    for (int i = 0; i < n_inputs; i++)
        for (int k = 0; k < count_of(&inputs[i]); k++) {
            if ((*to++ = handle_of(s, inputs[i].items[k]))) continue;
            const char *why = sl_arena_format(&s->arena, "%s", sl_scope_message(s));
            sl_status_fail(s->status, (sl_code)sl_scope_code(s), "%s: input %d: %s", op, i, why ? why : "");
            return false;
        }
    return true;
}

static sl_code put_together(struct sl_scope *s, struct sl_eager_handle *const *handles,
                            const struct sl_op_input *inputs, int n_inputs, const struct sl_attr_given *attrs,
                            int n_attrs, struct sl_error *err) {
    struct sl_eager_op *op = s->eager->op;
    for (int i = 0; i < n_inputs; handles += count_of(&inputs[i++]))
        SL_TRY(inputs[i].n < 0 ? sl_eager_op_add(op, *handles, err)
                               : sl_eager_op_add_list(op, handles, inputs[i].n, err));
    for (int i = 0; i < n_attrs; i++) SL_TRY(put_attr(s, &attrs[i], err));
    return SL_OK;
}

TF_Operation *sl_eager_op_run(struct sl_scope *scope, const char *op, const struct sl_op_input *inputs, int n_inputs,
                              const struct sl_attr_given *attrs, int n_attrs) {
    enum { FEW = 16 };
    struct sl_eager_handle *few[FEW], **handles = few;
    struct sl_error err;
    size_t n = 0;
    for (int i = 0; i < n_inputs; i++) n += (size_t)count_of(&inputs[i]);
    if (n > FEW) handles = SL_ARENA_ARRAY(&scope->arena, struct sl_eager_handle *, n);
    if (!handles) sl_scope_fail_memory(scope);
    if (!handles || !take_inputs(handles, scope, op, inputs, n_inputs) || !begin_op(scope, op)) return NULL;
    sl_code code = put_together(scope, handles, inputs, n_inputs, attrs, n_attrs, &err);
    if (code != SL_OK) sl_status_fail(scope->status, code, "%s: %s", op, err.message);
    if (sl_scope_ok(scope)) return execute(scope, op);
    sl_eager_op_drop_inputs(scope->eager->op);
    return NULL;
}

/* ---- reading */
static const struct sl_value *read_value(struct sl_scope *s, TF_Output value) {
    struct sl_error err;
    struct sl_eager_handle *h = sl_scope_ok(s) ? handle_of(s, value) : NULL;
    if (!h || !sl_status_take(s->status, sl_eager_handle_wait(h, &err), &err)) return NULL;
    return &h->value;
}

int sl_eager_shape(struct sl_scope *scope, TF_Output value, int64_t *dims, int most) {
    const struct eager_value *v = sl_is_eager_value(scope, value) ? value_of(value) : NULL;
    if (v && !v->is_free && (v->later || v->reads)) {
        const struct sl_shape known = v->shapes[0];
        for (int i = 0; dims && i < known.rank && i < most; i++) dims[i] = known.dims[i];
        return known.rank;
    }
    const struct sl_value *read = read_value(scope, value);
    if (!read) return -1;
    const struct sl_view view = sl_value_view(read);
    for (int i = 0; dims && i < view.rank && i < most; i++) dims[i] = view.dims[i];
    return view.rank;
}

SL_API void sl_eager_read(struct sl_scope *scope, void *elements, TF_Output value, TF_DataType type, int64_t count) {
    if (!sl_scope_ok(scope)) return;
    TFE_TensorHandle *h = sl_handle_of(scope, value);
    TF_Tensor *tensor = h ? TFE_TensorHandleResolve(h, scope->status) : NULL;
    if (!tensor) return;
    if (type == TF_STRING) /* the bytes would be those of a tensor that is deleted here */
        sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_eager_read: strings are read by sl_tensor_read, of a tensor");
    else sl_tensor_read(elements, tensor, type, count, scope->status);
    TF_DeleteTensor(tensor);
}

SL_API double sl_number_of(struct sl_scope *scope, TF_Output value) {
    double number = 0;
    if (!sl_scope_ok(scope) || !sl_handle_of(scope, value)) return 0;
    sl_eager_begin(scope);
    if (sl_type_of(scope, value) != TF_DOUBLE) value = sl_cast(scope, value, (struct sl_cast_attrs){.DstT = TF_DOUBLE});
    sl_eager_read(scope, &number, value, TF_DOUBLE, 1);
    sl_eager_end(scope);
    return sl_scope_ok(scope) ? number : 0;
}

SL_API TF_Operation *sl_print(struct sl_scope *scope, const char *label, TF_Output value) {
    if (!sl_scope_ok(scope)) return NULL;
    const char *format = sl_arena_format(&scope->arena, "%s%s{}", label ? label : "", label && *label ? " " : "");
    if (!format) {
        sl_scope_fail_memory(scope);
        return NULL;
    }
    TF_Output text = sl_string_format_with(
        scope, &value, 1, (struct sl_string_format_attrs){.template_ = format, .placeholder = "{}", .summarize = 3});
    return sl_print_v2_with(scope, text, (struct sl_print_v2_attrs){.output_stream = "stdout"});
}

/* ---- initial values */
/* The eager scope whose variables a scope makes: itself, or the one around; NULL: none. */
static struct sl_scope *scope_of_variables(struct sl_scope *s) { return sl_is_eager(s) ? s : s ? s->around : NULL; }

TF_Output sl_initial_later(struct sl_scope *scope, sl_initial_function *f, TF_DataType type, struct sl_dims shape,
                           double a, double b) {
    struct sl_scope *s = scope_of_variables(scope);
    if (!s || !sl_scope_ok(s)) return f(scope, type, shape, a, b);
    static const struct sl_op initial = {.name = {"Initial", 7}, .index = SL_OP_NO_ROW};
    struct eager_value *v = NULL;
    struct later *later = SL_ARENA_NEW(&s->arena, struct later);
    if (!shape.dims || shape.n < 0 || shape.n > SL_MAX_RANK) return f(scope, type, shape, a, b); /* which says why */
    if (later) v = new_value(s, &initial, 1);
    if (!v) {
        sl_scope_fail_memory(scope);
        return sl_op_first(NULL);
    }
    *later = (struct later){.f = f, .type = type, .rank = shape.n, .a = a, .b = b};
    for (int i = 0; i < shape.n; i++) later->dims[i] = shape.dims[i];
    v->later = later;
    v->types[0] = (uint8_t)type;
    v->shapes[0] = (struct sl_shape){later->rank, later->dims};
    v->handles[0] = NULL;
    v->node.n_outputs = 1;
    return (TF_Output){sl_as_operation(&v->node), 0};
}

static bool compute(struct sl_scope *s, struct eager_value *v) {
    struct later *later = v->later;
    struct sl_eager_handle *h = NULL;
    const struct sl_dims shape = {later->dims, later->rank};
    const int64_t seeds = s->seeds;
    s->seeds = s->eager->initial_seeds;
    sl_eager_begin(s);
    TF_Output made = later->f(s, later->type, shape, later->a, later->b);
    if (sl_scope_ok(s)) h = handle_of(s, made);
    if (h) v->handles[0] = sl_eager_handle_ref(h);
    sl_eager_end(s);
    s->eager->initial_seeds = s->seeds;
    s->seeds = seeds;
    v->later = NULL;
    v->shapes[0] = SL_SHAPE_UNKNOWN;
    if (!h) v->node.n_outputs = 0;
    return h != NULL;
}

/* ---- variables */
static const char *whole_name(struct sl_scope *s, struct sl_arena *arena, const char *name) {
    const char *whole = sl_arena_format(arena, "%.*s%s", (int)s->prefix.n, s->prefix.items ? s->prefix.items : "",
                                        name ? name : "variable");
    if (!whole) sl_scope_fail_memory(s);
    return whole;
}

/* Makes a variable in the eager scope, of no block. */
static struct eager_variable *make_variable(struct sl_scope *s, const char *name, TF_Output initial, bool is_trained) {
    struct sl_eager_front *f = s->eager;
    int64_t dims[SL_MAX_RANK];
    struct eager_variable *made = SL_ARENA_NEW(&f->arena, struct eager_variable);
    const char *kept = sl_arena_format(&f->arena, "%s", name);
    int rank = sl_eager_shape(s, initial, dims, SL_MAX_RANK);
    if (!made || !kept) sl_scope_fail_memory(s);
    if (!sl_scope_ok(s)) return NULL;
    made->type = sl_type_of(s, initial);
    const struct sl_var_handle_op_attrs attrs = {.shared_name = kept,
                                                 .dtype = made->type,
                                                 .shape = {rank ? dims : (const int64_t[]){0}, rank}};
    made->variable.handle = sl_var_handle_op(s, attrs);
    sl_assign_variable_op(s, made->variable.handle, initial);
    if (!sl_scope_ok(s)) return NULL;
    struct eager_value *v = value_of(made->variable.handle), *read = new_value(s, v->node.op, 1);
    if (!read) return NULL;
    unlink_value(v);
    link_into(&f->kept, v);
    unlink_value(read);
    link_into(&f->kept, read);
    v->block = read->block = NO_BLOCK;
    v->node.name = sl_str_of(kept);
    made->holds.dtype = (int)made->type;
    made->holds.shape = sl_shape_copy(&f->arena, (struct sl_shape){rank, dims});
    v->holds = (struct sl_handle_data){1, &made->holds};
    v->node.handles = &v->holds;
    read->reads = made;
    read->types[0] = (uint8_t)made->type;
    read->shapes[0] = made->holds.shape;
    read->handles[0] = NULL;
    read->node.n_outputs = 1;
    made->variable.value = (TF_Output){sl_as_operation(&read->node), 0};
    if (made->holds.shape.rank == -2 || sl_str_map_put(&f->variables, v->node.name, made) ||
        sl_vec_push(&s->variables, made->variable) || (is_trained && sl_vec_push(&s->trainable, made->variable)))
        sl_scope_fail_memory(s);
    if (is_trained && f->tape) sl_tape_watch(f->tape, (TFE_TensorHandle *)v->handles[0], s->status);
    return sl_scope_ok(s) ? made : NULL;
}

struct sl_var sl_eager_variable(struct sl_scope *scope, const char *name, TF_Output initial, bool is_trained) {
    struct sl_var none = {0};
    struct sl_scope *s = scope_of_variables(scope);
    const char *whole = sl_scope_ok(scope) ? whole_name(scope, &scope->arena, name) : NULL;
    if (!whole) return none;
    struct eager_variable *found = sl_str_map_get(&s->eager->variables, sl_str_of(whole));
    scope->next_name = NULL;
    if (!found) {
        if (!sl_is_eager_value(s, initial)) {
            sl_status_fail(scope->status, SL_FAILED_PRECONDITION,
                           "The variable '%s' is not there, and its initial value is one of a function: begin with "
                           "sl_initial_... or make it outside",
                           whole);
            return none;
        }
        found = make_variable(s, whole, initial, is_trained);
        if (!found) {
            if (s != scope) sl_scope_fail(scope, sl_scope_code(s), sl_scope_message(s));
            return none;
        }
        if (s != scope && is_trained && sl_vec_push(&scope->trainable, found->variable)) sl_scope_fail_memory(scope);
    }
    if (s == scope) return found->variable;
    struct sl_var v = {.handle = sl_scope_see(scope, scope->flow, found->variable.handle)};
    v.value = sl_read_variable_op(scope, v.handle, (struct sl_read_variable_op_attrs){found->type});
    return sl_scope_ok(scope) ? v : none;
}

const char *sl_variable_name(struct sl_scope *scope, struct sl_var variable) {
    TF_Operation *of = variable.handle.oper;
    for (size_t i = 0; scope && scope->around && i < scope->root.captured.n; i++)
        if (scope->root.captured.items[i].to.oper == of) of = scope->root.captured.items[i].from.oper;
    return of ? sl_arena_format(&scope->arena, "%.*s", SL_STR_ARG(sl_as_node(of)->name)) : "";
}

TF_Output sl_eager_variable_of(TF_Output value) {
    const struct eager_variable *v = value_of(value)->reads;
    return v ? v->variable.handle : sl_op_first(NULL);
}

bool sl_eager_tell_shape(struct sl_scope *scope, TF_Output value) {
    const struct sl_value *read = read_value(scope, value);
    if (!read) return false;
    value_of(value)->shapes[value.index] = sl_view_shape(sl_value_view(read));
    return true;
}

/* ---- gradients */
SL_API void sl_record(struct sl_scope *scope) {
    if (scope && scope_of_variables(scope)) scope->seeds = 0;
    if (!sl_is_eager(scope) || !sl_scope_ok(scope)) return;
    struct sl_eager_front *f = scope->eager;
    sl_tape_delete(f->tape);
    f->tape = sl_tape_start(f->context, false, scope->status);
    for (size_t i = 0; i < scope->trainable.n && sl_scope_ok(scope); i++)
        sl_tape_watch(f->tape, sl_handle_of(scope, scope->trainable.items[i].handle), scope->status);
}

static bool has_tape(struct sl_scope *s) {
    if (s->eager->tape) return true;
    sl_scope_fail(s, TF_FAILED_PRECONDITION, "nothing is recorded, or its gradients have been taken: call sl_record");
    return false;
}

SL_API void sl_watch(struct sl_scope *scope, TF_Output value) {
    if (!sl_is_eager(scope) || !sl_scope_ok(scope) || !has_tape(scope)) return;
    TFE_TensorHandle *h = sl_handle_of(scope, value);
    if (h) sl_tape_watch(scope->eager->tape, h, scope->status);
}

static bool take_handles(TFE_TensorHandle **out, struct sl_scope *s, const TF_Output *values, int n) {
    for (int i = 0; i < n; i++)
        if (!(out[i] = (TFE_TensorHandle *)handle_of(s, values[i]))) return false;
    return true;
}

void sl_eager_gradients(struct sl_scope *scope, struct sl_slices *found, const TF_Output *ys, int n_ys,
                        const TF_Output *xs, int n_xs, bool keeps_slices) {
    struct sl_arena *arena = &scope->arena;
    TFE_TensorHandle **handles = SL_ARENA_ARRAY(arena, TFE_TensorHandle *, (size_t)n_ys + (size_t)n_xs + 1);
    struct sl_handle_slices *slices = SL_ARENA_ARRAY(arena, struct sl_handle_slices, (size_t)n_xs + 1);
    struct sl_eager_front *f = scope->eager;
    if (!handles || !slices) sl_scope_fail_memory(scope);
    if (!sl_scope_ok(scope) || !has_tape(scope)) return;
    if (!take_handles(handles, scope, ys, n_ys) || !take_handles(handles + n_ys, scope, xs, n_xs)) return;
    sl_tape_gradient_slices(slices, f->tape, handles, n_ys, handles + n_ys, n_xs, NULL, scope->status);
    sl_tape_delete(f->tape);
    f->tape = NULL;
    for (int i = 0; i < n_xs; i++) {
        TF_Output *parts[] = {&found[i].values, &found[i].indices, &found[i].dense_shape};
        TFE_TensorHandle *given[] = {slices[i].values, slices[i].indices, slices[i].dense_shape};
        for (int k = 0; k < 3; k++)
            *parts[k] = given[k] ? value_with(scope, sl_as_eager_handle(given[k])) : sl_op_first(NULL);
        if (keeps_slices || !found[i].indices.oper) continue;
        TF_Output first = sl_strided_slice(scope, found[i].dense_shape, sl_int_vector(scope, SL_INTS(0)),
                                           sl_int_vector(scope, SL_INTS(1)), sl_int_vector(scope, SL_INTS(1)));
        found[i] = (struct sl_slices){
            .values = sl_unsorted_segment_sum(scope, found[i].values, found[i].indices, sl_squeeze(scope, first))};
    }
}

/* ---- functions */
struct sl_captured {
    struct sl_scope *scope;
    char name[64];
    TF_Function *function;
    TF_DataType *types; /* of its arguments */
    int n_inputs, n_outputs, n_captured;
    struct sl_eager_handle **captured; /* references */
};

static TF_Function *function_of(struct sl_scope *g, const char *name, const TF_Output *arguments, int n,
                                const TF_Output *outputs, int n_outputs) {
    const size_t n_nodes = g->graph->graph->nodes.n;
    const TF_Operation **ends = SL_ARENA_ARRAY(&g->arena, const TF_Operation *, n_nodes + 1);
    TF_Output *inputs = SL_ARENA_ARRAY(&g->arena, TF_Output, (size_t)n + g->root.captured.n + 1);
    int n_ends = 0, n_inputs = 0;
    if (!ends || !inputs) {
        sl_scope_fail_memory(g);
        return NULL;
    }
    for (int i = 0; i < n; i++) inputs[n_inputs++] = arguments[i];
    for (size_t i = 0; i < g->root.captured.n; i++) inputs[n_inputs++] = g->root.captured.items[i].to;
    SL_GRAPH_EACH(node, g->graph->graph)
    if (node->n_outputs == 0) ends[n_ends++] = sl_as_operation(node);
    return TF_GraphToFunctionWithControlOutputs(g->graph, name, 0, -1, NULL, n_inputs, inputs, n_outputs, outputs, NULL,
                                                n_ends, ends, NULL, NULL, NULL, g->status);
}

/* The body in a graph of its own; the function, and what it captured. */
static void trace(struct sl_captured *c, struct sl_scope *g, const TF_Output *inputs, sl_captured_body *body,
                  void *arg) {
    struct sl_scope *s = c->scope;
    TF_Output *arguments = SL_ARENA_ARRAY(&g->arena, TF_Output, (size_t)c->n_inputs + (size_t)c->n_outputs + 1),
              *outputs = arguments + c->n_inputs;
    if (!arguments) sl_scope_fail_memory(g);
    for (int i = 0; i < c->n_inputs && sl_scope_ok(g); i++) {
        if (!sl_eager_tell_shape(s, inputs[i])) return;
        arguments[i] = sl_scope_argument(g, &g->root, inputs[i], true);
        c->types[i] = sl_type_of(s, inputs[i]);
    }
    if (!sl_scope_ok(g)) return;
    body(g, outputs, arguments, arg);
    for (int i = 0; i < c->n_outputs && sl_scope_ok(g); i++) {
        if (outputs[i].oper) outputs[i] = sl_scope_see(g, &g->root, outputs[i]);
        else sl_status_fail(g->status, SL_INVALID_ARGUMENT, "The body gave no output %d", i);
    }
    if (!sl_scope_ok(g)) return;
    c->function = function_of(g, c->name, arguments, c->n_inputs, outputs, c->n_outputs);
    c->captured = sl_calloc(g->root.captured.n + 1, sizeof *c->captured);
    if (!c->captured) sl_scope_fail_memory(g);
    for (size_t i = 0; i < g->root.captured.n && sl_scope_ok(g); i++) {
        struct sl_eager_handle *h = handle_of(s, g->root.captured.items[i].from);
        if (h) c->captured[c->n_captured++] = sl_eager_handle_ref(h);
    }
    if (sl_scope_ok(g)) TFE_ContextAddFunction(s->eager->context, c->function, g->status);
}

static void copy_settings(struct sl_scope *g, const struct sl_scope *s) {
    g->around = (struct sl_scope *)s;
    g->seed = s->seed;
    g->seeds = s->seeds;
    for (size_t i = 0; i < s->trainable.n; i++) {
        struct sl_var v = s->trainable.items[i];
        if (sl_vec_push(&g->trainable, v)) sl_scope_fail_memory(g);
    }
}

SL_API struct sl_captured *sl_capture(struct sl_scope *scope, const char *name, const TF_Output *inputs, int num_inputs,
                                      sl_captured_body *body, int num_outputs, void *arg) {
    if (!sl_scope_ok(scope)) return NULL;
    if (!sl_is_eager(scope)) {
        sl_scope_fail(scope, TF_FAILED_PRECONDITION, "sl_capture needs a scope that runs ops at once");
        return NULL;
    }
    TF_Graph *graph = TF_NewGraph();
    struct sl_scope *g = graph ? sl_scope_new(graph) : NULL;
    struct sl_captured *c = g ? sl_calloc(1, sizeof *c) : NULL;
    if (c) c->types = sl_calloc(num_inputs > 0 ? (size_t)num_inputs : 1, sizeof *c->types);
    if (c && c->types) {
        c->scope = scope;
        c->n_inputs = num_inputs > 0 ? num_inputs : 0;
        c->n_outputs = num_outputs > 0 ? num_outputs : 0;
        snprintf(c->name, sizeof c->name, "%.40s_%d", name && *name ? name : "captured", scope->eager->functions++);
        sl_eager_begin(scope);
        copy_settings(g, scope);
        trace(c, g, inputs, body, arg);
        if (!sl_scope_ok(g)) sl_scope_fail(scope, sl_scope_code(g), sl_scope_message(g));
        sl_eager_end(scope);
    } else {
        sl_scope_fail_memory(scope);
    }
    sl_scope_delete(g);
    TF_DeleteGraph(graph);
    if (sl_scope_ok(scope)) return c;
    sl_captured_delete(c);
    return NULL;
}

/* The function of a graph that was filled, for the context; and what it captured, of the scope around. */
static void give_function(struct sl_scope_function *out, struct sl_scope *s, struct sl_scope *g,
                          const TF_Output *arguments, int n, const TF_Output *outputs, int n_outputs) {
    TF_Output *captured = SL_ARENA_ARRAY(&s->arena, TF_Output, g->root.captured.n + 1);
    if (!captured) sl_scope_fail_memory(g);
    for (size_t i = 0; captured && i < g->root.captured.n; i++) captured[i] = g->root.captured.items[i].from;
    out->captured = captured;
    out->n_captured = (int)g->root.captured.n;
    TF_Function *function = sl_scope_ok(g) ? function_of(g, out->name, arguments, n, outputs, n_outputs) : NULL;
    if (sl_scope_ok(g)) TFE_ContextAddFunction(s->eager->context, function, g->status);
    TF_DeleteFunction(function);
}

static void fill_function(struct sl_scope_function *out, struct sl_scope *s, struct sl_scope *g,
                          const TF_DataType *types, const struct sl_dims *shapes, int n, sl_scope_body *body,
                          TF_DataType *ret_types, struct sl_dims *ret_shapes, int n_rets, void *arg) {
    TF_Output *arguments = SL_ARENA_ARRAY(&g->arena, TF_Output, (size_t)n + (size_t)n_rets + 1);
    if (!arguments) sl_scope_fail_memory(g);
    for (int i = 0; i < n && sl_scope_ok(g); i++) {
        const struct sl_attr_given attrs[] = {{"dtype", SL_GIVEN_TYPE, &types[i]},
                                              {"shape", SL_GIVEN_SHAPE, &shapes[i]}};
        arguments[i] = sl_op_first(sl_scope_add(g, &g->root, "Placeholder", NULL, 0, attrs, 2));
    }
    if (!sl_scope_ok(g)) return;
    TF_Output *outputs = arguments + n;
    body(g, outputs, arguments, arg);
    for (int i = 0; i < n_rets && sl_scope_ok(g); i++) {
        if (outputs[i].oper) outputs[i] = sl_scope_see(g, &g->root, outputs[i]);
        else sl_status_fail(g->status, SL_INVALID_ARGUMENT, "The function gave no value %d", i);
    }
    for (int i = 0; i < n_rets && sl_scope_ok(g); i++) {
        sl_scope_describe(s, &ret_types[i], &ret_shapes[i], outputs[i]);
        if (!sl_scope_ok(s)) sl_scope_fail_memory(g);
    }
    if (sl_scope_ok(g)) give_function(out, s, g, arguments, n, outputs, n_rets);
}

bool sl_eager_make_function(struct sl_scope_function *out, struct sl_scope *scope, const char *part,
                            const TF_DataType *types, const struct sl_dims *shapes, int n, sl_scope_body *body,
                            TF_DataType *ret_types, struct sl_dims *ret_shapes, int n_rets, void *arg) {
    TF_Graph *graph = TF_NewGraph();
    struct sl_scope *g = graph ? sl_scope_new(graph) : NULL;
    *out =
        (struct sl_scope_function){.name = sl_arena_format(&scope->arena, "%.40s_%d", part, scope->eager->functions++)};
    if (g && out->name) {
        copy_settings(g, scope);
        fill_function(out, scope, g, types, shapes, n, body, ret_types, ret_shapes, n_rets, arg);
        if (!sl_scope_ok(g)) sl_scope_fail(scope, sl_scope_code(g), sl_scope_message(g));
    } else {
        sl_scope_fail_memory(scope);
    }
    sl_scope_delete(g);
    TF_DeleteGraph(graph);
    return sl_scope_ok(scope);
}

SL_API void sl_captured_delete(struct sl_captured *captured) {
    if (!captured) return;
    for (int i = 0; i < captured->n_captured; i++) sl_eager_handle_unref(captured->captured[i]);
    if (captured->function) {
        TF_Status *status = TF_NewStatus();
        TFE_ContextRemoveFunction(captured->scope->eager->context, captured->name, status);
        TF_DeleteStatus(status);
        TF_DeleteFunction(captured->function);
    }
    sl_free(captured->captured);
    sl_free(captured->types);
    sl_free(captured);
}

SL_API void sl_call(struct sl_scope *scope, TF_Output *outputs, const struct sl_captured *captured,
                    const TF_Output *inputs) {
    struct sl_error err;
    for (int i = 0; captured && i < captured->n_outputs; i++) outputs[i] = sl_op_first(NULL);
    if (!sl_scope_ok(scope)) return;
    if (!captured || captured->scope != scope) {
        sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_call: there is no function, or it is another scope's");
        return;
    }
    for (int i = 0; i < captured->n_inputs; i++) {
        if (sl_type_of(scope, inputs[i]) != captured->types[i]) {
            sl_status_fail(scope->status, SL_INVALID_ARGUMENT, "%s: input %d is of type %s, and was captured as %s",
                           captured->name, i, sl_dtype_name((int)sl_type_of(scope, inputs[i])),
                           sl_dtype_name((int)captured->types[i]));
            return;
        }
    }
    struct sl_eager_handle **given =
        SL_ARENA_ARRAY(&scope->arena, struct sl_eager_handle *, (size_t)captured->n_inputs + 1);
    if (!given) sl_scope_fail_memory(scope);
    for (int i = 0; i < captured->n_inputs && given; i++)
        if (!(given[i] = handle_of(scope, inputs[i]))) return;
    if (!given || !begin_op(scope, captured->name)) return;
    for (int i = 0; i < captured->n_inputs + captured->n_captured; i++) {
        struct sl_eager_handle *h = i < captured->n_inputs ? given[i] : captured->captured[i - captured->n_inputs];
        if (!sl_status_take(scope->status, sl_eager_op_add(scope->eager->op, h, &err), &err)) return;
    }
    TF_Operation *out = execute(scope, captured->name);
    for (int i = 0; out && i < captured->n_outputs; i++) outputs[i] = (TF_Output){out, i};
}
