/** Valid model descriptions for property tests: any tree, any hinges, any placements. */
import fc from "fast-check";
import type { BodyDescription, HingeDescription, ModelDescription, PlacementDescription } from "../../src/model/description.ts";
import { FREEDOMS } from "../../src/model/hinges/general.ts";
import { HINGES, type HingeKindName } from "../../src/model/hinges/index.ts";
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
const parameters: Record<string, fc.Arbitrary<unknown>> = { axis, pitch: coordinate, freedoms: fc.subarray([...FREEDOMS]) };

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

const name = fc
  .stringMatching(/^[A-Za-z][A-Za-z0-9 _-]{0,8}$/)
  .filter((n) => !["world", "gravity", "constructor", "prototype"].includes(n));

export const description: fc.Arbitrary<ModelDescription> = fc
  .record({
    title: fc.string({ minLength: 1, maxLength: 20 }).filter((s) => /^[^\p{Cc}\u2028\u2029]+$/u.test(s)),
    names: fc.uniqueArray(name, { minLength: 1, maxLength: 8 }),
    gravity: fc.option(vec3, { nil: undefined }),
    seeds: fc.array(fc.record({ parent: fc.nat(), mass: positive, com: vec3, inertia, hinge, frame: placement }), {
      minLength: 8,
      maxLength: 8,
    }),
  })
  .map(({ title, names, gravity, seeds }) => ({
    name: title,
    ...(gravity && { gravity }),
    bodies: names.map((name, i): BodyDescription => {
      const { parent, mass, com, inertia, hinge, frame } = seeds[i]!;
      return {
        name,
        ...(i > 0 && parent % (i + 1) < i && { parent: names[parent % (i + 1)]! }),
        mass,
        com,
        inertia,
        hinge,
        ...(parent % 3 === 0 && { frames: { [`${name}-frame`]: frame } }),
      };
    }),
  }));
