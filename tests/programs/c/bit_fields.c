/* Exercises: structures with bit-fields of all kinds, in arrays and in each other, with pointers next to them.
 * warns: bytes */
#include "check.h"
#include <stdbool.h>

enum colour { RED, GREEN, BLUE };

struct date {
    unsigned day : 5;
    signed int offset : 4;
    unsigned : 0;
    enum colour colour : 2;
    bool leap : 1;
    unsigned long long serial : 40;
};

struct __attribute__((packed)) packet {
    unsigned char version : 3;
    unsigned int length : 13;
    int : 3;
    long long delta : 47;
    short check;
};

struct record {
    struct date dates[2];
    struct {
        int flags : 7;
        double weight;
    } inner;
    struct date *newest;
};

static struct record records[3];
static volatile struct packet packet;

int main(void)
{
    struct local {
        int turns;
        struct date last;
    };
    struct local latest = { 0, { 2, 1, RED, false, 5 } };
    struct date local = { 1, -3, BLUE, true, 77 };
    int i;
#pragma cppc init
#pragma cppc register(i, records, packet, local, latest)
    for (i = 0; i < 9; i++) {
#pragma cppc checkpoint
        struct record *record = &records[i % 3];
        record->dates[i % 2].day += 3;
        record->dates[i % 2].offset = i - 5;
        record->dates[1].serial += 123456789ULL * i;
        record->inner.flags = record->inner.flags * 3 - i;
        record->inner.weight += record->inner.flags;
        record->newest = &records[(i + 1) % 3].dates[i % 2];
        record->newest->leap = i % 3 == 1;
        packet.version++;
        packet.length += 1111;
        packet.delta = packet.delta * 5 - 1000003 * i;
        packet.check = (short) packet.delta;
        local.colour = (enum colour) ((local.colour + 1) % 3);
        local.serial = local.serial * 31 + local.day++;
        latest.turns++;
        latest.last.serial = latest.last.serial * 3 + local.serial;
        printf("%d %d %d %llu %d %g %d %u %u %lld %d %d %llu %d\n", i, record->dates[0].day, record->dates[1].offset,
               (unsigned long long) record->dates[1].serial, record->inner.flags, record->inner.weight,
               records[1].newest ? (int) (records[1].newest - records[0].dates) : -1, packet.version, packet.length,
               (long long) packet.delta, packet.check, local.colour, (unsigned long long) local.serial, local.offset);
        printf("%d %llu\n", latest.turns, (unsigned long long) latest.last.serial);
    }
#pragma cppc shutdown
    return 0;
}
