/** The conventions of docs/notation.md, each by a number that a different choice would change. */
import { readFileSync } from "node:fs";
import {
  type BodyDescription,
  compile,
  coordinateNames,
  createModel,
  FORMULATIONS,
  type HingeDescription,
  homeOf,
  type Model,
  type Program,
  programs,
} from "castor";
import { parseModel, parseState } from "castor/formats";
import { offsetsOf } from "castor/kernel";
import { describe, expect, it } from "vitest";

/** Numbers here are sines of quarter turns: rounding is all that may differ. */
const EXACT = 1e-14;
const QUARTER = Math.PI / 2;
const S = Math.SQRT1_2;

type Numbers = readonly number[];
type Inputs = Readonly<Record<string, Numbers>>;

/** One evaluation of a program, by name. */
function call(program: Program, inputs: Inputs): Readonly<Record<string, Numbers>> {
  const kernel = compile(program, { target: "interpret" });
  const starts = offsetsOf(program.inputs);
  for (const name of Object.keys(program.inputs)) kernel.x.set(inputs[name]!, starts[name]);
  kernel.evaluate();
  const ends = offsetsOf(program.outputs);
  return Object.fromEntries(
    Object.entries(program.outputs).map(([name, size]) => [name, [...kernel.y.slice(ends[name], ends[name]! + size)]]),
  );
}

const near = (actual: Numbers | undefined, expected: Numbers, tolerance = EXACT): void => {
  expect(actual).toHaveLength(expected.length);
  for (const [i, v] of expected.entries())
    expect(Math.abs(actual![i]! - v), `[${actual}] is not [${expected}]`).toBeLessThanOrEqual(tolerance);
};

/** A body of 2 kg on the world; inertia (1, 2, 3) about a mass centre at the origin, unless told. */
const body = (hinge: HingeDescription, more: Partial<BodyDescription> = {}): BodyDescription => ({
  name: "b",
  mass: 2,
  inertia: [1, 2, 3],
  hinge,
  ...more,
});
const modelOf = (...bodies: BodyDescription[]): Model => createModel({ name: "m", bodies });
const single = (hinge: HingeDescription, more: Partial<BodyDescription> = {}): Model => modelOf(body(hinge, more));

/** Rotation by rows and position of a frame or body. */
function pose(model: Model, q: Numbers, name = "b"): { readonly R: Numbers; readonly p: Numbers } {
  const { pose } = call(programs.frameKinematics(model, [name]), { q, u: new Array<number>(model.nu).fill(0) });
  return { R: pose!.slice(0, 9), p: pose!.slice(9) };
}
const totals = (model: Model, q: Numbers, u: Numbers): Readonly<Record<string, Numbers>> =>
  call(programs.momentumAndEnergy(model), { q, u });

function accelerations(
  model: Model,
  q: Numbers,
  u: Numbers,
  tau: Numbers,
  w: Numbers = [],
  wrenches: readonly string[] = [],
): Numbers {
  return call(programs.forwardDynamics(model, { wrenches }), { q, u, tau, w }).udot!;
}

/** What every formulation says, which must be one thing. */
function reactions(model: Model, q: Numbers, u: Numbers, tau: Numbers): Numbers {
  const [first, ...others] = Object.values(FORMULATIONS).map((formulation) => {
    const out = new Float64Array(6 * model.bodies.length);
    formulation
      .derive(model, { target: "interpret" })
      .reactions(Float64Array.from(q), Float64Array.from(u), Float64Array.from(tau), new Float64Array(0), out);
    return [...out];
  });
  for (const other of others) near(other, first!, 1e-12);
  return first!;
}

const QUARTER_ABOUT_Z = [S, 0, 0, S];

const CONVENTIONS: Readonly<Record<string, () => void>> = {
  "N1 SI and radians": () => {
    const model = parseModel(
      '{ name: m, bodies: [{ name: b, mass: 500 g, com: [12 mm, 0, 0], inertia: ["1 kg cm^2", 1.0e-4, 1.0e-4], hinge: { kind: revolute } }] }',
    );
    near([model.bodies[0]!.mass, model.bodies[0]!.com[0], model.bodies[0]!.inertia[0][0]], [0.5, 0.012, 1e-4]);
    const { q, u } = parseState("{ q: { b: 90 deg }, u: { b: 3 rpm } }", model);
    near([q[0]!, u[0]!], [QUARTER, 0.1 * Math.PI]);
    near(pose(single({ kind: "revolute" }), [QUARTER]).R, [0, -1, 0, 1, 0, 0, 0, 0, 1]);
  },
  "N2 right-handed": () => {
    const model = single({ kind: "revolute", axis: "z" }, { frames: { tip: { at: [1, 0, 0] } } });
    near(pose(model, [QUARTER], "tip").p, [0, 1, 0]);
    const aboutX = single({ kind: "revolute", axis: "x" }, { frames: { tip: { at: [0, 1, 0] } } });
    near(pose(aboutX, [QUARTER], "tip").p, [0, 0, 1]);
  },
  "N3 R_WB maps B to W": () => {
    const columnsAreAxes = [0, 0, 1, 1, 0, 0, 0, 1, 0]; // x of b is y of the world, y is z, z is x
    const model = single(
      {
        kind: "fixed",
        rotation: {
          matrix: [
            [0, 0, 1],
            [1, 0, 0],
            [0, 1, 0],
          ],
        },
      },
      { frames: { tip: { at: [1, 0, 0] } } },
    );
    near(pose(model, []).R, columnsAreAxes);
    near(pose(model, [], "tip").p, [0, 1, 0]);
  },
  "N4 quaternion": () => {
    const angle = 0.3;
    const quaternion = [Math.cos(angle / 2), Math.sin(angle / 2), 0, 0];
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    near(pose(single({ kind: "fixed", rotation: { quaternion } }), []).R, [1, 0, 0, 0, c, -s, 0, s, c]);
    near(pose(single({ kind: "spherical" }), quaternion).R, [1, 0, 0, 0, c, -s, 0, s, c]);
  },
  "N5 roll, pitch, yaw": () => {
    const model = single({ kind: "fixed", rotation: { rpy: [QUARTER, 0, QUARTER] } });
    near(pose(model, []).R, [0, 0, 1, 1, 0, 0, 0, 1, 0]); // Rz Rx: x → y, y → z → z, z → -y → x
  },
  "N6 angular first": () => {
    const model = single({ kind: "free" });
    const { momentum } = totals(model, [1, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 5]);
    near(momentum, [1, 0, 0, 0, 0, 10]);
    const { jacobian } = call(programs.frameKinematics(model, ["b"]), { q: [1, 0, 0, 0, 0, 0, 0], u: [0, 0, 0, 0, 0, 0] });
    near(
      jacobian,
      Array.from({ length: 36 }, (_, i) => (i % 7 === 0 ? 1 : 0)),
    );
    near(
      accelerations(model, [1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 3, 4, 0, 0], ["b"]),
      [0, 0, 1, 2, 0, 0],
    );
  },
  "N7 matrices by rows": () => {
    const model = modelOf(body({ kind: "prismatic", axis: "x" }), {
      name: "c",
      parent: "b",
      mass: 3,
      inertia: "none",
      hinge: { kind: "prismatic", axis: "x" },
    });
    near(call(programs.massMatrix(model), { q: [0, 0] }).mass, [5, 3, 3, 3]);
    near(pose(single({ kind: "revolute" }), [QUARTER]).R.slice(0, 3), [0, -1, 0]);
    const slide = single({ kind: "planar" });
    near(call(programs.frameKinematics(slide, ["b"]), { q: [0, 0, 0], u: [0, 0, 0] }).jacobian!.slice(6, 12), [0, 0, 1, 1, 0, 0]);
  },
  "N8 base to tip": () => {
    const child: BodyDescription = { name: "child", parent: "b", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } };
    const model = modelOf(child, body({ kind: "planar" }));
    expect(model.bodies.map(({ name, parent, hinge }) => [name, parent, hinge.q, hinge.u])).toEqual([
      ["b", -1, 0, 0],
      ["child", 0, 3, 3],
    ]);
  },
  "N9 mass centre and inertia": () => {
    const model = single({ kind: "free" }, { com: [1, 0, 0] });
    const turned = [...QUARTER_ABOUT_Z, 0, 0, 0];
    near(totals(model, turned, [0, 0, 0, 0, 0, 0]).centre, [0, 1, 0]);
    // About the body's x axis, which is the world's y: 1 about the mass centre, and nothing more for the offset along x.
    near(totals(model, turned, [0, 1, 0, 0, 0, 0]).energy, [0.5 * 1, 0]);
    near(totals(model, turned, [0, 0, 1, 0, 0, 0]).energy, [0.5 * (3 + 2 * 1), 0]);
  },
  "N10 inertia entries": () => {
    const model = single({ kind: "free" }, { inertia: [4, 5, 6, -0.5, 0.25, 0.125] });
    near(totals(model, homeNumbers(model), [1, 0, 0, 0, 0, 0]).momentum!.slice(0, 3), [4, -0.5, 0.25]);
    near(totals(model, homeNumbers(model), [0, 1, 0, 0, 0, 0]).momentum!.slice(0, 3), [-0.5, 5, 0.125]);
    expect(model.bodies[0]!.inertia[0][1]).toBe(-0.5);
  },
  "N11 hinge frames": () => {
    const hinge: HingeDescription = { kind: "revolute", axis: "z", at: [1, 2, 3], onBody: { at: [0.5, 0, 0] } };
    near(pose(single(hinge), [0]).p, [0.5, 2, 3]); // M is at F, so the body's origin is half a metre before it
    near(pose(single(hinge), [QUARTER]).p, [1, 1.5, 3]);
    const turned = single({
      kind: "prismatic",
      axis: "x",
      at: [1, 0, 0],
      rotation: { rpy: [0, 0, QUARTER] },
      onBody: { rotation: { rpy: [0, 0, QUARTER] } },
    });
    near(pose(turned, [2]).R, [1, 0, 0, 0, 1, 0, 0, 0, 1]);
    near(pose(turned, [2]).p, [1, 2, 0]);
  },
  "N12 axes in F, angles not wrapped": () => {
    const model = single({ kind: "revolute", axis: "x", rotation: { rpy: [0, 0, QUARTER] } });
    const { jacobian } = call(programs.frameKinematics(model, ["b"]), { q: [0.4], u: [0] });
    near(jacobian, [0, 1, 0, 0, 0, 0]); // x of F is y of the world
    const read = parseState("{ q: { b: 370 deg } }", model);
    near([...read.q], [(370 * Math.PI) / 180]);
    const screw = single({ kind: "helical", pitch: 1 });
    near(pose(screw, [5 * Math.PI]).p, [0, 0, 5 * Math.PI]);
  },
  "N13 pitch": () => {
    near(pose(single({ kind: "helical", axis: "z", pitch: 0.25 }), [2]).p, [0, 0, 0.5]);
    const perTurn = parseModel(
      "{ name: m, bodies: [{ name: b, mass: 1, inertia: none, hinge: { kind: helical, pitch: 2 mm/rev } }] }",
    );
    near(pose(perTurn, [2 * Math.PI]).p, [0, 0, 0.002]);
  },
  "N14 free hinge": () => {
    const model = single({ kind: "free" }, { com: [1, 0, 0] });
    const q = [...QUARTER_ABOUT_Z, 7, 8, 9];
    near(pose(model, q).p, [7, 8, 9]);
    near(pose(model, q).R, [0, -1, 0, 1, 0, 0, 0, 0, 1]);
    const rates = (u: Numbers): Numbers => call(programs.coordinateRates(model), { q, u }).qdot!;
    near(rates([0, 0, 0, 1, 0, 0]).slice(4), [1, 0, 0]); // along x of the world, not of the body
    near(rates([1, 0, 0, 0, 0, 0]), [0, S / 2, -S / 2, 0, 0, 0, 0]); // ½ [0, ω] q, with ω in inertial axes
    near(totals(model, q, [0, 0, 1, 0, 0, 0]).momentum!.slice(3), [-2, 0, 0]); // the origin rests, the mass centre at +y moves
    const onTurned = modelOf(body({ kind: "fixed", rotation: { rpy: [0, 0, QUARTER] } }), {
      name: "c",
      parent: "b",
      mass: 1,
      inertia: [1, 1, 1],
      hinge: { kind: "free" },
    });
    const { jacobian } = call(programs.frameKinematics(onTurned, ["c"]), { q: homeNumbers(onTurned), u: [0, 0, 0, 0, 0, 0] });
    near(
      [3, 4, 5].map((row) => jacobian![6 * row + 3]!),
      [0, 1, 0],
    ); // vx is along x of F, here y of the world
  },
  "N15 spherical hinge": () => {
    const model = single({ kind: "spherical" }, { frames: { tip: { at: [1, 0, 0] } } });
    near(pose(model, QUARTER_ABOUT_Z, "tip").p, [0, 1, 0]);
    const { jacobian } = call(programs.frameKinematics(model, ["tip"]), { q: QUARTER_ABOUT_Z, u: [0, 0, 0] });
    near(jacobian, [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0]); // ω in F axes: ω × (0, 1, 0)
  },
  "N16 order inside hinges": () => {
    // x then y of the turned frame: Rx(90°) Ry(90°)
    near(pose(single({ kind: "universal" }), [QUARTER, QUARTER]).R, [0, 0, 1, 1, 0, 0, 0, 1, 0]);
    near(pose(single({ kind: "cylindrical", axis: "z" }), [2, QUARTER]).p, [0, 0, 2]);
    near(pose(single({ kind: "cylindrical", axis: "z" }), [2, QUARTER]).R.slice(0, 2), [0, -1]);
    near(pose(single({ kind: "planar" }), [1, 2, QUARTER]).p, [1, 2, 0]); // slides before the turn
    const general = single({ kind: "general", freedoms: ["rz", "rx", "y", "x"] });
    near(pose(general, [1, 2, QUARTER, QUARTER]).p, [1, 2, 0]);
    near(pose(general, [1, 2, QUARTER, QUARTER]).R, [0, -1, 0, 0, 0, -1, 1, 0, 0]); // Rx Rz
    expect(single({ kind: "general", freedoms: ["rx", "ry", "rz"] }).nq).toBe(4);
  },
  "N17 names": () => {
    const names = (hinge: HingeDescription): readonly (readonly string[])[] => Object.values(coordinateNames(single(hinge)));
    expect(names({ kind: "revolute" })).toEqual([["b"], ["b"]]);
    expect(names({ kind: "revolute", name: "hip" })).toEqual([["hip"], ["hip"]]);
    expect(names({ kind: "free" })).toEqual([
      ["b.qw", "b.qx", "b.qy", "b.qz", "b.x", "b.y", "b.z"],
      ["b.wx", "b.wy", "b.wz", "b.vx", "b.vy", "b.vz"],
    ]);
    expect(names({ kind: "universal" })[1]).toEqual(["b.rx", "b.ry"]);
    expect(names({ kind: "planar" })[0]).toEqual(["b.x", "b.y", "b.rz"]);
  },
  "N18 tau is dual to u": () => {
    const model = single({ kind: "free" }, { com: [0.3, -0.2, 0.1], inertia: [4, 5, 6, 0.3, -0.2, 0.1] });
    const q = [...[0.5, -0.5, 0.5, 0.5], 1, 2, 3];
    const u = [0.3, -0.4, 0.5, 0.6, 0.7, -0.8];
    const tau = [1, 2, 3, 4, 5, 6];
    const udot = accelerations(model, q, u, tau);
    const h = 1e-5;
    const energyAt = (t: number): number => {
      const qdot = call(programs.coordinateRates(model), { q, u }).qdot!;
      return totals(
        model,
        q.map((v, i) => v + t * qdot[i]!),
        u.map((v, i) => v + t * udot[i]!),
      ).energy![0]!;
    };
    const power = tau.reduce((sum, t, i) => sum + t * u[i]!, 0);
    near([(energyAt(h) - energyAt(-h)) / (2 * h)], [power], 1e-8); // central difference: error h²
    // In F axes: a torque about x of the world meets the inertia about y of a body turned by a quarter.
    near(accelerations(single({ kind: "free" }), [...QUARTER_ABOUT_Z, 0, 0, 0], [0, 0, 0, 0, 0, 0], [1, 0, 0, 1, 0, 0]), [
      1 / 2,
      0,
      0,
      1 / 2,
      0,
      0,
    ]);
    near(accelerations(single({ kind: "spherical" }), QUARTER_ABOUT_Z, [0, 0, 0], [1, 0, 0]), [1 / 2, 0, 0]);
  },
  "N19 tau acts on the body": () => {
    const model = modelOf(body({ kind: "revolute" }), {
      name: "wheel",
      parent: "b",
      mass: 1,
      inertia: [1, 1, 1],
      hinge: { kind: "revolute" },
    });
    near(accelerations(model, [0, 0], [0, 0], [0, 1]), [-1 / 3, 1 + 1 / 3]); // parent 3 kg m², wheel 1 kg m², relative speed
  },
  "N20 external wrench": () => {
    const model = single({ kind: "free" }, { frames: { tip: { at: [1, 0, 0] } } });
    const q = [...QUARTER_ABOUT_Z, 0, 0, 0];
    const still = [0, 0, 0, 0, 0, 0];
    // Force along x of the world at a tip that has come to +y: torque -1 about z.
    near(accelerations(model, q, still, still, [0, 0, 0, 1, 0, 0], ["tip"]), [0, 0, -1 / 3, 1 / 2, 0, 0]);
    near(accelerations(model, q, still, still, [1, 0, 0, 0, 0, 0], ["tip"]), [1 / 2, 0, 0, 0, 0, 0]); // the body's y is along it
  },
  "N21 hinge reactions": () => {
    const arm = createModel({
      name: "arm",
      gravity: [0, 0, -10],
      bodies: [
        { name: "post", mass: 1, inertia: [1, 1, 1], hinge: { kind: "fixed", rotation: { rpy: [0, 0, QUARTER] } } },
        // Axis y of the post is -x of the world; the mass centre stands 2 m from the hinge, along x of the body, y of the world.
        {
          name: "arm",
          parent: "post",
          mass: 3,
          com: [1, 0, 0],
          inertia: [1, 1, 1],
          hinge: { kind: "revolute", axis: "y", onBody: { at: [-1, 0, 0] } },
        },
        { name: "plate", parent: "arm", mass: 2, com: [0.25, 0, 0], inertia: [1, 1, 1], hinge: { kind: "fixed", at: [1, 0, 0] } },
      ],
    });
    const holding = -105; // about the post's y: 30 N on 2 m and 20 N on 2.25 m ask for it
    near(accelerations(arm, [0], [0], [holding]), [0]);
    const [post, own, plate] = [0, 6, 12].map((at) => reactions(arm, [0], [0], [holding]).slice(at, at + 6));
    near(plate, [5, 0, 0, 0, 0, 20], 1e-12); // torque at the plate's own hinge, then force: on the plate, up
    near(own, [105, 0, 0, 0, 0, 50], 1e-12); // tau about -x included
    near(post, [105, 0, 0, 0, 0, 60], 1e-12);
  },
  "N22 gravity": () => {
    const model = createModel({ name: "m", gravity: [0, -2, 0], bodies: [body({ kind: "free", at: [0, 3, 0] })] });
    const q = [...QUARTER_ABOUT_Z, 0, 1, 0];
    near(accelerations(model, q, [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]), [0, 0, 0, 0, -2, 0]);
    near(totals(model, q, [0, 0, 0, 0, 0, 0]).energy, [0, 2 * 2 * (3 + 1)]);
  },
  "N23 Jacobians": () => {
    const model = single({ kind: "revolute", axis: "z" }, { frames: { tip: { at: [2, 0, 0] } } });
    const { jacobian, bias } = call(programs.frameKinematics(model, ["tip"]), { q: [QUARTER], u: [3] });
    near(jacobian, [0, 0, 1, -2, 0, 0]);
    near(bias, [0, 0, 0, 0, -18, 0]); // u² r toward the axis
  },
  "N24 angular momentum": () => {
    const model = single({ kind: "free" });
    near(totals(model, [1, 0, 0, 0, 5, 0, 0], [0, 0, 0, 0, 1, 0]).momentum, [0, 0, 10, 0, 2, 0]); // r × m v
  },
  "N25 lanes": () => {
    const kernel = compile(programs.bodyPoses(single({ kind: "prismatic", axis: "z" })), { lanes: 2 });
    kernel.x.set([7, 8]);
    kernel.evaluate();
    near([...kernel.y.slice(-2)], [7, 8]); // the last element, z, of both states
    expect(kernel.y).toHaveLength(24);
  },
};

function homeNumbers(model: Model): Numbers {
  return [...homeOf(model)];
}

describe("notation", () => {
  it.each(Object.entries(CONVENTIONS))("%s", (_, holds) => holds());

  it("docs/notation.md and these tests have the same numbers", () => {
    const page = readFileSync(new URL("../../docs/notation.md", import.meta.url), "utf8");
    const written = Array.from(page.matchAll(/^- \*\*(N\d+)\*\* /gm), ([, number]) => number);
    expect(Object.keys(CONVENTIONS).map((name) => name.split(" ")[0])).toEqual(written);
  });
});
