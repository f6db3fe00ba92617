/* Registers of memory that is allocated again: in another size (reported), in the same size, and registered again.
 * reports: *late, first[n], grown[m], list.values[list.count], pool[k][3]
 */
#include <stdio.h>
#include <stdlib.h>

struct part {
    double x[4];
};

struct list {
    int count;
    double *values;
};

static double *fresh(int count)
{
    double *new = malloc(count * sizeof *new);
    for (int k = 0; k < count; k++)
        new[k] = k;
    return new;
}

static double *larger(double *old, int count)
{
    return realloc(old, count * sizeof *old);
}

int main(int argc, char **argv)
{
    int i, m = 2;
    int n = 4 + argc;
    double *same, *first, *second, *grown = NULL, *again, *whole, *pool[3];
    struct part *part, *late = NULL;
    struct list list = {2, NULL};

#pragma cppc init
    first = malloc(n * sizeof *first);
    second = fresh(n);
    same = fresh(n);
    again = fresh(m);
    whole = malloc(m * sizeof *whole);
    part = malloc(sizeof *part);
    for (i = 0; i < n; i++)
        first[i] = second[i] = i;
    whole[0] = part->x[1] = again[1] = 0;
    for (i = 0; i < 3; i++)
        pool[i] = fresh(3);
#pragma cppc register(i, n, m, first[n], second[n], same[n], grown[m], again[m], whole[], *part, *late)
    for (int k = 0; k < 3; k++) {
#pragma cppc register(pool[k][3])
    }
    list.values = calloc(list.count, sizeof *list.values);
#pragma cppc register(pool, list.count, list.values[list.count])
    for (i = 0; i < 6; i++) {
#pragma cppc checkpoint
        double *new = fresh(n);
        new[0] = same[1] + 1;
        free(same);
        same = new;
        if (i == 1) {
            free(first);
            first = calloc(n + i, sizeof *first);
            free(part);
            part = calloc(1, sizeof *part);
            late = calloc(argc, sizeof *late);
        }
        if (i == 2) {
            list.values = realloc(list.values, ++list.count * sizeof *list.values);
            list.values[2] = list.values[1] + 1;
            m += 3;
            grown = larger(grown, m);
            again = larger(again, m);
#pragma cppc register(again[m])
            whole = realloc(whole, m * sizeof *whole);
            grown[m - 1] = again[m - 1] = whole[m - 1] = i;
            pool[i] = realloc(pool[i], (3 + i) * sizeof *pool[i]);
        }
        new = second;
        second = first;
        first = new;
        printf("%g %g %g %g %g\n", same[0], first[0], second[1], part->x[1], pool[2][0] + list.values[i % list.count]);
        if (i > 2)
            printf("%g %g %g %g\n", grown[0], again[1], whole[1], late[argc - 1].x[0]);
    }
#pragma cppc shutdown
    return 0;
}
