/* Exercises: particles that move between ranks: arrays of structures that shrink and grow, a derived
 * datatype for them made in an execute block, a dynamic number of messages before each checkpoint.
 *
 * processes: 4
 */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

#include "check.h"

typedef struct {
    double x, v;
    int id;
    char kind;
} Particle;

static MPI_Datatype particle_type;

static void make_type(void)
{
    Particle probe;
    MPI_Datatype plain;
    int lengths[4] = {1, 1, 1, 1};
    MPI_Aint places[4] = {offsetof(Particle, x), offsetof(Particle, v), offsetof(Particle, id),
                          offsetof(Particle, kind)};
    MPI_Datatype types[4] = {MPI_DOUBLE, MPI_DOUBLE, MPI_INT, MPI_CHAR};
    MPI_Type_create_struct(4, lengths, places, types, &plain);
    MPI_Type_create_resized(plain, 0, sizeof probe, &particle_type);
    MPI_Type_commit(&particle_type);
    MPI_Type_free(&plain);
}

static int migrate(Particle **list, int count, int rank, int size)
{
    Particle *leaving = malloc((size_t)count * sizeof **list + 1);
    int k, left = 0, kept = 0, arriving;
    for (k = 0; k < count; k++)
        if ((*list)[k].x >= rank + 1)
            leaving[left++] = (*list)[k];
        else
            (*list)[kept++] = (*list)[k];
    for (k = 0; k < left; k++)
        if (leaving[k].x >= size)
            leaving[k].x -= size;
    MPI_Sendrecv(&left, 1, MPI_INT, (rank + 1) % size, 0, &arriving, 1, MPI_INT,
                 (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    *list = realloc(*list, (size_t)(kept + arriving + 1) * sizeof **list);
    MPI_Sendrecv(leaving, left, particle_type, (rank + 1) % size, 1, *list + kept, arriving,
                 particle_type, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(leaving);
    return kept + arriving;
}

int main(int argc, char **argv)
{
    Particle *particles;
    int rank, size, i, k, count;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma cppc init
#pragma cppc execute
    make_type();
#pragma cppc end execute
    count = 6 + rank;
    particles = calloc((size_t)count, sizeof *particles);
    for (k = 0; k < count; k++) {
        particles[k].x = rank + k / (double)count;
        particles[k].v = 0.1 + 0.05 * (k % 4);
        particles[k].id = rank * 100 + k;
        particles[k].kind = (char)('a' + k);
    }
#pragma cppc register(i)
    for (i = 0; i < 6; i++) {
#pragma cppc register(count, particles[count])
#pragma cppc checkpoint
        double momentum = 0;
        long ids = 0;
        for (k = 0; k < count; k++) {
            particles[k].x += particles[k].v;
            particles[k].v *= 0.99;
        }
        count = migrate(&particles, count, rank, size);
        for (k = 0; k < count; k++) {
            momentum += particles[k].v * (k + 1);
            ids += particles[k].id * particles[k].kind;
        }
        printf("%d %d %d %.17g %ld\n", rank, i, count, momentum, ids);
    }
    free(particles);
    MPI_Type_free(&particle_type);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
