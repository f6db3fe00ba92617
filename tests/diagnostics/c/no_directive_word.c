/* The sentinel alone. */
int main(void)
{
#pragma cppc init
    #pragma cppc
//          ~~~~ error[C0302] 'directive'
#pragma cppc shutdown
    return 0;
}
