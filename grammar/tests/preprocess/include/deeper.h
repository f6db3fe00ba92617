#ifndef DEEPER
#define DEEPER 1
#include "deeper.h"
#elif DEEPER == 1
#undef DEEPER
#define DEEPER 2
second __INCLUDE_LEVEL__
#include "deeper.h"
#else
third __INCLUDE_LEVEL__
#endif
