/* Clocks. Thread-safe. */
#ifndef SL_OS_CLOCK_H
#define SL_OS_CLOCK_H

#include <stdint.h>

/* Nanoseconds of a clock that never goes back and that has no relation to the calendar. For durations and deadlines. */
int64_t sl_clock_ns(void);
/* Nanoseconds for which the calling thread has had a processor. Costs a system call. */
int64_t sl_thread_clock_ns(void);
/* Microseconds since 1970-01-01 UTC. May jump when the system's clock is set. For time stamps. */
int64_t sl_wall_us(void);
/* Sleeps at least that long. Zero or less returns at once. */
void sl_sleep_ns(int64_t ns);

#endif
