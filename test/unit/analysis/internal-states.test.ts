/** Small motions with internal states of force elements, and of loops that accelerate: closed forms, and differences of the motion itself. */
import { describe, expect, it } from "vitest";
import { frequencyResponse } from "../../../src/analysis/frequency-response.ts";
import { linearise } from "../../../src/analysis/linearise.ts";
import { modalAnalysis, modalRemarks } from "../../../src/analysis/modes/modal-analysis.ts";
import { modesOf } from "../../../src/analysis/modes/modes.ts";
import { complianceOf } from "../../../src/analysis/statics.ts";
import { steadyMotion } from "../../../src/analysis/steady-motion.ts";
import { realEigenvalues } from "../../../src/math/eigen/real-eigenvalues.ts";
import { matrixProduct } from "../../../src/math/linear/dense-matrix.ts";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import type { Model } from "../../../src/model/model.ts";
import { readForce } from "../../../src/parts/force/forces.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { assemble } from "../../../src/sim/system/assembly.ts";
import type { ForceElement } from "../../../src/sim/system/force-element.ts";
import { scheduledInputs } from "../../../src/sim/system/layout.ts";
import { uniform } from "../../fixtures/models/random-model.ts";
import { workspaceOf } from "../../fixtures/workspace.ts";

const rotor = buildModel("rotor")
  .body({ name: "rotor", mass: 1, inertia: [1, 1, 2], hinge: { kind: "revolute" } })
  .build();
const servo = (gains: object, model: Model = rotor, hinge = "rotor") =>
  readForce("servo", `servo-${hinge}`, { hinge, ...gains }, model);

describe("a rotor of 2 kg m² with a servo", () => {
  it("kd 6, ki 100 vibrates at √50 rad/s: 2 λ² + 6 λ + 100 = 0, and λ = 0 because it holds no position", () => {
    const modes = modesOf(linearise(rotor, [servo({ kd: 6, ki: 100 })]));
    expect(modes.map(({ kind }) => kind)).toEqual(["rigid", "vibration"]);
    expect(modes[1]!.frequency).toBeCloseTo(Math.sqrt(50) / (2 * Math.PI), 12);
    expect(modes[1]!.frequency).toBeCloseTo(1.1254, 4);
    expect(modes[1]!.dampingRatio).toBeCloseTo(6 / (4 * Math.sqrt(50)), 12);
  });

  it("kp 30, kd 6, ki 100 vibrates at √65 rad/s, and shifts: 2 λ³ + 6 λ² + 130 λ = 0", () => {
    const modes = modesOf(linearise(rotor, [servo({ kp: 30, kd: 6, ki: 100 })]));
    expect(modes.map(({ kind }) => kind)).toEqual(["rigid", "vibration"]);
    expect(modes[1]!.frequency).toBeCloseTo(Math.sqrt(65) / (2 * Math.PI), 12);
  });

  it("answers an oscillating torque, and a constant one, as the integral of the speed does", () => {
    const linear = linearise(rotor, [servo({ kd: 6, ki: 100 })]);
    const [still, at] = frequencyResponse(linear, {
      force: { freedom: "rotor" },
      motion: { freedom: "rotor" },
      frequencies: [0, 0.8],
    });
    const w = 2 * Math.PI * 0.8;
    expect(at!.amplitude).toBeCloseTo(1 / Math.hypot(100 - 2 * w * w, 6 * w), 12);
    expect(at!.phase).toBeCloseTo(-Math.atan2(6 * w, 100 - 2 * w * w), 12);
    expect(still!.amplitude).toBeCloseTo(0.01, 14);
    expect(complianceOf(linear, [{ freedom: "rotor" }])[0]![0]).toBeCloseTo(0.01, 14);
  });

  it("is linearised about its wanted position, not about zero", () => {
    const held = servo({ kp: 30, kd: 1, position: 0.5 });
    expect(linearise(rotor, [held], { q: Float64Array.of(0.5) }).imbalance[0]).toBeCloseTo(0, 14);
    expect(Math.abs(linearise(rotor, [held]).imbalance[0]!)).toBeCloseTo(15, 12);
  });

  it("is reported if its integral changes at the state", () => {
    const moving = modalAnalysis(rotor, [servo({ kd: 6, ki: 100, speed: 2 })]);
    expect(modalRemarks(moving, { rest: "", held: "" }).join("\n")).toContain(
      "Internal states of force elements change there: servo-rotor[0].",
    );
  });
});

it("the lag of an actuator is a decay with its time constant; a spring beside it keeps its frequency", () => {
  const forces = [
    readForce("actuator", "motor", { hinge: "rotor", lag: 0.02 }, rotor),
    readForce("hinge-spring", "spring", { hinge: "rotor", stiffness: 8 }, rotor),
  ];
  const modes = modesOf(linearise(rotor, forces));
  expect(modes.map(({ kind }) => kind)).toEqual(["vibration", "decay"]);
  expect(modes[0]!.frequency).toBeCloseTo(2 / (2 * Math.PI), 12);
  expect(modes[1]!.eigenvalue.re).toBeCloseTo(-50, 9);
});

/** Roots of the first-order matrix of small motions of a tree, by central differences of its motion with internal states. */
function rootsByDifferences(model: Model, forces: readonly ForceElement[], q: Float64Array, u: Float64Array) {
  const system = createSystem(model, forces);
  const workspace = workspaceOf(system);
  const { nq, nu, nz, ny } = system.layout;
  workspace.held.set(scheduledInputs(system.layout, 0));
  const y0 = system.start({ q, u }).y;
  const size = nq + nu + nz;
  const A = new Float64Array(size * size);
  const [ahead, behind] = [new Float64Array(ny), new Float64Array(ny)];
  const h = 1e-6;
  for (let j = 0; j < size; j++) {
    const moved = (step: number): Float64Array => y0.map((v, i) => (i === j ? v + step : v));
    workspace.problem.derivative(0, moved(h), ahead);
    workspace.problem.derivative(0, moved(-h), behind);
    for (let i = 0; i < size; i++) A[i * size + j] = (ahead[i]! - behind[i]!) / (2 * h);
  }
  const { re, im } = realEigenvalues(A, size);
  return Array.from(re, (v, i) => ({ re: v, im: im[i]! }));
}

it.each(Array.from({ length: 30 }, (_, seed) => seed))(
  "chain %i with servos, lags and springs: the roots of its motion",
  (seed) => {
    const random = uniform(1000 + seed);
    const between = (low: number, high: number): number => low + (high - low) * random();
    let builder = buildModel("chain").gravity([0, 0, -3]);
    const count = 2 + Math.floor(3 * random());
    for (let i = 0; i < count; i++)
      builder = builder.body({
        name: `b${i}`,
        ...(i > 0 && { parent: `b${i - 1}` }),
        mass: between(0.5, 3),
        com: [between(0.1, 0.5), between(-0.1, 0.1), 0],
        inertia: [between(0.3, 0.4), between(0.3, 0.4), between(0.3, 0.4)],
        hinge: { kind: "revolute", axis: random() < 0.5 ? "y" : "z", at: [i > 0 ? 0.5 : 0, 0, 0] },
      });
    const model = builder.build();
    const forces = Array.from({ length: count }, (_, i) => {
      const hinge = `b${i}`;
      const kind = random();
      if (kind < 0.5)
        return servo({ kp: between(5, 40), kd: between(0.5, 5), ki: between(5, 90), position: between(-1, 1) }, model, hinge);
      if (kind < 0.75) return readForce("actuator", `motor-${hinge}`, { hinge, lag: between(0.01, 0.1) }, model);
      return readForce("hinge-spring", `spring-${hinge}`, { hinge, stiffness: between(5, 30), damping: between(0.1, 1) }, model);
    });
    const q = Float64Array.from({ length: count }, () => between(-1, 1));
    const u = Float64Array.from({ length: count }, () => (random() < 0.5 ? 0 : between(-1, 1)));
    const modes = modesOf(linearise(model, forces, { q, u }));
    const expected = rootsByDifferences(model, forces, q, u).filter(({ re, im }) => im >= 0 && Math.hypot(re, im) > 1e-4);
    const found = modes.filter(({ kind }) => kind !== "rigid").map(({ eigenvalue }) => eigenvalue);
    expect(found.length).toBe(expected.length);
    for (const { re, im } of found) {
      const nearest = Math.min(...expected.map((e) => Math.hypot(e.re - re, e.im - im)));
      expect(nearest).toBeLessThan(2e-5 * Math.max(1, Math.hypot(re, im)));
    }
  },
);

describe("a four-bar that accelerates", () => {
  const fourBar = buildModel("four-bar")
    .gravity([0, -9.81, 0])
    .body({ name: "crank", mass: 1, com: [0.15, 0, 0], inertia: [0.01, 0.01, 0.02], hinge: { kind: "revolute" } })
    .body({
      name: "coupler",
      parent: "crank",
      mass: 2,
      com: [0.4, 0.05, 0],
      inertia: [0.02, 0.1, 0.12],
      hinge: { kind: "revolute", at: [0.3, 0, 0] },
    })
    .body({
      name: "rocker",
      mass: 1.5,
      com: [0.25, 0, 0],
      inertia: [0.02, 0.05, 0.06],
      hinge: { kind: "revolute", at: [0.9, 0, 0] },
    })
    .loop({
      name: "pin",
      kind: "revolute",
      from: { body: "rocker", at: [0.5, 0, 0] },
      to: { body: "coupler", at: [0.8, 0, 0] },
    })
    .build();
  const system = createSystem(fourBar);
  const n = fourBar.nu;

  /** The state with the loop closed and nearest speeds, and its accelerations. */
  const moving = (q: Float64Array, u: Float64Array) => {
    const { state } = assemble(system, system.start({ q, u }));
    return { q: state.y.slice(0, n), u: state.y.slice(n, 2 * n), udot: system.accelerations(state) };
  };

  it.each([
    [1.1, 0],
    [0.4, 0],
    [-0.9, 2],
    [2.2, -3],
    [3.6, 1],
  ])("at the crank angle %d with the speed %d: stiffness and damping are differences of the motion", (angle, speed) => {
    const at = moving(Float64Array.of(angle, 0.6 - angle, 1.9), Float64Array.of(speed, 0, 0));
    const linear = linearise(fourBar, [], { q: at.q, u: at.u });
    expect(Math.max(...at.udot.map(Math.abs))).toBeGreaterThan(0.4);
    expect(linear.m).toBe(1);
    const Z = linear.basis;
    const h = 1e-6;
    /** Zᵀ δu̇ per unit σ, with the loop kept closed by the smallest changes. */
    const difference = (ofPosition: number, ofSpeed: number): number => {
      const [ahead, behind] = [h, -h].map((step) => {
        const q = at.q.map((v, i) => v + step * ofPosition * Z[i]!);
        const u = at.u.map((v, i) => v + step * ofSpeed * Z[i]!);
        return closedNear(q, u);
      });
      return matrixProduct(
        Z,
        ahead!.map((v, i) => (v - behind![i]!) / (2 * h)),
        1,
        n,
        1,
      )[0]!;
    };
    const closedNear = (q: Float64Array, u: Float64Array): Float64Array => {
      const Q = q.slice();
      for (let k = 0; k < 4; k++) {
        const { misfit } = linearise(fourBar, [], { q: Q, u });
        for (let i = 0; i < n; i++) Q[i]! += misfit[i]!;
      }
      const tangent = linearise(fourBar, [], { q: Q, u }).basis; // one freedom: speeds are multiples of this vector
      const along = matrixProduct(tangent, u, 1, n, 1)[0]!;
      return system.accelerations(system.start({ q: Q, u: tangent.map((v) => v * along) }));
    };
    const mass = linear.mass[0]!;
    const scale = Math.max(1, Math.abs(linear.stiffness[0]! / mass));
    expect(Math.abs(difference(1, 0) + linear.stiffness[0]! / mass) / scale).toBeLessThan(1e-5);
    expect(Math.abs(difference(0, 1) + linear.damping[0]! / mass) / scale).toBeLessThan(1e-5);
  });
});

describe("steady motions of machines with loops", () => {
  const gear = () =>
    buildModel("gear")
      .body({ name: "a", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } })
      .body({ name: "b", mass: 1, inertia: [1, 1, 2], hinge: { kind: "revolute", at: [1, 0, 0] } })
      .loop({
        name: "teeth",
        kind: "coupling",
        terms: [
          { hinge: "a", factor: 1 },
          { hinge: "b", factor: 2 },
        ],
      })
      .build();

  it("keep the ratio of a gear: a motor at 6 rad/s against a damper on the other wheel", () => {
    const model = gear();
    const system = createSystem(model, [
      servo({ kd: 4, speed: 6 }, model, "a"),
      readForce("hinge-spring", "damper", { hinge: "b", stiffness: 0, damping: 5.6 }, model),
    ]);
    const start = system.start({ u: [6, 0], inputs: { "servo-a.speed": 6 } });
    const { y } = steadyMotion(system, start, { cyclic: ["a", "b"] }).state;
    // Power: 4 (6 - a) a = 5.6 b² with b = -a / 2, so a = 24 / (4 + 1.4).
    expect(y[2]).toBeCloseTo(24 / 5.4, 9);
    expect(y[3]).toBeCloseTo(-12 / 5.4, 9);
  });

  it("have the speed of a prescribed motion", () => {
    const model = buildModel("spindle")
      .body({ name: "spindle", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } })
      .loop({ name: "spin", kind: "prescribed", hinge: "spindle", motion: { rate: 6 } })
      .build();
    const system = createSystem(model, [
      readForce("hinge-spring", "damper", { hinge: "spindle", stiffness: 0, damping: 0.7 }, model),
    ]);
    const { y } = steadyMotion(system, system.start(), { cyclic: ["spindle"] }).state;
    expect(y[1]).toBeCloseTo(6, 10);
  });
});
