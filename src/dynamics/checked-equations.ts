/** Checks of the arguments of formulations: options, and the lengths of all arrays. They cost a few comparisons per call. */
import { checkMembers, checkName, checkNames, checkOptions } from "../arguments.ts";
import { ArgumentError } from "../errors.ts";
import { totalRowCount } from "../model/loop.ts";
import { frameOf, type Model } from "../model/model.ts";
import type { DeriveOptions, Equations } from "./formulation.ts";

const OPTIONS = ["wrenches", "target", "engagedParameters", "switchGrowth"];

/** @throws ArgumentError for a wrong model or option, ModelError for an unknown frame */
export function checkDerivation(model: Model, options: DeriveOptions, further: readonly string[] = []): void {
  checkMembers("model", model, ["bodies", "nq", "nu"], "a Model, from createModel or buildModel");
  checkOptions("options", options, [...OPTIONS, ...further]);
  if (options.target !== undefined) checkName("options.target", options.target, ["wasm", "js", "interpret"], "target");
  if (options.wrenches === undefined) return;
  checkNames("options.wrenches", options.wrenches, "names of frames");
  for (const name of options.wrenches) frameOf(model, name);
}

/** The equations with checks of the lengths of their arguments: a short array would leave numbers of the last call in its place. */
export function withCheckedLengths(equations: Equations): Equations {
  const { model, nw } = equations;
  const { nq, nu } = model;
  const rows = totalRowCount(model.loops);
  const refuse = (argument: string, array: unknown, length: number, meaning: string): never => {
    const given = ArrayBuffer.isView(array) ? `an array of ${(array as Float64Array).length}` : String(array);
    throw new ArgumentError(argument, `must be a Float64Array of ${length} numbers (${meaning}), got ${given}`);
  };
  const checkState = (q: Float64Array, u: Float64Array): void => {
    if (q?.length !== nq) refuse("q", q, nq, "the coordinates of the model");
    if (u?.length !== nu) refuse("u", u, nu, "the speeds of the model");
  };
  const check = (q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): void => {
    checkState(q, u);
    if (tau?.length !== nu) refuse("tau", tau, nu, "one for each speed of the model");
    if (w?.length !== nw) refuse("w", w, nw, "6 for each frame of options.wrenches");
  };
  const checkOut = (argument: string, out: Float64Array, length: number, meaning: string): void => {
    if (out?.length !== length) refuse(argument, out, length, meaning);
  };
  return {
    ...equations,
    accelerations(q, u, tau, w, udot, t) {
      check(q, u, tau, w);
      checkOut("udot", udot, nu, "one for each speed of the model");
      equations.accelerations(q, u, tau, w, udot, t);
    },
    reactions(q, u, tau, w, out, t) {
      check(q, u, tau, w);
      checkOut("out", out, 6 * model.bodies.length, "6 for each body");
      equations.reactions(q, u, tau, w, out, t);
    },
    loopForces(q, u, tau, w, out, t) {
      check(q, u, tau, w);
      checkOut("out", out, rows, "one for each row of each loop");
      equations.loopForces(q, u, tau, w, out, t);
    },
    loopErrors(q, u, out, t) {
      checkState(q, u);
      checkOut("out", out, 2 * rows, "two for each row of each loop");
      equations.loopErrors(q, u, out, t);
    },
    energy(q, u, out) {
      checkState(q, u);
      checkOut("out", out, 2, "kinetic, potential");
      equations.energy(q, u, out);
    },
    momentum(q, u, out) {
      checkState(q, u);
      checkOut("out", out, 6, "angular, linear");
      equations.momentum(q, u, out);
    },
  };
}
