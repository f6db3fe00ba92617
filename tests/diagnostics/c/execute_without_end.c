/* An execute block that is opened and not closed. */
int main(void)
{
    int k = 0;
#pragma cppc init
    #pragma cppc execute
//               ~~~~~~~ error[C0411] `execute` without `end execute`
    k = 1;
#pragma cppc shutdown
    return k - 1;
}
