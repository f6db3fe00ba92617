/* Exercises: variable-length arrays that no jump crosses: in procedures without blocks, in scopes
 * that hold no block, as parameters; and `alloca`-free scratch space in a loop with a checkpoint. */
#include "check.h"

static double norm(int n, double a[n][n])
{
    double row[n], sum = 0;
    int i, j;
    for (i = 0; i < n; i++) {
        row[i] = 0;
        for (j = 0; j < n; j++)
            row[i] += a[i][j] * a[i][j];
    }
    for (i = 0; i < n; i++)
        sum += row[i];
    return sum;
}

static double rotate(int n, double a[n][n], int turns)
{
    double last = 0;
    int t;
#pragma cppc register(t, last)
    for (t = 0; t < turns; t++) {
        {
            double first[n];
            int i, j;
            for (j = 0; j < n; j++)
                first[j] = a[0][j];
            for (i = 0; i + 1 < n; i++)
                for (j = 0; j < n; j++)
                    a[i][j] = a[i + 1][(j + 1) % n];
            for (j = 0; j < n; j++)
                a[n - 1][j] = first[j] * 1.0625;
        }
#pragma cppc checkpoint
        last = norm(n, a);
        printf("%d %.17g\n", t, last);
    }
    {
        char text[n + 3];
        int length = snprintf(text, sizeof text, "%.*f", n, last);
        printf("%s %d\n", text, length > n);
    }
    return last;
}

int main(void)
{
    double a[4][4];
    int i, j;

    for (i = 0; i < 4; i++)
        for (j = 0; j < 4; j++)
            a[i][j] = i * 4 + j;
#pragma cppc init
#pragma cppc register(a)
    printf("%.17g\n", rotate(4, a, 5));
#pragma cppc shutdown
    return 0;
}
