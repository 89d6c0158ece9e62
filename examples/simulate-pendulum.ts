/** A pendulum swings for 10 s: its angle, and how well the energy is kept. */
import { buildModel, createSystem, simulate } from "castor";

const pendulum = buildModel("pendulum")
  .gravity([0, 0, -9.81])
  .body({ name: "rod", mass: 2, com: [0, 0, -0.5], inertia: [0.17, 0.17, 0.001], hinge: { kind: "revolute", axis: "y" } })
  .build();

const system = createSystem(pendulum);
const { log } = simulate(system, system.start({ q: [Math.PI / 2] }), {
  duration: 10,
  sample: 2.5,
  channels: ["q.rod", "energy.balance"],
});

const angle = log.column("q.rod");
for (const [i, t] of log.column("t").entries())
  console.log(`t = ${t.toFixed(1).padStart(4)} s   angle ${angle[i]!.toFixed(4)} rad`);

const balance = log.column("energy.balance");
const drift = Math.max(...balance.map((e) => Math.abs(e - balance[0]!)));
console.log(drift < 1e-8 ? "the energy is kept to 1e-8 J" : `the energy drifts by ${drift} J`);

/* prints
t =  0.0 s   angle 1.5708 rad
t =  2.5 s   angle -0.4123 rad
t =  5.0 s   angle -1.3960 rad
t =  7.5 s   angle 1.1069 rad
t = 10.0 s   angle 0.8821 rad
the energy is kept to 1e-8 J
*/
