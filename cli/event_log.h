/* What a server says: a line on standard output for each event, as text or as JSON. A thread of its own writes them, so
 * that a server does not wait for whoever reads them; lines that cannot be written soon are counted, and that is said
 * later. Thread-safe. */
#ifndef SLUICE_CLI_EVENT_LOG_H
#define SLUICE_CLI_EVENT_LOG_H

#include <stdbool.h>
#include <stdint.h>

/* Before anything else. `is_json`:
 *
 *     2026-01-31T12:00:00Z listens grpc://127.0.0.1:2222
 *     {"time":"2026-01-31T12:00:00.123Z","event":"listens","text":"grpc://127.0.0.1:2222"}   */
void event_log_start(bool is_json);
void event_log(const char *event, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An event with numbers: "sessions 2, steps 1" as text, members of their own in JSON. */
struct event_number {
    const char *name;
    int64_t value;
};
void event_log_numbers(const char *event, const struct event_number *numbers, int n);

/* Waits until all is written, but for a second at most. */
void event_log_end(void);

#endif
