/* Exercises: pointers as arguments of calls that a resume repeats for the execute blocks below them: local pointers that
 * have moved on since, elements of local arrays, structures by value, what lies behind other pointers, the addresses of
 * variables, names, streams, and pointers to procedures. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

struct part {
    double *values;
    int count;
};

struct tool {
    FILE *stream;
    double *gain;
    double (*map)(double);
};

static double values[6] = {1, 2, 3, 4, 5, 6}, gain = 0.5, *heap;
static double made[12][6];
static int lengths[6], first;
static struct tool tool;

static double twice(double x)
{
    return 2 * x;
}

static void set(const double *from, int site, int at)
{
#pragma cppc execute capture(site, at)
    made[site][at] = *from;
#pragma cppc end execute
}

static void set_deeper(const double *from, int at)
{
    set(from, 1, at);
    set(from + 1, 2, at);
}

static void set_all(struct part part, int at)
{
#pragma cppc execute capture(at)
    made[3][at] = part.values[0] + 100 * part.count;
#pragma cppc end execute
}

static void name(const char *text, int at)
{
#pragma cppc execute capture(at)
    lengths[at] = (int)strlen(text);
#pragma cppc end execute
}

static void use(FILE *stream, const double *by, double (*map)(double), int at)
{
#pragma cppc execute capture(at)
    made[4][at] = map(*by) + (stream == stdout);
#pragma cppc end execute
}

static void ignore(double *scratch, int at)
{
    scratch[0] = at;
#pragma cppc execute capture(at)
    made[5][at] = at;
#pragma cppc end execute
}

int main(void)
{
    struct tool *own;
    double *walk, *scratch;
    int i, k, step;
    Sum sum = SUM_START;

#pragma cppc init
    walk = values;
    heap = malloc(4 * sizeof *heap);
    for (k = 0; k < 4; k++)
        heap[k] = 10 * k;
#pragma cppc register(values, heap[4], gain, i, step, sum)
    double near = 0.25;
    double *rows[2] = {heap + 2, values + 5};
    struct part part = {values + 1, 1}, *inner = &part;
#pragma cppc register(near)
#pragma cppc execute
    tool.stream = stdout;
    tool.gain = &gain;
    tool.map = twice;
    own = &tool;
#pragma cppc end execute
    for (step = 0; step < 2; step++) {
        for (i = 0; i < 3; i++) {
            set(walk++, 0, i);
            set_deeper(walk - 1, i);
            set(rows[i % 2], 6, i);
            part.count += i;
            part.values = heap + i;
            set_all(part, i);
            set(inner->values, 7, i);
            set(inner->values + i % 2, 8, step);
            set(&near, 9, i);
            set(&values[step + i], 10, i);
            name(i % 2 ? "odd" : "even", i);
            use(own->stream, own->gain, own->map, i);
            scratch = malloc(sizeof *scratch);
            ignore(scratch, i);
            free(scratch);
#pragma cppc checkpoint
            rows[0] = values + i;
            rows[1] = heap + i;
            part.count = 1 + step;
            inner = &part;
            walk = values + i + (i < 2) - step;
            for (first = 0; first < 11; first++)
                sum = sum_reals(sum, made[first], 6);
            sum = sum_bytes(sum, lengths, sizeof lengths);
            show("made", 10 * step + i, sum);
        }
    }
#pragma cppc shutdown
    free(heap);
    return 0;
}
