/* A procedure with a checkpoint, defined in a header. */
static int step(int x)
{
    #pragma cppc checkpoint
//               ~~~~~~~~~~ error[C0402] `checkpoint` is in an included file
    return x + 1;
}
