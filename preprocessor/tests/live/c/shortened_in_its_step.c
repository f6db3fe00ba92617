/* Each step opens its file after the checkpoint, and closes it.
 * reports: nothing
 */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int i;
    FILE *step;
#pragma cppc init
#pragma cppc register(i)
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
#pragma cppc execute file(step, "step.txt") capture(i)
        step = fopen("step.txt", "w");
#pragma cppc end execute
        fprintf(step, "%d\n", i);
        fflush(step);
        ftruncate(fileno(step), 1);
        fclose(step);
    }
#pragma cppc shutdown
    return 0;
}
