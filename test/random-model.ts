/**
 * Random machines for the tests, the same for a seed on every machine: trees of every kind of hinge, with branches, several roots,
 * massless bodies in between, full inertias, and placements that are general or (one machine in three) aligned to axes; and
 * closed machines: such a tree with loops, and a configuration in which they are closed.
 */
import { createModel } from "../src/model/build/create-model.ts";
import { readPlacement } from "../src/model/build/parse-placement.ts";
import type {
  AttachmentDescription,
  BodyDescription,
  HingeDescription,
  LoopDescription,
  LoopEnds,
  ModelDescription,
  PlacementDescription,
} from "../src/model/description.ts";
import type { Element, HingeKind } from "../src/model/hinge.ts";
import { FREEDOMS, type Freedom } from "../src/model/hinges/general.ts";
import { HINGES, type HingeKindName } from "../src/model/hinges/index.ts";
import { rowsOf } from "../src/model/loop.ts";
import { LOOPS, type LoopKindName } from "../src/model/loops/index.ts";
import { coordinateNames, type Model, type Placement } from "../src/model/model.ts";
import { type Axis, axisVector } from "../src/spatial/axis.ts";
import { compose, fromQuaternion, type Mat3, type Quaternion, transpose } from "../src/spatial/rotation.ts";
import { cross, scale, type Vec3 } from "../src/spatial/vec3.ts";
import { AT_HOME, independence, inverse, jacobian, on, poseOf, posesOf } from "./model/closure.ts";

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
  // Rotors from a sequence of their own: the machines were there before them.
  const rotors = new Draw(seed ^ 0x20705);
  return { name: `random-${seed}`, ...(gravity && { gravity }), bodies: bodies.map((body) => withRotors(rotors, body)) };
}

/** Now and then a hinge of turns and slides has drives with rotors. */
function withRotors(draw: Draw, body: BodyDescription): BodyDescription {
  const elements = elementsOf(body.hinge);
  if (elements.length === 0 || elements.some((e) => e.screw === undefined) || !draw.chance(0.3)) return body;
  const drawn = elements.map(() => (draw.chance(0.8) ? draw.between(0, 2) : 0));
  return { ...body, hinge: { ...body.hinge, armature: drawn.length === 1 ? drawn[0]! : drawn } };
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

const elementsOf = ({ kind, freedoms = [] }: HingeDescription): readonly Element[] =>
  kind === "general"
    ? HINGES.general.elements({ ...HINGES.general.defaults, freedoms })
    : (HINGES[kind] as typeof HINGES.revolute).elements({ axis: "z" });

/** Number of freedoms of a described hinge. */
export const freedomsOf = (hinge: HingeDescription): number => elementsOf(hinge).reduce((n, e) => n + e.nu, 0);

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

/** Coordinates away from any symmetry: unit quaternions, angles of all sizes. */
const drawCoordinates = (draw: Draw, elements: readonly Element[]): number[] =>
  elements.flatMap((e) => {
    if (e.quaternion !== undefined) return [...draw.quaternion(), ...draw.vector(1)].slice(0, e.nq);
    return [e.screw!.turn ? draw.between(-Math.PI, Math.PI) : draw.between(-0.5, 0.5)];
  });

/** A state away from any symmetry: speeds and forces of order one. */
export function randomState(model: Model, seed: number, nw = 0): RandomState {
  const draw = new Draw(seed ^ 0x57a7e);
  const q = model.bodies.flatMap(({ hinge }) => drawCoordinates(draw, hinge.elements));
  const numbers = (n: number, size: number): Float64Array => Float64Array.from({ length: n }, () => draw.between(-size, size));
  return { q: Float64Array.from(q), u: numbers(model.nu, 1), tau: numbers(model.nu, 5), w: numbers(nw, 5) };
}

export interface RandomClosedOptions extends RandomModelOptions {
  /** The kind of each loop; one to four of any kinds if not given. */
  readonly closings?: readonly LoopKindName[];
}

/** A machine with loops, and coordinates at which they are closed at time 0. Speeds that fit are for the caller to find. */
export interface ClosedModel {
  readonly description: ModelDescription;
  readonly q: Float64Array;
}

/** So many trees, and so many places for each loop of a tree, are tried. */
const TREES = 200;
const PLACES = 30;
/** Every row of the loops keeps at least this part of itself when those before it are taken out: nothing is near to redundant. */
export const INDEPENDENT = 0.03;

/**
 * A random tree with loops that are closed by construction: M is put where random coordinates of the loop lead from F. All rows are
 * independent, what a loop joins can still move, and at least one freedom is left.
 */
export function randomClosedModel(seed: number, options: RandomClosedOptions = {}): ClosedModel {
  const draw = new Draw(seed ^ 0x100b5);
  for (let i = 0; i < TREES; i++) {
    const closed = drawClosed(draw, seed, options);
    if (closed) return closed;
  }
  throw new Error(`seed ${seed}: no machine with loops found for ${JSON.stringify(options)}`);
}

function drawClosed(draw: Draw, seed: number, { closings, ...options }: RandomClosedOptions): ClosedModel | undefined {
  const all = Object.keys(LOOPS) as LoopKindName[];
  const kinds = closings ?? Array.from({ length: draw.integer(1, 4) }, () => draw.of(all));
  const freedoms = options.freedoms ?? draw.integer(4 + 3 * kinds.length, 8 + 7 * kinds.length);
  const tree = { ...randomModel(draw.integer(0, 2 ** 31), { ...options, freedoms }), name: `closed-${seed}` };
  const { q } = randomState(createModel(tree), draw.integer(0, 2 ** 31));
  const loops: LoopDescription[] = [];
  for (const kind of kinds) {
    const loop = drawFittingLoop(draw, tree, loops, kind, q);
    if (loop === undefined) return undefined;
    loops.push(loop);
  }
  return { description: { ...tree, loops }, q };
}

/** A loop that is independent of those before it. */
function drawFittingLoop(
  draw: Draw,
  tree: ModelDescription,
  loops: readonly LoopDescription[],
  kind: LoopKindName,
  q: Float64Array,
): LoopDescription | undefined {
  const open = createModel(tree);
  for (let i = 0; i < PLACES; i++) {
    const loop = drawLoop(draw, open, kind, q, `loop${loops.length}`);
    if (loop === undefined) return undefined;
    const model = createModel({ ...tree, loops: [...loops, loop] });
    const rows = jacobian(model, q);
    const own = rows.slice(-rowsOf(model.loops.at(-1)!));
    const moving = own[0]!.filter((_, u) => own.some((row) => row[u] !== 0)).length;
    if (rows.length >= model.nu) return undefined;
    const canMove = moving > own.length || kind === "prescribed";
    if (canMove && Math.min(...independence(rows)) > INDEPENDENT) return loop;
  }
  return undefined;
}

function drawLoop(draw: Draw, model: Model, kind: LoopKindName, q: Float64Array, name: string): LoopDescription | undefined {
  if (kind === "coupling") return drawCoupling(draw, model, q, name);
  if (kind === "prescribed") return drawPrescribed(draw, model, q, name);
  const { parameters, pose } = drawClosing(draw, kind);
  return { name, kind, ...parameters, ...drawEnds(draw, model, q, pose) } as LoopDescription;
}

/** Indices of the coordinates of one-freedom elements. */
function singleCoordinates(model: Model): number[] {
  const starts = model.bodies.flatMap(({ hinge }) =>
    hinge.elements.map((e, i) => ({ e, at: hinge.elements.slice(0, i).reduce((n, { nq }) => n + nq, hinge.q) })),
  );
  return starts.filter(({ e }) => e.screw).map(({ at }) => at);
}

function drawCoupling(draw: Draw, model: Model, q: Float64Array, name: string): LoopDescription | undefined {
  const single = singleCoordinates(model);
  if (single.length < 2) return undefined;
  const names = coordinateNames(model).q;
  const chosen = [...new Set([draw.of(single), draw.of(single), draw.of(single)])];
  const terms = chosen.map((k) => ({ hinge: names[k]!, factor: draw.of([-1, 1]) * draw.between(0.5, 2) }));
  const offset = chosen.reduce((sum, k, i) => sum + terms[i]!.factor * q[k]!, 0);
  return { name, kind: "coupling", terms, offset };
}

function drawPrescribed(draw: Draw, model: Model, q: Float64Array, name: string): LoopDescription | undefined {
  const single = singleCoordinates(model);
  if (single.length === 0) return undefined;
  const k = draw.of(single);
  const [rate, amplitude, frequency, phase] = [0, 0, 0, 0].map(() => draw.between(-1, 1)) as [number, number, number, number];
  const offset = q[k]! - amplitude * Math.sin(phase);
  return { name, kind: "prescribed", hinge: coordinateNames(model).q[k]!, motion: { offset, rate, amplitude, frequency, phase } };
}

type FrameKindName = Exclude<LoopKindName, "coupling" | "prescribed">;

/** Parameters of a loop between frames, and a pose X_FM at which it is closed. */
function drawClosing(draw: Draw, kind: FrameKindName): { readonly parameters: object; readonly pose: Placement } {
  const axis: Axis = draw.chance(0.3) ? draw.of(["x", "y", "z"] as const) : draw.vector(1);
  const n = axisVector(axis);
  const attitude = (): Mat3<number> => fromQuaternion(draw.quaternion()) as Mat3<number>;
  if (kind === "distance") {
    const length = draw.between(0.3, 1.5);
    return { parameters: { length }, pose: { R: attitude(), p: scale(length, n) as Vec3<number> } };
  }
  if (kind === "point-on-line")
    return { parameters: { axis }, pose: { R: attitude(), p: scale(draw.between(-1, 1), n) as Vec3<number> } };
  if (kind === "point-on-plane")
    return { parameters: { axis }, pose: { R: attitude(), p: cross(n, draw.vector(1)) as Vec3<number> } };
  const { defaults, elements } = HINGES[kind] as HingeKind;
  const drawn = { axis, pitch: draw.of([-1, 1]) * draw.between(0.05, 0.4), freedoms: drawFreedoms(draw) };
  const parameters = Object.fromEntries(Object.entries(drawn).filter(([key]) => Object.hasOwn(defaults, key)));
  const chain = elements({ ...defaults, ...parameters, ...("axis" in parameters && { axis: n }) });
  return { parameters, pose: poseOf(chain, drawCoordinates(draw, chain)) };
}

/** Any but all six. */
function drawFreedoms(draw: Draw): readonly Freedom[] {
  const blocked = draw.of(FREEDOMS);
  return FREEDOMS.filter((f) => f !== blocked && draw.chance(0.5));
}

/** F anywhere on one body, now and then a named frame or on the world, and M on another where it is at the pose X_FM. */
function drawEnds(draw: Draw, model: Model, q: Float64Array, X_FM: Placement): Pick<LoopEnds, "from" | "to"> {
  const poses = posesOf(model, q);
  const carriers = ["world", ...model.bodies.map(({ name }) => name)];
  const poseOfCarrier = (name: string): Placement => poses[model.bodies.findIndex((b) => b.name === name)] ?? AT_HOME;
  const first = draw.of(carriers);
  const second = draw.of(carriers.filter((name) => name !== first));
  const frame = model.frames.find(({ body }) => model.bodies[body]!.name === first);
  const placed = drawPlacement(draw, false);
  const from: AttachmentDescription = frame && draw.chance(0.5) ? { frame: frame.name } : { body: first, ...placed };
  const X_BF = "frame" in from ? frame!.placement : readPlacement({ ...placed }, "", []);
  const { R, p } = on(on(inverse(poseOfCarrier(second)), on(poseOfCarrier(first), X_BF)), X_FM);
  return { from, to: { body: second, at: p, rotation: { matrix: R } } };
}
