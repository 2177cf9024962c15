/* The exported twins of the inline TF_TString functions. */
#include "tensorflow/c/tf_tstring.h"

void TF_StringInit(TF_TString *string) { TF_TString_Init(string); }
void TF_StringCopy(TF_TString *dst, const char *src, size_t size) { TF_TString_Copy(dst, src, size); }
void TF_StringAssignView(TF_TString *dst, const char *src, size_t size) { TF_TString_AssignView(dst, src, size); }
const char *TF_StringGetDataPointer(const TF_TString *string) { return TF_TString_GetDataPointer(string); }
TF_TString_Type TF_StringGetType(const TF_TString *string) { return TF_TString_GetType(string); }
size_t TF_StringGetSize(const TF_TString *string) { return TF_TString_GetSize(string); }
size_t TF_StringGetCapacity(const TF_TString *string) { return TF_TString_GetCapacity(string); }
void TF_StringDealloc(TF_TString *string) { TF_TString_Dealloc(string); }
