/* Macros with too many arguments, without an end, pasted to nothing, defined twice or not at all. */
    #define PAIR(a, b) a + b
    #define PASTE(a, b) a ## b
    #define PAIR(a, b) a - b
//          ~~~~ warning[C0112] `PAIR` is defined again with another body
    #define 3 4
//          ~ error[C0111] the name of a macro must be an identifier

int main(void)
{
    int x = PAIR(1, 2, 3);
//          ~~~~ error[C0109] the macro `PAIR` takes 2 arguments, not 3
    int y = PASTE(+, !) 1;
//          ~~~~~~~~~~~ error[C0113] `##` does not make one token of `+` and `!`
#pragma cppc init
#pragma cppc shutdown
    return x + y;
}
