/**
 * Random machines for the tests, the same for a seed on every machine: trees of every kind of hinge, with branches, several roots,
 * massless bodies in between, full inertias, and placements that are general or (one machine in three) aligned to axes.
 */
import type { BodyDescription, HingeDescription, ModelDescription, PlacementDescription } from "../src/model/description.ts";
import { FREEDOMS } from "../src/model/hinges/general.ts";
import { HINGES, type HingeKindName } from "../src/model/hinges/index.ts";
import type { Model } from "../src/model/model.ts";
import { compose, fromQuaternion, type Mat3, type Quaternion, transpose } from "../src/spatial/rotation.ts";
import type { Vec3 } from "../src/spatial/vec3.ts";

export const MOST_FREEDOMS = 80;

export interface RandomModelOptions {
  /** Freedoms of the model, exactly; drawn from 1 to 80 if not given, small ones more often. */
  readonly freedoms?: number;
  /** Kinds to draw from; all if not given. The last hinge may be a `general` one, to make the number of freedoms exact. */
  readonly kinds?: readonly HingeKindName[];
  /** "free": one root, free to move; "fixed": one root, hinged to the world; "several": up to four roots. Drawn if not given. */
  readonly base?: "free" | "fixed" | "several";
  /** "chain": each body on the one before it; "tree": branches. Drawn if not given. */
  readonly shape?: "chain" | "tree";
  /** "some": now and then a body without mass between two hinges, and a point mass. Default "some". */
  readonly massless?: "some" | "none";
}

export interface RandomState {
  readonly q: Float64Array;
  readonly u: Float64Array;
  readonly tau: Float64Array;
  readonly w: Float64Array;
}

/** Uniform numbers in [0, 1), from a 32-bit seed (mulberry32). */
export function uniform(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let z = Math.imul(state ^ (state >>> 15), 1 | state);
    z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z;
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What a machine is drawn with. */
class Draw {
  readonly next: () => number;
  constructor(seed: number) {
    this.next = uniform(seed);
  }
  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }
  integer(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }
  chance(p: number): boolean {
    return this.next() < p;
  }
  of<T>(items: readonly T[]): T {
    return items[this.integer(0, items.length - 1)]!;
  }
  vector(size: number): Vec3<number> {
    return [this.between(-size, size), this.between(-size, size), this.between(-size, size)];
  }
  /** Uniform over all attitudes. */
  quaternion(): Quaternion<number> {
    const [a, b, c] = [this.next(), 2 * Math.PI * this.next(), 2 * Math.PI * this.next()];
    const [s, t] = [Math.sqrt(1 - a), Math.sqrt(a)];
    return [t * Math.cos(c), s * Math.sin(b), s * Math.cos(b), t * Math.sin(c)];
  }
}

const SINGLE: readonly HingeKindName[] = ["revolute", "prismatic", "helical"];
const KINDS = Object.keys(HINGES) as HingeKindName[];

export function randomModel(seed: number, options: RandomModelOptions = {}): ModelDescription {
  const draw = new Draw(seed);
  const freedoms = options.freedoms ?? Math.max(1, Math.ceil(MOST_FREEDOMS * draw.next() ** 2));
  const base = options.base ?? draw.of(["free", "fixed", "several"] as const);
  const shape = options.shape ?? draw.of(["chain", "tree", "tree"] as const);
  const aligned = draw.chance(1 / 3);
  const bodies: BodyDescription[] = [];
  let left = freedoms;
  let roots = 0;
  let light: "no" | "yes" | "just before" = "no";
  while (left > 0) {
    // Next to a body without mass nothing is aligned: two equal axes would be one freedom too many.
    light = light === "yes" ? "just before" : left > 2 && options.massless !== "none" && draw.chance(0.12) ? "yes" : "no";
    const isRoot = bodies.length === 0 || (base === "several" && light !== "just before" && roots < 4 && draw.chance(0.15));
    if (isRoot) roots++;
    const hinge =
      isRoot && base === "free" && left >= 6 && light === "no"
        ? freeHinge(draw)
        : drawHinge(draw, options, left, light, aligned && light === "no");
    left -= freedomsOf(hinge);
    const isPoint = light === "no" && options.massless !== "none" && hinge.kind === "prismatic" && draw.chance(0.3);
    const near = bodies.slice(light === "just before" || shape === "chain" ? -1 : draw.chance(0.7) ? -3 : 0);
    const parent = isRoot ? undefined : draw.of(near).name;
    bodies.push({
      name: `b${bodies.length}`,
      ...(parent !== undefined && { parent }),
      ...massOf(draw, aligned, light === "yes" ? "none" : isPoint ? "point" : "solid"),
      hinge,
      ...(draw.chance(0.4) && { frames: { [`f${bodies.length}`]: drawPlacement(draw, aligned) } }),
    });
  }
  if (light === "yes")
    bodies.push({
      name: `b${bodies.length}`,
      parent: bodies.at(-1)!.name,
      ...massOf(draw, aligned, "solid"),
      hinge: { kind: "fixed" },
    });
  const gravity = draw.chance(0.7) ? draw.vector(10) : undefined;
  return { name: `random-${seed}`, ...(gravity && { gravity }), bodies };
}

const freeHinge = (draw: Draw): HingeDescription => ({ kind: "free", ...drawPlacement(draw, false) });

/** A hinge of at most `left` freedoms. Next to a body without mass few freedoms, so that no motion is without inertia. */
function drawHinge(
  draw: Draw,
  { kinds = KINDS }: RandomModelOptions,
  left: number,
  light: "no" | "yes" | "just before",
  aligned: boolean,
): HingeDescription {
  const narrow: readonly HingeKindName[] =
    light === "yes" ? SINGLE : light === "just before" ? [...SINGLE, "universal", "fixed"] : KINDS;
  const allowed = narrow.filter((kind) => kinds.includes(kind) || light !== "no");
  const kind = draw.of(allowed);
  const axis = aligned ? draw.of(["x", "y", "z"] as const) : draw.vector(1);
  const hinge: HingeDescription = {
    kind,
    ...("axis" in HINGES[kind].defaults && { axis }),
    ...(kind === "helical" && { pitch: draw.between(-0.3, 0.3) }),
    ...(kind === "general" && { freedoms: FREEDOMS.filter(() => draw.chance(0.5)) }),
    ...drawPlacement(draw, aligned),
    ...(draw.chance(0.5) && { onBody: drawPlacement(draw, aligned) }),
  };
  if (freedomsOf(hinge) <= left) return hinge;
  const { axis: _axis, pitch: _pitch, ...rest } = hinge;
  return { ...rest, kind: "general", freedoms: FREEDOMS.slice(-left) };
}

/** Number of freedoms of a described hinge. */
export function freedomsOf({ kind, freedoms = [] }: HingeDescription): number {
  const elements =
    kind === "general" ? HINGES.general.elements({ freedoms }) : (HINGES[kind] as typeof HINGES.revolute).elements({ axis: "z" });
  return elements.reduce((n, e) => n + e.nu, 0);
}

function drawPlacement(draw: Draw, aligned: boolean): PlacementDescription {
  const at = aligned ? (draw.vector(0.8).map((v) => (draw.chance(0.5) ? v : 0)) as unknown as Vec3<number>) : draw.vector(0.5);
  const quarter = (): number => (Math.PI / 2) * draw.integer(-1, 2);
  const rotation = aligned ? { rpy: [quarter(), 0, quarter()] } : { quaternion: draw.quaternion() };
  return draw.chance(0.8) ? { at, rotation } : { at };
}

/** A solid has the inertia of an ellipsoid-like body: three squared radii a, b, c give b + c, a + c, a + b, turned at will. */
function massOf(
  draw: Draw,
  aligned: boolean,
  kind: "solid" | "point" | "none",
): Pick<BodyDescription, "mass" | "com" | "inertia"> {
  if (kind === "none") return { mass: 0, inertia: "none" };
  const mass = Math.exp(draw.between(-1, 2));
  const com = draw.vector(0.3);
  if (kind === "point") return { mass, com, inertia: "none" };
  const [a, b, c] = [0, 0, 0].map(() => mass * draw.between(0.1, 0.4) ** 2) as [number, number, number];
  if (aligned) return { mass, com, inertia: [b + c, a + c, a + b] };
  const R = fromQuaternion(draw.quaternion()) as Mat3<number>;
  const principal: Mat3<number> = [
    [b + c, 0, 0],
    [0, a + c, 0],
    [0, 0, a + b],
  ];
  const [[xx, xy, xz], [, yy, yz], [, , zz]] = compose(compose(R, principal), transpose(R)) as Mat3<number>;
  return { mass, com, inertia: [xx, yy, zz, xy, xz, yz] };
}

/** Up to three frames or bodies of a model at which wrenches act. */
export function randomWrenches(model: Model, seed: number): string[] {
  const draw = new Draw(seed ^ 0x5eed);
  const names = [...model.bodies, ...model.frames].map(({ name }) => name);
  return Array.from({ length: draw.integer(0, 3) }, () => draw.of(names));
}

/** A state away from any symmetry: unit quaternions, angles of all sizes, speeds and forces of order one. */
export function randomState(model: Model, seed: number, nw = 0): RandomState {
  const draw = new Draw(seed ^ 0x57a7e);
  const q = model.bodies.flatMap(({ hinge }) =>
    hinge.elements.flatMap((e) => {
      if (e.quaternion !== undefined) return [...draw.quaternion(), ...draw.vector(1)].slice(0, e.nq);
      return [e.screw!.turn ? draw.between(-Math.PI, Math.PI) : draw.between(-0.5, 0.5)];
    }),
  );
  const numbers = (n: number, size: number): Float64Array => Float64Array.from({ length: n }, () => draw.between(-size, size));
  return { q: Float64Array.from(q), u: numbers(model.nu, 1), tau: numbers(model.nu, 5), w: numbers(nw, 5) };
}
