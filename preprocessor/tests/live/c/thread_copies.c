/* A register saves the copy that one thread has of a variable. The others are lost, unless each region begins with the value
 * of the main thread.
 * reports: seed
 * flags: -fopenmp
 */
#include <stdio.h>

static unsigned seed = 1, total, copied;
#pragma omp threadprivate(seed, total, copied)

static unsigned draw(void)
{
    seed = seed * 1103515245u + 12345u;
    return seed >> 16;
}

int main(void)
{
    unsigned sum = 0;
    int i;
#pragma cppc init
#pragma cppc register(seed, total, copied, sum, i)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        total += i;
        copied += i;
#pragma omp parallel copyin(copied) reduction(+ : sum)
        sum += draw() + copied;
    }
    printf("%u %u\n", sum, total);
#pragma cppc shutdown
    return 0;
}
