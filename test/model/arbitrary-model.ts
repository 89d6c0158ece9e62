/** Valid model descriptions for property tests: any tree, any hinges, any placements, any loops. */
import fc from "fast-check";
import type {
  AttachmentDescription,
  BodyDescription,
  HingeDescription,
  LoopDescription,
  ModelDescription,
  PlacementDescription,
  ShapeDescription,
} from "../../src/model/description.ts";
import { FREEDOMS } from "../../src/model/hinges/general.ts";
import { HINGES, type HingeKindName } from "../../src/model/hinges/index.ts";
import { LOOPS } from "../../src/model/loops/index.ts";
import type { Vec3 } from "../../src/spatial/vec3.ts";

const coordinate = fc.double({ min: -10, max: 10, noNaN: true });
const positive = fc.double({ min: 0.01, max: 100, noNaN: true });
const vec3 = fc.tuple(coordinate, coordinate, coordinate) as fc.Arbitrary<Vec3<number>>;

const unitQuaternion = fc
  .tuple(coordinate, coordinate, coordinate, coordinate)
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => q.map((c) => c / Math.hypot(...q)));

const rotation = fc.oneof(
  fc.record({ quaternion: unitQuaternion }),
  fc.record({ rpy: vec3 }),
  fc.constantFrom(
    {
      matrix: [
        [0, -1, 0],
        [1, 0, 0],
        [0, 0, 1],
      ],
    },
    {
      matrix: [
        [-1, 0, 0],
        [0, 0, -1],
        [0, -1, 0],
      ],
    },
  ),
);

export const placement: fc.Arbitrary<PlacementDescription> = fc.record({ at: vec3, rotation }, { requiredKeys: [] });

const axis = fc.oneof(
  fc.constantFrom("x", "y", "z"),
  vec3.filter((v) => Math.hypot(...v) > 0.1),
);
const parameters: Record<string, fc.Arbitrary<unknown>> = {
  axis,
  pitch: coordinate,
  freedoms: fc.subarray([...FREEDOMS]),
  rotations: fc.constant("exact"), // the other does not go with loops
};

/** Every kind with the parameters that it declares. */
export const hinge: fc.Arbitrary<HingeDescription> = fc
  .constantFrom(...(Object.keys(HINGES) as HingeKindName[]))
  .chain((kind) => {
    const taken = Object.keys(HINGES[kind].defaults).map((key) => [key, parameters[key]!] as const);
    const fields = { kind: fc.constant(kind), ...Object.fromEntries(taken), at: vec3, rotation, onBody: placement };
    return fc.record(fields, { requiredKeys: ["kind"] }) as unknown as fc.Arbitrary<HingeDescription>;
  });

/** Principal moments of a real body, turned into any axes by a shear that keeps them positive. */
const inertia: fc.Arbitrary<BodyDescription["inertia"]> = fc.oneof(
  fc.constant("none" as const),
  fc.tuple(positive, positive, positive),
  fc.tuple(positive, positive, positive, coordinate, coordinate, coordinate).map(([a, b, c, x, y, z]) => {
    const bound = Math.min(a, b, c) / 30;
    return [a, b, c, x * bound, y * bound, z * bound].map((v, i) => (i < 3 ? v : v / 10));
  }),
);

const colour = fc.constantFrom("#000000", "#c0FFee");
const placed = { at: vec3, rotation, colour };
const optional = (required: readonly string[]) => ({ requiredKeys: ["kind", ...required] }) as never;

const shape = fc.oneof(
  fc.record({ kind: fc.constant("box"), size: fc.tuple(positive, positive, positive), ...placed }, optional(["size"])),
  fc.record({ kind: fc.constant("sphere"), radius: positive, ...placed }, optional(["radius"])),
  fc.record(
    { kind: fc.constantFrom("cylinder", "capsule"), radius: positive, length: positive, ...placed },
    optional(["radius", "length"]),
  ),
  fc.record(
    { kind: fc.constant("mesh"), file: fc.constantFrom("a.stl", "b/c.glb"), scale: positive, ...placed },
    optional(["file"]),
  ),
) as fc.Arbitrary<ShapeDescription>;

const name = fc
  .stringMatching(/^[A-Za-z][A-Za-z0-9 _-]{0,8}$/)
  .filter((n) => !["world", "gravity", "constructor", "prototype"].includes(n));

type BodyLike = Pick<BodyDescription, "name" | "hinge" | "frames">;

/** Loops of every kind for some bodies, most of them with one. */
const loopsFor = (bodies: readonly BodyLike[]): fc.Arbitrary<LoopDescription[]> => {
  const carriers = ["world", ...bodies.map((b) => b.name)];
  const frames = bodies.flatMap((b) => Object.keys(b.frames ?? {}));
  const single = bodies.filter((b) => ["revolute", "prismatic", "helical"].includes(b.hinge.kind)).map((b) => b.name);
  const carrierOf = (end: AttachmentDescription): string | undefined =>
    "body" in end ? end.body : bodies.find((b) => Object.hasOwn(b.frames ?? {}, end.frame))?.name;
  const onBody = fc.tuple(fc.constantFrom(...carriers), placement).map(([body, at]): AttachmentDescription => ({ body, ...at }));
  const end = frames.length === 0 ? onBody : fc.oneof(onBody, fc.record({ frame: fc.constantFrom(...frames) }));
  const ends = fc.record({ from: end, to: end }).filter(({ from, to }) => carrierOf(from) !== carrierOf(to));
  const factor = positive.map((v) => v - 50).filter((v) => v !== 0);
  const fields: Record<string, fc.Arbitrary<unknown>> = {
    ...parameters,
    pitch: positive.map((v) => -v),
    freedoms: fc.subarray([...FREEDOMS], { maxLength: 5 }),
    length: positive,
    offset: coordinate,
    ...(single.length > 0 && {
      hinge: fc.constantFrom(...single),
      terms: fc.uniqueArray(fc.record({ hinge: fc.constantFrom(...single), factor }), { selector: (t) => t.hinge, minLength: 1 }),
      motion: fc.record(
        { offset: coordinate, rate: coordinate, amplitude: coordinate, frequency: coordinate, phase: coordinate },
        { requiredKeys: [] },
      ),
    }),
  };
  const possible = Object.values(LOOPS).filter((kind) =>
    kind.required.every((key) => key in fields || key === "from" || key === "to"),
  );
  const one = fc.constantFrom(...possible).chain(({ name, required, optional }) => {
    const own = (keys: readonly string[]) => Object.fromEntries(keys.flatMap((key) => (fields[key] ? [[key, fields[key]]] : [])));
    const record = fc.record({ kind: fc.constant(name), ...own(required), ...own(optional) }, {
      requiredKeys: ["kind", ...required.filter((key) => key in fields)],
    } as never);
    return required.includes("from") ? fc.tuple(record, ends).map(([a, b]) => ({ ...a, ...b })) : record;
  });
  return fc
    .array(one, { maxLength: 3 })
    .map((loops) => loops.map((loop, i) => ({ name: `(loop ${i})`, ...(loop as object) }) as LoopDescription));
};

const tree: fc.Arbitrary<ModelDescription> = fc
  .record({
    title: fc.string({ minLength: 1, maxLength: 20 }).filter((s) => /^[^\p{Cc}\u2028\u2029]+$/u.test(s)),
    names: fc.uniqueArray(name, { minLength: 1, maxLength: 8 }),
    gravity: fc.option(vec3, { nil: undefined }),
    seeds: fc.array(fc.record({ parent: fc.nat(), mass: positive, com: vec3, inertia, hinge, frame: placement, shape }), {
      minLength: 8,
      maxLength: 8,
    }),
  })
  .map(({ title, names, gravity, seeds }) => ({
    name: title,
    ...(gravity && { gravity }),
    bodies: names.map((name, i): BodyDescription => {
      const { parent, mass, com, inertia, hinge, frame, shape } = seeds[i]!;
      return {
        name,
        ...(i > 0 && parent % (i + 1) < i && { parent: names[parent % (i + 1)]! }),
        mass,
        com,
        inertia,
        hinge,
        ...(parent % 3 === 0 && { frames: { [`${name}-frame`]: frame } }),
        ...(parent % 2 === 0 && { shapes: [shape] }),
      };
    }),
  }));

export const description: fc.Arbitrary<ModelDescription> = tree.chain((model) =>
  loopsFor(model.bodies).map((loops) => (loops.length === 0 ? model : { ...model, loops })),
);
