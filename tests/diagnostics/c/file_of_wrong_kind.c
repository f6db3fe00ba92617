/* Files whose handle is none, whose name is none, with an item too few; and what changes when it is evaluated. */
#include <stdio.h>

int main(void)
{
    FILE *in = NULL;
    double x = 0;
    int number = 3;
#pragma cppc init
#pragma cppc execute file(x, "in.txt")
//                        ~ error[C0435] `x` is not a file handle
    in = fopen("in.txt", "r");
#pragma cppc end execute
#pragma cppc execute file(in, number)
//                            ~~~~~~ error[C0436] `number` is not a file name
    in = fopen("in.txt", "r");
#pragma cppc end execute
#pragma cppc execute file(in)
//                       ~~~~ error[C0310] `file` needs two items
    in = fopen("in.txt", "r");
#pragma cppc end execute
#pragma cppc execute file(number, &"in.txt"[number++])
//                                ~~~~~~~~~~~~~~~~~~~ error[C0432] `&"in.txt"[number++]` changes something when it is evaluated
    number = fileno(in);
#pragma cppc end execute
#pragma cppc execute file(input, "in.txt")
//                        ~~~~~ error[C0421] unknown name `input`
    in = fopen("in.txt", "r");
#pragma cppc end execute
#pragma cppc file(in, "in.txt")
//           ~~~~ error[C0307] `file` is not a directive
#pragma cppc checkpoint
#pragma cppc shutdown
    return number + (x > 0);
}
