/* A directive that exists only inside a macro: there is no place in this file to put its block. */
#define SAVE_HERE _Pragma("cppc checkpoint")
//                              ~~~~~~~~~~ error[C0401] `checkpoint` comes from the macro `SAVE_HERE`

int main(void)
{
    int i;
#pragma cppc init
    for (i = 0; i < 3; i++) {
        SAVE_HERE
    }
#pragma cppc shutdown
    return 0;
}
