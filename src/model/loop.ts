/**
 * Loops: hinges outside of the tree, and other constraints between bodies or coordinates. A loop joins frame F on one body to
 * frame M on another, and blocks the directions that its hinge does not free. Each blocked direction is one row:
 *
 *   f(R, p) = 0 with R = R_FM and p the position of M's origin in F,
 *   ḟ = torque · ω + force · v for the angular velocity of M in F and the velocity of M's origin in F, in F axes.
 *
 * (torque, force) is also the wrench that a unit multiplier exerts on M's body at M's origin, and its opposite on F's body.
 */
import { add, cos, div, mul, type Scalar, sin, sub } from "../kernel/trace/scalar.ts";
import type { Placement } from "../spatial/placement.ts";
import { apply, type Mat3 } from "../spatial/rotation.ts";
import { cross, dot, scale, type Vec3, ZERO3 } from "../spatial/vec3.ts";

/** A frame on a body; body -1 is the world. */
export interface Attachment<S extends Scalar = number> {
  readonly body: number;
  readonly placement: Placement<S, S | number>;
  /** Name of the frame, if the loop refers to a named frame. */
  readonly frame?: string;
}

/** One blocked direction of a loop between two frames. */
export interface LoopRow {
  /** Label for display: "force x", "torque y" in F axes. */
  readonly label: string;
  /** Set if the row only fixes M's origin at zero along this direction of F. */
  readonly along?: Vec3<number>;
  /** Numbers of the row that may be kernel inputs, and the same row with other numbers. */
  readonly variable?: { readonly numbers: readonly Scalar[]; with(numbers: readonly Scalar[]): LoopRow };
  value(R: Mat3, p: Vec3): Scalar;
  wrench(R: Mat3, p: Vec3): { readonly torque: Vec3; readonly force: Vec3 };
}

/** How an open loop is engaged. */
export interface Engagement {
  /** "as-found": at the present position of the bodies, so that none is moved. "as-declared": at the position in the model. */
  readonly engages: "as-found" | "as-declared";
  /** Maximum deviation of a loop that engages as declared, m or rad. */
  readonly tolerance: number;
  /** True if the loop was engaged as found. Its measured parameters are inputs of the kernels (see engaged-loop-parameters.ts). */
  readonly heldAsFound?: true;
}

/** Chains with coordinates in closed form: see chains/. */
export type ChainName = "R2P1R3" | "R1R2R3" | "R2C2R2" | "RR" | "RP";

/** Declared solution of a loop for its dependents. `partition` and `minimal` determine the parts that are not declared. */
export interface LoopSolution {
  /** The chain of its dependent branch. */
  readonly chain?: ChainName;
  /** Coordinates that follow from this loop, and their speeds. */
  readonly dependent?: readonly { readonly q: number; readonly u: number }[];
}

/** A constraint between two frames, which closes a kinematic loop. */
export interface FrameLoop<S extends Scalar = number> extends Engagement, LoopSolution {
  readonly type: "frames";
  readonly name: string;
  readonly kind: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** F, on the first body. */
  readonly from: Attachment<S>;
  /** M, on the second body. */
  readonly to: Attachment<S>;
  readonly rows: readonly LoopRow[];
  /** Directions that F and M have in common when the loop is closed. The rows are also zero if M is turned to the opposite direction. */
  readonly aligned?: readonly Vec3<number>[];
}

/** A motion prescribed in time: offset + rate t + amplitude sin(frequency t + phase). */
export interface Prescription<S extends Scalar = number> {
  readonly offset: S;
  readonly rate: number;
  readonly amplitude: number;
  readonly frequency: number;
  readonly phase: number;
}

/** Σ factor × coordinate = prescribed motion: gears, differentials, driven hinges. */
export interface CoordinateLoop<S extends Scalar = number> extends Engagement, Pick<LoopSolution, "dependent"> {
  readonly type: "coordinates";
  readonly name: string;
  readonly kind: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Coordinates (with the index of their rate in u) of one-freedom elements, and their factors. */
  readonly terms: readonly { readonly q: number; readonly u: number; readonly factor: number }[];
  readonly motion: Prescription<S>;
}

export type Loop<S extends Scalar = number> = FrameLoop<S> | CoordinateLoop<S>;

/** Number of equations of a loop. */
export const rowCount = (loop: Loop<Scalar>): number => (loop.type === "frames" ? loop.rows.length : 1);

/** Number of equations of all loops. */
export const totalRowCount = (loops: readonly Loop<Scalar>[]): number => loops.reduce((sum, loop) => sum + rowCount(loop), 0);

/** The prescribed value at time t. */
export const prescribedValue = (m: Prescription<Scalar>, t: Scalar): Scalar =>
  add(add(m.offset, mul(m.rate, t)), m.amplitude === 0 ? 0 : mul(m.amplitude, sin(add(mul(m.frequency, t), m.phase))));

/** M's origin stays at zero along a fixed direction of F. */
export const fixedAlongRow = (label: string, direction: Vec3<number>): LoopRow => ({
  label,
  along: direction,
  value: (_, p) => dot(direction, p),
  wrench: () => ({ torque: ZERO3, force: direction }),
});

/** A direction b of M stays perpendicular to a direction a of F: a · R b = 0. */
export const perpendicularRow = (label: string, a: Vec3<number>, b: Vec3<number>): LoopRow => ({
  label,
  value: (R) => dot(a, apply(R, b)),
  wrench: (R) => ({ torque: cross(apply(R, b), a), force: ZERO3 }),
});

/**
 * The distance between the origins of M and F is constant: (p · p - length²) / (2 length) = 0, so that the multiplier is the force of the
 * rod.
 */
export const distanceRow = (label: string, length: Scalar): LoopRow => ({
  label,
  variable: { numbers: [length], with: ([other]) => distanceRow(label, other!) },
  value: (_, p) => mul(div(0.5, length), sub(dot(p, p), mul(length, length))),
  wrench: (_, p) => ({ torque: ZERO3, force: scale(div(1, length), p) }),
});

/**
 * A screw about n: the advance n·p and the turn θ satisfy p = pitch θ. With x, y completing n, and s = y·R x, c = x·R x, the row is
 * sin(n·p / pitch) c - cos(n·p / pitch) s. It is zero if the turn fits the advance, on every revolution.
 */
export const screwRow = (label: string, n: Vec3<number>, x: Vec3<number>, y: Vec3<number>, pitch: number): LoopRow => {
  const sinesAndCosines = (R: Mat3, p: Vec3): { s: Scalar; c: Scalar; sa: Scalar; ca: Scalar } => {
    const Rx = apply(R, x);
    const angle = mul(1 / pitch, dot(n, p));
    return { s: dot(y, Rx), c: dot(x, Rx), sa: sin(angle), ca: cos(angle) };
  };
  return {
    label,
    value: (R, p) => {
      const { s, c, sa, ca } = sinesAndCosines(R, p);
      return mul(pitch, sub(mul(sa, c), mul(ca, s)));
    },
    wrench: (R, p) => {
      const { s, c, sa, ca } = sinesAndCosines(R, p);
      // d/dt: (ca c + sa s) (n·v)  +  pitch (sa ċ - ca ṡ) with ċ = ω · (Rx × x), ṡ = ω · (Rx × y)
      const Rx = apply(R, x);
      const forceFactor = add(mul(ca, c), mul(sa, s));
      const toX = cross(Rx, x);
      const toY = cross(Rx, y);
      const torque = [0, 1, 2].map((i) => mul(pitch, sub(mul(sa, toX[i]!), mul(ca, toY[i]!)))) as unknown as Vec3;
      return { torque, force: [mul(forceFactor, n[0]), mul(forceFactor, n[1]), mul(forceFactor, n[2])] };
    },
  };
};
