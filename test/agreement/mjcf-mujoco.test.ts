/** Every MJCF model of the corpus: Castor's import against MuJoCo. */
import loadMujoco from "@mujoco/mujoco";
import { describe, expect, test } from "vitest";
import { importModel } from "../../src/formats/robot/import-model.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import { NO_FILES } from "../../src/scenario/files.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import { runScenario } from "../../src/scenario/run.ts";
import { compareDynamics, difference, passiveForces, randomState, servoForces } from "../fixtures/robots/compare-dynamics.ts";
import { corpusFiles, corpusText } from "../fixtures/robots/corpus.ts";
import { mjcfForMujoco } from "../fixtures/robots/mjcf-for-mujoco.ts";
import { mujocoRobot } from "../fixtures/robots/mujoco-robot.ts";

/** Relative to the largest entry, in 20 states. Rounding causes up to 1e-10 at the worst conditioned mass matrix. */
const TOLERANCE = 1e-8;
const STATES = 20;

const mujoco = await loadMujoco();

describe.each(corpusFiles("mjcf"))("%s", (file) => {
  test("has MuJoCo's dynamics", () => {
    const text = corpusText("mjcf", file);
    const imported = importModel(text, file);
    const model = createModel({ ...imported.model, loops: [] });
    const peer = mujocoRobot(mujoco, mjcfForMujoco(text), model);
    const differences = compareDynamics(model, peer, STATES);
    const state = randomState(model, 3);
    const { passive, actuators } = peer.quantities(state.q, state.u, state.tau);
    expect(difference(passiveForces(imported, model, state), passive)).toBeLessThan(1e-12);
    // Actuators that are not servos are listed, or have no force before their first command.
    const servos = servoForces(imported, model, state);
    const commanded = actuators.map((force, i) => (Number.isNaN(servos[i]!) ? 0 : force));
    expect(
      difference(
        servos.map((force) => (Number.isNaN(force) ? 0 : force)),
        commanded,
      ),
    ).toBeLessThan(1e-12);
    peer.delete();
    for (const value of Object.values(differences)) expect(value).toBeLessThan(TOLERANCE);
  });
});

describe.runIf(corpusFiles("mjcf").length > 0)("closed loops", () => {
  const FORMULATIONS = ["articulated", "kane", "matrix", "partition", "minimal"];
  /** Errors of the integrations at a tolerance of 1e-9. */
  const SAME_MOTION = 1e-8;

  // Cassie passes a state at 0.107 s in which the pivots that `matrix` has used until then would cost ten digits.
  test.each([
    ["2f85.xml", 0.3],
    ["cassie.xml", 0.12],
  ])("of %s stay closed to 1e-10 by all formulations, which give the same motion", async (file, duration) => {
    const files = { ...NO_FILES, readBeside: () => ({ text: corpusText("mjcf", file), source: file }) };
    const ends: number[][] = [];
    for (const formulation of FORMULATIONS) {
      const text = `model: model.xml\nduration: ${duration}\nformulation: ${formulation}\naudit: { loopClosure: 1e-10 }
integrator: { relativeTolerance: 1e-9, absoluteTolerance: 1e-9 }`;
      const scenario = loadScenario(text, "s.yaml", { files });
      const { run, failure } = await runScenario(scenario);
      expect([formulation, failure, run.t]).toEqual([formulation, undefined, duration]);
      const coordinates = scenario.available.filter(({ name }) => name.startsWith("q."));
      ends.push(coordinates.map(({ name }) => run.log.column(name).at(-1)!));
    }
    for (const end of ends)
      for (const [i, value] of end.entries()) expect(Math.abs(value - ends[0]![i]!)).toBeLessThan(SAME_MOTION);
  });
});
