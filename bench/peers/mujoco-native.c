/*
 * Times forward dynamics by native MuJoCo: mujoco-native model.xml milliseconds < state
 * Standard input: qpos, qvel, qfrc_applied, in MuJoCo's convention. Standard output, one line each: version; minimum and
 * median ns per call of the fastest sequence; its accelerations.
 */
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_BATCHES 4096

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void whole(const mjModel* m, mjData* d) { mj_forward(m, d); }

/* Only the steps that smooth dynamics needs: M and its factors, bias, solve. */
static void parts(const mjModel* m, mjData* d) {
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_crb(m, d);
  mj_factorM(m, d);
  mj_comVel(m, d);
  mj_rne(m, d, 0, d->qfrc_bias);
  for (int i = 0; i < m->nv; i++) d->qacc[i] = d->qfrc_applied[i] - d->qfrc_bias[i];
  mj_solveM(m, d, d->qacc, d->qacc, 1);
}

typedef void (*Sequence)(const mjModel*, mjData*);

/* The last hinge moves a little at every call, as for the other contenders. */
static double batch(Sequence sequence, const mjModel* m, mjData* d, int calls) {
  mjtNum* last = d->qpos + m->nq - 1;
  const double q = *last;
  const double start = now();
  for (int i = 0; i < calls; i++) {
    *last = q + 1e-6 * i;
    sequence(m, d);
  }
  const double time = (now() - start) / calls;
  *last = q;
  return time;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  if (argc != 3) return fprintf(stderr, "usage: mujoco-native model.xml milliseconds < state\n"), 2;
  char error[1000] = "";
  mjModel* m = mj_loadXML(argv[1], NULL, error, sizeof error);
  if (!m) return fprintf(stderr, "%s\n", error), 1;
  m->opt.disableflags = ((1 << mjNDISABLE) - 1) & ~mjDSBL_GRAVITY;
  mjData* d = mj_makeData(m);
  for (int i = 0; i < m->nq + 2 * m->nv; i++) {
    mjtNum* to = i < m->nq ? d->qpos + i : i < m->nq + m->nv ? d->qvel + i - m->nq : d->qfrc_applied + i - m->nq - m->nv;
    if (scanf("%lf", to) != 1) return fprintf(stderr, "the state is too short\n"), 1;
  }

  const Sequence sequences[] = {whole, parts};
  static double times[2][MAX_BATCHES];
  const int calls = 1 + (int)(5e5 / batch(whole, m, d, 20)); /* half a millisecond */
  const double end = now() + 1e6 * atof(argv[2]);
  int batches = 0;
  for (; batches < MAX_BATCHES && (batches < 3 || now() < end); batches++)
    for (int k = 0; k < 2; k++) times[k][batches] = batch(sequences[k], m, d, calls);
  for (int k = 0; k < 2; k++) qsort(times[k], (size_t)batches, sizeof(double), ascending);
  const int fastest = times[1][0] < times[0][0];

  sequences[fastest](m, d);
  printf("%s\n%.1f %.1f\n", mj_versionString(), times[fastest][0], times[fastest][batches / 2]);
  for (int i = 0; i < m->nv; i++) printf("%.17g ", d->qacc[i]);
  printf("\n");
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
