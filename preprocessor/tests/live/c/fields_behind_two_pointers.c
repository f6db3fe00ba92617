/* Two pointers are exchanged. What both parameters register counts for both memories, and other fields do not count.
 * reports: first, fourth, inner, one, other, outer, second, third
 * all: a, b, down, first, fourth, inner, left, one, other, outer, right, second, third, up
 */
#include <stdio.h>

struct grid {
    int n;
    double sum;
};

static struct grid first, second, third, fourth, left, right, one, other, up, down;
static struct { double x[4], y[4]; } inner;
static double outer[4];

static void fields(struct grid *a, struct grid *b)
{
#pragma cppc register(a->n, b->n)
#pragma cppc checkpoint
    a->n++;
    b->n++;
}

static void uneven(struct grid *a, struct grid *b)
{
#pragma cppc register(*a, b->n)
#pragma cppc checkpoint
    a->n++;
    b->n++;
}

static void both(struct grid *a, struct grid *b)
{
#pragma cppc register(*a, *b)
#pragma cppc checkpoint
    a->n++;
    b->sum++;
}

static void arrays(double *p, double *q, int n)
{
#pragma cppc register(p[n], q[n])
#pragma cppc checkpoint
    p[0] += q[n - 1];
}

static void only_fields(void)
{
    int k;
    first.sum = second.sum = 1;
#pragma cppc register(k)
    for (k = 0; k < 4; k++) {
        struct grid *a = k & 1 ? &first : &second, *b = k & 1 ? &second : &first;
        fields(a, b);
    }
    printf("%g\n", first.sum + second.sum);
}

static void other_fields_are_not_read(void)
{
    int k;
    up.n = down.n = 1;
#pragma cppc register(k)
    for (k = 0; k < 4; k++) {
        struct grid *a = k & 1 ? &up : &down, *b = k & 1 ? &down : &up;
        fields(a, b);
    }
    printf("%d\n", up.n + down.n);
}

static void one_whole(void)
{
    int k;
    third.sum = fourth.sum = 1;
#pragma cppc register(k)
    for (k = 0; k < 4; k++) {
        struct grid *a = k & 1 ? &third : &fourth, *b = k & 1 ? &fourth : &third;
        uneven(a, b);
    }
    printf("%g\n", third.sum + fourth.sum);
}

static void both_whole(void)
{
    int k;
    left.sum = right.sum = 1;
#pragma cppc register(k)
    for (k = 0; k < 4; k++) {
        struct grid *a = k & 1 ? &left : &right, *b = k & 1 ? &right : &left;
        both(a, b);
    }
    printf("%g\n", left.sum + right.sum);
}

static void same_pointer(void)
{
    int k;
    one.sum = other.sum = 1;
#pragma cppc register(k)
    for (k = 0; k < 4; k++) {
        struct grid *a = k & 1 ? &one : &other;
        both(a, a);
    }
    printf("%g\n", one.sum + other.sum);
}

/* Two of the arrays are in one variable. */
static void three_arrays(void)
{
    int k;
    for (k = 0; k < 4; k++)
        inner.x[k] = inner.y[k] = outer[k] = k;
#pragma cppc register(k)
    for (k = 0; k < 4; k++) {
        double *p = k & 1 ? inner.x : k & 2 ? inner.y : outer, *q = k & 1 ? outer : k & 2 ? inner.x : inner.y;
        arrays(p, q, 4);
    }
    printf("%g %g %g\n", inner.x[1], inner.y[1], outer[1]);
}

int main(void)
{
#pragma cppc init
    only_fields();
    other_fields_are_not_read();
    one_whole();
    both_whole();
    same_pointer();
    three_arrays();
#pragma cppc shutdown
    return 0;
}
