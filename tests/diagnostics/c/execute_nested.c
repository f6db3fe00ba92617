/* An execute block inside an execute block. */
int main(void)
{
    int k = 0;
#pragma cppc init
#pragma cppc execute
    k = 1;
    #pragma cppc execute
//               ~~~~~~~ error[C0413] an `execute` block within another
    k = 2;
#pragma cppc end execute
#pragma cppc end execute
#pragma cppc shutdown
    return k;
}
