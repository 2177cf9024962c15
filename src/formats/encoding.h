/* Characters from bytes in some encoding, one by one, and back. UTF-8, UTF-16, UTF-32, ASCII and Latin 1 are decoded
 * here, others by ICU, as TensorFlow does, or where that is not there by iconv as far as the system has them. A reader
 * has one owner. */
#ifndef SL_FORMATS_ENCODING_H
#define SL_FORMATS_ENCODING_H

#include "formats/unicode.h"

struct sl_encoding {
    int kind;      /* which of those known here, ICU's, or iconv's */
    char name[64]; /* for the latter two */
};

/* By a name as people write it: "utf-8", "UTF8", "Latin1". INVALID_ARGUMENT when there is none such; UNIMPLEMENTED when
 * ICU would have to say and is not built in. */
sl_code sl_encoding_find(struct sl_encoding *out, struct sl_str name, struct sl_error *err);

struct sl_encoding_reader {
    int kind;
    bool is_little;    /* byte order, once a mark has said */
    bool is_started;   /* behind the place where a mark may be */
    bool is_malformed; /* the last character of ICU's converter */
    void *converter;   /* ICU's or iconv's */
};
/* The reader stays where it is until its end: ICU's converter has its address. */
sl_code sl_encoding_begin(struct sl_encoding_reader *reader, const struct sl_encoding *encoding, struct sl_error *err);
/* Goes on with another text. The first text that begins with a byte order mark says the order of all that follow, and
 * what ICU has read ahead of it stays, as in TensorFlow. */
void sl_encoding_restart(struct sl_encoding_reader *reader);
/* Takes one character off the front of `*s`, which is not empty. -1: malformed bytes; -2: there is no further
 * character. */
int32_t sl_encoding_next(struct sl_encoding_reader *reader, struct sl_str *s);
void sl_encoding_end(struct sl_encoding_reader *reader);

enum sl_utf { SL_UTF_8, SL_UTF_16_BE, SL_UTF_32_BE };
/* "UTF-8", "UTF-16-BE" or "UTF-32-BE". */
sl_code sl_utf_find(enum sl_utf *out, struct sl_str name, struct sl_error *err);
/* Appends a character: at most SL_UNICODE_MAX. UTF-8 has U+FFFD for surrogates. */
void sl_utf_add(struct sl_text *to, enum sl_utf form, int32_t c);

#endif
