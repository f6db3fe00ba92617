/* Calls that lead to checkpoints in the expansions of macros: in arguments, in bodies, over several lines, in loops and in a
   procedure that a macro defines. */
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) do { int status_ = (call); if (status_ != 0) { printf("status %d\n", status_); exit(1); } } while (0)
#define KEEP(x) (error = error > 100 ? error : (x))
#define ADVANCE(v) ((v) = step(v))
#define TEXT(x) #x
#define DEFINE(name, factor)                  \
    static int name(double *x, int n, int *i) \
    {                                         \
        for (*i = 0; *i < n; ++*i)            \
            if (advance(x, *i, factor) != 0)  \
                return 1;                     \
        return 0;                             \
    }

static int advance(double *x, int i, double factor)
{
#pragma cppc checkpoint
    x[i] = factor * x[i] + i;
    return 0;
}

DEFINE(twice, 2.0)

static int step(int k)
{
#pragma cppc checkpoint
    return k + 1;
}

static int sum_of(const double *x, int n, double *sum)
{
    *sum = 0;
    for (int i = 0; i < n; i++)
        *sum += x[i];
#pragma cppc checkpoint
    return n > 4;
}

int main(void)
{
    double x[4] = {1, 2, 3, 4}, sum = 0;
    int error = 0, k = 0, at = 0;
#pragma cppc init
#pragma cppc register(x, sum, error, k, at)
    for (int round = 0; round < 3; round++) {
#pragma cppc register(round)
        CHECK(twice(x, 4, &at));
        KEEP(sum_of(x,
                    4,
                    &sum)); ADVANCE(k);
        if (round > 0) CHECK(sum_of(x, k, &sum)); else ADVANCE(k);
        printf("%s: %d %d %d %g\n", TEXT(CHECK(round)), round, k, error, sum);
    }
    printf("%g %g %g %g\n", x[0], x[1], x[2], x[3]);
#pragma cppc shutdown
    return 0;
}
