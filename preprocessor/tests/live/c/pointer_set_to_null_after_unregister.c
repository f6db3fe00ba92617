/* `unregister` ends the register of the pointer itself too. Its new value is lost in a restart.
 * reports: chain, queue, work
 * all: chain, closed, followed, kept, queue, work */
#include <stdio.h>
#include <stdlib.h>

struct queue { double *last; };

/* Static pointers are null in a restart too. */
static double *kept;

static void drop(struct queue *queue)
{
#pragma cppc unregister(kept, queue->last)
    free(kept);
    kept = NULL;
    free(queue->last);
    queue->last = NULL;
}

int main(void)
{
    int t;
    double sum = 0, *work, *buffer, *grown, *closed, *followed;
    struct queue queue, chain;

#pragma cppc init
    work = calloc(4, sizeof *work);
    kept = calloc(4, sizeof *kept);
    buffer = calloc(4, sizeof *buffer);
    grown = calloc(4, sizeof *grown);
    closed = calloc(4, sizeof *closed);
    followed = calloc(4, sizeof *followed);
    chain.last = calloc(4, sizeof *chain.last);
    queue.last = calloc(4, sizeof *queue.last);
#pragma cppc register(t, sum, work[4], kept[4], buffer[4], grown[4], closed[4], followed[4], queue.last[4], chain.last[4])
    for (t = 0; t < 9; t++) {
#pragma cppc checkpoint
        if (work)
            sum += work[1];
        if (kept)
            sum += kept[1];
        if (queue.last)
            sum += queue.last[1];
        if (chain.last)
            sum += chain.last[1];
        if (t < 5)
            sum += followed[2];
        if (buffer)
            sum += buffer[1];
        sum += grown[3];
        if (t < 4)
            sum += closed[0];
        if (t == 4) {
#pragma cppc unregister(work, queue.last, closed, followed)
            free(work);
            work = NULL;
            free(queue.last);
            queue.last = NULL;
            /* It is not set, so nothing reads it. */
            free(closed);
            drop(&chain);
            /* Nothing asks whether it is null. */
            free(followed);
            followed = NULL;
            /* A null pointer is saved. */
            free(buffer);
            buffer = NULL;
#pragma cppc unregister(grown)
            grown = realloc(grown, 8 * sizeof *grown);
#pragma cppc register(grown[8])
        }
    }
    printf("%g\n", sum);
#pragma cppc shutdown
    return 0;
}
