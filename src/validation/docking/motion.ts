/** Motions of the docking study: after an impulse on the ring, with all coordinates integrated; and through dead points, also by the method of the paper. */

import type { FormulationName } from "../../dynamics/formulation.ts";
import { closedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import { minimal } from "../../dynamics/partition/minimal.ts";
import { partition } from "../../dynamics/partition/partition.ts";
import { impulseJump } from "../../dynamics/tree/impulse.ts";
import { SingularError } from "../../errors.ts";
import { createModel } from "../../model/build/create-model.ts";
import type { LoopDescription } from "../../model/description.ts";
import { coordinateNames, type Model } from "../../model/model.ts";
import { readForce } from "../../parts/force/forces.ts";
import { createSystem } from "../../sim/create-system.ts";
import { dop853 } from "../../sim/integrators/dop853.ts";
import { simulate } from "../../sim/run/simulate.ts";
import type { Validation, ValidationRow, ValidationTable } from "../validation.ts";
import { CASES, type DockingCase, hingeForces, inOurOrder, isFloating, modelOf } from "./cases.ts";
import { MOTIONS, numbers } from "./data.ts";
import { planarFourBar } from "./linkages.ts";
import { describeMechanism } from "./mechanism.ts";
import { atAzimuth } from "./shapes.ts";

const RIM_IMPULSE = { frame: "ring", at: atAzimuth(20, 0.6), force: [-8, 2, 1] } as const;

const forcesOf = (model: Model, laws: DockingCase["laws"]) =>
  Object.entries(laws).map(([hinge, law]) => readForce("hinge-spring", `law of ${hinge}`, { hinge, ...law }, model));

/** A motion of the study, by one formulation. */
function motionTable(name: keyof typeof MOTIONS, formulation: FormulationName): ValidationTable {
  const study: DockingCase = CASES[name];
  const given = MOTIONS[name];
  const model = modelOf(study);
  const { q, speeds } = inOurOrder(model, numbers(given.start));
  const u0 = speeds(numbers(given.u0));
  const struck = study.onRing ? impulseJump(model, q, [RIM_IMPULSE]).du : u0;
  const system = createSystem(model, forcesOf(model, study.laws), { formulation });
  const run = simulate(system, system.start({ q, u: struck }), {
    duration: given.duration,
    integrator: dop853,
    settings: { relativeTolerance: 1e-12, absoluteTolerance: 1e-13 },
    sample: given.duration / 10,
    channels: ["energy.*", "momentum.*"],
  });
  const end = inOurOrder(model, numbers(given.q));
  const [nq, nu] = [model.nq, model.nu];
  const last = (channels: readonly string[]): number[] => channels.map((c) => run.log.column(c).at(-1)!);
  const vector = (what: string): string[] => ["x", "y", "z"].map((axis) => `momentum.${what}.${axis}`);
  const balance = run.log.column("energy.balance");
  const row = (
    quantity: string,
    unit: string,
    expected: ArrayLike<number>,
    ours: ArrayLike<number>,
    tolerance: number,
  ): ValidationRow => ({
    quantity,
    unit,
    expected: Array.from(expected),
    ours: Array.from(ours),
    tolerance,
  });
  return {
    title: `${study.title}: ${given.duration} s by ${formulation}`,
    origin: "independent program",
    rows: [
      ...(study.onRing ? [row("speeds after the blow of (-8, 2, 1) N s on the ring's rim", "SI", u0, struck, 1e-9)] : []),
      row("coordinates at the end", "SI", end.q, run.y.subarray(0, nq), 1e-8),
      row("speeds at the end", "SI", end.speeds(numbers(given.u)), run.y.subarray(nq, nq + nu), 1e-8),
      row(
        "kinetic, dissipated energy at the end",
        "J",
        numbers(given.energy).filter((_, i) => i !== 1),
        last(["energy.kinetic", "energy.dissipated"]),
        1e-8,
      ),
      {
        ...row(
          "largest error of the energy balance",
          "J",
          [0],
          [Math.max(...balance.map((b) => Math.abs(b - balance[0]!)))],
          1e-9,
        ),
        origin: "conservation law",
      },
      ...(isFloating(model)
        ? [
            row(
              "linear, then angular momentum at the end",
              "N s, N m s",
              numbers(given.momentum),
              last([...vector("linear"), ...vector("angular")]),
              1e-9,
            ),
          ]
        : []),
    ],
  };
}

const H = 1e-3;
const DEAD_POINTS = 1.2;

/** The four-bar with the given dependent coordinates. */
const fourBar = (dependent: readonly string[]): Model =>
  createModel(
    describeMechanism(
      { ...planarFourBar, loops: planarFourBar.loops.map((loop) => ({ ...loop, dependent }) as LoopDescription) },
      "elementary",
    ),
  );

/** Runge-Kutta steps of order 4. `minimal`: of the independents, with the dependents computed at every stage, as in the paper. `all`: of all coordinates, projected after each step. */
function integrateFixedSteps(
  model: Model,
  mode: "minimal" | "all",
  switchGrowth: number,
): { y: Float64Array; t: number; failed?: string } {
  const n = model.nu;
  const { laws } = CASES.a;
  const equations = (mode === "minimal" ? minimal : partition).derive(model, { switchGrowth });
  const { dependents } = equations;
  const projection = closedLoops(model);
  const y = Float64Array.from([...numbers(MOTIONS.a.start), ...numbers(MOTIONS.a.u0)]);
  const none = new Float64Array(0);
  const rates = (t: number, at: Float64Array): Float64Array => {
    const [q, u, ydot] = [at.subarray(0, n), at.subarray(n), new Float64Array(2 * n)];
    dependents?.complete(q, u, t);
    equations.accelerations(q, u, hingeForces(model, laws, q, u), none, ydot.subarray(n), t);
    ydot.set(u);
    return ydot;
  };
  const ahead = (k: Float64Array, c: number): Float64Array => y.map((v, i) => v + c * k[i]!);
  for (let step = 0; ; step++) {
    const t = step * H;
    if (t > DEAD_POINTS - H / 2) return { y, t };
    try {
      const k1 = rates(t, y.slice());
      const k2 = rates(t + H / 2, ahead(k1, H / 2));
      const k3 = rates(t + H / 2, ahead(k2, H / 2));
      const k4 = rates(t + H, ahead(k3, H));
      for (let i = 0; i < 2 * n; i++) y[i]! += (H / 6) * (k1[i]! + 2 * k2[i]! + 2 * k3[i]! + k4[i]!);
      const [q, u] = [y.subarray(0, n), y.subarray(n)];
      if (dependents) {
        dependents.complete(q, u, t + H);
        dependents.rechoose(q, t + H);
      } else projection.project(t + H, q, u);
    } catch (error) {
      if (!(error instanceof SingularError)) throw error;
      return { y, t, failed: error.message };
    }
  }
}

/** The four-bar through the dead points of its rocker: errors of steps of 1 ms relative to a run with tight tolerances. */
function deadPointTable(): ValidationTable {
  const good = fourBar(["rocker", "coupler"]);
  const bad = fourBar(["crank", "coupler"]);
  const system = createSystem(good, forcesOf(good, CASES.a.laws));
  const { y: exact } = simulate(system, system.start({ q: numbers(MOTIONS.a.start), u: numbers(MOTIONS.a.u0) }), {
    duration: DEAD_POINTS,
    integrator: dop853,
    settings: { relativeTolerance: 1e-13, absoluteTolerance: 1e-13 },
  });
  const errorOf = ({ y }: { y: Float64Array }): number => Math.max(...y.map((v, i) => Math.abs(v - exact[i]!)));
  const row = (quantity: string, ours: number, tolerance: number): ValidationRow => ({
    quantity,
    unit: "SI",
    expected: [0],
    ours: [ours],
    tolerance,
  });
  const fixed = integrateFixedSteps(bad, "minimal", Number.POSITIVE_INFINITY);
  return {
    title:
      "A four-bar through the dead points of its rocker, 1.2 s in steps of 1 ms: largest error; where others are chosen, the study's error is the tolerance",
    origin: "other method of Castor",
    rows: [
      row("crank integrated, the good set", errorOf(integrateFixedSteps(good, "minimal", 8)), 2e-9),
      row("rocker at first, others chosen at growth 8", errorOf(integrateFixedSteps(bad, "minimal", 8)), 7.5e-3),
      row("rocker at first, others chosen at growth 2.5", errorOf(integrateFixedSteps(bad, "minimal", 2.5)), 7.3e-5),
      row("all coordinates integrated, others chosen at growth 8", errorOf(integrateFixedSteps(bad, "all", 8)), 2e-8),
      {
        quantity: "rocker for ever: fails at the dead point",
        unit: "s",
        origin: "independent program",
        expected: [0.569],
        ours: [fixed.failed === undefined ? Number.NaN : fixed.t],
        tolerance: 3e-3,
      },
    ],
  };
}

/** d3 over its dead point, where the ring does not determine leg 1: by partition, with other independents, and with multipliers. */
function passedDeadPointTable(): ValidationTable {
  const model = modelOf(CASES.d3);
  const q = Float64Array.from(numbers(MOTIONS.d3.start));
  const u = impulseJump(model, q, [RIM_IMPULSE]).du;
  const ends = (["partition", "articulated", "minimal"] as const).map((formulation) => {
    const system = createSystem(model, forcesOf(model, CASES.d3.laws), { formulation });
    return simulate(system, system.start({ q, u }), {
      duration: 0.5,
      integrator: dop853,
      settings: { relativeTolerance: 1e-11, absoluteTolerance: 1e-12 },
    }).y;
  });
  const n = 2 * model.nu;
  const names = coordinateNames(model).u.length;
  return {
    title: `d3 over its dead point at 0.306 s, 0.5 s: ${names} coordinates and speeds against multipliers`,
    origin: "other method of Castor",
    rows: (["partition", "minimal"] as const).map((name, k) => ({
      quantity: `by ${name}`,
      unit: "SI",
      expected: [...ends[1]!.subarray(0, n)],
      ours: [...ends[2 * k]!.subarray(0, n)],
      tolerance: 1e-6,
    })),
  };
}

export const dockingMotion: Validation = {
  name: "docking-motion",
  title: "Docking mechanisms: motions after a blow, dead points",
  source: "docking study: partitioned minimal equations and multipliers on all coordinates, which agree to 1.9e-12",
  scenario: "docking-apas",
  tables: async () => [
    ...(["a", "b6", "b6f", "c6", "d1", "d3", "e"] as const).map((name) => motionTable(name, "partition")),
    motionTable("b6f", "minimal"),
    deadPointTable(),
    passedDeadPointTable(),
  ],
};
