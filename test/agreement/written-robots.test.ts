/**
 * Random trees through URDF and MJCF: the dynamics of the file that is written are those of the model, and MuJoCo computes the same from it.
 * CASTOR_TREES sets the number of trees for each format.
 */
import loadMujoco from "@mujoco/mujoco";
import { describe, expect, test } from "vitest";
import { exportModel } from "../../src/formats/export/export-model.ts";
import { importModel } from "../../src/formats/robot/import-model.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import type { BodyDescription, HingeDescription, ModelDescription } from "../../src/model/description.ts";
import type { HingeKindName } from "../../src/model/hinges/index.ts";
import { randomModel } from "../fixtures/models/random-model.ts";
import { compareDynamics } from "../fixtures/robots/compare-dynamics.ts";
import { mujocoRobot } from "../fixtures/robots/mujoco-robot.ts";
import { urdfForMujoco } from "../fixtures/robots/urdf-for-mujoco.ts";
import { writtenRobot } from "../fixtures/robots/written-robot.ts";

const TREES = Number(process.env.CASTOR_TREES ?? 6);
const MOST_FREEDOMS = 12;
/** Relative to the largest entry: rounding of numbers that are the same but for the frames in which they are written. */
const SAME = 1e-12;
/** MuJoCo finds principal axes to 1e-12 only. */
const MUJOCO = 1e-9;

const mujoco = await loadMujoco();
const JOINTS: Readonly<Record<string, readonly HingeKindName[]>> = {
  urdf: ["revolute", "prismatic", "fixed", "planar", "universal", "cylindrical"],
  mjcf: ["revolute", "prismatic", "fixed", "planar", "universal", "cylindrical", "spherical", "general"],
};

/** A random tree with joints that the format has. */
function tree(format: string, seed: number, massless: "some" | "none", kinds = JOINTS[format]!): ModelDescription {
  const random = randomModel(seed, { kinds, massless, freedoms: 1 + (seed % MOST_FREEDOMS) });
  const joint = ({ pitch: _, armature, ...hinge }: HingeDescription): HingeDescription => ({
    ...hinge,
    kind: hinge.kind === "helical" ? "revolute" : hinge.kind,
    ...(format === "mjcf" && armature !== undefined && { armature }),
  });
  const gravity = format === "urdf" ? [0, 0, -9.81] : random.gravity;
  const bodies = (random.bodies as readonly BodyDescription[]).map((body) => ({ ...body, hinge: joint(body.hinge) }));
  return { ...random, bodies, ...(gravity && { gravity }) } as ModelDescription;
}

const seeds = Array.from({ length: TREES }, (_, i) => i + 1);

describe.each(["urdf", "mjcf"])("%s", (format) => {
  test(`${TREES} trees keep their dynamics`, { timeout: 900_000 }, () => {
    for (const seed of seeds) {
      const model = createModel(tree(format, seed, "some"));
      const { text, missing } = exportModel({ model }, format);
      const read = createModel(importModel(text, `model.${format}`).model);
      expect(read.gravity).toEqual(model.gravity);
      for (const [quantity, value] of Object.entries(compareDynamics(model, writtenRobot(model, read), 2)))
        expect(value, `${quantity} of tree ${seed}`).toBeLessThan(SAME);
      expect(missing.filter(({ feature }) => !/^(mass|inertia|several freedoms|place of the free)/.test(feature))).toEqual([]);
    }
  });

  test(`MuJoCo accepts ${TREES} files and has the same accelerations`, { timeout: 900_000 }, () => {
    for (const seed of seeds) {
      const description = tree(
        format,
        seed,
        "none",
        format === "urdf" ? ["revolute", "prismatic", "fixed", "planar"] : undefined,
      );
      const bodies = (description.bodies as readonly BodyDescription[]).map(({ hinge, ...body }): BodyDescription => {
        // MuJoCo's floating joints of URDF have coordinates of the world, and it has no links without mass.
        if (hinge.kind === "free") return { ...body, hinge: { kind: "free" } };
        const { freedoms: _, ...rest } = hinge;
        return { ...body, hinge: format === "urdf" && hinge.kind === "general" ? { ...rest, kind: "revolute" } : hinge };
      });
      const { text } = exportModel({ model: createModel({ ...description, bodies }) }, format);
      mujoco.MjModel.from_xml_string(text).delete();
      const read = createModel(importModel(text, `model.${format}`).model);
      if (read.nu === 0) continue;
      const peer = mujocoRobot(mujoco, format === "urdf" ? urdfForMujoco(text, new Set()) : text, read);
      const { accelerations, massMatrix } = compareDynamics(read, peer, 2);
      peer.delete();
      expect(Math.max(accelerations, massMatrix), `tree ${seed}`).toBeLessThan(MUJOCO);
    }
  });
});
