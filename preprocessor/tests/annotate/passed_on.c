/* Memory that a pointer gets from another one, which is not used later: after a test, with a copy, in a field, in rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
    int used, room;
    int *values;
};

static double *samples;

static void push(struct list *to, int value)
{
    if (to->used == to->room) {
        int room = 2 * to->room + 1;
        int *grown = realloc(to->values, room * sizeof *grown);
        if (!grown)
            abort();
        to->values = grown;
        to->room = room;
    }
    to->values[to->used++] = value;
}

int main(void)
{
    struct list list = {0, 0, NULL};
    int room = 2, used = 0, step, k;
    double *stack = malloc(room * sizeof *stack), *rows[3], *first, *new, sum = 0;

    new = malloc(9 * sizeof *new);
    if (!new)
        return 1;
    first = new;
    for (k = 0; k < 3; k++) {
        new = calloc(9, sizeof *new);
        if (!new)
            return 1;
        rows[k] = new;
    }
    for (k = 0; k < 9; k++)
        first[k] = k;
    for (step = 0; step < 9; step++) {
        if (used == room) {
            double *grown = realloc(stack, 2 * room * sizeof *grown), *copy;
            if (!grown)
                abort();
            stack = grown;
            copy = calloc(2 * room, sizeof *copy);
            if (samples)
                memcpy(copy, samples, room * sizeof *copy);
            free(samples);
            samples = copy;
            room *= 2;
        }
        stack[used++] = step;
        push(&list, step);
#pragma cppc checkpoint
        sum += stack[used / 2] + list.values[list.used / 2] + (rows[step % 3][step] += first[step]);
    }
    printf("%g %g\n", sum, samples ? samples[0] : 0);
    return 0;
}
