/* A list whose pointers to `void` have several types. Single registers of its nodes would save only parts of it. */
#include <stdio.h>
#include <stdlib.h>

struct item { double w; };
struct pair { int a, b; };
struct node { int kind; void *data; struct node *next; };
static struct node *head;

static void push(int kind, void *data)
{
    struct node *n = malloc(sizeof *n);
    n->kind = kind;
    n->data = data;
    n->next = head;
    head = n;
}

int main(void)
{
    double sum = 0;
    for (int t = 0; t < 8; t++) {
#pragma cppc checkpoint
        if (t % 2) {
            struct item *item = malloc(sizeof *item);
            item->w = t;
            push(0, item);
        } else {
            struct pair *pair = malloc(sizeof *pair);
            pair->a = pair->b = t;
            push(1, pair);
        }
    }
    for (struct node *n = head; n; n = n->next)
        sum = 3 * sum + (n->kind ? ((struct pair *)n->data)->a : ((struct item *)n->data)->w);
    printf("%g\n", sum);
    return 0;
}
