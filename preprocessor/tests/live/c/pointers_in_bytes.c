/* Memory behind pointers to `void` is saved as bytes. Only the first memory contains pointers.
   reports: first.data[] */
#include <stdio.h>
#include <stdlib.h>
struct cell { int n; struct cell *next; };
struct module { int kind; void *data; };
int main(void)
{
    struct cell *cell = calloc(2, sizeof *cell);
    int *numbers = calloc(2, sizeof *numbers);
    struct module first = { 1, cell }, second = { 2, numbers };
    int i;
    cell[0].next = &cell[1];
    cell[1].next = &cell[0];
#pragma cppc init
#pragma cppc register(first, second, first.data[], second.data[])
    for (i = 0; i < 10; i++) {
#pragma cppc register(i)
#pragma cppc checkpoint
        ((struct cell *)first.data)->next->n += i;
        ((int *)second.data)[i % 2] += i;
    }
    printf("%d %d\n", ((struct cell *)first.data)[1].n, ((int *)second.data)[0]);
#pragma cppc shutdown
    return 0;
}
