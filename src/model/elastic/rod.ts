/** An elastic body as a straight rod along x: mass and stiffness along its length, parsed from one of four descriptions. */

import { didYouMean } from "../../declare/names.ts";
import { childPath, type Fields, readArray, readFields, readNumber } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import { cube, integerPower, square } from "../../math/elementary/power.ts";
import { momentIntegrals } from "./joint-positions.ts";
import type { SectionDimensions, SectionProperties } from "./section.ts";
import { interpolateSection, readBendingPair, readSection, sectionExtent, sectionProperties } from "./section.ts";

/** Freedoms of a joint inside the body: stretch, twist, bending about y and about z. */
export const JOINT_FREEDOMS = ["x", "rx", "ry", "rz"] as const;
export type JointFreedom = (typeof JOINT_FREEDOMS)[number];

/** A quantity along the body, as a function of the relative position from root (0) to tip (1). */
type RodFunction = (position: number) => number;

export interface Rod {
  readonly length: number;
  /** True if all quantities are constant along the rod. */
  readonly uniform: boolean;
  readonly freedoms: readonly JointFreedom[];
  /** kg/m, and rotary inertia of the sections about x, y, z in kg m. */
  readonly mass: RodFunction;
  readonly rotary: { readonly x: RodFunction; readonly y: RodFunction; readonly z: RodFunction };
  /** Extent along y and z, m. */
  readonly extent: (position: number) => readonly [number, number];
  readonly round: boolean;
  /** EA, GJ, EIy, EIz of the freedoms; empty if the joints are listed. */
  readonly stiffness: Partial<Readonly<Record<JointFreedom, RodFunction>>>;
}

interface ElasticMaterial {
  readonly youngs: number;
  readonly shear: number;
  readonly density: number;
}

/** Common values at room temperature. */
export const MATERIALS: Readonly<Record<string, ElasticMaterial>> = {
  steel: { youngs: 206e9, shear: 79.3e9, density: 7850 },
  aluminium: { youngs: 70e9, shear: 26.3e9, density: 2700 },
  titanium: { youngs: 114e9, shear: 42.4e9, density: 4430 },
};

export const ELASTIC_KEYS = [
  ...["length", "material", "section", "tipSection", "mass", "massPerLength", "bendingStiffness", "torsionStiffness"],
  ...["axialStiffness", "polarInertia", "measured", "joints", "freedoms", "rotations", "damping"],
];

/** Clamped uniform body: ω₁ = λ² √(EI / (μ L⁴)), λ the first root of cos λ cosh λ = -1. */
const FIRST_ROOT = 1.8751040687119611;
/** Without a section, the rotary inertia about x is that of a round rod with this ratio of diameter to length. */
const THIN = 1 / 100;

export function readRod(fields: Fields, path: string, problems: Problem[]): Rod | undefined {
  const before = problems.length;
  const pathOf = (key: string): string => childPath(path, key);
  const positive = (key: string): number | undefined => {
    if (fields[key] === undefined) return undefined;
    const value = readNumber(fields[key], pathOf(key), problems);
    if (value !== undefined && value > 0) return value;
    if (value !== undefined) problems.push({ path: pathOf(key), message: "must be positive", value: valueText(value) });
    return undefined;
  };
  if (fields.length === undefined) problems.push({ path: pathOf("length"), message: "is missing" });
  const length = positive("length");
  const sections = readSections(fields, path, problems);
  const material = fields.material === undefined ? undefined : readMaterial(fields.material, pathOf("material"), problems);
  const totalMass = positive("mass");
  const massPerLength = positive("massPerLength");
  const bending = readBending(fields, path, problems);
  const [twist, stretch, polar] = ["torsionStiffness", "axialStiffness", "polarInertia"].map(positive) as (number | undefined)[];
  if (problems.length > before || length === undefined) return undefined;
  const hasJointList = Array.isArray(fields.joints);
  checkStiffnessSources(fields, hasJointList, path, problems);
  if (problems.length > before) return undefined;

  const constant =
    (value: number): RodFunction =>
    () =>
      value;
  const section = sections?.at;
  const mu =
    massPerLength ?? (totalMass === undefined || !sections || sections.uniform ? totalMass && totalMass / length : undefined);
  // The mass of a tapered body is distributed by area.
  const density =
    totalMass === undefined || !section
      ? material?.density
      : totalMass / (length * momentIntegrals((x) => section(x).area)[0].at(-1)!);
  const mass: RodFunction =
    mu !== undefined
      ? constant(mu)
      : section && density !== undefined
        ? (position) => density * section(position).area
        : constant(0);
  if (mu === undefined && !(section && density !== undefined)) {
    const advice = "Give material and section, or mass, or massPerLength";
    problems.push({ path, message: "its mass is not given", advice });
    return undefined;
  }
  // A known section gives its rotary inertia. Otherwise the rod is slender: bending has no rotary inertia.
  const rotary = (which: (s: SectionProperties) => number, otherwise: number): RodFunction =>
    section ? (position) => (mass(position) / section(position).area) * which(section(position)) : constant(otherwise);
  const rotaryX = polar === undefined ? rotary((s) => s.Iy + s.Iz, (mass(0.5) * square(THIN * length)) / 8) : constant(polar);
  const stiffness: { [K in JointFreedom]?: RodFunction } = {};
  if (bending) {
    stiffness.ry = constant(bending[0]);
    stiffness.rz = constant(bending[1]);
  } else if (section && material) {
    stiffness.x = (position) => material.youngs * section(position).area;
    if (!Number.isNaN(section(0).torsion)) stiffness.rx = (position) => material.shear * section(position).torsion;
    stiffness.ry = (position) => material.youngs * section(position).Iy;
    stiffness.rz = (position) => material.youngs * section(position).Iz;
  } else if (fields.measured !== undefined) {
    const EI = readMeasured(fields.measured, pathOf("measured"), length, mass(0.5), problems);
    if (EI !== undefined) {
      stiffness.ry = constant(EI);
      stiffness.rz = constant(EI);
    }
  }
  if (twist !== undefined) stiffness.rx = constant(twist);
  if (stretch !== undefined) stiffness.x = constant(stretch);
  const freedoms = readFreedoms(fields.freedoms, pathOf("freedoms"), hasJointList ? undefined : stiffness, problems);
  if (problems.length > before) return undefined;
  if (freedoms.includes("rx") && twist !== undefined && polar === undefined && section === undefined)
    problems.push({
      path: pathOf("polarInertia"),
      message: "is missing: the inertia against twist is not known",
      advice: "Give polarInertia in kg m, or a section",
    });
  return {
    length,
    uniform: sections?.uniform ?? true,
    freedoms,
    mass,
    rotary: { x: rotaryX, y: rotary((s) => s.Iy, 0), z: rotary((s) => s.Iz, 0) },
    extent: (position) => sections?.extent(position) ?? [THIN * length, THIN * length],
    round: sections?.round ?? true,
    stiffness,
  };
}

/** Reports a stiffness that is given in no way or in several ways. */
function checkStiffnessSources(fields: Fields, hasJointList: boolean, path: string, problems: Problem[]): void {
  const sources = [["material", "section"], ["bendingStiffness"], ["measured"], ...(hasJointList ? [["joints"]] : [])].filter(
    ([first]) => fields[first!] !== undefined,
  );
  const advice = "Give material and section, or bendingStiffness, or measured, or a list of joints";
  if (sources.length === 0) problems.push({ path, message: "its stiffness is not given", advice });
  if (sources.length > 1)
    problems.push({
      path,
      message: `its stiffness is given ${sources.length} times: ${sources.map((w) => w[0]).join(", ")}`,
      advice,
    });
  for (const [key, other] of [
    ["material", "section"],
    ["tipSection", "section"],
  ] as const)
    if (fields[key] !== undefined && fields[other] === undefined)
      problems.push({ path: childPath(path, other), message: `is missing: ${key} needs it` });
  if (fields.mass !== undefined && fields.massPerLength !== undefined)
    problems.push({
      path: childPath(path, "mass"),
      message: "is given twice: mass and massPerLength",
      value: valueText(fields.mass),
    });
}

interface SectionsAlongRod {
  readonly at: (position: number) => SectionProperties;
  readonly extent: (position: number) => readonly [number, number];
  readonly round: boolean;
  readonly uniform: boolean;
}

function readSections(fields: Fields, path: string, problems: Problem[]): SectionsAlongRod | undefined {
  if (fields.section === undefined) return undefined;
  const root = readSection(fields.section, childPath(path, "section"), problems);
  const tip = fields.tipSection === undefined ? root : readSection(fields.tipSection, childPath(path, "tipSection"), problems);
  if (root === undefined || tip === undefined) return undefined;
  const same = root.kind === tip.kind && Object.keys(root.numbers).join() === Object.keys(tip.numbers).join();
  if (!same) {
    const message = `must be of the same kind as the section at the root, ${root.kind}, with the same numbers`;
    problems.push({ path: childPath(path, "tipSection"), message, value: valueText(fields.tipSection) });
    return undefined;
  }
  const between = (position: number): SectionDimensions => interpolateSection(root, tip, position);
  const uniform = Object.entries(root.numbers).every(([key, value]) => tip.numbers[key] === value);
  return {
    at: uniform ? () => sectionProperties(root) : (position) => sectionProperties(between(position)),
    extent: (position) => sectionExtent(between(position)),
    round: root.kind !== "box",
    uniform,
  };
}

function readMaterial(value: unknown, path: string, problems: Problem[]): ElasticMaterial | undefined {
  if (typeof value === "string") {
    if (Object.hasOwn(MATERIALS, value)) return MATERIALS[value];
    const advice = `${didYouMean(value, Object.keys(MATERIALS))} (or youngs, shear or poisson, and density)`;
    problems.push({ path, message: "no such material", value: valueText(value), advice });
    return undefined;
  }
  const fields = readFields(value, path, ["youngs", "shear", "poisson", "density"], problems);
  if (fields === undefined) return undefined;
  const number = (key: string): number | undefined => {
    const read = readNumber(fields[key], childPath(path, key), problems);
    if (read === undefined || read > 0) return read;
    problems.push({ path: childPath(path, key), message: "must be positive", value: valueText(read) });
    return undefined;
  };
  const [youngs, density] = [number("youngs"), number("density")];
  const poisson = fields.poisson === undefined ? 0.3 : readNumber(fields.poisson, childPath(path, "poisson"), problems);
  if (poisson !== undefined && !(poisson > -1 && poisson <= 0.5))
    problems.push({ path: childPath(path, "poisson"), message: "must be above -1 and at most 0.5", value: valueText(poisson) });
  const shear = fields.shear === undefined ? (youngs ?? 0) / (2 * (1 + (poisson ?? 0))) : number("shear");
  return youngs === undefined || density === undefined || shear === undefined ? undefined : { youngs, shear, density };
}

function readBending(fields: Fields, path: string, problems: Problem[]): readonly [number, number] | undefined {
  if (fields.bendingStiffness === undefined) return undefined;
  const at = childPath(path, "bendingStiffness");
  const pair = readBendingPair(fields.bendingStiffness, at, problems);
  if (pair === undefined || pair.every((v) => v > 0)) return pair;
  problems.push({ path: at, message: "must be positive", value: valueText(fields.bendingStiffness) });
  return undefined;
}

/** EI of the uniform body with the measured first frequency of the clamped body, or deflection of its tip under a force. */
function readMeasured(value: unknown, path: string, length: number, mu: number, problems: Problem[]): number | undefined {
  const fields = readFields(value, path, ["frequency", "compliance"], problems);
  if (fields === undefined) return undefined;
  const givenKeys = ["frequency", "compliance"].filter((key) => fields[key] !== undefined);
  if (givenKeys.length !== 1) {
    const advice = "Give frequency (Hz, clamped) or compliance (m/N, at the tip); castor identify fits several measurements";
    problems.push({
      path,
      message: givenKeys.length === 0 ? "contains no measurement" : "contains two measurements of one stiffness",
      advice,
    });
    return undefined;
  }
  const number = readNumber(fields[givenKeys[0]!], childPath(path, givenKeys[0]!), problems);
  if (number === undefined) return undefined;
  if (!(number > 0)) {
    problems.push({ path: childPath(path, givenKeys[0]!), message: "must be positive", value: valueText(number) });
    return undefined;
  }
  return givenKeys[0] === "compliance"
    ? cube(length) / (3 * number)
    : mu * integerPower(length, 4) * square((2 * Math.PI * number) / square(FIRST_ROOT));
}

/** The listed freedoms; if none are listed, twist and bending with a known stiffness. */
function readFreedoms(
  value: unknown,
  path: string,
  known: Rod["stiffness"] | undefined,
  problems: Problem[],
): readonly JointFreedom[] {
  if (value === undefined) return JOINT_FREEDOMS.filter((f) => f !== "x" && (known ? known[f] !== undefined : f === "rz"));
  const items = readArray(value, path, `a list of ${JOINT_FREEDOMS.join(", ")}`, problems) ?? [];
  const chosen = JOINT_FREEDOMS.filter((f) => items.includes(f));
  for (const [i, item] of items.entries())
    if (!JOINT_FREEDOMS.includes(item as JointFreedom))
      problems.push({
        path: childPath(path, i),
        message: "no such freedom",
        value: valueText(item),
        advice: didYouMean(item, [...JOINT_FREEDOMS]),
      });
  if (items.length === 0) problems.push({ path, message: "must name at least one freedom: without freedoms the body is rigid" });
  const keys = { x: "axialStiffness", rx: "torsionStiffness", ry: "bendingStiffness", rz: "bendingStiffness" };
  for (const f of chosen)
    if (known && known[f] === undefined)
      problems.push({ path, message: `its stiffness along ${f} is not given`, advice: `Give ${keys[f]}, or leave ${f} out` });
  return chosen;
}
