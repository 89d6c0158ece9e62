/**
 * Chains in closed form: against Newton on random models of each kind, both assemblies; unreachable points and wrong geometry are refused.
 */
import { describe, expect, test } from "vitest";
import { dependentCoordinates } from "../../../src/dynamics/partition/dependent-coordinates.ts";
import { bodyPoses } from "../../../src/dynamics/programs.ts";
import type { ModelError, Problem } from "../../../src/errors.ts";
import { compile } from "../../../src/kernel/run/kernel.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { describeModel } from "../../../src/model/build/describe-model.ts";
import { CHAINS } from "../../../src/model/chains/index.ts";
import type { BodyDescription, HingeDescription, LoopDescription } from "../../../src/model/description.ts";
import type { ChainName } from "../../../src/model/loop.ts";
import { homeOf } from "../../../src/model/model.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

/** Two methods for the same coordinates: rounding times the condition of the chains. */
const SAME = 1e-11;
const GEOMETRIES = 4;
const POSES = 2500;

type Three = readonly [number, number, number];

/** A model of one chain and a body that follows its end; the end on the chain's last body; ranges of the chain's coordinates. */
interface Sample {
  readonly chain: readonly BodyDescription[];
  readonly follows: HingeDescription;
  readonly loop: Pick<LoopDescription, "kind">;
  readonly end: Three;
  /** Coordinates of the chain, away from configurations where they are not determined. */
  pose(between: (low: number, high: number) => number, elbow: 1 | -1): number[];
}

const body = (name: string, hinge: HingeDescription, parent?: string): BodyDescription => ({
  name,
  mass: 1,
  inertia: [0.1, 0.1, 0.1],
  ...(parent !== undefined && { parent }),
  hinge,
});

const SLIDES: HingeDescription = { kind: "general", freedoms: ["x", "y", "z"] };
const POSE: HingeDescription = { kind: "free" };
const PLANE: HingeDescription = { kind: "general", freedoms: ["x", "y"] };

/** Each kind with its own geometry: reversed axes, other zeros of angles, the whole chain rotated in space. */
const SAMPLES: Readonly<Record<ChainName, (between: (low: number, high: number) => number, k: number) => Sample>> = {
  R2P1R3: (between, k) => {
    const rpy = [between(-3, 3), between(-1.5, 1.5), between(-3, 3)];
    const slide = between(-3, 3);
    return {
      chain: [
        body("cylinder", { kind: "general", freedoms: ["ry", "rz"], at: [0.1, -0.2, 0.3], rotation: { rpy } }),
        body("rod", { kind: "prismatic", axis: k % 2 ? "x" : [-1, 0, 0], rotation: { rpy: [0, 0, slide] } }, "cylinder"),
      ],
      follows: SLIDES,
      loop: { kind: "spherical" },
      end: [k % 2 ? 0.5 : -0.5, 0, 0],
      pose: (b, elbow) => [b(-3, 3), b(-1.5, 1.5) - slide + (k % 2 ? 0 : Math.PI) + (elbow > 0 ? 0 : Math.PI), b(-0.4, 1)],
    };
  },
  R1R2R3: (between, k) => {
    const [rpy, crank, rod, offset, tilt] = [
      [between(-3, 3), between(-1.5, 1.5), 1],
      between(0.2, 1),
      between(0.2, 1),
      between(-0.2, 0.2),
      between(-2, 2),
    ];
    const back = k % 2 === 1;
    return {
      chain: [
        body("crank", { kind: "revolute", axis: "z", at: [0.1, -0.2, 0.3], rotation: { rpy } }),
        body("pin", { kind: "revolute", axis: back ? [0, 0, -1] : "z", at: [crank, 0, offset] }, "crank"),
        body("rod", { kind: "revolute", axis: "y" }, "pin"),
      ],
      follows: SLIDES,
      loop: { kind: "spherical" },
      end: [rod * Math.cos(tilt), 0, -rod * Math.sin(tilt)],
      pose: (b, elbow) => [b(-3, 3), elbow * b(0.05, 3.09), b(-1.4, 1.4) - tilt],
    };
  },
  R2C2R2: (between) => ({
    chain: [
      body("cylinder", { kind: "general", freedoms: ["ry", "rz"], rotation: { rpy: [between(-3, 3), 0.4, 1] } }),
      body("rod", { kind: "general", freedoms: ["x", "rx"] }, "cylinder"),
    ],
    follows: POSE,
    loop: { kind: "universal" },
    end: [0.5, 0, 0],
    pose: (b, elbow) => [b(-3, 3), b(-1.4, 1.4) + (elbow > 0 ? 0 : Math.PI), b(-0.4, 1), b(-3, 3)],
  }),
  RR: (between, k) => {
    const [crank, rod, zero] = [between(0.2, 1), between(0.2, 1), between(-3, 3)];
    const back = k % 2 === 1;
    return {
      chain: [
        body("crank", { kind: "revolute", axis: "z", at: [0.1, -0.2, 0] }),
        body("rod", { kind: "revolute", axis: back ? [0, 0, -1] : "z", at: [crank, 0, 0] }, "crank"),
      ],
      follows: PLANE,
      loop: { kind: k < 2 ? "point-on-line" : "revolute" },
      end: [rod * Math.cos(zero), rod * Math.sin(zero), 0],
      pose: (b, elbow) => [b(-3, 3), (back ? -1 : 1) * (elbow * b(0.05, 3.09) - (back ? 0 : zero)) + (back ? zero : 0)],
    };
  },
  RP: (between, k) => {
    const [along, beside] = [between(-3, 3), between(-0.1, 0.1)];
    return {
      chain: [
        body("cylinder", { kind: "revolute", axis: "z", at: [0.1, -0.2, 0], rotation: { rpy: [0, 0, along] } }),
        body("rod", { kind: "prismatic", axis: "x" }, "cylinder"),
      ],
      follows: PLANE,
      loop: { kind: k < 2 ? "point-on-line" : "revolute" },
      end: [0.5, beside, 0],
      pose: (b, elbow) => [b(-3, 3), elbow > 0 ? b(-0.4, 1) : b(-2, -0.6)],
    };
  },
};

function machineOfChain({ chain: bodies, follows, loop, end }: Sample, chain: ChainName) {
  const last = bodies.at(-1)!.name;
  // a revolute or universal closing keeps its axis on the following body, which does not turn in the plane
  return createModel({
    name: chain,
    bodies: [...bodies, body("followed", follows)],
    loops: [{ name: "end", ...loop, chain, from: { body: "followed" }, to: { body: last, at: end } } as LoopDescription],
  });
}

const largest = (a: readonly number[], b: readonly number[]): number => Math.max(...a.map((v, i) => Math.abs(v - b[i]!)));

test.each(Object.keys(CHAINS) as ChainName[])("%s: 10 000 random poses, both assemblies, as Newton finds them", (kind) => {
  const next = uniform(11);
  const between = (low: number, high: number): number => low + (high - low) * next();
  let [compared, worst, where] = [0, 0, ""];
  const compare = (a: ArrayLike<number>, b: ArrayLike<number>, pose: readonly number[], k: number): void => {
    const apart = largest(Array.from(a), Array.from(b));
    if (!(apart <= worst)) [worst, where] = [apart, `geometry ${k}: ${pose}`];
  };
  for (let k = 0; k < GEOMETRIES; k++) {
    const sample = SAMPLES[kind](between, k);
    const model = machineOfChain(sample, kind);
    const poses = compile(bodyPoses(model));
    const last = sample.chain.length - 1;
    const n = model.bodies[last]!.hinge.q + model.bodies[last]!.hinge.nq;
    const q = homeOf(model);
    /** Moves the following body to the end of the chain. */
    const follow = (): void => {
      poses.x.set(q);
      poses.evaluate();
      const y = poses.y.subarray(12 * last, 12 * last + 12);
      const p = [0, 1, 2].map((i) => y[9 + i]! + [0, 1, 2].reduce((s, j) => s + y[3 * i + j]! * sample.end[j]!, 0));
      if (kind === "R2C2R2") {
        const Q = [between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)];
        q.set(
          Q.map((v) => v / Math.hypot(...Q)),
          n,
        );
        q.set(p, n + 4);
      } else q.set(p.slice(0, q.length - n), n);
    };
    const disturbed = (): Float64Array => {
      const other = q.slice();
      for (let i = 0; i < n; i++) other[i]! += between(-0.01, 0.01);
      return other;
    };
    q.set(sample.pose(between, 1));
    follow();
    const closed = dependentCoordinates(model, 0, q);
    const newton = dependentCoordinates(model, 0, q, { method: "Newton" });
    expect(closed.methods).toEqual([kind]);
    for (let i = 0; i < POSES; i++) {
      const pose = sample.pose(between, i % 2 ? 1 : -1);
      q.set(pose);
      follow();
      if (kind === "R2C2R2") {
        closed.solve(0, q); // the turn of the rod follows from the attitude of the other body
        compare(q.subarray(0, 3), pose.slice(0, 3), pose, k);
      }
      const [a, b] = [disturbed(), disturbed()];
      closed.solve(0, a);
      const origin = model.bodies[0]!.hinge.onParent.p;
      const reach = Math.hypot(...[0, 1, 2].map((j) => (q[q.length - 3 + j] ?? 0) - origin[j]!));
      if (kind !== "R2C2R2" && reach < 0.1) continue; // near the first axis angles have fewer digits
      compare(a, q, pose, k);
      newton.solve(0, b);
      // near a stretched arm Newton may end in the other assembly from a disturbed start; the closed form must not
      if (largest([...b], [...q]) > 0.01) continue;
      compare(a, b, pose, k);
      compared++;
    }
  }
  expect(worst, where).toBeLessThan(SAME);
  expect(compared).toBeGreaterThan(0.95 * GEOMETRIES * POSES);
});

describe("an unreachable point is refused with its name", () => {
  const next = uniform(5);
  const between = (low: number, high: number): number => low + (high - low) * next();
  const far: Readonly<Record<ChainName, readonly [readonly number[], RegExp]>> = {
    R2P1R3: [[0.1, -0.2, 0.3], /^R2P1R3: the leg is along the axis of its first hinge/],
    R1R2R3: [[9, 9, 9], /^R1R2R3: the point is .* m/],
    R2C2R2: [[1, 0, 0, 0, 0, 0, 0], /^R2C2R2: /],
    RR: [[9, 9], /^RR: the point is .* m away in the crank's plane; reached are .* to .* m$/],
    RP: [[0.1, -0.2], /^RP: the point is .* m away in the plane, and the line of the slide passes at .* m$/],
  };
  test.each(Object.keys(CHAINS) as ChainName[])("%s: a point that it does not reach", (kind) => {
    const sample = SAMPLES[kind](between, 0);
    const model = machineOfChain(sample, kind);
    const q = homeOf(model);
    q.set(sample.pose(between, 1));
    const [place, message] = far[kind];
    const n = q.length - place.length;
    const start = q.slice();
    start.set(kind === "R2C2R2" ? [1, 0, 0, 0, 0.3, 0.4, 0.5] : [0.3, 0.4, 0.5].slice(0, place.length), n);
    const closed = dependentCoordinates(model, 0, start);
    expect(closed.methods).toEqual([kind]);
    q.set(place, n);
    expect(() => closed.solve(0, q)).toThrow(message);
  });
});

describe("declared solutions of loops", () => {
  const bodies = SAMPLES.R2P1R3((low, high) => (low + high) / 3, 1).chain;
  const ends = { from: { body: "followed" }, to: { body: "rod", at: [0.5, 0, 0] } } as const;
  const problemsOf = (loops: readonly unknown[], moved: Partial<HingeDescription> = {}): readonly Problem[] => {
    const [cylinder, rod] = bodies;
    try {
      createModel({
        name: "leg",
        bodies: [cylinder!, { ...rod!, hinge: { ...rod!.hinge, ...moved } }, body("followed", SLIDES)],
        loops: loops as LoopDescription[],
      });
      return [];
    } catch (error) {
      return (error as ModelError).problems;
    }
  };
  const ball = { name: "end", kind: "spherical", ...ends };

  test("a chain that does not fit the geometry is refused: the reason for each branch, and the chain that fits", () => {
    expect(problemsOf([{ ...ball, chain: "R2P1R3" }])).toEqual([]);
    const [aside] = problemsOf([{ ...ball, chain: "R2P1R3" }], { at: [0, 0.02, 0] });
    expect(aside).toMatchObject({
      path: "loops[0].chain",
      message: expect.stringMatching(
        /^neither branch of the loop is a chain R2P1R3; the branch to rod: the end is 0\.0.* m beside the line/,
      ),
      value: '"R2P1R3"',
      advice: expect.stringMatching(/^Leave it out: .*Newton/),
    });
    const [other] = problemsOf([{ ...ball, chain: "R1R2R3" }]);
    expect(other).toMatchObject({
      message: expect.stringMatching(/the branch to rod: its motions are RRR, not RRP; the branch to followed: .* not PPP/),
      advice: "It is a chain R2P1R3",
    });
    expect(problemsOf([{ ...ball, chain: "R2D2" }])).toMatchObject([{ path: "loops[0].chain", message: "no such chain" }]);
    expect(problemsOf([{ name: "gear", kind: "coupling", terms: [{ hinge: "rod", factor: 1 }], chain: "RR" }])).toMatchObject([
      { path: "loops[0].chain", message: "a coupling loop has no chain" },
    ]);
  });

  test("impossible dependents: not in the loop, too many, in two loops", () => {
    const free = body("other", { kind: "revolute", axis: "z" });
    expect(problemsOf([{ ...ball, dependent: ["cylinder", "rod"] }])).toEqual([]);
    expect(problemsOf([{ ...ball, dependent: ["cylinder", "rod", "followed.x"] }])).toMatchObject([
      { path: "loops[0].dependent", message: "4 dependents for 3 equations" },
    ]);
    const second = { ...ball, name: "again", dependent: ["rod"] };
    expect(problemsOf([{ ...ball, dependent: ["cylinder", "rod"] }, second])).toMatchObject([
      {
        path: "loops[1].dependent",
        message: "the loops cannot be ordered: the coordinate is dependent in loop end already",
        value: '"rod"',
        advice: expect.stringMatching(/take it out of one/),
      },
    ]);
    expect(problemsOf([{ ...ball, chain: "R2P1R3", dependent: ["rod"] }])).toMatchObject([{ path: "loops[0].dependent" }]);
    expect(problemsOf([{ ...ball, dependent: ["rood"] }])).toMatchObject([
      { path: "loops[0].dependent[0]", message: "no hinge has this name", advice: expect.stringMatching(/rod/) },
    ]);
    const model = () =>
      createModel({
        name: "leg",
        bodies: [...bodies, body("followed", SLIDES), free],
        loops: [{ ...ball, dependent: ["other"] } as LoopDescription],
      });
    expect(model).toThrow(/the loop does not contain this coordinate/);
  });

  test("declared dependents are used, and the description contains them again", () => {
    const loops: LoopDescription[] = [{ ...ball, kind: "spherical", dependent: ["followed.x", "followed.y", "followed.z"] }];
    const model = createModel({ name: "leg", bodies: [...bodies, body("followed", SLIDES)], loops });
    expect(describeModel(model).loops![0]).toMatchObject({ dependent: ["followed.x", "followed.y", "followed.z"] });
    const q = homeOf(model);
    expect(dependentCoordinates(model, 0, q).loops.current!.choice.independents).toEqual([0, 1, 2]);
    const chained = createModel({
      name: "leg",
      bodies: [...bodies, body("followed", SLIDES)],
      loops: [{ ...ball, kind: "spherical", chain: "R2P1R3" }],
    });
    expect(describeModel(chained).loops![0]).toMatchObject({ chain: "R2P1R3" });
  });
});
