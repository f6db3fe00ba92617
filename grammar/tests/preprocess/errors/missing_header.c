#include "none.h"
//       ~~~~~~~~ error[C0101] the header `none.h` is not found
#include <sys/none.h>
//       ~~~~~~~~~~~~ error[C0101] the header `sys/none.h` is not found
#define NONE <none.h>
#include NONE
//       ~~~~ error[C0101] the header `none.h` is not found
#if 0
#include "none.h"
#endif
