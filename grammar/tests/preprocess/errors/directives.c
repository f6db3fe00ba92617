#error the reason is "this"
//~~~~~~~~~~~~~~~~~~~~~~~~~ C0105 `#error` is reached: the reason is "this"
#warning mind this
//~~~~~~~~~~~~~~~~ C0106 mind this
#unknown thing
//~~~~~~ C0117 `#unknown` is not a directive
# !
//~ C0117 `# !` is not a directive
#include
//~~~~~~ C0118 expected the name of a header
#include nothing
//       ~~~~~~~ C0118 expected the name of a header
#include <broken
//       ~~~~~~~ C0118 expected the name of a header
#include ""
//       ~~ C0118 expected the name of a header
#line
//~~~ C0118 expected a line number
#line x
//~~~ C0118 expected a line number
#embed "data.bin"
//~~~~ C0119 `#embed` is not understood
#assert x
//~~~~~ C0118 `#assert` needs a predicate and an answer
_Pragma
//~~~~~ C0120 `_Pragma` needs one string
_Pragma(x) y
//~~~~~ C0120 `_Pragma` needs one string
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
