/* The operator `_Pragma` outside of a macro: either understood or refused, never passed over. */
int main(void)
{
#pragma cppc init
    _Pragma("cppc checkpoint")
  //~~~~~~~~~~~~~~~~~~~~~~~~~~ error[C????] '#pragma cppc'
#pragma cppc shutdown
    return 0;
}
