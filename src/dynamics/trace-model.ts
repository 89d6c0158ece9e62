/** Tracing of programs of a model, with wrenches and parameters as inputs, and the types of their inputs and outputs. */
import { checkMembers, checkNames, checkOptions } from "../arguments.ts";
import { type NamedSizes, type Program, type TraceOptions, trace } from "../kernel/trace/program.ts";
import type { Scalar } from "../kernel/trace/scalar.ts";
import { engagedParameterTotal, withEngagedParameters } from "../model/loops/engaged-loop-parameters.ts";
import { type Frame, frameOf, type Model } from "../model/model.ts";
import { withParameters } from "../model/parameters.ts";
import { sumByIndex, wrenchesOnLinks } from "./tree/external-wrenches.ts";
import type { LinkTree } from "./tree/link-tree.ts";

export type Names = readonly string[];

/** The type parameters tell the compiler whether the program has the inputs `w` and `parameters`. */
export interface ProgramOptions<W extends Names = Names, P extends Names = Names> extends ParameterOptions<P> {
  /** Frames at which external wrenches act: 6 numbers each in input `w` (torque, then force; world axes; at the frame's origin). */
  readonly wrenches?: W;
}

export interface ParameterOptions<P extends Names = Names> {
  /** Model parameters that become input `parameters`, in this order, e.g. "hand.mass". */
  readonly parameters?: P;
}

/** Names and sizes of the inputs of a program: always `K`; `w` and `parameters` only if the options request them. */
export type ProgramInputs<K extends string, W extends Names = never, P extends Names = never> = {
  readonly [N in K | ([W] extends [never] ? never : "w") | ([P] extends [never] ? never : "parameters")]: number;
};

/** Names and sizes of the outputs of a program. */
export type ProgramOutputs<K extends string> = { readonly [N in K]: number };

/**
 * The model, after checks of the arguments of a program; `further` are the options that it has besides `parameters`.
 * @throws ArgumentError for a wrong model or option, ModelError for an unknown frame
 */
export function checkedModel(model: Model, options: ProgramOptions, further: readonly string[] = []): Model {
  checkMembers("model", model, ["bodies", "nq", "nu"], "a Model, from createModel or buildModel");
  checkOptions("options", options, ["parameters", ...further]);
  if (options.wrenches !== undefined) checkNames("options.wrenches", options.wrenches, "names of frames");
  if (options.parameters !== undefined) checkNames("options.parameters", options.parameters, "paths of parameters");
  return model;
}

/** Traces `body` with the requested wrenches and model parameters as inputs. */
export function traceModel<I extends NamedSizes, O extends string>(
  name: string,
  model: Model,
  inputs: NamedSizes,
  options: ProgramOptions,
  body: (model: Model<Scalar>, x: { readonly [key: string]: readonly Scalar[] }) => Readonly<Record<O, readonly Scalar[]>>,
): Program<I, ProgramOutputs<O>> {
  const paths = options.parameters ?? [];
  const engagedCount = inputs.lambda === undefined ? 0 : engagedParameterTotal(model); // the other programs do not depend on loops
  const shape: NamedSizes = {
    ...inputs,
    ...(options.wrenches && { w: 6 * options.wrenches.length }),
    ...(options.parameters && { parameters: paths.length }),
    ...(engagedCount > 0 && { found: engagedCount }),
  };
  return trace(
    `${model.name} ${name}`,
    shape as I,
    (x: { readonly [key: string]: readonly Scalar[] }) => {
      const values = Object.fromEntries(paths.map((path, i) => [path, x.parameters![i]!]));
      const modelWithInputs: Model<Scalar> = paths.length ? withParameters(model, values) : model;
      return body(engagedCount > 0 ? withEngagedParameters(modelWithInputs, x.found!) : modelWithInputs, { w: [], ...x });
    },
    traceOptionsOf(model),
  );
}

/** Machines with more speeds have programs whose steps share code, if signs do not distinguish them: see kernel/schedule/rolled-program.ts. */
const LARGE_MACHINE_SPEEDS = 128;

export const traceOptionsOf = ({ nu }: Pick<Model, "nu">): TraceOptions => ({ keepsSigns: nu > LARGE_MACHINE_SPEEDS });

export const framesAt = (model: Model<Scalar>, names: readonly string[] = []): Frame<Scalar>[] =>
  names.map((name) => frameOf(model, name));

export const externalForcesOnLinks = (
  tree: LinkTree,
  frames: readonly Frame<Scalar>[],
  q: readonly Scalar[],
  w: readonly Scalar[],
) =>
  sumByIndex(
    tree.links.length,
    wrenchesOnLinks(tree, frames, q, w).map(({ link, force }) => [link, force] as const),
  );
