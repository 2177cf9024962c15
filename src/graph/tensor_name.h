/* Names of tensors as NodeDefs spell their inputs: "node", "node:1", "^node". Pure functions. */
#ifndef SL_GRAPH_TENSOR_NAME_H
#define SL_GRAPH_TENSOR_NAME_H

#include <limits.h>

#include "base/str.h"

struct sl_tensor_name {
    struct sl_str node;
    int index; /* -1: "^node", a control dependency */
};

/* Never fails: what looks like neither form is a node name with output 0, which then no node has. */
static inline struct sl_tensor_name sl_tensor_name_of(struct sl_str text) {
    size_t at = text.n;
    while (at > 1 && text.p[at - 1] >= '0' && text.p[at - 1] <= '9') at--;
    if (at > 1 && at < text.n && text.p[at - 1] == ':') {
        long long index = 0;
        for (size_t i = at; i < text.n && index < INT_MAX; i++) index = index * 10 + (text.p[i] - '0');
        return (struct sl_tensor_name){{text.p, at - 1}, index < INT_MAX ? (int)index : INT_MAX};
    }
    if (text.n && text.p[0] == '^') return (struct sl_tensor_name){{text.p + 1, text.n - 1}, -1};
    return (struct sl_tensor_name){text, 0};
}

#endif
