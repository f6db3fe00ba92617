/* Exercises: a graph whose root is a table of pointers to functions. */
#include <stdio.h>

static double square(double x)
{
    return x * x;
}

static double half(double x)
{
    return x / 2;
}

static double (*table[2])(double) = { square, half };

int main(void)
{
    int i;
    double x = 3;
#pragma cppc init
#pragma cppc register(i, x, deep(table))
    for (i = 0; i < 8; i++) {
#pragma cppc checkpoint
        x = table[i % 2](x) + 1;
        if (i == 4)
            table[0] = half;
    }
    printf("%g\n", x);
#pragma cppc shutdown
    return 0;
}
