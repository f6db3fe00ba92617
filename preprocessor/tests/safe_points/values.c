/* verdict: safe
 * mutation: n = 2; => n = atoi(argv[1]); => safe
 * mutation: n = 2; => n = atoi(argv[1 + rank]); => not safe
 * mutation: n = 2; => n = argv[1][rank] - '0'; => not safe
 * mutation: n = 2; => argv[1][0] = '0' + rank; n = atoi(argv[1]); => not safe
 * mutation: n = 2; => both.whole = 256 * rank; both.part[0] = 2; n = both.whole; => not safe
 * mutation: n = 2; => both.whole = 256 * rank; both.whole = 2; n = both.whole; => safe
 * mutation: n = 2; => n = 256 * rank; memset(&n, 1, 1); => not safe
 * mutation: n = 2; => text[1] = '0' + rank; n = atoi(text); => not safe
 * mutation: n = 2; => n = atoi(text); => safe
 * mutation: n = 2; => n = rank + 1; MPI_Bcast(&n, argc - 1, MPI_INT, 0, MPI_COMM_WORLD); => not safe
 * mutation: n = 2; => n = rank + 1; MPI_Bcast(&n, 1, type, 0, MPI_COMM_WORLD); => not safe
 * mutation: n = 2; => n = rank + 1; MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); => safe
 * mutation: n = 2; => n = 2; if (-1 - rank > sizeof n) n = rank; => not safe
 * mutation: n = 2; => byte = -1 - rank; n = byte > 5 ? rank : 2; => not safe
 * mutation: n = 2; => truth = (rank & 2) | 4; n = truth == 1 ? 2 : rank; => safe
 * mutation: n = 2; => truth = (rank & 2) | 4; n = truth == 4 ? 2 : rank; => not safe
 * mutation: n = 2; => n = 2; while (n-- > rank) => not safe
 * mutation: n = 2; => n = 2; => safe
 * Values that are the same in all processes, or are not. */
#include <mpi.h>
int atoi(const char *text);
void *memset(void *memory, int value, unsigned long bytes);
static char text[8] = "1";
int main(int argc, char **argv)
{
    int rank, i, n;
    double u = 1;
    union {
        int whole;
        char part[4];
    } both;
    unsigned char byte;
    _Bool truth;
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    n = 2;
    for (i = 0; i < n; i++) {
#pragma cppc checkpoint
        u += i;
    }
    MPI_Finalize();
    return 0;
}
