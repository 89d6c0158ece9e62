/** castor eval: its output, compared with the report and with the library. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createModel } from "castor";
import { formatModel } from "castor/formats";
import { beforeAll, describe, expect, it } from "vitest";
import { castor, type Result, workFolder } from "../fixtures/installed.ts";
import { randomModel, randomState } from "../fixtures/models/random-model.ts";

/** Precision of the printed values of TR-942. */
const PRINTED = 1e-7;

interface Evaluation {
  readonly model: {
    readonly name: string;
    readonly bodies: number;
    readonly nq: number;
    readonly nu: number;
    readonly mass: number;
  };
  readonly warnings: readonly { readonly path: string; readonly line: number }[];
  readonly state: {
    readonly source: string | null;
    readonly q: Record<string, number[]>;
    readonly tau: Record<string, number[]>;
  };
  readonly speeds: readonly string[];
  readonly formulations: Record<string, FormulationResults>;
  readonly massMatrix: readonly (readonly number[])[];
  readonly massCentre: readonly number[];
  readonly frames: Record<
    string,
    {
      position: number[];
      rotation: number[][];
      angularVelocity: number[];
      linearVelocity: number[];
      jacobian: number[][];
      bias: number[];
    }
  >;
  readonly agreement: {
    readonly agree: boolean;
    readonly largest: number;
    readonly limit: number;
    readonly differences: { quantity: string; between: string[]; relative: number }[];
  };
}

interface FormulationResults {
  readonly accelerations: Record<string, number[]>;
  readonly energy: { kinetic: number; potential: number };
  readonly momentum: { angular: number[]; linear: number[] };
  readonly reactions: Record<string, { torque: number[]; force: number[] }>;
}

let folder: string;
beforeAll(() => {
  folder = workFolder();
});

const json = (result: Result): Evaluation => {
  expect(result.stderr).toBe("");
  return JSON.parse(result.stdout) as Evaluation;
};

const near = (actual: readonly number[], expected: readonly number[], tolerance: number): void => {
  expect(actual).toHaveLength(expected.length);
  for (const [i, value] of expected.entries())
    expect(Math.abs(actual[i]! - value), `${actual} against ${expected}`).toBeLessThan(tolerance);
};

describe("eval of the satellite of TR-942", () => {
  let result: Evaluation;
  beforeAll(() => {
    const run = castor(folder, ["eval", "satellite-manipulator", "--json"]);
    expect(run.status).toBe(0);
    result = json(run);
  });

  it("uses the state of the built-in model", () => {
    expect(result.model).toMatchObject({ bodies: 5, nq: 11, nu: 10, mass: 330 });
    expect(result.state.q.forearm).toEqual([Math.PI]);
    expect(result.warnings.map((w) => w.path)).toEqual(["bodies[1].inertia"]);
  });

  it.each(["articulated", "kane", "matrix"])("%s gives the hinge forces of the report", (name) => {
    const { reactions } = result.formulations[name]!;
    near(reactions.waist!.force, [8.57039193, -2.53555447, 41.07120541], PRINTED);
    near(reactions.waist!.torque, [15.97745701, -0.36827252, -15.70796327], PRINTED);
    near(reactions.hand!.force, [-6.78737717, -6.84415307, 20.87813175], PRINTED);
    near(reactions.satellite!.force, [0, 0, 0], 1e-12);
  });

  it("has all other results at full precision", () => {
    near(result.massCentre, [-0.19696969697, 0.136363636364, 0.248484848485], 1e-12);
    expect(result.speeds.slice(-4)).toEqual(["waist", "upper-arm", "forearm", "hand"]);
    expect(result.massMatrix).toHaveLength(10);
    for (const [i, row] of result.massMatrix.entries())
      near(
        row,
        result.massMatrix.map((other) => other[i]!),
        1e-13,
      );
    near(result.frames.tip!.position, [-0.5, 0, 0.9], 1e-15);
    expect(result.frames.tip!.jacobian.map((row) => row.length)).toEqual([10, 10, 10, 10, 10, 10]);
    expect(result.agreement).toMatchObject({ agree: true, limit: 1e-10 });
    expect(result.agreement.largest).toBeLessThan(1e-14);
    expect(new Set(result.agreement.differences.map((d) => d.quantity))).toEqual(
      new Set(["accelerations", "reactions", "energy", "momentum", "mass matrix"]),
    );
  });

  it("prints the same as text, in narrow tables", () => {
    const { status, stdout, stderr } = castor(folder, ["eval", "satellite-manipulator"]);
    expect([status, stderr]).toEqual([0, ""]);
    for (const line of stdout.split("\n").filter((l) => !l.includes("npx"))) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(stdout).toMatch(/^ {2}waist +-0\.904229 +-0\.904229 +-0\.904229 +rad\/s²$/m);
    expect(stdout).toMatch(/^ {2}waist +force +8\.57039 +-2\.53555 +41\.07121 +N$/m);
    expect(stdout).toMatch(/^✓ all formulations agree to /m);
    expect(stdout).toContain("Try next");
    expect(stdout).not.toContain("\u001b");
  });
});

describe("eval of a user's model", () => {
  /** A pendulum: one turn about y, mass on a rod of 2 m, gravity down. */
  const PENDULUM = `name: pendulum
gravity: [0, 0, -9.81]
bodies:
  - name: rod
    mass: 3 kg
    com: [0, 0, -2]
    inertia: none
    hinge: { kind: revolute, axis: y }
    frames: { bob: { at: [0, 0, -2] } }
`;
  beforeAll(() => {
    writeFileSync(join(folder, "pendulum.yaml"), PENDULUM);
    writeFileSync(
      join(folder, "start.yaml"),
      "q: { rod: 90 deg }\nu: { rod: 0.5 }\nwrenches: [{ frame: bob, force: [0, 0, 6] }]\n",
    );
  });

  it("without a state is at home and at rest", () => {
    const { state, formulations } = json(castor(folder, ["eval", "pendulum.yaml", "--json"]));
    expect(state).toMatchObject({ source: null, q: { rod: [0] }, tau: { rod: [0] } });
    expect(formulations.kane!.accelerations.rod![0]!).toBeCloseTo(0, 15);
    near(formulations.kane!.reactions.rod!.force, [0, 0, 3 * 9.81], 1e-12);
  });

  it("with a state matches the closed form: bob at -x, with an upward wrench", () => {
    const { formulations, frames } = json(castor(folder, ["eval", "pendulum.yaml", "--state", "start.yaml", "--json"]));
    expect(Object.keys(formulations)).toEqual(["articulated", "kane", "matrix", "partition", "minimal"]);
    for (const { accelerations, energy, momentum } of Object.values(formulations)) {
      near(accelerations.rod!, [(-9.81 + 6 / 3) / 2], 1e-13); // a positive rotation about y lifts the bob
      near([energy.kinetic, energy.potential], [0.5 * 3 * 1, 0], 1e-13);
      near(momentum.linear, [0, 0, 3 * 1], 1e-13);
    }
    near(frames.bob!.position, [-2, 0, 0], 1e-15);
    near(frames.bob!.linearVelocity, [0, 0, 1], 1e-15);
    near(frames.bob!.bias, [0, 0, 0, 2 * 0.5 ** 2, 0, 0], 1e-15);
  });

  it("shows one formulation and chosen frames, given in several ways", () => {
    const words = ["eval", "pendulum.yaml", "--formulation", "kane", "--json"];
    const both = json(castor(folder, [...words, "--frame", "rod", "--frame=bob"]));
    expect(Object.keys(both.formulations)).toEqual(["kane"]);
    expect(Object.keys(both.frames)).toEqual(["rod", "bob"]);
    expect(both.agreement.differences).toMatchObject([{ quantity: "mass matrix", between: ["kane"] }]);
    expect(json(castor(folder, [...words, "--frame", "rod,bob"])).frames).toEqual(both.frames);
  });

  it.each([11, 12, 13, 14])("agrees on random machine %i and prints it", (seed) => {
    const model = createModel(randomModel(seed, { freedoms: 25 }));
    const { q, u, tau } = randomState(model, seed);
    const byHinge = (values: Float64Array, which: "q" | "u"): object =>
      Object.fromEntries(
        model.bodies
          .filter(({ hinge }) => hinge.nu > 0)
          .map(({ hinge }) => [
            hinge.name,
            [...values.subarray(hinge[which], hinge[which] + (which === "q" ? hinge.nq : hinge.nu))],
          ]),
      );
    writeFileSync(join(folder, "random.yaml"), formatModel(model));
    writeFileSync(
      join(folder, "random.json"),
      JSON.stringify({ q: byHinge(q, "q"), u: byHinge(u, "u"), tau: byHinge(tau, "u") }),
    );
    const text = castor(folder, ["eval", "random.yaml", "--state", "random.json"]);
    expect(text.stdout).toContain("agree to");
    expect([text.status, text.stderr]).toEqual([0, ""]);
    expect(text.stdout).not.toMatch(/NaN|undefined|Infinity/);
  });

  it("a folder with a model.yaml is a model, with the state in it", () => {
    const builtIn = fileURLToPath(new URL("../../scenarios/satellite-manipulator/", import.meta.url));
    cpSync(builtIn, join(folder, "mine"), { recursive: true });
    const { state } = json(castor(folder, ["eval", "mine", "--json"]));
    expect(state.source).toBe(join("mine", "state.yaml"));
  });
});

describe("eval of machines with loops", () => {
  it("shows the loop table, redundant equations and loop forces", () => {
    const { stdout, status } = castor(folder, ["eval", "bricard"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Loops {2}5 equations, 1 of them redundant, 1 freedom$/m);
    expect(stdout).toMatch(/^ +1 +P5 +world +rod1 to rod5 +world +4 of 5 +Newton$/m);
    expect(stdout).toMatch(/P5: 1 of 5 equations are redundant and are dropped/);
    expect(stdout).toMatch(/^ +P5 \(not unique\) +force /m);
  });

  it("has everything as JSON: carried loads, multipliers; and reports a state with open loops", () => {
    const { stdout, status } = castor(folder, ["eval", "docking-ring-6-legs", "--json"]);
    expect(status).toBe(0);
    const { loops, formulations } = JSON.parse(stdout) as {
      loops: { rank: number; freedoms: number; blocks: { method: string }[]; open: { position: number } };
      formulations: Record<string, { carried: Record<string, { force: number[] }>; multipliers: number[] }>;
    };
    expect([loops.rank, loops.freedoms]).toEqual([18, 12]);
    expect(loops.blocks.map((b) => b.method)).toEqual(new Array(6).fill("R2P1R3"));
    expect(loops.open.position).toBeLessThan(1e-12);
    expect(formulations.partition!.multipliers).toHaveLength(18);
    const open = castor(folder, ["eval", "four-bar"]);
    expect(open.stdout).toMatch(
      /the loops are not closed: residual 2.3e-1, rate 0 per second\. The machine\s+cannot be in this state/,
    );
  });
});
