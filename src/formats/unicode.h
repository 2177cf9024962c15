/* Unicode characters: UTF-8, scripts, categories, case (version 13; unicode_tables.inc). Pure; thread-safe. */
#ifndef SL_FORMATS_UNICODE_H
#define SL_FORMATS_UNICODE_H

#include "formats/text.h"

enum { SL_UNICODE_MAX = 0x10ffff, SL_REPLACEMENT = 0xfffd };

static inline bool sl_is_surrogate(int32_t c) { return c >= 0xd800 && c < 0xe000; }

/* ---- UTF-8 */
/* Takes one character off the front of `*s`, which is not empty. -1: the bytes are malformed; then as many are taken
 * as could have begun a character, at least one. */
int32_t sl_utf8_next(struct sl_str *s);
/* Appends a character: any number up to SL_UNICODE_MAX. */
void sl_utf8_add(struct sl_text *to, int32_t c);
/* Characters counted by their first bytes, without a look at whether they are well formed. */
size_t sl_utf8_count(struct sl_str s);
/* Bytes of the first of them; `s` is not empty. */
size_t sl_utf8_step(struct sl_str s);

/* ---- properties */
/* ICU's number of the script; -1 for what is no character. */
int sl_unicode_script_of(int32_t c);
/* A class of characters by its name: a general category ("Lu"), the first letter of some ("L"), a script ("Greek"),
 * "Any". -1: there is no such class. */
int sl_unicode_class(struct sl_str name);
bool sl_unicode_is_in(int32_t c, int class);

/* ---- case */
/* The same for all characters that differ in case alone. */
int32_t sl_unicode_fold(int32_t c);
/* `c`, and up to three more characters that fold alike. Returns how many. */
int sl_unicode_cases(int32_t to[4], int32_t c);
/* Upper or lower case of a text, with the characters that become several, and the two small sigmas. The text ends at
 * a NUL; malformed bytes become U+FFFD. */
sl_code sl_utf8_lower(TF_TString *to, struct sl_str s, struct sl_error *err);
sl_code sl_utf8_upper(TF_TString *to, struct sl_str s, struct sl_error *err);

#endif
