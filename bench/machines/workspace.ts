/** The compiled equations of a system, below the public functions. They are imported from dist/ because the package does not export them. */
import type { Model, Program, State, System } from "castor";
import type { Kernel } from "castor/kernel";
import type { InitialValueProblem, Layout } from "castor/sim";

/** The members of src/sim/system/workspace.ts that are used here. */
export interface BenchWorkspace {
  readonly layout: Layout;
  readonly problem: InitialValueProblem;
  readonly fullProgram: Program | undefined;
  readonly closed: unknown;
  readonly loops: { readonly current: { readonly model: Model; motion(): Kernel | undefined } };
  readonly methods: {
    readonly loops: { motionPair(first: BenchMotion, second: BenchMotion): { readonly kernel: Kernel } | undefined };
  };
  enter(state: State): void;
  compileLoopsAt(t: number, y: Float64Array): void;
}

interface BenchMotion {
  readonly layout: Layout;
  readonly model: Model;
  readonly closed: unknown;
}

const built = new URL("../../dist/node/workspaces.js", import.meta.url).href;
const { openWorkspace } = (await import(built)) as { openWorkspace(system: System): BenchWorkspace };

/** A workspace in a state of the system, by default at home and at rest. */
export function workspaceOf(system: System, state: State = system.start()): BenchWorkspace {
  const workspace = openWorkspace(system);
  workspace.enter(state);
  return workspace;
}
