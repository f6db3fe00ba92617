/* verdict: safe */
/* How often a process passes the checkpoint is the same in all processes: each of two nested loops has a known number of
 * iterations. */
/* mutation: k < 3; k++ => k < 3 + rank; k++ => unsafe */
/* mutation: k = 0; k < 3; k++ => k = rank; k < 50; k += size => not safe */
/* mutation: k = 0; k < 3; k++ => k = rank * 100 / size; k < (rank + 1) * 100 / size; k++ => not safe */
/* mutation: x += k; => x += k; if (k == 1 + rank) break; => unsafe */
/* mutation: x += k; => x += k; if (k == 1 + size) break; => safe */
/* mutation: k < 3; k++ => k < 1000; k++ => safe */
/* mutation: k < 3; k++ => k < 1000 + rank; k++ => not safe */
/* mutation: k < wide => k < wide + rank => not safe */
/* mutation: k < wide => k < wide && k < 300 + rank => not safe */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, i, k, wide = 1000, count = 0;
    double x = 0, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (k = 0; k < wide; k++) count++;
    for (i = 0; i < 5; i++) {
        if (count > 301) x += 1;
        for (k = 0; k < 3; k++) {
            if (count == 999) continue;
#pragma cppc checkpoint
            x += k;
        }
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / 7;
    }
    MPI_Finalize();
    return 0;
}
