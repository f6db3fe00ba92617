// compilers: gcc
/* Characters beyond ASCII in identifiers. */
int é = 1, \u00e9t\u00e9 = 2, été = 3, \U0001F600x, 变量, naïve_1;
#define été found
\u00e9t\u00e9 été
#define S(x) #x
#define C(a, b) a ## b
S(été) C(é, t) C(t, é) C(t, \u00e9)
