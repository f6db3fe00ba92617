int a;
int b; /* never
//     ~~ C0103 the comment does not end
closed
