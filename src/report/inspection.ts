/** What a model file contains: bodies, hinges, limits, loops and forces, and what was not understood. Plain data for text and JSON. */
import { type Fields, isFields } from "../declare/plain-data.ts";
import { readQuantityInUnit } from "../declare/units.ts";
import { bodyPoses } from "../dynamics/programs.ts";
import type { Problem } from "../errors.ts";
import type { ImportedModel, UnsupportedFeature } from "../formats/robot/imported-model.ts";
import { compile } from "../kernel/run/kernel.ts";
import type { Loop } from "../model/loop.ts";
import { type Hinge, hingeCoordinateNames, type Model } from "../model/model.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { NumericVec3 } from "../spatial/vec3.ts";
import { worldPoint } from "./pictures/recorded-poses.ts";

/** Limits of one freedom: SI units, undefined if there are none. */
export interface FreedomLimits {
  readonly lower?: number;
  readonly upper?: number;
  /** Largest speed that the file names. A run reports it only if its scenario has such a limit. */
  readonly speed?: number;
  /** Largest torque or force of the drive. */
  readonly effort?: number;
}

export interface InspectedFreedom extends FreedomLimits {
  readonly name: string;
  readonly unit: string;
  /** Coordinate at the start. */
  readonly start: number;
}

export interface InspectedBody {
  readonly name: string;
  /** Name of the carrier; "world" for a root. */
  readonly parent: string;
  /** Number of bodies between it and the world. */
  readonly depth: number;
  readonly mass: number;
  readonly com: NumericVec3;
  /** About the mass centre, in body axes: xx, yy, zz, xy, xz, yz. */
  readonly inertia: readonly number[];
  readonly hinge: { readonly name: string; readonly kind: string; readonly freedoms: number };
  /** Limits of the freedoms with one coordinate each. */
  readonly freedoms: readonly InspectedFreedom[];
  readonly frames: readonly string[];
  /** Number of shapes by kind. */
  readonly shapes: Readonly<Record<string, number>>;
}

export interface Inspection {
  readonly source: string;
  /** "URDF robot", "scenario" ... */
  readonly kind: string;
  readonly name: string;
  readonly gravity: NumericVec3;
  readonly mass: number;
  /** Mass centre at the start, world axes; null without mass. */
  readonly massCentre: NumericVec3 | null;
  readonly freedoms: number;
  /** Number of equations of the engaged loops. */
  readonly loopEquations: number;
  readonly bodies: readonly InspectedBody[];
  readonly loops: readonly {
    readonly name: string;
    readonly kind: string;
    readonly equations: number;
    readonly engaged: boolean;
  }[];
  readonly forces: readonly { readonly name: string; readonly kind: string }[];
  readonly poses: readonly string[];
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Shapes of the file that a force `contact` can use. */
  readonly contactShapes: number;
  readonly notUnderstood: readonly UnsupportedFeature[];
  readonly warnings: readonly Problem[];
}

/** @param imported content of the robot file, if the model is one */
export function inspect(
  { model, q, document, warnings }: Scenario,
  file: { readonly source: string; readonly kind: string },
  imported: ImportedModel | undefined,
): Inspection {
  const limits = limitsOf(model, fieldsOf(document.forces), imported?.limits ?? {});
  const depths: number[] = [];
  const bodies = model.bodies.map(({ name, parent, index, mass, com, inertia, hinge, shapes }): InspectedBody => {
    depths.push(parent < 0 ? 0 : depths[parent]! + 1);
    const [x, y, z] = inertia;
    return {
      name,
      parent: model.bodies[parent]?.name ?? "world",
      depth: depths[index]!,
      mass,
      com,
      inertia: [x[0], y[1], z[2], x[1], x[2], y[2]],
      hinge: { name: hinge.name, kind: hinge.kind, freedoms: hinge.nu },
      freedoms: freedomsOf(hinge, q, limits),
      frames: model.frames.filter((frame) => frame.body === index).map((frame) => frame.name),
      shapes: counted(shapes.map(({ kind }) => kind)),
    };
  });
  const isFeature = new Set((imported?.unsupported ?? []).map(({ feature }) => feature));
  return {
    ...file,
    name: model.name,
    gravity: model.gravity,
    ...massOf(model, q),
    freedoms: model.nu,
    loopEquations: model.loops.reduce((sum, loop) => sum + equationsOf(loop), 0),
    bodies,
    loops: [...model.loops.map((loop) => describeLoop(loop, true)), ...model.openLoops.map((loop) => describeLoop(loop, false))],
    forces: Object.entries(fieldsOf(document.forces)).map(([name, force]) => ({ name, kind: String(fieldsOf(force).kind) })),
    poses: Object.keys(imported?.states ?? {}).filter((name) => name !== "start"),
    groups: imported?.groups ?? {},
    contactShapes: imported?.contactShapes.length ?? 0,
    notUnderstood: imported?.unsupported ?? [],
    // Features that were not understood have a list of their own.
    warnings: warnings.filter(({ path, message }) => path !== "" || !startsWithAny(message, isFeature)),
  };
}

const startsWithAny = (message: string, features: ReadonlySet<string>): boolean =>
  / is not supported: /.test(message) && [...features].some((feature) => message.startsWith(feature));

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

const equationsOf = (loop: Loop): number => (loop.type === "frames" ? loop.rows.length : 1);

const describeLoop = (loop: Loop, engaged: boolean): Inspection["loops"][number] => ({
  name: loop.name,
  kind: loop.kind,
  equations: equationsOf(loop),
  engaged,
});

const counted = (names: readonly string[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

function massOf(model: Model, q: Float64Array): Pick<Inspection, "mass" | "massCentre"> {
  const kernel = compile(bodyPoses(model));
  kernel.x.set(q);
  kernel.evaluate();
  const mass = model.bodies.reduce((sum, body) => sum + body.mass, 0);
  if (mass === 0) return { mass, massCentre: null };
  const centre = [0, 0, 0];
  for (const body of model.bodies)
    for (const [i, c] of worldPoint(kernel.y, body.index, body.com).entries()) centre[i]! += (body.mass * c) / mass;
  return { mass, massCentre: centre as unknown as NumericVec3 };
}

/** Freedoms whose coordinate and speed belong together: not those of balls and free motion. */
function freedomsOf(hinge: Hinge, q: Float64Array, limits: ReadonlyMap<string, FreedomLimits>): readonly InspectedFreedom[] {
  if (hinge.nq !== hinge.nu) return [];
  const units = hinge.elements.flatMap((element) => element.units.q);
  return hingeCoordinateNames(hinge, "q").map((name, i) => ({
    name,
    unit: units[i]!,
    start: q[hinge.q + i]!,
    ...limits.get(name),
  }));
}

/** Limits by the name of the freedom: ranges of stops, largest efforts of drives, and largest speeds of the file. */
function limitsOf(model: Model, forces: Fields, speedLimits: ImportedModel["limits"]): ReadonlyMap<string, FreedomLimits> {
  const limits = new Map<string, FreedomLimits>();
  const add = (name: unknown, more: FreedomLimits): void => {
    if (typeof name === "string") limits.set(name, { ...limits.get(name), ...more });
  };
  const unitOf = (name: unknown): string =>
    model.bodies.find(({ hinge }) => hinge.name === name)?.hinge.elements[0]?.units.q[0] ?? "rad";
  for (const force of Object.values(forces).map(fieldsOf)) {
    const { kind, hinge, lower, upper, limit } = force;
    const coordinate = unitOf(hinge);
    if (kind === "stop") add(hinge, { ...quantity("lower", lower, coordinate), ...quantity("upper", upper, coordinate) });
    if (kind === "actuator" || kind === "servo") add(hinge, quantity("effort", limit, coordinate === "m" ? "N" : "N m"));
  }
  for (const { channels, most } of Object.values(speedLimits))
    if (typeof channels === "string" && typeof most === "number") add(channels.replace(/^u\./, ""), { speed: most });
  return limits;
}

/** A number of a file in SI units, which may be text with a unit. */
function quantity(key: keyof FreedomLimits, value: unknown, unit: string): FreedomLimits {
  const number = value === undefined ? undefined : readQuantityInUnit(value, unit as "rad", "", []);
  return number === undefined ? {} : { [key]: number };
}
