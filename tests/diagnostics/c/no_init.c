/* Directives, and nothing that starts the runtime: nothing would be saved. */
int main(void)
//  ~~~~ error[C0507] no `init` directive in this program
{
    int i;
#pragma cppc register(i)
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
    }
    return 0;
}
