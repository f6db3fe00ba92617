#error the reason is "this"
//~~~~~~~~~~~~~~~~~~~~~~~~~~~ error[C0105] `#error` is reached: the reason is "this"
#warning mind this
//~~~~~~~~~~~~~~~~~~ warning[C0106] mind this
#unknown thing
//~~~~~~~~ error[C0117] `#unknown` is not a directive
# !
//~~~ error[C0117] `# !` is not a directive
#include
//~~~~~~~~ error[C0118] expected the name of a header
#include nothing
//       ~~~~~~~ error[C0118] expected the name of a header
#include <broken
//       ~~~~~~~ error[C0118] expected the name of a header
#include ""
//       ~~ error[C0118] expected the name of a header
#line
//~~~~~ error[C0118] expected a line number
#line x
//~~~~~ error[C0118] expected a line number
#embed "data.bin"
//~~~~~~ error[C0119] `#embed` is not understood
#assert x
//~~~~~~~ error[C0118] `#assert` needs a predicate and an answer
_Pragma
//~~~~~~~ error[C0120] `_Pragma` needs one string
_Pragma(x) y
//~~~~~~~ error[C0120] `_Pragma` needs one string
#define ID(x) x
ID(
#include "x.h"
//~~~~~~~~ error[C0118] `#include` among the arguments of a macro
)
#if 0
#error not reached
#unknown
#include
#endif
#ident "free"
