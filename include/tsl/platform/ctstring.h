/* TF_TString: 24 bytes that are one element of a TF_STRING tensor, as inline C. Layout and functions, each with its
 * comment, are in tsl/platform/ctstring_internal.h, which programs do not include themselves.
 *
 *   life       TF_TString_Init, TF_TString_Dealloc
 *   look       TF_TString_GetType, _GetSize, _GetCapacity, _GetDataPointer
 *   room       TF_TString_Resize, _ResizeUninitialized, _Reserve, _ReserveAmortized, _GetMutableDataPointer
 *   value      TF_TString_Copy, _Append, _AppendN
 *   sharing    TF_TString_AssignView, _AssignViewWithOwner, _Assign, _Move
 *
 * Heap memory comes from malloc and goes to free, so that the library and the program may each free what the other
 * allocated. Threads: any number may read a string; changing it needs it alone. */
#ifndef TENSORFLOW_TSL_PLATFORM_CTSTRING_H_
#define TENSORFLOW_TSL_PLATFORM_CTSTRING_H_

#include <stdint.h>
#include <stdlib.h>

#include "tsl/platform/ctstring_internal.h"

#endif
