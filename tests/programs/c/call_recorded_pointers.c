/* Exercises: arguments and called procedures that a restart could not evaluate again, because the variables with the pointers
 * are not restored: strings, parts of tables, procedures, structures with such pointers. */
#include <string.h>

#include "check.h"

struct job { const char *name; double (*operation)(double, const char *); int times; };
struct object;
struct methods { double (*run)(struct object *, int); };
struct object { const struct methods *methods; double weight; };

static const char *const names[] = {"one", "three", "sixteen"};
static double numbers[6] = {1, 2, 3, 4, 5, 6};
static double (*global)(double, const char *);

static double added(double x, const char *name)
{
#pragma cppc checkpoint
    return x + strlen(name);
}

static double scaled(double x, const char *name)
{
    const char *own = x > 3 ? name : names[0];
    double result = x * 0.75 + strlen(own);
#pragma cppc register(result)
#pragma cppc checkpoint
    return result - strlen(name);
}

static double by_value(struct job job)
{
    double sum = 0;
    int k;
#pragma cppc register(sum, k)
    for (k = 0; k < job.times; k++)
        sum += job.operation(k, job.name);
    return sum;
}

static double part(const double *from, int n)
{
    double sum = 0;
    int k;
#pragma cppc register(sum, k)
    for (k = 0; k < n; k++) {
#pragma cppc checkpoint
        sum += from[k];
    }
    return sum;
}

static double heavier(struct object *own, int step)
{
    own->weight += step;
#pragma cppc checkpoint
    return own->weight;
}

static double lighter(struct object *own, int step)
{
    own->weight *= 0.5;
#pragma cppc checkpoint
    return own->weight + step;
}

static const struct methods up = {heavier}, down = {lighter};
static struct object first = {&up, 1}, second = {&down, 2};

int main(void)
{
    int step, kind;
    double state = 0;
#pragma cppc init
#pragma cppc register(step, kind, state, first.weight, second.weight)
    for (step = 1; step < 4; step++) {
        for (kind = 0; kind < 7; kind++) {
            const char *name;
            const double *from;
            double (*operation)(double, const char *);
            struct object *object;
            struct { double (*of)(double, const char *); int n; } chosen;
            struct job job;
            if (step % 2)
                name = "an odd step", operation = added, object = &first;
            else
                name = names[step % 3], operation = scaled, object = &second;
            from = numbers + step % 3;
            global = step % 3 ? scaled : added;
            chosen.of = operation;
            chosen.n = step;
            job.name = step % 2 ? "odd" : names[step % 3];
            job.operation = step % 3 ? added : scaled;
            job.times = 2;
            switch (kind) {
            case 0: state += operation(step, names[step % 2]); break;
            case 1: state += (*operation)(state, name); break;
            case 2: state += global(step, name); break;
            case 3: state += by_value(job); break;
            case 4: state += part(from, 3); break;
            case 5: state += chosen.of(chosen.n, name); break;
            default: state = state * 0.5 + object->methods->run(object, step);
            }
        }
        show("state", step, sum_real(SUM_START, state));
    }
#pragma cppc shutdown
    return 0;
}
