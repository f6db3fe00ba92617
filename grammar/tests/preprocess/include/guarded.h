/* A guard with comments around it. */
#ifndef GUARDED_H
#define GUARDED_H
guarded
#ifdef X
#else
inner
#endif
#endif /* GUARDED_H */
