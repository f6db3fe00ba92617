/* Initialisers that a restart jumps over, of variables that it needs; and of others, of which there is no warning. */
#include <stdio.h>

struct part {
    int n;
    double x;
};

static double first(const double *values) { return values[0]; }
static void fill(double *values) { values[0] = 1; }

static void save(int step)
{
#pragma cppc checkpoint
    printf("%d\n", step);
}

static double needed(int n)
{
    double sum = 0;
//         ~~~ warning[C0522] a restart jumps over the initialiser of `sum`
    double values[2] = {1, 2};
//         ~~~~~~ warning[C0522] a restart jumps over the initialiser of `values`
    int *numbers = (int[]){3, 4};
//       ~~~~~~~ warning[C0522] a restart jumps over the initialiser of `numbers`
    struct part part = {.n = 1};
//              ~~~~ warning[C0522] a restart jumps over the initialiser of `part`
    for (int i = 0; i < n; i++) {
//           ~ warning[C0522] a restart jumps over the initialiser of `i`
        save(n);
        sum += i;
    }
    return sum + first(values) + numbers[1] + part.n;
}

static int by_branches(int n)
{
    int some = 7, other = 8, way = 9;
//      ~~~~ warning[C0522] a restart jumps over the initialiser of `some`
    save(n);
    switch (n) {
    case 1:
        some = 3;
        way = 1;
        break;
    default:
        way = 2;
    }
    if (n > 2)
        other = 1;
    else
        other = 2;
    return some + other + way;
}

static int by_goto(int n)
{
    int late = 1, early = 1;
//      ~~~~ warning[C0522] a restart jumps over the initialiser of `late`
again:
    early = n;
    if (early > 100)
        printf("%d\n", late);
    late += n;
    save(n);
    if (n-- > 0)
        goto again;
    return 0;
}

static int replayed(int n)
{
    char name[20] = "output";
    int mode = 3;
//      ~~~~ warning[C0522] a restart jumps over the initialiser of `mode`
    FILE *log = NULL;
    if (n > 1)
        mode = 4;
#pragma cppc execute capture(name) file(log, name)
    log = fopen(name, mode == 3 ? "w" : "r");
#pragma cppc end execute
    save(n);
    return log != NULL;
}

static double set_again(int n)
{
    int never_set = 4;
    int count = 0, flag = 1, unused = 2, kept = 3;
    double buffer[1] = {0};
    struct part part = {0};
#pragma cppc register(kept)
    save(n);
    count = n;
    if (n > 0 && (flag = n) > 1)
        count += flag;
    fill(buffer);
    part.n = n;
    part.x = n;
    (void)unused;
    return count + buffer[0] + part.x + kept + never_set + (double)sizeof unused;
}

static int next(int n)
{
    save(n);
    return n + 1;
}

static int after(const int *n)
{
    save(*n);
    return *n + 1;
}

static int set_by_the_call(int n)
{
    int last = 0, other = 0;
    while (last < n)
        last = other = next(last);
    return last + other;
}

static int read_beside_the_call(int n)
{
    int sum = 0;
//      ~~~ warning[C0522] a restart jumps over the initialiser of `sum`
    sum = sum + next(n);
    return sum;
}

static int passed_to_the_call(void)
{
    int own = 0;
//      ~~~ warning[C0522] a restart jumps over the initialiser of `own`
    own = after(&own);
    return own;
}

static void set_in_a_header(int n)
{
    for (int i = 0; i < n; i = next(i))
        printf("%d\n", i);
    for (int i = 0, k = 3; (i = next(i)) < n; k = i = next(i))
        printf("%d %d\n", i, n);
    for (int i = 0; i < n; i += next(i))
//           ~ warning[C0522] a restart jumps over the initialiser of `i`
        printf("%d\n", n);
}

static int declared_again(int n)
{
    while (1) {
        int inside = n;
        if (inside > 10)
            break;
        n += 2;
        save(n);
    }
    int after = n;
    if (n == 1)
        save(n);
    if (n != 1)
        n += after;
    return n;
}

int main(void)
{
    double early = 1;
#pragma cppc init
    double total = 0;
//         ~~~~~ warning[C0522] a restart jumps over the initialiser of `total`
    save(0);
    set_in_a_header(8);
    total += needed(1) + by_branches(2) + by_goto(3) + replayed(4) + set_again(5) + declared_again(6) + set_by_the_call(7);
    total += read_beside_the_call(9) + passed_to_the_call();
    printf("%g %g\n", early, total);
#pragma cppc shutdown
    return 0;
}
