/* Exercises: structures with unions passed and returned by value across checkpoints, a pointer argument
 * chosen by a condition, several calls of one expression.
 * warns: bytes */
#include "check.h"
#include <string.h>

typedef union {
    double real;
    long words[3];
} Cell;

typedef struct {
    char name[12];
    int n;
    Cell cell;
} Box;

static int ticks;
static double left[4] = {1, 2, 3, 4}, right[4] = {5, 6, 7, 8};

static void tick(void)
{
#pragma cppc register(ticks)
#pragma cppc checkpoint
    ticks++;
}

static Box make(int i)
{
    Box box;
    memset(&box, 0, sizeof box);
    box.n = i * 7;
    snprintf(box.name, sizeof box.name, "box%d", i % 100);
    box.cell.words[2] = i + 1000;
#pragma cppc register(box)
    tick();
    return box;
}

static long use(const double *p, Box box, int i)
{
    tick();
    return (long)p[0] + box.n + box.cell.words[2] + i + box.name[3];
}

static int two(Box a, Box b)
{
    tick();
    return a.n - b.n + (int)a.cell.words[2];
}

int main(void)
{
    int i;
    long total = 0;
#pragma cppc init
#pragma cppc register(i, total, left, right)
    for (i = 0; i < 4; i++) {
        total += use(i & 1 ? &left[i % 4] : right + i % 4, make(i), i) * 3 + two(make(i + 1), make(i + 2));
        left[i % 4] += (double)(total % 17);
        printf("%d %ld %g %d\n", i, total, left[i % 4], ticks);
    }
#pragma cppc shutdown
    return 0;
}
