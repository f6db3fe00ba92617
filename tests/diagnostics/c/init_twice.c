/* The runtime is started once. */
int main(void)
{
#pragma cppc init
    #pragma cppc init
//               ~~~~ error[C0416] a second `init`
#pragma cppc shutdown
    return 0;
}
