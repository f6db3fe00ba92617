/* Exercises: variables whose names are those that members of the record of saved values are given by numbering. */
#include "check.h"

static int step(int x)
{
#pragma cppc register(x)
#pragma cppc checkpoint
    return x * 3 + 1;
}

int main(void)
{
    int i, i_2 = 1, value_1 = 5, argument_1 = 7, s = 0;
#pragma cppc init
#pragma cppc register(i, i_2, s, value_1, argument_1)
    for (i = 0; i < 2; i++) {
        for (int i = 0, i_2 = 2; i < i_2; i++) {
#pragma cppc register(i, i_2)
#pragma cppc checkpoint
            s += i * value_1;
        }
        s += i_2 + step(s + i) % 100 + argument_1 * step(i);
        value_1++;
        printf("%d %d %d\n", i, s, value_1);
    }
#pragma cppc shutdown
    return 0;
}
