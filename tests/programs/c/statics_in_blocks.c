/* Exercises: an execute block that calls a procedure with a static variable. In a restart, it finds the value that the variable
 * had in the first run. */
#include "check.h"

static int number(int by)
{
    static int last = 10;
#pragma cppc register(last)
    last = last * 3 % 101 + by;
    return last;
}

int main(void)
{
    int i, sum = 0, made = 0;
#pragma cppc init
#pragma cppc register(i, sum)
#pragma cppc execute
    made = number(2) + number(5);
#pragma cppc end execute
    for (i = 0; i < 6; i++) {
#pragma cppc checkpoint
        sum += number(i) * made;
        printf("%d %d %d\n", i, sum, made);
    }
#pragma cppc shutdown
    return 0;
}
