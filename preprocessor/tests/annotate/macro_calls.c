/* A call in the expansion of a macro cannot be rewritten, so no directive is added behind it. */
#include <stdio.h>

static int counted(int by)
{
    static int calls;
    calls += by;
    return calls;
}

#define COUNT(by) do { counted(by); } while (0)

int main(void)
{
    int step;
    COUNT(2);
    for (step = 0; step < 10; step++) {
#pragma cppc checkpoint
        COUNT(step);
    }
    printf("%d\n", counted(0));
    return 0;
}
