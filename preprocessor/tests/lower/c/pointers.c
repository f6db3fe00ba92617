struct node { struct node *next; int value; };

void walk(struct node *head, double *p, double *q, int n)
{
    for (struct node *at = head; at; at = at->next)
        at->value++;
    while (n--)
        *p++ = *q++;
    double local[8], *end = local + 8, **where = &end;
    *where = &local[2];
    *(*where + 1) = *--end;
    int bytes = *((char *) p + 4);
    p = (double *) 0x1000;
    p[bytes] = 0;
}
