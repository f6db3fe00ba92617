/* A register list without an item. */
int main(void)
{
#pragma cppc init
    #pragma cppc register()
//                       ~~ error[C0304] 'register'
#pragma cppc checkpoint
#pragma cppc shutdown
    return 0;
}
