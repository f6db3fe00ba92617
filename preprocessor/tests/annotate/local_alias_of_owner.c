/* A register at the allocation would be refused, because its pointer is reached through a local variable. */
#include <stdio.h>
#include <stdlib.h>

struct matrix { FILE *log; int n; int *first, *order; };
struct project { struct matrix matrix; };
static struct project project;

static void store(struct project *p, int n)
{
    struct matrix *m = &p->matrix;
    m->first = calloc(n + 2, sizeof(int));
    m->order = calloc(m->n + 2, sizeof(int));
    for (int i = 0; i < n; i++)
        m->first[i] = m->order[i] = i;
}

static int solve(struct project *p, int t)
{
    struct matrix *m = &p->matrix;
    return m->first[t % m->n] * t + m->order[2];
}

int main(void)
{
    int sum = 0;
    project.matrix.n = 9;
    store(&project, 9);
    project.matrix.log = fopen("log.txt", "w");
    for (int t = 0; t < 8; t++) {
#pragma cppc checkpoint
        sum += solve(&project, t);
        fprintf(project.matrix.log, "%d\n", sum);
    }
    printf("%d\n", sum);
    return 0;
}
