/** A buffer on a slide hits a target. A latch captures it if the contact lets the striker come within reach of the latch. */
import { createForce, createModel, createSystem, INTEGRATORS, simulate } from "castor";

const model = createModel({
  name: "buffer",
  bodies: [
    { name: "chaser", mass: 500, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } },
    {
      name: "buffer",
      parent: "chaser",
      mass: 5,
      inertia: [1, 1, 1],
      hinge: { kind: "prismatic", axis: "x", at: [0.4, 0, 0], armature: 15 }, // reflected rotor inertia of its drive
      frames: { hook: {} },
    },
    {
      name: "target",
      mass: 900,
      inertia: [1, 1, 1],
      hinge: { kind: "prismatic", axis: "x", at: [0.45, 0, 0] },
      frames: { striker: {} },
    },
  ],
});

for (const reach of [-0.001, -0.0003, 0.002]) {
  const system = createSystem(model, [
    createForce(model, {
      ...{ kind: "leg-actuator", name: "leg", hinge: "buffer" },
      ...{ stiffness: 300, damping: 300, clutch: 450, lower: -0.2, upper: 0.02 },
    }),
    createForce(model, {
      ...{ kind: "latch", name: "hook", latch: "hook", striker: "striker" },
      ...{ reach, depth: 0.03, lateral: 0.01, stiffness: 2e5, damping: 3 },
    }),
    createForce(model, {
      kind: "contact",
      name: "face",
      shapes: [{ kind: "point", on: "buffer" }],
      against: [{ kind: "plane", on: "target", axis: [-1, 0, 0] }],
      stiffness: 3e5,
      damping: 3,
    }),
  ]);
  const { timeline, reasons, log } = simulate(system, system.start({ u: Float64Array.of(0.05, 0, 0) }), {
    duration: 5,
    integrator: INTEGRATORS.rk4,
    settings: { step: 0.0005 },
    sample: 0.01,
    channels: ["leg.absorbed"],
    plan: [{ name: "capture", after: ["hook.engage"], actions: { set: { "leg.damping": 2000 } } }],
  });
  const capture = timeline.find(({ name }) => name === "capture");
  const result = capture ? `captured at ${capture.t.toFixed(3)} s` : reasons["hook.engage"]!;
  console.log(`reach ${1000 * reach} mm: ${result}; absorbed ${log.column("leg.absorbed").at(-1)!.toFixed(3)} J`);
}

/* prints
reach -1 mm: closest at t = 1.013 s: its striker is farther along the axis than its reach, -0.001 m, by 0.000609 m; absorbed 0.364 J
reach -0.3 mm: captured at 1.007 s; absorbed 0.396 J
reach 2 mm: captured at 0.960 s; absorbed 0.401 J
*/
