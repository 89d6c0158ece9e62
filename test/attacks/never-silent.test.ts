/** A loop that is not honoured is never silent: the audit of the whole model notices, and so does a comparison of motions. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Model } from "../../src/model/model.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import { diskFiles } from "../../src/scenario/node-files.ts";
import { type PreparedScenario, prepareScenario } from "../../src/scenario/prepare.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../src/sim/integrators/index.ts";
import { stepLoop } from "../../src/sim/run/fixed-steps/step-loop.ts";
import { RunLoop } from "../../src/sim/run/run-loop.ts";
import { resolveOptions } from "../../src/sim/run/run-options.ts";
import { createRunParts } from "../../src/sim/run/run-parts.ts";
import { simulate } from "../../src/sim/run/simulate.ts";
import type { System } from "../../src/sim/system/system.ts";
import type { Workspace } from "../../src/sim/system/workspace.ts";
import { workspaceOf } from "../fixtures/workspace.ts";

function prepared(name: string): PreparedScenario {
  const folder = `scenarios/${name}`;
  const files = diskFiles(folder, { names: [], path: String });
  return prepareScenario(loadScenario(readFileSync(`${folder}/scenario.yaml`, "utf8"), name, { files }));
}

const MACHINES = [
  "satellite-pantograph",
  "four-bar",
  "slider-crank",
  "n-four-bar",
  "andrews-squeezer",
  "bricard",
  "stewart-platform",
  "jansen-leg",
] as const;

const machines = MACHINES.map((name) => ({ name, whole: prepared(name) }));
const cases = machines.flatMap(({ name, whole }) => whole.scenario.model.loops.map((loop) => ({ name, loop: loop.name, whole })));

/** So that nothing but the loops can stop a run. */
const LOOPS_ONLY = { energy: 1e9, "linear momentum": 1e9, "angular momentum": 1e9 };

/** The same machine by a path that forgets one loop: same layout, other equations and projection. */
function forgetting({ scenario }: PreparedScenario, loop: string): System {
  const model: Model = { ...scenario.model, loops: scenario.model.loops.filter(({ name }) => name !== loop) };
  return createSystem(model, scenario.forces);
}

describe("a path that forgets a loop", () => {
  test.each(cases)(
    "$name without $loop: the audit of the whole model, or the look at its loops, stops the run",
    ({ loop, whole }) => {
      const { system, start, options } = whole;
      const workspace = workspaceOf(system, start);
      const forgetful = workspaceOf(forgetting(whole, loop));
      const hybrid: Workspace = Object.create(workspace, { problem: { value: forgetful.problem } });
      const run = (): void => {
        const parts = createRunParts(hybrid, start, resolveOptions({ ...options, tolerances: LOOPS_ONLY }, workspace.methods));
        const loopOfRun = new RunLoop(parts, start);
        loopOfRun.begin();
        while (loopOfRun.advance() === undefined);
      };
      expect(run).toThrow(/^loop (closure|speed) drifted by|loops .* become singular/);
    },
  );

  test.each(cases)("$name without $loop: the motion is another, as verify sees it", ({ loop, whole }) => {
    const { start, options, scenario } = whole;
    const short = { ...options, duration: Math.min(0.2, scenario.duration), sample: 0.01 * Math.min(1, scenario.duration) };
    const [honest, silent] = [whole.system, forgetting(whole, loop)].map((system) =>
      simulate(system, system.start({ q: start.y.slice(0, system.model.nq), u: start.y.slice(system.model.nq, -8) }), {
        ...short,
        channels: ["q.*", "u.*"],
        tolerances: LOOPS_ONLY,
      }),
    );
    const largest = Math.max(
      ...honest!.log.channels.map(({ name }) => {
        const [a, b] = [honest!.log.column(name), silent!.log.column(name)];
        return a.reduce((worst, value, i) => Math.max(worst, Math.abs(value - b[i]!)), 0);
      }),
    );
    expect(largest).toBeGreaterThan(1e-6); // verify asks for 1e-8
  });
});

describe("a path that cannot honour loops", () => {
  test("gauss6 does not project: the drift of the loops ends the run", () => {
    const { system, start, options } = prepared("four-bar");
    const run = () =>
      simulate(system, start, { ...options, integrator: INTEGRATORS.gauss6, settings: { step: 0.01 }, tolerances: LOOPS_ONLY });
    expect(run).toThrow(/loop (closure|speed) drifted by .* an integrator that does not project/);
  });

  test.each(["rk4", "rkg"] as const)("%s does not take its steps inside WebAssembly, where nothing projects", (name) => {
    expect(stepLoop(workspaceOf(prepared("four-bar").system), INTEGRATORS[name])).toBeUndefined();
  });

  test("an open loop at the start ends the run at its first sample", () => {
    const { system, start, options } = prepared("four-bar");
    const y = Float64Array.from(start.y);
    y[2]! += 1e-6;
    expect(() => simulate(system, { ...start, y }, options)).toThrow(/^the loops are open at the start: /);
  });

  test.each(["dopri5", "dop853", "radau5"] as const)("%s projects: loops stay closed", (name) => {
    const { system, start, options } = prepared("four-bar");
    const { audit } = simulate(system, start, { ...options, duration: 1, integrator: INTEGRATORS[name], settings: {} });
    expect(audit.find((row) => row.channel === "loop closure")!.worst).toBeLessThan(1e-12);
  });
});
