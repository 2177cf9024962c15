/* What libsluice_mpi.so gives: the moving of bytes between the processes that mpirun has started. It knows neither tasks'
 * groups nor tensors; dist/collective_carrier.c, which loads it, says what goes where. One thread of its own makes all calls
 * of MPI, so that MPI_THREAD_FUNNELED is enough (MPI_THREAD_MULTIPLE, where the program has begun MPI itself). */
#ifndef SL_MPI_MPI_PLUGIN_H
#define SL_MPI_MPI_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { SL_MPI_LAYOUT = 1 }; /* of the structs below: another number is another build */

struct sl_mpi_piece {
    void *data; /* read only when it is sent */
    size_t bytes;
};

/* Of the caller until it is posted, then of the plug-in until `done`. Both sides name pieces of the same sizes. */
struct sl_mpi_transfer {
    int rank; /* of the other side */
    int tag;  /* 1 to `tags`; no other transfer from one rank to another has it meanwhile */
    bool is_send;
    struct sl_mpi_piece *pieces;
    size_t n;
    /* Once, on the plug-in's thread, which must not wait. `why` NULL: moved. `is_lost`: MPI may touch the pieces for ever, so
     * neither they nor the transfer may be freed. */
    void (*done)(struct sl_mpi_transfer *t, const char *why, bool is_lost);
    void *arg;
    /* of the plug-in: */
    struct sl_mpi_transfer *next;
    void *requests;
    int n_requests;
    bool is_cancelled;
    int64_t cancelled_ns;
};

struct sl_mpi_plugin {
    int layout;
    const char *version; /* of the product */
    /* Begins MPI, once in a process; `name` is what the others know it by, at most 255 bytes. Returns when all processes of
     * mpirun have said their names: DEADLINE_EXCEEDED when one has not after `wait_ms`, FAILED_PRECONDITION where mpirun has
     * not started the process, or MPI cannot be used by a thread. Called again: the same result, the same name. */
    sl_code (*start)(const char *name, int64_t wait_ms, struct sl_error *err);
    /* ---- after start: */
    uint64_t (*world)(void); /* a number that the processes of this mpirun have in common, and no others */
    int (*own_rank)(void);
    int (*rank_of)(const char *name); /* -1: none */
    int (*tags)(void);
    void (*post)(struct sl_mpi_transfer *t);
    /* Of one that receives: the other side has gone. `done` comes within two seconds. May come when `done` has: the caller
     * keeps the memory until cancel has returned. */
    void (*cancel)(struct sl_mpi_transfer *t);
    /* What `rank` sends by this tag is thrown away, if it comes within a minute: nobody will receive it. */
    void (*drop)(int rank, int tag);
    void (*count)(uint64_t *sent, uint64_t *received); /* bytes so far */
};

/* What the file exports. */
#define SL_MPI_PLUGIN_SYMBOL "sluice_mpi_plugin"

#endif
