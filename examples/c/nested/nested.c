/* Nested procedures and communicators made in a loop: a market in which traders agree on prices, in
 * teams of two, four, eight, ...
 *
 *     mpirun -n 4 ./nested [days]
 *
 * A set-up loop makes one communicator per size of team. The work is done several calls deep:
 * `main` calls `trade`, which calls `hold_session` for each size of team, which calls `haggle` until
 * the team agrees. The checkpoint is in `haggle`, two levels below the loop over the days; each
 * level registers what it needs, and nothing else in the program knows that it can be resumed.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZES 3
#define GOODS 5

struct team {
    MPI_Comm members;
    int count;
};

static struct team teams[SIZES];

struct trader {
    double price[GOODS];
    double wealth;
    long deals;
};

/* One round of bids in a team: returns how far apart the prices still are. */
static double haggle(struct trader *me, const struct team *team, double patience)
{
    double mean[GOODS], far;
    int g;
#pragma cppc checkpoint
    /* Not in its declaration: a restart jumps over that. */
    far = 0.0;
    MPI_Allreduce(me->price, mean, GOODS, MPI_DOUBLE, MPI_SUM, team->members);
    for (g = 0; g < GOODS; g++) {
        mean[g] /= team->count;
        far = fmax(far, fabs(mean[g] - me->price[g]));
        me->price[g] += (mean[g] - me->price[g]) * patience;
    }
    me->deals++;
    MPI_Allreduce(MPI_IN_PLACE, &far, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return far;
}

/* A team haggles until it agrees, and shares what it has. */
static int hold_session(struct trader *me, int size, double patience)
{
    double wealth;
    int rounds = 0;
#pragma cppc register(rounds)
    while (haggle(me, &teams[size], patience) > 0.5)
        rounds++;
    MPI_Allreduce(&me->wealth, &wealth, 1, MPI_DOUBLE, MPI_SUM, teams[size].members);
    me->wealth = 0.5 * me->wealth + 0.5 * wealth / teams[size].count;
    return rounds;
}

static void trade(struct trader *me, int days, int rank)
{
    int day, size, g, rounds = 0;
    double total;
#pragma cppc register(day, size, rounds, me->price, me->wealth, me->deals)
    for (day = 0; day < days; day++) {
        for (g = 0; g < GOODS; g++)
            me->price[g] += 3.0 * sin(day + 0.7 * rank * g);
        for (size = 0; size < SIZES; size++)
            rounds += hold_session(me, size, 0.4 + 0.1 * size);
        for (g = 0; g < GOODS; g++)
            me->wealth += me->price[g] * 0.01;
        MPI_Allreduce(&me->wealth, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0) {
            printf("day %3d  rounds %4d  price %.17g  wealth %.17g\n", day + 1, rounds,
                   me->price[0], total);
            fflush(stdout);
        }
    }
}

int main(int argc, char **argv)
{
    struct trader me = {{0}, 100.0, 0};
    int rank, days, i, color, g;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    days = argc > 1 ? atoi(argv[1]) : 10;
#pragma cppc init

    for (i = 0; i < SIZES; i++) {
        color = rank >> i;
#pragma cppc execute capture(i, color)
        MPI_Comm_split(MPI_COMM_WORLD, color, rank, &teams[i].members);
        MPI_Comm_size(teams[i].members, &teams[i].count);
#pragma cppc end execute
    }
    for (g = 0; g < GOODS; g++)
        me.price[g] = 10.0 * (g + 1) + rank;

    trade(&me, days, rank);

    for (i = 0; i < SIZES; i++)
        MPI_Comm_free(&teams[i].members);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
