/* The layers, from the top down. */
#ifndef LAYERS_H
#define LAYERS_H

typedef struct {
    double *values;
    int n;
    double scale;
} Model;

void build(Model *model, int n);
void advance(Model *model, int turn);
double settle(Model *model, int times);
double spread(const double *values, int n);

#endif
