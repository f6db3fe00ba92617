/* The corners of the grammar, GNU's among them. */
#include <stdarg.h>
#include <stdalign.h>
#include <stddef.h>

typedef int T;
typedef struct list { struct list *next; union { T t; float f; }; unsigned bits : 3, : 2, more : 1; } List;
struct tail { int n; double v[]; };
enum __attribute__((packed)) small { A = 1, B, C = B << 2, };
_Static_assert(sizeof(T) == 4, "int");
_Alignas(32) static char aligned[64];
extern int named(int) __asm__("real_name");
int (*table[3])(int, char *), *(*get(void))[4];
static inline __attribute__((always_inline, const)) int twice(int x) { return 2 * x; }
__extension__ typedef long long wide;
typedef float vector __attribute__((vector_size(16)));

int old(a, b, T_)
int a, b;
T *T_;
{
    return a + b + *T_;
}

int *(*get(void))[4] { return 0; }
int named(int T) { return T; }

static int sum(int n, ...)
{
    va_list list;
    int s = 0;
    va_start(list, n);
    while (n-- > 0) s += va_arg(list, int);
    va_end(list);
    return s;
}

int main(int argc, char **argv)
{
    __label__ local;
    T T = 3, *p = &(int){4};
    List list = {.t = 1, .bits = 5}, *l = &list;
    int grid[][3] = {[1] = {1, [2] = 3}, {4}}, vla[T];
    __typeof__(grid[0][0]) g = ({ int t = T; t + 1; });
    void *where = &&local;
    const int k = _Generic(T, int: 1, double: 2, default: 3), * const *pp = (const int *const *)&p;
    vector v = {1, 2, 3, 4};
    _Complex double z = 2.0i + 1;
    switch (argc) { case 0 ... 3: T++; default: ; }
    if (T) if (g) T--; else T++;
    do T--; while (T > 0);
    for (int i = 0, j = 1; i < j; i++) continue;
    goto *where;
local:
    vla[0] = sizeof(T) + sizeof T + _Alignof(double) + __builtin_offsetof(List, t);
    l->next = 0, (void)argv, (void)pp, (void)v, (void)z, (void)table, (void)aligned;
    return k ?: sum(2, twice(g), vla[0]) + __builtin_choose_expr(1, 0, old(1, 2, p));
}
