int strange(@);
int known(int);
