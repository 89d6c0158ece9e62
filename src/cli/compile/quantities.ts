/** Quantities that can be compiled: the program of each, and the options that apply to it. */
import { partitionedDynamics } from "../../dynamics/partition/partitioned-dynamics.ts";
import * as programs from "../../dynamics/programs.ts";
import type { Program } from "../../kernel/trace/program.ts";
import type { Model } from "../../model/model.ts";
import { CommandError } from "../command.ts";
import type { QuantityName } from "./quantity-names.ts";

export interface QuantityOptions {
  readonly frames: readonly string[];
  readonly wrenches: readonly string[];
  readonly parameters: readonly string[];
  readonly actuated: readonly string[] | undefined;
  /** Coordinates at which dependent coordinates are chosen; default: home. */
  readonly state?: Float64Array | undefined;
}

export interface Quantity {
  /** Options of the command that apply to this quantity. */
  readonly takes: readonly (keyof QuantityOptions)[];
  program(model: Model, options: QuantityOptions): Program;
}

const OUTPUTS_WITHOUT_FRAMES = ["Hs", "Hm", "Hphi", "c", "Jb", "ab", "baseDrift", "Hstar", "Cstar", "momentum", "spin"] as const;

export const QUANTITIES: Readonly<Record<QuantityName, Quantity>> = {
  "forward-dynamics": {
    takes: ["wrenches", "parameters", "actuated"],
    program: (model, { wrenches, parameters, actuated }) =>
      programs.forwardDynamics(model, { wrenches, parameters, ...(actuated && { actuated }) }),
  },
  "inverse-dynamics": {
    takes: ["wrenches", "parameters"],
    program: (model, { wrenches, parameters }) => programs.inverseDynamics(model, { wrenches, parameters }),
  },
  "bias-force": {
    takes: ["wrenches", "parameters"],
    program: (model, { wrenches, parameters }) => programs.biasForce(model, { wrenches, parameters }),
  },
  "mass-matrix": {
    takes: ["parameters"],
    program: (model, { parameters }) => programs.massMatrix(model, { parameters }),
  },
  "frame-kinematics": {
    takes: ["frames", "parameters"],
    program: (model, { frames, parameters }) => programs.frameKinematics(model, frames, { parameters }),
  },
  "body-poses": {
    takes: ["parameters"],
    program: (model, { parameters }) => programs.bodyPoses(model, { parameters }),
  },
  "momentum-energy": {
    takes: ["parameters"],
    program: (model, { parameters }) => programs.momentumAndEnergy(model, { parameters }),
  },
  "free-flying": {
    takes: ["frames", "wrenches", "parameters"],
    program: (model, { frames, wrenches, parameters }) =>
      programs.freeFlying(model, {
        frames,
        wrenches,
        parameters,
        ...(frames.length === 0 && { outputs: OUTPUTS_WITHOUT_FRAMES }),
      }),
  },
  "hinge-wrenches": {
    takes: ["wrenches", "parameters"],
    program: (model, { wrenches, parameters }) => programs.hingeWrenches(model, { wrenches, parameters }),
  },
  "partitioned-dynamics": {
    takes: ["wrenches", "state"],
    program: (model, { wrenches, state }) => {
      if (model.loops.length === 0) throw new CommandError(`${model.name} has no loops: use --quantity forward-dynamics`);
      return partitionedDynamics(model, { wrenches, ...(state && { q: state }) });
    },
  },
  "coordinate-rates": {
    takes: [],
    program: (model) => programs.coordinateRates(model),
  },
};
