/** One kernel for many payloads: mass and mass centre of the payload are kernel inputs, so the kernel is compiled once. */
import { buildModel, compile, programs } from "castor";
import { parameterValue } from "castor/model";

const boom = { mass: 50, com: [1, 0, 0], inertia: [1, 20, 20] } as const;
const payload = { mass: 10, com: [0.2, 0, 0], inertia: [1, 1, 1] } as const;
const crane = buildModel("crane")
  .body({ name: "base", mass: 500, inertia: [200, 200, 200], hinge: { kind: "free" } })
  .body({ name: "boom", parent: "base", ...boom, hinge: { kind: "revolute", axis: "z", at: [0.8, 0, 0] } })
  .body({ name: "payload", parent: "boom", ...payload, hinge: { kind: "fixed", at: [2, 0, 0] } })
  .build();

const parameters = ["payload.mass", "payload.com.x"];
const kernel = compile(programs.forwardDynamics(crane, { parameters, actuated: ["boom"] }));
kernel.in.q[0] = 1; // quaternion of the base; all other inputs are zero
kernel.in.tau[0] = 100; // N m in the hinge of the boom

console.log("payload kg   boom rad/s²   base rad/s²");
for (const mass of [0, 10, 100, 1000]) {
  kernel.in.parameters.set([mass, parameterValue(crane, "payload.com.x")]);
  kernel.evaluate();
  const { udot } = kernel.out;
  console.log(`${String(mass).padStart(10)}${udot[6]!.toFixed(6).padStart(14)}${udot[2]!.toFixed(6).padStart(14)}`);
}

/* prints
payload kg   boom rad/s²   base rad/s²
         0      2.649098     -0.739602
        10      1.931285     -0.697631
       100      1.119953     -0.650192
      1000      0.925092     -0.638798
*/
