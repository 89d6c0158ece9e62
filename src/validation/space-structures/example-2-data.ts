/**
 * Reference values of example 2 of TR-942: printed values, and the converged motion with its hinge forces. A reduced model in quadruple
 * precision outside this project computed them; two resolutions agree to 22 digits. Do not adjust them.
 */

/** θ2, θ3, θ5, θ3', θ5' as the report lists them under table 3.3.4, until the first singular configuration. */
export const PRINTED: readonly { readonly t: number; readonly values: readonly number[] }[] = [
  { t: 2, values: [-1.4562229, 1.4562229, 2.9124458, -7.6936491e-2, -1.5387298e-1] },
  { t: 4, values: [-1.235726, 1.235726, 2.471452, -1.4320718e-1, -2.8641436e-1] },
  { t: 6, values: [-8.7714958e-1, 8.7714958e-1, 1.7542992, -2.1925056e-1, -4.3850112e-1] },
  { t: 8, values: [-3.303746e-1, 3.303746e-1, 6.607492e-1, -3.3128321e-1, -6.6256642e-1] },
];

/** θ3 (= -θ2 = θ5/2 = -θ4/2) of the true motion, rad, beyond the singular configurations at 9.034 s and 18.871 s. */
export const BEYOND: readonly { readonly t: number; readonly theta3: number }[] = [
  { t: 10, theta3: -0.2019830067502 },
  { t: 20, theta3: 0.0362254404567 },
];

/** Kinetic + spring + dissipated, J, at all times. */
export const TOTAL_ENERGY = 5.217305610221;

/** Load of the parent on the child at the hinge, inertial axes: force (x, y) in N, torque about z in N m. */
export interface PlanarReaction {
  readonly t: number;
  readonly hinge: string;
  readonly force: readonly [number, number];
  readonly torque: number;
}

/** Hinges of the tree, by the body that they carry. */
export const HINGE_REACTIONS: readonly PlanarReaction[] = [
  { t: 0, hinge: "bar2", force: [4.32492325, -0.99939083], torque: 6.14355897 },
  { t: 0, hinge: "bar3", force: [-1.39075018, 0], torque: 0 },
  { t: 0, hinge: "bar4", force: [0.81621091, -14.44586634], torque: 0 },
  { t: 0, hinge: "bar5", force: [1.00949678, 14.1325598], torque: 0 },
  { t: 2, hinge: "bar2", force: [3.77675565, -0.06900775], torque: 5.05552674 },
  { t: 2, hinge: "bar3", force: [-1.31495534, -0.05020586], torque: 0 },
  { t: 2, hinge: "bar4", force: [0.87541387, -3.5233555], torque: 0 },
  { t: 2, hinge: "bar5", force: [0.61226789, 3.6018713], torque: 0 },
];

/** The pins that close the loops. */
export const PIN_FORCES: readonly { readonly t: number; readonly pin: string; readonly force: readonly [number, number] }[] = [
  { t: 0, pin: "h6", force: [2.76119378, -14.78890849] },
  { t: 0, pin: "h7", force: [-0.04527642, 14.28181292] },
  { t: 2, pin: "h6", force: [2.67742849, -3.57201435] },
  { t: 2, pin: "h7", force: [-0.13423072, 3.50907353] },
];
