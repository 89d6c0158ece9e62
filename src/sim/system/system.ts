/** A system: model, force elements and formulation. It is immutable: any number of runs can use it at the same time. */

import { checkList, checkMembers, checkName, checkOptions, refuseArgument } from "../../arguments.ts";
import type { FormulationName } from "../../dynamics/formulation.ts";
import { ArgumentError, SingularError } from "../../errors.ts";
import type { Target } from "../../kernel/run/kernel.ts";
import { checkModel, type Model } from "../../model/model.ts";
import type { State } from "../state.ts";
import type { ForceElement } from "./force-element.ts";
import { heldInputNames, type Layout, layoutOf } from "./layout.ts";
import { COORDINATES, type Coordinates } from "./mass-centre/free-floating.ts";
import { copyObservation, type Observation } from "./observer.ts";
import { checkState, type StartOptions, startState } from "./start-state.ts";
import { createWorkspace, type SystemMethods, type Workspace } from "./workspace.ts";

export interface SystemOptions {
  /** Default "articulated". */
  readonly formulation?: FormulationName;
  readonly target?: Target;
  /** Default "world". "mass-centre" is for free-flying machines: positions and velocities are relative to the mass centre. */
  readonly coordinates?: Coordinates;
}

export interface System {
  readonly model: Model;
  readonly formulation: FormulationName;
  readonly target: Target;
  readonly layout: Layout;
  /** Names of the held inputs, "element.input". */
  readonly inputs: readonly string[];
  /** Channels of the force elements. */
  readonly channels: readonly { readonly name: string; readonly unit: string }[];
  /** A state with internal states at their start and an empty ledger. It need not close the loops: see `assemble`. */
  start(options?: StartOptions): State;
  /** u̇ at a state, with everything that acts on the bodies. */
  accelerations(state: State): Float64Array;
  /** Energies, momentum, loads and channels of elements at a state. */
  observe(state: State): Observation;
}

/** The methods of each system, and the workspaces that nobody uses at present. */
const systems = new WeakMap<System, { readonly methods: SystemMethods; readonly free: Workspace[] }>();

/** @throws ArgumentError if `system` is not a system */
function checkSystem(system: unknown): void {
  if (!systems.has(system as System)) refuseArgument("system", "a system, as createSystem returns it", system);
}

/** A workspace of its own for a run. It must enter a state before it is used. */
export function openWorkspace(system: System): Workspace {
  checkSystem(system);
  const { free, methods } = systems.get(system)!;
  return free.pop() ?? createWorkspace(system.layout, methods, system.formulation, system.target);
}

/** Calls `use` with a workspace in the given state. The result must not refer to the workspace, which is used again. */
export function inWorkspace<T>(system: System, state: State, use: (workspace: Workspace) => T): T {
  checkSystem(system);
  checkState(system, state);
  const workspace = openWorkspace(system);
  workspace.enter(state);
  const result = use(workspace);
  systems.get(system)!.free.push(workspace);
  return result;
}

/** @throws ArgumentError if `elements` is not a list of force elements with different names */
export function checkElements(argument: string, elements: unknown): void {
  checkList(argument, elements, "force elements");
  const names = new Set<unknown>();
  for (const [i, element] of elements.entries()) {
    checkMembers(`${argument}[${i}]`, element, ["name", "kind"], "a force element, as createForce and customForce return it");
    const { name } = element as ForceElement;
    if (names.has(name))
      throw new ArgumentError(`${argument}[${i}].name`, `there is another element "${name}". Choose another name`);
    names.add(name);
  }
}

/** A system with these methods. @throws ModelError if the force elements do not fit the model; SingularError if the model cannot be compiled */
export function systemWith(
  methods: SystemMethods,
  model: Model,
  elements: readonly ForceElement[] = [],
  options: SystemOptions = {},
): System {
  checkModel(model);
  checkElements("elements", elements);
  checkOptions("options", options, ["formulation", "target", "coordinates"]);
  const { formulation = "articulated", target = "wasm", coordinates = "world" } = options;
  checkName("options.formulation", formulation, Object.keys(methods.formulations), "formulation");
  checkName("options.target", target, ["wasm", "js", "interpret"], "target");
  checkName("options.coordinates", coordinates, COORDINATES, "choice of coordinates");
  const layout = layoutOf(model, elements, coordinates);
  const workspace = createWorkspace(layout, methods, formulation, target);
  const inputs = heldInputNames(layout);
  const system: System = {
    model,
    formulation,
    target,
    layout,
    inputs,
    channels: workspace.channels,
    start: (start = {}) => startState(system, start),
    accelerations: (state) =>
      inWorkspace(system, state, ({ problem }) => {
        const ydot = new Float64Array(layout.ny);
        problem.derivative(state.t, state.y, ydot);
        const accelerations = ydot.slice(layout.nq, layout.nq + layout.nu);
        if (accelerations.every(Number.isFinite)) return accelerations;
        const advice = state.discrete.loops.size > 0 ? ". If its loops are open, close them first: assemble(system, state)" : "";
        throw new SingularError(`${layout.model.name}: the accelerations at this state are not finite${advice}`);
      }),
    observe: (state) => inWorkspace(system, state, (entered) => copyObservation(entered.observe(state.t, state.y))),
  };
  systems.set(system, { methods, free: [workspace] });
  return system;
}
