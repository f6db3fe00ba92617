// flags: -std=gnu2x
// compilers: gcc
/* `__VA_OPT__` of C23. */
#define F(...) f(0 __VA_OPT__(,) __VA_ARGS__)
#define G(X, ...) f(0, X __VA_OPT__(,) __VA_ARGS__)
#define SDEF(sname, ...) S sname __VA_OPT__(= { __VA_ARGS__ })
#define EMP
F(a, b, c) F() F(EMP) G(a, b, c) G(a, ) G(a) SDEF(foo); SDEF(bar, 1, 2);
#define H2(X, Y, ...) __VA_OPT__(X ## Y,) __VA_ARGS__
#define H3(X, ...) #__VA_OPT__(X##X X##X)
#define H4(X, ...) __VA_OPT__(a X ## X) ## b
#define H5A(...) __VA_OPT__()/**/__VA_OPT__()
#define H5B(X) a ## X ## b
#define H5C(X) H5B(X)
H2(a, b, c, d) H3(, 0) H4(, 1) H5C(H5A())
#define P(x, ...) x(__VA_OPT__((__VA_ARGS__)))
P(f) P(f, 1, 2) P(f, EMP) P(f, EMP EMP, EMP)
#define R(x, ...) x ## __VA_OPT__(_y ## __VA_ARGS__) ## _z
R(a) R(a, b) R(a, b, c)
#define Q(...) [__VA_OPT__(a(b)c)]
Q() Q(1)
#define NEST(x, y...) __VA_OPT__(<y>) x
NEST(1) NEST(1, 2)
