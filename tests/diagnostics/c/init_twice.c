/* The runtime is started once. */
int main(void)
{
#pragma cppc init
    #pragma cppc init
  //~~~~~~~~~~~~~~~~~ error[C????] 'init'
#pragma cppc shutdown
    return 0;
}
