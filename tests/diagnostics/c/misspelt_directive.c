/* A directive whose word is nearly right. */
int main(void)
{
    int i = 0;
#pragma cppc init
#pragma cppc regster(i)
//           ~~~~~~~ error[C0301] '`regster`' '`register`'
#pragma cppc chekpoint
//           ~~~~~~~~~ error[C0301] '`chekpoint`' '`checkpoint`'
#pragma cppc shutdown
    return i;
}
