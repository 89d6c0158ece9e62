/** Quantities that can be compiled: the program of each, and the options that apply to it. */
import { partitionedDynamics } from "../../dynamics/partition/partitioned-dynamics.ts";
import * as programs from "../../dynamics/programs.ts";
import type { Program } from "../../kernel/trace/program.ts";
import type { Model } from "../../model/model.ts";
import { CommandError } from "../command.ts";

export interface QuantityOptions {
  readonly frames: readonly string[];
  readonly wrenches: readonly string[];
  readonly parameters: readonly string[];
  readonly actuated: readonly string[] | undefined;
  /** Coordinates at which dependent coordinates are chosen; default: home. */
  readonly state?: Float64Array | undefined;
}

export interface Quantity {
  readonly about: string;
  /** Options of the command that apply to this quantity. */
  readonly takes: readonly (keyof QuantityOptions)[];
  program(model: Model, options: QuantityOptions): Program;
}

const OUTPUTS_WITHOUT_FRAMES = ["Hs", "Hm", "Hphi", "c", "Jb", "ab", "baseDrift", "Hstar", "Cstar", "momentum", "spin"] as const;

export const QUANTITIES = {
  "forward-dynamics": {
    about: "q, u, tau → accelerations udot",
    takes: ["wrenches", "parameters", "actuated"],
    program: (model, { wrenches, parameters, actuated }) =>
      programs.forwardDynamics(model, { wrenches, parameters, ...(actuated && { actuated }) }),
  },
  "inverse-dynamics": {
    about: "q, u, udot → forces tau",
    takes: ["wrenches", "parameters"],
    program: (model, { wrenches, parameters }) => programs.inverseDynamics(model, { wrenches, parameters }),
  },
  "bias-force": {
    about: "q, u → tau for zero acceleration",
    takes: ["wrenches", "parameters"],
    program: (model, { wrenches, parameters }) => programs.biasForce(model, { wrenches, parameters }),
  },
  "mass-matrix": {
    about: "q → mass matrix by rows",
    takes: ["parameters"],
    program: (model, { parameters }) => programs.massMatrix(model, { parameters }),
  },
  "frame-kinematics": {
    about: "q, u → pose, Jacobian and bias acceleration of frames",
    takes: ["frames", "parameters"],
    program: (model, { frames, parameters }) => programs.frameKinematics(model, frames, { parameters }),
  },
  "body-poses": {
    about: "q → rotation and position of every body",
    takes: ["parameters"],
    program: (model, { parameters }) => programs.bodyPoses(model, { parameters }),
  },
  "momentum-energy": {
    about: "q, u → momentum, energy, mass centre",
    takes: ["parameters"],
    program: (model, { parameters }) => programs.momentumAndEnergy(model, { parameters }),
  },
  "free-flying": {
    about: "q, u → generalised Jacobian, generalised inertia and momentum of a free-flying robot",
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
    about: "q, u, udot → torque and force through every hinge",
    takes: ["wrenches", "parameters"],
    program: (model, { wrenches, parameters }) => programs.hingeWrenches(model, { wrenches, parameters }),
  },
  "partitioned-dynamics": {
    about: "t, q, u, tau → udot, lambda of a machine with loops; dependents are chosen at --state",
    takes: ["wrenches", "state"],
    program: (model, { wrenches, state }) => {
      if (model.loops.length === 0) throw new CommandError(`${model.name} has no loops: use --quantity forward-dynamics`);
      return partitionedDynamics(model, { wrenches, ...(state && { q: state }) });
    },
  },
  "coordinate-rates": {
    about: "q, u → rates of the coordinates qdot",
    takes: [],
    program: (model) => programs.coordinateRates(model),
  },
} as const satisfies Readonly<Record<string, Quantity>>;

export type QuantityName = keyof typeof QUANTITIES;
export const QUANTITY_NAMES = Object.keys(QUANTITIES) as [QuantityName, ...QuantityName[]];
