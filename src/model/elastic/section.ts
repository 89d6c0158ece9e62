/** Cross-sections of elastic bodies: area, second moments and torsion constant in the axes y and z of the body. */

import { didYouMean } from "../../declare/names.ts";
import { childPath, type Fields, readFields, readNumber, readNumbers } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import { hyperbolicTangent } from "../../math/elementary/exponential.ts";
import { cube, integerPower, square } from "../../math/elementary/power.ts";

export interface SectionProperties {
  readonly area: number;
  /** ∫ z² dA and ∫ y² dA: bending about y and about z. */
  readonly Iy: number;
  readonly Iz: number;
  /** G times this is the torsional stiffness. */
  readonly torsion: number;
}

/** A section as written: its kind, and its dimensions by key. A taper interpolates the dimensions. */
export interface SectionDimensions {
  readonly kind: SectionKind;
  readonly numbers: Readonly<Record<string, number>>;
}

interface SectionDeclaration {
  readonly about: string;
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** A sentence why no real section has these dimensions, or undefined. */
  dimensionProblem(n: Readonly<Record<string, number>>): string | undefined;
  section(n: Readonly<Record<string, number>>): SectionProperties;
}

const ring = (outer: number, inner: number): SectionProperties => {
  const I = (Math.PI / 64) * (integerPower(outer, 4) - integerPower(inner, 4));
  return { area: (Math.PI / 4) * (outer * outer - inner * inner), Iy: I, Iz: I, torsion: 2 * I };
};

/** Torsion constant of a solid rectangle by Saint-Venant's series, whose terms decrease with the fifth power. */
function rectangleTorsion(width: number, height: number): number {
  const [a, b] = [Math.max(width, height), Math.min(width, height)];
  let sum = 0;
  for (let n = 1; n < 100; n += 2) sum += hyperbolicTangent((n * Math.PI * a) / (2 * b)) / integerPower(n, 5);
  return a * cube(b) * (1 / 3 - ((64 * b) / (integerPower(Math.PI, 5) * a)) * sum);
}

function boxSection(width: number, height: number, wall: number | undefined): SectionProperties {
  if (wall === undefined)
    return {
      area: width * height,
      Iy: (width * cube(height)) / 12,
      Iz: (height * cube(width)) / 12,
      get torsion() {
        return rectangleTorsion(width, height);
      },
    };
  const [w, h] = [width - 2 * wall, height - 2 * wall];
  return {
    area: width * height - w * h,
    Iy: (width * cube(height) - w * cube(h)) / 12,
    Iz: (height * cube(width) - h * cube(w)) / 12,
    torsion: (2 * wall * square(width - wall) * square(height - wall)) / (width + height - 2 * wall), // Bredt's formula
  };
}

export const SECTIONS = {
  round: {
    about: "A solid round rod.",
    required: ["diameter"],
    optional: [],
    dimensionProblem: () => undefined,
    section: ({ diameter }) => ring(diameter!, 0),
  },
  tube: {
    about: "A round tube.",
    required: ["outer", "inner"],
    optional: [],
    dimensionProblem: ({ outer, inner }) =>
      inner! < outer! ? undefined : `its inner diameter ${inner} must be less than the outer, ${outer}`,
    section: ({ outer, inner }) => ring(outer!, inner!),
  },
  box: {
    about: "A rectangle, width along y and height along z; hollow where a wall is given.",
    required: ["width", "height"],
    optional: ["wall"],
    dimensionProblem: ({ width, height, wall }) =>
      wall === undefined || 2 * wall < Math.min(width!, height!)
        ? undefined
        : `two walls of ${wall} do not fit into ${width} by ${height}`,
    section: ({ width, height, wall }) => boxSection(width!, height!, wall),
  },
  custom: {
    about: "Any section, by its area, second moments about y and z, and torsion constant.",
    required: ["area", "Iy", "Iz"],
    optional: ["torsion"],
    dimensionProblem: ({ area, Iy, Iz, torsion }) => {
      // Of all sections with a given area, an ellipse has the smallest Iy Iz, (A² / 4π)².
      const ellipseMoment = square(area!) / (4 * Math.PI);
      if (Math.sqrt(Iy! * Iz!) < ellipseMoment * (1 - 1e-6))
        return `its second moments ${Iy}, ${Iz} are too small for the area ${area}: √(Iy Iz) of a full ellipse is ${+ellipseMoment.toPrecision(3)}, and no section has less`;
      return torsion === undefined || torsion <= (Iy! + Iz!) * (1 + 1e-9)
        ? undefined
        : `its torsion constant ${torsion} exceeds the polar moment ${Iy! + Iz!}: no section has that`;
    },
    section: ({ area, Iy, Iz, torsion }) => ({ area: area!, Iy: Iy!, Iz: Iz!, torsion: torsion ?? Number.NaN }),
  },
} as const satisfies Readonly<Record<string, SectionDeclaration>>;

export type SectionKind = keyof typeof SECTIONS;

export const sectionKeys = (kind: SectionKind): readonly string[] => {
  const { required, optional }: SectionDeclaration = SECTIONS[kind];
  return [...required, ...optional];
};

export const sectionProperties = ({ kind, numbers }: SectionDimensions): SectionProperties =>
  SECTIONS[kind].section(numbers as never);

/** The section between two sections of the same kind; every dimension changes linearly. */
export const interpolateSection = (a: SectionDimensions, b: SectionDimensions, position: number): SectionDimensions => ({
  kind: a.kind,
  numbers: Object.fromEntries(
    Object.entries(a.numbers).map(([key, value]) => [key, value + position * (b.numbers[key]! - value)]),
  ),
});

/** Extent along y and z. A custom section has that of a solid round one with its area. */
export function sectionExtent({ numbers }: SectionDimensions): readonly [number, number] {
  const { width, height, diameter, outer, area } = numbers;
  const round = diameter ?? outer ?? Math.sqrt((4 * (area ?? 0)) / Math.PI);
  return [width ?? round, height ?? round];
}

export function readSection(value: unknown, path: string, problems: Problem[]): SectionDimensions | undefined {
  const known = [...new Set(Object.keys(SECTIONS).flatMap((k) => sectionKeys(k as SectionKind)))];
  const fields = readFields(value, path, ["kind", ...known], problems);
  if (fields === undefined) return undefined;
  if (typeof fields.kind !== "string" || !Object.hasOwn(SECTIONS, fields.kind)) {
    const kindPath = childPath(path, "kind");
    const advice = didYouMean(fields.kind, Object.keys(SECTIONS));
    problems.push(
      fields.kind === undefined
        ? { path: kindPath, message: "is missing", advice }
        : { path: kindPath, message: "no such kind of section", value: valueText(fields.kind), advice },
    );
    return undefined;
  }
  return readKind(fields, fields.kind as SectionKind, path, problems);
}

function readKind(fields: Fields, kind: SectionKind, path: string, problems: Problem[]): SectionDimensions | undefined {
  const before = problems.length;
  const { required, dimensionProblem }: SectionDeclaration = SECTIONS[kind];
  const numbers: Record<string, number> = {};
  for (const key of Object.keys(fields))
    if (key !== "kind" && !sectionKeys(kind).includes(key))
      problems.push({
        path: childPath(path, key),
        message: `a ${kind} section has no ${key}`,
        value: valueText(fields[key]),
        advice: "Leave it out",
      });
  for (const key of sectionKeys(kind)) {
    if (fields[key] === undefined && !required.includes(key)) continue;
    const number = readNumber(fields[key], childPath(path, key), problems);
    if (number === undefined) continue;
    const isAllowed = key === "inner" ? number >= 0 : number > 0;
    if (!isAllowed)
      problems.push({
        path: childPath(path, key),
        message: `must be ${key === "inner" ? "zero or more" : "positive"}`,
        value: valueText(number),
      });
    numbers[key] = number;
  }
  if (problems.length > before) return undefined;
  const message = dimensionProblem(numbers);
  if (message === undefined) return { kind, numbers };
  problems.push({ path, message });
  return undefined;
}

/** One number for both bending directions, or two: about y and about z. */
export function readBendingPair(value: unknown, path: string, problems: Problem[]): readonly [number, number] | undefined {
  if (!Array.isArray(value)) {
    const one = readNumber(value, path, problems);
    return one === undefined ? undefined : [one, one];
  }
  return readNumbers(value, path, 2, problems) as readonly [number, number] | undefined;
}
