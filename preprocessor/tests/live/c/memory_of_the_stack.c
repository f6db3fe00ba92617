/* A restart cannot find memory of `alloca`.
   reports: work[n] */
#include <alloca.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int i, n = argc + 3;
    double *work = alloca(n * sizeof *work), sum = 0;
    for (i = 0; i < n; i++)
        work[i] = i;
#pragma cppc init
#pragma cppc register(i, n, sum, work[n])
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        work[i % n] += i;
        sum += work[i % n];
    }
    printf("%g %g %s\n", work[0], sum, argv[0]);
#pragma cppc shutdown
    return 0;
}
