/* Exercises: sizes of registers in memory that `deep` saves, and memory that the inline `getline` allocates. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

struct graph {
    int n;
    double *weights;
};

static struct graph *make(int n)
{
    struct graph *graph = malloc(sizeof *graph);
    graph->n = n;
    graph->weights = calloc((size_t)n, sizeof *graph->weights);
    return graph;
}

int main(void)
{
    double *more, sum = 0;
    char *line = NULL;
    size_t room = 0;
    FILE *text;
    struct graph *graph;
    int step;
#pragma cppc init
    graph = make(20);
#pragma cppc register(deep(graph), step, sum, line[], room)
    more = calloc((size_t)graph->n, sizeof *more);
#pragma cppc register(more[graph->n])
    text = tmpfile();
    if (text == NULL || fputs("one line\n", text) < 0)
        return 1;
    rewind(text);
    if (getline(&line, &room, text) < 0)
        return 1;
    fclose(text);
    for (step = 0; step < 6; step++) {
#pragma cppc checkpoint
        graph->weights[step] += step;
        more[step] += graph->n;
        sum += more[step] * graph->weights[step] + line[step];
        printf("%d %g\n", step, sum);
    }
#pragma cppc shutdown
    return 0;
}
