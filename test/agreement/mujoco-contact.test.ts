/** Bodies at rest on each other, in Castor and in MuJoCo with stiff contacts: positions and contact forces agree within 1 %. */
import loadMujoco, { type MainModule } from "@mujoco/mujoco";
import { describe, expect, test } from "vitest";
import { createModel } from "../../src/model/build/create-model.ts";
import type { BodyDescription } from "../../src/model/description.ts";
import { readForce } from "../../src/parts/force/forces.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import { simulate } from "../../src/sim/run/simulate.ts";

type V3 = readonly [number, number, number];

/** A geometry of both: a box by its edges; a sphere, capsule or cylinder about an axis through its centre. */
interface Geometry {
  readonly kind: "box" | "sphere" | "capsule" | "cylinder";
  readonly size?: V3;
  readonly radius?: number;
  /** Length of the cylinder, or of the line of the capsule. */
  readonly length?: number;
  readonly axis?: "x" | "y" | "z";
}

interface RestingBody extends Geometry {
  readonly name: string;
  readonly mass: number;
  readonly at: V3;
  /** Held by a hinge about y through a point of the world, instead of free. */
  readonly pivot?: V3;
}

/** Fixed boxes; rotation about y, rad. */
interface Obstacle {
  readonly name: string;
  readonly size: V3;
  readonly at: V3;
  readonly pitch?: number;
}

interface Scene {
  readonly title: string;
  readonly bodies: readonly RestingBody[];
  readonly obstacles: readonly Obstacle[];
  /** Modulus of the pressure in Castor, Pa; more for round bodies, whose patches are small. */
  readonly modulus?: number;
  readonly friction?: number;
  readonly isSlow?: true;
  /** Pairs that carry forces. */
  readonly pairs: readonly (readonly [string, string])[];
}

const G = 9.81;
const FRICTION = 0.6;
/** Relative difference of forces, and of positions relative to a size of 0.1 m, the radius of the round bodies. */
const TOLERANCE = 0.01;
const SIZE = 0.1;
/** STATIC_SCENES=all adds the scene that takes 10 s. */
const IS_LONG = process.env.STATIC_SCENES === "all";

/** Speed of bodies that count as at rest, m/s or rad/s: accelerations are then far below 1 % of gravity. */
const SLOW = 2e-3;

const FLOOR: Obstacle = { name: "floor", size: [4, 4, 1], at: [0, 0, -0.5] };
const cube = (name: string, mass: number, at: V3, edge = 0.2): RestingBody => ({
  ...{ name, mass, at, kind: "box", size: [edge, edge, edge] },
});

const SCENES: readonly Scene[] = [
  { title: "a cube", bodies: [cube("a", 2, [0, 0, 0.1])], obstacles: [FLOOR], pairs: [["a", "floor"]] },
  {
    title: "a ball",
    modulus: 1e7,
    bodies: [{ name: "a", kind: "sphere", radius: 0.1, mass: 2, at: [0, 0, 0.1] }],
    obstacles: [FLOOR],
    pairs: [["a", "floor"]],
  },
  {
    title: "a standing cylinder",
    bodies: [{ name: "a", kind: "cylinder", radius: 0.1, length: 0.3, axis: "z", mass: 2, at: [0, 0, 0.15] }],
    obstacles: [FLOOR],
    pairs: [["a", "floor"]],
  },
  {
    title: "a lying cylinder",
    modulus: 1e7,
    bodies: [{ name: "a", kind: "cylinder", radius: 0.1, length: 0.3, axis: "y", mass: 2, at: [0, 0, 0.1] }],
    obstacles: [FLOOR],
    pairs: [["a", "floor"]],
  },
  {
    title: "a stack of three boxes of different masses",
    bodies: [cube("a", 3, [0, 0, 0.15], 0.3), cube("b", 2, [0.02, 0.01, 0.4]), cube("c", 1, [0, 0.02, 0.55], 0.1)],
    obstacles: [FLOOR],
    pairs: [
      ["a", "floor"],
      ["b", "a"],
      ["c", "b"],
    ],
  },
  {
    title: "crossed planks",
    isSlow: true,
    bodies: [
      { name: "a", kind: "box", size: [0.6, 0.1, 0.05], mass: 1, at: [0, 0, 0.025] },
      { name: "b", kind: "box", size: [0.1, 0.6, 0.05], mass: 2, at: [0, 0, 0.075] },
    ],
    obstacles: [FLOOR],
    pairs: [
      ["a", "floor"],
      ["b", "a"],
    ],
  },
  {
    title: "a plank on two ridges, not in the middle: the forces follow from the lever rule",
    bodies: [{ name: "plank", kind: "box", size: [1.4, 0.1, 0.05], mass: 4, at: [0, 0, 0.125] }],
    obstacles: [
      { name: "left", size: [0.01, 0.2, 0.1], at: [-0.5, 0, 0.05] },
      { name: "right", size: [0.01, 0.2, 0.1], at: [0.3, 0, 0.05] },
    ],
    pairs: [
      ["plank", "left"],
      ["plank", "right"],
    ],
  },
  {
    title: "a ball between two slopes without friction",
    friction: 0,
    modulus: 1e7,
    bodies: [{ name: "a", kind: "sphere", radius: 0.1, mass: 2, at: [0, 0, 0.1 / Math.cos(0.6)] }],
    obstacles: [
      // Their upper faces meet at the origin.
      {
        name: "left",
        size: [1, 1, 0.2],
        at: [-0.5 * Math.cos(0.6) - 0.1 * Math.sin(0.6), 0, 0.5 * Math.sin(0.6) - 0.1 * Math.cos(0.6)],
        pitch: 0.6,
      },
      {
        name: "right",
        size: [1, 1, 0.2],
        at: [0.5 * Math.cos(0.6) + 0.1 * Math.sin(0.6), 0, 0.5 * Math.sin(0.6) - 0.1 * Math.cos(0.6)],
        pitch: -0.6,
      },
    ],
    pairs: [
      ["a", "left"],
      ["a", "right"],
    ],
  },
  {
    title: "a lever whose end lies on a block",
    bodies: [
      { name: "lever", kind: "box", size: [1, 0.1, 0.1], mass: 3, at: [0, 0, 0.25], pivot: [-0.5, 0, 0.25] },
      cube("block", 1, [0.35, 0, 0.1]),
    ],
    obstacles: [FLOOR],
    pairs: [
      ["lever", "block"],
      ["block", "floor"],
    ],
  },
  {
    title: "a lying capsule",
    modulus: 1e7,
    bodies: [{ name: "a", kind: "capsule", radius: 0.1, length: 0.4, axis: "y", mass: 2, at: [0, 0, 0.1] }],
    obstacles: [FLOOR],
    pairs: [["a", "floor"]],
  },
];

/** Principal moments of inertia of a homogeneous geometry. */
function inertiaOf({ kind, mass: m, size = [0, 0, 0], radius: r = 0, length: l = 0, axis = "z" }: RestingBody): V3 {
  const [x, y, z] = size;
  if (kind === "box") return [(m * (y * y + z * z)) / 12, (m * (x * x + z * z)) / 12, (m * (x * x + y * y)) / 12];
  if (kind === "sphere") return [0.4 * m * r * r, 0.4 * m * r * r, 0.4 * m * r * r];
  const [across, about] = [(m * (3 * r * r + (l + r) ** 2)) / 12, 0.5 * m * r * r];
  return axis === "x" ? [about, across, across] : axis === "y" ? [across, about, across] : [across, across, about];
}

interface Rest {
  /** Position of each body. */
  readonly positions: readonly V3[];
  /** Size of the force of each pair. */
  readonly forces: readonly number[];
  /** Largest speed. */
  readonly speed: number;
}

const axisVector = (axis: "x" | "y" | "z" = "z", l = 1): V3 => [axis === "x" ? l : 0, axis === "y" ? l : 0, axis === "z" ? l : 0];

function castorShape(name: string, { kind, size, radius, length = 0, axis }: Geometry): object {
  if (kind === "box") return { kind, name, on: name, size };
  if (kind === "sphere") return { kind, name, on: name, radius };
  if (kind === "cylinder") return { kind, name, on: name, radius, length, axis };
  return { kind, name, on: name, radius, at: axisVector(axis, -length / 2), to: axisVector(axis, length / 2) };
}

function restInCastor({ bodies, obstacles, pairs, modulus = 1e6, friction = FRICTION }: Scene): Rest {
  const model = createModel({
    name: "scene",
    gravity: [0, 0, -G],
    bodies: bodies.map((body): BodyDescription => {
      const { name, mass, pivot, at } = body;
      const hinge = pivot
        ? {
            kind: "revolute" as const,
            axis: "y" as const,
            at: pivot,
            onBody: { at: pivot.map((p, i) => p - at[i]!) as unknown as V3 },
          }
        : { kind: "free" as const };
      return { name, mass, inertia: inertiaOf(body), hinge };
    }),
  });
  const contacts = pairs.map(([a, b]) => {
    const shapeOf = (name: string): object => {
      const obstacle = obstacles.find((o) => o.name === name);
      return obstacle
        ? { kind: "box", name, size: obstacle.size, at: obstacle.at, rpy: [0, obstacle.pitch ?? 0, 0] }
        : castorShape(name, bodies.find((body) => body.name === name)!);
    };
    return readForce(
      "contact",
      `${a}-${b}`,
      {
        shapes: [shapeOf(a)],
        against: [shapeOf(b)],
        law: "pressure",
        modulus,
        damping: 20,
        friction,
        bristleTime: 0.01,
      },
      model,
    );
  });
  const q = bodies.flatMap(({ at, pivot }) => (pivot ? [0] : [1, 0, 0, 0, ...at]));
  const system = createSystem(model, contacts);
  const channels = [...bodies.flatMap(({ name }) => ["x", "y", "z"].map((i) => `frame.${name}.${i}`)), "*.fx", "*.fy", "*.fz"];
  const { log, y } = simulate(system, system.start({ q }), {
    ...{ duration: 1, sample: 1, channels, tolerances: { energy: 1 } },
    ...{ settings: { relativeTolerance: 1e-5, absoluteTolerance: 1e-7 } },
  });
  const end = (channel: string): number => log.column(channel).at(-1)!;
  return {
    positions: bodies.map(({ name }) => ["x", "y", "z"].map((i) => end(`frame.${name}.${i}`)) as unknown as V3),
    forces: pairs.map(([a, b]) => Math.hypot(...["fx", "fy", "fz"].map((i) => end(`${a}-${b}.${i}`)))),
    speed: Math.max(...y.subarray(model.nq, model.nq + model.nu).map(Math.abs)),
  };
}

function geometryXml(name: string, { kind, size, radius, length = 0, axis = "z" }: Geometry, mass?: number): string {
  const weight = mass === undefined ? "" : ` mass="${mass}"`;
  const turn = axis === "x" ? ' euler="0 90 0"' : axis === "y" ? ' euler="90 0 0"' : "";
  if (kind === "box") return `<geom name="${name}" type="box" size="${size!.map((s) => s / 2).join(" ")}"${weight}/>`;
  if (kind === "sphere") return `<geom name="${name}" type="sphere" size="${radius}"${weight}/>`;
  return `<geom name="${name}" type="${kind}" size="${radius} ${length / 2}"${turn}${weight}/>`;
}

function restInMujoco(mujoco: MainModule, { bodies, obstacles, pairs, friction = FRICTION }: Scene): Rest {
  const text = (v: readonly number[]): string => v.join(" ");
  const xml = `<mujoco>
    <compiler angle="degree"/>
    <option timestep="0.0005" gravity="0 0 -${G}" cone="elliptic" impratio="10" integrator="implicitfast" tolerance="1e-12" iterations="200"/>
    <default><geom solref="0.002 1" solimp="0.99 0.999 0.0001" condim="6" friction="${friction} 0.005 0.01"/></default>
    <worldbody>
      ${obstacles.map(({ name, size, at, pitch = 0 }) => `<geom name="${name}" type="box" pos="${text(at)}" euler="0 ${(pitch * 180) / Math.PI} 0" size="${text(size.map((s) => s / 2))}"/>`).join("\n")}
      ${bodies
        .map(({ name, mass, at, pivot, ...geometry }) => {
          const joint = pivot
            ? `<joint type="hinge" axis="0 1 0" pos="${text(pivot.map((p, i) => p - at[i]!))}"/>`
            : "<freejoint/>";
          return `<body name="${name}" pos="${text(at)}">${joint}${geometryXml(name, geometry, mass)}</body>`;
        })
        .join("\n")}
    </worldbody>
  </mujoco>`;
  const model = mujoco.MjModel.from_xml_string(xml);
  const data = new mujoco.MjData(model);
  for (let i = 0; i < 4000; i++) mujoco.mj_step(model, data);
  mujoco.mj_forward(model, data);
  const geometry = (name: string): number => mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM.value, name);
  const sums = pairs.map(() => [0, 0, 0]);
  const wrench = new mujoco.DoubleBuffer(6);
  for (let c = 0; c < data.ncon; c++) {
    const contact = data.contact.get(c)!;
    const geoms = [contact.geom1, contact.geom2];
    const pair = pairs.findIndex(([a, b]) => geoms.includes(geometry(a)) && geoms.includes(geometry(b)));
    mujoco.mj_contactForce(model, data, c, wrench);
    const local = wrench.GetView() as Float64Array;
    const frame = contact.frame as unknown as Float64Array; // rows: normal and two tangents
    const sign = geoms[0] === geometry(pairs[pair]![0]) ? 1 : -1;
    for (let i = 0; i < 3; i++) for (let k = 0; k < 3; k++) sums[pair]![i]! += sign * frame[3 * k + i]! * local[k]!;
  }
  const xpos = data.xpos as Float64Array;
  const rest = {
    positions: bodies.map((_, i) => [...xpos.subarray(3 * (i + 1), 3 * (i + 1) + 3)] as unknown as V3),
    forces: sums.map((force) => Math.hypot(...force)),
    speed: Math.max(...(data.qvel as Float64Array).map(Math.abs)),
  };
  data.delete();
  model.delete();
  return rest;
}

describe("bodies at rest", async () => {
  const mujoco = await loadMujoco();
  test.each(SCENES.filter(({ isSlow }) => IS_LONG || !isSlow))("$title", (scene) => {
    const [ours, theirs] = [restInCastor(scene), restInMujoco(mujoco, scene)];
    const weight = scene.bodies.reduce((sum, { mass }) => sum + mass * G, 0);
    expect(ours.speed).toBeLessThan(SLOW);
    expect(theirs.speed).toBeLessThan(SLOW);
    for (const [i, position] of ours.positions.entries())
      for (let k = 0; k < 3; k++) expect(Math.abs(position[k]! - theirs.positions[i]![k]!)).toBeLessThan(TOLERANCE * SIZE);
    for (const [i, force] of ours.forces.entries()) {
      expect(Math.abs(force - theirs.forces[i]!)).toBeLessThan(TOLERANCE * theirs.forces[i]!);
      expect(force).toBeGreaterThan(0.01 * weight);
    }
  });
});
