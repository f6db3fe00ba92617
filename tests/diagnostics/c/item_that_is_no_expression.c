/* What is no expression of C. */
int main(void)
{
    int i = 0;
#pragma cppc init
#pragma cppc register(i +)
//                    ~~~ error[C0420] `i +` is not a C expression
#pragma cppc checkpoint
#pragma cppc shutdown
    return i;
}
