/* Exercises: `deep` of structures that other files define: a root, pointers between them, a type that is stated for a pointer to
 * `void` in such a structure, and a structure that this file defines after the directive. */
#include <stdlib.h>

#include "check.h"
#include "table.h"

struct item { double weight; struct item *older; };

static struct owner owner;
static struct later *later;

static void later_add(int step);
static Sum later_sum(Sum sum);

int main(void)
{
    int step;
    struct table *others = NULL;
    struct item *last = NULL;
    Sum sum;

#pragma cppc init
    owner.history = history_new();
    owner.table = table_new(&owner);
    others = table_new(&owner);
#pragma cppc register(deep(owner, value: struct item), deep(others, value: struct item), deep(later))
    for (step = 0; step < 6; step++) {
#pragma cppc register(step, deep(last))
#pragma cppc checkpoint
        struct item *item = malloc(sizeof *item);
        item->weight = step / 8.0;
        item->older = last;
        last = item;
        table_put(step % 2 ? owner.table : others, 3 * step, item);
        later_add(step);
        sum = sum_int(SUM_START, step);
        for (int key = 0; key <= 3 * step; key++) {
            for (item = table_get(owner.table, key); item != NULL; item = item->older)
                sum = sum_real(sum, item->weight);
            sum = sum_int(sum, history_count(owner.history, key));
        }
        sum = sum_real(sum, table_get(others, 0) == NULL ? 0 : ((struct item *)table_get(others, 0))->weight);
        sum = later_sum(sum_int(sum, owner.calls));
        show("opaque", step, sum);
    }
#pragma cppc shutdown
    return 0;
}

struct later { int value; struct later *next; };

static void later_add(int step)
{
    struct later *one = malloc(sizeof *one);
    one->value = step;
    one->next = later;
    later = one;
}

static Sum later_sum(Sum sum)
{
    for (struct later *one = later; one != NULL; one = one->next)
        sum = sum_int(sum, one->value);
    return sum;
}
