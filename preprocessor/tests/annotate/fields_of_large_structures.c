/* A structure with a stream, a pointer to a procedure and more than 64 pointers is registered field by field. */
#include <stdio.h>
#include <stdlib.h>

#define TEN(n) *n##0, *n##1, *n##2, *n##3, *n##4, *n##5, *n##6, *n##7, *n##8, *n##9

struct run {
    FILE *log;
    void (*change)(double *x);
    double TEN(a), TEN(b), TEN(c), TEN(d), TEN(e), TEN(f), TEN(g), sum;
    int steps;
};

static struct run run;

static void twice(double *x)
{
    *x *= 2;
}

int main(void)
{
    run.log = fopen("run.log", "w");
    run.change = twice;
    run.a0 = calloc(4, sizeof *run.a0);
    run.g9 = calloc(8, sizeof *run.g9);
    for (int k = 0; k < 4; k++) {
#pragma cppc checkpoint
        run.a0[k] = k + run.g9[2 * k];
        run.change(&run.a0[k]);
        run.sum += run.a0[k];
        run.steps++;
        fprintf(run.log, "%d %g\n", run.steps, run.sum);
    }
    fclose(run.log);
    return run.sum > 100;
}
