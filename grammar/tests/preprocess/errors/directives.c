#error the reason is "this"
//~~~~~~~~~~~~~~~~~~~~~~~~~ C0105 `#error` is reached: the reason is "this"
#warning mind this
//~~~~~~~~~~~~~~~~ C0106 mind this
#unknown thing
//~~~~~~ C0117 `#unknown` is no directive
# !
//~ C0117 `# !` is no directive
#include
//~~~~~~ C0118 no name of a header
#include nothing
//       ~~~~~~~ C0118 no name of a header
#include <broken
//       ~~~~~~~ C0118 no name of a header
#include ""
//       ~~ C0118 no name of a header
#line
//~~~ C0118 no number of a line
#line x
//~~~ C0118 no number of a line
#embed "data.bin"
//~~~~ C0119 `#embed` is not understood
#assert x
//~~~~~ C0118 `#assert` wants a predicate and an answer
_Pragma
//~~~~~ C0120 `_Pragma` wants one string
_Pragma(x) y
//~~~~~ C0120 `_Pragma` wants one string
#define ID(x) x
ID(
#include "x.h"
//~~~~~~ C0118 `#include` among the arguments of a macro
)
#if 0
#error not reached
#unknown
#include
#endif
#ident "free"
