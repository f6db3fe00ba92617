/* Variables of which each thread has a copy. No register saves the copies of the other threads. */
#include <stdio.h>

static double of_main;
static double of_threads;
static double copied;
#pragma omp threadprivate(of_main, of_threads, copied)

static double next(void)
{
    return ++of_threads;
}

int main(void)
{
    double sum = 0;
    for (int i = 1; i <= 8; i++) {
#pragma cppc checkpoint
        of_main += i;
        copied += i;
#pragma omp parallel copyin(copied) reduction(+ : sum)
        sum += next() + copied;
    }
    printf("%g %g\n", sum, of_main);
    return 0;
}
