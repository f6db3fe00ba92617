/* verdict: safe
 * mutation: if (u < 0.01) break; => if (k >= 7) break; => safe
 * mutation: if (u < 0.01) break; => if (k >= 7 + rank) break; => unsafe
 * mutation: if (u < 0.01) break; => if (local < 0.01) break; => not safe
 * mutation: if (u < 0.01) break; => MPI_Send(&u, 1, MPI_DOUBLE, to, 4, MPI_COMM_WORLD); if (k >= limit) break; => not safe
 * mutation: for (i = 0; i < 5; i++) => for (i = 0; i < k; i++) => safe
 * mutation: for (i = 0; i < 5; i++) => for (; k > 0; k--) => safe
 * mutation: for (i = 0; i < 5; i++) => while (k-- > rank) => not safe
 * mutation: for (i = 0; i < 5; i++) => while (k-- > 2) => safe
 * mutation: for (;;) => again: => safe
 * The branch that decides about a loop is in a block with other operations, which are repeated too. */
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, k = 0, i, limit, to;
    double u = 1, local;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    local = 1 + 3.0 * rank;
    limit = argc + 2;
    to = rank == 0 ? 1 : MPI_PROC_NULL;
    for (;;) {
#pragma cppc checkpoint
        k++;
        u *= 0.5;
        local *= 0.5;
        if (u < 0.01) break;
    }
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        local += i;
    }
    MPI_Finalize();
    return 0;
}
