/* The thread of a net, and what is told on it. What the code of users is to hear (answers, calls, messages) is never
 * said with a lock held, and only on this thread: it is a task that waits until the thread is done with the socket. */
#ifndef SL_NET_HTTP2_LOOP_H
#define SL_NET_HTTP2_LOOP_H

#include <sys/types.h>

#include "net/rpc.h"
#include "os/event_loop.h"
#include "os/mutex.h"
#include "os/thread.h"

struct sl_http2_task_list {
    struct sl_loop_task *first, **last;
};

enum { SL_HTTP2_THREADS = 6 };

struct sl_http2_net {
    struct sl_net base;
    struct sl_event_loop *loop;
    pid_t process;         /* that made it */
    unsigned char *buffer; /* SL_HTTP2_READ bytes, for what is read; of the thread */
    /* of the thread */
    struct sl_http2_task_list tasks; /* to run before it waits again */
    struct sl_http2_task_list late;  /* after all of them: answers that they gave are written together */
    bool is_settling;
    struct sl_net_task *here, **last_here; /* to run between two rounds, which others may take over meanwhile */
    unsigned n_here;
    /* with the lock */
    struct sl_mutex mutex;
    struct sl_condition changed;
    unsigned n_alive; /* channels and servers, until the thread is done with them */
    struct sl_http2_channel *channels;
    struct sl_net_timer *first_timer, *last_timer, *running_timer; /* by time */
    struct sl_loop_task rearm;
    bool is_rearming;
    struct sl_timer timer; /* of the thread: at the time of first_timer */
    /* http2_turns.c */
    struct sl_thread threads[SL_HTTP2_THREADS];
    unsigned n_threads; /* with the lock, as is the next */
    bool has_ended;
    struct sl_condition turned;
    atomic_uint turn; /* odd: the thread that serves runs a task, and another one may serve in its place */
    atomic_bool is_watched, watcher_sleeps;
};
enum { SL_HTTP2_READ = 256 << 10 };

bool sl_http2_on_thread(const struct sl_http2_net *net);
/* The thread of the net is whichever serves (http2_turns.c). */
sl_code sl_http2_turns_begin(struct sl_http2_net *net, struct sl_error *err);
void sl_http2_turns_end(struct sl_http2_net *net); /* waits for all threads; nothing is under way */
bool sl_http2_run_here(struct sl_net *net, struct sl_net_task *task);
/* Runs the task on the net's thread: when it is done with what it does, or woken for it. Once at a time. */
void sl_http2_soon(struct sl_http2_net *net, struct sl_loop_task *task);
/* On the net's thread only: after all those. */
void sl_http2_late(struct sl_http2_net *net, struct sl_loop_task *task);
/* Runs them; at the end of everything that the loop calls. */
void sl_http2_settle(struct sl_http2_net *net);
/* A channel or server begins to be, or the thread is done with it. */
void sl_http2_alive(struct sl_http2_net *net, int change);
/* FAILED_PRECONDITION in a forked child. */
sl_code sl_http2_check_process(const struct sl_http2_net *net, struct sl_error *err);

/* The rows of the table. */
extern const struct sl_net_methods sl_http2_methods;
/* http2_client.c */
sl_code sl_http2_dial(struct sl_rpc_channel **out, struct sl_net *net, const char *address, unsigned lane,
                      const struct sl_rpc_tls *tls, struct sl_error *err);
void sl_http2_hang_up(struct sl_rpc_channel *channel);
void sl_http2_call(struct sl_rpc_channel *channel, struct sl_rpc_request *request);
void sl_http2_cancel(struct sl_rpc_channel *channel, struct sl_rpc_request *request);
/* http2_server.c */
sl_code sl_http2_serve(struct sl_rpc_server **out, struct sl_net *net, const struct sl_rpc_serving *how,
                       struct sl_error *err);
int sl_http2_port(const struct sl_rpc_server *server);
void sl_http2_count(struct sl_rpc_counts *out, struct sl_rpc_server *server);
void sl_http2_drain(struct sl_rpc_server *server);
void sl_http2_stop(struct sl_rpc_server *server);
/* http2_call.c */
void sl_http2_listen(struct sl_rpc_call *call, const struct sl_rpc_listener *listener);
void sl_http2_send(struct sl_rpc_call *call, struct sl_rpc_message *message);
void sl_http2_pause(struct sl_rpc_call *call, bool is_paused);
void sl_http2_end(struct sl_rpc_call *call, sl_code code, const char *text, struct sl_rpc_message *message);

#endif
