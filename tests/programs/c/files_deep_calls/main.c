/* Exercises: calls through files of which one has no directive of its own but lies on the way to a
 * checkpoint, one is reached from two files, and one has nothing to do with any of it. */
#include <stdlib.h>

#include "check.h"
#include "layers.h"

int main(void)
{
    Model model = {NULL, 0, 1.0};
    int i;

#pragma cppc init
    build(&model, 5);
#pragma cppc register(i, model.n, model.scale, model.values[model.n])
    for (i = 0; i < 3; i++) {
        advance(&model, i);
        if (i == 1)
            settle(&model, 2);
        show("values", i, sum_reals(SUM_START, model.values, (size_t)model.n));
        printf("%.17g %.17g\n", model.scale, spread(model.values, model.n));
    }
    free(model.values);
#pragma cppc shutdown
    return 0;
}
