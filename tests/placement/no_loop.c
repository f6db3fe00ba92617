/*
 * passes: C0808
 */
#include <stdio.h>

static double half(double x)
{
    return x / 2;
}

int main(void)
{
    for (int i = 0; i < 1; i++)
        printf("%g\n", half(3));
    return 0;
}
