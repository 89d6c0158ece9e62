/**
 * A tree with every kind of hinge that MuJoCo knows. Branches are listed in turns, so that Castor's order of bodies is not
 * MuJoCo's, and hinge frames sit anywhere on the bodies.
 */
import type { ModelDescription } from "../../src/model/description.ts";

export const mixedModel: ModelDescription = {
  name: "mixed",
  gravity: [0.3, -1.2, -9.81],
  bodies: [
    { name: "base", mass: 30, com: [0.1, -0.05, 0.2], inertia: [4, 5, 6, 0.3, -0.2, 0.4], hinge: { kind: "free" } },
    {
      name: "left ball",
      parent: "base",
      mass: 3,
      com: [0, 0.1, 0.3],
      inertia: [0.3, 0.25, 0.1, 0.02, 0.01, -0.03],
      hinge: {
        kind: "spherical",
        at: [0.4, 0.3, 0],
        rotation: { rpy: [0.3, -0.7, 1.1] },
        onBody: { at: [0, 0.05, -0.2], rotation: { rpy: [-0.4, 0.2, 0.9] } },
      },
    },
    {
      name: "right slide",
      parent: "base",
      mass: 2,
      com: [0.1, 0, 0],
      inertia: [0.05, 0.06, 0.07],
      hinge: { kind: "prismatic", axis: [1, 2, -1], at: [-0.4, 0.2, 0.1], onBody: { rotation: { rpy: [0.5, 0.1, -0.2] } } },
    },
    {
      name: "left elbow",
      parent: "left ball",
      mass: 1.5,
      com: [0.2, 0.05, 0],
      inertia: [0.02, 0.05, 0.06, 0.004, 0, -0.003],
      hinge: { kind: "revolute", axis: [0.2, 1, 0.4], at: [0.1, 0.2, 0.3], onBody: { at: [-0.1, 0, 0.05] } },
    },
    {
      name: "right post",
      parent: "right slide",
      mass: 1,
      com: [0, 0, 0.2],
      inertia: [0.02, 0.02, 0.01],
      hinge: { kind: "fixed", at: [0.1, 0.1, 0], rotation: { rpy: [0, 0.6, 0] } },
    },
    {
      name: "left piston",
      parent: "left elbow",
      mass: 0.8,
      com: [0, 0.02, 0.1],
      inertia: [0.01, 0.012, 0.005],
      hinge: { kind: "cylindrical", axis: "x", at: [0.2, 0, 0.1], rotation: { quaternion: [0.5, 0.5, -0.5, 0.5] } },
    },
    {
      name: "right gimbal",
      parent: "right post",
      mass: 1.2,
      com: [0.15, -0.1, 0.05],
      inertia: [0.02, 0.03, 0.04, 0, 0.005, 0],
      hinge: { kind: "universal", at: [0, 0, 0.4], rotation: { rpy: [0.2, 0.3, 0.4] }, onBody: { at: [-0.1, 0, 0] } },
    },
    {
      name: "right ball",
      parent: "right gimbal",
      mass: 0.6,
      com: [0.1, 0.1, -0.1],
      inertia: [0.008, 0.007, 0.009],
      hinge: { kind: "spherical", at: [0.2, 0, 0] },
    },
  ],
};
