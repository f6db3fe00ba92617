/* `qsort` calls `compare` and no other procedure of the program.
   reports: order */
#include <stdio.h>
#include <stdlib.h>
static int order, other;
static double values[8];
static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return order * ((x > y) - (x < y));
}
static void count(void)
{
    other++;
}
void (*action)(void) = count;
int main(int argc, char **argv)
{
    int i;
#pragma cppc init
    order = argc > 1 ? -1 : 1;
    other = argc;
#pragma cppc register(i, values)
    for (i = 0; i < 8; i++) {
#pragma cppc checkpoint
        values[i] = i * 7 % 5;
        qsort(values, i + 1, sizeof values[0], compare);
    }
    printf("%g\n", values[0]);
#pragma cppc shutdown
    return 0;
}
