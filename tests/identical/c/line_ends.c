/* The line ends of another system, a form feed, no line end at the end. */
#include <mpi.h>

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv); \
	return MPI_Finalize();
}