int step(int x);

static int forward(int x)
//         ~~~~~~~ error[C0501] `forward` leads to a checkpoint, but its text cannot be rewritten
{
    return step(x);
}
