/* Exercises: mistakes that `cppc rehearse` finds. Without a macro there is none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STEPS 12

int main(int argc, char **argv)
{
    int step;
    double x = 1, sum = 0, *memory;
    /* Before the program sets it, it has another content in each run: an address. */
    size_t content = (size_t)&x;
    FILE *out;
#ifdef HANDLE
    FILE *log = NULL;
#endif

    (void)argc;
    (void)argv;
#ifdef UNLISTED_FILE
    out = fopen("written", "w");
#endif
#ifdef RANDOM_SEED
    srand((unsigned)time(NULL));
#endif
#pragma cppc init
#ifndef UNLISTED_FILE
#pragma cppc execute file(out, "written")
    out = fopen("written", "w");
#pragma cppc end execute
#endif
#ifdef HANDLE
    log = fopen("/dev/null", "w");
#endif
#ifdef FORGOTTEN_MEMORY
    /* The next block comes from the cache of the thread, and is zero if the cache is not off. */
    memory = calloc(64, sizeof *memory);
#pragma cppc execute
    free(memory);
    memory = malloc(64 * sizeof *memory);
#pragma cppc end execute
#else
    memory = malloc(64 * sizeof *memory);
#endif
    memset(memory, 0, 64 * sizeof *memory);
#ifndef FORGOTTEN_MEMORY
#pragma cppc register(memory[64])
#endif
#ifdef FORGOTTEN
#pragma cppc register(step, x)
#else
#pragma cppc register(step, x, sum, content)
#endif
    for (step = 0; step < STEPS; step++) {
#pragma cppc checkpoint
#ifdef CRASH
        if (getenv("CPPC_RESTART") && strcmp(getenv("CPPC_RESTART"), "always") == 0)
            *(volatile int *)(size_t)(step + 1) = 1;
#endif
#ifdef HANG
        while (getenv("CPPC_RESTART") && strcmp(getenv("CPPC_RESTART"), "always") == 0)
            ;
#endif
        x = x * 1.5 + step;
        memory[step] += x;
        sum += memory[step];
#ifdef TIME_OF_DAY
        printf("%ld\n", (long)time(NULL));
#endif
#ifdef RANDOM_SEED
        printf("%d\n", rand());
#endif
#ifdef HANDLE
        fprintf(log, "%d\n", step);
#endif
        printf("%d %.17g %.17g\n", step, x, sum);
        fprintf(out, "%d %.17g\n", step, x);
    }
    content = 0;
    for (step = 0; step < STEPS; step++)
        printf("%.17g\n", memory[step] + (double)content);
    fclose(out);
#pragma cppc shutdown
    return 0;
}
