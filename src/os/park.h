/* Parking: a thread sleeps on a 32-bit word until somebody changes the word and wakes it. A futex on Linux, a table
 * of condition variables elsewhere (or with SL_PARK_PORTABLE defined). The building block for waits that spin first.
 * Thread-safe. */
#ifndef SL_OS_PARK_H
#define SL_OS_PARK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef _Atomic uint32_t sl_park_word;

/* Sleeps while `*word == value`. Returns when woken, when the word differs already, or for no reason: call in a loop.
 * `deadline_ns` is on the clock of `sl_clock_ns`, 0 for none. False only when the deadline has passed. */
bool sl_park(sl_park_word *word, uint32_t value, int64_t deadline_ns);
/* Wakes at most `count` threads parked on `word` (INT32_MAX for all). Change the word first. `word` is only an address
 * here: it may belong to memory that the woken thread has just freed. */
void sl_unpark(sl_park_word *word, int count);
/* In a forked child: forgets the parent's threads that slept at the time. */
void sl_park_forget(void);

#endif
