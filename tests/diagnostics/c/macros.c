/* Macros with too many arguments, without an end, pasted to nothing, defined twice or not at all. */
    #define PAIR(a, b) a + b
    #define PASTE(a, b) a ## b
    #define PAIR(a, b) a - b
//          ~~~~ warning[C0112] '`PAIR`'
    #define 3 4
//          ~ error[C0111]

int main(void)
{
    int x = PAIR(1, 2, 3);
//          ~~~~ error[C0109] '`PAIR`'
    int y = PASTE(+, !) 1;
//          ~~~~~~~~~~~ error[C0113] '`##`' '`+`' '`!`'
#pragma cppc init
#pragma cppc shutdown
    return x + y;
}
