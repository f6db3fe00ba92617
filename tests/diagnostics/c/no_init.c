/* Directives, and nothing that starts the runtime: nothing would be saved. */
int main(void)
{
    int i;
#pragma cppc register(i)
    for (i = 0; i < 3; i++) {
        #pragma cppc checkpoint
      //~~~~~~~~~~~~~~~~~~~~~~~ warning[C????] 'init'
    }
    return 0;
}
