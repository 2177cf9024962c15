/* Reading variables: a reference is fetched as it is, a handle is opened after the step. */
#include "session/variable_values.h"

#include <string.h>

#include "device/transfer.h"
#include "kernel/variable.h"

/* The value behind a handle, in its place. */
static sl_code open_handle(struct sl_tensor **t, const struct sl_node *node, struct sl_error *err) {
    if ((*t)->dtype != SL_RESOURCE) return SL_OK;
    struct sl_object *object = (*t)->count == 1 ? *(struct sl_object **)(*t)->data : NULL;
    struct sl_variable *variable = sl_variable_of(object);
    if (!variable) return sl_fail(err, SL_INTERNAL, "the handle %.*s leads to no variable", SL_STR_ARG(node->name));
    struct sl_value value;
    struct sl_tensor *held;
    SL_TRY(sl_variable_read(&value, variable, err));
    sl_code code = sl_value_settle(&value, NULL, 0, err);
    if (code == SL_OK) code = sl_value_to_tensor(&held, &value, err);
    sl_value_clear(&value);
    if (code != SL_OK) return code;
    sl_tensor_unref(*t);
    *t = held;
    return SL_OK;
}

sl_code sl_session_read_variables(struct sl_tensor **values, struct sl_session *session,
                                  const struct sl_port *variables, size_t n, struct sl_error *err) {
    if (n == 0) return SL_OK;
    memset(values, 0, n * sizeof *values);
    struct sl_run run = {.fetches = variables, .fetch_tensors = values, .n_fetches = (int)n};
    SL_TRY(sl_session_run(session, &run, err));
    sl_code code = SL_OK;
    for (size_t i = 0; code == SL_OK && i < n; i++) code = open_handle(&values[i], variables[i].node, err);
    for (size_t i = 0; code != SL_OK && i < n; i++) {
        sl_tensor_unref(values[i]);
        values[i] = NULL;
    }
    return code;
}
