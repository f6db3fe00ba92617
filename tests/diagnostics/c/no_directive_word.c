/* The sentinel alone. */
int main(void)
{
#pragma cppc init
    #pragma cppc
//          ~~~~ error[C0302] the directive is missing
#pragma cppc shutdown
    return 0;
}
