/* `lgamma` sets `signgam`, which is a variable of the library. The values of `daylight` come from the start of the program.
 * reports: signgam
 */
#include <math.h>
#include <stdio.h>
#include <time.h>

extern int signgam;

int main(void)
{
    double sum = 0;
    int i;
#pragma cppc init
#pragma cppc register(sum, i)
    sum += lgamma(-0.5);
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        sum += signgam + daylight;
    }
    sum += lgamma(sum) * signgam;
    printf("%g\n", sum);
#pragma cppc shutdown
    return 0;
}
