/* Exercises: calls on the way to a checkpoint in the size of a variable-length array, whose scope holds
 * no block of its own: the call comes before the declaration. */
#include <string.h>

#include "check.h"

static int length(int base)
{
    int k;
#pragma cppc register(base, k)
    for (k = 0; k < 2; k++) {
#pragma cppc checkpoint
        base += k;
    }
    return base;
}

int main(void)
{
    int i, sum = 0;

#pragma cppc init
#pragma cppc register(i, sum)
    for (i = 1; i < 5; i++) {
        char text[length(i) + 2];
        memset(text, 'a' + i, sizeof text - 1);
        text[sizeof text - 1] = 0;
        sum += (int)sizeof text;
        printf("%d %d %s\n", i, sum, text);
    }
#pragma cppc shutdown
    return 0;
}
