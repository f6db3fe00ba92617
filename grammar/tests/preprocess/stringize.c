/* What `#` makes of blanks, literals and odd spellings. */
#define S(x) #x
#define XS(x) S(x)
#define E
#define F(x) x
#define V(...) #__VA_ARGS__
S( a   b ) S(a/**/b) S(a /* c */ b) S("a\n" '\'' '"' "\"") S(L"x\\y" u8"\0")
S(a
  b
  c) S(  ) S() XS() XS(E)
XS(-E y) XS(- E y) XS(x E y) XS(xEy) XS(x F(y) z) XS(x F( y )z) XS(x F()z) XS(-F(+)-)
XS(F(F)(1)) XS(F (1)) XS(F 1) XS(F x)
S(@) S(\) S(\n) S("\\") S(%:) S(<:  :>) S(a%:%:b)
V(a, b,c ,  d) V() V(,) V(a,) V( , )
#define P(x, y) S(x y) S(x+y) #x #y XS(x ## y)
P(a, b) P(a b, c d) P(,) P(a,) P(, b)
#define KEEP(x) - x - XS(- x -) XS(-x-)
KEEP(1) KEEP() KEEP(F(2)) KEEP(E)
#define LINE_OF(x) XS(x:__LINE__)
LINE_OF(here)
XS((a)(b) (c) [ d ]) XS(a ## b) XS(#) XS(##) XS(a # b)
S(1.5e+3 .5 0x1p-3 1'a' 'a'1) XS(__FILE__) XS(__LINE__ __LINE__)
#define HASH #
#define HH # ## #
XS(HASH) XS(HH) XS(HASH HASH)
#define Q(x) # x
#define Q2(x)#x
#define Q3(x) x #x x#x
[Q(a)] [Q2(a)] Q3(b c)
XS(Q3(b c)) XS([Q(a)] [Q2(a)])
