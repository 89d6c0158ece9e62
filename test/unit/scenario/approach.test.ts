/** Approaches described as in docking standards, and limits with their sources. */
import { describe, expect, it } from "vitest";
import { frameOf } from "../../../src/model/model.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import { movingFrames } from "../../../src/sim/system/trace-elements.ts";
import { builtIn, load, loadWithOverrides, problemsOf } from "../../fixtures/models/pendulum.ts";

const BALLS = `
name: balls
model:
  name: balls
  bodies:
    - { name: hull, mass: 100, com: [0.1, 0, 0], inertia: [5, 6, 7], hinge: { kind: free, at: [0.3, -0.2, 0.1], rotation: { rpy: [0.4, 0.1, -0.7] }, onBody: { at: [0.2, 0.1, 0] } } }
    - { name: arm, parent: hull, mass: 5, inertia: [1, 1, 1], hinge: { kind: revolute, axis: z, at: [1, 0, 0] }, frames: { nose: { at: [0.5, 0, 0], rotation: { rpy: [0.2, 0, 0] } } } }
    - { name: target, mass: 300, inertia: [50, 60, 70], hinge: { kind: free }, frames: { port: { at: [0, 0.3, 0], rotation: { rpy: [0, 0.3, 0.5] } } } }
state: { q: { arm: 20 deg, target: [1, 0, 0, 0, 4, 1, -2] }, u: { target: [0.01, -0.02, 0.03, 0.1, 0.2, -0.1] } }
approach: { port: nose, target: port, closing: 0.2, y: 0.01, z: -0.02, vy: 0.03, vz: 0.01, roll: 3 deg, pitch: -2 deg, yaw: 1 deg, rollRate: 0.01, pitchRate: 0.02, yawRate: -0.03 }
forces:
  touch:
    kind: contact
    shapes: [{ kind: sphere, on: nose, radius: 0.05 }]
    against: [{ kind: plane, on: port, axis: [-1, 0, 0] }]
    stiffness: 1e5
integrator: { name: rk4, step: 0.001 }
duration: 0.01
channels: ["q.*", "touch.*"]
`;

describe("an approach", () => {
  const placed = (scenario: ReturnType<typeof load>) => {
    const { model, q, u } = scenario;
    const [N, P] = movingFrames(model, [...q], [...u], [frameOf(model, "nose"), frameOf(model, "port")]);
    return { N: N!, P: P! } as unknown as Record<"N" | "P", { R: number[][]; p: number[]; w: number[]; v: number[] }>;
  };
  /** Components of a world vector in axes R. */
  const seen = (R: number[][], v: readonly number[]): number[] =>
    [0, 1, 2].map((k) => R[0]![k]! * v[0]! + R[1]![k]! * v[1]! + R[2]![k]! * v[2]!);

  it("places the vehicle in front of a moving and rotating target, for any hinge placement", () => {
    const scenario = load(BALLS);
    const { N, P } = placed(scenario);
    const apart = N.p.map((x, i) => x - P.p[i]!);
    const [x, y, z] = seen(P.R, apart);
    // Radius 50 mm: no contact at 50 mm, where the depth is zero, plus 1 mm of clearance.
    expect(x).toBeCloseTo(-scenario.approach!.gap, 12);
    expect(scenario.approach!.gap).toBeCloseTo(0.051, 9);
    expect([y, z].map((v) => +v!.toFixed(12))).toEqual([0.01, -0.02]);
    // Velocity relative to the target at the position of the port.
    const carried = [0, 1, 2].map((i) => P.w[(i + 1) % 3]! * apart[(i + 2) % 3]! - P.w[(i + 2) % 3]! * apart[(i + 1) % 3]!);
    const v = seen(P.R, N.v.map((c, i) => c - P.v[i]! - carried[i]!)); // biome-ignore format: one line
    expect(v.map((c) => +c.toFixed(12))).toEqual([0.2, 0.03, 0.01]);
    const w = seen(N.R, N.w.map((c, i) => c - P.w[i]!)); // biome-ignore format: one line
    expect(w.map((c) => +c.toFixed(12))).toEqual([0.01, 0.02, -0.03]);
    // R = Rz(yaw) Ry(pitch) Rx(roll): yaw, pitch and roll follow from its entries below the diagonal.
    const R = [0, 1, 2].map((k) => seen(P.R, [N.R[0]![k]!, N.R[1]![k]!, N.R[2]![k]!]));
    const deg = 180 / Math.PI;
    expect(Math.atan2(R[0]![1]!, R[0]![0]!) * deg).toBeCloseTo(1, 10);
    expect(-Math.asin(R[0]![2]!) * deg).toBeCloseTo(-2, 10);
    expect(Math.atan2(R[1]![2]!, R[2]![2]!) * deg).toBeCloseTo(3, 10);
  });

  it("uses a given gap, and runs from there", async () => {
    const scenario = loadWithOverrides(BALLS, "approach.gap=0.0505", "duration=0.02");
    expect(scenario.approach).toMatchObject({ gap: 0.0505, found: false });
    const { run } = await runScenario(scenario);
    expect(Math.max(...run.log.column("touch.depth"))).toBeGreaterThan(0);
  });

  it("finds the gaps of the study: 30, 95 and 180.5 mm", () => {
    const deg = (angles: readonly number[]): string[] => angles.map((a) => `"${a} deg"`);
    const gap = (values: readonly (number | string)[]): number => {
      const keys = ["y", "z", "roll", "pitch", "yaw"];
      return builtIn("docking-soft-capture", ...keys.map((key, i) => `approach.${key}=${values[i]}`)).approach!.gap;
    };
    expect(gap([0, 0, 0, 0, 0])).toBe(0.03);
    expect(gap([0.05, 0.03, ...deg([2, 1, -1.5])])).toBeCloseTo(0.095, 12);
    expect(gap([0, 0.1, ...deg([-4, 4, 0])])).toBeCloseTo(0.1805, 12);
  });

  it("warns outside the standard, and refuses vehicles that cannot be placed", () => {
    const far = loadWithOverrides(BALLS, "approach.roll=6 deg", "approach.closing=0.08", "approach.y=0.2");
    expect(far.warnings.map((w) => w.message)).toEqual([
      "a lateral misalignment of 0.201 m is outside the IDSS contact conditions (up to 0.1 m)",
      "a roll misalignment of 6 deg is outside the IDSS contact conditions (up to 4 deg)",
      "a roll rate of 0.573 deg/s is outside the IDSS contact conditions (up to 0.2 deg/s)",
      "a pitch and yaw rate of 2.066 deg/s is outside the IDSS contact conditions (up to 0.2 deg/s)",
    ]);
    const messages = (...sets: readonly string[]) => problemsOf(BALLS, ...sets).map((p) => `${p.path}: ${p.message}`);
    expect(messages("approach.target=nose")).toEqual(["approach.target: must not be on the same vehicle as the port"]);
    expect(messages("model.bodies.hull.hinge={ kind: fixed }")).toEqual(["approach.port: must be on a free-floating vehicle"]);
    expect(messages("approach.port=noose")[0]).toMatch(/^approach.port/);
    expect(messages("approach.clearance=-1 mm")).toEqual(["approach.clearance: must not be negative"]);
    expect(messages("state.q.hull=[1, 0, 0, 0, 0, 0, 0]")).toEqual([
      "state.q.hull: is given twice: `approach` sets this hinge too",
    ]);
    // x of the target points out of the plane: the vehicle would come from behind.
    expect(messages("forces.touch.against[0].axis=x")[0]).toMatch(/^approach.gap: bodies touch even at a gap of 1 m/);
  });

  it("that starts in contact is refused by the contact element", async () => {
    await expect(runScenario(loadWithOverrides(BALLS, "approach.gap=0.02"))).rejects.toThrow(
      /30 mm deep in each other at the start/,
    );
  });
});

describe("limits", () => {
  const LIMITED = `${BALLS}
limits:
  load: { channels: touch.load, most: 10 N, source: nobody, confidence: low }
  pose: { channels: [q.hull.x, q.hull.y], least: -100, most: 100 m, mean: 5 ms }
`;
  it("are read in the unit of their channels, with one or two bounds", () => {
    const { limits } = load(LIMITED);
    expect(limits.map(({ name, least, most, mean }) => [name, least, most, mean])).toEqual([
      ["load", undefined, 10, undefined],
      ["pose", -100, 100, 0.005],
    ]);
  });

  it("refuse unknown channels, mixed units, wrong units and missing bounds", () => {
    const messages = (set: string) => problemsOf(LIMITED, set).map((p) => `${p.path}: ${p.message}`);
    expect(messages("limits.load.channels=touch.lod")).toEqual(["limits.load.channels: there is no such channel"]);
    expect(messages("limits.pose.channels=[q.hull.x, touch.load]")[0]).toMatch(/^limits.pose.channels: have different units/);
    expect(messages("limits.load.most=10 m")[0]).toMatch(/^limits.load.most/);
    expect(messages("limits.load.most=null")).toEqual(["limits.load: limits nothing"]);
    expect(messages("limits.pose.least=200")).toEqual(["limits.pose.most: must be greater than least, 200"]);
    expect(messages("limits.load.confidence=total")).toEqual(["limits.load.confidence: must be one of high, medium, low"]);
  });
});
