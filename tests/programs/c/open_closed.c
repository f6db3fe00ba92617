/* Exercises: files that are closed when a checkpoint comes: a report that is done before the loop, a log that
 * is opened to append and closed again in each step, one file after the other in one handle, and a file that gets
 * another name when it is done; a log that is opened when there is none; files that must be new, one more in each step, and
 * one that is written anew in each.
 * writes: files
 * rehearse: never (each step opens a file that must not exist, so a second run fails) */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

static FILE *report, *part, *lazy;

/* Opens its log when there is none. */
static void remark(int i)
{
    if (lazy == NULL) {
#pragma cppc execute file(lazy, "lazy.txt")
        if ((lazy = fopen("lazy.txt", "a")) == NULL)
            exit(1);
#pragma cppc end execute
    }
    fprintf(lazy, "remark %d\n", i);
    if (i % 3 == 1) {
        fclose(lazy);
        lazy = NULL;
    }
}

static void note(int i)
{
    FILE *log = NULL;
#pragma cppc execute file(log, "log.txt")
    if ((log = fopen("log.txt", "a")) == NULL)
        exit(1);
#pragma cppc end execute
    fprintf(log, "step %d\n", i);
    fclose(log);
}

/* A file that must not be there, in a name that is never used again; more of them than a restart repeats. */
static void keep(int i)
{
    FILE *fresh;
    char name[32];
    snprintf(name, sizeof name, "fresh.%d", i);
#pragma cppc execute capture(name) file(fresh, name)
    if ((fresh = fopen(name, "wx")) == NULL)
        exit(3);
#pragma cppc end execute
    fprintf(fresh, "%d\n", i);
    fclose(fresh);
}

/* The newest result alone, longer or shorter than the one before. */
static void renew(int i)
{
    FILE *newest;
#pragma cppc execute file(newest, "newest.txt")
    if ((newest = fopen("newest.txt", "w")) == NULL)
        exit(1);
#pragma cppc end execute
    fprintf(newest, "%*d\n", 40 - i % 3 * 10, i);
    fclose(newest);
}

static void settle(int i)
{
    char name[32], done[32];
    snprintf(name, sizeof name, "part-%d.tmp", i);
#pragma cppc execute capture(name) file(part, name)
    if ((part = fopen(name, "w")) == NULL)
        exit(1);
    fprintf(part, "part %s\n", name);
#pragma cppc end execute
    fprintf(part, "content of %d\n", i);
    fclose(part);
    snprintf(done, sizeof done, "part-%d.txt", i);
    if (rename(name, done) != 0)
        exit(2);
#pragma cppc checkpoint
    printf("%s\n", i % 2 ? "settled" : "done");
}

int main(void)
{
    int i, k;
    Sum sum = SUM_START;

#pragma cppc init
#pragma cppc execute file(report, "report.txt") file(part, "log.txt") file(lazy, "lazy.txt")
    report = fopen("report.txt", "w");
    part = fopen("log.txt", "w");
    lazy = fopen("lazy.txt", "w");
    if (report == NULL || part == NULL || lazy == NULL)
        exit(1);
#pragma cppc end execute
    fprintf(report, "all that there is to report\n");
    fclose(report);
    fclose(part);
#pragma cppc register(i, sum)
    for (i = 0; i < 8; i++) {
#pragma cppc checkpoint
        note(i);
        for (k = 0; k < 3; k++)
            keep(3 * i + k);
        remark(i);
        renew(i);
#pragma cppc checkpoint
        settle(i);
        sum = sum_int(sum, i);
        printf("%d %016llx\n", i, sum);
    }
#pragma cppc shutdown
    return 0;
}
