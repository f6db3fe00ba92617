/* Calls through pointers that execute blocks of a loop set. */
static int made[2][6];

static void first(int at)
{
#pragma cppc execute capture(at)
    made[0][at] = at;
#pragma cppc end execute
}

static void second(int at)
{
#pragma cppc execute capture(at)
    made[1][at] = at;
#pragma cppc end execute
}

static void (*const table[2])(int) = {first, second};
static void (*run)(int), (*early)(int), (*own)(int);

int main(void)
{
    int i;
    early = first;
#pragma cppc init
#pragma cppc register(i)
    for (i = 0; i < 6; i++) {
#pragma cppc execute
        run = table[i % 2];
#pragma cppc end execute
#pragma cppc execute capture(i)
        own = table[i % 2];
#pragma cppc end execute
        run(i);
//      ~~~ warning[C0460] a restart repeats this call before a block sets `run`
        own(i);
        early(i);
#pragma cppc checkpoint
    }
#pragma cppc shutdown
    return made[0][0];
}
