/** Kinds of a user's own, through public names only: a hinge, traced forces, a controller and a file format, used from a scenario file. */
import { controllerKind, registerController } from "castor/control";
import { forceKind, registerForce } from "castor/force";
import { registerFormat } from "castor/formats";
import { scalar } from "castor/kernel";
import { hingeKind, registerHinge, rotation, slideElement, turnElement, vec3 } from "castor/model";
import { loadScenario, runScenario, type ScenarioFiles } from "castor/scenario";
import { beforeAll, describe, expect, it } from "vitest";

const { mul, neg, square } = scalar;

/** A turn about y, then a slide along the turned z: a telescopic boom. */
const telescope = hingeKind({
  name: "telescope",
  about: "A turn about y, then a slide along the turned z.",
  parameters: {},
  elements: () => [turnElement([0, 1, 0]), slideElement([0, 0, 1])],
});

/** A cubic spring: τ = -k q³, V = k q⁴ / 4. */
const cubicSpring = forceKind({
  name: "cubic-spring",
  about: "A spring whose torque grows with the third power of the coordinate.",
  acts: "between bodies",
  parameters: {
    hinge: { type: "freedom", needs: "coordinate", about: "The hinge." },
    k: { type: "number", unit: "N m/rad^3", least: 0, about: "Torque per cubed angle." },
  },
  examples: [{ hinge: "rod", k: 2 }],
  element: (_, { hinge, k }) => ({
    trace(s, out) {
      const q = s.hinge(hinge.hinge).q[hinge.coordinateInHinge!]!;
      out.hinge(hinge.hinge, hinge.speedInHinge, neg(mul(k, mul(q, square(q)))));
      out.potential(mul(k / 4, square(square(q))));
      out.channel("angle", "rad", q);
    },
  }),
});

/** A spring from a point of a body to a point of the world: f = k (anchor - p), traced with vectors of expressions. */
const tether = forceKind({
  name: "tether",
  about: "A spring of zero length from a point of a body to a point of the world.",
  acts: "from outside",
  parameters: {
    frame: { type: "frame", about: "Frame or body." },
    at: { type: "vector", unit: "m", default: [0, 0, 0], about: "Point in the axes of the frame." },
    anchor: { type: "vector", unit: "m", about: "Point of the world." },
    k: { type: "number", unit: "N/m", least: 0, about: "Stiffness." },
  },
  examples: [{ frame: "rod", anchor: [0, 0, 1], k: 2 }],
  element: (_, { frame, at, anchor, k }) => ({
    frames: [frame],
    trace(s, out) {
      const { R, p } = s.frame(frame);
      const arm = rotation.apply(R, at);
      const stretch = vec3.minus(anchor, vec3.plus(p, arm));
      const force = vec3.scale(k, stretch);
      out.wrench(frame, vec3.cross(arm, force), force);
      out.potential(mul(k / 2, vec3.dot(stretch, stretch)));
    },
  }),
});

/** Commands a constant torque that changes its sign with the speed, and ends the run after a number of updates. */
const bangBang = controllerKind({
  name: "bang-bang",
  about: "Pushes along the speed with a constant torque.",
  parameters: {
    actuator: { type: "name", about: "The actuator." },
    torque: { type: "number", unit: "N m", about: "Size of the torque." },
  },
  examples: [{ actuator: "motor", torque: 1 }],
  controller: (name, { actuator, torque }) => ({
    name,
    period: 0.05,
    commands: [`${actuator}.torque`],
    start: () => undefined,
    update(s, memory, command) {
      command[0] = s.u[0]! >= 0 ? torque : -torque;
      return memory;
    },
  }),
});

/** Lines `name mass length`: a chain of point masses on massless rods. */
const chainFormat = {
  name: "chain",
  about: "A chain of pendulums, one per line.",
  extensions: [".chain"],
  read: (text: string) => {
    const lines = text
      .trim()
      .split("\n")
      .map((line) => line.split(" "));
    return {
      name: "chain",
      gravity: [0, 0, -9.81] as const,
      bodies: lines.map(([name, mass, length], i) => ({
        name: name!,
        ...(i > 0 && { parent: lines[i - 1]![0]! }),
        mass: Number(mass),
        com: [0, 0, -Number(length)] as const,
        inertia: [0.01, 0.01, 0.01] as const,
        hinge: i === 0 ? { kind: "revolute" as const, axis: "y" as const } : { kind: "telescope" as never },
      })),
    };
  },
};

const SCENARIO = `
name: own kinds
model: machine.chain
duration: 1
integrator: { name: rk4, step: 0.01 }
state: { q: { rod: 0.3 } }
forces:
  spring: { kind: cubic-spring, hinge: rod, k: 5 }
  line: { kind: tether, frame: rod, at: [0, 0, -0.5], anchor: [1, 0, -1], k: 4 }
  motor: { kind: actuator, hinge: rod }
controllers:
  push: { kind: bang-bang, actuator: motor, torque: 0.5 }
channels: [q.rod, q.boom.*, spring.angle, held.motor.torque]
`;
const files = {
  readBeside: (path: string) => ({ text: "rod 2 0.5\nboom 1 0.3", source: path }),
  readChosen: (path: string) => ({ text: "", source: path }),
  builtIns: [],
  readBuiltIn: (name: string) => ({ text: "", source: name }),
} satisfies ScenarioFiles;

describe("kinds of a program's own", () => {
  beforeAll(() => {
    registerHinge(telescope);
    registerForce(cubicSpring);
    registerForce(tether);
    registerController(bangBang);
    registerFormat(chainFormat);
  });

  it("are used from a scenario file", async () => {
    const { run } = await runScenario(loadScenario(SCENARIO, "scenario.yaml", { files }));
    const angle = run.log.column("spring.angle");
    expect(angle).toEqual(run.log.column("q.rod"));
    expect(angle.at(-1)).not.toBe(0.3);
    expect(Math.abs(run.log.column("held.motor.torque").at(-1)!)).toBe(0.5);
  });

  it("have their parameters checked like the built-in ones", () => {
    const wrong = SCENARIO.replace("k: 5", "k: -5").replace("actuator: motor,", "");
    expect(() => loadScenario(wrong, "scenario.yaml", { files })).toThrow(/forces\.spring\.k[\s\S]*controllers\.push\.actuator/);
  });

  it("are refused if their name or ending is taken", () => {
    registerForce(cubicSpring); // the same object again
    expect(() => registerForce({ ...cubicSpring })).toThrow(
      'kind.name: there is already a kind of force element named "cubic-spring"',
    );
    expect(() => registerController({ ...bangBang, name: "hinge-pd" })).toThrow("Choose another name");
    expect(() => registerFormat({ ...chainFormat, name: "other" })).toThrow("format.extensions: .chain belongs to chain");
    expect(() => registerFormat({ ...chainFormat, name: "other", extensions: [".yaml"] })).toThrow(
      "belongs to Castor's own files",
    );
    expect(() => registerFormat({ ...chainFormat, name: "", extensions: [".c2"] })).toThrow(
      "kind.name: a name must not be empty",
    );
  });
});
