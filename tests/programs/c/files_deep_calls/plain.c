/* Nothing here is on the way to a block: this file must come out as it went in. */
#include <stdlib.h>

#include "layers.h"

void build(Model *model, int n)
{
    int k;
    model->n = n;
    model->values = malloc((size_t)n * sizeof *model->values);
    for (k = 0; k < n; k++)
        model->values[k] = k * k;
}

double spread(const double *values, int n)
{
    double least = values[0], most = values[0];
    int k;
    for (k = 1; k < n; k++) {
        if (values[k] < least)
            least = values[k];
        if (values[k] > most)
            most = values[k];
    }
    return most - least;
}
