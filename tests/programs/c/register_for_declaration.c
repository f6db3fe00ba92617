/* Exercises: variables that are declared in a `for` header or in a block, registered within. */
#include "check.h"

int main(void)
{
    double total = 0;

#pragma cppc init
#pragma cppc register(total)
    for (int i = 0; i < 3; i++) {
        double row = i * 0.5;
#pragma cppc register(i, row)
        for (int j = 0, k = 9; j < k; j += 2, k--) {
#pragma cppc register(j, k)
#pragma cppc checkpoint
            row += j * k * 0.1;
            total += row;
            printf("%d %d %d %.17g %.17g\n", i, j, k, row, total);
        }
        total *= 0.5;
    }
    printf("%.17g\n", total);
#pragma cppc shutdown
    return 0;
}
