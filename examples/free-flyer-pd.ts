/** A free-flying robot bends its elbow with PD control. The base turns in reaction, because the angular momentum stays zero. */
import { buildModel, createController, createForce, createSystem, simulate } from "castor";

const link = { mass: 10, com: [0.5, 0, 0], inertia: [0.05, 0.9, 0.9] } as const;
const robot = buildModel("free flyer")
  .body({ name: "base", mass: 200, inertia: [30, 30, 30], hinge: { kind: "free" } })
  .body({ name: "shoulder", parent: "base", ...link, hinge: { kind: "revolute", axis: "z", at: [0.6, 0, 0] } })
  .body({ name: "elbow", parent: "shoulder", ...link, hinge: { kind: "revolute", axis: "z", at: [1, 0, 0] } })
  .build();

const motors = ["shoulder", "elbow"].map((hinge) => createForce(robot, { kind: "actuator", name: `${hinge}-motor`, hinge }));
const control = createController(robot, {
  kind: "hinge-pd",
  name: "control",
  period: 0.02, // s
  hinges: [
    { hinge: "shoulder", actuator: "shoulder-motor", kp: 40, kd: 40, reference: 0 },
    { hinge: "elbow", actuator: "elbow-motor", kp: 40, kd: 40, reference: 1 }, // rad
  ],
});

const system = createSystem(robot, motors);
const { log } = simulate(system, system.start(), {
  duration: 20,
  sample: 5,
  controllers: [control],
  channels: ["q.shoulder", "q.elbow", "q.base.qw", "q.base.qz"],
});

const [shoulder, elbow, w, z] = ["q.shoulder", "q.elbow", "q.base.qw", "q.base.qz"].map((name) => log.column(name));
for (const [i, t] of log.column("t").entries()) {
  const turn = 2 * Math.atan2(z![i]!, w![i]!);
  const values = [shoulder![i]!, elbow![i]!, turn].map((v) => (Math.round(v * 1e4) / 1e4 + 0).toFixed(4).padStart(8));
  console.log(`t = ${t.toFixed(0).padStart(2)} s   shoulder ${values[0]}   elbow ${values[1]}   base ${values[2]} rad`);
}

/* prints
t =  0 s   shoulder   0.0000   elbow   0.0000   base   0.0000 rad
t =  5 s   shoulder   0.0019   elbow   0.9949   base  -0.1171 rad
t = 10 s   shoulder   0.0000   elbow   1.0000   base  -0.1169 rad
t = 15 s   shoulder   0.0000   elbow   1.0000   base  -0.1169 rad
t = 20 s   shoulder   0.0000   elbow   1.0000   base  -0.1169 rad
*/
