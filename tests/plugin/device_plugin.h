/* What the device of device_plugin.c, its kernels, and the program that loads it tell each other. */
#ifndef SL_TESTS_DEVICE_PLUGIN_H
#define SL_TESTS_DEVICE_PLUGIN_H

#include <stdatomic.h>
#include <stdint.h>

#include "tensorflow/c/experimental/pluggable_profiler/pluggable_profiler.h"
#include "tensorflow/c/experimental/stream_executor/stream_executor.h"
#include "tensorflow/c/kernels.h"

#define TOY_DEVICE "TOY"
enum { TOY_DEVICES = 2 };

/* Exported as `toy_control`; set by the program before it loads the plug-in, and while nothing runs. */
struct toy_control {
    char lacks[64];              /* the function or field that SE_InitPlugin and what follows leave out */
    char fails[64];              /* the function that fails */
    char type[32];               /* instead of TOY_DEVICE */
    _Atomic int64_t limit;       /* bytes of memory; 0: none */
    _Atomic int64_t bytes, most; /* now, and at most so far */
    _Atomic int64_t streams, events, host_blocks, timers; /* now */
    _Atomic int64_t copies_in, copies_out, copies_within, kernels, wrong_addresses;
    _Atomic int is_slow; /* work takes a while */
};

/* ---- for kernels */

/* The host's address of a tensor's elements; what is no address of a device counts as wrong. */
void *toy_reach(const void *opaque);
/* `run(arg)` later, behind what the stream has; `arg` is freed. */
void toy_enqueue(SP_Stream stream, void (*run)(void *arg), void *arg);

#endif
