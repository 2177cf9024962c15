/* Running a signature of a model, alone or together with other calls that are there at the time. Thread-safe. */
#ifndef SL_SERVING_PREDICT_H
#define SL_SERVING_PREDICT_H

#include "net/rpc.h"
#include "os/bounded_threads.h"
#include "serving/served_model.h"

/* Calls of one signature become one step: their inputs one behind the other along axis 0, the outputs cut again. Only
 * calls whose inputs agree in all other axes are joined. */
struct sl_batching {
    int64_t most_rows;  /* of a batch; 1 or less: each call is run alone */
    int64_t timeout_ns; /* how long the first call of a batch waits for others */
};

/* Where runs go on that nobody waits for. */
struct sl_served_places {
    struct sl_net *net; /* whose timer ends the wait of a batch */
    struct sl_bounded_threads *threads;
};

/* A run that tells when it is done. The memory is the caller's, and so are inputs and outputs, until then. */
struct sl_served_call {
    struct sl_served_model *model;
    struct sl_served_signature *signature;
    struct sl_tensor **inputs;  /* as of sl_served_run; for those that are NULL there are references in the end */
    struct sl_tensor **outputs; /* NULL, and as of sl_served_run */
    const struct sl_batching *batching;
    const struct sl_served_places *places;
    bool is_here;                              /* on a net's thread: what takes a while goes to another one */
    void (*done)(struct sl_served_call *call); /* NULL: somebody waits (predict.c) */
    sl_code code;                              /* when it is done */
    struct sl_error *err;
    /* of predict.c: */
    struct sl_served_call *next; /* of its batch */
    int64_t rows;
    bool is_done, is_alone; /* has its outputs; has to run alone */
};
/* True: it is done, and nobody is told. False: `done` comes, once, on another thread; perhaps before this returns. */
bool sl_served_begin(struct sl_served_call *call);

/* Waits. Values for the inputs of `signature`, in its order; one that is NULL is the input's own, or INVALID_ARGUMENT. Types and
 * shapes must be those of the signature. Each output is a reference of the caller's; all NULL after a failure. */
sl_code sl_served_run(struct sl_tensor **outputs, struct sl_served_model *model, struct sl_served_signature *signature,
                      struct sl_tensor *const *inputs, const struct sl_batching *batching, struct sl_error *err);

#endif
