/* Exercises: registered memory contains addresses, but no pointer is declared there, so a restart does not change
 * them. One warning for each register, and checkpoints are written. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 4096

struct node {
    long value;
    struct node *next;
};

struct station {
    double level;
    char name[24];
    uintptr_t owner;
};

struct handle {
    int length;
    uintptr_t address;
};

struct message {
    int length;
    char body[28];
};

static double level = 1.5;
static long counts[4];
static uintptr_t callback;

static double twice(double x)
{
    return 2 * x;
}

int main(void)
{
    char *pool = calloc(SIZE, 1);
    char *text = calloc(SIZE, 1);
    unsigned char *numbers = calloc(SIZE, 1);
    double *reals = calloc(SIZE, sizeof *reals);
    int32_t *halves = calloc(SIZE, sizeof *halves);
    struct station *stations = calloc(8, sizeof *stations);
    uintptr_t number = 4711, local = 0;
    char old[SIZE];
    struct handle handle = {0, 0};
    struct message message = {0, ""};
    int step = 0;
    memset(old, 0, sizeof old);
#pragma cppc init
#pragma cppc register(pool[SIZE], text[SIZE], numbers[SIZE], reals[SIZE], halves[SIZE], stations[8], level, counts)
#pragma cppc register(callback, number, local, old, step, handle, message)
    for (; step < 8; step++) {
        struct node *first = (struct node *) pool + 2;
        double *address = &level;
        int64_t bits;
        switch (step) {
        case 1:
            first->next = first + 1;
            break;
        case 2:
            callback = (uintptr_t) twice;
            break;
        case 3:
            stations[5].owner = (uintptr_t) &stations[2];
            counts[3] = (long) (intptr_t) &level;
            local = (uintptr_t) &level;
            handle.address = (uintptr_t) pool;
            memcpy(message.body, &halves, sizeof halves);
            break;
        /* None of these is an address that the program could use, or it is after the end of a text, or it is no whole word. */
        case 4:
            memcpy(old + 64, &address, sizeof address);
            memcpy(text + 3, &address, sizeof address);
            memcpy(stations[1].name, "name", 5);
            memcpy(stations[1].name + 8, &address, sizeof address);
            bits = (int64_t) (intptr_t) &level;
            memcpy(&reals[9], &bits, sizeof bits);
            memcpy(&halves[8], &bits, sizeof bits);
            for (int at = 0; at < SIZE; at++)
                numbers[at] = (unsigned char) (at * 37 + at / 7);
            break;
        default:
            number = number * 31 + (uintptr_t) text[1] + (local != 0);
        }
#pragma cppc checkpoint
        printf("%d %.1f %lu\n", step, twice(level), (unsigned long) number);
    }
#pragma cppc shutdown
    free(pool);
    free(text);
    free(numbers);
    free(reals);
    free(halves);
    free(stations);
    return 0;
}
