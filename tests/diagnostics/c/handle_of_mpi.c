/* Handles of MPI mean nothing to the next run.
 *
 * processes: 2
 */
#include <mpi.h>

struct half {
    MPI_Comm comm;
    double value;
};

int main(int argc, char **argv)
{
    struct half half = {MPI_COMM_WORLD, 0};
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
#pragma cppc init
#pragma cppc register(comm)
//                    ~~~~ error[C0433] `comm` is an MPI handle, which is not valid after a restart
#pragma cppc register(half)
//                    ~~~~ error[C0433] the field `comm` of `half` is a handle of MPI
#pragma cppc checkpoint
#pragma cppc shutdown
    MPI_Finalize();
    return comm == half.comm;
}
