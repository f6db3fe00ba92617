/* Pointers that take over memory of another size after their register. Memory of the same size can be exchanged, and a pointer
 * into an array that has an owner can have any size.
 * reports: line[8]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int i, k, m, n;
    double *old, *new, *array, *window, *swap, *last, *next;
    char *line, *longest, *text;
#pragma cppc init
    scanf("%d %d", &n, &m);
    old = malloc(n * sizeof(double));
    new = calloc(n, sizeof(double));
    array = malloc(100 * sizeof(double));
    last = malloc(n * sizeof(double));
    next = malloc(m * sizeof(double));
    line = malloc(8);
    longest = malloc(64);
    window = array;
    for (k = 0; k < 100; k++)
        array[k] = k;
    for (k = 0; k < n; k++)
        old[k] = new[k] = last[k] = k;
    for (k = 0; k < m; k++)
        next[k] = k;
    strcpy(line, "ab");
    strcpy(longest, "abc");
#pragma cppc register(i, n, m, old[n], new[n], array[100], window[10], last[], next[], line[8], longest[64])
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        printf("%g %g %g %g %g %s %s\n", old[0], new[1], window[2], last[0], next[0], line, longest);
        swap = old;
        old = new;
        new = swap;
        window = array;
        swap = last;
        last = next;
        next = swap;
        text = line;
        line = longest;
        longest = text;
    }
#pragma cppc shutdown
    return 0;
}
