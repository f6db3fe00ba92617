/* reports: other */
#include <stdlib.h>

struct node {
    double value;
    struct node *next;
};

struct box {
    struct node *first;
    int count;
};

static struct box box;

static struct node *push(struct node *next, double value)
{
    struct node *fresh = calloc(1, sizeof *fresh);
    fresh->value = value;
    fresh->next = next;
    return fresh;
}

/* The nodes of one list are registered, and those of the other list have the same type and come from the same call. */
int main(void)
{
    struct node *other = NULL, *node;
    double sum = 0;
    int i;
#pragma cppc init
#pragma cppc register(i, sum, deep(box))
    other = push(other, 1);
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        box.first = push(box.first, i);
        box.count++;
        for (node = box.first; node; node = node->next)
            sum += node->value;
        sum += other->value;
    }
#pragma cppc shutdown
    return sum > 3;
}
