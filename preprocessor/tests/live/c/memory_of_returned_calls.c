/* A local variable of a procedure that is not active at the checkpoint, and heap memory to which only this variable
 * leads: neither exists at the checkpoint.
 * reports: nothing
 */
#include <stdio.h>
#include <stdlib.h>

struct pool {
    struct pool *next;
    double data[8];
};

struct writer {
    struct pool *pools;
    void (*finish)(struct writer *);
    int rows;
};

static void add(struct writer *writer, double value)
{
    struct pool *pool = malloc(sizeof *pool);
    if (value > 0) {
        pool->data[0] = value;
    }
    pool->next = writer->pools;
    writer->pools = pool;
    writer->rows++;
}

static void finish(struct writer *writer)
{
    while (writer->pools) {
        struct pool *next = writer->pools->next;
        printf("%g\n", writer->pools->data[0]);
        free(writer->pools);
        writer->pools = next;
    }
}

static void begin(struct writer *writer)
{
    writer->pools = NULL;
    writer->finish = finish;
    writer->rows = 0;
}

static void show(const double *a, int n)
{
    struct writer writer;
    int i;
    begin(&writer);
    for (i = 0; i < n; i++) {
        add(&writer, a[i]);
    }
    writer.finish(&writer);
}

int main(void)
{
    double a[4] = {1, 2, 3, 4};
    int step;
#pragma cppc init
#pragma cppc register(step, a)
    for (step = 0; step < 10; step++) {
#pragma cppc checkpoint
        a[step % 4] += step;
        show(a, 4);
    }
#pragma cppc shutdown
    return 0;
}
