/* Devices with a memory of their own, for passes, which look at no elements: the host's CPU:0, then FAR:0 and FAR:1, and
 * a table with rows of the test's own for ops that there are. */
#ifndef SL_TESTS_FAR_DEVICES_H
#define SL_TESTS_FAR_DEVICES_H

#include "device/device.h"
#include "kernel/table.h"
#include "unit/graph/graph_fixture.h"

struct far_devices {
    struct sl_device_set set;
    struct sl_kernel_table *kernels;
};

void far_devices_open(struct far_devices *out, struct graph_fixture *f);
void far_devices_close(struct far_devices *d);

/* For nodes whose op is a function of the library. */
extern const struct sl_kernel_def far_call;

#endif
