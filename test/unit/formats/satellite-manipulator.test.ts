import { expect, test } from "vitest";
import { loadModelFile, loadStateFile } from "../../../src/formats/node-files.ts";
import { apply, compose, IDENTITY, type Mat3 } from "../../../src/spatial/rotation.ts";
import { plus, scale, sumVectors, type Vec3, ZERO3 } from "../../../src/spatial/vec3.ts";

test("the model and the state give the mass centre of TR-942's first example", () => {
  const model = loadModelFile("scenarios/satellite-manipulator/model.yaml");
  const { q } = loadStateFile("scenarios/satellite-manipulator/state.yaml", model);
  const poses: { R: Mat3; p: Vec3 }[] = [];
  for (const { parent, hinge } of model.bodies) {
    const base = poses[parent] ?? { R: IDENTITY, p: ZERO3 };
    const moved = hinge.elements[0]!.pose([...q.slice(hinge.q, hinge.q + hinge.nq)]);
    const R_WF = compose(base.R, hinge.onParent.R);
    poses.push({ R: compose(R_WF, moved.R), p: plus(plus(base.p, apply(base.R, hinge.onParent.p)), apply(R_WF, moved.p)) });
  }
  const moments = model.bodies.map(({ mass, com }, i) => scale(mass, plus(poses[i]!.p, apply(poses[i]!.R, com))));
  const mass = model.bodies.reduce((sum, body) => sum + body.mass, 0);
  const centre = scale(1 / mass, sumVectors(moments)) as Vec3<number>;
  for (const [i, c] of [-0.19696969697, 0.136363636364, 0.248484848485].entries()) expect(centre[i]).toBeCloseTo(c, 11);
});
