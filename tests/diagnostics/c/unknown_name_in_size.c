/* A size that uses a name which is not declared; a field that the structure does not have. */
struct box {
    double *cells;
    int count;
};

int main(void)
{
    static struct box box;
    double *p = box.cells;
#pragma cppc init
#pragma cppc register(p[cells])
//                      ~~~~~ error[C0421] unknown name `cells`
#pragma cppc register(box.cell[box.count])
//                        ~~~~ error[C0421] unknown field `cell`
#pragma cppc checkpoint
#pragma cppc shutdown
    return p == 0;
}
