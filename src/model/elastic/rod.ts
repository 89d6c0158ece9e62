/** An elastic body as a straight rod along x: mass and stiffness along its length, from one of four descriptions. */

import type { NoteRule } from "../../declare/parameters.ts";
import { childPath, type Fields } from "../../declare/plain-data.ts";
import type { Problem } from "../../errors.ts";
import { cube, integerPower, square } from "../../math/elementary/power.ts";
import type { ElasticDescription } from "../description.ts";
import { momentIntegrals } from "./joint-positions.ts";
import type { SectionDimensions, SectionProperties } from "./section.ts";
import { interpolateSection, sectionDimensions, sectionExtent, sectionProperties } from "./section.ts";

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

/** Poisson's ratio of a material without shear modulus. */
export const DEFAULT_POISSON = 0.3;

/** Clamped uniform body: ω₁ = λ² √(EI / (μ L⁴)), λ the first root of cos λ cosh λ = -1. */
const FIRST_ROOT = 1.8751040687119611;
/** Without a section, the rotary inertia about x is that of a round rod with this ratio of diameter to length. */
const THIN = 1 / 100;

/** The rod that a description without problems means. Returns undefined after a problem. */
export function rodOf(elastic: ElasticDescription, path: string, problems: Problem[]): Rod | undefined {
  const before = problems.length;
  const pathOf = (key: string): string => childPath(path, key);
  const {
    length,
    mass: totalMass,
    massPerLength,
    torsionStiffness: twist,
    axialStiffness: stretch,
    polarInertia: polar,
  } = elastic;
  const sections = sectionsAlong(elastic);
  const material = elastic.material === undefined ? undefined : materialOf(elastic.material);
  const bending =
    typeof elastic.bendingStiffness === "number"
      ? ([elastic.bendingStiffness, elastic.bendingStiffness] as const)
      : elastic.bendingStiffness;
  const hasJointList = typeof elastic.joints === "object";

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
  } else if (elastic.measured !== undefined) {
    const EI = measuredStiffness(elastic.measured, length, mass(0.5));
    stiffness.ry = constant(EI);
    stiffness.rz = constant(EI);
  }
  if (twist !== undefined) stiffness.rx = constant(twist);
  if (stretch !== undefined) stiffness.x = constant(stretch);
  const freedoms = chosenFreedoms(elastic.freedoms, pathOf("freedoms"), hasJointList ? undefined : stiffness, problems);
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

/** Rule of an elastic body: its stiffness is given in exactly one way, and no number twice. `elastic` has the given keys. */
export function stiffnessRule(elastic: Fields, note: NoteRule): void {
  const isGiven = (key: string): boolean => Object.hasOwn(elastic, key);
  const ways = ["material", "bendingStiffness", "measured"].filter(isGiven);
  if (typeof elastic.joints === "object") ways.push("joints");
  const advice = "Give material and section, or bendingStiffness, or measured, or a list of joints";
  if (ways.length === 0) note("", "its stiffness is not given", advice);
  if (ways.length > 1) note("", `its stiffness is given ${ways.length} times: ${ways.join(", ")}`, advice);
  for (const key of ["material", "tipSection"])
    if (isGiven(key) && !isGiven("section")) note("section", `is missing: ${key} needs it`);
  if (isGiven("mass") && isGiven("massPerLength")) note("mass", "is given twice: mass and massPerLength");
  const { section, tipSection } = elastic as { readonly section?: Fields; readonly tipSection?: Fields };
  if (section?.kind === undefined || tipSection?.kind === undefined) return;
  if (Object.keys(section).join() !== Object.keys(tipSection).join() || section.kind !== tipSection.kind)
    note("tipSection", `must be of the same kind as the section at the root, ${section.kind}, with the same numbers`);
}

interface SectionsAlongRod {
  readonly at: (position: number) => SectionProperties;
  readonly extent: (position: number) => readonly [number, number];
  readonly round: boolean;
  readonly uniform: boolean;
}

function sectionsAlong({ section, tipSection = section }: ElasticDescription): SectionsAlongRod | undefined {
  if (section === undefined || tipSection === undefined) return undefined;
  const [root, tip] = [sectionDimensions(section), sectionDimensions(tipSection)];
  const between = (position: number): SectionDimensions => interpolateSection(root, tip, position);
  const uniform = Object.entries(root.numbers).every(([key, value]) => tip.numbers[key] === value);
  return {
    at: uniform ? () => sectionProperties(root) : (position) => sectionProperties(between(position)),
    extent: (position) => sectionExtent(between(position)),
    round: root.kind !== "box",
    uniform,
  };
}

function materialOf(material: NonNullable<ElasticDescription["material"]>): ElasticMaterial {
  if (typeof material === "string") return MATERIALS[material]!;
  const { youngs, density, poisson = DEFAULT_POISSON, shear = youngs / (2 * (1 + poisson)) } = material;
  return { youngs, shear, density };
}

/** EI of the uniform body with the measured first frequency of the clamped body, or deflection of its tip under a force. */
const measuredStiffness = (measured: NonNullable<ElasticDescription["measured"]>, length: number, mu: number): number =>
  "compliance" in measured
    ? cube(length) / (3 * measured.compliance)
    : mu * integerPower(length, 4) * square((2 * Math.PI * measured.frequency) / square(FIRST_ROOT));

/** The listed freedoms; if none are listed, twist and bending with a known stiffness. */
function chosenFreedoms(
  listed: ElasticDescription["freedoms"],
  path: string,
  known: Rod["stiffness"] | undefined,
  problems: Problem[],
): readonly JointFreedom[] {
  if (listed === undefined) return JOINT_FREEDOMS.filter((f) => f !== "x" && (known ? known[f] !== undefined : f === "rz"));
  const chosen = JOINT_FREEDOMS.filter((f) => listed.includes(f));
  if (listed.length === 0) problems.push({ path, message: "must name at least one freedom: without freedoms the body is rigid" });
  const keys = { x: "axialStiffness", rx: "torsionStiffness", ry: "bendingStiffness", rz: "bendingStiffness" };
  for (const f of chosen)
    if (known && known[f] === undefined)
      problems.push({ path, message: `its stiffness along ${f} is not given`, advice: `Give ${keys[f]}, or leave ${f} out` });
  return chosen;
}
