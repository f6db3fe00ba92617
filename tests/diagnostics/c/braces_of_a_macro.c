/* A procedure whose braces nobody sees has no place for what must be added. */
#define BEGIN {
#define END }

static int step(int x)
BEGIN
    #pragma cppc checkpoint
//               ~~~~~~~~~~ error[C0408] `checkpoint` is in a procedure whose braces come from a macro
    return x + 1;
END

int main(void)
{
#pragma cppc init
    int x = step(0);
#pragma cppc shutdown
    return x - 1;
}
