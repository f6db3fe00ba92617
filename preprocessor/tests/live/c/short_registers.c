/* Registers of fewer bytes than the memory has: a flexible array, one element, too few elements. The check does not know
 * which elements are read through a pointer.
 * reports: *label, *square, enough[4], rows[n], whole[count]
 */
#include <stdio.h>
#include <stdlib.h>

struct series {
    int count;
    double values[];
};

struct label {
    long id;
    char text[];
};

int main(int argc, char **argv)
{
    int i, k, n = argc + 3, count, part = 2;
    struct series *series;
    struct label *label;
    double (*rows)[3], *square, *enough, *whole, *same;

#pragma cppc init
    series = malloc(sizeof *series + 7 * sizeof *series->values);
    label = malloc(sizeof *label + 8);
    rows = calloc(n + 1, sizeof *rows);
    square = malloc(9 * sizeof *square);
    enough = malloc(9 * sizeof *enough);
    same = malloc((size_t)n * 2 * sizeof *same);
    count = n + 2;
    whole = malloc(2 * count * sizeof *whole);
    for (k = 0; k < 7; k++)
        series->values[k] = label->text[k] = k;
    for (k = 0; k < 9; k++)
        square[k] = enough[k] = k;
    for (k = 0; k < n; k++)
        whole[2 * k] = same[k] = rows[k][0] = k;
    series->count = 7;
    label->id = 3;
#pragma cppc register(i, n, part, *series, series->values[7], *label, rows[n], *square, enough[4], same[2 * n], whole[count])
    for (i = 0; i < 6; i++) {
#pragma cppc checkpoint
        for (k = 0; k < series->count; k++)
            series->values[k] += label->text[k];
        square[i] += enough[3] + enough[0] + label->id;
        rows[i % n][1] += whole[i % n] + same[i % n];
        printf("%g %g %g %g\n", square[i], rows[i % n][1], series->values[i], enough[2]);
    }
#pragma cppc shutdown
    return 0;
}
