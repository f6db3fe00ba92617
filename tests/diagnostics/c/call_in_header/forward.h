int step(int x);

static int forward(int x)
//         ~~~~~~~ error[C0501] '`forward`' 'source file'
{
    return step(x);
}
