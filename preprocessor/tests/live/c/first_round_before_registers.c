/* `step` registers a field of its argument and has the checkpoint. In the first round, the fields of the other elements are not
 * registered yet. `keep` has registered those of `known` before.
 * reports: first, p->x, second, table
 * all: *heap, first, known, second, table
 */
#include <stdio.h>
#include <stdlib.h>

struct cell {
    int x;
    int n;
};

static struct cell table[3], known[3], first, second, *heap;

static void keep(struct cell *p)
{
#pragma cppc register(p->x)
    p->x += 1;
}

static void step_table(struct cell *p)
{
#pragma cppc register(p->x)
#pragma cppc checkpoint
    p->x += 1;
}

static void step_heap(struct cell *p)
{
#pragma cppc register(p->x)
#pragma cppc checkpoint
    p->x += 1;
}

static void step_known(struct cell *p)
{
#pragma cppc register(p->x)
#pragma cppc checkpoint
    p->x += 1;
}

static void step_one(struct cell *p)
{
#pragma cppc register(p->x)
#pragma cppc checkpoint
    p->x += 1;
}

int main(void)
{
    int round, i;
    heap = calloc(3, sizeof *heap);
#pragma cppc init
#pragma cppc register(round, i)
    for (i = 0; i < 3; i++) {
        table[i].x = known[i].x = heap[i].x = i;
        first.x = second.x = i;
    }
    for (i = 0; i < 3; i++)
        keep(&known[i]);
    for (round = 0; round < 2; round++) {
        for (i = 0; i < 3; i++)
            step_table(&table[i]);
        for (i = 0; i < 3; i++)
            step_heap(&heap[i]);
        for (i = 0; i < 3; i++)
            step_known(&known[i]);
        step_one(&first);
        step_one(&second);
    }
    for (i = 0; i < 3; i++)
        printf("%d %d %d\n", table[i].x, heap[i].x, known[i].x);
    printf("%d %d\n", first.x, second.x);
#pragma cppc shutdown
    return 0;
}
