/* Calls that create handles or allocate memory, in macros and conditions that check their status. Some of them return. */
#include <stdio.h>
#include <stdlib.h>

typedef struct communicator *MPI_Comm;
extern MPI_Comm world;
#define MPI_COMM_WORLD world
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm);
int MPI_Barrier(MPI_Comm comm);

#define NAME "log.txt"
#define STOP(call) do { int status = (call); if (status != 0) exit(status); } while (0)
#define RETURN(call) do { int status = (call); if (__builtin_expect(status != 0, 0)) return status; } while (0)
#define RETURN_IF(call) if (call) return 1
#define NEEDED(value) do { if (!(value)) { perror(#value); exit(1); } } while (0)
#define TWICE(call) do { if (call) return 1; if (call) return 2; } while (0)
#define ALLOCATE(p, n) do { p = malloc((n) * sizeof *(p)); if (!(p)) exit(2); } while (0)
#define NEW(type, n) ((type *) malloc((n) * sizeof(type)))

struct cell { double a; int b; };
static MPI_Comm first, second, third, fourth, fifth;
static FILE *log_file, *other;

static int set_up(int rank, double **u, struct cell **c, int n)
{
    ALLOCATE(*u, n);
    *c = NEW(struct cell, n);
    STOP(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &first));
    RETURN(MPI_Comm_split(MPI_COMM_WORLD, rank % 3, rank, &second));
    RETURN_IF(MPI_Comm_split(MPI_COMM_WORLD,
                             rank % 4, rank, &third));
    if (rank > 3)
        if (MPI_Comm_split(MPI_COMM_WORLD, rank % 5, rank, &fourth) != 0) return 3;
    /* The argument is evaluated twice. */
    TWICE(MPI_Comm_split(MPI_COMM_WORLD, rank % 6, rank, &fifth));
    NEEDED(log_file = fopen(NAME, "w"));
    NEEDED(other = fopen(rank ? "a" : "b", "w"));
    return 0;
}

int main(void)
{
    int rank, n = 20;
    double *u;
    struct cell *c;
    STOP(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    if (set_up(rank, &u, &c, n) != 0) return 1;
    for (int step = 0; step < 10; step++) {
#pragma cppc checkpoint
        u[step] += step;
        c[step].a += u[step];
        fprintf(log_file, "%g\n", u[step]);
        fprintf(other, "%g\n", c[step].a);
        STOP(MPI_Barrier(first) + MPI_Barrier(second) + MPI_Barrier(third) + MPI_Barrier(fourth) + MPI_Barrier(fifth));
    }
    printf("%g\n", u[3] + c[4].a);
    return 0;
}
