extern int limit;
void change(int *);

void loops(int n)
{
    for (int i = 0; i < n; i++)
        n--;
    for (int i = 0; i < n; i++)
        change(&i);
    for (int i = 0; i < limit; i++)
        change(0);
}
