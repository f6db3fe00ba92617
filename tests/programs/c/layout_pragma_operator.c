/* Exercises: directives spelt with the operator `_Pragma`, among others on the line of a statement. */
#include "check.h"

int main(void)
{
    double x = 1;
    int i;

    _Pragma("cppc init")
    _Pragma("cppc register(i, x)")
    for (i = 0; i < 4; i++) { _Pragma("cppc checkpoint") x = x * 1.5 + i;
        printf("%d %.17g\n", i, x);
    }
    _Pragma("cppc shutdown")
    return 0;
}
