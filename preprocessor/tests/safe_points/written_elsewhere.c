/* verdict: safe */
/* The condition depends on memory that the library, a comparison procedure, or a procedure behind a pointer may write. */
/* mutation: memcpy(&flag, &same, sizeof flag); => memcpy(&flag, &rank, sizeof flag); => not safe */
/* mutation: later += 1;\n    return => calls += rank;\n    return => not safe */
/* mutation: procedure = first; => procedure = argc > 1 ? first : second; => safe */
/* mutation: procedure = first; => procedure = argc > 1 ? first : third; => not safe */
#include <mpi.h>

void *memcpy(void *to, const void *from, unsigned long bytes);
void qsort(void *base, unsigned long count, unsigned long bytes, int (*compare)(const void *, const void *));

static int rank, calls, later;

static int compare(const void *a, const void *b)
{
    later += 1;
    return *(const int *) a - *(const int *) b;
}

static void first(void) { later += 1; }
static void second(void) { later += 2; }
static void third(void) { calls += rank; }

int main(int argc, char **argv)
{
    int i, flag = 0, same = 1, values[4] = {3, 1, 2, 0};
    double x = 0, sum;
    void (*procedure)(void);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memcpy(&flag, &same, sizeof flag);
    qsort(values, 4, sizeof values[0], compare);
    procedure = first;
    procedure();
    for (i = 0; i < 5; i++) {
        if (flag == 0 || calls > 3) continue;
#pragma cppc checkpoint
        x += 1;
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
