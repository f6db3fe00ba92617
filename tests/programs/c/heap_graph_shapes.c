/* Exercises: `deep` with a ring, a tree with parent pointers, a graph with shared parts, a hash table with chains,
 * pointers to pointers, pointers into elements, structures that begin with another one, a variable of the program, and
 * a pointer to `void` whose type is stated. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* A ring through a variable of the program. */
struct link { struct link *next, *previous; double weight; };
static struct link anchor = { &anchor, &anchor, 0.5 };

struct tree { int key; struct tree *left, *right, *parent; };

/* The chains are ended by the address of the pointer to append to. */
struct entry { struct entry *next; char word[12]; int count; int *counter; };
struct table { struct entry *chains[7]; struct entry **ends[7]; int **grid; int rows; };

struct shape { int kind; float area; };
struct circle { struct shape shape; double radius; struct circle *inner; };
struct box { void *data; short *cells; struct shape **all; int n; };

static const int primes[] = { 2, 3, 5, 7, 11, 13 };
static int total;

struct vertex { const int *prime; int *sum; struct vertex *to[3]; int mark; };

static struct tree *insert(struct tree **place, struct tree *parent, int key)
{
    if (*place != NULL)
        return insert(key < (*place)->key ? &(*place)->left : &(*place)->right, *place, key);
    *place = calloc(1, sizeof **place);
    (*place)->key = key;
    (*place)->parent = parent;
    return *place;
}

static Sum sum_tree(Sum sum, const struct tree *t, const struct tree *parent)
{
    if (t == NULL)
        return sum_int(sum, 0);
    sum = sum_int(sum, t->key * 2 + (t->parent == parent));
    return sum_tree(sum_tree(sum, t->left, t), t->right, t);
}

static void count(struct table *t, const char *word)
{
    int at = word[0] % 7;
    struct entry *e = t->chains[at];
    while (e != NULL && strcmp(e->word, word) != 0)
        e = e->next;
    if (e == NULL) {
        e = calloc(1, sizeof *e);
        snprintf(e->word, sizeof e->word, "%s", word);
        e->counter = &e->count;
        *t->ends[at] = e;
        t->ends[at] = &e->next;
    }
    ++*e->counter;
}

int main(void)
{
    struct tree *root = NULL, *latest = NULL;
    struct table *table;
    struct box box = { NULL, NULL, NULL, 0 };
    struct vertex *vertices[5], *start;
    struct link *l;
    struct entry *e;
    int step, i, k;
    Sum sum;
    char word[12];

#pragma cppc init
    table = calloc(1, sizeof *table);
    for (i = 0; i < 7; i++)
        table->ends[i] = &table->chains[i];
    for (i = 0; i < 5; i++) {
        vertices[i] = calloc(1, sizeof *vertices[i]);
        vertices[i]->prime = &primes[i];
        vertices[i]->sum = &total;
    }
    start = vertices[0];
#pragma cppc register(step, total, deep(anchor), deep(root), deep(latest), deep(table))
#pragma cppc register(deep(box, data: struct circle), deep(vertices), deep(start))
    for (step = 0; step < 4; step++) {
#pragma cppc checkpoint
        for (i = 0; i < 3; i++) {
            l = calloc(1, sizeof *l);
            l->weight = step + 0.25 * i;
            l->next = &anchor;
            l->previous = anchor.previous;
            l->previous->next = l;
            anchor.previous = l;
            latest = insert(&root, NULL, (step * 37 + i * 11) % 50);
            snprintf(word, sizeof word, "%c%d", 'a' + (step * 5 + i) % 9, i);
            count(table, word);
        }
        table->grid = realloc(table->grid, (size_t)(step + 1) * sizeof *table->grid);
        table->grid[step] = calloc((size_t)step + 1, sizeof **table->grid);
        table->grid[step][step] = step;
        table->rows = step + 1;
        box.all = realloc(box.all, (size_t)(box.n + 1) * sizeof *box.all);
        struct circle *c = calloc(1, sizeof *c);
        c->shape.kind = step;
        c->radius = 1.5 * step;
        c->inner = box.data;
        box.all[box.n++] = &c->shape;
        box.data = c;
        free(box.cells);
        box.cells = step % 2 ? malloc(0) : calloc((size_t)step + 2, sizeof *box.cells);
        for (i = 0; i < 5; i++)
            vertices[i]->to[step % 3] = vertices[(i * 2 + step) % 5];
        start = start->to[step % 3];
        *start->sum += *start->prime;
        start->mark += step;

        sum = sum_int(SUM_START, total);
        for (l = anchor.next; l != &anchor; l = l->next)
            sum = sum_real(sum, l->weight + (l->previous->next == l));
        sum = sum_tree(sum, root, NULL);
        sum = sum_int(sum, latest->key);
        for (i = 0; i < 7; i++)
            for (e = table->chains[i]; e != NULL; e = e->next)
                sum = sum_int(sum_bytes(sum, e->word, strlen(e->word)), e->count + (e->counter == &e->count));
        for (i = 0; i < table->rows; i++)
            for (k = 0; k <= i; k++)
                sum = sum_int(sum, table->grid[i][k]);
        for (i = box.n - 1, c = box.data; c != NULL; c = c->inner, i--)
            sum = sum_real(sum, c->radius + c->shape.kind + (&c->shape == box.all[i]));
        sum = sum_int(sum, box.cells != NULL);
        for (i = 0; i < 5; i++) {
            sum = sum_int(sum, vertices[i]->mark + *vertices[i]->prime + (vertices[i] == start));
            for (k = 0; k < 3; k++)
                sum = sum_int(sum, vertices[i]->to[k] == NULL ? 0 : vertices[i]->to[k]->mark);
        }
        show("shapes", step, sum);
    }
#pragma cppc shutdown
    return 0;
}
