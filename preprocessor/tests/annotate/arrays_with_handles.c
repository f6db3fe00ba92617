/* Structures with a handle: an array of them, and a field that takes over memory. */
#include <stdio.h>
#include <stdlib.h>

struct run {
    FILE *log;
    double sum;
    int count[2];
};

struct list {
    FILE *log;
    int used;
    int *values;
};

int main(void)
{
    struct run runs[2];
    struct list list = {NULL, 0, NULL};
    int step, k;

    list.log = fopen("list.txt", "w");
    runs[0].log = fopen("first.txt", "w");
    runs[1].log = fopen("second.txt", "w");
    for (k = 0; k < 2; k++) {
        runs[k].sum = 0;
        runs[k].count[0] = runs[k].count[1] = k;
    }
    for (step = 0; step < 9; step++) {
        int *grown = realloc(list.values, (step + 1) * sizeof *grown);
        if (!grown)
            abort();
        list.values = grown;
        list.values[list.used++] = step;
        for (k = 0; k < 2; k++) {
            runs[k].sum += list.values[step / 2];
            runs[k].count[step % 2]++;
        }
#pragma cppc checkpoint
        fprintf(list.log, "%d\n", list.values[step]);
        fprintf(runs[0].log, "%g\n", runs[0].sum);
        fprintf(runs[1].log, "%g\n", runs[1].sum + runs[1].count[step % 2]);
    }
    return 0;
}
