/* Calls a library that contains Rust's own libraries, as the runtime does. */
#include <stdio.h>

int rust_sum(int n);

int main(void)
{
    int step, sum = 0;
#pragma cppc init
#pragma cppc register(step, sum)
    for (step = 0; step < 8; step++) {
#pragma cppc checkpoint
        sum += rust_sum(step);
        printf("%d %d\n", step, sum);
    }
#pragma cppc shutdown
    return 0;
}
