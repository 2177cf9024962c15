/* Parsing, printing, matching and merging of device names. Merging: two requests for one node, outer and inner, or
 * of colocated nodes. */
#include "device/device_name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_word(struct sl_str s) {
    if (!s.n || s.n >= SL_DEVICE_WORD || !isalpha((unsigned char)s.p[0])) return false;
    for (size_t i = 1; i < s.n; i++)
        if (!isalnum((unsigned char)s.p[i]) && s.p[i] != '_') return false;
    return true;
}

static bool take_number(int *out, struct sl_str s) {
    int n = 0;
    if (sl_str_is(s, "*")) {
        *out = -1;
        return true;
    }
    if (!s.n || s.n > 9) return false;
    for (size_t i = 0; i < s.n; i++) {
        if (!isdigit((unsigned char)s.p[i])) return false;
        n = n * 10 + (s.p[i] - '0');
    }
    *out = n;
    return true;
}

static bool take_word(char out[SL_DEVICE_WORD], struct sl_str s) {
    if (sl_str_is(s, "*")) {
        out[0] = 0;
        return true;
    }
    if (!is_word(s)) return false;
    memcpy(out, s.p, s.n);
    out[s.n] = 0;
    return true;
}

/* "TYPE:ID", "TYPE:*", "TYPE" or "*". */
static bool take_device(struct sl_device_name *out, struct sl_str s) {
    const char *colon = s.n ? memchr(s.p, ':', s.n) : NULL;
    struct sl_str type = {s.p, colon ? (size_t)(colon - s.p) : s.n};
    out->id = -1;
    if (!take_word(out->type, type)) return false;
    return !colon || take_number(&out->id, (struct sl_str){colon + 1, s.n - type.n - 1});
}

static bool take_part(struct sl_device_name *out, struct sl_str part) {
    const char *colon = memchr(part.p, ':', part.n);
    if (!colon) return false;
    struct sl_str key = {part.p, (size_t)(colon - part.p)}, value = {colon + 1, part.n - key.n - 1};
    if (sl_str_is(key, "job")) return take_word(out->job, value);
    if (sl_str_is(key, "replica")) return take_number(&out->replica, value);
    if (sl_str_is(key, "task")) return take_number(&out->task, value);
    if (sl_str_is(key, "device")) return take_device(out, value);
    bool cpu = sl_str_is(key, "cpu") || sl_str_is(key, "CPU"), gpu = sl_str_is(key, "gpu") || sl_str_is(key, "GPU");
    if (!cpu && !gpu) return false;
    memcpy(out->type, cpu ? "CPU" : "GPU", 4);
    return take_number(&out->id, value);
}

sl_code sl_device_parse(struct sl_device_name *out, struct sl_str text, struct sl_error *err) {
    *out = SL_DEVICE_ANY;
    if (!text.n || sl_str_is(text, "/")) return SL_OK;
    bool ok = true;
    struct sl_str rest = text;
    if (rest.p[0] != '/') ok = take_device(out, rest) || take_part(out, rest); /* a local name: "CPU:0" */
    while (ok && rest.n && rest.p[0] == '/') {
        rest.p++;
        rest.n--;
        const char *slash = rest.n ? memchr(rest.p, '/', rest.n) : NULL;
        struct sl_str part = {rest.p, slash ? (size_t)(slash - rest.p) : rest.n};
        ok = part.n && take_part(out, part);
        rest.p += part.n;
        rest.n -= part.n;
    }
    if (ok) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "Malformed device specification '%.*s'", SL_STR_ARG(text));
}

const char *sl_device_print(char text[SL_DEVICE_TEXT], const struct sl_device_name *name) {
    int n = 0;
    text[0] = 0;
    if (name->job[0]) n += snprintf(text + n, SL_DEVICE_TEXT - (size_t)n, "/job:%s", name->job);
    if (name->replica >= 0) n += snprintf(text + n, SL_DEVICE_TEXT - (size_t)n, "/replica:%d", name->replica);
    if (name->task >= 0) n += snprintf(text + n, SL_DEVICE_TEXT - (size_t)n, "/task:%d", name->task);
    if (name->type[0]) {
        n += snprintf(text + n, SL_DEVICE_TEXT - (size_t)n, "/device:%s:", name->type);
        if (name->id >= 0) snprintf(text + n, SL_DEVICE_TEXT - (size_t)n, "%d", name->id);
        else snprintf(text + n, SL_DEVICE_TEXT - (size_t)n, "*");
    }
    return text;
}

bool sl_device_matches(const struct sl_device_name *spec, const struct sl_device_name *full) {
    return (!spec->job[0] || !strcmp(spec->job, full->job)) && (spec->replica < 0 || spec->replica == full->replica) &&
           (spec->task < 0 || spec->task == full->task) && (!spec->type[0] || !strcmp(spec->type, full->type)) &&
           (spec->id < 0 || spec->id == full->id);
}

bool sl_device_is_same_task(const struct sl_device_name *a, const struct sl_device_name *b) {
    return !strcmp(a->job, b->job) && a->replica == b->replica && a->task == b->task;
}

static sl_code differ(const char *part, const struct sl_device_name *a, const struct sl_device_name *b,
                      struct sl_error *err) {
    char x[SL_DEVICE_TEXT], y[SL_DEVICE_TEXT];
    return sl_fail(err, SL_INVALID_ARGUMENT, "Cannot merge devices with incompatible %s: '%s' and '%s'", part,
                   sl_device_print(x, a), sl_device_print(y, b));
}

sl_code sl_device_merge(struct sl_device_name *name, const struct sl_device_name *other, bool is_soft,
                        struct sl_error *err) {
    if (name->job[0] && other->job[0] && strcmp(name->job, other->job) != 0) return differ("jobs", name, other, err);
    if (name->replica >= 0 && other->replica >= 0 && name->replica != other->replica)
        return differ("replicas", name, other, err);
    if (name->task >= 0 && other->task >= 0 && name->task != other->task) return differ("tasks", name, other, err);
    bool types = name->type[0] && other->type[0] && strcmp(name->type, other->type) != 0;
    bool ids = name->id >= 0 && other->id >= 0 && name->id != other->id;
    if ((types || ids) && !is_soft) return differ(types ? "types" : "ids", name, other, err);
    if (other->job[0]) memcpy(name->job, other->job, sizeof name->job);
    if (other->replica >= 0) name->replica = other->replica;
    if (other->task >= 0) name->task = other->task;
    if (types) name->type[0] = 0;
    else if (other->type[0]) memcpy(name->type, other->type, sizeof name->type);
    if (types || ids) name->id = -1;
    else if (other->id >= 0) name->id = other->id;
    return SL_OK;
}
