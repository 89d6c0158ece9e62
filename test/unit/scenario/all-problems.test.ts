/** All problems of a scenario are reported at once, also if the model or a part has problems, and without false follow-up problems. */
import { describe, expect, it } from "vitest";
import { parseModel } from "../../../src/formats/model-file.ts";
import { loadWithOverrides, PENDULUM, problemsOf } from "../../fixtures/models/pendulum.ts";

const pathsOf = (text: string): readonly string[] => problemsOf(text).map((p) => p.path);

const TWO_BODIES = `
model:
  name: m
  bodies:
    - { name: base, mass: 1, inertia: [1, 1, 1], hinge: { kind: free }, frames: { port: {} } }
    - { name: arm, parent: base, mass: 1, inertia: [1, 1, 1], hinge: { kind: revolute } }
  loops: [{ name: grip, kind: fixed, from: { frame: port }, to: { body: world }, engaged: false }]
duration: 1
state: { q: { arm: 1 } }
forces:
  spring: { kind: hinge-spring, hinge: arm, stiffness: 1 }
  wrench: { kind: constant-wrench, frame: port, force: [1, 0, 0] }
events:
  take: { at: 0.5, engage: grip }
`;

describe("all problems at once", () => {
  it("a broken body hides nothing that can be judged", () => {
    const text = TWO_BODIES.replace(
      "mass: 1, inertia: [1, 1, 1], hinge: { kind: revolute }",
      "mass: -1, inertia: [1, 1, 1], hinge: { kind: revolute }",
    )
      .replace("stiffness: 1", "stifness: 1, damping: -3 kg")
      .replace("frame: port, force", "frame: prt, force")
      .replace("{ arm: 1 }", "{ amr: 1 }")
      .replace("engage: grip", "engage: girp")
      .replace("duration: 1", "duration: 0");
    expect(pathsOf(text)).toEqual([
      "model.bodies[1].mass",
      "duration",
      "state.q.amr",
      "forces.spring.stifness",
      "forces.spring.damping",
      "forces.wrench.frame",
      "events.take.engage",
    ]);
  });

  it.each([
    ["a hinge", "hinge: { kind: revolute }", "hinge: { kind: revolut }", "model.bodies[1].hinge.kind"],
    ["a frame", "frames: { port: {} }", "frames: { port: { at: 1 } }", "model.bodies[0].frames.port.at"],
    ["a name", "name: arm", "name: arm.left", "model.bodies[1].name"],
    ["a body", "{ kind: free }", "{ kind: free, axis: x }", "model.bodies[0].hinge.axis"],
    ["a loop", "kind: fixed", "kind: glue", "model.loops[0].kind"],
  ])("a name that belongs to %s with a problem is no further problem", (_, good, bad, path) => {
    expect(pathsOf(TWO_BODIES.replace(good, bad))).toEqual([path]);
  });

  it("a broken elastic body and its links are no further problem", () => {
    const rod = "elastic: { length: -1, massPerLength: 1, bendingStiffness: 1 }, hinge: { kind: fixed }";
    const text = TWO_BODIES.replace("mass: 1, inertia: [1, 1, 1], hinge: { kind: revolute }", rod).replace(
      "hinge: arm",
      "hinge: arm-2",
    );
    expect(pathsOf(text)).toEqual(["model.bodies[1].elastic.length"]);
  });

  it("a quantity of a hinge with a problem may be that of a turn or of a slide", () => {
    for (const [unit, count] of [
      ["N/m", 1],
      ["N m/rad", 1],
      ["kg", 2],
    ] as const) {
      const text = TWO_BODIES.replace("{ kind: revolute }", "{ kind: revolut }").replace("stiffness: 1", `stiffness: 1 ${unit}`);
      expect(problemsOf(text)).toHaveLength(count);
    }
  });

  it("without a readable model, forms are still checked", () => {
    const text = TWO_BODIES.replace("bodies:", "bodys:").replace("stiffness: 1", "stiffness: stiff").replace("at: 0.5", "at: -1");
    expect(pathsOf(text)).toEqual(
      expect.arrayContaining(["model.bodies", "model.bodys", "forces.spring.stiffness", "events.take.at"]),
    );
    expect(pathsOf(text)).toHaveLength(4);
  });

  it("a problem of a device hides no problems of forces and controllers", () => {
    const text =
      `${PENDULUM}devices: { wheel: { kind: reaction-wheel, on: rod, mass: -1, spinInertia: 1, transverseInertia: 1 } }\n`
        .replace("damping: 0.1", "damping: soft")
        .replace("kp: 1", "kp: -1")
        .replace("hinge: rod, damping", "hinge: wheel, damping");
    expect(pathsOf(text)).toEqual(
      expect.arrayContaining(["devices.wheel.mass", "forces.damper.damping", "controllers.hold.hinges[0].kp"]),
    );
    expect(pathsOf(text)).toHaveLength(3);
  });

  it("a problem of a force or of the terrain hides no problems of events", () => {
    const text = `${PENDULUM}events: { a: { at: 1, disable: hodl } }\nterrain: { hill: { kind: mound } }\n`.replace(
      "0.1 }",
      "soft }",
    );
    expect(pathsOf(text)).toEqual(
      expect.arrayContaining(["forces.damper.damping", "events.a.disable", "terrain.hill.height", "terrain.hill.radius"]),
    );
  });
});

describe("options", () => {
  it("a missing step points to the option that chose the integrator", () => {
    const bare = PENDULUM.replace("integrator: { name: rk4, step: 0.01 }\n", "");
    for (const text of [bare, PENDULUM.replace("{ name: rk4, step: 0.01 }", "{ name: radau5 }")])
      expect(problemsOf(text, "integrator.name=rk4")).toMatchObject([
        { path: "integrator.step", file: "--set integrator.name=rk4" },
      ]);
  });

  it("a section that the file does not have is added by an option", () => {
    const { events } = loadWithOverrides(PENDULUM, "events.late={at: 1 s, disable: hold}");
    expect(events).toMatchObject([{ name: "late", at: 1, actions: { disable: ["hold"] } }]);
  });
});

it("a scenario that is given as a model says so, and what to do", () => {
  expect(() => parseModel(PENDULUM, "swing.yaml")).toThrow(/model \(line \d+.*this is a scenario file, not a model file/);
  expect(() => parseModel("model: arm.yaml\nduration: 3\n")).toThrow(/Give its model instead: arm.yaml. .*castor run/);
});
