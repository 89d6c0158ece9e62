/** Motions of solids with patches against closed forms: Newton's cradle, and a box that tips over an edge. */
import { describe, expect, it } from "vitest";
import { createModel } from "../../../../src/model/build/create-model.ts";
import { readForce } from "../../../../src/parts/force/forces.ts";
import { runFor } from "../../../fixtures/force-run.ts";

const TOLERANCES = { relativeTolerance: 1e-10, absoluteTolerance: 1e-12 };

describe("Newton's cradle", () => {
  it.each([1, 2, 3])("%d of five balls come in, and as many go out with the same velocities", (count) => {
    const [radius, gap, speed] = [0.02, 0.001, 1];
    const names = ["a", "b", "c", "d", "e"];
    const inertia = 0.4 * 0.26 * radius * radius;
    const model = createModel({
      name: "cradle",
      bodies: names.map((name) => ({ name, mass: 0.26, inertia: [inertia, inertia, inertia], hinge: { kind: "free" } })),
    });
    const shapes = names.map((name) => ({ kind: "sphere", name, on: name, radius }));
    const contact = readForce("contact", "contact", { shapes, law: "pressure", modulus: 2e11 }, model);
    const q = names.flatMap((_, i) => [1, 0, 0, 0, (2 * radius + gap) * i, 0, 0]);
    const u = names.flatMap((_, i) => [0, 0, 0, i < count ? speed : 0, 0, 0]);
    const end = runFor(model, [contact], 0.02, { q, u }, [], TOLERANCES);
    for (const [i] of names.entries())
      for (let k = 0; k < 6; k++)
        expect(Math.abs(end.u[6 * i + k]! - (k === 3 && i >= names.length - count ? speed : 0))).toBeLessThan(1e-6);
  });
});

describe("a box on its lower edge", () => {
  const [width, height, g] = [0.2, 0.4, 9.81];
  /** Distance of the mass centre from the edge, and its direction seen from the edge while the box stands. */
  const [arm, lean] = [Math.hypot(width, height) / 2, Math.atan(width / height)];
  const about = (width * width + height * height) / 12;
  const inertia = [(0.3 * 0.3 + height * height) / 12, about, (0.3 * 0.3 + width * width) / 12] as const;

  /** Angle of the mass centre from the vertical through the edge, after a start at rest. Positive angles fall to the side of the edge. */
  function angleAfter(start: number, duration: number): number {
    const model = createModel({
      name: "box",
      gravity: [0, 0, -g],
      bodies: [{ name: "box", mass: 1, inertia, hinge: { kind: "free" } }],
    });
    const shapes = [{ kind: "box", name: "box", on: "box", size: [width, 0.3, height] }];
    const parameters = {
      shapes,
      against: [{ kind: "plane", name: "floor" }],
      law: "pressure",
      modulus: 1e9,
      damping: 50,
      friction: 2,
    };
    const contact = readForce("contact", "contact", parameters, model);
    const turn = lean + start; // about y
    const q = [Math.cos(turn / 2), 0, Math.sin(turn / 2), 0, arm * Math.sin(start), 0, arm * Math.cos(start)];
    const end = runFor(model, [contact], duration, { q }, [], { relativeTolerance: 1e-7, absoluteTolerance: 1e-9 });
    return 2 * Math.atan2(end.q[2]!, end.q[0]!) - lean;
  }

  /** Time of a rigid box from one angle to another: θ̇² = 2 g R (cos θ₀ - cos θ) / (k² + R²). θ = θ₀ + (θ₁ - θ₀) s² removes the root at the start. */
  function fallTime(from: number, to: number): number {
    let time = 0;
    const pieces = 4000;
    for (let k = 0; k < pieces; k++) {
      const s = (k + 0.5) / pieces;
      const angle = from + (to - from) * s * s;
      const rate = Math.sqrt((2 * g * arm * (Math.cos(from) - Math.cos(angle))) / (about + arm * arm));
      time += (2 * (to - from) * s) / (pieces * rate);
    }
    return time;
  }

  it("falls to the side on which its mass centre is", () => {
    expect(angleAfter(0.005, 0.5)).toBeGreaterThan(0.01);
    expect(angleAfter(-0.005, 0.5)).toBeLessThan(-0.01);
  });

  it("passes an angle at the time of a rigid box", () => {
    const [from, to] = [0.05, 0.5];
    expect(Math.abs(angleAfter(from, fallTime(from, to)) - to)).toBeLessThan(2e-3);
  });
});
