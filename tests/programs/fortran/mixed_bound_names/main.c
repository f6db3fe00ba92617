/* Exercises: a main program in C that calls procedures of a Fortran module with BIND(C) and no NAME. A submodule has the
 * body of one of them. */
#include <stdio.h>

void f_step(double *x);
void f_half(double *x);

int main(void)
{
    double x = 1;
    int k;
#pragma cppc init
#pragma cppc register(k, x)
    for (k = 0; k < 4; k++) {
        f_step(&x);
        f_half(&x);
        printf("%d %.17g\n", k, x);
    }
#pragma cppc shutdown
    return 0;
}
