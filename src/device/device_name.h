/* Device names: "/job:worker/replica:0/task:1/device:CPU:0", whole or in part. Pure functions; thread-safe.
 *
 * Grammar: parts in any order, each may come again (the last counts), each may be `*`; "/cpu:0", "/gpu:0" are short
 * for "/device:CPU:0"; "/" and "" name nothing. Job and type: a letter, then letters, digits, `_`. */
#ifndef SL_DEVICE_DEVICE_NAME_H
#define SL_DEVICE_DEVICE_NAME_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"

enum { SL_DEVICE_WORD = 64, SL_DEVICE_TEXT = 224 };

/* A part that is not there is "" or -1. */
struct sl_device_name {
    char job[SL_DEVICE_WORD], type[SL_DEVICE_WORD];
    int replica, task, id;
};

static const struct sl_device_name SL_DEVICE_ANY = {"", "", -1, -1, -1};

/* INVALID_ARGUMENT "Malformed device specification 'TEXT' ...". */
sl_code sl_device_parse(struct sl_device_name *out, struct sl_str text, struct sl_error *err);
/* Missing parts are skipped; a type without id is "TYPE:*". Returns `text`. */
const char *sl_device_print(char text[SL_DEVICE_TEXT], const struct sl_device_name *name);
/* Whether every part that `spec` names is that of `full`. */
bool sl_device_matches(const struct sl_device_name *spec, const struct sl_device_name *full);
/* Whether job, replica and task are the same; what neither names counts as that. */
bool sl_device_is_same_task(const struct sl_device_name *a, const struct sl_device_name *b);
/* Adds the parts of `other` to `name`. Parts that differ: INVALID_ARGUMENT; with `is_soft` a differing type or id is
 * dropped from `name` instead. */
sl_code sl_device_merge(struct sl_device_name *name, const struct sl_device_name *other, bool is_soft,
                        struct sl_error *err);

#endif
