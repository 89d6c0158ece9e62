/** Events of scenarios: engaged and released loops, bumps, switched controllers and inputs. */
import { describe, expect, it } from "vitest";
import { formulationsForMotion } from "../../../src/dynamics/formulations.ts";
import { coordinateNames } from "../../../src/model/model.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import { verifyScenario } from "../../../src/scenario/verify.ts";
import { builtIn, load, loadWithOverrides, problemsOf } from "../../fixtures/models/pendulum.ts";

/** A chaser with an arm drifts towards a tumbling target and grasps it. */
const MEETING = `
name: meeting
model:
  name: meeting
  bodies:
    - name: chaser
      mass: 200
      inertia: [30, 40, 50]
      hinge: { kind: free }
    - name: arm
      parent: chaser
      mass: 20
      com: [0.5, 0, 0]
      inertia: [0.2, 2, 2]
      hinge: { kind: revolute, axis: z, at: [1, 0, 0] }
      frames: { hand: { at: [1, 0, 0] } }
    - name: target
      mass: 80
      com: [0.1, 0.05, 0]
      inertia: [10, 12, 8]
      hinge: { kind: free }
      frames: { grapple: { at: [-0.5, 0, 0] } }
  loops:
    - { name: grasp, kind: fixed, from: { frame: hand }, to: { frame: grapple }, engaged: false }
    - { name: touch, kind: point-on-plane, axis: x, from: { frame: hand }, to: { frame: grapple }, engaged: false }
state:
  q: { target: [1, 0, 0, 0, 2.7, 0.02, 0.01] }
  u: { target: [0.02, 0.03, 0.06, -0.05, 0, 0] }
forces:
  elbow: { kind: actuator, hinge: arm }
controllers:
  hold: { kind: hinge-pd, period: 0.1, hinges: [{ hinge: arm, actuator: elbow, kp: 5, kd: 20, reference: 0 }] }
integrator: { name: dop853, relativeTolerance: 1e-12, absoluteTolerance: 1e-12 }
duration: 12
sample: 0.5
channels: ["q.*", "u.*", "loop.*", "energy.*", "momentum.*"]
audit: { energy: 1e-10, linearMomentum: 1e-11, angularMomentum: 1e-11 }
events:
  grasp:
    when: ["loop.grasp.x < 0.01", "loop.grasp.speed < 1"]
    engage: grasp
  let-go: { after: grasp, delay: 4 s, release: grasp }
  never: { when: "loop.grasp.distance > 1000", engage: touch }
`;

describe("a grasp", () => {
  it("happens when its conditions are true, conserves momentum, and loses the work of the impulses", async () => {
    const { run, failure } = await runScenario(load(MEETING));
    expect(failure).toBeUndefined();
    expect(run.timeline.map(({ name, done }) => [name, done])).toEqual([
      ["grasp", ["engaged grasp"]],
      ["let-go", ["released grasp"]],
    ]);
    expect(run.waiting).toEqual(["never"]);
    const [grasp, letGo] = run.timeline as [(typeof run.timeline)[0], (typeof run.timeline)[0]];
    expect(letGo.t).toBe(grasp.t + 4);
    const column = (name: string) => run.log.column(name);
    const at = (name: string, i: number) => column(name)[i]!;
    const i = run.log.column("t").indexOf(grasp.t); // samples before and after the event are recorded
    expect([at("t", i + 1), at("loop.grasp.engaged", i), at("loop.grasp.engaged", i + 1)]).toEqual([grasp.t, 0, 1]);
    expect(at("loop.grasp.x", i)).toBeCloseTo(0.01, 12);
    expect(at("loop.grasp.speed", i + 1)).toBeLessThan(1e-14);
    const lost = at("energy.kinetic", i) - at("energy.kinetic", i + 1);
    expect(grasp.impulse!.dissipated).toBeGreaterThan(0.01);
    expect(Math.abs(lost - grasp.impulse!.dissipated)).toBeLessThan(1e-12);
    // The relative pose of hand and grapple stays as it was at the grasp.
    const j = run.log.column("t").indexOf(letGo.t);
    for (const part of ["x", "y", "z", "angle"]) expect(at(`loop.grasp.${part}`, j)).toBeCloseTo(at(`loop.grasp.${part}`, i), 11);
    expect(at("loop.grasp.fx", j)).not.toBe(0);
    // At the release the state does not jump, and the loop exerts no force afterwards.
    for (const { name } of run.log.channels.filter((c) => /^[qu]\./.test(c.name))) expect(at(name, j + 1)).toBe(at(name, j));
    expect([at("loop.grasp.engaged", j + 1), at("loop.grasp.fx", j + 1)]).toEqual([0, 0]);
  });

  it("is the same with every formulation", async () => {
    const { agree, differences, runs } = await verifyScenario(
      loadWithOverrides(MEETING, "duration=6", "channels=[q.*, u.*, loop.*, reaction.*]"),
    );
    expect(differences.filter((d) => !d.pass)).toEqual([]);
    expect(agree).toBe(true);
    expect(runs.length).toBe(formulationsForMotion(runs[0]!.scenario.model).length);
    for (const { run } of runs) expect(run.timeline.length).toBe(1);
  });

  it("can be preceded by a bump with restitution", async () => {
    const { run } = await runScenario(
      loadWithOverrides(MEETING, "events={ bump: { when: 'loop.touch.x < 0.02', bump: touch, restitution: 0.5 } }", "duration=6"),
    );
    const [bump] = run.timeline;
    expect(bump!.done).toEqual(["bumped touch"]);
    expect(bump!.impulse!.loops[0]!.wrench![3]).toBeGreaterThan(0); // pushes the target away
    const i = run.log.column("t").indexOf(bump!.t);
    const speed = run.log.column("loop.touch.vx");
    expect(speed[i + 1]! / speed[i]!).toBeCloseTo(-0.5, 10);
    expect(run.log.column("loop.touch.engaged").at(-1)).toBe(0);
  });
});

describe("switching", () => {
  it("disables and enables controllers, and sets inputs", async () => {
    const { run } = await runScenario(
      loadWithOverrides(
        MEETING,
        "events={ off: { at: 1, disable: hold, set: { elbow.torque: 0.5 } }, on: { after: off, delay: 1, enable: hold } }",
        "channels=[held.*]",
        "sample=0.25",
        "duration=3",
      ),
    );
    const [t, held] = [run.log.column("t"), run.log.column("held.elbow.torque")];
    const between = held.filter((_, i) => t[i]! > 1 && t[i]! < 2);
    expect([...new Set(between)]).toEqual([0.5]);
    expect(held.at(-1)).not.toBe(0.5);
  });
});

describe("bad input", () => {
  const messages = (events: string): string[] =>
    problemsOf(MEETING.replace(/events:[\s\S]*$/, `events: ${events}\n`)).map((p) => `${p.path}: ${p.message}`);
  it.each([
    ["{ a: { at: 1, engage: grap } }", "events.a.engage: no loop has this name"],
    ["{ a: { at: 1, enable: grap } }", "events.a.enable: no controller has this name"],
    ["{ a: { after: b, engage: grasp } }", "events.a.after: no event has this name"],
    ["{ a: { after: b }, b: { after: a } }", "events.a.after: waits for itself through a circle of `after`"],
    ["{ a: { engage: grasp } }", "events.a: never happens"],
    ["{ a: { at: -1, engage: grasp } }", "events.a.at: must not be negative"],
    ["{ a: { at: 1, bump: touch, restitution: 2 } }", "events.a.restitution: must be at most 1"],
    ["{ a: { at: 1, set: { elbow.force: 2 } } }", 'events.a.set["elbow.force"]: no force has this input'],
    ["{ a: { when: 'loop.grip.x < 0', engage: grasp } }", "events.a.when: uses a channel that does not exist"],
    ["{ a: { at: 1, delay: 1, engage: grasp } }", "events.a.delay: is counted from the events in `after`, but there are none"],
  ])("%s", (events, message) => expect(messages(events)).toContain(message));

  it("a second engagement, a release of a loop that is not engaged, and a gap above the tolerance end the run", async () => {
    const failed = async (...sets: string[]) =>
      (await runScenario(loadWithOverrides(MEETING, "duration=3", ...sets))).failure?.message;
    expect(await failed("events={ a: { at: 1, engage: grasp }, b: { at: 2, engage: grasp } }")).toContain(
      "loop grasp cannot be engaged at t = 2 s: it is engaged already",
    );
    expect(await failed("events={ a: { at: 1, release: grasp } }")).toContain("it is not engaged");
    expect(await failed("events={ a: { at: 1, engage: grasp } }", "model.loops.grasp.engages=as-declared")).toMatch(
      /its residual is 0\.\d+ \(m or rad\), larger than its tolerance 0\.000001/,
    );
  });
});

describe("impulses from outside", () => {
  const struck = (impulse: string) => [MEETING, `events={hit: {at: 1 s, impulse: ${impulse}}}`] as const;

  it("change the momentum by their size, and the audit counts them", async () => {
    const result = await runScenario(
      loadWithOverrides(...struck("{frame: hand, force: [2 N s, 0, 0], torque: [0, 0, 0.5 N m s]}")),
    );
    const { log, timeline, audit } = result.run;
    const [t, px] = [log.column("t"), log.column("momentum.linear.x")];
    const k = t.findIndex((time, i) => time === 1 && t[i + 1] === 1);
    expect(px[k + 1]! - px[k]!).toBeCloseTo(2, 12);
    expect(timeline[0]!.impulse!.applied!.wrench.slice(2)).toEqual([0.5, 2, 0, 0]);
    for (const { worst, tolerance } of audit) expect(worst).toBeLessThan(tolerance);
  });

  it("give the ring on six legs the published speeds of its impulse at the rim", async () => {
    const given = builtIn("docking-ring-6-legs");
    const rim = [0, 0.6 * Math.cos(Math.PI / 9), 0.6 * Math.sin(Math.PI / 9)];
    const hit = `{at: 0, impulse: {frame: ring, at: [${rim.join(", ")}], force: [-8, 2, 1]}}`;
    const scenario = builtIn("docking-ring-6-legs", "state=null", `events={hit: ${hit}}`, "channels=[u.*]", "duration=0.01");
    const { log } = (await runScenario(scenario)).run;
    const after = log.column("t").findLastIndex((t) => t === 0);
    const speeds = coordinateNames(given.model).u.map((name) => log.column(`u.${name}`)[after]!);
    // The scenario gives them to 10 digits.
    for (const [i, u] of given.u.entries()) expect(Math.abs(speeds[i]! - u)).toBeLessThan(1e-9);
    expect(Math.max(...given.u.map(Math.abs))).toBeGreaterThan(0.5);
  });

  it("act in body axes and move engaged loops with them: all formulations agree", async () => {
    const scenario = loadWithOverrides(
      MEETING,
      "events.hit={after: grasp, delay: 1 s, impulse: {frame: grapple, at: [0, 0.1, 0], force: [1, 2, 3], axes: body}}",
      "duration=8",
    );
    const { agree, differences, runs } = await verifyScenario(scenario);
    expect(differences.filter((d) => !d.pass)).toEqual([]);
    expect(agree).toBe(true);
    for (const { run } of runs) {
      const hit = run.timeline.find(({ name }) => name === "hit")!;
      expect(hit.impulse!.loops.map(({ loop }) => loop)).toEqual(["grasp"]);
    }
  });

  it.each([
    ["{frame: hands, force: [1, 0, 0]}", "events.hit.impulse.frame", "no frame or body has this name"],
    ["{frame: hand}", "events.hit.impulse", "has no force and no torque"],
    ["{force: [1, 0, 0]}", "events.hit.impulse.frame", "is missing"],
    [
      "{frame: hand, force: [1 N, 0, 0]}",
      "events.hit.impulse.force[0]",
      "the unit N is of the wrong dimension, N instead of N s",
    ],
    ["{frame: hand, force: [1, 0, 0], axes: hand}", "events.hit.impulse.axes", "is not one of the choices"],
  ])("%s is refused", (impulse, path, message) => {
    const problems = problemsOf(...struck(impulse));
    expect(problems.map((p) => p.path)).toEqual([path]);
    expect(problems[0]!.message).toContain(message);
  });
});
