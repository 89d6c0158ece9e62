/** Every mistake in a description is found, and the message contains the place, the problem and the advice. */
import { describe, expect, test } from "vitest";
import { describeProblem, ModelError } from "../../../src/errors.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { processorTime } from "../../fixtures/processor-time.ts";

const good = { name: "arm", parent: undefined, mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } };
const { parent: _, ...link } = good;
const free = { kind: "free" };

function problemsOf(description: unknown): ModelError {
  try {
    createModel(description as never);
  } catch (error) {
    expect(error).toBeInstanceOf(ModelError);
    expect((error as ModelError).cause).toBeUndefined();
    return error as ModelError;
  }
  throw new Error("no problem was found");
}

/** [title, fields that replace those of a good body, path below the body, text that the message must contain]. */
const ONE_BODY: readonly [string, object, string, RegExp][] = [
  ["no name", { name: undefined }, "name", /missing/],
  ["a number as name", { name: 5 }, "name", /must be text, got 5/],
  ["an empty name", { name: "" }, "name", /must not be empty/],
  ["a long name", { name: "x".repeat(101) }, "name", /at most 100 characters, this has 101/],
  ["the name of the world", { name: "world" }, "name", /"world" is reserved/],
  ["a dot in a name", { name: "a.b" }, "name", /must not contain any of/],
  ["a slash in a name", { name: "a/b" }, "name", /must not contain any of/],
  ["a bracket in a name", { name: "a[0]" }, "name", /must not contain any of/],
  ["a line end in a name", { name: "a\nb" }, "name", /control characters/],
  ["a null character in a name", { name: "a\0" }, "name", /control characters/],
  ["a name of JavaScript's", { name: "__proto__" }, "name", /reserved/],
  ["another name of JavaScript's", { name: "constructor" }, "name", /reserved/],
  ["yet another", { name: "prototype" }, "name", /reserved/],
  ["an unknown parent", { parent: "amr" }, "parent", /no body has this name, got "amr". Did you mean "arm"\?/],
  ["itself as parent", { parent: "arm" }, "parent", /cycle: arm -> arm/],
  ["a parent that is no name", { parent: 3 }, "parent", /must be the name of a body, got 3/],
  ["no mass", { mass: undefined }, "mass", /is missing/],
  ["text as mass", { mass: "heavy" }, "mass", /must be a number, got "heavy"/],
  ["NaN as mass", { mass: Number.NaN }, "mass", /finite number, got NaN/],
  ["infinite mass", { mass: Number.POSITIVE_INFINITY }, "mass", /finite number, got Infinity/],
  ["an absurd mass", { mass: 1e31 }, "mass", /at most 1e\+30 in size, got 1e\+31/],
  ["a bigint as mass", { mass: 5n }, "mass", /must be a number/],
  ["negative mass", { mass: -1 }, "mass", /must not be negative, got -1/],
  ["inertia without mass", { mass: 0 }, "mass", /must have mass.*inertia: "none"/],
  ["a hinge that moves no mass", { mass: 0, inertia: "none" }, "mass", /moves no mass/],
  ["a centre of two numbers", { com: [1, 2] }, "com", /must have 3 numbers, has 2/],
  ["NaN in the centre", { com: [0, Number.NaN, 0] }, "com[1]", /finite number, got NaN/],
  ["a hole in the centre", { com: Object.assign(new Array(3), { 0: 1, 2: 1 }) }, "com[1]", /is missing/],
  ["an object as centre", { com: { x: 1 } }, "com", /must be 3 numbers, got an object with keys x/],
  ["no inertia", { inertia: undefined }, "inertia", /is missing/],
  ["another word for no inertia", { inertia: "point" }, "inertia", /must be \[xx, yy, zz\].*got "point"/],
  ["four moments", { inertia: [1, 1, 1, 1] }, "inertia", /must be \[xx, yy, zz\], \[xx, yy, zz, xy, xz, yz\]/],
  [
    "a zero moment",
    { inertia: [1, 1, 0] },
    "inertia",
    /not positive definite: its eigenvalues are 0, 1, 1.*point mass write "none"/,
  ],
  ["a negative moment", { inertia: [1, -2, 3] }, "inertia", /eigenvalues are -2, 1, 3/],
  [
    "a tensor of rank 2",
    {
      inertia: [
        [1, 1, 0],
        [1, 1, 0],
        [0, 0, 1],
      ],
    },
    "inertia",
    /not positive definite/,
  ],
  ["large products of inertia", { inertia: [1, 1, 1, 2, 0, 0] }, "inertia", /eigenvalues are -1, 1, 3/],
  ["no moments at all", { inertia: [0, 0, 0] }, "inertia", /eigenvalues are 0, 0, 0/],
  [
    "an unsymmetric tensor",
    {
      inertia: [
        [1, 0.1, 0],
        [0.2, 1, 0],
        [0, 0, 1],
      ],
    },
    "inertia",
    /not symmetric: xy is 0.1 above the diagonal and 0.2 below/,
  ],
  [
    "a ragged tensor",
    {
      inertia: [
        [1, 0, 0],
        [0, 1],
        [0, 0, 1],
      ],
    },
    "inertia[1]",
    /must have 3 numbers, has 2/,
  ],
  ["text in a tensor", { inertia: [1, "2", 3] }, "inertia[1]", /must be a number/],
  ["no hinge", { hinge: undefined }, "hinge", /is missing/],
  ["a hinge that is a word", { hinge: "free" }, "hinge", /must be an object with keys, got "free"/],
  ["no kind", { hinge: {} }, "hinge.kind", /is missing. There are: fixed, revolute/],
  ["a mistyped kind", { hinge: { kind: "revolut" } }, "hinge.kind", /Did you mean "revolute"\?/],
  ["a kind of JavaScript's", { hinge: { kind: "constructor" } }, "hinge.kind", /no such kind of hinge/],
  ["a zero axis", { hinge: { kind: "revolute", axis: [0, 0, 0] } }, "hinge.axis", /must not be zero/],
  ["an axis that is no axis", { hinge: { kind: "revolute", axis: "w" } }, "hinge.axis", /x, y, z or three numbers, got "w"/],
  ["an infinite axis", { hinge: { kind: "revolute", axis: [0, 0, 1 / 0] } }, "hinge.axis[2]", /finite/],
  ["an axis of a free hinge", { hinge: { ...free, axis: "x" } }, "hinge.axis", /a free hinge has no axis/],
  ["a pitch of a revolute hinge", { hinge: { kind: "revolute", pitch: 1 } }, "hinge.pitch", /no pitch.*belongs to helical/],
  [
    "freedoms of a planar hinge",
    { hinge: { kind: "planar", freedoms: ["x"] } },
    "hinge.freedoms",
    /no freedoms.*belongs to general/,
  ],
  [
    "an unknown freedom",
    { hinge: { kind: "general", freedoms: ["x", "yaw"] } },
    "hinge.freedoms[1]",
    /no such freedom, got "yaw"/,
  ],
  ["a freedom twice", { hinge: { kind: "general", freedoms: ["x", "x"] } }, "hinge.freedoms[1]", /listed twice/],
  ["freedoms that are a word", { hinge: { kind: "general", freedoms: "x" } }, "hinge.freedoms", /must be a list of x, y, z/],
  ["a bad hinge name", { hinge: { ...free, name: "a.b" } }, "hinge.name", /must not contain/],
  ["an unknown key of a body", { masss: 1 }, "masss", /unknown key, got "masss". Did you mean "mass"\?/],
  ["an unknown key of a hinge", { hinge: { ...free, limits: 1 } }, "hinge.limits", /unknown key.*There are: name, kind/],
  [
    "an unknown key of a placement",
    { hinge: { ...free, onBody: { att: [0, 0, 0] } } },
    "hinge.onBody.att",
    /Did you mean "at"\?/,
  ],
  ["no rotation", { hinge: { ...free, rotation: {} } }, "hinge.rotation", /Give one of quaternion, matrix, rpy/],
  [
    "two rotations",
    { hinge: { ...free, rotation: { rpy: [0, 0, 0], quaternion: [1, 0, 0, 0] } } },
    "hinge.rotation",
    /given 2 times, as quaternion and rpy/,
  ],
  [
    "a long quaternion",
    { hinge: { ...free, rotation: { quaternion: [1, 1, 0, 0] } } },
    "hinge.rotation.quaternion",
    /norm 1, this has 1.41421.*\[0.707107, 0.707107, 0, 0\]/,
  ],
  [
    "a zero quaternion",
    { hinge: { ...free, rotation: { quaternion: [0, 0, 0, 0] } } },
    "hinge.rotation.quaternion",
    /this has 0/,
  ],
  [
    "a quaternion of three",
    { hinge: { ...free, rotation: { quaternion: [1, 0, 0] } } },
    "hinge.rotation.quaternion",
    /must have 4 numbers, has 3/,
  ],
  [
    "a skewed matrix",
    {
      hinge: {
        ...free,
        rotation: {
          matrix: [
            [1, 0.1, 0],
            [0, 1, 0],
            [0, 0, 1],
          ],
        },
      },
    },
    "hinge.rotation.matrix",
    /off orthonormal by 0.10/,
  ],
  [
    "a mirror",
    {
      hinge: {
        ...free,
        rotation: {
          matrix: [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, -1],
          ],
        },
      },
    },
    "hinge.rotation.matrix",
    /left-handed/,
  ],
  [
    "a matrix of two rows",
    {
      hinge: {
        ...free,
        rotation: {
          matrix: [
            [1, 0, 0],
            [0, 1, 0],
          ],
        },
      },
    },
    "hinge.rotation.matrix",
    /must have 3 rows, has 2/,
  ],
  ["text in an angle", { hinge: { ...free, rotation: { rpy: [0, "90 deg", 0] } } }, "hinge.rotation.rpy[1]", /must be a number/],
  ["a frame with a bad name", { frames: { "a.b": {} } }, 'frames["a.b"]', /must not contain/],
  [
    "a frame named as its body",
    { frames: { arm: {} } },
    "frames.arm",
    /the name is taken, got "arm". It is already used at bodies\[0\].name/,
  ],
  ["a frame that is a vector", { frames: { tip: [1, 2, 3] } }, "frames.tip", /must be an object/],
  ["a frame at NaN", { frames: { tip: { at: [0, 0, Number.NaN] } } }, "frames.tip.at[2]", /finite/],
  ["frames that are a list", { frames: [] }, "frames", /must be an object/],
  [
    "too many frames",
    { frames: Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`f${i}`, {}])) },
    "frames",
    /at most 1000 frames on a body, this has 1001/,
  ],
];

describe("one mistake in a body", () => {
  test.each(ONE_BODY)("%s", (_, fields, path, message) => {
    const error = problemsOf({ name: "m", bodies: [{ ...link, ...fields }] });
    expect(error.problems.map((p) => p.path)).toEqual([`bodies[0].${path}`]);
    expect(describeProblem(error.problems[0]!)).toMatch(message);
  });
});

const WHOLE: readonly [string, unknown, string, RegExp][] = [
  ["nothing", undefined, "", /is missing/],
  ["null", null, "", /must be an object with keys, got null/],
  ["a list", [], "", /must be an object/],
  ["no name", { bodies: [link] }, "name", /missing/],
  ["no bodies", { name: "m" }, "bodies", /is missing/],
  ["an empty list of bodies", { name: "m", bodies: [] }, "bodies", /at least one body/],
  ["a body that is nothing", { name: "m", bodies: [link, null] }, "bodies[1]", /must be an object/],
  ["a hole among the bodies", { name: "m", bodies: new Array(1) }, "bodies[0]", /is missing/],
  [
    "gravity as a number",
    { name: "m", gravity: -9.81, bodies: [link] },
    "gravity",
    /must be 3 numbers, or a world by name, got -9.81/,
  ],
  [
    "gravity of no world",
    { name: "m", gravity: "mon", bodies: [link] },
    "gravity",
    /world by name, got "mon".*Did you mean "moon"\?/,
  ],
  ["infinite gravity", { name: "m", gravity: [0, 0, -1 / 0], bodies: [link] }, "gravity[2]", /finite number, got -Infinity/],
  ["an unknown key", { name: "m", gravty: [0, 0, 0], bodies: [link] }, "gravty", /Did you mean "gravity"\?/],
  ["a name taken by a body", { name: "m", bodies: [link, { ...link, parent: "arm" }] }, "bodies[1].name", /the name is taken/],
  [
    "a name taken by a frame",
    { name: "m", bodies: [{ ...link, name: "a", frames: { arm: {} } }, link] },
    "bodies[1].name",
    /already used at bodies\[0\].frames.arm/,
  ],
  [
    "a hinge name taken",
    { name: "m", bodies: [link, { ...link, name: "b", hinge: { ...free, name: "arm" } }] },
    "bodies[1].hinge.name",
    /the name is taken/,
  ],
  [
    "a cycle",
    {
      name: "m",
      bodies: [
        link,
        { ...link, name: "a", parent: "c" },
        { ...link, name: "b", parent: "a" },
        { ...link, name: "c", parent: "b" },
        { ...link, name: "d", parent: "c" },
      ],
    },
    "bodies[1].parent",
    /the parents form a cycle: a -> c -> b -> a/,
  ],
  ["a million bodies", { name: "m", bodies: new Array(1e6).fill(0) }, "bodies", /at most 10000 bodies, this has 1000000/],
  [
    "a massless end",
    { name: "m", bodies: [link, { ...link, name: "e", parent: "arm", mass: 0, inertia: "none" }] },
    "bodies[1].mass",
    /moves no mass/,
  ],
];

describe("one mistake in a description", () => {
  test.each(WHOLE)("%s", (_, description, path, message) => {
    const used = processorTime();
    const error = problemsOf(description);
    expect(error.problems.map((p) => p.path)).toEqual([path]);
    expect(describeProblem(error.problems[0]!)).toMatch(message);
    expect(used()).toBeLessThan(1000);
  });
});

describe("many mistakes", () => {
  test("are all reported at once", () => {
    const { problems } = problemsOf({
      name: "",
      bodies: [
        { ...link, mass: -1, inertia: [0, 0, 0] },
        { name: "b", parent: "x", hinge: { kind: "y" } },
      ],
    });
    expect(problems.map((p) => p.path)).toEqual([
      "name",
      "bodies[0].mass",
      "bodies[0].inertia",
      "bodies[1].mass",
      "bodies[1].inertia",
      "bodies[1].hinge.kind",
      "bodies[1].parent",
    ]);
  });

  test("are counted if there are too many to print, and take little time", () => {
    const bodies = Array.from({ length: 10_000 }, (_, i) => ({
      ...link,
      name: `some-long-name-of-a-body-${i}`,
      parent: `nobody-of-that-name-${i}`,
    }));
    const used = processorTime();
    const error = problemsOf({ name: "m", bodies });
    expect(used()).toBeLessThan(5000);
    expect(error.problems).toHaveLength(10_000);
    expect(error.message).toMatch(/^m: 10000 problems\n/);
    expect(error.message).toMatch(/and 9950 more$/);
  });

  test("unknown keys of one object are counted too", () => {
    const { problems } = problemsOf({
      ...Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, 1])),
      name: "m",
      bodies: [link],
    });
    expect(problems).toHaveLength(21);
    expect(problems[20]).toMatchObject({ message: "80 more unknown keys" });
  });
});
