/* An Example written in JSON (the protobuf mapping, protobuf.dev/programming-guides/json), made into the encoded
 * message. Pure; thread-safe. */
#ifndef SL_FORMATS_JSON_EXAMPLE_H
#define SL_FORMATS_JSON_EXAMPLE_H

#include "formats/text.h"

/* Appends the encoded message that `text` says to `out`. INVALID_ARGUMENT "Error while parsing JSON: ..." with the
 * place, RESOURCE_EXHAUSTED. */
sl_code sl_json_example(struct sl_text *out, struct sl_str text, struct sl_error *err);

#endif
