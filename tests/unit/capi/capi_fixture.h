/* Short words for tests of the C API: a graph, a status, operations by one call. On the public headers alone, so
 * that the tests run on any library with this API. */
#ifndef SL_TESTS_CAPI_FIXTURE_H
#define SL_TESTS_CAPI_FIXTURE_H

/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */

#include <stdbool.h>
#include <string.h>

#include "tensorflow/c/c_api.h"

struct fixture {
    TF_Graph *graph;
    TF_Status *status;
};

int fixture_set_up(void **state);
int fixture_tear_down(void **state);

/* The status is OK; else the test fails with its message. */
#define assert_status_ok(s)                                                                                            \
    do {                                                                                                               \
        if (TF_GetCode(s) != TF_OK) fail_msg("%d: %s", (int)TF_GetCode(s), TF_Message(s));                             \
    } while (0)

/* The status has this code, and its message contains `text`. */
#define assert_status(s, code, text)                                                                                   \
    do {                                                                                                               \
        if (TF_GetCode(s) != (code) || !strstr(TF_Message(s), text))                                                   \
            fail_msg("got %d: %s\nwanted %d: ...%s...", (int)TF_GetCode(s), TF_Message(s), (int)(code), text);         \
    } while (0)

/* Operations of int32; each fails the test when it cannot be added. */
TF_Output placeholder(TF_Graph *graph, TF_Status *s, const char *name);
TF_Output typed_placeholder(TF_Graph *graph, TF_Status *s, const char *name, TF_DataType type);
TF_Output constant(TF_Graph *graph, TF_Status *s, const char *name, int32_t value);
TF_Output unary(TF_Graph *graph, TF_Status *s, const char *op, const char *name, TF_Output x);
TF_Output binary(TF_Graph *graph, TF_Status *s, const char *op, const char *name, TF_Output x, TF_Output y);

/* A scalar int32 tensor, the caller's. */
TF_Tensor *int_tensor(int32_t value);
/* The value of one, which is deleted. */
int32_t int_of(TF_Tensor *tensor);
/* Feeds one scalar (or none when `feed.oper` is NULL), fetches one. Fails the test when the run does. */
int32_t run_int(TF_Session *session, TF_Status *s, TF_Output feed, int32_t value, TF_Output fetch);
/* A session without options. */
TF_Session *new_session(TF_Graph *graph, TF_Status *s);
/* Whether the bytes of a buffer contain `text`. */
bool buffer_contains(const TF_Buffer *buffer, const char *text);
/* Number of operations. */
int count_operations(TF_Graph *graph);

#endif
