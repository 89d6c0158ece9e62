/** What is asked of the benchmarks: mostly of ratios of times measured in the same run. */
import type { ModelName } from "../machines/models.ts";

/** Castor's WebAssembly kernel to MuJoCo's WebAssembly. */
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

/** Two states at once, per state, to one state at a time. */
export const BATCH_RATIO = 0.66;

/** Time per hinge of a chain of 200 to that of a chain of 20. */
export const SCALING_RATIO = 2;

/** Trace, emit and compile forward dynamics of 100 hinges, ms. */
export const COMPILE_MS = 1500;

/** Difference from MuJoCo relative to the largest acceleration: below it the contenders solve the same problem. */
export const RELATIVE_DIFFERENCE = 1e-9;

/** RK4 steps per second, Castor to MuJoCo's WebAssembly: at least. */
export const THROUGHPUT_RATIO: Partial<Readonly<Record<ModelName, number>>> = { m1a: 8, m2a: 8 };

/**
 * Difference of q or u (rad, m, s) between Castor and MuJoCo after a second of RK4 in steps of 2 ms, and the order with which it vanishes
 * with the step: both integrate the same equations, but MuJoCo turns quaternions by averaged angular velocities, which is of order 2.
 */
export const STATE_DIFFERENCE = 1e-6;
export const STATE_DIFFERENCE_ORDER = 1.9;

/** Relative drift of angular momentum and energy of Castor with default settings over a minute of tumbling. */
export const ANGULAR_DRIFT = 1e-10;
export const ENERGY_DRIFT = 1e-9;

/** Error of an adaptive integrator over 1000 s of the asymmetric top at the tolerance 1e-10. */
export const ERROR_AT_1E_10 = 1e-6;

/** How far error / tolerance may vary over four decades of the tolerance: less than one. */
export const TOLERANCE_PROPORTIONALITY = 10;

/** Simulated time to wall time of a Stewart platform with steps of 1 ms: at least. */
export const PLATFORM_REAL_TIME = 20;
/** The shortest scenario in a process that has run nothing yet: simulated time to wall time, in the slowest of some processes. */
export const COLD_REAL_TIME = 1;

/** Simulated to processor time of a soft capture, samples and audit included: at least. Largest change of its energy balance, J. */
export const DOCKING_REAL_TIME = 5;
export const DOCKING_ENERGY = 1e-3;

/** Time per loop of a row of 80 four-bars to that of a row of 10. */
export const LOOP_RATIO = 2.5;

/** Processor time to simulated time of a robot with 18 freedoms, controlled at 1 kHz by quadratic programs. */
export const CONTROL_RATIO = 0.1;

/** What contact costs per body where all are far apart, of 80 bodies (3160 pairs) to 10 (45 pairs). */
export const CONTACT_RATIO = 2.5;

/** Processor time of the two-link flexible arm, 3 s simulated, and of the modes of a boom of 200 freedoms, s: the fastest of several. */
export const ARM_SECONDS = 1.5;
export const MODES_SECONDS = 1;

/** Cost of a rod against its number of joints from 4 to 64, as a power: of one evaluation, and of the whole run. */
export const EVALUATION_POWER = 1.05;
export const RUN_POWER = 1.15;

/** Simulated time to processor time of the rover with 16 freedoms on soil, rk4 at steps of 0.5 ms: at least. */
export const ROVER_REAL_TIME = 10;

/** Milliseconds for a way over a map of a million cells, and for the way anew after something was seen. */
export const PLAN_MS = 2000;
export const REPLAN_MS = 100;

/** Distance of a guided rover beside its planned way, rms, m. */
export const CROSS_TRACK_RMS = 0.1;

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

/** For what must not be less than its limit. */
export const checkAtLeast = (value: number, limit: number | undefined): LimitVerdict => ({
  value,
  limit,
  pass: limit === undefined || value >= limit,
});

/** "0.071 (0.09)", with a mark where the limit is not kept. */
export const verdictText = ({ value, limit, pass }: LimitVerdict, digits = 3): string =>
  `${pass ? "" : "FAIL "}${value.toFixed(digits)}${limit === undefined ? "" : ` (${limit})`}`;

/** "4.8e-12 (1e-10)", the same. */
export const scientificVerdictText = ({ value, limit, pass }: LimitVerdict): string =>
  `${pass ? "" : "FAIL "}${value.toExponential(1)}${limit === undefined ? "" : ` (${limit >= 1 ? limit : limit.toExponential()})`}`;
