/* reports: left */
#include <stdlib.h>

static double *all[3], *left[3];

static void fill(double **rows, int n)
{
    int k;
    for (k = 0; k < n; k++)
        rows[k] = calloc(2, sizeof(double));
}

static void keep(double **rows, int n)
{
    int k;
    for (k = 0; k < n; k++) {
#pragma cppc register(rows[k][2])
    }
}

int main(void)
{
    int i;
#pragma cppc init
    fill(all, 3);
    fill(left, 3);
    keep(all, 3);
#pragma cppc register(i, left[0][2], left[1][2])
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        all[i % 3][0] += i;
        left[i % 3][1] += all[(i + 1) % 3][0];
    }
#pragma cppc shutdown
    return left[1][1] > 3;
}
