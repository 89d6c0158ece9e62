/** The basic problems of the IFToMM library of computational benchmark problems: A01 to A05. */
import { runScenario, type ScenarioRun } from "../../scenario/run.ts";
import { inWorkspace } from "../../sim/system/system.ts";
import { valueFurthestFrom, valuesAt } from "../samples.ts";
import { change, type Validation, type ValidationRow } from "../validation.ts";
import { nFourBar, nFourBarStart, topOfNFourBar } from "./n-four-bar.ts";

/** Tolerance of the energy balance at all samples, relative to the exchanged energy. */
const ENERGY_TOLERANCE = 1e-8;

const energyRow = ({ run }: ScenarioRun): ValidationRow => ({
  quantity: `energy balance over ${run.t} s, relative, furthest`,
  unit: "",
  origin: "conservation law",
  expected: [0],
  ours: [run.audit.find((row) => row.channel === "energy")!.worst],
  tolerance: ENERGY_TOLERANCE,
});

export const a01: Validation = {
  name: "a01",
  title: "IFToMM A01: simple pendulum",
  source: "closed form, Jacobi's elliptic functions",
  scenario: "simple-pendulum",
  async tables(load) {
    const result = await runScenario(load("simple-pendulum"));
    return [
      {
        title: "By dop853 at a relative tolerance of 1e-12",
        origin: "closed form",
        rows: [
          {
            quantity: "position at 10 s",
            unit: "m",
            expected: [-0.275087462576, -0.961419205099],
            ours: valuesAt(result.run.log, 10, ["frame.mass.x", "frame.mass.y"]),
            tolerance: 1e-9,
          },
          energyRow(result),
        ],
      },
    ];
  },
};

/** Number of windows of the large case. */
const MANY_WINDOWS = 40;

export const a02: Validation = {
  name: "a02",
  title: "IFToMM A02: N four-bar, through flat configurations in which the freedom jumps from 1 to N + 1",
  source: "exact reduction to one pendulum, I θ'' = -G cos θ",
  scenario: "n-four-bar",
  async tables(load) {
    const few = await runScenario(load("n-four-bar"));
    const many = await runScenario(
      load("n-four-bar", [
        change("model", nFourBar(MANY_WINDOWS)),
        change("state", nFourBarStart(MANY_WINDOWS)),
        change("sample", 0.1),
        change("channels", ["q.*", "u.*", "energy.*", "frame.top.*"]),
      ]),
    );
    const top = ({ run }: ScenarioRun, t: number): number[] => valuesAt(run.log, t, ["frame.top.x", "frame.top.y"]);
    const speeds = valuesAt(
      many.run.log,
      10,
      Array.from({ length: MANY_WINDOWS + 1 }, (_, i) => `u.v${i}`),
    );
    const row = (quantity: string, unit: string, expected: readonly number[], ours: readonly number[], tolerance: number) => ({
      quantity,
      unit,
      expected,
      ours,
      tolerance,
    });
    return [
      {
        title: "N = 2, by rk4 at steps of 1 ms",
        origin: "closed form",
        rows: [
          row("top of the first rod at 4 s", "m", [0.11761610238, 0.99305913845], top(few, 4), 1e-8),
          row("top of the first rod at 10 s", "m", topOfNFourBar(2, 10), top(few, 10), 1e-8),
          energyRow(few),
        ],
      },
      {
        title: `N = ${MANY_WINDOWS}, by rk4 at steps of 1 ms`,
        origin: "closed form",
        rows: [
          row("top of the first rod at 4 s", "m", topOfNFourBar(MANY_WINDOWS, 4), top(many, 4), 1e-8),
          row("top of the first rod at 10 s", "m", topOfNFourBar(MANY_WINDOWS, 10), top(many, 10), 1e-8),
          row(
            "speeds of all vertical rods at 10 s, largest difference",
            "rad/s",
            [0],
            [Math.max(...speeds) - Math.min(...speeds)],
            1e-8,
          ),
          energyRow(many),
        ],
      },
    ];
  },
};

const SQUEEZED = ["k1", "k2", "k3", "k4", "k5", "k6", "k7"] as const;

export const a03: Validation = {
  name: "a03",
  title: "IFToMM A03: Andrews' squeezing mechanism",
  source: "test set for initial value problem solvers; its digits are good to 3e-10 (angles) and 5e-8 (speeds)",
  scenario: "andrews-squeezer",
  async tables(load) {
    const result = await runScenario(load("andrews-squeezer"));
    const at = (what: "q" | "u"): number[] =>
      valuesAt(
        result.run.log,
        0.03,
        SQUEEZED.map((k) => `${what}.${k}`),
      );
    return [
      {
        title: "By dop853 at a relative tolerance of 1e-10, over the 0.05 s of the benchmark",
        origin: "other tool",
        rows: [
          {
            quantity: "angles at 0.03 s",
            unit: "rad",
            // beta, Theta, gamma, Phi, delta, Omega, epsilon
            expected: [
              15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805303,
              0.5347301163226948, 1.048080741042263,
            ],
            ours: at("q"),
            tolerance: 1e-8,
          },
          {
            quantity: "speeds at 0.03 s",
            unit: "rad/s",
            expected: [
              1139.920302151208, -1424.379294994111, 11.03291221937134, 19.29337464421385, 0.5735699284790808, -19.29337464421385,
              0.3231791658026955,
            ],
            ours: at("u"),
            tolerance: 1e-6,
          },
          energyRow(result),
        ],
      },
    ];
  },
};

export const a04: Validation = {
  name: "a04",
  title: "IFToMM A04: Bricard's mechanism",
  source: "independent computation with one coordinate",
  scenario: "bricard",
  async tables(load) {
    const result = await runScenario(load("bricard"));
    return [
      {
        title: "By dop853 at a relative tolerance of 1e-11",
        origin: "independent program",
        rows: [
          {
            quantity: "point P2 at 1 s",
            unit: "m",
            expected: [0.274481319265, -0.886707938735, -0.462330002687],
            ours: valuesAt(result.run.log, 1, ["frame.P2.x", "frame.P2.y", "frame.P2.z"]),
            tolerance: 1e-9,
          },
          {
            quantity: "equations of the loop that depend on the others",
            unit: "",
            origin: "closed form",
            expected: [1],
            ours: [dependentEquations(result)],
            tolerance: 1e-9,
          },
          energyRow(result),
        ],
      },
    ];
  },
};

/** Number of loop equations that depend on others at the start. */
const dependentEquations = ({ system, start }: ScenarioRun): number =>
  inWorkspace(system, start, (workspace) => {
    workspace.compileLoopsAt(start.t, start.y);
    return workspace.closed!.redundant;
  });

const SHAFT_MOMENTUM = 53.868998658418;

export const a05: Validation = {
  name: "a05",
  title: "IFToMM A05: stiff flyball governor",
  source: "independent computation",
  scenario: "flyball-governor",
  async tables(load) {
    const result = await runScenario(load("flyball-governor"));
    const { log } = result.run;
    return [
      {
        title: "By radau5 at a relative tolerance of 1e-11",
        origin: "independent program",
        rows: [
          {
            quantity: "slider at 0.5 s",
            unit: "m",
            expected: [0.7432494248],
            ours: valuesAt(log, 0.5, ["q.slider"]),
            tolerance: 1e-9,
          },
          {
            quantity: "angular momentum about the shaft, furthest",
            unit: "N m s",
            origin: "conservation law",
            expected: [SHAFT_MOMENTUM],
            ours: [valueFurthestFrom(log, "momentum.angular.z", SHAFT_MOMENTUM)],
            tolerance: 1e-8,
          },
          energyRow(result),
        ],
      },
    ];
  },
};
