/** Modes of a run: a state machine of events, with latches and drives. */
import { describe, expect, it } from "vitest";
import { runScenario } from "../../../src/scenario/run.ts";
import { load, loadWithOverrides, problemsOf } from "../../fixtures/models/pendulum.ts";

/** A cart with a buffer on a slide hits another cart, is latched, damped, pulled in, and released. */
const CARTS = `
name: carts
model:
  name: carts
  bodies:
    - { name: chaser, mass: 500, inertia: [1, 1, 1], hinge: { kind: prismatic, axis: x } }
    - { name: buffer, parent: chaser, mass: 5, inertia: [1, 1, 1], hinge: { kind: prismatic, axis: x, at: [0.4, 0, 0], armature: 15 }, frames: { hook: {} } }
    - { name: target, mass: 900, inertia: [1, 1, 1], hinge: { kind: prismatic, axis: x, at: [0.5, 0, 0] }, frames: { striker: {} } }
state: { u: { chaser: 0.05 } }
forces:
  leg: { kind: leg-actuator, hinge: buffer, stiffness: 300, damping: 300, clutch: 450, ramp: 0.2, lower: -0.2, upper: 0.02 }
  hook: { kind: latch, latch: hook, striker: striker, reach: 0.01, depth: 0.03, lateral: 0.015, stiffness: 2e4, damping: 3 }
mode: extend
events:
  capture: { after: hook.engage, mode: attenuate, set: { leg.damping: 2000 } }
  pull: { during: attenuate, after: capture, delay: 0.1 s, mode: retract, set: { leg.stiffness: 3000, leg.position: -0.1 } }
  undock: { during: retract, when: q.buffer < -0.08, mode: release, set: { hook.armed: 0, leg.position: 0 } }
integrator: { name: rk4, step: 0.0005 }
duration: 12
sample: 0.02
channels: [q.*, u.*, leg.*, hook.*, load.hook.*, energy.*]
audit: { energy: 1e-5 }
`;

describe("modes", () => {
  it("follow each other in the timeline", async () => {
    const { run, failure } = await runScenario(load(CARTS));
    expect(failure).toBeUndefined();
    expect(run.timeline.map(({ name, done }) => `${name}: ${done.join(", ")}`)).toEqual([
      "hook.engage: set hook.engaged to 1",
      "capture: set leg.damping to 2000, mode attenuate",
      "pull: set leg.stiffness to 3000, set leg.position to -0.1, mode retract",
      "undock: set hook.armed to 0, set leg.position to 0, mode release",
      "hook.release: set hook.engaged to 0",
    ]);
    expect(run.timeline[0]!.t).toBeCloseTo(1.8, 3); // 90 mm at 0.05 m/s
    // The pull of the latch is the tension of the buffer along its x axis.
    const [pull, tension] = [run.log.column("hook.pull"), run.log.column("load.hook.tension")];
    expect(Math.max(...pull)).toBeGreaterThan(10);
    for (const [i, p] of pull.entries()) expect(tension[i]).toBeCloseTo(p, 10);
  });

  it("report why an event did not happen", async () => {
    const { run } = await runScenario(loadWithOverrides(CARTS, "state.u.chaser=0.001"));
    expect(run.waiting).toEqual(["hook.engage", "capture", "pull", "undock"]);
    expect(run.reasons.capture).toBe("waits for hook.engage");
    expect(run.reasons.undock).toBe("the mode is extend, not retract");
    expect(run.reasons["hook.engage"]).toMatch(
      /^closest at t = 12 s: its striker is farther along the axis than its reach, 0.01 m/,
    );
  });

  it("that are never reached are a problem, with advice about those that are reached", () => {
    const [problem] = problemsOf(CARTS, "events.undock.during=retrakt");
    expect(problem).toMatchObject({ path: "events.undock.during", message: "this mode is never reached" });
    expect(problem!.advice).toBe("Modes that are reached: extend, attenuate, retract");
    // Not reached because another event cannot happen.
    const paths = problemsOf(CARTS, "events.pull.during=nowhere").map((p) => p.path);
    expect([...paths].sort()).toEqual(["events.pull.during", "events.undock.during"]);
    expect(problemsOf(CARTS, "events.capture.after=hook.engages").map((p) => p.path)).toEqual(["events.capture.after"]);
  });

  it("of a latch that is never armed: it can never engage", () => {
    const [problem] = problemsOf(CARTS, "forces.hook.armed=false");
    expect(problem).toMatchObject({
      path: "forces.hook",
      message: "can never engage: it is not armed, and no event sets hook.armed",
    });
    expect(
      loadWithOverrides(CARTS, "forces.hook.armed=false", "events.arm={ at: 1, set: { hook.armed: 1 } }").events,
    ).toHaveLength(4);
  });
});
