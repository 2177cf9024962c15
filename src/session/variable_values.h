/* What variables hold. Thread-safe, as sessions are. */
#ifndef SL_SESSION_VARIABLE_VALUES_H
#define SL_SESSION_VARIABLE_VALUES_H

#include "session/session.h"

/* The values of `n` variables, each the first output of a node that is one (a handle or a reference), all read in
 * one step. Each is a new reference of the caller's; all NULL after a failure: FAILED_PRECONDITION for a variable
 * without a value. */
sl_code sl_session_read_variables(struct sl_tensor **values, struct sl_session *session,
                                  const struct sl_port *variables, size_t n, struct sl_error *err);

#endif
