/* Exercises: calls that a restart repeats through pointers to variables that only the called procedures register, and pointers
 * that are registered before their targets. */
#include <stdlib.h>

#include "check.h"

struct part {
    void (*step)(struct part *, int);
    double value;
    struct part *next;
};

static struct part pool[3], *table[2], *current;
static struct { int number; struct part *chosen; } box;

static void add(struct part *part, int step)
{
#pragma cppc register(pool)
#pragma cppc checkpoint
    part->value += step;
}

static void multiply(struct part *part, int step)
{
    int k;
#pragma cppc register(k, pool)
    for (k = 0; k < 2; k++) {
#pragma cppc checkpoint
        part->value = part->value * 1.5 + k + step;
    }
}

static double scale(double *value, struct part *next)
{
#pragma cppc register(pool)
#pragma cppc checkpoint
    *value *= 1.25;
    return *value + next->value;
}

static struct part local_pool[2], *first;

static void walk(struct part *part, int step)
{
#pragma cppc checkpoint
    part->value += step;
}

int main(void)
{
    double sum = 0;
    int i;

#pragma cppc init
    for (i = 0; i < 3; i++) {
        pool[i].step = i == 1 ? multiply : add;
        pool[i].value = i;
        pool[i].next = &pool[(i + 1) % 3];
    }
    table[0] = &pool[0];
    table[1] = &pool[1];
    current = &pool[2];
    box.chosen = &pool[1];
    local_pool[0].step = local_pool[1].step = walk;
    first = &local_pool[1];
#pragma cppc register(first[0])
#pragma cppc register(local_pool)
#pragma cppc register(table, current[0], box, i, sum)
    for (i = 0; i < 3; i++) {
        table[i % 2]->step(table[i % 2], i);
        current->step(current, i);
        box.chosen->next->step(box.chosen->next, i);
        sum += scale(&box.chosen->value, table[0]->next);
        first->step(first, i);
        current = current->next;
        box.chosen = box.chosen->next;
        show("values", i, sum + pool[0].value * 3 + pool[1].value * 5 + pool[2].value * 7 + local_pool[1].value * 11);
    }
#pragma cppc shutdown
    return 0;
}
