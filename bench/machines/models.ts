/**
 * The ten benchmark models. m1: free base + 4R; m2: free base + two arms and three wheels; m3: fixed 7R; m4: free base + 30R chain; m5: free base +
 * 100R tree. Models "a" are axis-aligned, as real machines are. Models "g" have random fixed rotations, offsets and full inertias: the worst
 * case for constant folding.
 */
import { readFileSync } from "node:fs";
import type { BodyDescription, ModelDescription } from "castor";

export const MODEL_NAMES = ["m1a", "m1g", "m2a", "m2g", "m3a", "m3g", "m4a", "m4g", "m5a", "m5g"] as const;
export type ModelName = (typeof MODEL_NAMES)[number];

/** A state and the generalised forces on it, in Castor's conventions. */
export interface BenchState {
  readonly q: Float64Array;
  readonly u: Float64Array;
  readonly tau: Float64Array;
}

export interface BenchModel {
  readonly description: ModelDescription;
  readonly state: BenchState;
}

interface FileBody {
  readonly parent: number;
  /** 0 free, 1, 2, 3 revolute about x, y, z */
  readonly jtype: 0 | 1 | 2 | 3;
  /** Row-major, child to parent. */
  readonly R: readonly number[];
  readonly p: readonly [number, number, number];
  readonly mass: number;
  readonly com: readonly [number, number, number];
  /** xx xy xz yy yz zz about the mass centre, body axes. */
  readonly I: readonly [number, number, number, number, number, number];
}

/**
 * The first six entries of `v` and `tau` belong to the base, in Castor's convention: angular, then linear, in inertial axes. `quat` is
 * [w, x, y, z]. The files also contain `vd`, random accelerations for inverse dynamics; they do not correspond to `tau`.
 */
interface FileState {
  readonly pos: readonly number[];
  readonly quat: readonly number[];
  readonly q: readonly number[];
  readonly v: readonly number[];
  readonly tau: readonly number[];
}

interface BenchModelFile {
  readonly name: string;
  readonly gravity: readonly [number, number, number];
  readonly bodies: readonly FileBody[];
  readonly state: FileState;
}

// The path is valid from bench/machines/ and from the compiled dist-bench/machines/.
const FOLDER = new URL("../../bench/models/", import.meta.url);

const HINGE = [
  { kind: "free" },
  { kind: "revolute", axis: "x" },
  { kind: "revolute", axis: "y" },
  { kind: "revolute", axis: "z" },
] as const;

export function readModel(name: ModelName): BenchModel {
  const file = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8")) as BenchModelFile;
  const { pos, quat, q, v, tau } = file.state;
  return {
    description: { name: file.name, gravity: file.gravity, bodies: file.bodies.map(toBody) },
    state: { q: Float64Array.from([...quat, ...pos, ...q]), u: Float64Array.from(v), tau: Float64Array.from(tau) },
  };
}

function toBody({ parent, jtype, R, p, mass, com, I }: FileBody, index: number): BodyDescription {
  const [xx, xy, xz, yy, yz, zz] = I;
  const matrix = [R.slice(0, 3), R.slice(3, 6), R.slice(6, 9)];
  return {
    name: `b${index}`,
    ...(parent < 0 ? {} : { parent: `b${parent}` }),
    mass,
    com,
    inertia: [xx, yy, zz, xy, xz, yz],
    hinge: { ...HINGE[jtype], at: p, rotation: { matrix } },
  };
}
