/* Choosing who runs a session. */
#include "session/session.h"

static sl_code no_target(const struct sl_target *targets, struct sl_str wanted, struct sl_error *err) {
    sl_fail(
        err, SL_NOT_FOUND,
        "No session factory registered for the given session options: {target: \"%.*s\"} Registered factories are {",
        SL_STR_ARG(wanted));
    for (const struct sl_target *t = targets; t->factory; t++)
        sl_error_append(err, "%s%s", t == targets ? "" : ", ", t->factory);
    sl_error_append(err, "}.");
    return SL_NOT_FOUND;
}

sl_code sl_session_new(struct sl_session **out, const struct sl_target *targets, const struct sl_registries *registries,
                       const struct sl_session_options *options, struct sl_error *err) {
    struct sl_str wanted = options ? options->target : SL_STR("");
    for (const struct sl_target *t = targets; t->factory; t++)
        if (t->accepts(wanted)) return t->open(out, registries, options, err);
    return no_target(targets, wanted, err);
}
