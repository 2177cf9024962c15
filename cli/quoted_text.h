/* Text in UTF-8: writing characters, telling text from bytes, printing both in quotes. */
#ifndef SLUICE_CLI_QUOTED_TEXT_H
#define SLUICE_CLI_QUOTED_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes a character; returns how many bytes, at most 4. */
size_t text_put(char *to, uint32_t character);
/* Bytes of the character that stands at the beginning; 0 when it is no valid one. `n` is at least 1. */
size_t text_character(const char *s, size_t n);
/* In quotes, as --feed takes it back: bytes that are no UTF-8 as \x00. */
void text_print(FILE *out, const char *s, size_t n);
/* As a value of JSON: a string, or, when it is no UTF-8, the object {"b64": "..."} that TensorFlow Serving uses. */
void text_print_json(FILE *out, const char *s, size_t n);

#endif
