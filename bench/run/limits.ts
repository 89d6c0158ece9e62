/** Limits of the benchmarks. Most of them limit ratios of times measured in the same run. */
import type { ModelName } from "../machines/models.ts";

/** Time of Castor's WebAssembly kernel divided by that of MuJoCo in WebAssembly. */
export const MUJOCO_RATIO: Partial<Readonly<Record<ModelName, number>>> = {
  m1a: 0.09,
  m2a: 0.12,
  m4a: 0.12,
  m5a: 0.15,
  m1g: 0.25,
  m2g: 0.25,
  m3g: 0.25,
  m4g: 0.25,
};

/** Time per state with two states at once, divided by the time with one state. The code of m5g is far larger than the caches. */
export const BATCH_RATIO = 0.62;
export const BATCH_RATIO_M5G = 0.66;

/** Time of a quantity divided by that of the build before outputs without structural zeros: what makes every quantity cheaper than native libraries. */
export const QUANTITY_RATIO: Readonly<Record<string, Partial<Readonly<Record<ModelName, number>>>>> = {
  "inverse dynamics": { m1a: 0.86, m2a: 0.92, m4a: 0.9, m5a: 0.8, m5g: 0.88 },
  "mass matrix": { m1a: 0.8, m2a: 0.8, m4a: 0.55, m5a: 0.36, m2g: 0.82, m4g: 0.54, m5g: 0.43 },
  Jacobian: { m2a: 0.95, m5a: 0.38, m5g: 0.62 },
  "forward dynamics": { m5g: 0.98, m1g: 0.87, m3g: 0.9 },
};

/** Time of the C output of forward dynamics divided by that of WebAssembly, with 2 % for the resolution of the measurement, and processor time of its compiler, s. */
export const C_RATIO = 1.02;
export const C_COMPILE_SECONDS = 20;

/** Time per hinge of a chain of 200 hinges, divided by that of a chain of 20. */
export const SCALING_RATIO = 2;

/** Time per hinge of a chain of 1,000 hinges, divided by that of 100. */
export const LARGE_PER_HINGE_RATIO = 1.5;

/** Processor time to trace and compile the forward dynamics of 1,000 hinges, divided by that of the build before rolled programs. */
export const LARGE_COMPILE_RATIO = 0.5;

/** Time to trace, emit and compile the forward dynamics of 100 hinges, ms. */
export const COMPILE_MS = 1500;

/** Relative difference of two results (accelerations, path costs) below which both solve the same problem. */
export const RELATIVE_DIFFERENCE = 1e-9;

/** Minimum ratio of RK4 steps per second, Castor to MuJoCo in WebAssembly. */
export const THROUGHPUT_RATIO: Partial<Readonly<Record<ModelName, number>>> = { m1a: 8, m2a: 8 };

/**
 * Difference of q or u (rad, m, s) between Castor and MuJoCo after 1 s of RK4 with steps of 2 ms, and the least order with which it vanishes
 * with the step. Both integrate the same equations, but MuJoCo rotates quaternions by averaged angular velocities, which is of order 2.
 */
export const STATE_DIFFERENCE = 1e-6;
export const STATE_DIFFERENCE_ORDER = 1.9;

/** Relative drift of angular momentum and of energy in 60 s of tumbling, for Castor with default settings. */
export const ANGULAR_DRIFT = 1e-10;
export const ENERGY_DRIFT = 1e-9;

/** Error of an adaptive integrator after 1000 s of the asymmetric top with tolerance 1e-10. */
export const ERROR_AT_1E_10 = 1e-6;

/** Largest ratio between values of error / tolerance over four decades of the tolerance. */
export const TOLERANCE_PROPORTIONALITY = 10;

/** Minimum ratio of simulated time to wall time of a Stewart platform with steps of 1 ms. */
export const PLATFORM_REAL_TIME = 20;
/** A whole step of rk4 of a Stewart platform, with projection and the check of the weakest equation, divided by its four evaluations. */
export const WHOLE_STEP_RATIO = 1.5;
/** Minimum ratio of simulated time to wall time of the shortest scenario, in the slowest of several new processes. */
export const COLD_REAL_TIME = 1;

/** Soft capture: minimum ratio of simulated to processor time, including samples and audit; and largest drift of the energy balance, J. */
export const DOCKING_REAL_TIME = 5;
export const DOCKING_ENERGY = 1e-3;

/** Processor time of a case of a campaign, divided by that of a single run in the same process. */
export const CAMPAIGN_RATIO = 0.7;

/** Accelerations by the matrix method of machines with redundant equations, divided by those of the same machines without them. */
export const REDUNDANCY_RATIO = 5;

/** Time per loop of a row of 80 four-bars, divided by that of a row of 10. */
export const LOOP_RATIO = 2.5;

/** Processor time divided by simulated time of a robot with 18 freedoms, controlled by quadratic programs at 1 kHz. */
export const CONTROL_RATIO = 0.1;

/** Processor time of the caller's own control loop divided by that of `simulate` with an equal sampled controller. Both give the same bits. */
export const STEPPING_RATIO = 1.15;

/** Time of a sample of the default log with its audit, µs, and least speed of a run with every step logged relative to one without a log. */
export const SAMPLE_MICROSECONDS = 0.8;
export const LOGGED_SPEED = 0.6;

/** Cost of contact per body with all bodies far apart: 80 bodies (3160 pairs) divided by 10 bodies (45 pairs). */
export const CONTACT_RATIO = 2.5;
/** Cost per contact patch with 200 cubes (20,100 pairs) divided by that with 20 cubes (210 pairs). */
export const PATCH_COST_RATIO = 1.5;
/** Minimum ratio of simulated time to processor time of a heap of falling cubes. */
export const HEAP_REAL_TIME = 1;

/** Processor time of 3 s of the flexible two-link arm, and of the modes of a boom with 200 freedoms, s: the fastest of several runs. */
export const ARM_SECONDS = 1.5;
export const MODES_SECONDS = 1;

/** Exponent of the growth of cost with the number of joints of a rod, from 4 to 64: of one evaluation, and of the whole run. */
export const EVALUATION_POWER = 1.05;
export const RUN_POWER = 1.15;

/** Minimum ratio of simulated to processor time of the rover with 16 freedoms on soil, rk4 with steps of 0.5 ms. */
export const ROVER_REAL_TIME = 10;

/** Time to plan a path on a map of a million cells, and to plan again after an obstacle was seen, ms. */
export const PLAN_MS = 2000;
export const REPLAN_MS = 100;

/** Rms cross-track error of a guided rover, m. */
export const CROSS_TRACK_RMS = 0.1;

/** Processor time of a new process, divided by that of a build before the files were joined. */
export const START_RATIO = 0.6;

/** Processor time of the motion and of the command of docking and rover scenarios, divided by that of the build before whole steps were compiled. */
export const MOTION_RATIO = 0.5;
export const COMMAND_RATIO = 0.6;

export interface LimitVerdict {
  readonly value: number;
  readonly limit: number | undefined;
  readonly pass: boolean;
}

export const checkAtMost = (value: number, limit: number | undefined): LimitVerdict => ({
  value,
  limit,
  pass: limit === undefined || value <= limit,
});

/** The verdict on a value that must not be less than its limit. */
export const checkAtLeast = (value: number, limit: number | undefined): LimitVerdict => ({
  value,
  limit,
  pass: limit === undefined || value >= limit,
});

/** Value and limit as text, e.g. "0.071 (0.09)"; "FAIL" before it if the limit is exceeded. */
export const verdictText = ({ value, limit, pass }: LimitVerdict, digits = 3): string =>
  `${pass ? "" : "FAIL "}${value.toFixed(digits)}${limit === undefined ? "" : ` (${limit})`}`;

/** The same in scientific notation, e.g. "4.8e-12 (1e-10)". */
export const scientificVerdictText = ({ value, limit, pass }: LimitVerdict): string =>
  `${pass ? "" : "FAIL "}${value.toExponential(1)}${limit === undefined ? "" : ` (${limit >= 1 ? limit : limit.toExponential()})`}`;
