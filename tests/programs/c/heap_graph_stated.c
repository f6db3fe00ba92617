/* Exercises: roots of `deep` that state different types for the same field, also where the structure with the field is
 * a component of another structure, or is reached through a pointer to a pointer. */
#include <stdlib.h>

#include "check.h"

struct node { struct node *next; void *data; };
struct pair { double x; struct pair *other; };
struct holder { int kind; struct node inside; struct node **all; int n; };

static struct node *push(struct node *next, void *data)
{
    struct node *n = calloc(1, sizeof *n);
    n->next = next;
    n->data = data;
    return n;
}

int main(void)
{
    struct node *numbers = NULL, *pairs = NULL;
    struct holder *texts = NULL;
    int step, i;
    Sum sum;

#pragma cppc init
    texts = calloc(1, sizeof *texts);
#pragma cppc register(step, deep(numbers, data: int), deep(pairs, data: struct pair), deep(texts, data: char))
    for (step = 0; step < 4; step++) {
#pragma cppc checkpoint
        int *number = calloc(3, sizeof *number);
        number[step % 3] = step + 1;
        numbers = push(numbers, number);
        struct pair *pair = calloc(1, sizeof *pair);
        pair->x = step / 8.0;
        pair->other = pairs == NULL ? pair : pairs->data;
        pairs = push(pairs, pair);
        char *text = calloc(5, 1);
        snprintf(text, 5, "t%d", step);
        texts->inside.next = push(texts->inside.next, text);
        texts->inside.data = text;
        texts->all = realloc(texts->all, (size_t)(texts->n + 1) * sizeof *texts->all);
        texts->all[texts->n++] = texts->inside.next;

        sum = sum_int(SUM_START, step);
        for (struct node *n = numbers; n != NULL; n = n->next)
            for (i = 0; i < 3; i++)
                sum = sum_int(sum, ((int *)n->data)[i]);
        for (struct node *n = pairs; n != NULL; n = n->next)
            sum = sum_real(sum, ((struct pair *)n->data)->x + ((struct pair *)n->data)->other->x);
        for (i = 0; i < texts->n; i++)
            sum = sum_bytes(sum, texts->all[i]->data, 5);
        sum = sum_bytes(sum, texts->inside.data, 5);
        show("stated", step, sum);
    }
#pragma cppc shutdown
    return 0;
}
