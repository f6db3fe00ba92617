/* Exercises: pointers in an array, a structure and allocated memory that are registered before what they point to, and that a
 * restart reads to repeat a call. */
#include <stdlib.h>

#include "check.h"

struct part {
    void (*step)(struct part *, int);
    double value;
};

static struct part *first_table[3];
static struct part pool[3];
static struct { int number; struct part *current; } chosen;

static void add(struct part *part, int step)
{
#pragma cppc checkpoint
    part->value += step;
}

static void multiply(struct part *part, int step)
{
    int k;
#pragma cppc register(k)
    for (k = 0; k < 2; k++) {
#pragma cppc checkpoint
        part->value = part->value * 1.5 + k + step;
    }
}

int main(void)
{
    struct part local = { add, 1 }, *heap, **list;
    int i;

#pragma cppc init
    heap = malloc(sizeof *heap);
    list = malloc(2 * sizeof *list);
    heap->step = multiply;
    heap->value = 2;
    for (i = 0; i < 3; i++) {
        pool[i].step = i == 1 ? multiply : add;
        first_table[i] = &pool[i];
    }
    first_table[2] = &local;
    list[0] = &pool[2];
    list[1] = heap;
    chosen.current = heap;
#pragma cppc register(list[2])
#pragma cppc register(first_table, chosen, *heap, i)
#pragma cppc register(pool, local)
    for (i = 0; i < 3; i++) {
        first_table[i]->step(first_table[i], i);
        chosen.current->step(chosen.current, i);
        list[i % 2]->step(list[i % 2], i);
        chosen.current = list[i % 2];
        show("values", i, heap->value + local.value + pool[0].value * 3 + pool[1].value * 5 + pool[2].value * 7);
    }
#pragma cppc shutdown
    return 0;
}
