/* No directive here: that `advance` must be translated follows from what it calls. */
#include "layers.h"

void advance(Model *model, int turn)
{
    model->scale *= 1.0 + settle(model, 1 + turn % 2) / 1000;
}
