/** The machine on which force elements are tested, and what loads do on it: in numbers, from the same source as the kernels. */
import { coordinateRates, framePose, placeLinks } from "../../src/dynamics/tree/kinematics.ts";
import { machineOf } from "../../src/dynamics/tree/link-tree.ts";
import { interpret } from "../../src/kernel/emit/interpret.ts";
import { derivatives } from "../../src/kernel/trace/differentiate.ts";
import { type Expr, trace } from "../../src/kernel/trace/program.ts";
import { abs, max, mul, type Scalar, sum } from "../../src/kernel/trace/scalar.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import type { BodyDescription } from "../../src/model/description.ts";
import type { Model } from "../../src/model/model.ts";
import type { ForceElement } from "../../src/sim/system/force-element.ts";
import { layoutOf } from "../../src/sim/system/layout.ts";
import { loadsProgram } from "../../src/sim/system/motion-program.ts";
import { traceElements } from "../../src/sim/system/trace-elements.ts";
import { cross, plus, type Vec3 } from "../../src/spatial/vec3.ts";
import { randomState, uniform } from "../random-model.ts";

const link = (name: string, parent: string, hinge: BodyDescription["hinge"]): BodyDescription => ({
  name,
  parent,
  mass: 2,
  com: [0.2, 0.02, -0.01],
  inertia: [0.02, 0.05, 0.06, 0.003, 0.002, -0.001],
  hinge,
  frames: { [`${name}-tip`]: { at: [0.4, 0.05, 0.02], rotation: { rpy: [0.3, -0.2, 0.5] } } },
});

/** A free base with an arm of two turns, a slide and a ball. */
export const ARM: Model = createModel({
  name: "arm",
  bodies: [
    {
      name: "hull",
      mass: 50,
      com: [0.05, -0.02, 0.1],
      inertia: [6, 7, 8, 0.2, -0.1, 0.3],
      hinge: { kind: "free", name: "base" },
      frames: { dock: { at: [-0.5, 0.1, 0.2], rotation: { rpy: [0.1, 0.7, -0.4] } } },
    },
    link("upper", "hull", { kind: "revolute", name: "shoulder", axis: "y", at: [0.5, 0, 0.1] }),
    link("fore", "upper", { kind: "revolute", name: "elbow", axis: [0, 1, 1], at: [0.4, 0, 0] }),
    link("boom", "fore", { kind: "prismatic", name: "slider", axis: "x", at: [0.4, 0, 0] }),
    link("hand", "boom", { kind: "spherical", name: "wrist", at: [0.3, 0, 0] }),
  ],
});

export interface ElementState {
  readonly t: number;
  readonly q: Float64Array;
  readonly u: Float64Array;
  readonly z: Float64Array;
  readonly held: Float64Array;
}

/** A state at random: internal states and held inputs of the size of one. */
export function stateAt(model: Model, element: ForceElement, seed: number): ElementState {
  const { q, u } = randomState(model, seed);
  const next = uniform(seed ^ 0xe1e);
  const numbers = (n: number): Float64Array => Float64Array.from({ length: n }, () => 3 * (2 * next() - 1));
  return { t: 10 * next(), q, u, z: numbers(element.z0?.length ?? 0), held: numbers(element.held?.length ?? 0) };
}

export interface Account {
  /** tau·u + wrenches·velocities */
  readonly power: number;
  /** Sum of the sizes of the terms of the power: what rounding is relative to. */
  readonly flow: number;
  readonly supplied: number;
  readonly dissipated: number;
  readonly potential: number;
  /** dV/dt along q̇ and ż, by differentiation of the trace. */
  readonly stored: number;
  readonly tau: readonly number[];
  /** Net torque about the world origin and net force of the wrenches. */
  readonly net: readonly number[];
  /** Largest component of a wrench. */
  readonly largest: number;
  readonly zdot: readonly number[];
  readonly channels: Readonly<Record<string, number>>;
}

/** Everything an element does, ready to be evaluated at states: traced once. */
export function accountOf(model: Model, element: ForceElement): (state: ElementState) => Account {
  const layout = layoutOf(model, [element]);
  const names: string[] = [];
  const program = trace(
    element.name,
    { t: 1, q: model.nq, u: model.nu, z: layout.nz, held: layout.nheld },
    ({ t, q, u, z, held }) => {
      const machine = machineOf(model);
      const placed = placeLinks(machine, q);
      const totals = traceElements(layout, machine, placed, { t: t[0]!, q, u, z, held });
      names.push(...totals.channels.map((c) => c.name));
      const [dVdq, dVdz] = [q, z].map((x) => derivatives([totals.potential], x as readonly Expr[])[0] ?? []);
      const along = (slopes: readonly Scalar[], rates: readonly Scalar[]): Scalar =>
        sum(slopes.map((slope, i) => mul(slope, rates[i]!)));
      const stored = [along(dVdq!, coordinateRates(model, q, u)), along(dVdz!, totals.zdot)];
      let [torque, force]: [Vec3, Vec3] = [
        [0, 0, 0],
        [0, 0, 0],
      ];
      const power: Scalar[] = totals.tau.map((f, i) => mul(f, u[i]!));
      for (const [k, frame] of layout.frames.entries()) {
        const [a, b, c, x, y, w] = totals.w.slice(6 * k, 6 * k + 6) as [Scalar, Scalar, Scalar, Scalar, Scalar, Scalar];
        const { p } = framePose(machine, placed, frame);
        torque = plus(torque, plus([a, b, c], cross(p, [x, y, w])));
        force = plus(force, [x, y, w]);
        let moving: { w: Vec3; v: Vec3 } | undefined;
        const spy: ForceElement = {
          name: "spy",
          kind: "spy",
          trace: (s) => {
            moving = s.frame(frame.name);
          },
        };
        traceElements(layoutOf(model, [spy]), machine, placed, { t: t[0]!, q, u, z: [], held: [] });
        power.push(...[a, b, c].map((v, i) => mul(v, moving!.w[i]!)), ...[x, y, w].map((v, i) => mul(v, moving!.v[i]!)));
      }
      return {
        power: [sum(power)],
        flow: [sum(power.map(abs))],
        supplied: [totals.supplied],
        dissipated: [totals.dissipated],
        potential: [totals.potential],
        stored: [sum(stored)],
        tau: totals.tau,
        net: [...torque, ...force],
        largest: [totals.w.reduce<Scalar>((most, v) => max(most, abs(v)), 0)],
        zdot: totals.zdot,
        channels: totals.channels.map((c) => c.value),
      };
    },
  );
  return ({ t, q, u, z, held }) => {
    const y = new Float64Array(program.results.length);
    interpret(program, Float64Array.from([t, ...q, ...u, ...z, ...held]), y);
    let at = 0;
    const take = (n: number): number[] => {
      at += n;
      return [...y.subarray(at - n, at)];
    };
    const [power, flow, supplied, dissipated, potential, stored] = take(6) as [number, number, number, number, number, number];
    const [tau, net, [largest], zdot, values] = [take(model.nu), take(6), take(1), take(layout.nz), take(names.length)];
    const channels = Object.fromEntries(names.map((name, i) => [name, values[i]!]));
    return { power, flow, supplied, dissipated, potential, stored, tau, net, largest: largest!, zdot, channels };
  };
}

/** Rates of angular and linear impulse from outside, as the audit of a run counts them. */
export function impulseOf(model: Model, element: ForceElement, { t, q, u, z, held }: ElementState): number[] {
  const layout = layoutOf(model, [element]);
  const program = loadsProgram(layout);
  const y = new Float64Array(program.results.length);
  const numeric = layout.numeric ? new Array<number>(layout.nu + 6 * layout.frames.length).fill(0) : [];
  interpret(program, Float64Array.from([t, ...q, ...u, ...z, ...new Array<number>(8).fill(0), ...held, ...numeric]), y);
  return [...y.subarray(layout.ny - 6, layout.ny)];
}
