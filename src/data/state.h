/* States: how far a walk has come, as values by the path of an iterator and a key. Paths and keys are TensorFlow's, so
 * that states written by one are read by the other.
 *
 *     SL_TRY(sl_state_put_int(state, it, "next", it->at, err));
 *     SL_TRY(sl_state_get_int(&it->at, state, it, "next", err));
 *
 * One owner; not thread-safe. */
#ifndef SL_DATA_STATE_H
#define SL_DATA_STATE_H

#include "data/iterator.h"

struct sl_state;

/* What TensorFlow puts in front of names that hold a path and a key, or a path and a part: HASH|PATH:KEY. */
#define SL_STATE_FULL_NAME "60d899aa0d8ce4351e7c3b419e92d25b"

sl_code sl_state_new(struct sl_state **out, struct sl_error *err);
void sl_state_free(struct sl_state *s); /* NULL is fine */

/* Keys with numbers in them are written as printf does: sl_state_key(key, "buffer[%lld].code", ...). A key that begins
 * with a colon is one that TensorFlow writes together with the path; found in either form. */
enum { SL_STATE_KEY = 96 };
const char *sl_state_key(char key[SL_STATE_KEY], const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Put: the value is shared, and a second one of a key replaces the first. Get: NOT_FOUND when there is none, and
 * INVALID_ARGUMENT when an integer is asked for and it is none. */
sl_code sl_state_put(struct sl_state *s, const struct sl_iterator *it, const char *key, const struct sl_value *value,
                     struct sl_error *err);
sl_code sl_state_put_int(struct sl_state *s, const struct sl_iterator *it, const char *key, int64_t x,
                         struct sl_error *err);
sl_code sl_state_get(struct sl_value *out, const struct sl_state *s, const struct sl_iterator *it, const char *key,
                     struct sl_error *err);
sl_code sl_state_get_int(int64_t *out, const struct sl_state *s, const struct sl_iterator *it, const char *key,
                         struct sl_error *err);
bool sl_state_has(const struct sl_state *s, const struct sl_iterator *it, const char *key);
/* The same under the iterator's path with `part` behind it: "::0", ":buffer". One that begins with a bar goes with the
 * path as keys with a colon do: "|:batch_results_0". Each minus in front takes a letter off the path's end. */
sl_code sl_state_put_part(struct sl_state *s, const struct sl_iterator *it, const char *part, const char *key,
                          const struct sl_value *value, struct sl_error *err);
sl_code sl_state_put_part_int(struct sl_state *s, const struct sl_iterator *it, const char *part, const char *key,
                              int64_t x, struct sl_error *err);
sl_code sl_state_get_part(struct sl_value *out, const struct sl_state *s, const struct sl_iterator *it,
                          const char *part, const char *key, struct sl_error *err);
sl_code sl_state_get_part_int(int64_t *out, const struct sl_state *s, const struct sl_iterator *it, const char *part,
                              const char *key, struct sl_error *err);
bool sl_state_has_part(const struct sl_state *s, const struct sl_iterator *it, const char *part, const char *key);
/* A mark that is there or not: its value says nothing. */
sl_code sl_state_put_mark(struct sl_state *s, const struct sl_iterator *it, const char *key, struct sl_error *err);
/* A text, "" for NULL; reading: the caller's, freed by sl_free. */
sl_code sl_state_put_part_text(struct sl_state *s, const struct sl_iterator *it, const char *part, const char *key,
                               const char *text, struct sl_error *err);
sl_code sl_state_get_part_text(char **out, const struct sl_state *s, const struct sl_iterator *it, const char *part,
                               const char *key, struct sl_error *err);
/* An element of `n` components, or n 0 for a place without one, as num_components and component[i] of a part. Reading one
 * of another number than `n` or 0: INVALID_ARGUMENT; `*is_there` says which it was. */
sl_code sl_state_put_element(struct sl_state *s, const struct sl_iterator *it, const char *part,
                             const struct sl_value *element, int n, struct sl_error *err);
sl_code sl_state_get_element(struct sl_value *element, bool *is_there, int n, const struct sl_state *s,
                             const struct sl_iterator *it, const char *part, struct sl_error *err);
/* Values under keys like "state[#]", with their numbers for `#`, and under `count_key` how many. Reading: at most `n`. */
sl_code sl_state_put_list(struct sl_state *s, const struct sl_iterator *it, const char *count_key, const char *format,
                          const struct sl_value *values, int n, struct sl_error *err);
sl_code sl_state_get_list(struct sl_value *values, int *count, int n, const struct sl_state *s,
                          const struct sl_iterator *it, const char *count_key, const char *format,
                          struct sl_error *err);

/* The iterator with all that it takes from: what its kind saves, and nothing more. Restoring an iterator that was just
 * begun. */
sl_code sl_iterator_save(const struct sl_iterator *it, struct sl_state *s, struct sl_error *err);
sl_code sl_iterator_restore(struct sl_iterator *it, const struct sl_state *s, struct sl_error *err);
/* What kinds with one input do for it: whether it is at its end, under `empty` ("input_impl_empty"), and its
 * state. `index`: of the input that is made. */
sl_code sl_state_put_input(struct sl_state *s, const struct sl_iterator *it, const char *empty, struct sl_error *err);
sl_code sl_state_get_input(const struct sl_state *s, struct sl_iterator *it, int64_t index, const char *empty,
                           struct sl_error *err);

/* A state as a vector of variants of type tensorflow::Iterator, one for each path, and one from there.
 * INVALID_ARGUMENT when `variants` is something else. */
sl_code sl_state_pack(struct sl_tensor **out, const struct sl_state *s, struct sl_error *err);
sl_code sl_state_unpack(struct sl_state **out, const struct sl_value *variants, struct sl_error *err);

/* All values, in the order in which they were put: path, key and value of the i-th, borrowed; false behind the last. */
struct sl_state_entry {
    struct sl_str path, key;
    const struct sl_value *value;
};
bool sl_state_entry_at(struct sl_state_entry *out, const struct sl_state *s, size_t i);
/* A path that is written out. */
sl_code sl_state_put_at(struct sl_state *s, struct sl_str path, struct sl_str key, const struct sl_value *value,
                        struct sl_error *err);

#endif
