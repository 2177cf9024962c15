/* Cuts a text-format text into tokens, and turns those into values. Private to src/proto; one owner. */
#ifndef SL_PROTO_TEXT_TOKENS_H
#define SL_PROTO_TEXT_TOKENS_H

#include "base/arena.h"
#include "base/error.h"
#include "proto/message_table.h"

enum sl_text_token {
    SL_TEXT_END,
    SL_TEXT_NAME,   /* letters, digits, '_' */
    SL_TEXT_NUMBER, /* begins with a digit, or a point and a digit; what follows it without space is part of it */
    SL_TEXT_STRING, /* with its quotes, checked to be closed on its line */
    SL_TEXT_SYMBOL  /* one byte */
};

struct sl_text_tokens {
    const char *start, *end; /* the whole text */
    const char *at;          /* behind the current token */
    struct sl_arena *arena;  /* for strings that cannot point into the text */
    struct sl_error *err;
    enum sl_text_token kind; /* of the current token */
    struct sl_str token;
};

/* Fills in all but `arena` and `err`, and reads the first token. */
sl_code sl_text_open(struct sl_text_tokens *t, struct sl_str text);
sl_code sl_text_next(struct sl_text_tokens *t);

/* INVALID_ARGUMENT "LINE:COLUMN : ..." of the current token. */
sl_code sl_text_fail(const struct sl_text_tokens *t, const char *format, ...) SL_PRINTF(2, 3);

/* For "%.*s": a token's start, short so that a hostile text does not fill the message. */
#define SL_TEXT_EXCERPT(s) (int)((s).n < 80 ? (s).n : 80), (s).p

/* Whether the current token is that symbol; and the same, going on to the next token when it is. */
static inline bool sl_text_is(const struct sl_text_tokens *t, char symbol) {
    return t->kind == SL_TEXT_SYMBOL && *t->token.p == symbol;
}
sl_code sl_text_accept(struct sl_text_tokens *t, char symbol, bool *found);
sl_code sl_text_expect(struct sl_text_tokens *t, char symbol);

/* Read a value and go on to the token behind it. */
sl_code sl_text_string(struct sl_text_tokens *t, struct sl_str *value);
sl_code sl_text_signed(struct sl_text_tokens *t, int64_t *value, int64_t low, int64_t high);
sl_code sl_text_unsigned(struct sl_text_tokens *t, uint64_t *value, uint64_t high);
sl_code sl_text_double(struct sl_text_tokens *t, double *value);
sl_code sl_text_bool(struct sl_text_tokens *t, bool *value);
/* What stands between '[' (the current token) and ']', without space around it: the name of an extension or an Any's
 * type. Goes on to the token behind ']'. */
sl_code sl_text_bracketed(struct sl_text_tokens *t, struct sl_str *name);

#endif
