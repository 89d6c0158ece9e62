/** The compiled equations of a free-flying robot, with a view of each quantity. Hot loops use it: it allocates nothing. */
import { checkOptions, checkVector } from "../../arguments.ts";
import { compile, type Target } from "../../kernel/run/kernel.ts";
import { offsetsOf } from "../../kernel/trace/program.ts";
import { checkModel, type Model } from "../../model/model.ts";
import { type FreeFlyingOptions, type FreeFlyingShape, freeFlying } from "../programs.ts";
import { type Robot, robotOf } from "./robot.ts";

export interface FreeFlyer {
  readonly robot: Robot<number>;
  /** Number of hinge speeds φ̇. */
  readonly n: number;
  readonly frames: readonly string[];
  /** The chosen outputs at the last evaluation; matrices by rows. */
  readonly values: { readonly [K in keyof FreeFlyingShape]: Float64Array };
  evaluate(q: Float64Array, u: Float64Array): void;
}

/** Compiles the equations for one model. `values` has only the chosen outputs. */
export function freeFlyer(
  model: Model,
  options: Omit<FreeFlyingOptions, "wrenches" | "parameters"> & { readonly target?: Target } = {},
): FreeFlyer {
  checkModel(model);
  checkOptions("options", options, ["base", "frames", "outputs", "target"]);
  const { target, ...programOptions } = options;
  const kernel = compile(freeFlying(model, programOptions), target === undefined ? {} : { target });
  const robot = robotOf(model, options.base);
  const offsets = offsetsOf(kernel.outputs);
  const { x, y } = kernel; // its own memory, which never grows
  const views = Object.entries(kernel.outputs).map(([key, size]) => {
    const from = offsets[key as keyof FreeFlyingShape];
    return [key, y.subarray(from, from + size)];
  });
  const checkLengths = (q: Float64Array, u: Float64Array): void => {
    checkVector("q", q, model.nq);
    checkVector("u", u, model.nu);
  };
  return {
    robot,
    n: robot.speeds.length,
    frames: options.frames ?? [],
    values: Object.fromEntries(views),
    evaluate(q, u) {
      if (q.length !== model.nq || u.length !== model.nu) checkLengths(q, u);
      x.set(q);
      x.set(u, model.nq);
      kernel.evaluate();
    },
  };
}
