struct point { double x, y; };
struct box { int id : 3, kind : 5; struct point corner[2]; union { long l; double d; } u; char name[]; };

struct point make(double x);

double use(struct box *b, struct box c)
{
    struct point p = { .y = 1.0 }, q;
    q = p;
    b->corner[1] = q;
    b->corner[0].x = make(2.0).y;
    b->id = 3;
    b->u.d = c.u.l;
    *b = c;
    return (b + 1)->corner[1].y;
}
