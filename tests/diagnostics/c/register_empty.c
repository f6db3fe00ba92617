/* A register list without an item. */
int main(void)
{
#pragma cppc init
    #pragma cppc register()
//                       ~~ error[C0304] the list of `register` is empty
#pragma cppc checkpoint
#pragma cppc shutdown
    return 0;
}
