/**
 * The motion of a mode in the scene: the coordinates at rest plus the mode shape, enlarged and slowed down. The kernel computes the poses from
 * the coordinates, so hinges stay closed at every amplitude.
 */
import type { Mode } from "castor";
import type { NumericVec3 } from "castor/model";
import { MODE_CYCLES_PER_SECOND } from "../../run/playback.ts";
import { bodyPointToWorld, jointPoints } from "../geometry/body-points.ts";
import type { MachineExtent } from "../geometry/machine-extent.ts";
import { shapeRadius } from "../geometry/shape-extent.ts";
import { displayShapes } from "../geometry/shapes.ts";
import { POSE_SIZE, type RunMotion } from "./run-motion.ts";

/** A mode with its amplitude and phase. */
export interface ShownMode {
  readonly mode: Pick<Mode, "shape" | "shapeIm" | "kind" | "frequency" | "eigenvalue">;
  /** Coordinates at rest. */
  readonly q: Float64Array;
  readonly number: number;
  /** Amplitude in radii of the machine. */
  readonly amplitude: number;
  /** Phase in cycles. */
  readonly phase: number;
}

/** Largest rotation of a body per radius of amplitude, rad. High modes of long rods would otherwise roll them up. */
const MAX_ROTATION = 3;
/** In one cycle of the display, a decaying mode falls, and an unstable mode grows, by a factor of exp(DISPLAY_DECAY). */
const DISPLAY_DECAY = 3.5;

export class ModeMotion {
  /** Poses at rest. */
  readonly rest: Float64Array;
  readonly caption: string;
  readonly #motion: RunMotion;
  readonly #mode: ShownMode["mode"];
  /** Factor on the mode shape for an amplitude of one radius. */
  readonly #scale: number;
  readonly #q: Float64Array;
  readonly #increment: Float64Array;

  constructor(motion: RunMotion, extent: MachineExtent, { mode, q, number }: ShownMode) {
    this.#motion = motion;
    this.#mode = mode;
    this.#q = Float64Array.from(q);
    this.#increment = new Float64Array(mode.shape.length);
    this.rest = Float64Array.from(motion.posesFor(q).poses);
    this.#scale = this.#scaleFor(extent, q);
    this.caption = `mode ${number}, ${modeText(mode)}`;
  }

  isOf({ mode }: ShownMode): boolean {
    return mode === this.#mode;
  }

  /** Coordinates at a phase. Valid until the next call. */
  at({ q, amplitude, phase }: ShownMode): Float64Array {
    const { shape, shapeIm, kind, eigenvalue } = this.#mode;
    const angle = 2 * Math.PI * phase;
    const cycleFraction = phase - Math.floor(phase);
    const oscillates = kind === "rigid" || eigenvalue.im !== 0;
    const [re, im] = oscillates
      ? [Math.sin(angle), Math.cos(angle)]
      : [Math.exp(DISPLAY_DECAY * (kind === "decay" ? -cycleFraction : cycleFraction - 1)), 0];
    const scale = this.#scale * amplitude;
    for (let i = 0; i < this.#increment.length; i++) this.#increment[i] = scale * (re * shape[i]! + im * shapeIm[i]!);
    return this.#displaced(q);
  }

  /** q + N(q) s for the step s in speeds, with normalised quaternions. */
  #displaced(q: Float64Array): Float64Array {
    for (const { hinge } of this.#motion.model.bodies) {
      let [first, u] = [hinge.q, hinge.u];
      for (const { nq, nu, rates, quaternion } of hinge.elements) {
        const present = [...q.subarray(first, first + nq)];
        const increment = rates(present, [...this.#increment.subarray(u, u + nu)]) as readonly number[];
        for (let k = 0; k < nq; k++) this.#q[first + k] = present[k]! + increment[k]!;
        if (quaternion !== undefined) normalise(this.#q.subarray(first + quaternion, first + quaternion + 4));
        first += nq;
        u += nu;
      }
    }
    return this.#q;
  }

  /** Factor on the mode shape, from the largest displacement of a point and the largest rotation of a body in a small step. */
  #scaleFor({ radius }: MachineExtent, q: Float64Array): number {
    const { model } = this.#motion;
    const { shape, shapeIm } = this.#mode;
    const increment = 1e-6 / Math.max(1e-300, ...shape.map(Math.abs), ...shapeIm.map(Math.abs));
    const points = displayShapes(model).map((shapes, i): NumericVec3[] => {
      const body = model.bodies[i]!;
      const corners = shapes.flatMap((shape) => pointsAround(shape.placement.p, shapeRadius(shape)));
      return [...jointPoints(model, body), body.com, ...corners];
    });
    const posesOfParts = [shape, shapeIm].map((part) => {
      this.#increment.set(part.map((v) => v * increment));
      return Float64Array.from(this.#motion.posesFor(this.#displaced(q)).poses);
    });
    let [displacement, rotation] = [0, 0];
    for (const [body, bodyPoints] of points.entries()) {
      for (const p of bodyPoints)
        displacement = Math.max(
          displacement,
          Math.hypot(...posesOfParts.map((poses) => distanceFromRest(poses, this.rest, body, p))),
        );
      rotation = Math.max(rotation, Math.hypot(...posesOfParts.map((poses) => angleFromRest(poses, this.rest, body))));
    }
    const size = Math.max(displacement / radius, rotation / MAX_ROTATION);
    return size > 0 ? increment / size : 0;
  }
}

function distanceFromRest(poses: Float64Array, rest: Float64Array, body: number, p: NumericVec3): number {
  const [a, b] = [bodyPointToWorld(poses, body, p), bodyPointToWorld(rest, body, p)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Small angle between two attitudes, from the Frobenius norm |R - R₀| = √2 |angle|. */
function angleFromRest(poses: Float64Array, rest: Float64Array, body: number): number {
  let sum = 0;
  for (let k = POSE_SIZE * body; k < POSE_SIZE * body + 9; k++) sum += (poses[k]! - rest[k]!) ** 2;
  return Math.sqrt(sum / 2);
}

const pointsAround = (p: NumericVec3, r: number): NumericVec3[] => [
  [p[0] + r, p[1], p[2]],
  [p[0], p[1] + r, p[2]],
  [p[0], p[1], p[2] + r],
  [p[0] - r, p[1], p[2]],
];

function normalise(v: Float64Array): void {
  const norm = Math.hypot(...v);
  for (let k = 0; k < v.length; k++) v[k]! /= norm;
}

const significant = (x: number, n: number): string => String(Number(x.toPrecision(n)));

/** "44.9 Hz, shown 90 times slower", "grows at 3.1 1/s". */
function modeText({ kind, frequency, eigenvalue: { re, im } }: ShownMode["mode"]): string {
  if (kind === "rigid") return "0 Hz: no restoring force";
  if (im === 0) return `${kind === "unstable" ? "grows" : "decays"} at ${significant(Math.abs(re), 3)} 1/s`;
  const slower = frequency / MODE_CYCLES_PER_SECOND;
  const speedText = slower >= 1 ? `${significant(slower, 2)} times slower` : `${significant(1 / slower, 2)} times faster`;
  return `${significant(frequency, 4)} Hz, shown ${speedText}${re > 0 && kind === "unstable" ? ", growing" : ""}`;
}
