#include "plain.h"
#include "deeper.h"
nested __INCLUDE_LEVEL__
