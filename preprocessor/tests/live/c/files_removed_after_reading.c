/* Files that the program reads after the checkpoint, and then removes or replaces by another file. A resumed run does not find
 * them. A file that is written before it is read, and one that is only removed, need nothing.
 * reports: fopen, rename
 * all: fopen, job, rename
 */
#include <stdio.h>
#include <unistd.h>

static const char *const table = "table.txt";

static int number(const char *name)
{
    int value = 0;
    FILE *from = fopen(name, "r");
    if (from != NULL) {
        if (fscanf(from, "%d", &value) != 1)
            value = 0;
        fclose(from);
    }
    return value;
}

static void store(const char *name, int value)
{
    FILE *to = fopen(name, "w");
    fprintf(to, "%d\n", value);
    fclose(to);
}

int main(void)
{
    int i, sum = 0;
    char job[20];
#pragma cppc init
#pragma cppc register(i, sum)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sprintf(job, "job%d", i);
        sum += number(job);
        unlink(job);

        store("new.txt", sum);
        sum += number("old.txt");
        rename("new.txt", "old.txt");

        if (i % 3 == 0)
            store("dump", sum);
        if (i % 3 == 2) {
            sprintf(job, "dump.%d", i);
            rename("dump", job);
        }

        store("scratch.txt", i);
        sum += number("scratch.txt");
        remove("scratch.txt");
        remove("lock.txt");
        sum += number(table);
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
