/* Graphs of allocations: nodes, counted arrays, arrays of pointers, shared nodes and pointers into the middle. */

#include "dying.h"
#include <stdio.h>
#include <string.h>

struct node {
    char mark;
    long weight;
    double value;
    struct node *next, *previous;
    short *counts;
    int n;
};

struct list {
    struct node *first, *middle;
    struct node **all;
    double *inside;
    int n;
};

static struct list list;

static void add(int turn)
{
    struct node *made = calloc(1, sizeof *made);
    int i;
    made->mark = (char)('a' + turn);
    made->weight = 100000L * turn - 7;
    made->value = turn * 1.25;
    made->n = turn + 1;
    made->counts = calloc((size_t)made->n, sizeof *made->counts);
    for (i = 0; i < made->n; i++)
        made->counts[i] = (short)(turn * 300 - i);
    made->next = list.first;
    if (list.first != NULL)
        list.first->previous = made;
    list.first = made;
    list.all = realloc(list.all, (size_t)(list.n + 1) * sizeof *list.all);
    list.all[list.n++] = made;
    list.middle = list.all[list.n / 2];
    list.inside = &list.middle->value;
}

int main(void)
{
    int turn, i, links = 0;
    long counts = 0;
    struct node *at;
#pragma cppc init
#pragma cppc register(turn, deep(list))
    for (turn = 0; turn < 4; turn++) {
#pragma cppc checkpoint
        maybe_die(turn + 1);
        add(turn);
    }
    for (at = list.first; at != NULL; at = at->next) {
        links += at->previous == NULL || at->previous->next == at;
        for (i = 0; i < at->n; i++)
            counts += at->counts[i];
        printf("%c %ld %a\n", at->mark, at->weight, at->value);
    }
    printf("%d %ld %d %d\n", links, counts, list.inside == &list.middle->value, list.all[0]->next == NULL);
#pragma cppc shutdown
    return 0;
}
