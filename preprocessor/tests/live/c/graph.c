/* reports: nothing */
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

int main(void)
{
    struct node *node;
    double sum = 0;
    int i;
#pragma cppc init
#pragma cppc register(i, sum, deep(box))
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        box.first = push(box.first, i);
        box.count++;
        for (node = box.first; node; node = node->next)
            sum += node->value;
    }
#pragma cppc shutdown
    return sum > 3;
}
