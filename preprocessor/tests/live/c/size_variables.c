/* The variables of a size are registered with it: of a product, and fields. `wide` is in no size.
 * reports: wide */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    struct { int rows, columns; } shape;
    double *a, *b;
    int m, n, wide, i;
#pragma cppc init
    scanf("%d %d %d %d %d", &m, &n, &wide, &shape.rows, &shape.columns);
    a = calloc((size_t)(m * n), sizeof *a);
    b = calloc((size_t)(shape.rows * shape.columns), sizeof *b);
#pragma cppc register(i, a[m * n], b[shape.rows][shape.columns])
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        a[(i + wide) % (m * n)] += b[i % (shape.rows * shape.columns)];
        printf("%g\n", a[0]);
    }
#pragma cppc shutdown
    return 0;
}
