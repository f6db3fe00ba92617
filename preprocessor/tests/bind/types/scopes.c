/* What a name means where: shadowing, tags, typedef names as variables, prototypes, for loops. */
typedef double T;
struct s { int outer; };
int x;
static int function(void);

T f(T T)
{
    T; // : double
    return T;
}

void g(struct s *p, int n)
{
    p->outer; // : int
    x; // : int
    {
        float x = 1;
        x; // : float
        {
            extern int x;
            x; // : int
        }
        struct s { char inner; } q;
        q.inner; // : char
        struct s *r = &q;
        r->inner; // : char
        p->outer; // : int
        {
            struct s;
            struct s *unknown = 0;
            struct s { long third; };
            unknown->third; // : long
        }
    }
    x; // : int
    for (char x = 0; x < 1; x++) {
        x; // : char
        double x = 1;
        x; // : double
    }
    x; // : int
    T T = 1;
    T; // : T
    double y = y;
    int function = 3;
    function; // : int
    enum { x = 1, y2 = x + 1 };
    x; // : int
    for (int i = 0, *k = &i; i < 1; i++)
        k; // : int *
}

void late(void)
{
    function(); // : int
    int implicit = latest();
    latest; // : int ()
}

