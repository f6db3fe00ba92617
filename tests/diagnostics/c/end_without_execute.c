/* The end of an execute block that was not opened. */
int main(void)
{
    int k = 0;
#pragma cppc init
    k = 1;
    #pragma cppc end execute
//               ~~~~~~~~~~~ error[C0410] `end execute` without `execute`
#pragma cppc shutdown
    return k - 1;
}
