/* Blocks set the elements of `teams`, so a restart sets them again. A statement outside of blocks changes an element of
 * `ranks`, and a restart does not.
 * reports: ranks
 * all: ranks, teams */
#include <stdio.h>
#include <string.h>

static int teams[4], ranks[4];

static void join(int team, int rank)
{
#pragma cppc execute capture(team, rank)
    teams[team] = rank;
    ranks[team] = rank;
#pragma cppc end execute
}

int main(void)
{
    int i;
#pragma cppc init
    memset(teams, 0, sizeof teams);
    for (i = 0; i < 4; i++)
        join(i, 2 * i);
    ranks[i % 4] = 7;
#pragma cppc register(i)
    for (i = 0; i < 4; i++) {
#pragma cppc checkpoint
        printf("%d %d\n", teams[i], ranks[i]);
    }
#pragma cppc shutdown
    return 0;
}
