/** Cross-sections of elastic bodies: area, second moments and torsion constant in the axes y and z of the body. */

import type { DeclaredKind, NoteRule } from "../../declare/parameters.ts";
import { hyperbolicTangent } from "../../math/elementary/exponential.ts";
import { cube, integerPower, square } from "../../math/elementary/power.ts";
import type { SectionDescription } from "../description.ts";

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

interface SectionDeclaration extends DeclaredKind {
  section(n: Readonly<Record<string, number>>): SectionProperties;
}

const dimension = (about: string) => ({ type: "number", unit: "m", above: 0, about }) as const;
const moment = (about: string) => ({ type: "number", unit: "m^4", above: 0, about }) as const;

type Dimensions = Readonly<Record<string, number | undefined>>;

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
    parameters: { diameter: dimension("Diameter.") },
    section: ({ diameter }) => ring(diameter!, 0),
  },
  tube: {
    about: "A round tube.",
    parameters: {
      outer: dimension("Outer diameter."),
      inner: { type: "number", unit: "m", least: 0, about: "Inner diameter." },
    },
    rule: ({ outer, inner }: Dimensions, note: NoteRule) => {
      if (inner !== undefined && outer !== undefined && inner >= outer)
        note("", `its inner diameter ${inner} must be less than the outer, ${outer}`);
    },
    section: ({ outer, inner }) => ring(outer!, inner!),
  },
  box: {
    about: "A rectangle, width along y and height along z; hollow where a wall is given.",
    parameters: {
      width: dimension("Width along y."),
      height: dimension("Height along z."),
      wall: { ...dimension("Thickness of the walls of a hollow box; solid if not given."), optional: true },
    },
    rule: ({ width, height, wall }: Dimensions, note: NoteRule) => {
      if (wall !== undefined && width !== undefined && height !== undefined && 2 * wall >= Math.min(width, height))
        note("", `two walls of ${wall} do not fit into ${width} by ${height}`);
    },
    section: ({ width, height, wall }) => boxSection(width!, height!, wall),
  },
  custom: {
    about: "Any section, by its area, second moments about y and z, and torsion constant.",
    parameters: {
      area: { type: "number", unit: "m^2", above: 0, about: "Area of the section." },
      Iy: moment("Second moment about y, the integral of z squared."),
      Iz: moment("Second moment about z, the integral of y squared."),
      torsion: { ...moment("Torsion constant (GJ divided by G); no twist if not given."), optional: true },
    },
    rule: ({ area, Iy, Iz, torsion }: Dimensions, note: NoteRule) => {
      if (area === undefined || Iy === undefined || Iz === undefined) return;
      // Of all sections with a given area, an ellipse has the smallest Iy Iz, (A² / 4π)².
      const ellipseMoment = square(area) / (4 * Math.PI);
      if (Math.sqrt(Iy * Iz) < ellipseMoment * (1 - 1e-6))
        note(
          "",
          `its second moments ${Iy}, ${Iz} are too small for the area ${area}: √(Iy Iz) of a full ellipse is ${+ellipseMoment.toPrecision(3)}, and no section has less`,
        );
      else if (torsion !== undefined && torsion > (Iy + Iz) * (1 + 1e-9))
        note("", `its torsion constant ${torsion} exceeds the polar moment ${Iy + Iz}: no section has that`);
    },
    section: ({ area, Iy, Iz, torsion }) => ({ area: area!, Iy: Iy!, Iz: Iz!, torsion: torsion ?? Number.NaN }),
  },
} as const satisfies Readonly<Record<string, SectionDeclaration>>;

type SectionKind = keyof typeof SECTIONS;

/** The dimensions of a section without problems, as it was read. */
export function sectionDimensions({ kind, ...numbers }: SectionDescription): SectionDimensions {
  return { kind, numbers };
}

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
