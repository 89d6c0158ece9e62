/** Identification in both planes of bending and in twist [eq. 3 to 5], with joints that need not lie at the cuts of the mass. */
import { describe, expect, it } from "vitest";
import { identifyDamping } from "../../../src/analysis/identification/damping.ts";
import { identify } from "../../../src/analysis/identification/identify.ts";
import { type Measurement, measurementName, modelValue } from "../../../src/analysis/identification/measurement.ts";
import { type RodFreedom, rodFrequencies, torsionRoot } from "../../../src/analysis/identification/rod-model.ts";
import { linearise } from "../../../src/analysis/linearise.ts";
import { modesOf } from "../../../src/analysis/modes/modes.ts";
import { complianceOf } from "../../../src/analysis/statics.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { parseMeasurementFile } from "../../../src/scenario/measurement-file.ts";
import { normalNumbers } from "../../fixtures/normal-numbers.ts";

const ROD = { length: 1.2, mass: 0.9, width: 0.03, height: 0.02 };
const JOINTS = [0.25, 0.8];
const CUTS = [0.35, 0.75];
const K: Readonly<Record<RodFreedom, readonly number[]>> = { rz: [900, 700], ry: [400, 350], rx: [120, 150] };

/** The rod as a multibody model with its tip load. The order of the freedoms of a joint is rx, ry, rz. */
const modelOf = (tip?: { readonly mass: number; readonly inertia: number }) =>
  createModel({
    name: "rod",
    bodies: [
      {
        name: "rod",
        elastic: {
          length: ROD.length,
          mass: ROD.mass,
          section: { kind: "box", width: ROD.width, height: ROD.height },
          freedoms: ["rx", "ry", "rz"],
          joints: JOINTS.map((at, j) => ({ at, cut: CUTS[j]!, stiffness: [K.rx[j]!, K.ry[j]!, K.rz[j]!] })),
        },
        hinge: { kind: "fixed" },
        frames: { tip: { at: [ROD.length, 0, 0] } },
      },
      ...(tip
        ? [
            {
              name: "load",
              parent: "rod",
              mass: tip.mass,
              inertia: [tip.inertia, tip.inertia, tip.inertia] as const,
              hinge: { kind: "fixed", at: [ROD.length, 0, 0] } as const,
            },
          ]
        : []),
    ],
  });

const FREEDOMS = ["rz", "ry", "rx"] as const;
const LOAD = { tipMass: 0.5, tipInertia: 2e-4 };
/** Frequencies bare and with a load on the tip, and all compliances. */
const KINDS: readonly Omit<Measurement, "value">[] = [
  ...FREEDOMS.flatMap((freedom) =>
    [{}, LOAD].flatMap((tip) => [1, 2].map((mode) => ({ kind: "frequency", freedom, mode, ...tip }) as const)),
  ),
  ...(["rz", "ry"] as const).flatMap((freedom) =>
    (["deflection-by-force", "slope-by-force", "slope-by-moment"] as const).map((kind) => ({ kind, freedom })),
  ),
  { kind: "twist-by-torque" },
];
const stiffnessFor = ({ kind, freedom = "rz" }: Pick<Measurement, "kind" | "freedom">): readonly number[] =>
  K[kind === "twist-by-torque" ? "rx" : freedom];
const exact = (kinds: readonly Omit<Measurement, "value">[]): Measurement[] =>
  kinds.map((m) => ({ ...m, value: modelValue(ROD, JOINTS, stiffnessFor(m), { ...m, value: 1 }, CUTS) }));

describe("the formulas", () => {
  it.each([undefined, { mass: LOAD.tipMass, inertia: LOAD.tipInertia }])(
    "give the frequencies of the multibody model, load %o",
    (tip) => {
      const all = FREEDOMS.flatMap((freedom) => [
        ...rodFrequencies(ROD, JOINTS, K[freedom], { freedom, cuts: CUTS, ...(tip && LOAD) }),
      ]).sort((a, b) => a - b);
      const modes = modesOf(linearise(modelOf(tip))).map(({ frequency }) => frequency);
      for (const [i, f] of all.entries()) expect(modes[i]! / f - 1).toBeCloseTo(0, 9);
    },
  );

  it("give the compliances of the multibody model", () => {
    const load = (axis: "along" | "about", v: readonly [number, number, number]) => ({ frame: "tip", [axis]: v }) as never;
    const C = complianceOf(linearise(modelOf()), [
      load("along", [0, 1, 0]),
      load("about", [0, 0, 1]),
      load("along", [0, 0, 1]),
      load("about", [0, 1, 0]),
      load("about", [1, 0, 0]),
    ]);
    const value = (kind: Measurement["kind"], freedom: RodFreedom): number =>
      modelValue(ROD, JOINTS, K[freedom], { kind, freedom, value: 1 }, CUTS);
    expect(value("deflection-by-force", "rz") / C[0]![0]! - 1).toBeCloseTo(0, 9);
    expect(value("slope-by-moment", "rz") / C[1]![1]! - 1).toBeCloseTo(0, 9);
    expect(value("deflection-by-force", "ry") / C[2]![2]! - 1).toBeCloseTo(0, 9);
    expect(value("slope-by-force", "ry") / Math.abs(C[2]![3]!) - 1).toBeCloseTo(0, 9);
    expect(value("twist-by-torque", "rx") / C[4]![4]! - 1).toBeCloseTo(0, 9);
  });

  it("torsion of a uniform rod: cos β = ratio β sin β", () => {
    expect(torsionRoot(1)).toBeCloseTo(Math.PI / 2, 12);
    expect(torsionRoot(2)).toBeCloseTo(1.5 * Math.PI, 12);
    expect(torsionRoot(1, 1)).toBeCloseTo(0.8603335890193797, 12);
    expect(torsionRoot(2, 1)).toBeCloseTo(3.4256184594817283, 12);
  });
});

describe("identification", () => {
  it("finds joints, cuts and the stiffnesses of three freedoms", () => {
    const found = identify(ROD, exact(KINDS), { joints: "free", starts: 8 });
    expect(found.criterion).toBeLessThan(1e-12);
    for (const j of [0, 1]) {
      expect(found.joints[j]).toBeCloseTo(JOINTS[j]!, 5);
      expect(found.cuts[j]).toBeCloseTo(CUTS[j]!, 5);
    }
    expect(found.freedoms.map(({ freedom }) => freedom)).toEqual(["rz", "ry", "rx"]);
    for (const { freedom, stiffnesses } of found.freedoms)
      for (const [j, k] of stiffnesses.entries()) expect(k / K[freedom][j]! - 1).toBeCloseTo(0, 5);
    expect(found.open).toEqual([]);
    expect(found.contradictions).toEqual([]);
  });

  it("with joints at the cuts, as in the paper, cannot explain this rod", () => {
    const measured = exact(KINDS).map((m) => ({ ...m, error: 0.005 }));
    expect(identify(ROD, measured, { starts: 8 }).contradictions.join()).toMatch(/contradict each other.*GJ of a uniform rod/s);
  });

  it("with noise of 0.3 %: the truth is in the error bars as often as it must be, over 50 repetitions", () => {
    const ERROR = 0.003;
    const truth = [...JOINTS, ...CUTS, ...FREEDOMS.flatMap((f) => K[f])];
    const inside = truth.map(() => 0);
    const squares = truth.map(() => 0);
    for (let seed = 1; seed <= 50; seed++) {
      const normal = normalNumbers(seed);
      const measured = exact(KINDS).map((m) => ({ ...m, value: m.value * (1 + ERROR * normal()), error: ERROR }));
      const { joints, cuts, freedoms, uncertainty } = identify(ROD, measured, { joints: "free", starts: 1 });
      const values = [...joints, ...cuts, ...freedoms.flatMap(({ stiffnesses }) => stiffnesses)];
      const errors = [...uncertainty.joints, ...uncertainty.cuts, ...freedoms.flatMap((f) => f.errors)];
      for (const [i, v] of values.entries()) {
        const z = (v - truth[i]!) / errors[i]!;
        if (Math.abs(z) < 1.96) inside[i]!++;
        squares[i]! += z * z;
      }
    }
    // Binomial with 95 %: at least 42 of 50 except once in 300 times; χ² with 50 degrees of freedom: 24.7 to 86.7.
    for (const [i, count] of inside.entries()) expect(count, `parameter ${i}`).toBeGreaterThanOrEqual(42);
    for (const [i, sum] of squares.entries()) {
      expect(sum, `parameter ${i}`).toBeGreaterThan(24.7);
      expect(sum, `parameter ${i}`).toBeLessThan(86.7);
    }
  });

  it("names positions that the measurements do not determine: twist alone does not depend on the joints", () => {
    const twist = exact(KINDS.filter(({ kind, freedom }) => kind === "twist-by-torque" || freedom === "rx"));
    const moreTwist = exact([1, 2].map((mode) => ({ kind: "frequency", freedom: "rx", mode, tipInertia: 1e-3 }) as const));
    const found = identify(ROD, [...twist, ...moreTwist], { joints: "free", starts: 4 });
    expect(found.open.join(", ")).toMatch(/joint 1/);
    expect(found.open.join(", ")).toMatch(/joint 2/);
    expect(found.uncertainty.joints.every((e) => e === Number.POSITIVE_INFINITY)).toBe(true);
    for (const [j, k] of found.stiffnesses.entries()) expect(k / K.rx[j]! - 1).toBeCloseTo(0, 4);
  });

  it("needs enough measurements of each freedom", () => {
    const rz = KINDS.filter((m) => (m.freedom ?? "rz") === "rz" && m.kind !== "twist-by-torque");
    const few = exact([...rz, { kind: "frequency", freedom: "ry", mode: 1 }]);
    expect(() => identify(ROD, few)).toThrow(
      /2 stiffnesses about y, but 1 independent measurements?.*frequency of mode 2 about y/,
    );
    expect(() => identify(ROD, exact(rz).slice(0, 5), { joints: "free" })).toThrow(
      /6 unknowns \(cuts and joints and stiffnesses of 2 joints\), but 5/,
    );
    expect(() => identify({ length: 1, mass: 1 }, exact(KINDS))).toThrow(/no polar inertia/);
  });

  it("names of measurements contain the freedom", () => {
    expect(KINDS.map((m) => measurementName({ ...m, value: 1 }))).toEqual(
      expect.arrayContaining([
        "frequency 1",
        "frequency 2 about y",
        "frequency 1 of twist with 0.5 kg",
        "twist-by-torque",
        "slope-by-force about y",
      ]),
    );
  });

  it("damping of twist", () => {
    const time = 1e-4;
    const [f1] = rodFrequencies(ROD, JOINTS, K.rx, { freedom: "rx", cuts: CUTS });
    const ratio = (time * 2 * Math.PI * f1!) / 2;
    const { proportional } = identifyDamping(ROD, JOINTS, K.rx, [{ mode: 1, ratio, freedom: "rx" }], { cuts: CUTS });
    expect(proportional.time / time - 1).toBeCloseTo(0, 9);
    expect(() =>
      identifyDamping(ROD, JOINTS, K.rx, [
        { mode: 1, ratio, freedom: "rx" },
        { mode: 1, ratio },
      ]),
    ).toThrow(/one freedom/);
  });
});

describe("files", () => {
  const file = (head: string, measurement: string): string =>
    `length: 1\nmass: 1\n${head}\nmeasurements:\n  - { kind: frequency, mode: 1, value: 5 Hz }\n  - ${measurement}\n`;

  it("contain freedoms, sections and free joints", () => {
    const text = file(
      "width: 3 cm\nheight: 2 cm\njoints: free\ncuts: [0.5]",
      "{ kind: twist-by-torque, value: 2 deg, load: 4 N m }",
    );
    const { rod, options, measurements } = parseMeasurementFile(text);
    expect(rod).toMatchObject({ width: 0.03, height: 0.02 });
    expect(options).toMatchObject({ joints: "free", cuts: [0.5] });
    expect(measurements[1]!.value).toBeCloseTo(Math.PI / 360, 12);
  });

  it.each([
    ["joints: anywhere", "{ kind: slope-by-moment, value: 0.1 }", /joints.*at-cuts or free, got "anywhere"/s],
    ["diameter: 1 cm\nwidth: 1 cm", "{ kind: slope-by-moment, value: 0.1 }", /diameter.*given twice/s],
    ["width: -1 cm", "{ kind: slope-by-moment, value: 0.1 }", /width.*positive/s],
    ["", "{ kind: frequency, freedom: rx, value: 40 Hz }", /polarInertia.*is missing: frequencies of twist/s],
    ["", "{ kind: slope-by-force, freedom: rx, value: 1 }", /freedom.*slope-by-force has the freedom rz or ry, got "rx"/s],
    ["", "{ kind: twist-by-torque, freedom: ry, value: 1 }", /twist-by-torque has the freedom rx/],
    ["", "{ kind: frequency, freedom: bending, value: 1 }", /has the freedom rz or ry or rx, got "bending"/],
    ["", "{ kind: frequency, tipInertia: -1, value: 1 }", /tipInertia.*negative/s],
    ["joints: free\ngrid: { stiffness: 1 }", "{ kind: slope-by-moment, value: 0.1 }", /grid.*joints at the cuts/s],
  ])("with %s %s are refused", (head, measurement, said) => {
    expect(() => parseMeasurementFile(file(head, measurement))).toThrow(said);
  });
});
