/* A net within one process: calls go by a queue of events, each with a delay drawn from a seed, so that messages overtake
 * each other as they may between processes. Time is made up: it goes on with events, and by fake_net_advance. One thread
 * of its own, on which everything is called back as by a real net. */
#ifndef SL_TESTS_FAKE_NET_H
#define SL_TESTS_FAKE_NET_H

#include "net/rpc.h"

struct sl_net *fake_net_new(uint64_t seed);
/* Lets time pass, and what is due come. */
void fake_net_advance(struct sl_net *net, int64_t ns);
/* Calls to this address fail with UNAVAILABLE, also those under way; or they come through again. */
void fake_net_cut(struct sl_net *net, const char *address, bool is_cut);
/* What is sent to this address stays on its way, as to a process that is stopped; or all of it comes. */
void fake_net_silence(struct sl_net *net, const char *address, bool is_silent);
/* Calls of this path that have begun so far. */
unsigned fake_net_count(struct sl_net *net, const char *path);

/* ---- for tests that talk to services themselves */
struct fake_answer {
    sl_code code;
    char text[512];
    struct sl_rpc_body *body;
};
/* Calls and waits; the message is taken. The body of the answer is the caller's. */
struct fake_answer fake_net_call(struct sl_net *net, const char *address, const char *path,
                                 struct sl_rpc_message *message);

#endif
