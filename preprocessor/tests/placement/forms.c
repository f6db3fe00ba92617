#include <mpi.h>

int main(int argc, char **argv)
{
    int i = 0;
    double x = 1, y = 0;
    MPI_Init(&argc, &argv);
#pragma cppc init
#pragma cppc register(x, y)
#pragma cppc checkpoint loop
    while (i < 10)
        i++;
#pragma cppc checkpoint loop
    do {
#pragma omp simd
        for (int k = 0; k < 4; k++)
            x = x + k;
        MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    } while (y < 100);
#pragma cppc checkpoint loop safe
    for (i = 0; i < 3; i++) {
        int again = i;
        x = x + again;
    }
#pragma cppc shutdown
    MPI_Finalize();
    return x > 1;
}
