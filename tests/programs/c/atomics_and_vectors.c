/* Exercises: `_Atomic` variables and fields, and GNU vectors, alone and in arrays. */
#include "check.h"
#include <stdatomic.h>

typedef float quad __attribute__((vector_size(16)));
typedef double pair __attribute__((vector_size(16)));

struct cell {
    _Atomic int hits;
    atomic_long total;
};

static _Atomic unsigned counter;
static struct cell cells[3];

int main(void)
{
    atomic_int local = 1;
    quad vector = { 1, 2, 3, 4 };
    pair table[2][3] = { { { 0 } } };
    int i;
#pragma cppc init
#pragma cppc register(counter, cells, local, vector, table, i)
    for (i = 0; i < 8; i++) {
#pragma cppc checkpoint
        struct cell *cell = &cells[i % 3];
        atomic_fetch_add(&counter, (unsigned) i);
        local += 2;
        cell->hits++;
        cell->total += i * 3;
        vector = vector * 1.5f;
        table[i % 2][i % 3][1] += vector[i % 4];
        printf("%d %u %d %d %ld %g %g\n", i, counter, local, cell->hits, cell->total, vector[3], table[1][1][1]);
    }
#pragma cppc shutdown
    return 0;
}
