/* Copies: where a value lies in one memory and is wanted in another, within the program of one device. Called by the
 * pipeline behind the cut, for devices with memory of their own; on the host there is nothing to do, and nothing is
 * looked at.
 *
 *   producer ─► _CopyToHost ─► Switch's predicate, a shape argument, Print, _Retval ...
 *   producer ─► _CopyToDevice ─► a kernel of the device
 *
 * kernel/ports.h says where each input and output of a node lies. One copy serves all who want it. A constant is put
 * into the memory of the device once, when the program is made. What a reference holds may lie anywhere, so who
 * reads one as a value always gets a copy, which does nothing when the value is there already. */
#ifndef SL_PASSES_COPIES_H
#define SL_PASSES_COPIES_H

#include "device/device.h"
#include "graph/graph.h"
#include "kernel/table.h"

struct sl_copies_options {
    const struct sl_device *device;
    struct sl_kernel_table *kernels;
    const struct sl_kernel_def *call_by_name; /* for nodes whose op is a function of the library; may be NULL */
    /* Arguments and results are the host's (feeds and fetches); else they lie where their types say, as those of
     * functions do. */
    bool are_args_on_host;
};

sl_code sl_pass_copies(struct sl_graph *graph, const struct sl_copies_options *options, struct sl_error *err);

#endif
