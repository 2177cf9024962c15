/* How --threads gets into a session's options, and what is said when --devices did not. */
#include <stdint.h>
#include <string.h>

#include "command.h"

void hint_devices(TF_Status *status) {
    if (TF_GetCode(status) == TF_OK || !strstr(TF_Message(status), "but available devices are")) return;
    complain("--devices N gives the session N CPU devices");
}

/* A ConfigProto with intra_op_parallelism_threads (field 2) and inter_op_parallelism_threads (field 5) as varints. */
TF_SessionOptions *threads_options(int64_t threads) {
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
    if (threads) TF_SetConfig(options, config, n, status);
    TF_DeleteStatus(status);
    return options;
}
