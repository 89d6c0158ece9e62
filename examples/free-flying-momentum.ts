/** A satellite moves its arm by an internal torque. The base turns in the opposite direction, and momentum stays zero. */
import { buildModel, compile, homeOf, programs } from "castor";

const link = { mass: 20, com: [1, 0, 0], inertia: [0.1, 7, 7] } as const;
const satellite = buildModel("satellite")
  .body({ name: "base", mass: 200, inertia: [40, 40, 40], hinge: { kind: "free" } })
  .body({ name: "arm", parent: "base", ...link, hinge: { kind: "revolute", axis: "z", at: [0.5, 0, 0] } })
  .build();
const dynamics = compile(programs.forwardDynamics(satellite, { actuated: ["arm"] })); // inputs q, u, tau; output udot
const rates = compile(programs.coordinateRates(satellite)); // inputs q, u; output qdot
const totals = compile(programs.momentumAndEnergy(satellite)); // inputs q, u; outputs momentum, energy, mass centre

/** Derivative of y = [q, u] at y + h k, with a torque of 5 N m in the hinge of the arm. */
function rate(y: Float64Array, h = 0, k = y): Float64Array {
  rates.x.set(y.map((v, i) => v + h * k[i]!));
  rates.evaluate();
  dynamics.x.set([...rates.x, 5]);
  dynamics.evaluate();
  return Float64Array.from([...rates.y, ...dynamics.y]);
}

let y = Float64Array.from([...homeOf(satellite), ...new Float64Array(satellite.nu)]);
const h = 0.01;
for (let step = 0; step < 300; step++) {
  const k1 = rate(y); // classical Runge-Kutta method
  const k2 = rate(y, h / 2, k1);
  const k3 = rate(y, h / 2, k2);
  const k4 = rate(y, h, k3);
  y = y.map((v, i) => v + (h / 6) * (k1[i]! + 2 * k2[i]! + 2 * k3[i]! + k4[i]!));
}

totals.x.set(y);
totals.evaluate();
const [arm, base] = [y[satellite.nq - 1]!, 2 * Math.atan2(y[3]!, y[0]!)];
console.log(`after 3 s the arm has turned by ${arm.toFixed(4)} rad, the satellite by ${base.toFixed(4)} rad`);
console.log(`momentum is zero: ${totals.y.subarray(0, 6).every((p) => Math.abs(p) < 1e-9)}`);
console.log(`kinetic energy ${totals.y[6]!.toFixed(4)} J, work of the torque ${(5 * arm).toFixed(4)} J`);

/* prints
after 3 s the arm has turned by 1.7423 rad, the satellite by -0.6588 rad
momentum is zero: true
kinetic energy 8.7115 J, work of the torque 8.7115 J
*/
