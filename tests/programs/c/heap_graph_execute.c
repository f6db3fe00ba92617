/* Exercises: execute blocks that a restart replays after `deep`, and that change the graph. */
#include <stdlib.h>

#include "check.h"

struct node {
    int key;
    struct node *next;
};

static struct node *list;
static int table[4];

static void push(int key)
{
    struct node *n = calloc(1, sizeof *n);
    n->key = key;
    n->next = list;
    list = n;
}

int main(void)
{
    int step;
    Sum sum;
    struct node *n;
#pragma cppc init
#pragma cppc register(step, deep(list))
#pragma cppc execute
    table[0] = 3;
#pragma cppc end execute
    push(1);
    for (step = 0; step < 5; step++) {
#pragma cppc allow(C0702, list)
#pragma cppc execute capture(step)
        table[step % 4] = 7 + step;
        if (list)
            list->key = -1; /* in a restart, this changes a restored node */
#pragma cppc end execute
        list->key = step;
#pragma cppc checkpoint
        push(table[step % 4]);
        list->next->key += table[0];
        sum = sum_int(SUM_START, step);
        for (n = list; n; n = n->next)
            sum = sum_int(sum, n->key);
        show("list", step, sum);
    }
#pragma cppc shutdown
    return 0;
}
