/* Exercises: `auto(register)` and `checkpoint`, and no other directive, in a program of two files.
 * writes: files */
#include <stdio.h>
#include <stdlib.h>

#include "smooth.h"

#pragma cppc auto(register)

int main(void)
{
    int n = 12;
    double *u = malloc((size_t)n * sizeof *u);
    double sum = 0;
    FILE *journal;
    int i, step;

    if (u == NULL)
        return 1;
    journal = fopen("journal.txt", "w");
    start_smoothing(3);
    for (i = 0; i < n; i++)
        u[i] = i % 5;
    for (step = 0; step < 8; step++) {
#pragma cppc checkpoint
        smooth(u, n);
        sum += u[n / 2] + smoothed();
        fprintf(journal, "%d %.17g\n", step, sum);
        printf("%d %.17g\n", step, sum);
    }
    fclose(journal);
    free(u);
    return 0;
}
