/* A stream that an execute block opens, with its name and position. */
#include <stdio.h>

void log_steps(int n)
{
    FILE *out;
    int i;

#pragma cppc execute file(out, "steps.txt")
    out = fopen("steps.txt", "w");
#pragma cppc end execute
#pragma cppc register(i, n)
    for (i = 0; i < n; i++) {
#pragma cppc checkpoint
        fprintf(out, "%d\n", i);
    }
    fclose(out);
}
