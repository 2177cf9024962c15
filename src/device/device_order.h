/* The order of devices by name, which numbers the members of groups: the same in every process. */
#ifndef SL_DEVICE_DEVICE_ORDER_H
#define SL_DEVICE_DEVICE_ORDER_H

/* As strcmp, but runs of digits are compared as numbers: CPU:2 before CPU:10. Pure. */
int sl_device_order(const char *a, const char *b);

#endif
