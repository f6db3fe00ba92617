/* A file that includes itself without end. */
    #include "includes_itself.c"
//  ~~~~~~~~ error[C0115] files include each other without end
