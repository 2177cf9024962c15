/* Copies: puts nodes that copy values on the edges whose ends lie in different memories, in the graph of one
 * device. The pipeline calls this after the cut, only for devices with their own memory. One owner.
 *
 *   producer ─► _CopyToHost ─► Switch's predicate, a shape argument, Print, _Retval ...
 *   producer ─► _CopyToDevice ─► a kernel of the device
 *
 * kernel/ports.h says where each input and output of a node lies. All readers of an output in one memory share a
 * copy. A constant is copied to the memory of the device once, when the program is made. The value of a reference
 * may lie in any memory, so a node that reads one as a value always gets a copy node, which does nothing when the
 * value is there. */
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
