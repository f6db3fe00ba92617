// A program as people write them: the shape that is translated.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <assert.h>

typedef struct node { struct node *next; double value[3]; char name[]; } node_t;
typedef void (*visitor)(node_t *, void *);
enum state { IDLE, BUSY = 5, DONE };
static enum state state = IDLE;
static double grid[64][64];

static void visit(node_t *list, visitor each, void *context)
{
    for (node_t *at = list; at != NULL; at = at->next)
        each(at, context);
}

static int step(double (*from)[64], double (*to)[64], int n)
{
    int i, j;
    double change = 0.0;
    for (i = 1; i < n - 1; ++i) {
        for (j = 1; j < n - 1; ++j) {
            double v = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
            change += (v - from[i][j]) * (v - from[i][j]);
            to[i][j] = v;
        }
    }
    return change > 1e-6 ? 1 : 0;
}

int main(int argc, char *argv[])
{
    node_t *head = NULL;
    int steps = argc > 1 ? atoi(argv[1]) : 100, k;
    double (*other)[64] = malloc(sizeof grid);
    if (!other) {
        fprintf(stderr, "no memory: %s\n", strerror(errno));
        return EXIT_FAILURE;
    }
    memset(grid, 0, sizeof(grid));
    assert(steps > 0);
    state = BUSY;
    do {
        if (!step(grid, other, 64)) break;
        else if (steps % 10 == 0) printf("%d\n", steps);
        else {
            double (*t)[64] = other;
            (void) t;
        }
    } while (--steps);
    switch (state) {
    case IDLE: puts("idle"); break;
    case BUSY: { state = DONE; } break;
    default: abort();
    }
    visit(head, (visitor) 0, &k);
    free(other);
    goto end;
end:
    return state == DONE ? EXIT_SUCCESS : EXIT_FAILURE;
}
