/* Exercises: one field of the elements of an array as one register: declared arrays, memory from before `init` and from an
   `execute` block, parameters, nested structures, pointers to such fields, and sections of several dimensions. */
#include <stdio.h>
#include <stdlib.h>

struct link { double x; float y; };
struct pair { short count; struct link in; };
struct site {
    char tag;
    double value[3];
    int scratch;
    struct pair pair;
    double *watched;
    long double last;
};

enum { SITES = 12, ROWS = 3, COLUMNS = 4 };
static struct site lattice[SITES];
static struct site grid[ROWS][COLUMNS];
static struct site *early, *other, *opened;
static int first = 2;

static void advance(struct site *sites, int n, int step) {
    int i;
    for (i = 0; i < n; i++) {
        sites[i].value[step % 3] += i + 0.5 * step;
        sites[i].scratch = step;
        sites[i].pair.count = (short)(sites[i].pair.count + i);
        sites[i].pair.in.y += 0.25f;
        sites[i].last += sites[i].scratch;
    }
}

static double total(const struct site *sites, int n) {
    double sum = 0;
    int i;
    for (i = 0; i < n; i++)
        sum += sites[i].value[0] + 2 * sites[i].value[1] + 3 * sites[i].value[2] + sites[i].pair.count
            + sites[i].pair.in.y + (double)sites[i].last;
    return sum;
}

static void report(int step) {
    printf("%d: %.17g %.17g %.17g %.17g %.17g", step, total(lattice, SITES), total(&grid[0][0], ROWS * COLUMNS),
           total(early, SITES), total(other, SITES), total(opened, SITES));
    if (lattice[1].watched != NULL)
        printf(" %.17g", *lattice[1].watched);
    printf("\n");
}

/* A parameter, and a local array. */
static double below(struct site *sites, int n) {
    struct link own[5] = {{0, 0}};
    double sum = 0;
    int i, k;
#pragma cppc register(i, sum, own[:].x, sites[0:n].value, sites[0:n].pair.count, sites[0:n].pair.in.y, sites[0:n].last)
    for (i = 0; i < 4; i++) {
        /* `total` reads the arrays through a pointer, so the check does not see that it reads only some fields. The
           pointers are exchanged, and so is what they point to. The lower bound of the sections of `opened` is computed. */
#pragma cppc allow(C0701, lattice, grid, early, other, sites[i].value[step%3])
#pragma cppc checkpoint
        for (k = 0; k < 5; k++) {
            own[k].x += k * i;
            own[k].y = (float)i;
        }
        advance(sites, n, i);
    }
    for (k = 0; k < 5; k++)
        sum += own[k].x;
    return sum;
}

int main(void) {
    int step, i, k;
    early = calloc(SITES, sizeof *early);
    other = calloc(SITES, sizeof *other);
#pragma cppc init
#pragma cppc execute
    opened = calloc(SITES, sizeof *opened);
#pragma cppc end execute
#pragma cppc register(step, lattice[:].value, lattice[0:SITES].pair, lattice[:].watched, lattice[:].last)
#pragma cppc register(grid[:][:].value, grid[0:1][:].pair.in, grid[1:2][:].pair.in, grid[:][0:COLUMNS].pair.count, grid[:][:].last)
#pragma cppc register(early[0:SITES].value, early[0:SITES].pair.count, early[0:SITES].pair.in.y, early[0:SITES].last)
#pragma cppc register(other[0:SITES].value, other[0:SITES].pair.count, other[0:SITES].pair.in.y, other[0:SITES].last)
    for (i = 0; i < 2; i++) {
        /* Two parts of one array. The lower bound belongs to the name. */
#pragma cppc register(opened[first + 4 * i:4].value, opened[first + 4 * i:4].pair.count)
#pragma cppc register(opened[first + 4 * i:4].pair.in.y, opened[first + 4 * i:4].last)
    }
    for (step = 0; step < 5; step++) {
        struct site *swapped = early;
        early = other;
        other = swapped;
        /* The lower bound of the sections of `opened` is computed. */
#pragma cppc allow(C0701)
#pragma cppc checkpoint
        advance(lattice, SITES, step);
        advance(&grid[0][0], ROWS * COLUMNS, step);
        advance(early, SITES, step);
        advance(other, SITES / 2, step + 1);
        advance(opened + first, 8, step);
        for (k = 0; k < SITES; k++)
            lattice[k].watched = step % 2 == 0 ? NULL : &lattice[(k + step) % SITES].value[k % 3];
        lattice[1].watched = step == 2 ? NULL : &grid[1][step % COLUMNS].value[2];
        report(step);
    }
    printf("%.17g\n", below(early, SITES));
#pragma cppc unregister(early[0:SITES].value, opened[first:4].value)
    printf("%.17g\n", below(opened, first));
    printf("%.17g %.17g\n", total(lattice, SITES), total(&grid[0][0], ROWS * COLUMNS));
#pragma cppc shutdown
    free(early);
    free(other);
    free(opened);
    return 0;
}
