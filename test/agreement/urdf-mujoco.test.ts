/** Every URDF robot of the corpus: Castor's import against MuJoCo's import of the same file. */
import loadMujoco from "@mujoco/mujoco";
import { describe, expect, test } from "vitest";
import { importModel } from "../../src/formats/robot/import-model.ts";
import type { ImportedModel } from "../../src/formats/robot/imported-model.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import { compareDynamics, difference, passiveForces, randomState } from "../fixtures/robots/compare-dynamics.ts";
import { corpusFiles, corpusText } from "../fixtures/robots/corpus.ts";
import { mujocoRobot } from "../fixtures/robots/mujoco-robot.ts";
import { urdfForMujoco } from "../fixtures/robots/urdf-for-mujoco.ts";

/** Relative to the largest entry: 20 states of up to 101 freedoms. Rounding causes up to 1e-10 at the worst conditioned mass matrix. */
const TOLERANCE = 1e-8;
const STATES = 20;

const mujoco = await loadMujoco();

/** Bodies whose mass properties MuJoCo refuses or changes: named in a warning, the carrier of one that was moved, or a point mass. */
function changedBodies({ model, warnings }: ImportedModel): ReadonlySet<string> {
  const names = [
    ...warnings.flatMap(({ path, message }) => [
      /^link\[(.*)\]\.inertia$/.exec(path)?.[1],
      /added to "(.*)", which/.exec(message)?.[1],
    ]),
    ...createModel(model).warnings.map(({ path }) => model.bodies[Number(/^bodies\[(\d+)\]/.exec(path)?.[1])]?.name),
  ];
  const pointMasses = model.bodies.filter((body) => "inertia" in body && body.inertia === "none" && body.mass > 0);
  return new Set([...names, ...pointMasses.map(({ name }) => name)].flatMap((name) => (name === undefined ? [] : [name])));
}

describe.each(corpusFiles("urdf"))("%s", (file) => {
  const text = corpusText("urdf", file);
  const imported = importModel(text, file);
  const model = createModel({ ...imported.model, loops: [] });
  const changed = changedBodies(imported);

  test("has the dynamics of MuJoCo's import", () => {
    const written = new Set([...changed].map((name) => (file.startsWith("allegro") ? name.replaceAll("-", ".") : name)));
    const peer = mujocoRobot(mujoco, urdfForMujoco(text, written), model, changed);
    const differences = compareDynamics(model, peer, STATES);
    const state = randomState(model, 3);
    const { passive } = peer.quantities(state.q, state.u, state.tau);
    expect(difference(passiveForces(imported, model, state), passive)).toBeLessThan(1e-12);
    peer.delete();
    for (const value of Object.values(differences)) expect(value).toBeLessThan(TOLERANCE);
  });
});
