/* Places to jump back to, which a restart jumps over. */
#include <setjmp.h>

#define TRY if (setjmp(again) == 0)

static jmp_buf early, again, other;

static void work(int i)
{
#pragma cppc checkpoint
    if (i == 2)
        longjmp(again, 1);
}

int main(void)
{
    volatile int i;
    if (setjmp(early) != 0)
        return 1;
#pragma cppc init
#pragma cppc execute
    if (setjmp(other) != 0)
        i = 2;
#pragma cppc end execute
#pragma cppc register(i)
    for (i = 0; i < 3; i++) {
        TRY
//      ~~~ warning[C0520] a restart jumps over this `setjmp`
            work(i);
    }
#pragma cppc shutdown
    return 0;
}
