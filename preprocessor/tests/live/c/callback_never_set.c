/* A structure has a stream and a pointer to a procedure that no statement of the program sets. The call through the null pointer
 * has no effects: the other members are no streams.
 * reports: */
#include <stdio.h>
#include <stdlib.h>
struct run {
    FILE *log;
    void (*report)(struct run *, const char *);
    int steps;
    double *field;
};
static struct run only;
static void set_report(struct run *run, void (*report)(struct run *, const char *))
{
    run->report = report;
}
static void say(struct run *run, const char *text)
{
    if (run->report != NULL) {
        run->report(run, text);
        return;
    }
    fputs(text, run->log);
}
int main(void)
{
    double field[8] = {0};
    struct run *run = &only;
#pragma cppc init
#pragma cppc execute file(only.log, "steps.txt")
    only.log = fopen("steps.txt", "w");
#pragma cppc end execute
    set_report(run, NULL);
    only.field = field;
    only.steps = 0;
#pragma cppc register(field, only.steps, only.field[0])
    for (; only.steps < 10; only.steps++) {
#pragma cppc checkpoint
        only.field[only.steps % 8] += only.steps;
        say(run, "a step\n");
    }
    printf("%g\n", field[2]);
    fclose(only.log);
#pragma cppc shutdown
    return 0;
}
