/* Another way for elements between the tasks of a group than the answers of RecvBuf: MPI, by the plug-in libsluice_mpi.so, where
 * SLUICE_COLLECTIVES asks for it. Who is in a group, who has come and who has gone is found out as ever; only bytes go elsewhere.
 *
 *   asks for elements                                  has them
 *   RecvBuf, with a ticket: world, rank, tag ────────► sends them by that tag
 *   receives by that tag  ◄── an answer that says so ──
 *
 * A task that is not in the same world (it has been started anew, or is no process of mpirun) answers with the elements, and
 * is not given tickets any more; nor is one that has gone while something came from it. */
#ifndef SL_DIST_COLLECTIVE_CARRIER_H
#define SL_DIST_COLLECTIVE_CARRIER_H

#include "dist/cluster.h"
#include "tensor/tensor.h"

struct sl_carrier;
enum { SL_TICKET_ROOM = 64 };
#define SL_CARRIER_URL "sluice/mpi" /* type of the transport options of a request with a ticket, and of its answer */

/* As SLUICE_COLLECTIVES says. `*out` NULL: elements go with the answers. The cluster, whose watch is set, outlives it.
 * UNIMPLEMENTED without the plug-in, and for NCCL; what the plug-in's start says. */
sl_code sl_carrier_new(struct sl_carrier **out, struct sl_cluster *cluster, struct sl_error *err);
/* Whether it asks for TensorFlow's ring, also in groups without TensorFlow's servers. */
bool sl_carrier_is_ring(void);
/* What still comes is cancelled; waits for that, two seconds at most. Nobody asks any more. NULL is fine, here and below. */
void sl_carrier_stop(struct sl_carrier *carrier);
void sl_carrier_free(struct sl_carrier *carrier);

/* ---- who asks */

/* What comes by a ticket; counted. */
struct sl_carried;
/* A ticket for a task, its text into `text`; NULL: elements come with the answer. `come` is called once after receive, maybe
 * within it, on a thread that must not wait. */
struct sl_carried *sl_carried_new(char text[SL_TICKET_ROOM], struct sl_carrier *carrier, int task,
                                  void (*come)(void *arg), void *arg);
/* Instead of receive: the answer has the elements, or there is none (`is_known`: and none was sent). */
void sl_carried_not_sent(struct sl_carried *c, bool has_elements, bool is_known);
/* The answer has said that they are sent: n pieces of `bytes`. */
void sl_carried_receive(struct sl_carried *c, size_t n, size_t bytes);
/* Nobody waits for it any more: `come` comes at once. */
void sl_carried_leave(struct sl_carried *c);
struct sl_carried *sl_carried_hold(struct sl_carried *c); /* one more reference; NULL is fine */
void sl_carried_release(struct sl_carried *c);
/* After `come`: the pieces, one after the other, of the size that was said; borrowed. */
sl_code sl_carried_get(const char **out, const struct sl_carried *c, struct sl_error *err);

/* ---- who has them */

struct sl_ticket {
    int rank, tag;
};
/* False: the elements have to go with the answer. */
bool sl_carrier_read_ticket(struct sl_ticket *out, const struct sl_carrier *carrier, struct sl_str text);
/* Sends the same range of each tensor, of which it takes references. */
sl_code sl_carrier_send(struct sl_carrier *carrier, struct sl_ticket ticket, struct sl_tensor *const *tensors, size_t n,
                        size_t begin, size_t bytes, struct sl_error *err);

#endif
