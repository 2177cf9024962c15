/* TensorFlow Serving's REST calls, from a request's parts to its answer; what carries them is http_listener.h.
 *
 *     GET  /v1/models/NAME[/versions/N]            which versions there are
 *     GET  /v1/models/NAME[/versions/N]/metadata   the signatures
 *     POST /v1/models/NAME[/versions/N]:predict    also :classify, :regress
 *     GET  /monitoring/prometheus/metrics
 *
 * In place of /versions/N there may be /labels/LABEL.
 *
 * Thread-safe. */
#ifndef SL_SERVING_REST_H
#define SL_SERVING_REST_H

#include "formats/text.h"
#include "serving/model_hosts.h"

struct sl_rest_request {
    struct sl_str method, path, body; /* borrowed; the path without escapes and query */
};
struct sl_rest_answer {
    int status;       /* HTTP's */
    const char *type; /* of the body; a static string */
    struct sl_text body;
};

/* Always answers. The body is the caller's, to be freed by sl_text_free. */
void sl_rest_serve(struct sl_rest_answer *out, const struct sl_model_hosts *hosts,
                   const struct sl_rest_request *request);
/* An answer that tells of a failure: {"error": "..."}. */
void sl_rest_fail(struct sl_rest_answer *out, int status, const char *message);

#endif
