/**
 * Layout of the state of a system: y = [q, u, z, ledger]. The ledger is integrated with the motion for the audit: dissipated energy, supplied
 * energy, angular impulse about the world origin (3) and linear impulse (3) from outside. In mass-centre coordinates the last six of z are
 * position and velocity of the mass centre (see mass-centre/free-floating.ts).
 */
import { type Frame, frameOf, type Model } from "../../model/model.ts";
import type { ForceElement } from "./force-element.ts";
import { type Coordinates, checkMassCentreCoordinates, ORIGIN_STATES } from "./mass-centre/free-floating.ts";
import { springElements } from "./spring-elements.ts";

export const LEDGER = 8;
export const DISSIPATED = 0;
export const SUPPLIED = 1;
export const IMPULSE = 2;

/** Offsets into y, held inputs and wrenches. */
export interface Layout {
  readonly model: Model;
  readonly elements: readonly ForceElement[];
  readonly nq: number;
  readonly nu: number;
  readonly nz: number;
  /** Index in y of the position (3) and velocity (3) of the mass centre, in mass-centre coordinates only. */
  readonly origin: number | undefined;
  /** Size of y. */
  readonly ny: number;
  /** Indices of the dissipated and of the supplied energy in y, J: an event that changes y books the energy there. */
  readonly dissipated: number;
  readonly supplied: number;
  /** Index of the first internal state and of the first held input of each element. */
  readonly z: readonly number[];
  readonly held: readonly number[];
  readonly nheld: number;
  /** Frames at which wrenches act, each once. */
  readonly frames: readonly Frame[];
  /** Indices into `frames` of each element's frames. */
  readonly frameIndex: readonly (readonly number[])[];
  /** True if some elements compute in numbers: then tau and w are inputs of the programs. */
  readonly numeric: boolean;
  /** Cache key: distinguishes the traced programs of different layouts of one model; undefined if an element has no key. */
  readonly key: string | undefined;
}

/**
 * Layout of a model and force elements. The springs of the model come first, then the given elements. @throws ModelError if the model or an
 * element does not allow mass-centre coordinates
 */
export function layoutOf(model: Model, added: readonly ForceElement[], coordinates: Coordinates = "world"): Layout {
  const isMoving = coordinates === "mass-centre";
  if (isMoving) checkMassCentreCoordinates(model, added);
  const elements = [...springElements(model), ...added];
  const frames: Frame[] = [];
  const frameIndex = elements.map((e) =>
    (e.frames ?? []).map((name) => {
      const index = frames.findIndex((f) => f.name === name);
      return index >= 0 ? index : frames.push(frameOf(model, name)) - 1;
    }),
  );
  const starts = (sizes: readonly number[], first: number): number[] =>
    sizes.map((_, i) => sizes.slice(0, i).reduce((a, b) => a + b, first));
  const stateCounts = elements.map((e) => e.z0?.length ?? 0);
  const heldCounts = elements.map((e) => e.held?.length ?? 0);
  const elementStates = stateCounts.reduce((a, b) => a + b, 0);
  const nz = elementStates + (isMoving ? ORIGIN_STATES : 0);
  const ledger = model.nq + model.nu + nz;
  return {
    model,
    elements,
    nq: model.nq,
    nu: model.nu,
    nz,
    origin: isMoving ? model.nq + model.nu + elementStates : undefined,
    ny: ledger + LEDGER,
    dissipated: ledger + DISSIPATED,
    supplied: ledger + SUPPLIED,
    z: starts(stateCounts, 0),
    held: starts(heldCounts, 0),
    nheld: heldCounts.reduce((a, b) => a + b, 0),
    frames,
    frameIndex,
    key: added.every((e) => e.traceKey !== undefined) ? [coordinates, ...added.map((e) => e.traceKey)].join("\n") : undefined,
    numeric: elements.some((e) => e.apply !== undefined || (e.friction?.length ?? 0) > 0),
  };
}

/** Names of all held inputs, "element.input", in their order. */
export const heldInputNames = ({ elements }: Layout): string[] =>
  elements.flatMap((e) => (e.held ?? []).map((input) => `${e.name}.${input}`));

/** Held inputs that the schedules of elements give at a time; zero for inputs without a schedule. */
export function scheduledInputs({ elements, held, nheld }: Layout, t: number): Float64Array {
  const inputs = new Float64Array(nheld);
  for (const [i, { schedule = [] }] of elements.entries())
    for (const entry of schedule) if (entry.t <= t) inputs.set(entry.held, held[i]!);
  return inputs;
}

/** Internal states of elements at the start of a run. */
export function startingStates({ elements, z, nz }: Layout): Float64Array {
  const states = new Float64Array(nz);
  for (const [i, { z0 = [] }] of elements.entries()) states.set(z0, z[i]!);
  return states;
}

/** Inputs of the programs of a system. */
export const layoutInputs = (layout: Layout) => ({
  t: 1,
  y: layout.ny,
  held: layout.nheld,
  tau: layout.numeric ? layout.nu : 0,
  w: layout.numeric ? 6 * layout.frames.length : 0,
});
