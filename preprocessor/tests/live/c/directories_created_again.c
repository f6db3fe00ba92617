/* Directories and links that must not exist: a resumed run finds those of the killed run. It may continue if the result is not used,
 * if `errno` decides, or if the program asks before. The length of a file is changed after it was read.
 * reports: fopen, mkdir, symlink
 * all: fopen, mkdir, name, symlink, value
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void create(const char *name)
{
    if (mkdir(name, 0755) != 0) {
        fprintf(stderr, "no directory\n");
        exit(1);
    }
}

static int create_link(const char *name)
{
    if (symlink("latest", name) != 0)
        return -1;
    return 0;
}

static void create_if_missing(const char *name)
{
    if (mkdir(name, 0755) != 0 && errno != EEXIST)
        exit(1);
}

static void report(const char *name)
{
    if (mkdir(name, 0755) != 0)
        printf("it exists\n");
}

int main(void)
{
    int i;
    char name[20];
    double value;
    struct stat found;
    FILE *file;
    if (mkdir("before", 0755) != 0)
        return 1;
#pragma cppc init
#pragma cppc register(i)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sprintf(name, "out%d", i);
        create(name);
        create_if_missing(name);
        report(name);
        if (create_link(name) < 0)
            return 1;
        mkdir("any", 0755);
        if (stat("other", &found) != 0)
            mkdir("other", 0755);
        file = fopen("data.txt", "r");
        if (file != NULL && fscanf(file, "%lf", &value) == 1)
            printf("%g\n", value);
        if (file != NULL)
            fclose(file);
        truncate("data.txt", 0);
    }
#pragma cppc shutdown
    return 0;
}
