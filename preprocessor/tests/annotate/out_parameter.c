/* Memory that a procedure allocates for a pointer of its caller. */
#include <stdio.h>
#include <stdlib.h>
static void make(int **numbers, int n)
{
    *numbers = malloc(n * sizeof **numbers);
    for (int k = 0; *numbers && k < n; k++)
        (*numbers)[k] = k;
    for (int k = 0; k < n; k++) {
#pragma cppc checkpoint
        (*numbers)[k] += 2;
    }
}

int main(void)
{
    int n = 8, *order;
    make(&order, n);
    printf("%d\n", order[3]);
    return 0;
}
