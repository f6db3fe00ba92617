#include <stdio.h>
#include <stdlib.h>

/* Sides that only report an error do not count. */
static double x[100];

int main(int argc, char **argv)
{
    if (argc > 9) {
        fprintf(stderr, "too many\n");
        return 1;
    }
    double *more = malloc(800);
    if (!more)
        return 2;
    int n = atoi(argv[1]);
    for (;;) {
        for (int i = 1; i < 100; i++)
            x[i] = x[i - 1] + more[i];
        if (n-- < 0)
            break;
    }
    free(more);
    return x[99] > 1;
}
