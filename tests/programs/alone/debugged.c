/* Exercises: lines in debuggers, in coverage and in warnings. */
#include <stdio.h>
#include <stdlib.h>

struct item {
    int n;
    struct item *next;
};
static struct item *head;

static int advance(double *a, int n, int step)
{
    int i;
    for (i = 0; i < n; i++)
        a[i] = a[i] * 0.5 + step;
#pragma cppc checkpoint
    if (step == 3) return n + 3; /* stops here */
    return n + step;
}

int main(void)
{
    int n = 4, step;
    double *a = calloc((size_t)n, sizeof *a);

    head = calloc(1, sizeof *head);
#pragma cppc init
#pragma cppc register(step, n, a[n], deep(head))
    for (step = 0; step < 5; step++) {
        n = advance(a, n, step) - step;
        head->n += n; /* after the call */
        printf("%d %d %g\n", step, head->n, a[n - 1]);
    }
#pragma cppc shutdown
    free(a);
    return 0;
}
