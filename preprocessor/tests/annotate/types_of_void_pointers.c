/* All pointers to `void` in a list point to one type, which the root states. Those of another field are never set. */
#include <stdio.h>
#include <stdlib.h>
struct item { double w; int n; };
struct node { void *data, *unused; struct node *next; };
static struct node *head;
static void push(double w) { struct item *i = malloc(sizeof *i); i->w = w; i->n = (int)w; struct node *x = calloc(1, sizeof *x); x->data = i; x->next = head; head = x; }
int main(void)
{
    for (int t = 0; t < 8; t++) {
#pragma cppc checkpoint
        push(t);
    }
    double s = 0;
    for (struct node *x = head; x; x = x->next) { struct item *i = x->data; s = 3 * s + i->w + i->n; }
    printf("%g\n", s);
    return 0;
}
