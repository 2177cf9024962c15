/* Servers of a small cluster over a made-up net, and a client that talks to them in messages written as text. Each
 * function fails the test when something does not work. */
#ifndef SL_TESTS_DIST_FIXTURE_H
#define SL_TESTS_DIST_FIXTURE_H

#include "dist/dist_server.h"
#include "root/root.h"
#include "unit/dist/fake_net.h"
#include "unit/unit.h"

enum { SERVERS = 3 };

struct dist_fixture {
    struct sl_net *net;
    struct sl_dist_server
        *servers[SERVERS]; /* /job:worker/task:0 "a:1", /job:worker/task:1 "b:1", /job:ps/task:0 "c:1" */
    struct sl_arena arena;
    struct sl_error err;
    char session[32];
    unsigned n_started;
};

int dist_setup(void **state); /* all servers, of a seed of their own each */
int dist_teardown(void **state);
void start_server(struct dist_fixture *f, int i);
void stop_server(struct dist_fixture *f, int i);

/* Calls "a:1" (or another address) with a message of a type as text; the code of what came of it, with the text in
 * f->err. `answer` is of the answer's type, or NULL. */
sl_code call_text(struct dist_fixture *f, const char *address, const char *path, const struct sl_pb_message *type,
                  const char *text, const struct sl_pb_message *answer_type, void *answer);
#define CALL(f, address, service, method, text, answer)                                                                \
    call_text(f, address, "/tensorflow." service "/" #method, SL_PB_TYPE(method##Request), text,                       \
              SL_PB_TYPE(method##Response), answer)

/* A session at "a:1" with a graph as text, in f->session. */
void create_session(struct dist_fixture *f, const char *graph, const char *config);
void close_session(struct dist_fixture *f);
/* A step that fetches one float scalar; `more` is further text of the RunStepRequest. */
sl_code run_step(float *out, struct dist_fixture *f, const char *more);
/* The same, which must succeed. */
float run_float(struct dist_fixture *f, const char *more);

#endif
