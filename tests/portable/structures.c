/* Structures whose padding differs, in arrays and in each other, with pointers in all places: into arrays, to
 * each other, into the middle, behind the end, to nothing. */

#include "dying.h"
#include <stddef.h>
#include <stdio.h>

struct point { char tag; double x; long n; };
struct cell { struct point corner[2]; short flags; struct point *nearest; long double weight; char name[5]; };
struct node { char colour; struct node *next; long value; struct node *others[2]; };
struct view { size_t count; double *first, *behind, *middle; long *number; char *text; };

static struct cell cells[6];
static struct point origin = { 'o', 0.5, -7 };
static struct view view;
static double table[40];
static double *cursor = &table[3];
static struct node *head;
static long numbers[9];
static char text[32] = "pointers lead into this";
static long board[2][3][4];

static struct node *make(int count)
{
    struct node *nodes = malloc(count * sizeof *nodes);
    int i;
    for (i = 0; i < count; i++) {
        nodes[i].colour = 'a' + i;
        nodes[i].value = i * 1000003L;
        nodes[i].next = i + 1 < count ? &nodes[i + 1] : NULL;
        nodes[i].others[0] = &nodes[(i * 5 + 2) % count];
        nodes[i].others[1] = i % 3 ? NULL : nodes;
    }
    return nodes;
}

int main(int argc, char **argv)
{
    struct node *nodes, *at;
    struct point *points, *some;
    double *grid, *window, **rows;
    long *counters, *tail;
    int turn, i;
#pragma cppc init
    nodes = make(12);
    head = nodes + 1;
    points = calloc(20, sizeof *points);
    some = points + 4;
    grid = malloc(60 * sizeof *grid);
    window = grid + 17;
    rows = malloc(6 * sizeof *rows);
    counters = calloc(10, sizeof *counters);
    tail = counters + 5;
    for (i = 0; i < 20; i++) { points[i].tag = 'A' + i; points[i].x = i * 0.25; points[i].n = -i; }
    for (i = 0; i < 60; i++) grid[i] = i / 7.0;
    for (i = 0; i < 6; i++) rows[i] = grid + 10 * ((i + 2) % 6);
    for (i = 0; i < 40; i++) table[i] = i * i;
    for (i = 0; i < 6; i++) {
        cells[i].corner[0] = points[i];
        cells[i].corner[1] = points[19 - i];
        cells[i].flags = i - 3;
        cells[i].nearest = i % 2 ? &points[i] : i == 4 ? &origin : &cells[(i + 1) % 6].corner[1];
        cells[i].weight = i * 0.125L;
        cells[i].name[0] = 'n'; cells[i].name[1] = '0' + i;
    }
    view.count = 40; view.first = table; view.behind = grid + 60; view.middle = &table[20];
    view.number = &numbers[4]; view.text = text + 14;
#pragma cppc register(turn, cells, origin, view, table, cursor[2], text, numbers, board)
#pragma cppc register(nodes[12], head[3], points[4][5], some[9], grid[6][10], window[8], rows[6], counters[10], tail[5])
    for (turn = 0; turn < 5; turn++) {
#pragma cppc checkpoint
        maybe_die(turn + 1);
        for (at = head; at != NULL; at = at->next) { at->value += at->others[0]->value / 3; if (at->others[1]) at->colour++; }
        head = nodes + turn;
        some[turn].n = turn; some = points + turn; some->x += 1;
        for (i = 0; i < 6; i++) { cells[i].nearest->x *= 1.5; cells[i].weight += 0.5L; cells[i].flags *= 2; cells[i].nearest->n--; }
        cells[turn].nearest = turn == 2 ? NULL : &cells[turn].corner[turn % 2];
        if (cells[2].nearest == NULL) cells[2].nearest = &origin;
        for (i = 0; i < 6; i++) rows[i][i] += rows[(i + 1) % 6][9];
        window[turn] = -turn; window += 3;
        board[turn % 2][turn % 3][turn % 4] -= turn;
        cursor += 4; *cursor = -1; cursor[1] += turn;
        view.behind[-1 - turn] *= 2; view.middle += 2; *view.middle = turn; view.number[turn] += 5; view.number--;
        view.text[0] -= 32; view.text--;
        tail[turn] -= counters[9 - turn]; counters[turn] += 3 * turn; tail = counters + turn;
    }
    for (i = 0; i < 12; i++) printf("%c %ld %d %d\n", nodes[i].colour, nodes[i].value, nodes[i].next == &nodes[i + 1], (int) (nodes[i].others[0] - nodes));
    for (i = 0; i < 20; i++) printf("%c %a %ld\n", points[i].tag, points[i].x, points[i].n);
    for (i = 0; i < 6; i++) {
        printf("%s %d %a %c %a %ld", cells[i].name, cells[i].flags, (double) cells[i].weight, cells[i].corner[1].tag, cells[i].corner[1].x, cells[i].corner[0].n);
        printf(" %c %a\n", cells[i].nearest->tag, cells[i].nearest->x);
    }
    for (i = 0; i < 60; i++) printf("%a ", grid[i]);
    for (i = 0; i < 40; i++) printf("%a ", table[i]);
    for (i = 0; i < 9; i++) printf("%ld ", numbers[i]);
    for (i = 0; i < 24; i++) printf("%ld ", board[i / 12][i / 4 % 3][i % 4]);
    for (i = 0; i < 10; i++) printf("%ld ", counters[i]);
    printf("\n%d %d %d %d %d\n", (int) (head - nodes), (int) (some - points), (int) (window - grid), (int) (cursor - table), (int) (tail - counters));
    printf("%lu %d %d %d %d %s %s %ld %a\n", (unsigned long) view.count, (int) (view.first - table), (int) (view.behind - grid), (int) (view.middle - table),
           (int) (view.number - numbers), view.text, text, origin.n, origin.x);
    free(nodes); free(points); free(grid); free(rows); free(counters);
#pragma cppc shutdown
    return 0;
}
