/* The functions of a SavedModel in a context. They keep their names, unless the context has other functions that are
 * called so: then all get new ones, and what calls them is changed. */
#include "capi/saved_model/loaded_model.h"

/* ---- new names */

struct renaming {
    struct sl_str_map names; /* old -> new, NUL-terminated */
};

static void rename_one(const struct renaming *r, struct sl_str *name) {
    const char *now = sl_str_map_get(&r->names, *name);
    if (now) *name = sl_str_of(now);
}

static void rename_attrs(const struct renaming *r, struct sl_pb_map_string_AttrValue *attrs);

static void rename_call(const struct renaming *r, struct sl_pb_NameAttrList *call) {
    rename_one(r, &call->name);
    rename_attrs(r, &call->attr);
}

static void rename_attrs(const struct renaming *r, struct sl_pb_map_string_AttrValue *attrs) {
    for (size_t i = 0; i < attrs->n; i++) {
        struct sl_pb_AttrValue *v = &attrs->items[i].value;
        if (v->which == SL_PB_AttrValue_func) rename_call(r, v->func);
        for (size_t k = 0; v->which == SL_PB_AttrValue_list && k < v->list->func.n; k++)
            rename_call(r, &v->list->func.items[k]);
    }
}

static void rename_function(const struct renaming *r, struct sl_pb_FunctionDef *f) {
    if (f->signature) rename_one(r, &f->signature->name);
    for (size_t i = 0; i < f->node_def.n; i++) {
        rename_one(r, &f->node_def.items[i].op);
        rename_attrs(r, &f->node_def.items[i].attr);
    }
}

static sl_code rename_all(TF_SavedModel *m, struct sl_pb_array_FunctionDef *functions, struct sl_error *err) {
    struct renaming r = {0};
    const unsigned long long number = sl_eager_number();
    sl_code code = SL_OK;
    for (size_t i = 0; i < functions->n && code == SL_OK; i++) {
        const struct sl_str old = functions->items[i].signature ? functions->items[i].signature->name : SL_STR("");
        char *now = sl_arena_format(&m->file.arena, "%.*s_loaded_%llu", SL_STR_ARG(old), number);
        if (!now || sl_str_map_put(&r.names, old, now)) code = sl_fail_memory(err, old.n);
    }
    for (size_t i = 0; i < functions->n && code == SL_OK; i++) rename_function(&r, &functions->items[i]);
    for (size_t i = 0; i < m->saved->concrete_functions.n && code == SL_OK; i++) {
        const char *now = sl_str_map_get(&r.names, m->saved->concrete_functions.items[i].key);
        if (now) m->functions[i].name = now;
    }
    sl_str_map_free(&r.names);
    return code;
}

/* ---- adding */

static sl_code add_one(TF_SavedModel *m, const struct sl_pb_FunctionDef *def, struct sl_error *err) {
    struct sl_function_def *made;
    SL_TRY(sl_function_new(&made, def, err));
    sl_code code = sl_eager_add_function(m->context, made, err);
    if (code == SL_OK) m->added[m->n_added++] = def->signature->name;
    sl_function_unref(made);
    return code;
}

static sl_code add_all(TF_SavedModel *m, const struct sl_pb_array_FunctionDef *functions, struct sl_error *err) {
    for (size_t i = 0; i < functions->n; i++) SL_TRY(add_one(m, &functions->items[i], err));
    return SL_OK;
}

void sl_loaded_remove_functions(TF_SavedModel *m) {
    while (m->n_added) sl_eager_remove_function(m->context, m->added[--m->n_added], NULL);
}

static bool is_taken(const TF_SavedModel *m, const struct sl_pb_array_FunctionDef *functions) {
    for (size_t i = 0; i < functions->n; i++) {
        const struct sl_pb_OpDef *signature = functions->items[i].signature;
        struct sl_function_def *old = signature ? sl_eager_find_function(m->context, signature->name) : NULL;
        if (!old) continue;
        sl_function_unref(old);
        return true;
    }
    return false;
}

/* ---- concrete functions */

static sl_code take_functions(TF_SavedModel *m, const struct sl_pb_array_FunctionDef *functions, struct sl_error *err) {
    const struct sl_pb_map_string_SavedConcreteFunction *saved = &m->saved->concrete_functions;
    struct sl_str_map by_name = {0};
    sl_code code = SL_OK;
    for (size_t i = 0; i < functions->n && code == SL_OK; i++)
        if (functions->items[i].signature &&
            sl_str_map_put(&by_name, functions->items[i].signature->name, &functions->items[i]))
            code = sl_fail_memory(err, functions->n);
    for (size_t i = 0; i < saved->n && code == SL_OK; i++) {
        const struct sl_pb_SavedConcreteFunction *f = &saved->items[i].value;
        const struct sl_pb_FunctionDef *def = sl_str_map_get(&by_name, saved->items[i].key);
        const size_t n_args = def ? def->signature->input_arg.n : 0;
        const char *name = sl_arena_str(&m->file.arena, saved->items[i].key).p;
        m->functions[i] = (TF_ConcreteFunction){.model = m, .name = name, .saved = f};
        if (!name) code = sl_fail_memory(err, saved->items[i].key.n);
        else if (!def || f->bound_inputs.n > n_args)
            code = sl_fail(err, SL_FAILED_PRECONDITION,
                           "The SavedModel has no function '%s', or one with fewer arguments than it captures", name);
        else m->functions[i].n_in = (int)(n_args - f->bound_inputs.n);
    }
    sl_str_map_free(&by_name);
    return code;
}

sl_code sl_loaded_add_functions(TF_SavedModel *m, struct sl_error *err) {
    static struct sl_pb_array_FunctionDef none;
    struct sl_pb_FunctionDefLibrary *library = m->meta->graph_def ? m->meta->graph_def->library : NULL;
    struct sl_pb_array_FunctionDef *functions = library ? &library->function : &none;
    m->added = SL_ARENA_ARRAY(&m->file.arena, struct sl_str, functions->n + 1);
    m->functions = SL_ARENA_ARRAY(&m->file.arena, TF_ConcreteFunction, m->saved->concrete_functions.n + 1);
    if (!m->added || !m->functions) return sl_fail_memory(err, functions->n * sizeof *m->added);
    SL_TRY(take_functions(m, functions, err));
    const bool may_clash = is_taken(m, functions);
    sl_code code = add_all(m, functions, err);
    if (code != SL_INVALID_ARGUMENT || !may_clash) return code;
    sl_loaded_remove_functions(m);
    SL_TRY(rename_all(m, functions, err));
    return add_all(m, functions, err);
}
