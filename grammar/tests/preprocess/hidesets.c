/* The examples of the standard, 6.10.3.5, and what it leaves open. */
#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };
#undef f
#undef g
#define f(a) a*g
#define g(a) f(a)
f(2)(9)
#undef f
#undef g
#define foo foo a bar
#define bar foo b
foo bar
#define A B
#define B A + C
#define C A + B + C
A B C
#define NIL(xxx) xxx
#define G_0(arg) NIL(G_1)(arg)
#define G_1(arg) NIL(arg)
G_0(42)
#define AA BB
#define BB AA
AA
#define F2(a) <a>
#define G2 F2
G2(1) G2 (2) G2
(3) G2
#define EMPTY
#define LPAREN (
#define RPAREN )
#define ff(x, y) x + y
#define ell(x) x
ff(LPAREN 1, RPAREN 3)
ell((ff LPAREN 1, 2 RPAREN))
#define DEFER(x) x EMPTY
#define EXPAND(x) x
#define REP() REP_2
DEFER(REP)() EXPAND(DEFER(REP)())
#define obj(x) x obj
obj(1)(2)(3)
#define self(x) x self(x)
self(self(1))
t(t)(t)(t(1))
#define CAT(a, b) a ## b
#define XCAT(a, b) CAT(a, b)
#define AB CAT(A, B) XCAT(A, B)
AB CAT(A, B) XCAT(C, AT(x, y)) XCAT(A, B)
