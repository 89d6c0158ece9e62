/*
 * Times the C output of a kernel: c-kernel milliseconds < inputs, compiled with -DKERNEL=name -DINPUTS=nx -DOUTPUTS=ny -DMOVED=i.
 * Standard output, one line each: minimum and median ns per call; the outputs.
 */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MAX_BATCHES 4096

void KERNEL(const double* x, double* y);

static double x[INPUTS], y[OUTPUTS];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* One input moves a little at every call, as for the other contenders. */
static double batch(int calls) {
  const double home = x[MOVED];
  const double start = now();
  for (int i = 0; i < calls; i++) {
    x[MOVED] = home + 1e-6 * i;
    KERNEL(x, y);
  }
  const double time = (now() - start) / calls;
  x[MOVED] = home;
  return time;
}

static int ascending(const void* a, const void* b) {
  const double p = *(const double*)a, q = *(const double*)b;
  return (p > q) - (p < q);
}

int main(int argc, char** argv) {
  if (argc != 2) return fprintf(stderr, "usage: c-kernel milliseconds < inputs\n"), 2;
  for (int i = 0; i < INPUTS; i++)
    if (scanf("%lf", &x[i]) != 1) return fprintf(stderr, "too few inputs\n"), 1;
  static double times[MAX_BATCHES];
  const int calls = 1 + (int)(3e5 / batch(20)); /* 0.3 ms */
  const double end = now() + 1e6 * atof(argv[1]);
  int batches = 0;
  for (; batches < MAX_BATCHES && (batches < 3 || now() < end); batches++) times[batches] = batch(calls);
  qsort(times, (size_t)batches, sizeof(double), ascending);
  KERNEL(x, y);
  printf("%.2f %.2f\n", times[0], times[batches / 2]);
  for (int i = 0; i < OUTPUTS; i++) printf("%.17g ", y[i]);
  printf("\n");
  return 0;
}
