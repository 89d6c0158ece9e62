/**
 * Torques of a machine along a path q(s) of its hinges, for `timeOptimal`: τ = a s̈ + b ṡ² + c. On a fixed base a = M q',
 * b = M q'' + (bias at speed q' less bias at rest), c = bias at rest. A robot on a free-floating base without momentum has H* and C* in
 * place of M and bias; its base moves with u_b = J_b q', and c = 0.
 */

import { checkNames, checkOptions, checkVector } from "../arguments.ts";
import { freeFlyer } from "../dynamics/free-flying/free-flyer.ts";
import { robotOf } from "../dynamics/free-flying/robot.ts";
import { inverseDynamics } from "../dynamics/programs.ts";
import { ArgumentError } from "../errors.ts";
import { compile } from "../kernel/run/kernel.ts";
import { freedomsOf } from "../model/freedoms.ts";
import { checkModel, type Model } from "../model/model.ts";
import type { PathLoads } from "./grid-step.ts";
import { checkTrajectory, type Trajectory } from "./trajectory.ts";

export interface PathLoadsOptions {
  /** Coordinates of the whole machine. Hinges that the path does not move keep theirs. */
  readonly q0: Float64Array;
  /** Hinges that the path moves, each with one freedom, in the order of the path's coordinates. */
  readonly hinges: readonly string[];
}

/** Loads of the moved hinges along a path with s from 0 to 1 (a trajectory of duration 1). @throws ArgumentError */
export function pathLoads(model: Model, path: Trajectory, options: PathLoadsOptions): PathLoads {
  checkModel(model);
  checkTrajectory("path", path);
  checkOptions("options", options, ["q0", "hinges"]);
  const { q0, hinges } = options;
  checkVector("options.q0", q0, model.nq, "the coordinates of the model");
  checkNames("options.hinges", hinges, "names of hinges");
  const n = hinges.length;
  const freedoms = freedomsOf(model);
  const freedomsMoved = hinges.map((name) => {
    const freedom = freedoms.find((f) => f.name === name && f.q !== undefined);
    if (!freedom) throw new ArgumentError("hinges", `"${name}" is not a hinge with one freedom of ${model.name}`);
    return freedom;
  });
  if (path.nq !== n || path.nu !== n) throw new ArgumentError("path", `the path has ${path.nq} coordinates for ${n} hinges`);
  if (path.duration !== 1)
    throw new ArgumentError("path.duration", `a path goes from s = 0 to 1: its duration must be 1, got ${path.duration}`);
  const sample = new Float64Array(3 * n);
  const q = Float64Array.from(q0);
  const [rates, accelerations] = [new Float64Array(model.nu), new Float64Array(model.nu)];
  const floats = model.bodies.some((b) => b.parent < 0 && b.hinge.nu === 6);
  const torque = floats ? floatingBaseTorques(model) : fixedBaseTorques(model);
  if (floats)
    for (const { name, u } of freedomsMoved)
      if (!robotOf(model).speeds.includes(u))
        throw new ArgumentError("hinges", `${name} is not a hinge that the floating base carries`);
  const writeLoads = (out: Float64Array, offset?: Float64Array): void => {
    for (let i = 0; i < n; i++) out[i] = torque.y[freedomsMoved[i]!.u]! - (offset?.[i] ?? 0);
  };
  const zero = new Float64Array(model.nu);
  return {
    count: n,
    breaks: path.breaks,
    at(s, a, b, c) {
      path.at(s, sample);
      for (let i = 0; i < n; i++) {
        q[freedomsMoved[i]!.q!] = sample[i]!;
        rates[freedomsMoved[i]!.u] = sample[n + i]!;
        accelerations[freedomsMoved[i]!.u] = sample[2 * n + i]!;
      }
      torque.evaluate(q, zero, zero);
      writeLoads(c);
      torque.evaluate(q, zero, rates);
      writeLoads(a, c);
      torque.evaluate(q, rates, accelerations);
      writeLoads(b, c);
    },
  };
}

/** Computes τ of every speed for given speeds and accelerations of the hinges. */
interface TorqueEvaluator {
  readonly y: Float64Array;
  evaluate(q: Float64Array, u: Float64Array, udot: Float64Array): void;
}

function fixedBaseTorques(model: Model): TorqueEvaluator {
  const kernel = compile(inverseDynamics(model));
  return {
    y: kernel.y,
    evaluate(q, u, udot) {
      kernel.x.set(q);
      kernel.x.set(u, model.nq);
      kernel.x.set(udot, model.nq + model.nu);
      kernel.evaluate();
    },
  };
}

function floatingBaseTorques(model: Model): TorqueEvaluator {
  const { speeds, base } = robotOf(model);
  const flyer = freeFlyer(model, { outputs: ["Jb", "Hstar", "Cstar"] });
  const { Jb, Hstar, Cstar } = flyer.values;
  const n = speeds.length;
  const [u, zero, y] = [new Float64Array(model.nu), new Float64Array(model.nu), new Float64Array(model.nu)];
  return {
    y,
    evaluate(q, hinge, udot) {
      flyer.evaluate(q, zero);
      u.set(hinge);
      for (let r = 0; r < 6; r++) {
        let sum = 0;
        for (let j = 0; j < n; j++) sum += Jb[r * n + j]! * hinge[speeds[j]!]!;
        u[base.hinge.u + r] = sum;
      }
      flyer.evaluate(q, u);
      for (let i = 0; i < n; i++) {
        let sum = Cstar[i]!;
        for (let j = 0; j < n; j++) sum += Hstar[i * n + j]! * udot[speeds[j]!]!;
        y[speeds[i]!] = sum;
      }
    },
  };
}
