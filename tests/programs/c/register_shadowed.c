/* Exercises: one name for several variables of a procedure: the outer `i` and `value`, and others
 * that shadow them in inner scopes, all registered and live at once. */
#include "check.h"

int main(void)
{
    int i;
    double value = 1.0;

#pragma cppc init
#pragma cppc register(i, value)
    for (i = 0; i < 3; i++) {
        {
            int i = 10;
            long value = 5;
#pragma cppc register(i, value)
            while (i < 13) {
#pragma cppc checkpoint
                value = value * 7 + i;
                i++;
                if (value % 2) {
                    float value = 0.5f;
                    int i = 0;
#pragma cppc register(value, i)
                    for (; i < 2; i++) {
#pragma cppc checkpoint
                        value = value * 1.5f + (float)i;
                    }
                    printf("inner %.9g %d\n", value, i);
                }
            }
            printf("middle %d %ld\n", i, value);
        }
        value = value * 1.25 + i;
        printf("outer %d %.17g\n", i, value);
    }
#pragma cppc shutdown
    return 0;
}
