/* Tuples of values with a number, shared by reference: what staging areas and barriers keep for a key. The values
 * change only under the lock of who keeps it. */
#ifndef SL_BACKENDS_ANY_VALUE_TUPLE_H
#define SL_BACKENDS_ANY_VALUE_TUPLE_H

#include "tensor/value.h"

struct sl_tuple {
    struct sl_object object;
    int64_t number;
    int n;
    struct sl_value values[]; /* kind NONE: not there */
};

/* `n` places, all empty. */
sl_code sl_tuple_new(struct sl_tuple **out, int n, int64_t number, struct sl_error *err);
/* Bytes of the elements of all values. */
int64_t sl_tuple_bytes(const struct sl_tuple *t);
int64_t sl_value_bytes(const struct sl_value *v);
/* How many places are not empty. */
int sl_tuple_count(const struct sl_tuple *t);

#endif
