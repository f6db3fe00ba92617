/* Exercises: a structure and the array of any length at its end, registered one by one; parts of one allocation that
 * only a pointer to its beginning leads to. */
#include <stdlib.h>

#include "check.h"

typedef struct {
    int count;
    double scale;
    double values[];
} Series;

typedef struct {
    long long id;
    char kind;
    char text[];
} Label;

int main(void)
{
    Series *series;
    Label *label;
    int i, k;

#pragma cppc init
    series = malloc(sizeof *series + 7 * sizeof *series->values);
    label = malloc(sizeof *label + 32);
    series->count = 7;
    series->scale = 0.5;
    for (k = 0; k < 7; k++)
        series->values[k] = k;
    label->id = 3;
    label->kind = 'a';
    for (k = 0; k < 32; k++)
        label->text[k] = (char)('a' + k % 26);
#pragma cppc register(i, *series, series->values[7], *label, label->text[32])
    for (i = 0; i < 9; i++) {
#pragma cppc checkpoint
        for (k = 0; k < series->count; k++)
            series->values[k] = series->values[k] * series->scale + i;
        label->text[(i * 5) % 32]++;
        label->kind++;
        if (i == 4) {
            series->count = 6;
            label->id += series->count;
        }
        show("series", i, sum_reals(sum_int(SUM_START, series->count), series->values, 7));
        show("label", i, sum_bytes(sum_int(SUM_START, label->id + label->kind), label->text, 32));
    }
    free(series);
    free(label);
#pragma cppc shutdown
    return 0;
}
