/* reports: head */
#include <stdlib.h>

struct node {
    double value;
    struct node *next;
};

static struct node *head;

static double sum_of(const struct node *p)
{
    return p ? p->value + sum_of(p->next) : 0;
}

static void build(int count)
{
    while (count-- > 0) {
        struct node *node = calloc(1, sizeof *node);
        node->value = count;
        node->next = head;
        head = node;
    }
}

int main(void)
{
    double sum = 0;
    int i;
#pragma cppc init
#pragma cppc register(i, sum)
#pragma cppc register(deep(head))
    build(4);
#pragma cppc unregister(head)
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        sum += sum_of(head);
    }
#pragma cppc shutdown
    return sum > 3;
}
