/** The robot with two arms of Yoshida, Kurazume and Umetani: states and torques of four cases, the claims of the paper, repeated motions. */
import type { Log } from "../../log/log.ts";
import { runScenario } from "../../scenario/run.ts";
import { largestLength, largestOf, valuesAt } from "../samples.ts";
import type { LoadBuiltIn, Validation, ValidationOrigin, ValidationRow, ValidationTable } from "../validation.ts";
import { change } from "../validation.ts";
import { clearanceTable } from "./clearance.ts";
import { CASES, type MultiArmCase, type MultiArmSample } from "./data.ts";
import { powerTables } from "./power.ts";

const ARM_1 = ["shoulder-yaw", "shoulder-pitch", "elbow", "wrist-pitch", "wrist-yaw", "wrist-roll"] as const;
const ARM_2 = ["stabilizer-yaw", "stabilizer-pitch", "stabilizer-disc"] as const;
const WHEELS = ["wheel-roll", "wheel-pitch", "wheel-yaw"] as const;
/** Hinges that rotate by thousands of radians. */
const FAST: ReadonlySet<string> = new Set(["stabilizer-disc", ...WHEELS]);

const TORQUE = 1e-6;
const ANGLE = 1e-7;
/** Tolerance for the disc and the wheels, which rotate by thousands of radians. */
const FAST_ANGLE = 1e-6;
const PATH = 1e-9;
const CONSERVED = 1e-9;

const DEGREES = 180 / Math.PI;

export const multiArm: Validation = {
  name: "multi-arm",
  title: "Free-flying robot with a stabilising arm",
  source:
    "Yoshida, Kurazume, Umetani (1991), with a geometry that meets all its claims; states and torques computed apart from this " +
    "project by two programs",
  scenario: "multi-arm-stabilized",
  async tables(load) {
    const logs = new Map<string, Log>();
    for (const { scenario } of CASES) logs.set(scenario, await logOf(load, scenario));
    const of = (name: string): Log => logs.get(name)!;
    return [
      ...CASES.map((c) => caseTable(c, of(c.scenario))),
      claims(of("multi-arm-stabilized"), of("multi-arm-bare"), of("multi-arm-bare-slow")),
      await cycles(load),
      ...(await powerTables(load)),
      await clearanceTable(load),
    ];
  },
};

async function logOf(load: LoadBuiltIn, scenario: string, changes: Readonly<Record<string, unknown>> = {}): Promise<Log> {
  const overrides = Object.entries(changes).map(([path, value]) => change(path, value));
  const { run, failure } = await runScenario(load(scenario, overrides));
  if (failure) throw failure;
  return run.log;
}

function caseTable({ title, samples }: MultiArmCase, log: Log): ValidationTable {
  const hinges = samples[0]!.phi.length === 12 ? [...ARM_1, ...ARM_2, ...WHEELS] : [...ARM_1, ...WHEELS];
  const start = samples[0]!.hand;
  const attitude = ["qx", "qy", "qz"].map((part) => `q.base.${part}`);
  const worst = (
    quantity: string,
    unit: string,
    ours: number,
    tolerance: number,
    origin: ValidationOrigin = "closed form",
  ): ValidationRow => ({
    ...{ quantity, unit, tolerance, origin },
    expected: [0],
    ours: [ours],
  });
  return {
    title: `Case ${title}, by articulated with rk4`,
    origin: "independent program",
    rows: [
      ...samples.flatMap((sample) => sampleRows(sample, hinges, log)),
      worst(
        "departure of the hand from its straight line, all samples",
        "m",
        Math.max(...(["y", "z"] as const).map((a, i) => largestOffset(log, `frame.hand.${a}`, start[i + 1]!))),
        PATH,
      ),
      worst("attitude of the base, all samples", "rad", 2 * largestOf(log, attitude), PATH),
      worst("linear momentum, all samples", "N s", largestLength(log, "momentum.linear"), CONSERVED, "conservation law"),
      worst("angular momentum, all samples", "N m s", largestLength(log, "momentum.angular"), CONSERVED, "conservation law"),
    ],
  };
}

function sampleRows(
  { t, side, phi, phidot, tau, hand, base }: MultiArmSample,
  hinges: readonly string[],
  log: Log,
): ValidationRow[] {
  const when = t === 0 ? "at the start" : `${side === "before" ? "just before" : "just after"} ${t} s`;
  const row = (quantity: string, unit: string, expected: readonly number[], channels: readonly string[], tolerance: number) => ({
    quantity: `${quantity} ${when}`,
    unit,
    expected,
    ours: valuesAt(log, t, channels, side),
    tolerance,
  });
  const which = (fast: boolean): number[] => hinges.flatMap((h, i) => (FAST.has(h) === fast ? [i] : []));
  const some = (fast: boolean, values: readonly number[]): number[] => which(fast).map((i) => values[i]!);
  const named = (fast: boolean, kind: string): string[] => which(fast).map((i) => `${kind}.${hinges[i]}`);
  const torques = row(
    "torques",
    "N m",
    tau,
    hinges.map((h) => `tau.${h}`),
    TORQUE,
  );
  if (t > 0 && side === "after") return [torques]; // only torques jump
  return [
    torques,
    row("angles of the arms", "rad", some(false, phi), named(false, "q"), ANGLE),
    row("rates of the arms", "rad/s", some(false, phidot), named(false, "u"), ANGLE),
    row("angles of disc and wheels", "rad", some(true, phi), named(true, "q"), FAST_ANGLE),
    row(
      "hand",
      "m",
      hand,
      ["x", "y", "z"].map((a) => `frame.hand.${a}`),
      PATH,
    ),
    row(
      "base",
      "m",
      base,
      ["x", "y", "z"].map((a) => `q.base.${a}`),
      PATH,
    ),
  ];
}

function largestOffset(log: Log, channel: string, value: number): number {
  let largest = 0;
  for (const x of log.column(channel)) largest = Math.max(largest, Math.abs(x - value));
  return largest;
}

/** The claims of the paper, as numbers for this geometry. */
function claims(withArm: Log, without: Log, slow: Log): ValidationTable {
  const wheels = WHEELS.map((w) => `tau.${w}`);
  const squares = [withArm, without].map((log) => sumOfSquares(log)) as [Float64Array, Float64Array];
  const ratios = squares[0].map((s, i) => s / squares[1][i]!);
  const t = withArm.column("t");
  const integral = (f: Float64Array): number =>
    f.reduce((sum, v, i) => (i === 0 ? 0 : sum + 0.5 * (v + f[i - 1]!) * (t[i]! - t[i - 1]!)), 0);
  const peak = largestOf(without, wheels);
  return {
    title: "Claims of the paper: about 15 turns, about 0.25 N m, about 100 times, less torque in sum",
    origin: "independent program",
    rows: [
      {
        quantity: "turns of the last hinge of the stabilising arm",
        unit: "",
        expected: [15.15],
        ours: [Math.abs(withArm.column("q.stabilizer-disc").at(-1)!) / (2 * Math.PI)],
        tolerance: 0.005,
      },
      {
        quantity: "wheel peak without stabilising arm, ten times slower",
        unit: "N m",
        expected: [0.2369],
        ours: [largestOf(slow, wheels)],
        tolerance: 5e-5,
      },
      { quantity: "wheel peak without stabilising arm", unit: "N m", expected: [23.69], ours: [peak], tolerance: 5e-3 },
      {
        quantity: "wheel peak without over that with stabilising arm",
        unit: "",
        expected: [105.7],
        ours: [peak / largestOf(withArm, wheels)],
        tolerance: 0.05,
      },
      {
        quantity: "sum of squared torques with over that without stabilising arm, largest ratio of all samples",
        unit: "",
        expected: [0.94],
        ours: [Math.max(...ratios.filter(Number.isFinite))],
        tolerance: 5e-4,
      },
      {
        quantity: "the same, of the integrals over the motion",
        unit: "",
        expected: [0.72],
        ours: [integral(squares[0]) / integral(squares[1])],
        tolerance: 5e-3,
      },
    ],
  };
}

function sumOfSquares(log: Log): Float64Array {
  const sum = new Float64Array(log.length);
  for (const { name } of log.channels)
    if (name.startsWith("tau.") && !name.startsWith("tau.base."))
      for (const [i, v] of log.column(name).entries()) sum[i]! += v * v;
  return sum;
}

/** Repeated motions out and back by three control laws: final angles of the stabilising arms, in degrees. */
async function cycles(load: LoadBuiltIn): Promise<ValidationTable> {
  const log = await logOf(load, "multi-arm-cycles", { sample: 18, channels: ["q.*"], plots: [] });
  const row = (robot: string, n: number, expected: readonly number[], tolerance: number, words: string): ValidationRow => ({
    quantity: `${words}, ${n} cycles`,
    unit: "deg",
    expected,
    ours: valuesAt(
      log,
      18 * n,
      expected.map((_, i) => `q.${robot}-${ARM_2[i]}`),
    ).map((v) => v * DEGREES),
    tolerance,
  });
  return {
    title: "Motions out and back: first two angles of the stabilising arm after them (with held wheels the disc too)",
    origin: "independent program",
    rows: [
      row("damped", 50, [-0.57, 1.23], 0.01, "damped"),
      row("parked", 50, [0, 0, 0], 0.01, "wheels held"),
      row("plain", 4, [1, 0.5], 0.05, "least torque alone"),
      row("plain", 10, [6.4, 3.5], 0.05, "least torque alone"),
      row("plain", 26, [57.8, 46.4], 0.05, "least torque alone"),
      row("plain", 50, [722, -20], 0.5, "least torque alone"),
    ],
  };
}
