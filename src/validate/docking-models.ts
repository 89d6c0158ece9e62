/**
 * Docking mechanisms by rules [docking.md 3]: a ring on six legs (R2P1R3, R2C2R2) or on cranks and rods (R1R2R3), fixed or on a free
 * vehicle, with loops inside loops; a planar four-bar and a planar platform. The docking axis is x of the base, outwards; azimuths count
 * from y to z. A hinge of several motions is one hinge, or, `elementary`, one body for each motion, so that speeds are those of the paper.
 */
import type {
  BodyDescription,
  HingeDescription,
  LoopDescription,
  ModelDescription,
  ShapeDescription,
} from "../model/description.ts";
import { apply, type Mat3, transpose } from "../spatial/rotation.ts";
import { cross, minus, plus, scale, type Vec3 } from "../spatial/vec3.ts";

type V3 = Vec3<number>;
type M3 = Mat3<number>;
export type Motion = "Px" | "Py" | "Pz" | "Rx" | "Ry" | "Rz";

/** A body as the paper has it: its hinge frame on the parent, then motions in order, each about or along an axis as those before left it. */
export interface Part {
  readonly name: string;
  readonly parent?: string;
  readonly at?: V3;
  /** Axes of the hinge frame, as columns. */
  readonly axes?: M3;
  readonly motions: "free" | readonly Motion[];
  readonly mass: number;
  readonly com: V3;
  readonly inertia: readonly number[] | M3;
  /** Of the first motion. */
  readonly armature?: number;
  readonly frames?: BodyDescription["frames"];
  readonly shapes?: readonly ShapeDescription[];
}

export interface Mechanism {
  readonly name: string;
  readonly gravity?: V3;
  readonly parts: readonly Part[];
  readonly loops: readonly LoopDescription[];
}

export type Hinges = "joined" | "elementary";

/** The description of a mechanism; in elementary hinges, all but the last of a hinge's bodies are without mass. */
export function describeMechanism({ name, gravity, parts, loops }: Mechanism, hinges: Hinges = "joined"): ModelDescription {
  return {
    name,
    ...(gravity && { gravity }),
    bodies: parts.flatMap((part) =>
      hinges === "joined" || part.motions === "free" ? [joined(part)] : elementary(part, part.motions),
    ),
    loops,
  };
}

const own = ({ name, mass, com, inertia, frames, shapes }: Part): Omit<BodyDescription, "hinge"> => ({
  name,
  mass,
  com,
  inertia,
  ...(frames && { frames }),
  ...(shapes && { shapes }),
});

const placed = ({ at, axes }: Part): Pick<HingeDescription, "at" | "rotation"> => ({
  ...(at && { at }),
  ...(axes && { rotation: { matrix: axes } }),
});

const KIND = { P: "prismatic", R: "revolute" } as const;
const single = (motion: Motion): Pick<HingeDescription, "kind" | "axis"> => ({
  kind: KIND[motion[0] as "P" | "R"],
  axis: motion[1] as "x" | "y" | "z",
});

function elementary(part: Part, motions: readonly Motion[]): BodyDescription[] {
  const stepName = (i: number): string => `${part.name}'${i + 1}`;
  return motions.map((motion, i): BodyDescription => {
    const parent = i === 0 ? part.parent : stepName(i - 1);
    const hinge = {
      ...single(motion),
      ...(i === 0 && placed(part)),
      ...(i === 0 && part.armature !== undefined && { armature: part.armature }),
    };
    const body = i + 1 === motions.length ? own(part) : { name: stepName(i), mass: 0, inertia: "none" as const };
    return { ...body, ...(parent !== undefined && { parent }), hinge };
  });
}

function joined(part: Part): BodyDescription {
  const { parent, motions, armature } = part;
  const hinge = { ...hingeOf(motions, part), ...(armature !== undefined && { armature }) };
  return { ...own(part), ...(parent !== undefined && { parent }), hinge };
}

/** z, y and -x as axes: a universal hinge turns about the first, then the second. */
const Z_THEN_Y: M3 = [
  [0, 0, -1],
  [0, 1, 0],
  [1, 0, 0],
];

/** The hinge that has the motions of a list; its speeds may be others. */
function hingeOf(motions: Part["motions"], part: Part): HingeDescription {
  const list = motions === "free" ? motions : motions.join(" ");
  switch (list) {
    case "free":
    case "Px Py Pz Rz Ry Rx":
      return { kind: "free", ...placed(part) };
    case "Px Py Rz":
      return { kind: "planar", ...placed(part) };
    case "Ry Rz":
      return { kind: "general", freedoms: ["ry", "rz"], ...placed(part) };
    case "Px Rx":
      return { kind: "general", freedoms: ["x", "rx"], ...placed(part) };
    case "Rz Ry": {
      const matrix = part.axes ? product(part.axes, Z_THEN_Y) : Z_THEN_Y;
      return {
        kind: "universal",
        ...(part.at && { at: part.at }),
        rotation: { matrix },
        onBody: { rotation: { matrix: Z_THEN_Y } },
      };
    }
    default:
      return { ...single((motions as readonly Motion[])[0]!), ...placed(part) };
  }
}

const product = (A: M3, B: M3): M3 =>
  A.map((row) => [0, 1, 2].map((j) => row.reduce((sum, a, k) => sum + a * B[k]![j]!, 0))) as unknown as M3;

/** Axes of a frame given by its x and y, which are unit and across each other. */
const axesOf = (x: V3, y: V3): M3 => transpose([x, y, cross(x, y)] as unknown as M3) as M3;
const unit = (v: V3): V3 => scale(1 / Math.hypot(...v), v) as V3;
const less = (a: V3, b: V3): V3 => minus(a, b) as V3;
const sum = (a: V3, b: V3): V3 => plus(a, b) as V3;
const X: V3 = [1, 0, 0];

/** Where legs are hinged to the base and to the ring. */
export interface RingGeometry {
  readonly baseRadius: number;
  readonly ringRadius: number;
  /** Degrees, leg by leg. */
  readonly baseAzimuths: readonly number[];
  readonly ringAzimuths: readonly number[];
  /** Of the ring's frame before the base, in its initial position. */
  readonly height: number;
}

export const RING_GEOMETRY: RingGeometry = {
  baseRadius: 0.6,
  ringRadius: 0.6,
  baseAzimuths: [-10, 10, 110, 130, 230, 250],
  ringAzimuths: [-50, 50, 70, 170, 190, 290],
  height: 0.4,
};

/** A point of radius 1 at an azimuth in degrees. */
export const atAzimuth = (degrees: number, radius = 1): V3 => [
  0,
  radius * Math.cos((degrees * Math.PI) / 180),
  radius * Math.sin((degrees * Math.PI) / 180),
];

export interface RingOptions {
  readonly name?: string;
  readonly geometry?: RingGeometry;
  /** Which legs there are, from 0. */
  readonly legs?: readonly number[];
  /** "floating": on a free vehicle of 12 t whose frame is the base. */
  readonly base?: "fixed" | "floating";
  /** Reflected inertia of each drive: of a leg in kg, of a crank in kg m². */
  readonly armature?: number;
  readonly gravity?: V3;
  /** Polar inertia of a leg's rod, kg m². */
  readonly rodPolarInertia?: number;
  readonly looks?: "none" | "shapes";
}

/** Vehicle, ring and where the legs begin and end. */
function ringOf({ geometry = RING_GEOMETRY, base = "fixed", legs, looks = "none" }: RingOptions) {
  const { baseRadius, ringRadius, baseAzimuths, ringAzimuths, height } = geometry;
  const carrier = base === "floating" ? { parent: "vehicle" } : {};
  const vehicle: Part = {
    name: "vehicle",
    motions: "free",
    mass: 12000,
    com: [-3.5, 0.05, -0.03],
    inertia: [
      [20000, 150, -80],
      [150, 45000, 60],
      [-80, 60, 46500],
    ],
    ...(looks === "shapes" && { shapes: vehicleShapes }),
  };
  const ring: Part = {
    name: "ring",
    ...carrier,
    at: [height, 0, 0],
    motions: ["Px", "Py", "Pz", "Rz", "Ry", "Rx"],
    mass: 40,
    com: [0.02, 0, 0],
    inertia: [14.4, 7.6, 7.6],
    frames: { "ring-com": { at: [0.02, 0, 0] } },
    ...(looks === "shapes" && { shapes: ringShapes(ringRadius) }),
  };
  const all = legs ?? baseAzimuths.map((_, i) => i);
  return {
    carrier,
    looks,
    parts: base === "floating" ? [vehicle, ring] : [ring],
    /** Number of the leg, where it begins on the base, where it ends on the ring, and the way between in the initial position. */
    legs: all.map((i) => {
      const [from, to] = [atAzimuth(baseAzimuths[i]!, baseRadius), atAzimuth(ringAzimuths[i]!, ringRadius)];
      return { number: i + 1, from, to, along: less(sum(to, [height, 0, 0]), from) };
    }),
  };
}

type Leg = ReturnType<typeof ringOf>["legs"][number];

/** The hinge frame of a leg: x along it, y across it and the docking axis. */
const legAxes = ({ along }: Leg): M3 => {
  const x = unit(along);
  return axesOf(x, unit(cross(X, x) as V3));
};
const legLength = ({ along }: Leg): number => Math.hypot(...along);

/** Cylinder on the base and rod in it; the rod's origin is its end. */
function legParts(leg: Leg, { carrier, looks }: ReturnType<typeof ringOf>, options: RingOptions, rod: readonly Motion[]): Part[] {
  const { number, from } = leg;
  const { armature, rodPolarInertia = 0.0006 } = options;
  return [
    {
      name: `cyl${number}`,
      ...carrier,
      at: from,
      axes: legAxes(leg),
      motions: ["Ry", "Rz"],
      mass: 4,
      com: [0.14, 0, 0],
      inertia: [0.006, 0.035, 0.035],
      ...(looks === "shapes" && { shapes: [alongX(0.035, 0.3, 0.15, "#8a94a6")] }),
    },
    {
      name: `rod${number}`,
      parent: `cyl${number}`,
      at: [legLength(leg), 0, 0],
      motions: rod,
      mass: 1.5,
      com: [-0.16, 0, 0],
      inertia: [rodPolarInertia, 0.013, 0.013],
      ...(armature !== undefined && { armature }),
      ...(looks === "shapes" && { shapes: [alongX(0.02, 0.34, -0.17, "#d6dbe4")] }),
    },
  ];
}

/** A ring on legs, each two turns and a slide, closed by a ball on the ring: models b, and of the docking scenario. */
export function ringOnLegs(options: RingOptions = {}): Mechanism {
  const ring = ringOf(options);
  const { name = `docking ring on ${ring.legs.length} legs`, gravity } = options;
  return {
    name,
    ...(gravity && { gravity }),
    parts: [...ring.parts, ...ring.legs.flatMap((leg) => legParts(leg, ring, options, ["Px"]))],
    loops: ring.legs.map((leg) => ballOn("ring", leg)),
  };
}

const ballOn = (body: string, { number, to }: Leg, at: V3 = to): LoopDescription => ({
  name: `leg${number}`,
  kind: "spherical",
  from: { body, at },
  to: { body: `rod${number}` },
});

/** The same with rods that may turn in their cylinders, closed by universal hinges: R2C2R2, four dependents for each leg. */
export function ringOnSpinningRods(options: RingOptions = {}): Mechanism {
  const ring = ringOf(options);
  const { name = `docking ring on ${ring.legs.length} legs R2C2R2`, gravity } = options;
  return {
    name,
    ...(gravity && { gravity }),
    parts: [...ring.parts, ...ring.legs.flatMap((leg) => legParts(leg, ring, options, ["Px", "Rx"]))],
    loops: ring.legs.map((leg): LoopDescription => {
      const { number, to } = leg;
      // the cross is along y of the rod and, on the ring, along z of the leg's initial frame
      const [x, y, z] = transpose(legAxes(leg)) as unknown as readonly [V3, V3, V3];
      return {
        name: `leg${number}`,
        kind: "universal",
        from: { body: "ring", at: to, rotation: { matrix: transpose([z, y, scale(-1, x)] as unknown as M3) as M3 } },
        to: { body: `rod${number}`, rotation: { matrix: Z_THEN_Y } },
      };
    }),
  };
}

/** Length of crank and rod, and where the cranks stand in the initial position of the standard ring, rad. */
export const CRANK = { crank: 0.25, rod: 0.58, initial: 0.5977879382186106 } as const;

/** A ring on cranks and rods as in APAS, elbows outwards: models c. */
export function ringOnCranks(options: RingOptions = {}): Mechanism {
  const ring = ringOf(options);
  const { name = "docking ring on cranks", gravity, armature } = options;
  const shapes = (radius: number, length: number, colour: string) =>
    ring.looks === "shapes" && { shapes: [alongX(radius, length, length / 2, colour)] };
  return {
    name,
    ...(gravity && { gravity }),
    parts: [
      ...ring.parts,
      ...ring.legs.flatMap(({ number, from }): Part[] => [
        {
          name: `crank${number}`,
          ...ring.carrier,
          at: from,
          axes: axesOf(unit(from), X),
          motions: ["Rz"],
          mass: 2.2,
          com: [0.1, 0, 0.01],
          inertia: [0.003, 0.012, 0.012],
          ...(armature !== undefined && { armature }),
          ...shapes(0.03, CRANK.crank, "#8a94a6"),
        },
        {
          name: `rod${number}`,
          parent: `crank${number}`,
          at: [CRANK.crank, 0, 0],
          motions: ["Rz", "Ry"],
          mass: 1.3,
          com: [0.29, 0, 0],
          inertia: [0.0008, 0.036, 0.036],
          ...shapes(0.02, CRANK.rod, "#d6dbe4"),
        },
      ]),
    ],
    loops: ring.legs.map(
      ({ number, to }): LoopDescription => ({
        name: `leg${number}`,
        kind: "spherical",
        from: { body: "ring", at: to },
        to: { body: `rod${number}`, at: [CRANK.rod, 0, 0] },
      }),
    ),
  };
}

/**
 * d1: on legs 1 and 4 a lever and a link between cylinder and rod: loops inside dependent legs. Closed by pins, or by whole revolutes, three of
 * whose five equations are redundant.
 */
export function ringWithInnerLoops(options: RingOptions & { readonly closing?: "pin" | "revolute" } = {}): Mechanism {
  const outer = ringOnLegs({ name: "ring with inner loops", ...options });
  const inner = [1, 4];
  return {
    ...outer,
    parts: [
      ...outer.parts,
      ...inner.flatMap((i): Part[] => [
        {
          name: `lever${i}`,
          parent: `cyl${i}`,
          at: [0.1, 0.05, 0],
          motions: ["Rz"],
          mass: 0.8,
          com: [0.05, 0.01, 0],
          inertia: [0.001, 0.004, 0.005],
        },
        {
          name: `link${i}`,
          parent: `lever${i}`,
          at: [0.12, 0, 0],
          motions: ["Rz"],
          mass: 0.4,
          com: [0.1, 0, 0],
          inertia: [0.0002, 0.0015, 0.0015],
        },
      ]),
    ],
    loops: [
      ...outer.loops,
      ...inner.map((i): LoopDescription => {
        const made = pin(`inner${i}`, { body: `rod${i}`, at: [-0.22, 0.05, 0] }, { body: `link${i}`, at: [0.2, 0, 0] });
        return options.closing === "revolute" ? ({ ...made, kind: "revolute" } as LoopDescription) : made;
      }),
    ],
  };
}

/** A pin of a planar loop: two in-plane components. */
const pin = (
  name: string,
  from: { readonly body: string; readonly at: V3; readonly rotation?: { readonly matrix: M3 } },
  to: { readonly body: string; readonly at: V3 },
): LoopDescription => ({ name, kind: "point-on-line", axis: "z", from, to });

/** d2: a four-bar carried by the ring, and leg 1 ends on its rocker: a loop on the way to the closing body. */
export function ringWithFourBar(options: RingOptions = {}): Mechanism {
  const ring = ringOf(options);
  const [first] = ring.legs;
  const radial = unit(first!.to);
  const axes = axesOf(X, radial);
  const rocker = less(first!.to, [0.1, 0, 0]);
  const bar = (
    name: string,
    parent: string,
    at: V3,
    mass: number,
    com: number,
    inertia: readonly number[],
    turned?: M3,
  ): Part => ({
    name,
    parent,
    at,
    ...(turned && { axes: turned }),
    motions: ["Rz"],
    mass,
    com: [com, 0, 0],
    inertia,
  });
  return {
    name: options.name ?? "ring with a four-bar",
    parts: [
      ...ring.parts,
      bar("drive", "ring", less(rocker, scale(0.12, radial) as V3), 0.9, 0.03, [0.0005, 0.002, 0.002], axes),
      bar("rocker", "ring", rocker, 0.7, 0.05, [0.0004, 0.0015, 0.0015], axes),
      bar("coupler", "rocker", [0.07, 0, 0], 0.3, 0.06, [0.0001, 0.0006, 0.0006]),
      ...ring.legs.flatMap((leg) => legParts(leg, ring, options, ["Px"])),
    ],
    loops: [
      pin("four-bar", { body: "drive", at: [0.05, 0, 0] }, { body: "coupler", at: [0.13, 0, 0] }),
      ...ring.legs.map((leg, i) => (i === 0 ? ballOn("rocker", leg, [0.1, 0, 0]) : ballOn("ring", leg))),
    ],
  };
}

/** d3: leg 1 is a four-bar with a rod on its coupler: two loops that need each other, one block. */
export function ringWithMutualLoops(options: RingOptions = {}): Mechanism {
  const ring = ringOf(options);
  const [first, ...others] = ring.legs;
  const { from, to } = first!;
  const axes = axesOf(unit(from), X);
  const turning = (
    name: string,
    rest: Omit<Part, "name" | "motions" | "mass" | "com" | "inertia">,
  ): Pick<Part, "name" | "motions"> & typeof rest => ({
    name,
    motions: ["Rz"],
    ...rest,
  });
  return {
    name: options.name ?? "ring with loops that need each other",
    parts: [
      ...ring.parts,
      ...others.flatMap((leg) => legParts(leg, ring, options, ["Px"])),
      {
        ...turning("crank1", { ...ring.carrier, at: from, axes }),
        mass: 2.2,
        com: [0.1, 0, 0.01],
        inertia: [0.003, 0.012, 0.012],
      },
      {
        ...turning("coupler1", { parent: "crank1", at: [0.15, 0, 0] }),
        mass: 0.9,
        com: [0.05, 0.02, 0],
        inertia: [0.001, 0.003, 0.003],
      },
      {
        name: "rod1",
        parent: "coupler1",
        at: [0.05, 0.08, 0],
        motions: ["Rz", "Ry"],
        mass: 1,
        com: [0.2, 0, 0],
        inertia: [0.0008, 0.02, 0.02],
      },
      {
        ...turning("rocker1", { ...ring.carrier, at: sum(from, apply(axes, [0.1, 0, 0]) as V3), axes }),
        mass: 1.1,
        com: [0.07, 0, 0],
        inertia: [0.001, 0.004, 0.004],
      },
    ],
    loops: [
      ...others.map((leg) => ballOn("ring", leg)),
      { name: "outer1", kind: "spherical", from: { body: "ring", at: to }, to: { body: "rod1", at: [0.5, 0, 0] } },
      pin("inner1", { body: "rocker1", at: [0.16, 0, 0] }, { body: "coupler1", at: [0.1, 0, 0] }),
    ],
  };
}

const link = (name: string, at: V3, mass: number, com: V3, inertia: readonly number[], parent?: string): Part => ({
  name,
  ...(parent !== undefined && { parent }),
  at,
  motions: ["Rz"],
  mass,
  com,
  inertia,
});

/** a: crank 0.3, coupler 0.8, rocker 0.6, ground 0.9 m; closed in the plane. */
export const planarFourBar: Mechanism = {
  name: "planar four-bar",
  gravity: [0, -9.81, 0],
  parts: [
    link("crank", [0, 0, 0], 1, [0.14, 0.01, 0], [0.002, 0.01, 0.01]),
    link("rocker", [0.9, 0, 0], 2, [0.33, -0.02, 0], [0.003, 0.07, 0.07]),
    link("coupler", [0.6, 0, 0], 2.5, [0.38, 0.05, 0], [0.005, 0.15, 0.15], "rocker"),
  ],
  loops: [pin("pin", { body: "crank", at: [0.3, 0, 0] }, { body: "coupler", at: [0.8, 0, 0] })],
};

/** The same four-bar tilted in space and closed by a whole revolute: five equations of rank 2. Rows are the base's axes. */
export function tiltedFourBar(axes: M3): Mechanism {
  const turned = (v: V3): V3 => apply(axes, v) as V3;
  const loop = planarFourBar.loops[0]!;
  return {
    ...planarFourBar,
    name: "four-bar in space",
    gravity: turned(planarFourBar.gravity!),
    parts: planarFourBar.parts.map((part) => (part.parent === undefined ? { ...part, at: turned(part.at!), axes } : part)),
    loops: [{ ...loop, kind: "revolute" } as LoopDescription],
  };
}

/** Bennett's linkage: four revolutes, links a and b with twists of 40 and 75 degrees in turn, b = a sin β / sin α; rank 2 of 5. */
export function bennett(a = 0.5, alpha = 40, beta = 75): Mechanism {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const about = (degrees: number): M3 => {
    const [c, s] = [Math.cos(radians(degrees)), Math.sin(radians(degrees))];
    return [
      [1, 0, 0],
      [0, c, -s],
      [0, s, c],
    ];
  };
  const b = (a * Math.sin(radians(beta))) / Math.sin(radians(alpha));
  const one = (k: number, length: number, rest: Pick<Part, "parent" | "at" | "axes">): Part => ({
    name: `link${k}`,
    ...rest,
    motions: ["Rz"],
    mass: 0.8 + 0.2 * k,
    com: [length / 2, 0.02, 0.01],
    inertia: [
      [0.003 + 0.001 * k, 0.0005, 0],
      [0.0005, 0.012, 0.0003],
      [0, 0.0003, 0.013],
    ],
  });
  const back = transpose(about(beta)) as M3;
  return {
    name: "Bennett's linkage",
    gravity: [0, 0, -9.81],
    parts: [
      one(1, a, {}),
      one(2, b, { parent: "link1", at: [a, 0, 0], axes: about(alpha) }),
      one(3, a, { parent: "link2", at: [b, 0, 0], axes: about(beta) }),
    ],
    loops: [
      {
        name: "fourth",
        kind: "revolute",
        axis: "z",
        from: { body: "world", at: apply(back, [-b, 0, 0]) as V3, rotation: { matrix: back } },
        to: { body: "link3", at: [a, 0, 0], rotation: { matrix: about(alpha) } },
      },
    ],
  };
}

/** e: a platform in the plane on a telescopic leg (RP) and two cranks with rods (RR). */
export function planarPlatform(): Mechanism {
  const [A0, pA]: [V3, V3] = [
    [0.6, 0, 0],
    [0.25, -0.1, 0],
  ];
  const along = less(sum(pA, [0, 0.5, 0]), A0);
  const x = unit(along);
  const two = (name: string, at: V3, first: number, second: number): Part[] => [
    link(`l1${name}`, at, 1.5, [first / 2, 0.01, 0], [0.001, 0.02, 0.02]),
    link(`l2${name}`, [first, 0, 0], 1.1, [second / 2, 0, 0], [0.001, 0.012, 0.012], `l1${name}`),
  ];
  return {
    name: "planar platform",
    gravity: [0, -9.81, 0],
    parts: [
      { name: "plat", at: [0, 0.5, 0], motions: ["Px", "Py", "Rz"], mass: 6, com: [0.01, 0.02, 0], inertia: [0.2, 0.3, 0.45] },
      { ...link("cylA", A0, 3, [0.15, 0.01, 0], [0.005, 0.04, 0.04]), axes: axesOf(x, cross([0, 0, 1], x) as V3) },
      {
        ...link("rodA", [Math.hypot(...along), 0, 0], 1.2, [-0.15, 0, 0], [0.001, 0.015, 0.015], "cylA"),
        motions: ["Px"],
      },
      ...two("B", [-0.6, 0, 0], 0.35, 0.3),
      ...two("C", [0, 1.1, 0], 0.3, 0.35),
    ],
    loops: [
      pin("A", { body: "plat", at: pA }, { body: "rodA", at: [0, 0, 0] }),
      pin("B", { body: "plat", at: [-0.25, -0.1, 0] }, { body: "l2B", at: [0.3, 0, 0] }),
      pin("C", { body: "plat", at: [0, 0.2, 0] }, { body: "l2C", at: [0.35, 0, 0] }),
    ],
  };
}

/** What is seen: cylinders along x of a body, from `middle` - length/2 on. */
const alongX = (radius: number, length: number, middle: number, colour: string): ShapeDescription => ({
  kind: "cylinder",
  radius,
  length,
  at: [middle, 0, 0],
  rotation: {
    matrix: [
      [0, 0, 1],
      [0, 1, 0],
      [-1, 0, 0],
    ],
  },
  colour,
});

const SEGMENTS = 24;
/** A ring of capsules in the plane across x. */
const ringShapes = (radius: number): ShapeDescription[] =>
  Array.from({ length: SEGMENTS }, (_, i): ShapeDescription => {
    const degrees = (360 * i) / SEGMENTS;
    const z = atAzimuth(degrees + 90);
    return {
      kind: "capsule",
      radius: 0.035,
      length: 2 * radius * Math.tan(Math.PI / SEGMENTS),
      at: atAzimuth(degrees, radius),
      rotation: { matrix: transpose([X, cross(z, X), z] as unknown as M3) as M3 },
      colour: "#c58f3a",
    };
  });

/** The body of the vehicle and the tunnel that carries the mechanism. */
const vehicleShapes: readonly ShapeDescription[] = [alongX(1.6, 5, -3.2, "#b9c2cf"), alongX(0.75, 0.7, -0.35, "#6d7788")];
