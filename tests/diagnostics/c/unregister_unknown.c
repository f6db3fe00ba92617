/* An unregister of a name that is not declared. */
int main(void)
{
    int i = 0;
#pragma cppc init
#pragma cppc register(i)
#pragma cppc checkpoint
#pragma cppc unregister(j)
//                      ~ error[C0421] unknown name `j`
#pragma cppc shutdown
    return i;
}
