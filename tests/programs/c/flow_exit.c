/* Exercises: a program that ends in a callee with `shutdown` and `exit`, out of nested loops. */
#include <stdlib.h>

#include "check.h"

static double x = 1;

static void finish(int i)
{
    printf("finished at %d %.17g\n", i, x);
#pragma cppc shutdown
    exit(0);
}

static void work(void)
{
    int i, j;
#pragma cppc register(i, j, x)
    for (i = 0;; i++)
        for (j = 0; j < 3; j++) {
#pragma cppc checkpoint
            x = x * 1.5 - j;
            if (i == 2 && j == 1)
                finish(i);
            printf("%d %d %.17g\n", i, j, x);
        }
}

int main(void)
{
#pragma cppc init
    work();
    return 1;
}
