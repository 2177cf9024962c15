/* Tensors from JSON and back, in the two forms of TensorFlow Serving's REST calls:
 *
 *   rows      "instances": [{"x": 1, "y": [2, 3]}, {"x": 4, "y": [5, 6]}]      x: [2], y: [2,2]; answer "predictions"
 *   columns   "inputs": {"x": [1, 4], "y": [[2, 3], [5, 6]]}                   the same;         answer "outputs"
 *
 * With one input its name may be left out, and with one output it is. A string is text or {"b64": "..."}; an output whose
 * name ends in "_bytes" is written in the latter form. Pure; thread-safe. */
#ifndef SL_SERVING_JSON_TENSORS_H
#define SL_SERVING_JSON_TENSORS_H

#include "serving/json.h"
#include "serving/served_model.h"

/* `text` is a value of checked JSON. `inputs`, one place for each of the signature, all NULL, get references of the
 * caller's, also on failure; NULL stays what is not given. INVALID_ARGUMENT says where a value does not fit. */
sl_code sl_json_rows_read(struct sl_tensor **inputs, const struct sl_served_signature *signature, struct sl_str text,
                          struct sl_arena *arena, struct sl_error *err);
sl_code sl_json_columns_read(struct sl_tensor **inputs, const struct sl_served_signature *signature, struct sl_str text,
                             struct sl_arena *arena, struct sl_error *err);
/* An Example, encoded, of the object {"NAME": value or list of values, ...} of whole numbers, numbers with a point or
 * strings. In the arena. */
sl_code sl_json_example_read(struct sl_str *out, struct sl_str text, struct sl_arena *arena, struct sl_error *err);

/* The list of rows; INVALID_ARGUMENT when the outputs do not have the same number of them. */
sl_code sl_json_rows_put(struct sl_text *to, const struct sl_served_signature *signature,
                         struct sl_tensor *const *outputs, struct sl_error *err);
sl_code sl_json_columns_put(struct sl_text *to, const struct sl_served_signature *signature,
                            struct sl_tensor *const *outputs, struct sl_error *err);

#endif
