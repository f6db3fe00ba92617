/* Exercises: captured values are put in place for their block only: what the program has in the
 * captured variables at the checkpoint comes back, registered or not captured elsewhere; a live
 * register wins over what an execute block writes. */
#include "check.h"

static int made[8];

int main(void)
{
    int i, code, total = 0;
    double level = 2.0;

#pragma cppc init
#pragma cppc register(i, code, total, level)
    code = 7;
    for (i = 0; i < 4; i++) {
        code = code * 3 % 8;
#pragma cppc execute capture(i, code)
        made[code] = 10 * i + code;
        level = 1.0;
#pragma cppc end execute
        level += i;
    }
    code = 100;
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        code += made[i];
        level = level * 1.5 + code;
        total += i;
        printf("%d %d %d %.17g\n", i, code, total, level);
    }
    for (i = 0; i < 8; i++)
        printf("%d ", made[i]);
    printf("\n");
#pragma cppc shutdown
    return 0;
}
