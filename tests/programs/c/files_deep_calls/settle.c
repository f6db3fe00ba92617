/* The checkpoint lies here. */
#include "layers.h"

double settle(Model *model, int times)
{
    double moved = 0;
    int t, k;
#pragma cppc register(t, moved)
    for (t = 0; t < times; t++) {
        for (k = 0; k < model->n; k++) {
            double old = model->values[k];
            model->values[k] = (old + model->values[(k + 1) % model->n]) / 2 * model->scale;
            moved += old - model->values[k];
        }
#pragma cppc checkpoint
        model->values[t % model->n] += 1;
    }
    return moved;
}
