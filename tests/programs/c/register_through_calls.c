/* Exercises: a procedure that registers what its parameter leads to, called for several structures: in its text, in
 * a loop, for variables of the program, of a procedure above and on the heap; one of them gets other memory. */
#include <stdlib.h>

#include "check.h"

typedef struct {
    int count;
    double scale;
    double *values;
} Model;

static Model first, second, all[3];
static double *left[3], *right[2];

static void keep(Model *model, int count, double scale)
{
    int k;
    model->count = count;
    model->scale = scale;
    model->values = malloc(count * sizeof(double));
    for (k = 0; k < count; k++)
        model->values[k] = k * scale;
#pragma cppc register(model->count, model->scale, model->values[count])
}

static void drop(Model *model)
{
#pragma cppc unregister(model->values)
    free(model->values);
    model->values = NULL;
}

static void keep_rows(double **rows, int count, int length)
{
    int j, k;
    for (k = 0; k < count; k++) {
        rows[k] = malloc(length * sizeof **rows);
        for (j = 0; j < length; j++)
            rows[k][j] = count * k + 0.25 * j;
#pragma cppc register(rows[k][length])
    }
}

static Sum advance(Model *model, Sum sum)
{
    int k;
    if (model->values == NULL)
        return sum;
    for (k = 0; k < model->count; k++)
        model->values[k] = model->values[k] * model->scale + k;
    model->scale *= 1.01;
    return sum_reals(sum, model->values, model->count);
}

int main(void)
{
    Model local, *heap;
    double **rows, *row;
    int i, k;

#pragma cppc init
    heap = calloc(2, sizeof *heap);
    rows = calloc(2, sizeof *rows);
#pragma cppc register(heap[2], rows[2])
    keep(&first, 4, 0.5);
    keep(&second, 6, 0.25);
    keep(&local, 3, 2);
    for (k = 0; k < 3; k++)
        keep(&all[2 - k], 3, 0.75);
    for (k = 0; k < 2; k++)
        keep(heap + k, 2 + k, 0.125);
    keep_rows(left, 3, 5);
    keep_rows(right, 2, 2);
    keep_rows(rows, 2, 3);
#pragma cppc register(i)
    for (i = 0; i < 8; i++) {
        Sum sum = SUM_START;
#pragma cppc checkpoint
        sum = advance(&local, advance(&second, advance(&first, SUM_START)));
        for (k = 0; k < 3; k++)
            sum = advance(&all[k], sum);
        sum = advance(&heap[1], advance(&heap[0], sum));
        for (k = 0; k < 3; k++)
            left[k][i % 5] += right[k % 2][i % 2] * 1.5 + rows[k % 2][i % 3];
        right[i % 2][1] -= left[0][2];
        rows[i % 2][2] += left[2][i % 5];
        row = left[0];
        left[0] = left[1];
        left[1] = row;
        for (k = 0; k < 3; k++)
            sum = sum_reals(sum, left[k], 5);
        show("all", i, sum_reals(sum_reals(sum, right[1], 2), rows[1], 3));
        if (i == 2)
            drop(&second);
        if (i == 4)
            keep(&second, 2, 1.5);
        if (i == 5) {
            drop(&all[1]);
            keep(&all[1], 5, 0.5);
        }
    }
#pragma cppc shutdown
    return 0;
}
