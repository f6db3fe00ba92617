/* Directives between the parentheses of a macro. */
#define F(a, b) <a|b>
#define ID(x) x
F(1,
#ifdef NONE
no
#else
2
#endif
)
ID(
#define LATE late
LATE
#undef LATE
LATE
#define LATE 1
)
ID
#define AFTER 1
(not a call) AFTER
ID
/* comment */

(a call)
#define G ID
G
#if 1
(no call)
#endif
