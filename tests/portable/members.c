/* Bit-fields, which machines allocate from different ends, members of unions that integers select, and vectors. */

#include "dying.h"
#include <stdio.h>

enum kind { WHOLE, REAL, NONE };

struct flags {
    unsigned ready : 3;
    signed int delta : 10;
    unsigned : 0;
    _Bool done : 1;
    unsigned long long serial : 45;
};

struct __attribute__((packed)) packet {
    unsigned char version : 3;
    long long value : 61;
    short check;
};

struct item {
    char name[3];
    unsigned kind : 2;
    union {
        long whole;
        double real;
    } value;
    struct flags flags;
};

union number {
    long long whole;
    double real;
};

typedef double pair __attribute__((vector_size(16)));

struct box {
    struct item items[3];
    struct item *best;
};

static struct box boxes[2];
static struct packet packet;
static union number number;
static int number_kind;
static pair corner = { 0.5, -2 };

int main(int argc, char **argv)
{
    int turn, i;
#pragma cppc init
    for (i = 0; i < 2; i++) boxes[i].items[1].kind = NONE;
#pragma cppc register(turn, boxes, by(kind: WHOLE = whole, REAL = real, NONE =), packet, number_kind, corner)
#pragma cppc register(number, by(number_kind: 0 = whole, 1 = real))
    for (turn = 0; turn < 6; turn++) {
        struct box *box;
        struct item *item;
#pragma cppc checkpoint
        maybe_die(turn + 1);
        box = &boxes[turn % 2];
        item = &box->items[turn % 3];
        item->kind = turn % 3;
        if (item->kind == WHOLE) item->value.whole = -1000L * turn;
        if (item->kind == REAL) item->value.real = turn * 0.75;
        item->flags.ready += turn;
        item->flags.delta = -100 * turn;
        item->flags.done = turn % 2;
        item->flags.serial = item->flags.serial * 31 + 123456789012ULL * turn;
        box->best = item;
        packet.version++;
        packet.value = packet.value * -3 + 1000000007LL * turn;
        packet.check = (short) (turn * -7);
        if (number_kind == 0) number.real = (double) number.whole + 0.5;
        else number.whole = (long long) (number.real * 3);
        number_kind = !number_kind;
        corner = corner * 1.5 + 1;
    }
    for (i = 0; i < 6; i++) {
        struct item *one = &boxes[i / 3].items[i % 3];
        printf("%d %d %d %d %d %llu\n", one->kind,
               one->kind == WHOLE ? (int) one->value.whole : one->kind == REAL ? (int) (4 * one->value.real) : 0,
               one->flags.ready, one->flags.delta, one->flags.done, (unsigned long long) one->flags.serial);
    }
    for (i = 0; i < 2; i++) printf("%d\n", (int) (boxes[i].best - boxes[i].items));
    printf("%d %lld %d %g %g %g\n", packet.version, (long long) packet.value, packet.check,
           number_kind ? number.real : (double) number.whole, corner[0], corner[1]);
#pragma cppc shutdown
    return 0;
}
