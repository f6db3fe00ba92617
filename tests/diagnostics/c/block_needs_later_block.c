/* Blocks of a loop that need what another block of it makes, which a restart repeats once only, at its last run. */
static int made, chosen, spare, saved, teams[6], others[6];

static int make(int *given)
{
    *given = 3;
    return 4;
}

int main(void)
{
    int step, k;
#pragma cppc init
#pragma cppc register(step, k, saved)
    for (step = 0; step < 6; step++) {
#pragma cppc checkpoint
    #pragma cppc execute
//  ~~~~~~~~~~~~~~~~~~~~ warning[C0449] a restart sets `made` after most runs of a block that needs it
        made = make(&spare);
        saved = 5;
#pragma cppc end execute
#pragma cppc execute capture(step)
        teams[step] = made + saved;
#pragma cppc end execute
#pragma cppc execute
        spare = 3;
        teams[0] = spare;
#pragma cppc end execute
        for (k = 0; k < 2; k++) {
#pragma cppc execute capture(step, k)
            make(&chosen);
#pragma cppc end execute
#pragma cppc execute capture(step, k)
            others[step] = chosen;
#pragma cppc end execute
        }
    }
#pragma cppc shutdown
    return 0;
}
