/* Exercises: `deep` with 500 structures of random shape: shared and cyclic parts, arrays of structures, pointers into
 * elements and one past the end. GRAPHS sets another number. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

struct b;
struct a {
    int mark, n;
    struct a *next, *other;
    struct b *b;
    double *values, *cursor, *end;
    struct a **many;
};
struct b {
    struct a *up, **place;
    struct b *twin;
    char *text;
    short grid[3], *cell;
    int mark;
};

static unsigned long long state = 1;
static int epoch;

static int below(int limit)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((state >> 33) % (unsigned)limit);
}

static struct a *random_graph(void)
{
    struct a *all[12], *up;
    struct b *bs, *alone;
    int i, k, count = 1 + below(12), members = below(5);
    char text[16];

    for (i = 0; i < count; i++) {
        all[i] = calloc(1, sizeof *all[i]);
        all[i]->n = below(6);
        all[i]->values = calloc((size_t)all[i]->n, sizeof(double));
        for (k = 0; k < all[i]->n; k++)
            all[i]->values[k] = below(1000) / 8.0;
        all[i]->cursor = all[i]->values + below(all[i]->n + 1);
        all[i]->end = all[i]->values + all[i]->n;
    }
    bs = calloc((size_t)members, sizeof *bs);
    for (i = 0; i < count; i++) {
        all[i]->next = below(3) ? all[below(count)] : NULL;
        all[i]->other = below(3) ? all[below(count)] : NULL;
        all[i]->many = calloc((size_t)all[i]->n, sizeof *all[i]->many);
        for (k = 0; k < all[i]->n; k++)
            all[i]->many[k] = all[below(count)];
        alone = calloc(1, sizeof *alone);
        snprintf(text, sizeof text, "text %d", below(1000));
        alone->text = strdup(text);
        all[i]->b = members > 0 && below(2) ? &bs[below(members)] : alone;
        up = all[i]->b->up = all[below(count)];
        all[i]->b->place = below(2) ? &up->next : &up->other;
        if (up->many != NULL && up->n > 0 && below(2))
            all[i]->b->place = &up->many[below(up->n)];
        all[i]->b->twin = members > 0 ? &bs[below(members)] : all[i]->b;
        k = below(3);
        all[i]->b->grid[k] = (short)below(100);
        all[i]->b->cell = &all[i]->b->grid[k];
    }
    return all[0];
}

static Sum sum_graph(Sum sum, struct a *a, int *order)
{
    int k;
    struct b *b;

    if (a == NULL || a->mark / 1000 == epoch)
        return sum_int(sum, a == NULL ? -1 : a->mark % 1000);
    a->mark = epoch * 1000 + ++*order;
    sum = sum_reals(sum, a->values, (size_t)a->n);
    sum = sum_int(sum_int(sum, a->cursor - a->values), a->end - a->values);
    sum = sum_graph(sum_graph(sum, a->next, order), a->other, order);
    for (k = 0; k < a->n; k++)
        sum = sum_graph(sum, a->many[k], order);
    for (b = a->b; b != NULL && b->mark / 1000 != epoch; b = b->twin) {
        b->mark = epoch * 1000 + ++*order;
        sum = sum_graph(sum, b->up, order);
        if (b->cell != NULL)
            sum = sum_int(sum, *b->cell * 8 + (b->cell - b->grid));
        if (b->text != NULL)
            sum = sum_bytes(sum, b->text, strlen(b->text));
        if (b->place != NULL)
            sum = sum_graph(sum, *b->place, order);
    }
    return sum_int(sum, b == NULL ? -1 : b->mark % 1000);
}

int main(void)
{
    struct a **graphs = NULL;
    int step, i, k, order, count = getenv("GRAPHS") != NULL ? atoi(getenv("GRAPHS")) : 500;
    Sum sum;

#pragma cppc init
    graphs = calloc((size_t)count, sizeof *graphs);
#pragma cppc register(step, state, epoch, count, deep(graphs))
    for (step = 0; step < 4; step++) {
#pragma cppc checkpoint
        for (i = step; i < count; i += 1 + step)
            graphs[i] = random_graph();
        epoch++;
        for (i = 0, sum = SUM_START; i < count; i++) {
            order = 0;
            sum = sum_graph(sum, graphs[i], &order);
            for (k = below(4); graphs[i] != NULL && k > 0 && graphs[i]->next != NULL; k--)
                graphs[i] = graphs[i]->next;
        }
        show("graphs", step, sum);
    }
#pragma cppc shutdown
    return 0;
}
