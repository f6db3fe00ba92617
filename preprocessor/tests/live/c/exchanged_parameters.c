/* A procedure exchanges its parameters, and registers both. One of them may be allocated there. A restart sets the parameters, so
 * it does not need the pointers of the caller. The caller uses `used` after the call, and a restart leaves it at its old address.
 * reports: used
 * all: *unused, a[i], used
 */
#include <stdio.h>
#include <stdlib.h>

static void run(double *a, double *b, int n)
{
    int k, i;
    double *other;
    if (!b)
        b = malloc(8 * sizeof *b);
    for (i = 0; i < n; i++)
        b[i] = a[i];
#pragma cppc register(k, n, a[8], b[8])
    for (k = 0; k < 4; k++) {
#pragma cppc checkpoint
        for (i = 0; i < n; i++)
            b[i] = a[i] + 1;
        other = a;
        a = b;
        b = other;
    }
    printf("%g %g\n", a[1], b[1]);
}

static void run_used(double *a, double *b, int n)
{
    int k, i;
    double *other;
    for (i = 0; i < n; i++)
        b[i] = a[i];
#pragma cppc register(k, n, a[8], b[8])
    for (k = 0; k < 4; k++) {
#pragma cppc checkpoint
        for (i = 0; i < n; i++)
            b[i] = a[i] + 1;
        other = a;
        a = b;
        b = other;
    }
    printf("%g %g\n", a[1], b[1]);
}

int main(void)
{
    int i;
    double *a, *b = NULL, *used, *unused;
#pragma cppc init
    a = malloc(8 * sizeof *a);
    for (i = 0; i < 8; i++)
        a[i] = i;
    run(a, b, 8);
    used = malloc(8 * sizeof *used);
    unused = malloc(8 * sizeof *unused);
    for (i = 0; i < 8; i++)
        used[i] = i;
    run_used(used, unused, 8);
    printf("%g\n", used[2]);
#pragma cppc shutdown
    return 0;
}
