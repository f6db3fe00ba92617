/* Exercises: `deep` with a doubly linked list, an array of pointers to its nodes, counted arrays, texts, functions and
 * constants. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

struct node {
    int key;
    char *name;
    struct node *next, *previous;
    int (*apply)(int);
    const char *label;
};

struct pool {
    struct node *head;
    struct node **index;
    int n;
    double *values;
    double *last; /* one past the last value */
};

static struct pool pool;

static int twice(int x) { return 2 * x; }
static int more(int x) { return x + 1; }

static void add(struct pool *p, int key)
{
    struct node *n = calloc(1, sizeof *n);
    char text[32];
    snprintf(text, sizeof text, "node %d", key);
    n->key = key;
    n->name = strdup(text);
    n->apply = key % 2 ? twice : more;
    n->label = key % 3 ? "third" : "other";
    n->next = p->head;
    if (p->head)
        p->head->previous = n;
    p->head = n;
    p->index = realloc(p->index, (size_t)(p->n + 1) * sizeof *p->index);
    p->index[p->n++] = n;
    p->values = realloc(p->values, (size_t)p->n * sizeof *p->values);
    p->values[p->n - 1] = key * 1.5;
    p->last = p->values + p->n;
}

int main(void)
{
    int step, i;
    Sum sum;
    struct node *current = NULL, *n;
#pragma cppc init
#pragma cppc register(step, deep(pool), deep(current))
    for (step = 0; step < 4; step++) {
#pragma cppc checkpoint
        add(&pool, step);
        current = pool.index[pool.n / 2];
        sum = sum_int(SUM_START, step);
        for (n = pool.head; n; n = n->next) {
            sum = sum_int(sum, n->apply(n->key) + (n->previous == NULL || n->previous->next == n));
            sum = sum_bytes(sum_bytes(sum, n->name, strlen(n->name)), n->label, strlen(n->label));
        }
        for (i = 0; i < pool.n; i++)
            sum = sum_real(sum, pool.index[i]->key * pool.values[i]);
        sum = sum_int(sum, pool.last - pool.values);
        sum = sum_int(sum, current == pool.index[pool.n / 2] ? current->key : -1);
        show("list", step, sum);
    }
    while (pool.head) {
        n = pool.head;
        pool.head = n->next;
        free(n->name);
        free(n);
    }
    free(pool.index);
    free(pool.values);
#pragma cppc shutdown
    return 0;
}
