/**
 * Radau IIA with three stages and its transformation [HW II, IV.8]. With the Runge-Kutta matrix A,
 *
 *   T^-1 A^-1 T = [[gamma, 0, 0], [0, alpha, -beta], [0, beta, alpha]]                                        (1)
 *
 * so the 3n by 3n system of a Newton step separates into a real and a complex system of size n. The closed-form eigenvalues follow from
 * the characteristic polynomial of A. The eigenvectors are scaled to end with 1 and (1, 0), and are given to full precision.
 */
import { cubeRoot } from "../../../math/elementary/cube-root.ts";

const ROOT6 = Math.sqrt(6);
const ROOT3 = cubeRoot(3);

export const NODES: Float64Array = Float64Array.of((4 - ROOT6) / 10, (4 + ROOT6) / 10, 1);

export const GAMMA = 3 + ROOT3 * ROOT3 - ROOT3;
export const ALPHA = 3 - (ROOT3 * ROOT3 - ROOT3) / 2;
export const BETA = (Math.sqrt(3) / 2) * (ROOT3 * ROOT3 + ROOT3);

/** T by rows. The last row is (1, 1, 0): the end of the step is the sum of the real and the first complex part. */
export const T: Float64Array = Float64Array.of(
  0.09443876248897524,
  -0.1412552950209542,
  -0.030029194105147424,
  0.2502131229653333,
  0.20412935229379994,
  0.3829421127572619,
  1,
  1,
  0,
);

/** T^-1 by rows. */
export const T_INVERSE: Float64Array = Float64Array.of(
  4.178718591551905,
  0.32768282076106237,
  0.5233764454994495,
  -4.178718591551905,
  -0.32768282076106237,
  0.47662355450055044,
  -0.5028726349457868,
  2.571926949855605,
  -0.5960392048282249,
);

/** Weights of Z1, Z2, Z3 over h in the error estimate, besides the derivative at the start [HW II, IV.8 (8.19)]. */
export const ERROR: Float64Array = Float64Array.of((-13 - 7 * ROOT6) / 3, (-13 + 7 * ROOT6) / 3, -1 / 3);
