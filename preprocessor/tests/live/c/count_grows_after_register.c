/* A register saves as many elements as its variable had then.
 * reports: list[count], names[used], table[n] */
#include <stdio.h>
#include <stdlib.h>

static double table[10], again[10], constants[10], fewer[10];
static char (*names)[8];
static int used;

static void add(int t)
{
    snprintf(names[used], 8, "%d", t);
    used += 1;
}

int main(void)
{
    int t, n = 0, count = 2, m = 0, left = 10, k = 1;
    double sum = 0, *list;

#pragma cppc init
    list = calloc(20, sizeof *list);
    names = calloc(20, sizeof *names);
    for (t = 0; t < 10; t++)
        fewer[t] = t;
#pragma cppc register(t, sum, n, table[n], count, list[count], left, fewer[left], used, names[used], k)
    for (t = 0; t < 8; t++) {
#pragma cppc checkpoint
        table[n++] = t;
        list[count] = t;
        count = count + k + 1;
        add(t);
        sum += fewer[left - 1];
        left--;
        again[m++] = t;
#pragma cppc register(m, again[m])
        sum += constants[k];
        k = k + 1;
    }
    for (t = 0; t < 8; t++)
        sum += table[t] + list[t] + again[t] + names[t][0];
    printf("%g\n", sum);
#pragma cppc shutdown
    return 0;
}
