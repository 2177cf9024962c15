/* Unpacking is the graph's work, shuffling is ours. */
#include "digit_files.h"

#include <stdio.h>

#include "sluice/ops.h"

/* The bytes behind the header of a packed file. */
static TF_Output body(struct sl_scope *s, const char *folder, const char *name, int32_t header) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.gz", folder, name);
    TF_Output packed = sl_read_file(s, sl_string_scalar(s, path));
    TF_Output bytes =
        sl_decode_compressed_with(s, packed, (struct sl_decode_compressed_attrs){.compression_type = "GZIP"});
    TF_Output numbers = sl_decode_raw(s, bytes, (struct sl_decode_raw_attrs){.out_type = TF_UINT8});
    return sl_slice(s, numbers, sl_int_vector(s, SL_INTS(header)), sl_int_vector(s, SL_INTS(-1)));
}

int dataset_read(struct dataset *data, const char *folder, TF_Status *status) {
    TF_Graph *graph = TF_NewGraph();
    struct sl_scope *s = sl_scope_new(graph);
    TF_Output pictures =
        sl_reshape(s, body(s, folder, "pictures", 16), sl_int_vector(s, SL_INTS(DIGITS, SIDE, SIDE, 1)));
    TF_Output labels = sl_reshape(s, body(s, folder, "labels", 8), sl_int_vector(s, SL_INTS(DIGITS)));
    const TF_Output both[] = {pictures, sl_cast(s, labels, (struct sl_cast_attrs){.DstT = TF_INT32})};
    TF_SetStatus(status, sl_scope_code(s), sl_scope_message(s));

    TF_Tensor *got[2] = {NULL, NULL};
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_GetCode(status) == TF_OK ? TF_NewSession(graph, options, status) : NULL;
    if (session) TF_SessionRun(session, NULL, NULL, NULL, 0, both, got, 2, NULL, 0, NULL, status);
    *data = (struct dataset){.pictures = got[0], .labels = got[1], .round = -1};
    TF_Status *ignored = TF_NewStatus();
    if (session) TF_DeleteSession(session, ignored);
    TF_DeleteStatus(ignored);
    TF_DeleteSessionOptions(options);
    sl_scope_delete(s);
    TF_DeleteGraph(graph);
    return TF_GetCode(status) == TF_OK;
}

void dataset_clear(struct dataset *data) {
    TF_DeleteTensor(data->pictures);
    TF_DeleteTensor(data->labels);
}

static void shuffle(int32_t *ids, int n, uint32_t state) {
    for (int i = 0; i < n; i++) ids[i] = i;
    for (int i = n - 1; i > 0; i--) {
        state = state * 1664525u + 1013904223u;
        int k = (int)((uint64_t)state * (unsigned)(i + 1) >> 32);
        int32_t id = ids[i];
        ids[i] = ids[k];
        ids[k] = id;
    }
}

const int32_t *dataset_batch(struct dataset *data, int64_t step, int n) {
    int64_t steps = TRAINED / n, round = step / steps;
    if (round != data->round) shuffle(data->order, TRAINED, (uint32_t)(round + 1) * 2654435761u);
    data->round = round;
    return data->order + step % steps * n;
}
