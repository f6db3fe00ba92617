// GNU's ways that real code has, in one place.
#include <stdarg.h>
#include <stddef.h>
typedef float v4 __attribute__((vector_size(16)));
typedef int w4 __attribute__((vector_size(16)));
static inline int max(int a, int b) { return ({ __typeof__(a) x = a; __typeof__(b) y = b; x > y ? x : y; }); }
int sum(int n, ...) {
    va_list list;
    va_start(list, n);
    int s = 0;
    while (n--) s += va_arg(list, int) + *va_arg(list, int *);
    va_end(list);
    return s;
}
w4 convert(v4 v) { return __builtin_convertvector(v, w4); }
size_t where(void) { struct s { int a[3]; struct { int b, c[4]; } d; }; return offsetof(struct s, d.c[2]); }
void vla(int n, int m, double a[n][m], double (*b)[m]) {
    double c[n + 1][m], (*d)[m] = a;
    for (int i = 0, j = n; i < j; i++, j--) c[i][0] = b[i][0] + sizeof(double [n][m]) + sizeof d[0];
}
const char *strings(void) { return "a" L"b" "c" "d"; }
struct flags { unsigned a : 1, : 2, b : 3; int : 0; _Bool c : 1; } flags = { 1 };
union u { int i; float f; } u = (union u) 3;
static int (*const table[])(int, ...) = { [0] = sum, [1 ... 2] = 0 };
extern int weak(void) __attribute__((weak, alias("strong")));
int strong(void) { return 0; }
void computed(int i) {
    static void *const labels[] = { &&a, &&b };
    goto *labels[i];
a:  i++;
b:  return;
}
_Complex float z = 1.0f + 2.0fi;
__int128 wide(unsigned __int128 x) { return (__int128) x << 64 | 1; }
int empty_struct(void) { struct {} e; return sizeof e; }
int conditional(int x) { return x ?: x ? : 3; }
int cases(char c) { switch (c) { case '0' ... '9': return 1; case 'a': case 'b': default: return 0; } }
int assigned(int *p) { int q; return (q = *p++) , q += *--p, q <<= 1, q ^= ~q, -q - -q + +q, !q && !!q; }
long double hex(void) { return 0x1p-3L + 1e+3 + .5 + 5. + 0xE + 0b101; }
