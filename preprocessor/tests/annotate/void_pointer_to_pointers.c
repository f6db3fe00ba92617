/* Memory behind a pointer to `void` is registered with the pointer that has its type, because it contains pointers. */
#include <stdio.h>
#include <stdlib.h>
typedef struct { int t; void *p; } mod;
struct cell { int n; struct cell *next; };
static void step(void *p, int t) { struct cell *c = p; c->next->n += t; c->next = c->next->next; }
int main(void)
{
    struct cell *c = calloc(3, sizeof *c);
    for (int i = 0; i < 3; i++) c[i].next = &c[(i + 1) % 3];
    mod tab[2] = { { 0, c }, { 1, c } };
    for (int t = 0; t < 8; t++) {
#pragma cppc checkpoint
        step(tab[t % 2].p, t);
    }
    c = tab[0].p;
    printf("%d %d %d\n", c[0].n, c[1].n, c[2].n);
    return 0;
}
