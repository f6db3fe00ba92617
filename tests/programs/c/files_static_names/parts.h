/* What the other two files offer. */
double left_part(int i);
double right_part(int i);
