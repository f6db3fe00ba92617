/* reports: nothing */
#include <stdlib.h>

static double *field;
static int points;

static void run(int n)
{
    int k;
    points = n;
    field = malloc(n * sizeof *field);
    for (k = 0; k < n; k++)
        field[k] = k;
#pragma cppc register(points, field[n], k)
    for (k = 0; k < 3; k++) {
#pragma cppc checkpoint
        field[k % points] += 1;
    }
}

int main(void)
{
#pragma cppc init
    run(5);
    free(field);
#pragma cppc shutdown
    return 0;
}
