/* Exercises: a table of procedures with checkpoints that another file defines, called from here; the
 * procedures themselves are `static` there. */
#include "check.h"
#include "stages.h"

int main(void)
{
    struct work work = {0, 1.0};
    int i, k, done = 0;

#pragma cppc init
#pragma cppc register(i, k, done, work)
    for (i = 0; i < 3; i++)
        for (k = 0; k < stage_count; k++) {
            done += stages[k].run(&work, i);
            printf("%s %d %d %.17g\n", stages[k].name, i, done, work.value);
        }
#pragma cppc shutdown
    return 0;
}
