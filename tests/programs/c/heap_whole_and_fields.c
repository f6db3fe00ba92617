/* Exercises: a structure on the heap that is registered as a whole and by fields of it, of which one is the
 * size of an array that another leads to. */
#include <stdlib.h>

#include "check.h"

typedef struct {
    int count;
    double scale;
    double *values;
} Model;

static double *advance(Model *model, int step)
{
    int k;
    for (k = 0; k < model->count; k++)
        model->values[k] += k * model->scale + step;
    model->scale *= 1.25;
    return model->values;
}

int main(void)
{
    Model *model, *models;
    int i, k;

#pragma cppc init
    model = malloc(sizeof *model);
    model->count = 4;
    model->scale = 0.5;
    model->values = calloc(model->count, sizeof(double));
    models = calloc(3, sizeof *models);
    for (k = 0; k < 3; k++) {
        models[k].count = 2 + k;
        models[k].values = calloc(2 + k, sizeof(double));
    }
#pragma cppc register(i, *model, model->scale, model->values[model->count])
#pragma cppc register(models[3])
#pragma cppc register(models[0].values[models[0].count], models[1].values[models[1].count])
#pragma cppc register(models[2].values[models[2].count])
    for (i = 0; i < 6; i++) {
        Model *turned = &models[i % 3];
#pragma cppc checkpoint
        show("model", i, sum_reals(SUM_START, advance(model, i), model->count));
        turned = &models[i % 3];
        turned->scale += 1;
        show("models", i, sum_reals(SUM_START, advance(turned, i), turned->count));
        if (i == 2) {
            double *values = models[2].values;
            models[2].values = model->values;
            model->values = values;
        }
    }
    for (k = 0; k < 3; k++)
        free(models[k].values);
    free(models);
    free(model->values);
    free(model);
#pragma cppc shutdown
    return 0;
}
