/* A libtensorflow that is loaded beside the one that the command is made with. */
#ifndef SLUICE_CLI_OTHER_LIBRARY_H
#define SLUICE_CLI_OTHER_LIBRARY_H

#include <stdbool.h>

#include "tensorflow/c/c_api.h"

/* What is called of it. */
#define LIBRARY_FUNCTIONS(F)                                                                                           \
    F(TF_Version)                                                                                                      \
    F(TF_NewStatus)                                                                                                    \
    F(TF_DeleteStatus)                                                                                                 \
    F(TF_GetCode)                                                                                                      \
    F(TF_Message)                                                                                                      \
    F(TF_NewBufferFromString)                                                                                          \
    F(TF_DeleteBuffer)                                                                                                 \
    F(TF_NewGraph)                                                                                                     \
    F(TF_DeleteGraph)                                                                                                  \
    F(TF_NewImportGraphDefOptions)                                                                                     \
    F(TF_DeleteImportGraphDefOptions)                                                                                  \
    F(TF_GraphImportGraphDef)                                                                                          \
    F(TF_GraphOperationByName)                                                                                         \
    F(TF_OperationNumOutputs)                                                                                          \
    F(TF_NewSessionOptions)                                                                                            \
    F(TF_DeleteSessionOptions)                                                                                         \
    F(TF_NewSession)                                                                                                   \
    F(TF_CloseSession)                                                                                                 \
    F(TF_DeleteSession)                                                                                                \
    F(TF_SessionRun)                                                                                                   \
    F(TF_AllocateTensor)                                                                                               \
    F(TF_DeleteTensor)                                                                                                 \
    F(TF_TensorType)                                                                                                   \
    F(TF_NumDims)                                                                                                      \
    F(TF_Dim)                                                                                                          \
    F(TF_TensorByteSize)                                                                                               \
    F(TF_TensorData)                                                                                                   \
    F(TF_StringInit)                                                                                                   \
    F(TF_StringCopy)                                                                                                   \
    F(TF_StringGetDataPointer)                                                                                         \
    F(TF_StringGetSize)

/* Its handles are for its own functions alone. */
struct library {
#define LIBRARY_MEMBER(name) __typeof__(&name) name;
    LIBRARY_FUNCTIONS(LIBRARY_MEMBER)
#undef LIBRARY_MEMBER
    bool is_other;
};

/* The library at `path`, which stays loaded until the process ends; NULL: the command's own. False after an error, which
 * has been printed. */
bool library_open(struct library *out, const char *path);

#endif
