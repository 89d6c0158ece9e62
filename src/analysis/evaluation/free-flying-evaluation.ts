/** Quantities of a free-flying robot at one state. */

import { type Robot, robotOf } from "../../dynamics/free-flying/robot.ts";
import { freeFlying } from "../../dynamics/programs.ts";
import { ModelError, SingularError } from "../../errors.ts";
import { compile } from "../../kernel/run/kernel.ts";
import { frameOf, type Model } from "../../model/model.ts";
import { evaluateClosedFreeFlying } from "./closed-free-flying.ts";
import { matrixRows } from "./dynamics-terms.ts";
import type { FreeFlyingEvaluation } from "./free-flying-results.ts";

/** Undefined for a model without a floating base that carries moving hinges. */
export function evaluateFreeFlying(
  model: Model,
  q: Float64Array,
  u: Float64Array,
  frames: readonly string[],
  base?: string,
): FreeFlyingEvaluation | undefined {
  const robot = base === undefined ? firstRobot(model) : robotOf(model, base);
  if (!robot) return undefined;
  if (model.loops.length > 0) return closedOrUndefined(model, robot, q, u, frames);
  const onRobot = frames.filter((name) => {
    const { body } = frameOf(model, name);
    return body >= 0 && robot.carries[body];
  });
  const n = robot.speeds.length;
  const outputs = ["Hstar", "Cstar", "Jb", "Jstar"] as const;
  const kernel = compile(freeFlying(model, { base: robot.base.name, frames: onRobot, outputs }));
  const { Hstar, Cstar, Jb, Jstar } = kernel.evaluateAt({ q, u });
  const jacobians = onRobot.map((name, k) => [name, matrixRows(Jstar.subarray(6 * n * k), n, 6)] as const);
  return {
    base: robot.base.name,
    speeds: robot.names,
    Hstar: matrixRows(Hstar, n),
    Cstar: [...Cstar],
    baseJacobian: matrixRows(Jb, n, 6),
    generalisedJacobians: Object.fromEntries(jacobians),
  };
}

/** Undefined if something that the robot holds has no mass, so that its motion does not follow from the hinges. */
function closedOrUndefined(
  model: Model,
  robot: Robot<number>,
  q: Float64Array,
  u: Float64Array,
  frames: readonly string[],
): FreeFlyingEvaluation | undefined {
  try {
    return evaluateClosedFreeFlying(model, robot, q, u, frames);
  } catch (error) {
    if (error instanceof SingularError) return undefined;
    throw error;
  }
}

function firstRobot(model: Model): Robot<number> | undefined {
  try {
    return robotOf(model);
  } catch (error) {
    if (error instanceof ModelError) return undefined;
    throw error;
  }
}
