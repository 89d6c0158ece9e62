/** States at the start of a run, and checks of states that a caller gives. */
import { checkName, checkOptions, checkVector } from "../../arguments.ts";
import { ArgumentError, valueText } from "../../errors.ts";
import { engagedParameterCount } from "../../model/loops/engaged-loop-parameters.ts";
import { coordinateNames, homeOf, type Model, quaternionStarts } from "../../model/model.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
import type { State } from "../state.ts";
import type { Layout } from "./layout.ts";
import { declaredLoops } from "./loop-sets.ts";
import { recentre } from "./mass-centre/recentre.ts";

/** Largest deviation of the norm of a quaternion from 1. Beyond it the numbers are not a rotation, or a typing error. */
const QUATERNION_TOLERANCE = 1e-6;

/** Start of a run. */
export interface StartOptions {
  /** Coordinates; default: home. */
  readonly q?: ArrayLike<number>;
  /** Speeds; default: rest. */
  readonly u?: ArrayLike<number>;
  /** Held inputs by name ("element.input"); default 0. */
  readonly inputs?: Readonly<Record<string, number>>;
  /** s; default 0. */
  readonly t?: number;
  /**
   * In mass-centre coordinates: position and velocity of the mass centre in the world. Then q and u place the bodies relative to each other
   * only; without it they are positions and velocities in the world.
   */
  readonly massCentre?: MassCentreState;
}

/** In world axes, m and m/s. */
export interface MassCentreState {
  readonly position: Vec3<number>;
  readonly velocity: Vec3<number>;
}

/** What a state of a system must fit. */
interface StateShape {
  readonly model: Model;
  readonly layout: Layout;
  readonly inputs: readonly string[];
}

export function startState({ model, layout, inputs }: StateShape, options: StartOptions): State {
  checkOptions("options", options, ["q", "u", "inputs", "t", "massCentre"]);
  const { q = homeOf(model), u = new Float64Array(model.nu), t = 0 } = options;
  checkVector("options.q", q, model.nq, "the coordinates of the model");
  checkVector("options.u", u, model.nu, "the speeds of the model");
  checkQuaternions(model, "options.q", q);
  if (!Number.isFinite(t)) throw new ArgumentError("options.t", `must be a finite time in s, got ${valueText(t)}`);
  const y = new Float64Array(layout.ny);
  y.set(q);
  y.set(u, model.nq);
  for (const [i, e] of layout.elements.entries()) y.set(e.z0 ?? [], model.nq + model.nu + layout.z[i]!);
  recentre(layout, y);
  if (options.massCentre !== undefined) setMassCentre(layout, y, options.massCentre);
  const held = new Float64Array(layout.nheld);
  setInputs(held, indexOfNames(inputs), options.inputs ?? {}, "options.inputs");
  const friction = frictionModesOf(layout, y);
  return { t, y, inputs: held, discrete: { loops: declaredLoops(model), friction, memories: [] } };
}

/** @throws ArgumentError if the system has coordinates of the world, or if a number is missing */
export function setMassCentre({ origin }: Layout, y: Float64Array, massCentre: MassCentreState): void {
  if (origin === undefined)
    throw new ArgumentError(
      "options.massCentre",
      "the system has coordinates of the world. Create it with coordinates: mass-centre",
    );
  const { position, velocity } = massCentre;
  checkVector("options.massCentre.position", position, 3, "x, y, z in m");
  checkVector("options.massCentre.velocity", velocity, 3, "x, y, z in m/s");
  y.set([...position, ...velocity], origin);
}

/** Index of each name. */
export const indexOfNames = (names: readonly string[]): ReadonlyMap<string, number> => new Map(names.map((name, i) => [name, i]));

/** Sets held inputs by name. @param indices of all held inputs @throws ArgumentError for an unknown name or a value that is not finite */
export function setInputs(
  held: Float64Array,
  indices: ReadonlyMap<string, number>,
  values: Readonly<Record<string, number>>,
  argument: string,
): void {
  for (const name in values) {
    const index = indices.get(name);
    if (index === undefined) checkName(`${argument}["${name}"]`, name, [...indices.keys()], "held input");
    const value = values[name]!;
    if (!Number.isFinite(value))
      throw new ArgumentError(`${argument}["${name}"]`, `must be a finite number, got ${valueText(value)}`);
    held[index!] = value;
  }
}

/** @throws ArgumentError if `state` is not a state of this system */
export function checkState({ model, layout }: StateShape, state: State): void {
  if (typeof state !== "object" || state === null || typeof state.discrete !== "object" || state.discrete === null)
    throw new ArgumentError("state", `must be a state as system.start() returns it, got ${valueText(state)}`);
  if (!Number.isFinite(state.t)) throw new ArgumentError("state.t", `must be a finite time in s, got ${valueText(state.t)}`);
  if (!(state.y instanceof Float64Array)) throw new ArgumentError("state.y", `must be a Float64Array, got ${valueText(state.y)}`);
  checkVector("state.y", state.y, layout.ny, "coordinates, speeds, internal states, ledger");
  checkQuaternions(model, "state.y", state.y);
  checkVector("state.inputs", state.inputs, layout.nheld, "held inputs");
  checkDiscrete(layout, state);
}

function checkDiscrete(layout: Layout, { discrete }: State): void {
  const { loops, friction, memories } = discrete;
  if (!(loops instanceof Map)) throw new ArgumentError("state.discrete.loops", `must be a Map, got ${valueText(loops)}`);
  const known = new Map([...layout.model.loops, ...layout.model.openLoops].map((loop) => [loop.name, loop]));
  for (const [name, held] of loops) {
    checkName("state.discrete.loops", name, [...known.keys()], "loop");
    const count = engagedParameterCount({ ...known.get(name)!, heldAsFound: true });
    if (held !== "declared") checkVector(`state.discrete.loops["${name}"]`, held, count, "parameters of the engaged loop");
  }
  const count = frictionModesOf(layout).length;
  if (!(Array.isArray(friction) && friction.length === count && friction.every((mode) => mode === 0 || Math.abs(mode) === 1)))
    throw new ArgumentError("state.discrete.friction", `must have ${count} modes of -1, 0 or 1, got ${valueText(friction)}`);
  if (!Array.isArray(memories)) throw new ArgumentError("state.discrete.memories", `must be a list, got ${valueText(memories)}`);
}

/** @throws ArgumentError if a quaternion in the coordinates has not norm 1 */
export function checkQuaternions(model: Model, argument: string, q: ArrayLike<number>): void {
  for (const i of quaternionStarts(model)) {
    const norm = Math.sqrt(q[i]! * q[i]! + q[i + 1]! * q[i + 1]! + q[i + 2]! * q[i + 2]! + q[i + 3]! * q[i + 3]!);
    if (Math.abs(norm - 1) <= QUATERNION_TOLERANCE) continue;
    const name = coordinateNames(model).q[i]!;
    throw new ArgumentError(
      `${argument}[${i}]`,
      `the quaternion that begins with ${name} has the norm ${+norm.toPrecision(6)}, not 1. ${norm > 0 ? "Divide its four numbers by the norm" : "No rotation is [1, 0, 0, 0]"}`,
    );
  }
}

/** Modes of all friction contacts: from the signs of their speeds, or all sticking. */
function frictionModesOf({ model, elements, nq }: Layout, y?: Float64Array): (-1 | 0 | 1)[] {
  return elements.flatMap((element) =>
    (element.friction ?? []).map(({ hinge, part }) => {
      const { u } = model.bodies.find((b) => b.hinge.name === hinge)!.hinge;
      return (y ? Math.sign(y[nq + u + part]!) : 0) as -1 | 0 | 1;
    }),
  );
}
