/* Sections of arrays, and fields of their elements. */
#include <stdlib.h>

struct part { double x; int flag : 3; };
struct site {
    double link[3];
    struct part parts[2], one;
    double *data;
    const int fixed;
};

static struct site lattice[10], grid[4][5];

int main(void)
{
    int n = 3, i;
    double f = 1;
    struct site *p = calloc(10, sizeof *p);
#pragma cppc init
#pragma cppc register(lattice[0:n].link[2], lattice[:].data[0])
//                    ~~~~~~~~~~~~~~~~~~~~ error[C0464] `lattice[0:n].link[2]` does not name a field
//                                          ~~~~~~~~~~~~~~~~~~ error[C0464] `lattice[:].data[0]` does not name a field
#pragma cppc register(lattice[:]->link, lattice[:].links, lattice[:].parts.x)
//                    ~~~~~~~~~~~~~~~~ error[C0464] `lattice[:]->link` does not name a field
//                                      ~~~~~~~~~~~~~~~~ error[C0421] unknown field `links`
//                                                        ~~~~~~~~~~~~~~~~~~ error[C0464] `x` is a field of the elements of an array
#pragma cppc register(lattice[:].one.flag, lattice[:].fixed)
//                    ~~~~~~~~~~~~~~~~~~~ error[C0430] `flag` is a bit-field
//                                         ~~~~~~~~~~~~~~~~ error[C0428] `lattice[:].fixed` is constant
#pragma cppc register(lattice[8:3].link, lattice[f:2].link, p[:].link, p[2:].link, n[0:2].link)
//                           ~~~~~ error[C0427] `lattice` has 10 elements, and the section ends after them
//                                               ~ error[C0427] the size of `lattice` is not an integer
//                                                           ~~~ error[C0425] the number of elements of `p` is not known
//                                                                      ~~~~ error[C0425] the number of elements of `p` is not known
//                                                                                  ~~~~~ error[C0426] `n[0:2].link` has no elements to count
#pragma cppc register(grid[:][0:3].link, grid[0:2].link, grid[1:2][:].link, grid[:][0:5].data)
//                           ~~~~~ error[C0464] `grid[:][0:3].link` is a part of each row of an array
//                                       ~~~~~~~~~~~~~~ error[C0464] `link` is a field of the elements of an array
#pragma cppc register(i, n, lattice[0:n].link, p[n:2].link, p[0:10])
    for (i = 0; i < 3; i++) {
#pragma cppc execute capture(lattice[0:n].link)
//                           ~~~~~~~~~~~~~~~~~ error[C0464] `lattice[0:n].link` is a section
#pragma cppc end execute
#pragma cppc checkpoint
    }
#pragma cppc unregister(lattice[:].link, p[n:2].link, p[0:10])
#pragma cppc shutdown
    return f > 2;
}
