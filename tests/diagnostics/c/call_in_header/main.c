/* A procedure in an included file that leads to a checkpoint cannot be rewritten. */
#include "forward.h"

int step(int x)
{
#pragma cppc checkpoint
    return x + 1;
}

int main(void)
{
    int x;
#pragma cppc init
    x = forward(1);
#pragma cppc shutdown
    return x - 2;
}
