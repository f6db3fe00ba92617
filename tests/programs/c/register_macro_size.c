/* Exercises: sizes spelt with macros, with `sizeof`, with enumerators, with casts and with calls
 * to functions that hold no block; a directive over several lines. */
#include <stdlib.h>

#include "check.h"

#define ROWS 4
#define CELLS(n) ((n) * ROWS)
enum { COLUMNS = 6 };

static size_t half(size_t n)
{
    return n / 2;
}

int main(void)
{
    double *a, *b, *c, *d;
    int i, k;
    long n = 9;

#pragma cppc init
    a = calloc(CELLS(COLUMNS), sizeof *a);
    b = calloc(ROWS, sizeof *b);
    c = calloc(sizeof(int) * COLUMNS, sizeof *c);
    d = calloc(half(40), sizeof *d);
#pragma cppc register(i, n, a[CELLS(COLUMNS)], \
                      b[ROWS], c[sizeof(int) * COLUMNS], \
                      d[(int)half(40)])
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        n = n * 5 % 97;
        for (k = 0; k < CELLS(COLUMNS); k++)
            a[k] += n + k;
        for (k = 0; k < ROWS; k++)
            b[k] += a[k] / 3.0;
        for (k = 0; k < 24; k++)
            c[k] += b[k % ROWS] / 7.0;
        for (k = 0; k < 20; k++)
            d[k] += c[k] + n;
        show("sums", i, sum_reals(sum_reals(SUM_START, c, 24), d, 20));
    }
    free(a);
    free(b);
    free(c);
    free(d);
#pragma cppc shutdown
    return 0;
}
