/* Exercises: execute blocks in branches, of which only the one taken comes back; one in a loop
 * without captures, which comes back once; one that is never reached; the older words
 * `execute on restart` and the older sentinel `cccp`. */
#include <stdlib.h>

#include "check.h"

static int *left, *right, *each, *nothing;

int main(void)
{
    int i, k, way = 2;

#pragma cccp init
#pragma cccp register(i, way)
    if (way % 2) {
#pragma cppc execute
        left = calloc(4, sizeof *left);
        left[0] = 1;
#pragma cppc end execute
    } else {
#pragma cccp execute on restart
        right = calloc(4, sizeof *right);
        right[0] = 2;
#pragma cccp end execute
    }
    for (k = 0; k < 3; k++) {
#pragma cppc execute
        free(each);
        each = calloc(8, sizeof *each);
        each[7] = 5;
#pragma cppc end execute
    }
    for (i = 0; i < 5; i++) {
        if (way > 1000) {
#pragma cppc execute on restart capture(way)
            nothing = malloc((size_t)way);
            abort();
#pragma cppc end execute
        }
#pragma cppc checkpoint
        way += right[0] + each[7] + (left != NULL) + (nothing != NULL);
        printf("%d %d %d %d\n", i, way, left == NULL, nothing == NULL);
    }
    free(left);
    free(right);
    free(each);
#pragma cppc shutdown
    return 0;
}
