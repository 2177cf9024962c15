/* JSON text (RFC 8259, and the words NaN, Infinity, -Infinity), read where it lies. sl_json_check reads all of it once;
 * what then walks over it meets no malformed text, makes no tree, and needs no memory but for strings with escapes.
 *
 *     SL_TRY(sl_json_check(text, err));
 *     struct sl_json j = sl_json_begin(text);
 *     for (sl_json_enter(&j); sl_json_next(&j);) ... each value of the list: read it, or sl_json_skip(&j)
 *
 * Pure; a cursor is a plain value, and a copy of it looks ahead. */
#ifndef SL_SERVING_JSON_H
#define SL_SERVING_JSON_H

#include "base/arena.h"
#include "base/error.h"
#include "formats/text.h"

enum { SL_JSON_DEPTH = 128 }; /* lists and objects within each other */

enum sl_json_kind { SL_JSON_NULL, SL_JSON_BOOL, SL_JSON_NUMBER, SL_JSON_STRING, SL_JSON_LIST, SL_JSON_OBJECT };

struct sl_json {
    const char *at, *end;
};

/* One value and nothing behind it. INVALID_ARGUMENT "JSON: WHAT at byte N" for anything else, also for bytes that are not
 * UTF-8 and for what is deeper than SL_JSON_DEPTH. */
sl_code sl_json_check(struct sl_str text, struct sl_error *err);

/* ---- cursors, over text that was checked */

/* In front of the text's value. */
struct sl_json sl_json_begin(struct sl_str text);
/* What stands here. */
enum sl_json_kind sl_json_kind(struct sl_json *j);
/* "a list", for messages. Static string. */
const char *sl_json_kind_name(enum sl_json_kind kind);
/* Goes behind the bracket of the list or object that stands here. */
void sl_json_enter(struct sl_json *j);
/* Goes to the next value of a list, or the next name of an object; false, and behind the bracket, at the end. */
bool sl_json_next(struct sl_json *j);
/* Each of these goes behind what stands here. */
void sl_json_skip(struct sl_json *j);
struct sl_str sl_json_slice(struct sl_json *j);  /* the value as text */
struct sl_str sl_json_number(struct sl_json *j); /* as text */
bool sl_json_bool(struct sl_json *j);
/* A string's bytes: of the text itself where it has no escapes, else in the arena. */
sl_code sl_json_string(struct sl_str *out, struct sl_json *j, struct sl_arena *arena, struct sl_error *err);
/* The same for the name of an object's member; goes behind the colon. */
sl_code sl_json_name(struct sl_str *out, struct sl_json *j, struct sl_arena *arena, struct sl_error *err);
/* How many values the list, or members the object, that stands here has. */
size_t sl_json_count(const struct sl_json *j);
/* The value of an object's member, as text; the last one of that name. False when there is none. */
sl_code sl_json_member(bool *found, struct sl_str *out, struct sl_str object, const char *name, struct sl_arena *arena,
                       struct sl_error *err);

/* ---- writing */

/* A string in quotes. Bytes that are not UTF-8 become U+FFFD. */
void sl_json_put_string(struct sl_text *to, struct sl_str s);
/* The shortest decimal that reads as the same number (not always of those below 1e-38), with a point or an exponent; NaN,
 * Infinity, -Infinity. */
void sl_json_put_double(struct sl_text *to, double value);
void sl_json_put_float(struct sl_text *to, float value);

/* ---- base64 (RFC 4648, both alphabets, with and without padding) */
void sl_base64_put(struct sl_text *to, struct sl_str bytes);
/* Into the arena. INVALID_ARGUMENT. */
sl_code sl_base64_read(struct sl_str *out, struct sl_str text, struct sl_arena *arena, struct sl_error *err);

#endif
