/* Ways to name a header. */
#include "include/plain.h"
#include "include/guarded.h"
#include "include/guarded.h"
#include "include/once.h"
#include "include/../include/once.h"
#define HEADER "include/plain.h"
#include HEADER
#define PATH(x) <x.h>
#include PATH(stddef)
#define STR(x) #x
#define XSTR(x) STR(x)
#include XSTR(include/plain.h)
#define NAME stddef
#define BRACKET < NAME
#include "include/nested.h"
#ifdef __has_include
#if __has_include("include/plain.h") && !__has_include("include/none.h") && __has_include(<stddef.h>) && !__has_include(<no//such*header.h>)
has_include
#endif
#if __has_include(HEADER)
has_include_macro
#endif
#endif
#if defined(__has_include) && defined __has_attribute
defined_operators
#endif
__FILE__ __INCLUDE_LEVEL__
