/** Time of each quantity of a model as a WebAssembly kernel, in turn with another build of Castor if one is given. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Castor from "castor";
import type { Kernel, Model, ModelDescription, Program } from "castor";
import { type BenchState, type ModelName, readModel } from "../machines/models.ts";
import { type BatchTiming, type Contender, perturbedContender, timeInTurns, warmUp } from "../run/interleaved-timing.ts";

export const QUANTITIES = ["inverse dynamics", "mass matrix", "Jacobian", "momentum", "forward dynamics"] as const;
export type TimedQuantity = (typeof QUANTITIES)[number];

export interface QuantityRow {
  readonly model: ModelName;
  readonly quantity: TimedQuantity;
  readonly ops: number;
  readonly own: BatchTiming;
  readonly before?: BatchTiming;
}

const STEADY_MS = 250;

export async function measureQuantities(name: ModelName, milliseconds: number, before?: string): Promise<QuantityRow[]> {
  const { description, state } = readModel(name);
  const own = await import("castor");
  const other = before === undefined ? undefined : ((await import(entryOf(before))) as typeof Castor);
  return QUANTITIES.map((quantity) => {
    const kernel = kernelOf(own, quantity, description, state);
    const contenders = [contenderOf("own", kernel)];
    if (other) contenders.push(contenderOf("before", kernelOf(other, quantity, description, state)));
    warmUp(contenders, STEADY_MS);
    const [ownTiming, otherTiming] = timeInTurns(contenders, milliseconds);
    return { model: name, quantity, ops: kernel.ops, own: ownTiming!, ...(otherTiming && { before: otherTiming }) };
  });
}

/** URL of the library in the folder of a build. */
function entryOf(build: string): string {
  const { exports } = JSON.parse(readFileSync(join(build, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, { readonly default: string }>>;
  };
  return pathToFileURL(join(resolve(build), exports["."]!.default)).href;
}

function kernelOf(castor: typeof Castor, quantity: TimedQuantity, description: ModelDescription, state: BenchState): Kernel {
  const model = castor.createModel(description);
  const kernel = castor.compile(programOf(castor, quantity, model) as Program);
  const tau = model.bodies.flatMap(({ hinge }) =>
    hinge.kind === "free" ? [] : [...state.tau.subarray(hinge.u, hinge.u + hinge.nu)],
  );
  const values: Readonly<Record<string, ArrayLike<number>>> = { q: state.q, u: state.u, tau, udot: state.tau };
  for (const input of Object.keys(kernel.inputs)) kernel.in[input]!.set(values[input]!);
  return kernel;
}

/** Without what the caller does not need: zeros, the upper half of the mass matrix, pose and bias of the frame. A build that knows no such options computes everything. */
function programOf({ programs }: typeof Castor, quantity: TimedQuantity, model: Model) {
  const knowsEntries = "massMatrixEntries" in programs;
  switch (quantity) {
    case "inverse dynamics":
      return programs.inverseDynamics(model);
    case "mass matrix":
      return programs.massMatrix(model, knowsEntries ? { entries: "lower" } : {});
    case "Jacobian":
      return programs.frameKinematics(
        model,
        [model.bodies.at(-1)!.name],
        knowsEntries ? { columns: "moving", outputs: ["jacobian"] } : {},
      );
    case "momentum":
      return programs.momentumAndEnergy(model);
    case "forward dynamics": {
      const actuated = model.bodies.filter(({ hinge }) => hinge.kind !== "free").map(({ hinge }) => hinge.name);
      return programs.forwardDynamics(model, { actuated });
    }
  }
}

const contenderOf = (name: string, kernel: Kernel): Contender =>
  perturbedContender(name, kernel.x, kernel.inputs.q! - 1, kernel.evaluate);
