#ifndef SOLVER_H
#define SOLVER_H
enum { cells = 100 };
void relax(double *u, int step);
#endif
