/* A directive in a header: that file is not one of those that are translated. */
#include "steps.h"

int main(void)
{
    int x = 0;
#pragma cppc init
#pragma cppc register(x)
//                    ~ warning[C0506] `x` is registered, but no checkpoint is reached before its register ends
    x = step(x);
#pragma cppc shutdown
    return x - 1;
}
