static int step(int i)
{
#pragma cppc checkpoint
    return i + 1;
}

/* `continue` goes to the call in the condition. */
int advance(int n)
{
#pragma cppc register(n)
    do {
        if (n % 2 == 0)
            continue;
        n += 2;
    } while (step(n++) < 9);
    return n;
}
