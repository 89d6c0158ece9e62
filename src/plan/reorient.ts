/**
 * Turns a floating base without wheels, by arms that move along a closed loop [Vafa and Dubowsky 1990]. If one loop does not turn the base far
 * enough, it is repeated: each cycle turns the base by the same rotation in base axes. See loop-search.ts for the search of the loop.
 */

import { checkOptions as checkKeys, checkNames, checkVector } from "../arguments.ts";
import type { Freedom } from "../declare/freedom.ts";
import { robotOf } from "../dynamics/free-flying/robot.ts";
import { ModelError, UnreachableError } from "../errors.ts";
import { euclideanNorm } from "../math/elementary/hypotenuse.ts";
import { square } from "../math/elementary/power.ts";
import { cosine, sine } from "../math/elementary/sincos.ts";
import { freedomsOf } from "../model/freedoms.ts";
import { checkModel, type Model } from "../model/model.ts";
import { LoopSearch, MAX_CYCLES, type TurningLoop } from "./loop-search.ts";
import { shapeLoop } from "./shape-loop.ts";
import type { Trajectory } from "./trajectory.ts";

export interface ReorientOptions {
  /** The floating body to turn; default: the first one. */
  readonly base?: string;
  /** Hinges that move, each with one freedom; all others are held. */
  readonly hinges: readonly string[];
  /** Coordinates of the machine; only those of its hinges matter. */
  readonly q0: Float64Array;
  /** Required rotation: axis times angle, in the base axes (M of its free hinge) before the motion; at most a half turn. */
  readonly rotation: readonly [number, number, number];
  /** Largest distance of each hinge from its start, rad or m: one number, or one per hinge. */
  readonly reach: number | readonly number[];
  /** Duration of the whole motion, s. */
  readonly duration: number;
  /** Number of cycles; default: as few as possible. */
  readonly cycles?: number;
  /** Number of harmonics of the loop; default 2. */
  readonly harmonics?: number;
}

export interface Reorientation {
  /** Trajectory of the hinges, in their order, from rest to rest. */
  readonly trajectory: Trajectory;
  readonly hinges: readonly Freedom[];
  readonly cycles: number;
  readonly coefficients: Float64Array;
}

/** Phase differences between successive hinges of the start loops. */
const START_PHASES = [Math.PI / 2, -Math.PI / 2, Math.PI / 3, -Math.PI / 3] as const;

/** @throws ModelError for invalid options, UnreachableError if no loop within reach turns the base as required. */
export function reorient(model: Model, options: ReorientOptions): Reorientation {
  checkModel(model);
  checkKeys("options", options, ["base", "hinges", "q0", "rotation", "reach", "duration", "cycles", "harmonics"]);
  checkNames("options.hinges", options.hinges, "names of hinges");
  checkVector("options.q0", options.q0, model.nq, "the coordinates of the model");
  checkVector("options.rotation", options.rotation, 3, "axis times angle");
  if (typeof options.reach !== "number") checkVector("options.reach", options.reach, options.hinges.length, "one for each hinge");
  const { q0, rotation, duration, harmonics = 2 } = options;
  const { hinges, reach } = checkOptions(model, options);
  const loop = shapeLoop(model, options.base, hinges, q0, harmonics);
  const search = new LoopSearch(loop, reach, harmonics);
  let best: TurningLoop | undefined;
  for (const phase of START_PHASES) {
    const solution = search.find(rotation, phase, options.cycles ?? 1);
    if (solution && !(solution.cycles >= (best?.cycles ?? MAX_CYCLES + 1))) best = solution;
    if (best?.cycles === 1) break;
  }
  if (best && (options.cycles === undefined || best.cycles === options.cycles))
    return { trajectory: loopTrajectory(hinges, q0, best, duration), hinges, ...best };
  throw new UnreachableError(
    `no loop of ${hinges.map((h) => h.name).join(", ")} within reach turns the base by [${rotation.join(", ")}] rad in ` +
      `${options.cycles ?? MAX_CYCLES} rounds or fewer: allow more reach, or move hinges whose axes are not parallel`,
  );
}

function loopTrajectory(
  hinges: readonly Freedom[],
  q0: Float64Array,
  { coefficients, cycles }: TurningLoop,
  duration: number,
): Trajectory {
  const n = hinges.length;
  const motion = { home: Float64Array.from(hinges, (h) => q0[h.q!]!), coefficients, cycles, duration };
  return { ...{ nq: n, nu: n, duration, breaks: [] }, at: (t, out) => writeLoopMotion(motion, t, out) };
}

/** A planned loop of hinges as plain data. */
export interface LoopMotion {
  /** Positions of the hinges at the start and at the end. */
  readonly home: Float64Array;
  /** a and b of each harmonic (shape-loop.ts), hinge by hinge. */
  readonly coefficients: Float64Array;
  readonly cycles: number;
  /** Duration of all cycles, s. */
  readonly duration: number;
}

/** Writes positions, speeds and accelerations of the hinges at t: all cycles of the loop, with its parameter as one quintic in time. */
export function writeLoopMotion({ home, coefficients, cycles, duration }: LoopMotion, t: number, out: Float64Array): void {
  const n = home.length;
  const width = coefficients.length / n;
  const x = Math.min(1, Math.max(0, t / duration));
  const total = 2 * Math.PI * cycles;
  const p = total * x * x * x * (10 + x * (6 * x - 15));
  const speed = (total * 30 * square(x * (1 - x))) / duration;
  const acceleration = (total * 60 * x * (1 - x) * (1 - 2 * x)) / square(duration);
  out.set(home);
  out.fill(0, n, 3 * n);
  // Sums of the basis functions and of their first and second derivatives by p.
  for (let k = 1; 2 * k <= width; k++) {
    const c = cosine(k * p);
    const s = sine(k * p);
    for (let i = 0; i < n; i++) {
      const a = coefficients[i * width + 2 * k - 2]!;
      const b = coefficients[i * width + 2 * k - 1]!;
      out[i] = out[i]! + a * (c - 1) + b * s;
      out[n + i] = out[n + i]! + a * (-k * s) + b * (k * c);
      out[2 * n + i] = out[2 * n + i]! + a * (-k * k * c) + b * (-k * k * s);
    }
  }
  for (let i = 0; i < n; i++) {
    const slope = out[n + i]!;
    out[n + i] = slope * speed;
    out[2 * n + i] = slope * acceleration + out[2 * n + i]! * speed * speed;
  }
}

function checkOptions(model: Model, options: ReorientOptions): { hinges: Freedom[]; reach: number[] } {
  const { rotation, duration, cycles, harmonics = 2 } = options;
  const problems: { path: string; message: string; value?: string; advice?: string }[] = [];
  const note = (path: string, message: string, value: unknown): void =>
    void problems.push({ path, message, value: String(value) });
  const robot = robotOf(model, options.base);
  const freedoms = freedomsOf(model);
  const hinges = options.hinges.map((name, i) => {
    const freedom = freedoms.find((f) => f.name === name && f.q !== undefined);
    if (!freedom) note(`hinges[${i}]`, "is not a hinge with one freedom", name);
    else if (!robot.speeds.includes(freedom.u)) note(`hinges[${i}]`, `is not carried by the base "${robot.base.name}"`, name);
    return freedom;
  });
  if (new Set(options.hinges).size < options.hinges.length) note("hinges", "names a hinge twice", options.hinges.join(", "));
  if (options.hinges.length < 2)
    note("hinges", "needs two hinges or more: one alone goes back as it came", options.hinges.length);
  const reach = hinges.map((_, i) => (typeof options.reach === "number" ? options.reach : (options.reach[i] ?? 0)));
  for (const [i, far] of reach.entries()) if (!(far > 0 && Number.isFinite(far))) note(`reach[${i}]`, "must be positive", far);
  const angle = euclideanNorm(rotation);
  if (!(angle > 0 && angle <= Math.PI))
    note("rotation", "must be an angle above 0, at most π, times an axis", rotation.join(", "));
  if (!(duration > 0 && Number.isFinite(duration))) note("duration", "must be positive", duration);
  if (cycles !== undefined && !(Number.isInteger(cycles) && cycles > 0)) note("cycles", "must be a whole number above 0", cycles);
  if (!(Number.isInteger(harmonics) && harmonics > 0)) note("harmonics", "must be a whole number above 0", harmonics);
  if (problems.length > 0) throw new ModelError(model.name, problems);
  return { hinges: hinges as Freedom[], reach };
}
