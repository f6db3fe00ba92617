/* A register of a name that is not declared here, close to one that is. */
int main(void)
{
    int counter = 0;
#pragma cppc init
#pragma cppc register(conter)
//                    ~~~~~~ error[C0421] unknown name `conter`
#pragma cppc checkpoint
#pragma cppc shutdown
    return counter;
}
