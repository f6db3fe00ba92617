int a;
int b; /* never
//     ~~ error[C0103] the comment does not end
closed
