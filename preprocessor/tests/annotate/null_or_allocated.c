/* Pointers that are null on some paths: memory of one process, memory for a part of the run, and streams. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 8, has_all = argc > 1, step;
    double *kept = calloc(n, sizeof *kept), *all = NULL, *part = NULL, sum = 0;
    FILE *log = NULL;

    if (has_all)
        all = malloc(n * sizeof *all);
    for (step = 0; step < n; step++) {
        if (step == 2) {
            part = calloc(n, sizeof *part);
            log = fopen("part.txt", "w");
        }
        if (all)
            all[step] = step;
        if (part)
            sum += part[step] + kept[step];
        if (log)
            fprintf(log, "%g\n", sum);
        if (step == 5) {
            free(part);
            part = NULL;
            fclose(log);
            log = NULL;
        }
#pragma cppc checkpoint
    }
    printf("%g %g %s\n", sum, all ? all[n - 1] : 0, argv[0]);
    free(all);
    return 0;
}
