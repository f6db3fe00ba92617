/* Exercises: one mistake for each macro, which `cppc rehearse` finds. Without a macro there is none. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#ifdef IN_FLIGHT
#include <mpi.h>
#endif

#define STEPS 12

struct pair {
    double first, second;
};

static int calls;
static double field[STEPS];
static double grid[3][STEPS];
static struct pair pair;
static unsigned generator = 1;

static int twice(int n)
{
    static int last;
#ifndef FORGOTTEN_LOCAL_STATIC
#pragma cppc register(last)
#endif
    last = last * 2 + n;
    return last;
}

#ifdef IN_FLIGHT
/* The first process sends in each step what the second one receives in the next step. */
static double passed(int step, double value)
{
    double received = 0;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1 && step > 0)
        MPI_Recv(&received, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0 && step < STEPS - 1)
        MPI_Send(&value, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    return received;
}
#endif

int main(int argc, char **argv)
{
    int step, count = 0, is_first = 1, length = 0, descriptor = -1;
    double previous = 0, best = 1e9, received = 0;
    char text[STEPS + 1] = "";
    double half[STEPS] = { 0 };
    int *list = malloc(STEPS * sizeof *list);
    size_t position = 0;
    FILE *input = NULL, *scratch = NULL;

#ifdef IN_FLIGHT
    MPI_Init(&argc, &argv);
#endif
    (void)argc;
    (void)argv;
#ifdef HANDLE_TO_READ
    input = fopen("numbers", "r");
#endif
#ifdef HANDLE_TO_APPEND
    scratch = fopen("written", "w");
#endif
#ifdef DESCRIPTOR
    descriptor = open("written", O_WRONLY | O_CREAT | O_TRUNC, 0644);
#endif
#pragma cppc init
#ifndef HANDLE_TO_READ
#ifdef UNLISTED_TO_READ
#pragma cppc execute
#else
#pragma cppc execute file(input, "numbers")
#endif
    input = fopen("numbers", "r");
#pragma cppc end execute
#endif
#ifdef HANDLE_OF_TEMPORARY
#pragma cppc execute
    scratch = tmpfile();
#pragma cppc end execute
#endif
#pragma cppc register(step, descriptor)
#ifndef FORGOTTEN_COUNTER
#pragma cppc register(count)
#endif
#ifndef FORGOTTEN_FLAG
#pragma cppc register(is_first)
#endif
#ifndef FORGOTTEN_LENGTH
#pragma cppc register(length)
#endif
#ifndef FORGOTTEN_PREVIOUS
#pragma cppc register(previous)
#endif
#ifndef FORGOTTEN_MINIMUM
#pragma cppc register(best)
#endif
#ifndef FORGOTTEN_TEXT
#pragma cppc register(text)
#endif
#ifdef FORGOTTEN_HALF
#pragma cppc register(half[STEPS / 2])
#else
#pragma cppc register(half)
#endif
#ifndef FORGOTTEN_LIST
#pragma cppc register(list[STEPS])
#endif
#ifndef FORGOTTEN_POSITION
#pragma cppc register(position)
#endif
#ifndef FORGOTTEN_STATIC
#pragma cppc register(calls)
#endif
#ifndef FORGOTTEN_FIELD
#pragma cppc register(field)
#endif
#ifdef FORGOTTEN_ROW
#pragma cppc register(grid[2])
#else
#pragma cppc register(grid)
#endif
#ifdef FORGOTTEN_MEMBER
#pragma cppc register(pair.first)
#else
#pragma cppc register(pair)
#endif
#ifndef FORGOTTEN_GENERATOR
#pragma cppc register(generator)
#endif
    for (step = 0; step < STEPS; step++) {
        int number = 0;
#pragma cppc checkpoint
#ifdef IN_FLIGHT
        received = passed(step, step + 0.5);
#endif
        if (fscanf(input, "%d", &number) != 1)
            number = -1;
        count += number;
        calls++;
        generator = generator * 1103515245u + 12345u;
        if (is_first)
            count += 50;
        is_first = 0;
        previous = previous / 2 + number;
        if (number * (step + 1) < best)
            best = number * (step + 1);
        text[step] = (char)('a' + number % 26);
        half[step] = previous;
        list[length++] = number;
        field[position++] = previous * 3;
        grid[step % 3][step] = best;
        pair.first += number;
        pair.second += pair.first;
#ifdef HIDDEN_GENERATOR
        printf("%d\n", rand());
#endif
#ifdef PROCESSOR_TIME
        {
            struct timespec now;
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
            printf("%ld\n", now.tv_nsec);
        }
#endif
#ifdef PROCESS_NUMBER
        printf("%d\n", (int)getpid());
#endif
#ifdef ADDRESS
        printf("%p\n", (void *)list);
#endif
#ifdef TIME_IN_RESULTS
        {
            struct timeval now;
            gettimeofday(&now, NULL);
            previous += (double)now.tv_usec;
        }
#endif
#if defined(HANDLE_TO_APPEND) || defined(HANDLE_OF_TEMPORARY)
        fprintf(scratch, "%d\n", number);
#endif
#ifdef DESCRIPTOR
        if (write(descriptor, "line\n", 5) != 5)
            puts("nothing was written");
#endif
        printf("%d %d %.17g %u %d %.17g\n", step, count, previous, generator, twice(number), received);
    }
#ifdef HANDLE_OF_TEMPORARY
    rewind(scratch);
    while (fscanf(scratch, "%d", &count) == 1)
        printf("again %d\n", count);
#endif
    for (step = 0; step < STEPS; step++)
        printf("%d %.17g %.17g %.17g\n", list[step], half[step], field[step], grid[step % 3][step]);
    printf("%s %d %d %.17g %.17g %.17g\n", text, calls, length, best, pair.first, pair.second);
#pragma cppc shutdown
#ifdef IN_FLIGHT
    MPI_Finalize();
#endif
    return 0;
}
