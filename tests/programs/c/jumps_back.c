/* Exercises: `setjmp` before `init` and in an execute block, `longjmp` out of procedures with small frames that lead to
 * checkpoints: the state afterwards is that of the procedure that was jumped to. */
#include <setjmp.h>

#include "check.h"

static jmp_buf start, again;
static int tries, total;

static void small(int i)
{
#pragma cppc checkpoint
    tries++;
    if (i % 3 == 1)
        longjmp(again, 1);
    total += i;
}

static void deeper(int i) { small(i + tries % 2); }

static void run(void)
{
    volatile int failed, i = 0;

    if (setjmp(start) != 0)
        return;
#pragma cppc init
#pragma cppc register(tries, total)
#pragma cppc register(i)
    failed = 0;
#pragma cppc execute
    if (setjmp(again) != 0)
        failed = 1;
#pragma cppc end execute
    if (failed)
        i++;
    for (; i < 9; i++) {
#pragma cppc register(failed)
#pragma cppc checkpoint
        printf("%d %d %d %d\n", i, failed, tries, total);
        failed = 0;
        deeper(i);
    }
#pragma cppc shutdown
    printf("%d %d\n", tries, total);
}

int main(void)
{
    run();
    return 0;
}
