/* Exercises: a weak default that a definition in another file replaces, which has state of its own. */
#include <stdio.h>

int hook(int step);
void register_hook(void);

int main(void)
{
    int step;
    long sum = 0;
#pragma cppc init
    register_hook();
#pragma cppc register(step, sum)
    for (step = 0; step < 4; step++) {
#pragma cppc checkpoint
        sum = sum * 3 + hook(step);
        printf("%d %ld\n", step, sum);
    }
#pragma cppc shutdown
    return 0;
}
