/* Kernels on devices with memory of their own: which row serves a node there, and where its arguments and results
 * lie.
 *
 *   row                        what lies on the host
 *   of the device              what `.host` names; strings, resources and variants
 *   without device, MOVES      what `.host` names; types of SL_SET_ON_HOST: a value that is only passed on lies where
 *                              its type says
 *   without device             everything, as the kernel touches elements
 *   of the host                everything; such a row serves nodes whose types are all int32 or bool when the device
 *                              has no row
 *
 * What a _Send sends to another process lies on the host as well, as the transport reads it there.
 *
 * All else lies in the memory of the device. `.host` reads "shape, !output"; a name with a "!" lies on the device
 * whatever its type. So the memory of a port does not depend on other nodes, also in loops and calls. */
#ifndef SL_KERNEL_PORTS_H
#define SL_KERNEL_PORTS_H

#include "device/device.h"
#include "kernel/table.h"

/* Attr of a Const whose value lies in the memory of its device; the copy pass sets it. */
#define SL_CONSTANT_ON_DEVICE "_on_device"
/* Attr of nodes whose errors name what they read: the name of the node that input 0 comes from. The compiler sets it. */
#define SL_INPUT_NAME "_input_name"

/* What of a node decides which kernel serves it. Types as in a node: references + 100. */
struct sl_kernel_site {
    struct sl_str name;
    const struct sl_op *op;
    const struct sl_attrs *attrs;
    const uint8_t *in_types, *out_types;
    int n_in, n_out;
};

/* The row for a node on a device type; errors as of sl_kernel_find. A row that calls functions and is not MOVES
 * serves the host only, since arguments and results of functions lie where their types say. */
sl_code sl_kernel_find_on(const struct sl_kernel_def **out, struct sl_kernel_table *t,
                          const struct sl_kernel_site *site, const struct sl_device_type *type, struct sl_error *err);
/* Fills in `on_host`: n_in inputs, then n_out outputs. */
void sl_kernel_ports(bool *on_host, const struct sl_kernel_def *def, const struct sl_kernel_site *site);

#endif
