/** The arm of Yoshikawa and Hosoda (1991) against an independent computation. */
import { fitDecays } from "../../analysis/identification/decay.ts";
import { linearise } from "../../analysis/linearise.ts";
import { modesOf } from "../../analysis/modes/modes.ts";
import { runScenario } from "../../scenario/run.ts";
import { change, type LoadBuiltIn, type Validation, type ValidationRow, type ValidationTable } from "../validation.ts";
import { ARM_STEP, SMALL_ANGLE_STEP } from "./arm-data.ts";
import { row } from "./rods.ts";

export const flexibleArm: Validation = {
  name: "flexible-two-link",
  title: "A two-link arm of elastic rods, PD step with dry friction",
  source: "independent planar Lagrangian of the model of Yoshikawa and Hosoda 1991; the paper's curves have no numbers",
  scenario: "flexible-two-link",
  async tables(load) {
    const scenario = load("flexible-two-link");
    const { run } = await runScenario(scenario);
    const { log } = run;
    const t = log.column("t");
    const column = (name: string): ArrayLike<number> => log.column(name);
    const extreme = (name: string, sign: 1 | -1): readonly [number, number] => extremeOf(t, column(name), sign);
    const final = (name: string): number => column(name)[log.length - 1]!;
    const at = (name: string): number[] => ARM_STEP.map(([time]) => column(name)[Math.round(time / scenario.sample)]!);
    const target = (2 * Math.PI) / 9;
    const [peak1, time1] = extreme("q.motor-1", 1);
    const [peak2, time2] = extreme("q.motor-2", 1);
    const [high, highTime] = extreme("acceleration.tip.y", 1);
    const [low, lowTime] = extreme("acceleration.tip.y", -1);
    const rest = load("flexible-two-link", [change("state.q", REST)]);
    const modes = modesOf(linearise(rest.model, [], { q: rest.q, locked: ["motor-1", "motor-2"] }));
    const paper = await smallAngles(load);
    return [
      {
        title: "The step",
        origin: "independent program",
        rows: [
          row("peaks of the motors", "rad", [0.8300152, 0.7900328], [peak1, peak2], 1e-4),
          row("their times", "s", [0.4315, 0.412], [time1, time2], 1e-3),
          row(
            "offsets at 3 s",
            "rad",
            [-0.0639279, -0.0114786],
            [final("q.motor-1") - target, final("q.motor-2") - target],
            2e-4,
          ),
          row("largest and smallest transverse acceleration of the tip", "m/s²", [78.79987, -40.36462], [high, low], 0.2),
          row("their times", "s", [0.096, 0.3445], [highTime, lowTime], 1e-3),
          row(
            "first motor, every 0.1 s",
            "rad",
            ARM_STEP.map((r) => r[1]),
            at("q.motor-1"),
            1e-4,
          ),
          row(
            "second motor, every 0.1 s",
            "rad",
            ARM_STEP.map((r) => r[2]),
            at("q.motor-2"),
            1e-4,
          ),
          row(
            "tip x, every 0.1 s",
            "m",
            ARM_STEP.map((r) => r[3]),
            at("frame.tip.x"),
            1e-4,
          ),
          row(
            "tip y, every 0.1 s",
            "m",
            ARM_STEP.map((r) => r[4]),
            at("frame.tip.y"),
            1e-4,
          ),
        ],
      },
      {
        title:
          "What is left when both motors stick: the tip's transverse acceleration from 1.87 s on as a sum of decaying swings",
        origin: "independent program",
        rows: tailRows(t, column("acceleration.tip.y"), scenario.sample),
      },
      paper,
      {
        title: "Small motions about the rest under PD control, motors held",
        origin: "independent program",
        rows: [
          row(
            "frequencies",
            "Hz",
            [2.0595356, 5.4374979],
            modes.slice(0, 2).map((m) => m.frequency),
            2e-3,
          ),
          row(
            "damping ratios",
            "",
            [0.0105348, 0.0125852],
            modes.slice(0, 2).map((m) => m.dampingRatio),
            2e-4,
          ),
          row(
            "faster ones",
            "Hz",
            [50.105, 100.954],
            modes.slice(2, 4).map((m) => m.frequency),
            0.05,
          ),
          row("real pole of the stub", "1/s", [-200416], [modes.at(-1)!.eigenvalue.re], 200),
        ],
      },
    ];
  },
};

/** The same step from the same start, with the small rotations of eq. 7 in all elastic joints and drives. */
async function smallAngles(load: LoadBuiltIn): Promise<ValidationTable> {
  const small = [1, 2].flatMap((i) => [
    change(`model.bodies.link-${i}.elastic.rotations`, "small"),
    change(`model.bodies.link-${i}.hinge`, { name: `drive-${i}`, kind: "general", freedoms: ["rz"], rotations: "small" }),
  ]);
  const scenario = load("flexible-two-link", [
    ...small,
    change("audit", { energy: 0.1 }), // small rotations lose 2.6 % of the energy
    change("integrator", { relativeTolerance: 1e-7, absoluteTolerance: 1e-9 }), // the tolerances of the independent program
  ]);
  const { run } = await runScenario(scenario);
  const [t, ...columns] = ["t", "q.motor-1", "q.motor-2", "acceleration.tip.y", "frame.tip.x", "frame.tip.y"].map((name) =>
    run.log.column(name),
  );
  const extreme = (k: number, sign: 1 | -1): readonly [number, number] => extremeOf(t!, columns[k]!, sign);
  const at = (k: number): number[] => SMALL_ANGLE_STEP.map(([time]) => columns[k]![Math.round(time / scenario.sample)]!);
  const expected = (k: number): number[] => SMALL_ANGLE_STEP.map((r) => r[k + 1]!);
  const peaks = [extreme(0, 1), extreme(1, 1)];
  const swings = [extreme(2, 1), extreme(2, -1)];
  return {
    title: "The same with small angles, eq. 7 of the paper: rotations that are not orthogonal",
    origin: "independent program",
    rows: [
      row(
        "peaks of the motors",
        "rad",
        [0.8264821, 0.7856834],
        peaks.map((p) => p[0]),
        1e-4,
      ),
      row(
        "their times",
        "s",
        [0.4365, 0.4205],
        peaks.map((p) => p[1]),
        1e-3,
      ),
      row("angles of the motors at 3 s", "rad", [0.6356309, 0.6863566], [columns[0]!.at(-1)!, columns[1]!.at(-1)!], 2e-4),
      row(
        "largest and smallest transverse acceleration of the tip",
        "m/s²",
        [76.67958, -38.34346],
        swings.map((p) => p[0]),
        0.19,
      ),
      row("first motor at 14 times", "rad", expected(0), at(0), 1e-4),
      row("second motor at 14 times", "rad", expected(1), at(1), 1e-4),
      row("tip x at 14 times", "m", expected(3), at(3), 1e-4),
      row("tip y at 14 times", "m", expected(4), at(4), 1e-4),
    ],
  };
}

function extremeOf(t: ArrayLike<number>, values: ArrayLike<number>, sign: 1 | -1): readonly [number, number] {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (sign * values[i]! > sign * values[best]!) best = i;
  return [values[best]!, t[best]!];
}

/**
 * Fits the two slowest modes and their combinations 2 f1 and f1 + f2, which occur in large swings. Without the combinations the fitted
 * decrements are wrong. The expected values are the matrix pencil of the independent program and the same fit to its curve.
 */
function tailRows(t: ArrayLike<number>, values: ArrayLike<number>, sample: number): ValidationRow[] {
  const [from, step] = [Math.round(1.87 / sample), Math.round(0.01 / sample)];
  const chosen = Array.from({ length: Math.floor((t.length - 1 - from) / step) + 1 }, (_, i) => from + i * step);
  const [first, , second] = fitDecays(
    chosen.map((i) => t[i]!),
    chosen.map((i) => values[i]!),
    4,
  );
  const both = [first!, second!];
  const rows = (
    name: string,
    unit: string,
    printed: readonly number[],
    fitted: readonly number[],
    part: number,
    ours: number[],
  ) => [
    ...printed.map((v, i) => row(`${name} ${i + 1}, matrix pencil`, unit, [v], [ours[i]!], +(part * v).toPrecision(2))),
    row(`${name} 1, 2, the same fit`, unit, fitted, ours, +((part / 10) * Math.min(...fitted)).toPrecision(1)),
  ];
  return [
    ...rows(
      "frequency",
      "Hz",
      [2.059, 5.442],
      [2.05900323, 5.44208318],
      1e-3,
      both.map((m) => m.frequency),
    ),
    ...rows(
      "damping ratio",
      "",
      [0.0105, 0.0128],
      [0.0105159, 0.01265349],
      0.02,
      both.map((m) => m.dampingRatio),
    ),
    row(
      "amplitudes",
      "m/s²",
      [4.25, 0.59],
      both.map((m) => m.amplitude),
      0.005,
    ),
  ];
}

const REST = {
  "motor-1": 0.6264703630405807,
  "drive-1": -0.005712432352643389,
  "link-1-2": -0.00879742361568082,
  "link-1-3": -0.00791770591165529,
  "motor-2": 0.6903143893453608,
  "drive-2": -0.0007677716605021242,
  "link-2-2": -0.018665036362859957,
  "link-2-3": -0.006043191054266176,
};
