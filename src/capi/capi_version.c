/* Which C API this is, and which Sluice. */
#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_experimental.h"

const char *TF_Version(void) { return SL_TF_VERSION; }

const char *sl_version(void) { return SL_VERSION; }

void TF_InitMain(const char *usage, int *argc, char ***argv) { (void)usage, (void)argc, (void)argv; }
