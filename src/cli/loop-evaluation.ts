/** What `castor eval` says of loops: how they are partitioned, what they exert, and what is carried by each body. */
import { constraints } from "../dynamics/constraints.ts";
import { machineOf } from "../dynamics/machine.ts";
import { type PartitionReport, partitionReport } from "../dynamics/partition-report.ts";
import { bodyPoses } from "../dynamics/programs.ts";
import type { InitialState } from "../formats/state-file.ts";
import { compile } from "../kernel/kernel.ts";
import { trace } from "../kernel/program.ts";
import type { Scalar } from "../kernel/scalar.ts";
import type { Attachment } from "../model/loop.ts";
import type { Model } from "../model/model.ts";
import { tracedWrenches } from "../sim/engagement.ts";
import { apply, type Mat3 } from "../spatial/rotation.ts";
import { cross, minus, plus, type Vec3 } from "../spatial/vec3.ts";

type V3 = Vec3<number>;

/** Torque and force, world axes. */
export interface Load {
  readonly torque: V3;
  readonly force: V3;
}

export interface LoopEvaluation {
  readonly partition: PartitionReport;
  /** Rows of the loops over the speeds, and what they miss by: f and ḟ. */
  readonly jacobian: readonly (readonly number[])[];
  readonly open: readonly number[];
  readonly openRates: readonly number[];
}

/** Nothing for a model without loops that hold. */
export function evaluateLoops(model: Model, { q, u, tau, wrenches }: InitialState): LoopEvaluation | undefined {
  if (model.loops.length === 0) return undefined;
  const w = Float64Array.from(wrenches.flatMap(({ torque, force }) => [...torque, ...force]));
  const state = { q, u, tau, w, wrenches: wrenches.map(({ frame }) => frame) };
  return { partition: partitionReport(model, state), ...closureOf(model, q, u) };
}

function closureOf(model: Model, q: Float64Array, u: Float64Array): Omit<LoopEvaluation, "partition"> {
  const { nq, nu } = model;
  const program = trace(`${model.name} loops`, { q: nq, u: nu }, (given) => {
    const { rows, rates } = constraints(model, machineOf(model), 0, given.q, given.u);
    const J = rows.flatMap((row) => {
      const dense = new Array<Scalar>(nu).fill(0);
      for (const entry of row.J) dense[entry.u] = entry.value;
      return dense;
    });
    return { J, f: rows.map((r) => r.residual), rates };
  });
  const kernel = compile(program);
  kernel.x.set(q);
  kernel.x.set(u, nq);
  kernel.evaluate();
  const m = program.outputs.f;
  const at = (k: number): number[] => [...kernel.y.subarray(m * nu + m * k, m * nu + m * (k + 1))];
  return {
    jacobian: Array.from({ length: m }, (_, i) => [...kernel.y.subarray(i * nu, i * nu + nu)]),
    open: at(0),
    openRates: at(1),
  };
}

/** What each loop between frames exerts on M's body at M's origin, from the multipliers of a formulation. */
export function loopLoads(model: Model, q: Float64Array, lambda: Float64Array): ReadonlyMap<string, Load> {
  return new Map(
    tracedWrenches(model, [...q], [...lambda]).flatMap(({ loop, wrench }) =>
      wrench ? [[loop, { torque: wrench.slice(0, 3) as unknown as V3, force: wrench.slice(3) as unknown as V3 }] as const] : [],
    ),
  );
}

/** For the world and every body that carries hinges or loops: the sum of what these exert on it, about its origin. */
export function carriedLoads(
  model: Model,
  q: Float64Array,
  reactions: Float64Array,
  lambda: Float64Array,
): ReadonlyMap<string, Load> {
  const kernel = compile(bodyPoses(model));
  kernel.x.set(q);
  kernel.evaluate();
  const placeOf = (body: number): { R: Mat3<number>; p: V3 } | undefined => {
    if (body < 0) return undefined;
    const y = kernel.y.subarray(12 * body, 12 * body + 12);
    return { R: [0, 3, 6].map((k) => [...y.subarray(k, k + 3)]) as unknown as Mat3<number>, p: [y[9]!, y[10]!, y[11]!] };
  };
  const point = (body: number, at: V3): V3 => {
    const place = placeOf(body);
    return place ? (plus(place.p, apply(place.R, at)) as V3) : at;
  };
  const found = new Map<number, { torque: V3; force: V3 }>();
  const give = (body: number, sign: 1 | -1, { torque, force }: Load, at: V3): void => {
    const here = found.get(body) ?? { torque: [0, 0, 0], force: [0, 0, 0] };
    const arm = minus(at, placeOf(body)?.p ?? [0, 0, 0]);
    const about = plus(torque, cross(arm, force)) as V3;
    const add = (a: V3, b: V3): V3 => [a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2]];
    found.set(body, { torque: add(here.torque, about), force: add(here.force, force) });
  };
  for (const { index, parent, hinge } of model.bodies) {
    const [tx, ty, tz, fx, fy, fz] = reactions.subarray(6 * index, 6 * index + 6);
    give(parent, -1, { torque: [tx!, ty!, tz!], force: [fx!, fy!, fz!] }, point(index, hinge.onBody.p as V3));
  }
  const loads = loopLoads(model, q, lambda);
  for (const loop of model.loops) {
    const load = loads.get(loop.name);
    if (loop.type !== "frames" || !load) continue;
    const at = point(loop.to.body, (loop.to as Attachment).placement.p as V3);
    give(loop.to.body, 1, load, at);
    give(loop.from.body, -1, load, at);
  }
  return new Map([...found].sort(([a], [b]) => a - b).map(([body, load]) => [model.bodies[body]?.name ?? "world", load]));
}
