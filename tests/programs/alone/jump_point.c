/* A checkpoint below a procedure that has called setjmp, and one that can be resumed from.
 * warns: setjmp */
#include <setjmp.h>

#include "check.h"

static jmp_buf back;

static void work(int i)
{
#pragma cppc checkpoint
    if (i % 2)
        longjmp(back, i);
}

static int guarded(int i)
{
    int code;
    switch (setjmp(back)) {
    case 0:
        work(i);
        code = 0;
        break;
    default:
        code = i * 10;
    }
    return code;
}

int main(void)
{
    int i, sum = 0;
#pragma cppc init
#pragma cppc register(i, sum)
    for (i = 0; i < 6; i++) {
#pragma cppc checkpoint
        sum += guarded(i);
        printf("%d %d\n", i, sum);
    }
#pragma cppc shutdown
    return 0;
}
