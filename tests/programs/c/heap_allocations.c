/* Exercises: pointers that are registered with the size of their allocation (`p[]`), which the program changes
 * without another directive.
 * warns: bytes */
#include <stdlib.h>
#include <string.h>

#include "check.h"

struct series {
    int steps;
    double *values;
};

static int *squares;

static void append(struct series *s, double value)
{
    s->values = realloc(s->values, (size_t)(s->steps + 1) * sizeof *s->values);
    s->values[s->steps] = value;
    s->steps++;
}

int main(void)
{
    struct series s = { 0, NULL };
    double **rows, *grown, *middle, *once = NULL, *swapped;
    long (*pairs)[2];
    void *bytes;
    char *text, *empty;
    int i, k, n = 3, length = 4;

#pragma cppc init
    grown = malloc((size_t)length * sizeof *grown);
    swapped = calloc(7, sizeof *swapped);
    rows = calloc((size_t)n, sizeof *rows);
    pairs = calloc(5, sizeof *pairs);
    bytes = aligned_alloc(64, 192);
    memset(bytes, 1, 192);
    text = strdup("start");
    empty = malloc(0);
    squares = malloc(sizeof *squares);
    squares[0] = 0;
    for (k = 0; k < length; k++) grown[k] = k;
    middle = grown + 2;
#pragma cppc register(i, n, length, s, s.values[], rows[], pairs[], bytes[], text[], empty[], squares[])
#pragma cppc register(grown[], swapped[], once[], middle[0])
    for (k = 0; k < n; k++) {
        rows[k] = calloc((size_t)(k + 1), sizeof **rows);
#pragma cppc register(rows[k][])
    }
    for (i = 0; i < 6; i++) {
#pragma cppc checkpoint
        append(&s, 0.5 * i);
        length += i;
        grown = realloc(grown, (size_t)length * sizeof *grown);
        for (k = length - i; k < length; k++) grown[k] = i + 0.25 * k;
        middle = grown + length / 2;
        squares = realloc(squares, (size_t)(i + 2) * sizeof *squares);
        squares[i + 1] = squares[i] + 2 * i + 1;
        free(text);
        text = i % 2 ? strndup("a longer text", (size_t)(3 + i)) : strdup("short");
        if (i == 2) once = calloc(11, sizeof *once);
        if (i == 3) rows[1] = realloc(rows[1], 20 * sizeof **rows);
        if (once) once[i] = i;
        if (i == 4) {
            double *old = grown;
            grown = swapped;
            swapped = old;
            length = 7;
            middle = grown + 3;
        }
        for (k = 0; k < n; k++) rows[k][k] += i + k;
        pairs[i % 5][1] += i;
        ((char *)bytes)[i * 30] = (char)i;
        free(empty);
        empty = malloc(0);
        show("grown", i, sum_reals(SUM_START, grown, (size_t)length));
        show("values", i, sum_reals(SUM_START, s.values, (size_t)s.steps));
        show("middle", i, sum_reals(SUM_START, middle, 1));
        show("text", i, sum_bytes(SUM_START, text, strlen(text)));
        show("bytes", i, sum_bytes(SUM_START, bytes, 192));
        show("squares", i, sum_bytes(SUM_START, squares, (size_t)(i + 2) * sizeof *squares));
        show("pairs", i, sum_bytes(SUM_START, pairs, 5 * sizeof *pairs));
        for (k = 0; k < n; k++) show("row", k, sum_reals(SUM_START, rows[k], (size_t)(k + 1)));
        if (once) show("once", i, sum_reals(SUM_START, once, 11));
    }
    show("swapped", i, sum_reals(SUM_START, swapped, 7));
    for (k = 0; k < n; k++) free(rows[k]);
    free(rows);
    free(s.values);
    free(grown);
    free(swapped);
    free(pairs);
    free(bytes);
    free(text);
    free(empty);
    free(once);
    free(squares);
#pragma cppc shutdown
    return 0;
}
