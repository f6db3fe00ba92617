/* reports: level->u[k] */
#include <stdlib.h>

typedef struct {
    int n;
    double *u;
} Level;

static void relax(Level *level)
{
    int k;
    for (k = 0; k < level->n; k++)
        level->u[k] = 0.5 * level->u[k] + k;
}

int main(void)
{
    Level *fine;
    int i;
#pragma cppc init
    fine = malloc(sizeof *fine);
    fine->n = 8;
    fine->u = calloc(8, sizeof(double));
#pragma cppc register(i, fine[1])
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        relax(fine);
    }
#pragma cppc shutdown
    return fine->u[3] > 1;
}
