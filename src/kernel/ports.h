/* Kernels on devices with memory of their own: which row serves a node there, and where its arguments and results
 * lie.
 *
 *   row                        lies on the host
 *   of the device              what `.host` names; strings, resources and variants
 *   without device, MOVES      what `.host` names; SL_SET_ON_HOST: a value that only passes by is where its type says
 *   without device             everything: it touches elements
 *   of the host                everything; it serves nodes of nothing but int32 and bool for which the device has no row
 *
 * `.host` reads "shape, !output": with a "!" it names what lies on the device whatever its type. All else lies in
 * the memory of the device. So the memory of a port is known without looking at other nodes, also in loops and
 * calls. */
#ifndef SL_KERNEL_PORTS_H
#define SL_KERNEL_PORTS_H

#include "device/device.h"
#include "kernel/table.h"

/* Attr of a Const whose value lies in the memory of its device; the copy pass sets it. */
#define SL_CONSTANT_ON_DEVICE "_on_device"

/* A node as far as its kernel is chosen by it. Types as in a node: references + 100. */
struct sl_kernel_site {
    struct sl_str name;
    const struct sl_op *op;
    const struct sl_attrs *attrs;
    const uint8_t *in_types, *out_types;
    int n_in, n_out;
};

/* The row for a node on a device type. `err` as sl_kernel_find's, about `type`. A row that calls functions and does
 * not move serves the host alone: what functions get and give lies where types say. */
sl_code sl_kernel_find_on(const struct sl_kernel_def **out, struct sl_kernel_table *t,
                          const struct sl_kernel_site *site, const struct sl_device_type *type, struct sl_error *err);
/* Fills in `on_host`: n_in inputs, then n_out outputs. */
void sl_kernel_ports(bool *on_host, const struct sl_kernel_def *def, const struct sl_kernel_site *site);

#endif
