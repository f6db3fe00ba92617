/* Exercises: sizes in the types of parameters depend on objects that change before a checkpoint. A restart would compute them
 * again with the new values. So these checkpoints are skipped. */
#include <stdio.h>

struct grid {
    int kind : 4;
    int width, other;
};

static int width = 3;
static struct grid grid = { 1, 3, 0 };
static double u[12];

static void change(int *value, int by)
{
    *value += by;
}

static void step(double (*a)[width], int k)
{
    a[1][0] += k;
#pragma cppc checkpoint
    change(&width, 1);
#pragma cppc checkpoint
    a[1][1] += k;
    change(&width, -1);
#pragma cppc checkpoint
    a[2][0] += k;
}

static void through(struct grid *g, int n, double (*a)[g->width][n], int k)
{
    g->other = k;
#pragma cppc checkpoint
    a[1][0][0] += k;
    g->width++;
#pragma cppc checkpoint
    a[1][1][0] += k;
    g->width--;
    n++;
}

static void member(double (*a)[grid.width], double (*b)[grid.kind + 1], int k)
{
    a[1][2] += k + b[1][0];
#pragma cppc checkpoint
    grid.other = -k;
#pragma cppc checkpoint
    a[1][0] += grid.other;
}

static void last(double (*a)[grid.width], int k)
{
    member(a, a, k);
    grid.width = 4;
#pragma cppc checkpoint
    a[3][1] += k;
    grid.width = 3;
}

int main(int argc, char **argv)
{
    int k;

    (void)argc, (void)argv;
#pragma cppc init
#pragma cppc register(k, width, grid, u)
    for (k = 1; k <= 3; k++) {
        step((double (*)[width])u, k);
        through(&grid, 2, (double (*)[grid.width][2])u, k);
        last((double (*)[grid.width])u, k);
        for (int i = 0; i < 12; i++)
            printf(" %.1f", u[i]);
        printf("\n");
    }
#pragma cppc shutdown
    return 0;
}
