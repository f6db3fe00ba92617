/* Anonymous memory of `mmap`: with the size of the mapping, in a graph, enlarged with `mremap`, and unmapped after a restart. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct node {
    double *values;
    struct node *next;
};

static struct node *first;

static void *map(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        exit(1);
    return memory;
}

int main(void)
{
    enum { SIZE = 1 << 16, COUNT = SIZE / sizeof(double) };
    int step, size = SIZE;
    double *u, sum = 0;
#pragma cppc init
    u = map(SIZE);
#pragma cppc register(u[], deep(first), step, size, sum)
    for (step = 0; step < 8; step++) {
        struct node *node, *last;
        u[step] = step + 0.5;
        u[COUNT - 1] += 1;
        if (step < 4) {
            node = map(sizeof *node);
            node->values = map(SIZE);
            node->values[COUNT - 1 - step] = step;
            node->next = first;
            first = node;
        }
        if (step == 5) {
            u = mremap(u, size, 2 * SIZE, MREMAP_MAYMOVE);
            if (u == MAP_FAILED)
                exit(1);
            size = 2 * SIZE;
            u[2 * COUNT - 1] = 100;
        }
#pragma cppc checkpoint
        if (step >= 6) {
            last = first;
            first = last->next;
            if (munmap(last->values, SIZE) || munmap(last, sizeof *last))
                exit(1);
        }
        for (node = first; node; node = node->next)
            for (int k = 0; k < 4; k++)
                sum += node->values[COUNT - 1 - k];
        sum += u[step / 2] + u[COUNT - 1] + u[size / sizeof *u - 1];
        printf("step %d: %g\n", step, sum);
        fflush(stdout);
    }
    if (munmap(u, size))
        exit(1);
#pragma cppc shutdown
    return 0;
}
