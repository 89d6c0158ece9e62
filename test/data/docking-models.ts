/** The reference models of the docking study as Castor models: data of docking-loops.json and docking-overconstrained.json, taken literally. */

import { readFileSync } from "node:fs";
import { createModel } from "../../src/model/build/create-model.ts";
import type { BodyDescription, LoopDescription } from "../../src/model/description.ts";
import type { Model } from "../../src/model/model.ts";
import type { NumericMat3 } from "../../src/spatial/rotation.ts";
import { apply, fromQuaternion, type Quaternion, transpose } from "../../src/spatial/rotation.ts";
import type { NumericVec3 } from "../../src/spatial/vec3.ts";
import { cross } from "../../src/spatial/vec3.ts";

type Motion = "Px" | "Py" | "Pz" | "Rx" | "Ry" | "Rz";

interface BodyData {
  readonly id: number;
  readonly name: string;
  readonly parent: number;
  readonly r: NumericVec3;
  readonly E: NumericMat3;
  readonly joint: "free" | readonly Motion[];
  readonly m: number;
  readonly c: NumericVec3;
  readonly J: NumericMat3;
}

export interface LoopData {
  readonly k: number;
  readonly R: number;
  readonly T: number;
  readonly sT: NumericVec3;
  readonly I: number;
  readonly sI: NumericVec3;
  readonly kind: "S" | "PL" | "RV";
  readonly P?: readonly (readonly number[])[];
  readonly aT?: readonly NumericVec3[];
  readonly bI?: NumericVec3;
  readonly dep_u?: readonly number[];
  readonly chain?: ChainData;
}

export interface ChainData {
  readonly type: "R2P1R3" | "R1R2R3" | "RR" | "RP";
  readonly o: NumericVec3;
  readonly E: NumericMat3;
  readonly L0?: number;
  readonly l12?: number;
  readonly l23?: number;
  readonly sigma?: 1 | -1;
  readonly vars: readonly number[];
}

interface JointForce {
  readonly type: "joint";
  readonly u_index: number;
  readonly k: number;
  readonly c: number;
  readonly q0: number;
  readonly const: number;
}
interface BodyForce {
  readonly type: "body_wrench";
  readonly body: number;
  readonly F_world: NumericVec3;
  readonly M_world: NumericVec3;
}

export interface ModelData {
  readonly name?: string;
  readonly gravity: NumericVec3;
  readonly nq: number;
  readonly nu: number;
  readonly bodies: readonly BodyData[];
  readonly loops: readonly LoopData[];
  readonly independent_u?: readonly number[];
}

export interface StateData {
  readonly q: readonly number[];
  readonly u: readonly number[];
  readonly udot: readonly number[];
  readonly forces: readonly (JointForce | BodyForce)[];
}

export interface LoopCase {
  readonly model: ModelData;
  readonly acceleration_case: StateData & {
    readonly loop_forces_on_T_in_R_axes: readonly (readonly number[])[];
    readonly reduced_mass_matrix: readonly (readonly number[])[];
    readonly reduced_rhs: readonly number[];
    readonly force_of_mechanism_on_base_world?: NumericVec3;
    readonly moment_of_mechanism_on_base_about_base_origin_world?: NumericVec3;
  };
  readonly trajectory_case?: {
    readonly start: { readonly q: readonly number[]; readonly u: readonly number[] };
    readonly end: { readonly t: number; readonly q: readonly number[]; readonly u: readonly number[] };
    readonly forces: StateData["forces"];
    readonly impulse?: { readonly point_on_ring: NumericVec3; readonly impulse_world_Ns: NumericVec3 };
  };
}

export type OverconstrainedCase = StateData & {
  readonly model: ModelData;
  readonly rows: number;
  readonly rank: number;
  readonly dof: number;
};

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));

export const LOOP_CASES = (read("docking-loops.json") as { cases: Readonly<Record<string, LoopCase>> }).cases;
export const OVERCONSTRAINED = read("docking-overconstrained.json") as Readonly<Record<string, OverconstrainedCase>>;

const KIND = { P: "prismatic", R: "revolute" } as const;

/** Every joint of several motions is a chain of bodies, massless but for the last, so that speeds are in the order of the data. */
export function dockingModel({ gravity, bodies, loops }: ModelData, name: string): Model {
  const nameOf = (id: number): string => (id === 0 ? "world" : bodies[id - 1]!.name);
  return createModel({
    name,
    gravity,
    bodies: bodies.flatMap((body): BodyDescription[] => {
      const placed = { at: body.r, rotation: { matrix: body.E } };
      const parent = body.parent === 0 ? {} : { parent: nameOf(body.parent) };
      const own = {
        name: body.name,
        mass: body.m,
        com: body.c,
        inertia: body.J,
        frames: { [`${body.name} com`]: { at: body.c } },
      };
      if (body.joint === "free") return [{ ...own, ...parent, hinge: { kind: "free", ...placed } }];
      const partOf = (i: number): string => `${body.name}'${i + 1}`;
      return body.joint.map((motion, i, all): BodyDescription => {
        const hinge = {
          kind: KIND[motion[0] as "P" | "R"],
          axis: motion[1] as "x" | "y" | "z",
          ...(i === 0 && placed),
        };
        const on = i === 0 ? parent : { parent: partOf(i - 1) };
        return i + 1 === all.length ? { ...own, ...on, hinge } : { name: partOf(i), ...on, mass: 0, inertia: "none", hinge };
      });
    }),
    loops: loops.map((loop): LoopDescription => {
      const from = { body: nameOf(loop.I), at: loop.sI };
      const to = { body: nameOf(loop.T), at: loop.sT };
      const named = { name: `loop ${loop.k}` };
      if (loop.kind === "S") return { ...named, kind: "spherical", from, to };
      if (loop.kind === "PL") return { ...named, kind: "point-on-line", axis: "z", from, to };
      return {
        ...named,
        kind: "revolute",
        from: { ...from, rotation: { matrix: alongZ(loop.bI!) } },
        to: { ...to, rotation: { matrix: alongZ(cross(loop.aT![0]!, loop.aT![1]!) as NumericVec3) } },
      };
    }),
  });
}

/** A rotation whose z axis is along a vector. */
function alongZ(n: NumericVec3): NumericMat3 {
  const z = unit(n);
  const x = unit(cross(Math.abs(z[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0], z) as NumericVec3);
  return transpose([x, cross(z, x), z] as unknown as NumericMat3) as NumericMat3;
}

const unit = (v: NumericVec3): NumericVec3 => {
  const size = Math.hypot(...v);
  return [v[0] / size, v[1] / size, v[2] / size];
};

/** Values of the data in Castor's order, and back: a free hinge has attitude first, and its angular velocity in world axes. */
export function toCastor(
  { bodies }: ModelData,
  { q, u }: { readonly q: readonly number[]; readonly u: readonly number[] },
): { q: Float64Array; u: Float64Array; speeds: (given: readonly number[]) => Float64Array } {
  const isFree = bodies[0]!.joint === "free";
  const R = isFree ? (fromQuaternion(q.slice(3, 7) as unknown as Quaternion<number>) as NumericMat3) : undefined;
  const speeds = (given: readonly number[]): Float64Array =>
    Float64Array.from(
      R ? [...apply(R, given.slice(3, 6) as unknown as NumericVec3), ...given.slice(0, 3), ...given.slice(6)] : given,
      Number,
    );
  return { q: Float64Array.from(isFree ? [...q.slice(3, 7), ...q.slice(0, 3), ...q.slice(7)] : q), u: speeds(u), speeds };
}

/** Generalised forces in Castor's order, and wrenches at mass centres with the names of their frames. */
export function loadsOf(
  { bodies, nu, nq }: ModelData,
  forces: StateData["forces"],
  q: Float64Array,
  u: Float64Array,
): { readonly tau: Float64Array; readonly w: Float64Array; readonly wrenches: readonly string[] } {
  const tau = new Float64Array(nu);
  const w: number[] = [];
  const wrenches: string[] = [];
  for (const force of forces) {
    if (force.type === "body_wrench") {
      wrenches.push(`${bodies[force.body - 1]!.name} com`);
      w.push(...force.M_world, ...force.F_world);
    } else {
      const i = force.u_index;
      tau[i] = force.const - force.k * (q[i + nq - nu]! - force.q0) - force.c * u[i]!;
    }
  }
  return { tau, w: Float64Array.from(w), wrenches };
}
