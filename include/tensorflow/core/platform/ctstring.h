/* The usual path of tsl/platform/ctstring.h: TF_TString, the element of string tensors, as inline C. */
#ifndef TENSORFLOW_CORE_PLATFORM_CTSTRING_H_
#define TENSORFLOW_CORE_PLATFORM_CTSTRING_H_

#include "tsl/platform/ctstring.h"

#endif
