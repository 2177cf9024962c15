/* How --threads gets into a session's options, and what is said when --devices did not. */
#include <stdint.h>
#include <string.h>

#include "command.h"

void hint_devices(TF_Status *status) {
    if (TF_GetCode(status) == TF_OK || !strstr(TF_Message(status), "but available devices are")) return;
    const char *asked = strstr(TF_Message(status), "assigned to "), *kind = asked ? strstr(asked, "device:CPU:") : NULL;
    bool asks_for_cpu = kind && kind < strstr(TF_Message(status), "but available devices are");
    if (asks_for_cpu) complain("--devices N gives the session N CPU devices");
    else complain("there are CPU devices only; --soft uses one of them instead");
}

/* A ConfigProto with intra_op_parallelism_threads (field 2), inter_op_parallelism_threads (field 5) and
 * allow_soft_placement (field 7) as varints. */
TF_SessionOptions *threads_options(int64_t threads, bool is_soft) {
    unsigned char config[24];
    size_t n = 0;
    TF_SessionOptions *options = must_have(TF_NewSessionOptions());
    TF_Status *status = must_have(TF_NewStatus());
    for (int field = 2; field <= 5; field += 3) {
        config[n++] = (unsigned char)(field << 3);
        uint64_t v = (uint64_t)threads;
        for (; v > 127; v >>= 7) config[n++] = (unsigned char)(v | 128);
        config[n++] = (unsigned char)v;
    }
    if (!threads) n = 0;
    if (is_soft) {
        config[n++] = 7 << 3;
        config[n++] = 1;
    }
    if (n) TF_SetConfig(options, config, n, status);
    TF_DeleteStatus(status);
    return options;
}
