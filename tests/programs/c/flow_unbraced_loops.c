/* Exercises: loops and branches without braces, one directly in the other, each with calls that lead to checkpoints in
 * the parts of its header; a loop that begins in the column of the outer one. */
#include "check.h"

static int passes;

static int step(int x)
{
#pragma cppc register(x)
#pragma cppc checkpoint
    passes++;
    return x + passes % 2;
}

static int lines(int n)
{
    int i, j, k, s = 0;
#pragma cppc register(n, i, j, k, s)
    for (i = step(0) / 2; step(i) <= n; i += 1 + step(0))
    for (j = step(0) / 2; step(j) <= n; j += 1 + step(0))
    for (k = step(0) / 2; step(k) <= n; k += 2 + step(0))
        s = s * 3 % 1009 + i + j + k + 1;
    return s;
}

static int mixed(int n)
{
    int i, j, k = 0, s = 0;
#pragma cppc register(n, i, j, k, s)
    i = 0;
    while (step(i) - 1 < n)
        for (j = step(0) - 1, i++; step(j) < 3; j += 2)
            if (step(j) % 2)
                while (step(s) % 3 && ++k % 4)
                    s += step(1) + i;
            else
                do
                    s += step(1) + j;
                while (step(s) % 4 > 1 && ++k % 4);
    for (i = 0; i < 2; i++)
        switch (step(i) % 3)
        case 0:
        case 1:
            for (k = step(0) - 1; step(k) < 3; k++)
                s += k;
    if (step(s) % 2)
    if (step(s) % 3)
    for (k = 0; step(k) < 2; k++)
    for (j = 0; step(j) < 2; j++)
        s += step(j) + k;
    for (k = 0; step(k) < 3; k++) for (j = 0; step(j) < 3; j++) s += step(j) - k;
again:
    while (step(s) % 5 && ++k % 5)
    while (step(s) % 7 && ++k % 5)
        s++;
    s++;
    if (++k % 4)
        goto again;
    return s;
}

int main(void)
{
    int s;
#pragma cppc init
#pragma cppc register(passes)
    s = lines(2);
#pragma cppc register(s)
    printf("lines %d %d\n", s, passes);
    s += mixed(2);
    printf("mixed %d %d\n", s, passes);
#pragma cppc shutdown
    return 0;
}
