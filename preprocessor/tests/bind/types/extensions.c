/* _Generic, typeof, builtins, type-generic mathematics, K&R definitions, anonymous members. */
#include <complex.h>
#include <math.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <tgmath.h>

struct outer {
    int head;
    union { int i; float f; };
    struct { double deep; struct { char deeper; }; };
};
typedef int vector __attribute__((vector_size(16)));
typedef int word __attribute__((mode(DI)));

int old(a, b, c)
    double *a;
    char b[];
{
    a; // : double *
    b; // : char *
    c; // : int
    return undeclared(c);
}

double mean(int n, ...)
{
    va_list list;
    va_start(list, n);
    va_arg(list, double); // : double
    va_end(list);
    return 0;
}

void f(float x, double d, long double ld, float complex fc, double complex dc, int n)
{
    struct outer o;
    vector v;
    word w = 0;
    atomic_int counter = 0;
    __typeof__(d) same = d;
    __typeof__(o.deep) deep;
    __auto_type copy = fc;

    o.i; // : int
    o.f; // : float
    o.deep; // : double
    o.deeper; // : char
    w + 0; // : long
    same; // : double
    deep; // : double
    copy; // : float _Complex
    v + v; // : vector
    v[0]; // : int
    sqrt(x); // : float
    sqrt(d); // : double
    sqrt(ld); // : long double
    sqrt(n); // : double
    sqrt(fc); // : float _Complex
    sqrt(dc); // : double _Complex
    fabs(dc); // : double
    fabs(fc); // : float
    creal(dc); // : double
    carg(fc); // : float
    pow(x, x); // : float
    pow(x, d); // : double
    pow(x, n); // : double
    pow(fc, d); // : double _Complex
    ldexp(x, n); // : float
    (sin)(d); // : double
    _Generic(x, float: 1, double: 2.0, default: "x"); // : int
    _Generic(n, float: 1, double: 2.0, default: "x"); // : char [2]
    _Generic(&d, double *: x, default: d); // : float
    __builtin_expect(n, 0); // : long
    __builtin_fabs(d); // : double
    __builtin_fabsf(x); // : float
    __builtin_memcpy(&d, &x, 4); // : void *
    __builtin_strlen("abc"); // : unsigned long
    __builtin_choose_expr(sizeof(int) == 4, x, d); // : float
    __builtin_choose_expr(__builtin_types_compatible_p(int, long), x, d); // : double
    __builtin_popcount(n); // : int
    __builtin_nothing_that_we_know(n); // : ?
    __func__; // : const char []
    undeclared(n); // : int
    nowhere; // : ?
    nowhere + 1; // : ?
    nowhere == 1; // : int
    atomic_load(&counter); // : int
    counter + 1; // : int
    I; // : float _Complex
    d * I; // : double _Complex
    HUGE_VAL; // : double
    isnan(d); // : int
    d > x ? d : x; // : double
    &&end; // : void *
    alignof_test: ;
    _Alignof(double); // : unsigned long
end:;
}
