/* Exercises: an array that `realloc` moves and that is registered again with its new size, in the
 * procedure itself and in a callee that gets the address of the pointer.
 * rehearse: without --state (the end of its list is registered and never set) */
#include <stdlib.h>

#include "check.h"

struct list {
    int used, room;
    long *items;
};

static void push(struct list *list, long item)
{
    if (list->used == list->room) {
        list->room = list->room * 2 + 1;
        list->items = realloc(list->items, (size_t)list->room * sizeof *list->items);
    }
    list->items[list->used++] = item;
}

int main(void)
{
    static struct list list;
    double *samples = NULL;
    int i, k, n = 0;

#pragma cppc init
#pragma cppc register(i, n, list.used, list.room)
    for (i = 0; i < 9; i++) {
        n += 3;
        samples = realloc(samples, (size_t)n * sizeof *samples);
        for (k = n - 3; k < n; k++)
            samples[k] = (k + i) * 0.1;
        push(&list, i * i);
        push(&list, -i);
#pragma cppc register(samples[n], list.items[list.room])
#pragma cppc checkpoint
        samples[i] += samples[n - 1];
        list.items[0] += list.items[list.used - 1];
        show("samples", i, sum_reals(SUM_START, samples, (size_t)n));
        show("items", i, sum_bytes(SUM_START, list.items, (size_t)list.used * sizeof(long)));
    }
    free(samples);
    free(list.items);
#pragma cppc shutdown
    return 0;
}
