/* Constants whose values are computed, and which nothing can be assigned to after a restart. */
#include <stdio.h>
#include <stdlib.h>

typedef const double Fixed;

static double table[8];

static double work(int n)
{
    const int count = n * 2;
    double *const first = table + n;
    const double *const known = &table[3];
    Fixed half = n * 0.5;
//        ~~~~ error[C0518] a restart jumps over the initialiser of the constant `half`
    double *const before = malloc(8);
    double sum = *before;
    free(before);
#pragma cppc register(sum, n)
    for (const int last = n + 1; n < last; n++) {
//                 ~~~~ error[C0518] a restart jumps over the initialiser of the constant `last`
#pragma cppc checkpoint
        const int *const here = &n;
        sum += first[0] + half + count + *known + *here;
    }
    return sum;
}

int main(int argc, char **argv)
{
    char *const name = argv[0];
#pragma cppc init
    printf("%s %g\n", name, work(argc));
#pragma cppc shutdown
    return 0;
}
