/* A directive whose word is nearly right. */
int main(void)
{
    int i = 0;
#pragma cppc init
#pragma cppc regster(i)
//           ~~~~~~~ error[C0301] unknown directive `regster`
#pragma cppc chekpoint
//           ~~~~~~~~~ error[C0301] unknown directive `chekpoint`
#pragma cppc shutdown
    return i;
}
