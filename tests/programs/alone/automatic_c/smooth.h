void start_smoothing(int first);
void smooth(double *values, int count);
int smoothed(void);
