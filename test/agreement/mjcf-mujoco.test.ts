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
    const hasDampingRatio = imported.unsupported.some(({ feature }) => feature === "actuator dampratio");
    const servos = hasDampingRatio ? new Float64Array(model.nu) : servoForces(imported, model, state);
    const commanded = actuators.map((force, i) => (hasDampingRatio || Number.isNaN(servos[i]!) ? 0 : force));
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
  test.each(["2f85.xml", "cassie.xml"].flatMap((file) => FORMULATIONS.map((formulation) => [file, formulation] as const)))(
    "of %s stay closed to 1e-10 by %s",
    async (file, formulation) => {
      const files = { ...NO_FILES, readBeside: () => ({ text: corpusText("mjcf", file), source: file }) };
      const text = `model: model.xml\nduration: 0.05\nformulation: ${formulation}\naudit: { loopClosure: 1e-10 }`;
      const { run, failure } = await runScenario(loadScenario(text, "s.yaml", { files }));
      expect([failure, run.t]).toEqual([undefined, 0.05]);
    },
  );
});
