/* A capture of a name that is not declared. */
int main(void)
{
    int i = 0;
#pragma cppc init
#pragma cppc execute capture(k)
//                           ~ error[C0421] unknown name `k`
    i = 1;
#pragma cppc end execute
#pragma cppc checkpoint
#pragma cppc shutdown
    return i - 1;
}
