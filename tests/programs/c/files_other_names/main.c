/* Exercises: functions that have other names for the linker (alias, asm label, #pragma weak), and state of their own. */
#include <stdio.h>

void register_state(void);
void change_(int step);
long calls_so_far(void);
long total(void) __asm__("sum_of_all");

int main(void)
{
    int step;
#pragma cppc init
    register_state();
#pragma cppc register(step)
    for (step = 0; step < 4; step++) {
#pragma cppc checkpoint
        change_(step);
        printf("%d %ld %ld\n", step, total(), calls_so_far());
    }
#pragma cppc shutdown
    return 0;
}
