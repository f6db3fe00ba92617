/* Exercises: pointers to string literals, to constant tables, to functions, and to the environment: variables, fields of a
   structure, elements of an array, and an argument. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*operation)(int);

static int twice(int x)
{
    return 2 * x;
}

static int square(int x)
{
    return x * x;
}

struct method {
    const char *name;
    operation apply;
};

static const struct method methods[] = { { "twice", twice }, { "square", square } };

struct options {
    int level;
    const char *title, *home;
    operation apply;
};

static const char *mode = "slow";

static int run(const char *label, const struct method *method)
{
    operation table[2] = { square, twice };
    operation apply = twice;
    struct options options = { 1, "a title", NULL, square };
    const char *names[3] = { "one", "two", NULL };
    const char *cursor = "abcdefghijkl";
    int i, sum = 0;
    options.home = getenv("HOME");
#pragma cppc register(label[0], method[0], table, apply, options, names, cursor[0], i, sum)
    for (i = 0; i < 8; i++) {
#pragma cppc checkpoint
        sum += method->apply(i) + table[i % 2](i) + apply(1) + options.apply(2) + *cursor;
        if (options.home)
            sum += (int)strlen(options.home);
        cursor++;
        if (i == 2) {
            method = &methods[0];
            apply = square;
            table[0] = abs;
            options.title = names[1];
            options.apply = twice;
            mode = "fast";
            names[2] = "three";
        }
        if (i == 4 && options.home)
            options.home = options.home + 1;
    }
    printf("%s %s %s %s %s\n", label, method->name, options.title, mode, names[2]);
    return sum;
}

int main(void)
{
    int sum;
#pragma cppc init
#pragma cppc register(mode[0])
    sum = run("the label", &methods[1]);
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
