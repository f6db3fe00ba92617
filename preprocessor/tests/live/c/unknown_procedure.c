/* A procedure that is not known uses the memory of its arguments. It may use other memory too, which is not reported by
 * default.
 * reports: values
 * all: other, values */
#include <stdio.h>

void deliver(double *values, int count);

int main(void)
{
    double values[2] = { 1, 2 }, other[2] = { 1, 2 };
    int i;
#pragma cppc init
    values[0] = other[0] = 3;
    deliver(other, 2);
#pragma cppc register(i)
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        deliver(values, 2);
    }
#pragma cppc shutdown
    return 0;
}
