/** Elastic links: the tables of Yoshikawa and Hosoda (1991), beams in closed form, and their arm against an independent computation. */
import { gridSearch } from "../analysis/identify/grid.ts";
import { identify, type Measurement } from "../analysis/identify/identify.ts";
import { linearise } from "../analysis/linearise.ts";
import { modesOf } from "../analysis/modes.ts";
import { complianceOf } from "../analysis/statics.ts";
import { createModel } from "../model/create.ts";
import type { BodyDescription, ElasticDescription } from "../model/description.ts";
import type { Model } from "../model/model.ts";
import { runScenario } from "../scenario/run.ts";
import { ARM_STEP } from "./flexible-data.ts";
import { change, type Validation, type ValidationRow, type ValidationTable } from "./validation.ts";

const row = (
  quantity: string,
  unit: string,
  published: readonly number[],
  ours: readonly number[],
  tolerance: number,
): ValidationRow => ({
  quantity,
  unit,
  published,
  ours,
  tolerance,
});

/** Table 2: lengths, mass centres, masses and inertias of the links behind the clamped one, and the joints before them. */
const TABLE_2 = [
  {
    rod: { length: 0.61, mass: 0.4807, diameter: 0.01 },
    p: [0.0061, 0.2806, 0.3233],
    s: [0.0031, 0.1403, 0.1617],
    m: [0.0048, 0.2211, 0.2548],
    I: [4.495e-8, 1.452e-3, 2.221e-3],
    k: [1800, 1100],
    measured: [24.5, 138.5, 2.16e-4, 4.08e-4, 4.08e-4, 8.69e-4],
    digits: [1e-6, 1e-6, 5e-10, 5e-10, 5e-10],
    recomputed: [25.491342, 142.619608, 2.97629e-4, 6.29409e-4, 1.464646e-3],
    step: 100,
    parts: [0.01, 0.46, 0.53],
    best: 1.302599,
  },
  {
    rod: { length: 0.6, mass: 0.1473, diameter: 0.006 },
    p: [0.036, 0.294, 0.27],
    s: [0.018, 0.147, 0.135],
    m: [0.0088, 0.0722, 0.0663],
    I: [9.744e-7, 5.201e-4, 4.028e-4],
    k: [54, 76],
    measured: [9.25, 72.75, 4.682e-3, 1.326e-2, 1.326e-2, 5.315e-2],
    digits: [1e-6, 1e-6, 5e-10, 5e-11, 5e-9],
    recomputed: [9.37243, 72.775937, 6.849877e-3, 1.3997076e-2, 3.167641e-2],
    step: 1,
    parts: [0.06, 0.49, 0.45],
    best: 0.19976,
  },
] as const;

const tip = { along: { frame: "tip", along: [0, 1, 0] }, about: { frame: "tip", about: [0, 0, 1] } } as const;

/** f in Hz, then u_P, φ_P, φ_M of the tip. */
function alphaOf(model: Model): readonly number[] {
  const linear = linearise(model);
  const C = complianceOf(linear, [tip.along, tip.about]);
  return [...modesOf(linear).map((m) => m.frequency), C[0]![0]!, C[0]![1]!, C[1]![1]!];
}

function tableModel({ p, s, m, I, k }: (typeof TABLE_2)[number]): Model {
  const link = (i: number): BodyDescription => ({
    name: `link-${i + 1}`,
    ...(i > 0 && { parent: `link-${i}` }),
    mass: m[i]!,
    com: [s[i]!, 0, 0],
    inertia: [I[i]!, I[i]!, I[i]!],
    hinge: i === 0 ? { kind: "fixed" } : { kind: "revolute", at: [p[i - 1]!, 0, 0] },
    ...(i === 2 && { frames: { tip: { at: [p[2]!, 0, 0] } } }),
  });
  return createModel({
    name: "link",
    bodies: [0, 1, 2].map(link),
    springs: [{ name: "joints", joints: k.map((v, i) => ({ hinge: `link-${i + 2}`, stiffness: [v] })) }],
  });
}

const measurementsOf = ({ measured }: (typeof TABLE_2)[number]): Measurement[] => {
  const [f1, f2, ...statics] = measured;
  const kinds = ["deflection-by-force", "slope-by-force", "deflection-by-moment", "slope-by-moment"] as const;
  return [
    { kind: "frequency", mode: 1, value: f1, weight: 100 },
    { kind: "frequency", mode: 2, value: f2, weight: 100 },
    ...statics.map((value, i): Measurement => ({ kind: kinds[i]!, value })),
  ];
};

export const flexibleTables: Validation = {
  name: "flexible-tables",
  title: "Virtual links of two rods: characteristics from Table 2, and their identification",
  source: "Yoshikawa and Hosoda 1991, Tables 1 and 2, recomputed independently where they are misprinted",
  scenario: "flexible-two-link",
  async tables() {
    return TABLE_2.flatMap((link, i): ValidationTable[] => {
      const alpha = alphaOf(tableModel(link));
      const { parts, stiffnesses } = gridSearch(link.rod, measurementsOf(link), {
        cut: 0.01,
        stub: 0.01,
        stiffness: link.step,
        longest: 0.49,
      });
      const free = identify(link.rod, measurementsOf(link));
      const names = [
        "f1",
        "f2",
        "u_P / P",
        i === 1 ? "φ_P / P = u_M / M (printed 0.013400, a misprint for 0.01400)" : "φ_P / P = u_M / M",
        "φ_M / M",
      ];
      const units = ["Hz", "Hz", "m/N", "rad/N", "rad/(N m)"];
      return [
        {
          title: `Link ${i + 1}: model values α_m of the printed Table 2${i === 0 ? " (I(1,1) is a misprint, e-6 for e-8)" : ""}`,
          rows: link.recomputed.map((v, k) => row(names[k]!, units[k]!, [v], [alpha[k]!], link.digits[k]!)),
        },
        {
          title: `Link ${i + 1}: identified from the measurements of Table 1`,
          rows: [
            row("on the paper's grid: lengths over L", "", [...link.parts], [...parts], 1e-12),
            row("on the paper's grid: stiffnesses", "N m/rad", [...link.k], [...stiffnesses], 1e-9),
            row("free search: criterion, eq. 1", "", [link.best], [free.criterion], 5e-6),
          ],
        },
      ];
    });
  },
};

/** Roots of cos λ cosh λ = -1. */
const ROOTS = [1.8751040687119611, 4.694091132974175, 7.854757438237613];

const cantilever = (
  elastic: Partial<ElasticDescription>,
  hinge: BodyDescription["hinge"] = { kind: "fixed" },
  axis: "ry" | "rz" = "rz",
): Model =>
  createModel({
    name: "cantilever",
    bodies: [
      {
        name: "rod",
        elastic: { length: 1, massPerLength: 1, freedoms: [axis], ...elastic },
        hinge,
        frames: { tip: { at: [1, 0, 0] } },
      },
    ],
  });

/** Errors in % of f1, f2, f3, u_P, φ_P, φ_M against Euler and Bernoulli's beam. */
function errorsOf(model: Model): readonly number[] {
  const alpha = alphaOf(model);
  const exact = [...ROOTS.map((r) => (r * r) / (2 * Math.PI)), 1 / 3, 1 / 2, 1];
  const ours = [...alpha.slice(0, 3), ...alpha.slice(-3)];
  return ours.map((v, i) => 100 * (v / exact[i]! - 1));
}

const listed = (at: readonly number[], k: readonly number[]): Model =>
  cantilever({ joints: at.map((x, j) => ({ at: x, stiffness: k[j]! })) });
const EI = { bendingStiffness: 1 } as const;
const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** f1, f2, f3, u_P, φ_P in % for n = J + 1 links [spec, section 3]. */
const CONVERGENCE: readonly (readonly [name: string, model: () => Model, published: readonly number[]])[] = [
  ...(
    [
      [4, [24.869, 28.376, 29.486, -28, -20]],
      [7, [14.243, 15.403, 16.347, -17.969, -12.5]],
      [15, [6.658, 6.91, 7.134, -9.18, -6.25]],
    ] as const
  ).map(
    ([J, published]) =>
      [
        `equal links, ${J} joints`,
        () =>
          listed(
            range(J).map((i) => (i + 1) / (J + 1)),
            range(J).map(() => J + 1),
          ),
        published,
      ] as const,
  ),
  ...(
    [
      [4, [1.453, 5.21, 7.486, -1.5625, 0]],
      [7, [0.47, 1.647, 2.645, -0.5102, 0]],
      [15, [0.102, 0.355, 0.58, -0.1111, 0]],
    ] as const
  ).map(
    ([J, published]) =>
      [
        `joints in the middle of elements, ${J}`,
        () =>
          listed(
            range(J).map((i) => (i + 0.5) / J),
            range(J).map(() => J),
          ),
        published,
      ] as const,
  ),
  ...(
    [
      [7, [-0.044, 1.137, 2.128, 0, 0]],
      [15, [-0.009, 0.244, 0.469, 0, 0]],
    ] as const
  ).map(
    ([J, published]) =>
      [`stretched (our default from 7 joints on), ${J}`, () => cantilever({ ...EI, joints: J }), published] as const,
  ),
];

/** Flapping of a rotating clamped rod: first frequency over √(EI / (μ L⁴)), exact, and errors of 4 and 6 joints in %. */
const ROTATING = {
  speeds: [1, 2, 3, 6, 12],
  exact: [3.6816, 4.1373, 4.7973, 7.3604, 13.1704],
  errors: { 4: [0.11, 0.33, 0.54, 0.86, 1.36], 6: [0.05, 0.16, 0.25, 0.39, 0.5] },
};

function flapping(joints: number, speed: number): number {
  const model = createModel({
    name: "rotor",
    bodies: [
      { name: "hub", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } },
      {
        name: "rod",
        parent: "hub",
        elastic: { length: 1, massPerLength: 1, ...EI, freedoms: ["ry"], joints },
        hinge: { kind: "fixed" },
      },
    ],
    loops: [{ name: "spin", kind: "prescribed", hinge: "hub", motion: { rate: speed } }],
  });
  const u = new Float64Array(model.nu);
  u[0] = speed;
  return 2 * Math.PI * modesOf(linearise(model, [], { u }))[0]!.frequency;
}

export const flexibleBeams: Validation = {
  name: "flexible-beams",
  title: "Beams: clamped, rotating, bent far",
  source: "Euler and Bernoulli's beam in closed form, Euler's elastica, rotating beams of 200 joints",
  scenario: "flexible-elastica",
  async tables(load) {
    const sets: readonly (readonly [number, readonly number[]])[] = [
      [3, [1]],
      [4, [0, 1]],
      [5, [0, 1, 2]],
      [6, [0, 1, 2]],
    ];
    const { run } = await runScenario(load("flexible-elastica"));
    const last = (name: string): number => run.log.column(name).at(-1)!;
    return [
      {
        title: "Calibrated sets: relative errors of the clamped rod",
        rows: sets.map(([J, modes]) => {
          const errors = errorsOf(cantilever({ ...EI, joints: J })).map((e) => e / 100);
          const chosen = [...modes.map((k) => errors[k]!), ...errors.slice(3)];
          return row(
            `${J} joints: f${modes.map((k) => k + 1).join(", f")}, u_P, φ_P, φ_M`,
            "",
            chosen.map(() => 0),
            chosen,
            1e-9,
          );
        }),
      },
      {
        title: "Convergence: errors of f1, f2, f3, u_P, φ_P",
        rows: CONVERGENCE.map(([name, model, published]) => row(name, "%", published, errorsOf(model()).slice(0, 5), 6e-4)),
      },
      {
        title: "Rotating: error of the first flapping frequency at Ω √(μ L⁴ / EI) = 1, 2, 3, 6, 12",
        rows: ([4, 6] as const).map((J) =>
          row(
            `${J} joints`,
            "%",
            ROTATING.errors[J],
            ROTATING.speeds.map((w, i) => 100 * (flapping(J, w) / ROTATING.exact[i]! - 1)),
            0.006,
          ),
        ),
      },
      {
        title: "Elastica, P L² / EI = 1: where the tip comes to rest",
        rows: [row("x, y over L", "", [0.94357, 0.30172], [last("frame.tip.x"), last("frame.tip.y")], 1e-3)],
      },
      {
        title: "Damping ratios chosen as 1, 1, 2, 5 %",
        rows: [
          row(
            "realised",
            "",
            [0.01, 0.01, 0.02, 0.05],
            modesOf(linearise(cantilever({ ...EI, damping: { ratios: [0.01, 0.01, 0.02, 0.05] } }))).map((m) => m.dampingRatio),
            1e-6,
          ),
        ],
      },
    ];
  },
};

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
    const extreme = (name: string, sign: 1 | -1): readonly [number, number] => {
      const values = column(name);
      let best = 0;
      for (let i = 1; i < values.length; i++) if (sign * values[i]! > sign * values[best]!) best = i;
      return [values[best]!, t[best]!];
    };
    const final = (name: string): number => column(name)[log.length - 1]!;
    const at = (name: string): number[] => ARM_STEP.map(([time]) => column(name)[Math.round(time / scenario.sample)]!);
    const target = (2 * Math.PI) / 9;
    const [peak1, time1] = extreme("q.motor-1", 1);
    const [peak2, time2] = extreme("q.motor-2", 1);
    const [high, highTime] = extreme("acceleration.tip.y", 1);
    const [low, lowTime] = extreme("acceleration.tip.y", -1);
    const rest = load("flexible-two-link", [change("state.q", REST)]);
    const modes = modesOf(linearise(rest.model, [], { q: rest.q, locked: ["motor-1", "motor-2"] }));
    return [
      {
        title: "The step",
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
        title: "Small motions about the rest under PD control, motors held",
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

export const flexibleSatellite: Validation = {
  name: "flexible-satellite",
  title: "A free satellite with elastic paddles and arm, without damping, for 600 s",
  source: "conservation laws",
  scenario: "flexible-satellite",
  async tables(load) {
    const elastic = ["paddle-left", "paddle-right", "upper-arm"];
    const { run } = await runScenario(
      load("flexible-satellite", [
        ...elastic.map((name) => change(`model.bodies.${name}.elastic.damping`, 0)),
        change("controllers", {}),
        change("forces", { hold: { kind: "hinge-spring", hinge: ["shoulder", "forearm"], stiffness: [400, 200] } }),
        change("state", {
          u: { bus: [0.01, 0.02, 0.015, 0, 0, 0], "paddle-left-2": [0, 0.05], "paddle-right-2": [0.03, 0.04] },
        }),
        change("integrator", { name: "dop853", relativeTolerance: 1e-9, absoluteTolerance: 1e-10 }),
        change("duration", 600),
        change("sample", 1),
        change("channels", ["energy.*"]),
        change("plots", []),
      ]),
    );
    const limits: Readonly<Record<string, number>> = { energy: 1e-7, "angular momentum": 1e-10, "linear momentum": 1e-10 };
    return [
      {
        title: "Relative drift, largest of all samples",
        rows: run.audit.flatMap(({ channel, worst }) =>
          limits[channel] === undefined ? [] : [row(channel, "", [0], [worst], limits[channel])],
        ),
      },
    ];
  },
};
