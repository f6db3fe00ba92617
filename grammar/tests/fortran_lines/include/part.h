#ifndef PART_H
#define PART_H
#define FROM_PART 3
  from_part = N
#include "part.h"
  include 'include/other.h'
#else
  guard = 1
#endif
