/* A sentinel with letters the wrong way round: compilers would say nothing. */
int main(void)
{
    int i = 0;
#pragma cppc init
#pragma cpcc register(i)
//      ~~~~ warning[C0224] this pragma is not a directive
#pragma cppc checkpoint
#pragma ccp end execute
//      ~~~ warning[C0224] this pragma is not a directive
#pragma omp barrier
#pragma cppc shutdown
    return i;
}
