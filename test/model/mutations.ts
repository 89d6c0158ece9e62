/** Values of every type, and changes at a place of a value, for tests that try to break the reading of descriptions. */
import fc from "fast-check";

const HOSTILE_KEYS = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "length",
  "name",
  "bodies",
  "hinge",
  "mass",
  "loops",
  "kind",
  "from",
];

/** Any JavaScript value, often with keys that pollute or that a description has. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({
    withNullPrototype: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
    withBigInt: true,
  }),
  fc.anything({ key: fc.oneof(fc.constantFrom(...HOSTILE_KEYS), fc.string()), maxDepth: 4 }),
  fc.constantFrom<unknown>(
    Number.NaN,
    1 / 0,
    -1 / 0,
    1e31,
    1e308,
    5e-324,
    -0,
    "",
    "x",
    "none",
    "world",
    null,
    undefined,
    [],
    {},
    [[]],
    [1, 2, 3],
  ),
  fc.json().map((text) => JSON.parse(text) as unknown),
);

/** A copy of the value with the place of that number, counted depth first, replaced. */
export function replaceSomewhere(value: unknown, place: number, replacement: unknown): unknown {
  let left = place % countParts(value);
  const copy = (part: unknown): unknown => {
    if (left-- === 0) return replacement;
    if (Array.isArray(part)) return part.map(copy);
    if (!isPlain(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, copy(inner)]));
  };
  return copy(value);
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));

function countParts(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((n, part) => n + countParts(part), 1);
  return isPlain(value) ? Object.values(value).reduce<number>((n, part) => n + countParts(part), 1) : 1;
}
