/* Exercises: `deep` of parameters and local pointers, in procedures that a restart enters again, nodes that are passed as
 * arguments, and pointers in other registered memory that point to nodes. */
#include <stdlib.h>

#include "check.h"

struct node { double value; struct node *next; };
struct run { int steps; struct node *first; };

static struct node *cons(double value, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = next;
    return n;
}

static Sum sum_list(Sum sum, const struct node *n)
{
    for (; n != NULL; n = n->next)
        sum = sum_real(sum, n->value);
    return sum;
}

static void inner(struct node *list, struct node *second, struct run *run)
{
    int i;
    struct node *own = NULL;
#pragma cppc register(i, deep(own), deep(second), *run)
    for (i = 0; i < 2; i++) {
        own = cons(run->steps + 0.5 * i, own);
#pragma cppc checkpoint
        list->next = cons(second->value + i, list->next);
        second->value += 1;
        show("inner", i, sum_list(sum_list(sum_list(SUM_START, list), own), run->first));
    }
    while (own != NULL) {
        struct node *next = own->next;
        free(own);
        own = next;
    }
}

static void work(struct node *list, struct run *run)
{
#pragma cppc register(deep(list))
    inner(list, list->next, run);
    run->steps++;
}

int main(void)
{
    struct node *list = NULL;
    struct run run = { 0, NULL };
    int step;
#pragma cppc init
    list = cons(1, cons(2, NULL));
    run.first = list->next;
#pragma cppc register(step, deep(list), run)
    for (step = 0; step < 2; step++) {
        work(list, &run);
#pragma cppc checkpoint
        show("main", step, sum_list(SUM_START, list));
        run.first = run.first->next != NULL ? run.first->next : list;
    }
#pragma cppc shutdown
    return 0;
}
