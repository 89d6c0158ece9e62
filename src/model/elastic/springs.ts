/** Springs of a model: those inside its elastic bodies. They act in every motion. */

import { claimName, nameAdvice } from "../../declare/names.ts";
import type { Parameter } from "../../declare/parameters.ts";
import { childPath } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { ElasticDescription, SpringsDescription } from "../description.ts";
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
  /** The elastic body that they belong to; undefined for springs that are given as such. */
  readonly elastic?: ElasticDescription;
}

const numbersPerSpeed = {
  type: "series",
  unit: "",
  least: 0,
  optional: true,
  about: "One number for each speed of the hinge, in SI units.",
} as const;

/** Springs in hinges, of which elastic bodies consist. */
export const SPRINGS = {
  type: "object",
  id: "springs",
  about: "Springs and dampers in hinges, of which elastic bodies consist.",
  of: {
    name: { type: "name", about: "Name of the springs, unique among them." },
    joints: {
      type: "items",
      noun: "joint",
      nouns: "joints",
      about: "Hinges with springs and dampers.",
      of: {
        type: "object",
        about: "A hinge with springs and dampers.",
        of: {
          hinge: { type: "reference", to: "hinge", about: "Name of a hinge." },
          stiffness: numbersPerSpeed,
          damping: numbersPerSpeed,
        },
      },
    },
    coupling: {
      type: "matrix",
      unit: "",
      free: true,
      optional: true,
      about: "Damping between the speeds of all joints in their order.",
    },
  },
} as const satisfies Parameter;

/** Springs as they were read, and their path in the file. Values with a problem are undefined. */
export interface SpringsEntry {
  readonly value: Partial<SpringsDescription> | undefined;
  readonly path: string;
  readonly elastic?: ElasticDescription;
}

type HingesByName = ReadonlyMap<string, { readonly elements: readonly HingeElement[] } | undefined>;

/** The springs that are complete and fit to the hinges. */
export function springsOf(
  entries: readonly SpringsEntry[],
  hinges: HingesByName,
  isBroken: (name: string) => boolean,
  problems: Problem[],
): readonly Springs[] {
  const usedNames = new Map<string, string>();
  return entries.flatMap(({ value, path, elastic }): readonly Springs[] => {
    const { name, joints: written, coupling } = value ?? {};
    if (name === undefined || written === undefined) return [];
    claimName(usedNames, name, childPath(path, "name"), problems);
    const joints = written.map(
      (joint, i) => joint && springJoint(joint, childPath(childPath(path, "joints"), i), hinges, isBroken, problems),
    );
    if (!joints.every((joint) => joint !== undefined)) return [];
    if (coupling !== undefined) checkCoupling(coupling, childPath(path, "coupling"), joints, problems);
    return [{ name, joints, ...(coupling && { coupling }), ...(elastic && { elastic }) }];
  });
}

function springJoint(
  { hinge: name, ...numbers }: SpringsDescription["joints"][number],
  path: string,
  hinges: HingesByName,
  isBroken: (name: string) => boolean,
  problems: Problem[],
): Springs["joints"][number] | undefined {
  const hinge = hinges.get(name);
  if (hinge === undefined) {
    if (name !== undefined && !hinges.has(name) && !isBroken(name))
      problems.push({
        path: childPath(path, "hinge"),
        message: "no hinge has this name",
        value: valueText(name),
        ...nameAdvice(name, hinges.keys(), problems),
      });
    return undefined;
  }
  const nu = hinge.elements.reduce((sum, e) => sum + e.nu, 0);
  const perSpeed = (key: "stiffness" | "damping"): readonly number[] => {
    const given = numbers[key] ?? new Array<number>(nu).fill(0);
    if (given.length !== nu)
      problems.push({
        path: childPath(path, key),
        message: `must have ${nu} numbers, has ${given.length}`,
        value: valueText(given),
      });
    return given;
  };
  return { hinge: name, stiffness: perSpeed("stiffness"), damping: perSpeed("damping") };
}

/** A coupling must be symmetric without negative eigenvalues, except for rounding: it supplies no energy to any motion. */
function checkCoupling(D: readonly (readonly number[])[], path: string, joints: Springs["joints"], problems: Problem[]): void {
  const n = joints.reduce((sum, j) => sum + j.stiffness.length, 0);
  const note = (message: string): void => {
    problems.push({ path, message });
  };
  if (D.length !== n) note(`must have ${n} rows, one for each freedom of the joints, has ${D.length}`);
  for (const [i, row] of D.entries())
    if (row.length !== n) problems.push({ path: childPath(path, i), message: `must have ${n} numbers, has ${row.length}` });
  if (D.length !== n || D.some((row) => row.length !== n)) return;
  const size = Math.max(...D.flat().map(Math.abs));
  const skew = Math.max(...D.flatMap((row, i) => row.map((v, j) => Math.abs(v - D[j]![i]!))));
  if (skew > 1e-9 * size) note("must be symmetric");
  else if (!isPassive(D, 1e-9 * size)) note("would supply energy: it has a negative eigenvalue");
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
