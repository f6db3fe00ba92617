/* A directive whose word is nearly right. */
int main(void)
{
    int i = 0;
#pragma cppc init
#pragma cppc regster(i)
//           ~~~~~~~ error[C????] '`regster`' '`register`'
#pragma cppc chekpoint
//           ~~~~~~~~~ error[C????] '`chekpoint`' '`checkpoint`'
#pragma cppc shutdown
    return i;
}
