typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);
_Noreturn void stop(void);
double norm(const double *, int);
static int twice(int n) { return 2 * n; }
static int (*const table[])(int) = { twice };

double calls(int n, int (*f)(int))
{
    double *p = (double *) malloc(n * sizeof(double));
    __builtin_memset(p, 0, 8 * n);
    if (!p)
        stop();
    n = f(n) + table[0](n) + twice(f(n));
    double r = norm(p + 1, n - 1);
    free(p);
    return r;
}
