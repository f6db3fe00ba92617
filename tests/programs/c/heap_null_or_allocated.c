/* Exercises: pointers that are null on some paths: memory for a part of the run, and streams.
 * writes: files */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 8, has_all = argc > 0 && argv[0][0] == 0, step;
#pragma cppc init
    double *kept = calloc(n, sizeof *kept), *all = NULL, *part = NULL, sum = 0;
#pragma cppc register(all[], part[])
#pragma cppc register(kept[n])
    FILE *log;
#pragma cppc execute
    log = NULL;
#pragma cppc end execute

    if (has_all) {
        all = malloc(n * sizeof *all);
#pragma cppc register(all[n])
    }
#pragma cppc register(step, sum)
    for (step = 0; step < n; step++) {
        printf("%d %g\n", step, sum);
        if (step == 2) {
            part = calloc(n, sizeof *part);
#pragma cppc register(part[n])
#pragma cppc execute file(log, "part.txt")
            log = fopen("part.txt", "w");
#pragma cppc end execute
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
#pragma cppc register(part[])
            fclose(log);
#pragma cppc execute
            log = NULL;
#pragma cppc end execute
        }
#pragma cppc checkpoint
    }
    printf("%g %g\n", sum, all ? all[n - 1] : 0);
#pragma cppc unregister(all)
    free(all);
#pragma cppc shutdown
    return 0;
}
