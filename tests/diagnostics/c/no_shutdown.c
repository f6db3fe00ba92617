/* Nothing removes the state of a finished run, so the next start cannot know that it has ended. */

int main(void)
{
    int i;
#pragma cppc init
#pragma cppc register(i)
    for (i = 0; i < 3; i++) {
    #pragma cppc checkpoint
//  ~~~~~~~~~~~~~~~~~~~~~~~ warning[C0521] this program has checkpoints, but no `shutdown` directive
    }
    return 0;
}
