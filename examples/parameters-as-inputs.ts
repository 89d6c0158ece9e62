/** One kernel for many payloads: mass and mass centre of the payload are kernel inputs, so the kernel is compiled once. */
import { buildModel, compile, programs } from "castor";
import { offsetsOf } from "castor/kernel";
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
const offsets = offsetsOf(kernel.inputs);
kernel.x.set([1, 0, 0, 0], offsets.q); // quaternion of the base; all other inputs are zero
kernel.x.set([100], offsets.tau); // N m in the hinge of the boom

console.log("payload kg   boom rad/s²   base rad/s²");
for (const mass of [0, 10, 100, 1000]) {
  kernel.x.set([mass, parameterValue(crane, "payload.com.x")], offsets.parameters);
  kernel.evaluate();
  console.log(`${String(mass).padStart(10)}${kernel.y[6]!.toFixed(6).padStart(14)}${kernel.y[2]!.toFixed(6).padStart(14)}`);
}

/* prints
payload kg   boom rad/s²   base rad/s²
         0      2.649098     -0.739602
        10      1.931285     -0.697631
       100      1.119953     -0.650192
      1000      0.925092     -0.638798
*/
