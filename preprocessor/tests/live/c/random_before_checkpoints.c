/* Random numbers only before the checkpoint, and a sequence that begins anew after each checkpoint.
 * reports: nothing
 */
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int i, k;
    double sum = 0, start[4];
#pragma cppc init
    for (k = 0; k < 4; k++)
        start[k] = rand();
#pragma cppc register(i, sum, start)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        srand(i);
        for (k = 0; k < 4; k++)
            sum += start[k] + rand();
    }
    printf("%g\n", sum);
#pragma cppc shutdown
    return 0;
}
