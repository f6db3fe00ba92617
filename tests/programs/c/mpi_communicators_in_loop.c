/* Exercises: communicators made in a set-up loop, each with its own colour and index captured, kept
 * in an automatic array; others by a procedure that is called with expressions.
 *
 * processes: 4
 */
#include <mpi.h>

#include "check.h"

#define GROUPS 3

static MPI_Comm pairs[4];

static void make_pair(int which, int key)
{
#pragma cppc execute
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, (rank + which) / 2 % 2, key * rank, &pairs[which]);
#pragma cppc end execute
}

int main(int argc, char **argv)
{
    MPI_Comm groups[GROUPS];
    int rank, i, color;
    double x, sum = 0, y = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma cppc init
    for (i = 0; i < GROUPS; i++) {
        color = i == 0 ? 0 : rank % (i + 1);
#pragma cppc execute capture(i, color)
        MPI_Comm_split(MPI_COMM_WORLD, color, -rank, &groups[i]);
#pragma cppc end execute
    }
    for (i = 0; i < 2; i++)
        make_pair(i * 2 + 1, 1 - 2 * i);
    x = rank + 1;
#pragma cppc register(i, x, sum, y)
    for (i = 0; i < 6; i++) {
        int place, count;
#pragma cppc checkpoint
        MPI_Comm_rank(groups[i % GROUPS], &place);
        MPI_Comm_size(groups[i % GROUPS], &count);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, groups[i % GROUPS]);
        MPI_Scan(&sum, &y, 1, MPI_DOUBLE, MPI_SUM, pairs[(i % 2) * 2 + 1]);
        x = x * 0.5 + sum * 0.125 + place + y * 0.01;
        printf("%d %d %d %d %.17g %.17g\n", rank, i, place, count, x, y);
    }
    for (i = 0; i < GROUPS; i++)
        MPI_Comm_free(&groups[i]);
    MPI_Comm_free(&pairs[1]);
    MPI_Comm_free(&pairs[3]);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
