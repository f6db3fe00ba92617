/* As macro_calls.c, with a call through a pointer: no directive is added in a procedure that it may run. */
#include <stdio.h>

struct counter {
    int (*counted)(struct counter *, int);
};

static int counted(struct counter *counter, int by)
{
    static int calls;
    calls += by;
    return counter ? calls : 0;
}

#define COUNT(counter, by) do { (*(counter)->counted)(counter, by); } while (0)

int main(void)
{
    struct counter counter = {counted};
    int step;
    COUNT(&counter, 2);
    for (step = 0; step < 10; step++) {
#pragma cppc checkpoint
        COUNT(&counter, step);
    }
    printf("%d\n", counted(&counter, 0));
    return 0;
}
