/* Exercises: checkpoints that are skipped because of a pointer that `deep` cannot save. */
#include <stdio.h>
#include <stdlib.h>

struct shape { int kind, size; };
struct circle { struct shape shape; double *radius; };
struct node { struct node *next; struct shape *shape; double *values; int *mark; };

static int marks[2];

int main(void)
{
    struct node *head, *last;
    double *other;
    struct circle *circle;
    int local = 0, step;
    other = calloc(8, sizeof *other);
    circle = calloc(1, sizeof *circle);
    circle->radius = other;
#pragma cppc init
    head = calloc(1, sizeof *head);
    head->next = calloc(1, sizeof *head);
#pragma cppc register(step, deep(head))
    for (step = 0; step < 9; step++) {
        last = head->next;
        last->values = NULL;
        last->mark = NULL;
        last->shape = NULL;
        if (step == 1) last->mark = &local;
        if (step == 2) last->mark = &marks[1];
        if (step == 3) last->values = (double *)(void *)((char *)other + 4);
        if (step == 4) last->mark = (int *)(void *)(last->values = other);
        if (step == 5) last->shape = &circle->shape;
        if (step == 6) last->shape = malloc(3);
        if (step == 7) {
            last->values = other;
            free(other);
        }
#pragma cppc checkpoint
        printf("%d\n", step);
    }
#pragma cppc shutdown
    return 0;
}
