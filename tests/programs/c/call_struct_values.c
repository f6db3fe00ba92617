/* Exercises: structures returned and passed by value, a field of a returned structure, results that
 * wait while another call has its checkpoint. */
#include "check.h"

typedef struct {
    double x, y;
    int id;
} Point;

static Point make(int id)
{
    Point p = {id * 0.5, id * 0.25, id};
#pragma cppc register(p)
#pragma cppc checkpoint
    p.x += 1;
    return p;
}

static Point add(Point a, Point b)
{
    Point sum;
#pragma cppc register(a, b)
#pragma cppc checkpoint
    sum.x = a.x + b.x;
    sum.y = a.y * b.y + 1;
    sum.id = a.id * 10 + b.id;
    return sum;
}

static double length(Point p)
{
#pragma cppc register(p)
#pragma cppc checkpoint
    return p.x + p.y;
}

int main(void)
{
    Point p = {0, 0, 0}, q;
    double sum = 0;
    int i;

#pragma cppc init
#pragma cppc register(i, p, q, sum)
    q = make(3);
    for (i = 0; i < 3; i++) {
        p = add(p, q);
        p = add(add(p, make(i)), make(i + 1));
        q.y = make(i).x + make(p.id % 4).y;
        sum += length(p) * length(add(p, q));
        q = i % 2 ? p : make(2);
        printf("%d %.17g %.17g %d %.17g %.17g\n", i, p.x, p.y, p.id % 1000, q.x, sum);
        p.id %= 7;
    }
#pragma cppc shutdown
    return 0;
}
