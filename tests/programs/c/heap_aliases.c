/* Exercises: registers that share memory: two pointers to one block, a pointer into the middle of
 * another's array, one into the middle of a static array, one past a structure's field. They share
 * memory again after a resume. */
#include <stdlib.h>

#include "check.h"

static double table[16];
static struct {
    int head[3];
    double body[5];
} record;

int main(void)
{
    double *base, *same, *middle, *entry, *body;
    int i, k;

#pragma cppc init
    base = malloc(10 * sizeof *base);
    for (k = 0; k < 10; k++)
        base[k] = k * 0.3;
    for (k = 0; k < 16; k++)
        table[k] = k * k;
    same = base;
    middle = base + 4;
    entry = &table[5];
    body = record.body;
#pragma cppc register(i, base[10], same[10], middle[3], table, entry[2], record, body[5])
    for (i = 0; i < 6; i++) {
#pragma cppc checkpoint
        base[4] += 1.5;
        middle[0] *= 1.25;
        same[9] -= middle[1];
        middle[2] = same[0] + table[5];
        entry[1] += middle[2];
        table[6] *= 0.5;
        entry[0] = table[(5 + i) % 16];
        body[i % 5] += entry[1];
        record.body[i % 5] *= 3;
        record.head[i % 3]++;
        if (i == 3) {
            middle = base + 1;
            entry = table + 9;
        }
        show("base", i, sum_reals(SUM_START, base, 10));
        show("table", i, sum_reals(sum_reals(SUM_START, table, 16), body, 5));
        printf("%d %d %d\n", same == base, (int)(middle - base), (int)(entry - table));
    }
    free(base);
#pragma cppc shutdown
    return 0;
}
