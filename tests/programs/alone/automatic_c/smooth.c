#include "smooth.h"

static int calls;

void start_smoothing(int first)
{
    calls = first;
}

void smooth(double *values, int count)
{
    int i;

    for (i = 1; i < count; i++)
        values[i] = 0.5 * (values[i] + values[i - 1]);
    calls += count;
}

int smoothed(void)
{
    return calls;
}
