/* Memory that is allocated before `init`: there is a register after `init` only if the name still means the memory there. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    double *data;
    struct node *next;
};

struct grid {
    double *now;
};

static struct grid *shared;

static void make_shared(int n)
{
    shared = malloc(sizeof *shared);
    shared->now = calloc(n, sizeof *shared->now);
}

static void fill(struct grid *grid, int n)
{
    grid->now = calloc(n, sizeof *grid->now);
}

int main(int argc, char **argv)
{
    int n = 8, step;
    double sum = 0, *maybe;
    struct node *head = calloc(1, sizeof *head), *p;
    struct grid *own = malloc(sizeof *own), *moved = malloc(2 * sizeof *moved);

    own->now = calloc(n, sizeof *own->now);
    fill(moved, n);
    moved++;
    fill(moved, n);
    moved--;
    for (p = head; p; p = p->next)
        p->data = calloc(n, sizeof *p->data);
    if (argc > 1)
        maybe = calloc(n, sizeof *maybe);
    make_shared(n);
#pragma cppc init
    for (step = 0; step < n; step++) {
#pragma cppc checkpoint
        head->data[step] += step;
        own->now[step] += step;
        moved->now[step] += step;
        shared->now[step] += step;
        if (argc > 1)
            maybe[step] += step;
        sum += head->data[step] + own->now[step] + shared->now[step] + moved->now[step];
    }
    printf("%g %s\n", sum, argv[0]);
    return 0;
}
