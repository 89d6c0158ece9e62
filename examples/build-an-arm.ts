/** An arm with three hinges on the ground: holding torques against gravity, and pose and Jacobian of the hand. */
import { buildModel, compile, programs } from "castor";

const link = { mass: 4, com: [0.25, 0, 0], inertia: [0.01, 0.1, 0.1] } as const;
const arm = buildModel("arm")
  .gravity([0, 0, -9.81])
  .body({ name: "shoulder", ...link, hinge: { kind: "revolute", axis: "z" } })
  .body({ name: "elbow", parent: "shoulder", ...link, hinge: { kind: "revolute", axis: "y", at: [0.5, 0, 0] } })
  .body({ name: "wrist", parent: "elbow", ...link, hinge: { kind: "revolute", axis: "y", at: [0.5, 0, 0] } })
  .frame("hand", "wrist", { at: [0.5, 0, 0] })
  .build();

const q = [0, -Math.PI / 6, Math.PI / 3];
const u = [0.1, 0.2, 0.3];
const show = (values: Iterable<number>): string =>
  Array.from(values, (v) => (Math.round(v * 1e4) / 1e4 + 0).toFixed(4).padStart(9)).join("");

// Motor torques for zero acceleration. Inputs q, u, udot; output tau.
const inverse = compile(programs.inverseDynamics(arm));
inverse.x.set([...q, ...u, 0, 0, 0]);
inverse.evaluate();
console.log("torques   ", show(inverse.y));

// Pose (rotation 9, position 3), Jacobian (6 x 3, row-major) and bias (6) of the hand. Inputs q, u.
const hand = compile(programs.frameKinematics(arm, ["hand"]));
hand.x.set([...q, ...u]);
hand.evaluate();
console.log("hand at   ", show(hand.y.subarray(9, 12)));
for (const [i, axis] of ["x", "y", "z"].entries()) console.log(`d${axis}/du     `, show(hand.y.subarray(21 + 3 * i, 24 + 3 * i)));

/* prints
torques       0.0005 -34.0831  -8.4723
hand at       1.3660   0.0000   0.0000
dx/du         0.0000   0.0000  -0.2500
dy/du         1.3660   0.0000   0.0000
dz/du         0.0000  -0.8660  -0.4330
*/
