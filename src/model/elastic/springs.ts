/** Springs of a model: those inside its elastic bodies. They act in every motion. */

import { claimName, nameAdvice, readName } from "../../declare/names.ts";
import { childPath, readArray, readFields, readNumbers } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { HingeElement } from "../hinge.ts";

/** The springs of one elastic body, in passive hinges: one number for each speed of a hinge. */
export interface Springs {
  readonly name: string;
  readonly joints: readonly {
    readonly hinge: string;
    /** Potential: ½ φ·K φ with the rotation vector φ for the turns of a ball, ½ k q² for all other freedoms. */
    readonly stiffness: readonly number[];
    readonly damping: readonly number[];
  }[];
  /** Damping matrix of the speeds of all joints in their order, added to the damping of each. It is symmetric and supplies no energy. */
  readonly coupling?: readonly (readonly number[])[];
}

type HingesByName = ReadonlyMap<string, { readonly elements: readonly HingeElement[] } | undefined>;

export function readSprings(
  items: readonly { readonly value: unknown; readonly path: string }[],
  hinges: HingesByName,
  problems: Problem[],
): readonly Springs[] {
  const usedNames = new Map<string, string>();
  return items.flatMap(({ value, path }) => readOne(value, path, hinges, usedNames, problems) ?? []);
}

function readOne(
  value: unknown,
  path: string,
  hinges: HingesByName,
  usedNames: Map<string, string>,
  problems: Problem[],
): Springs | undefined {
  const before = problems.length;
  const fields = readFields(value, path, ["name", "joints", "coupling"], problems);
  if (fields === undefined) return undefined;
  const name = readName(fields.name, childPath(path, "name"), problems);
  claimName(usedNames, name, childPath(path, "name"), problems);
  const list = readArray(fields.joints, childPath(path, "joints"), "a list of joints", problems) ?? [];
  const joints = list.map((item, i) => readJoint(item, childPath(childPath(path, "joints"), i), hinges, problems));
  if (problems.length > before) return undefined;
  const springJoints = joints as Springs["joints"];
  if (fields.coupling === undefined) return { name, joints: springJoints };
  const n = springJoints.reduce((sum, j) => sum + j.stiffness.length, 0);
  const coupling = readCoupling(fields.coupling, childPath(path, "coupling"), n, problems);
  return coupling && { name, joints: springJoints, coupling };
}

function readJoint(
  value: unknown,
  path: string,
  hinges: HingesByName,
  problems: Problem[],
): Springs["joints"][number] | undefined {
  const fields = readFields(value, path, ["hinge", "stiffness", "damping"], problems);
  if (fields === undefined) return undefined;
  const name = fields.hinge as string;
  if (!hinges.has(name)) {
    const message = typeof name === "string" ? "no hinge has this name" : "must be the name of a hinge";
    problems.push({
      path: childPath(path, "hinge"),
      message,
      value: valueText(name),
      ...nameAdvice(name, hinges.keys(), problems),
    });
    return undefined;
  }
  const hinge = hinges.get(name);
  if (hinge === undefined) return undefined; // its problem has been reported
  const nu = hinge.elements.reduce((sum, e) => sum + e.nu, 0);
  const numbers = (key: "stiffness" | "damping"): readonly number[] | undefined => {
    if (fields[key] === undefined) return new Array<number>(nu).fill(0);
    const numbersRead = readNumbers(fields[key], childPath(path, key), nu, problems);
    if (numbersRead?.some((v) => v < 0))
      problems.push({ path: childPath(path, key), message: "must not be negative", value: valueText(numbersRead) });
    return numbersRead;
  };
  const [stiffness, damping] = [numbers("stiffness"), numbers("damping")];
  return stiffness && damping && { hinge: name, stiffness, damping };
}

/** A symmetric matrix without negative eigenvalues, except for rounding: it supplies no energy to any motion. */
function readCoupling(value: unknown, path: string, n: number, problems: Problem[]): readonly (readonly number[])[] | undefined {
  const rows = readArray(value, path, `${n} rows of ${n} numbers`, problems);
  if (rows === undefined) return undefined;
  if (rows.length !== n) {
    problems.push({ path, message: `must have ${n} rows, one for each freedom of the joints, has ${rows.length}` });
    return undefined;
  }
  const numbersRead = rows.map((row, i) => readNumbers(row, childPath(path, i), n, problems));
  if (numbersRead.some((row) => row === undefined)) return undefined;
  const D = numbersRead as (readonly number[])[];
  const size = Math.max(...D.flat().map(Math.abs));
  const skew = Math.max(...D.flatMap((row, i) => row.map((v, j) => Math.abs(v - D[j]![i]!))));
  if (skew > 1e-9 * size) problems.push({ path, message: "must be symmetric" });
  else if (!isPassive(D, 1e-9 * size)) problems.push({ path, message: "would supply energy: it has a negative eigenvalue" });
  else return D;
  return undefined;
}

/** True if elimination of D + rounding has no negative pivot. */
function isPassive(D: readonly (readonly number[])[], rounding: number): boolean {
  const A = D.map((row, i) => row.map((v, j) => v + (i === j ? rounding : 0)));
  for (let k = 0; k < A.length; k++) {
    if (!(A[k]![k]! >= 0)) return false;
    if (A[k]![k] === 0) continue;
    for (let i = k + 1; i < A.length; i++) {
      const f = A[i]![k]! / A[k]![k]!;
      if (f !== 0) for (let j = k; j < A.length; j++) A[i]![j]! -= f * A[k]![j]!;
    }
  }
  return true;
}
