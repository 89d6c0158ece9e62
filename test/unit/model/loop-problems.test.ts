/** Every mistake in a loop is found, and the message contains the place, the problem and the advice. */
import { describe, expect, test } from "vitest";
import { describeProblem, ModelError } from "../../../src/errors.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { processorTime } from "../../fixtures/processor-time.ts";

const link = { mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } };
const BODIES = [
  { ...link, name: "arm", frames: { hand: { at: [1, 0, 0] } } },
  { ...link, name: "leg", hinge: { kind: "prismatic", name: "knee" } },
  { ...link, name: "hull", hinge: { kind: "free" } },
  { ...link, name: "ball", hinge: { kind: "spherical" } },
  { ...link, name: "weld", hinge: { kind: "fixed" } },
  { ...link, name: "table", hinge: { kind: "general", freedoms: ["x", "y", "rx", "ry", "rz"] } },
];
const ENDS = { from: { body: "arm" }, to: { body: "leg" } };

function problemsOf(loops: unknown, bodies: unknown = BODIES): ModelError {
  try {
    createModel({ name: "m", bodies, loops } as never);
  } catch (error) {
    expect(error).toBeInstanceOf(ModelError);
    expect((error as ModelError).cause).toBeUndefined();
    return error as ModelError;
  }
  throw new Error("no problem was found");
}

type Mistakes = readonly [string, object, string, RegExp][];

/** [title, fields that replace those of a good pin, path below the loop, text that the message must contain]. */
const PIN: Mistakes = [
  ["no name", { name: undefined }, "name", /the name is missing/],
  ["a number as name", { name: 3 }, "name", /must be text, got 3/],
  ["a dot in a name", { name: "a.b" }, "name", /must not contain any of/],
  ["the name of the world", { name: "world" }, "name", /reserved/],
  ["the name of a body", { name: "arm" }, "name", /the name is taken, got "arm". It is already used at bodies\[0\].name/],
  ["the name of a frame", { name: "hand" }, "name", /already used at bodies\[0\].frames.hand/],
  ["the name of a hinge", { name: "knee" }, "name", /already used at bodies\[1\].hinge.name/],
  ["no kind", { kind: undefined }, "kind", /is missing. There are: fixed, revolute/],
  ["a mistyped kind", { kind: "revolut" }, "kind", /no such kind of loop, got "revolut". Did you mean "revolute"\?/],
  ["a kind of JavaScript's", { kind: "constructor" }, "kind", /no such kind of loop/],
  ["a kind that is no text", { kind: 5 }, "kind", /no such kind of loop, got 5/],
  ["a hinge that blocks nothing", { kind: "free" }, "kind", /a free hinge blocks nothing, got "free". Leave the loop out/],
  [
    "a general hinge that blocks nothing",
    { kind: "general", freedoms: ["x", "y", "z", "rx", "ry", "rz"] },
    "freedoms",
    /with all six freedoms it blocks nothing, got .*Free fewer/,
  ],
  ["an unknown key", { stiffness: 5 }, "stiffness", /unknown key/],
  ["a mistyped key", { axes: "x" }, "axes", /unknown key, got "axes". Did you mean "axis"\?/],
  [
    "a key of another kind",
    { length: 1 },
    "length",
    /a revolute loop has no length, got 1. Leave it out; it belongs to distance/,
  ],
  ["a pitch without screw", { pitch: 1 }, "pitch", /a revolute loop has no pitch.*belongs to helical/],
  ["freedoms of another hinge", { freedoms: ["x"] }, "freedoms", /a revolute loop has no freedoms.*belongs to general/],
  ["terms of a pin", { terms: [] }, "terms", /a revolute loop has no terms.*belongs to coupling/],
  ["a hinge of a pin", { hinge: "arm" }, "hinge", /a revolute loop has no hinge.*belongs to prescribed/],
  ["a zero axis", { axis: [0, 0, 0] }, "axis", /must not be zero/],
  ["an axis that is no axis", { axis: "w" }, "axis", /must be x, y, z or three numbers/],
  ["an unknown freedom", { kind: "general", freedoms: ["yaw"] }, "freedoms[0]", /no such freedom, got "yaw"/],
  ["a screw without pitch", { kind: "helical" }, "pitch", /a helical loop needs a pitch of at least 1e-9.*use revolute/],
  ["a screw of no pitch", { kind: "helical", pitch: 0 }, "pitch", /needs a pitch of at least 1e-9 m\/rad in size, got 0/],
  ["a screw of hardly any pitch", { kind: "helical", pitch: -1e-12 }, "pitch", /needs a pitch of at least 1e-9/],
  ["text as pitch", { kind: "helical", pitch: "1 mm/rev" }, "pitch", /must be a number/],
  ["no first end", { from: undefined }, "from", /is missing/],
  ["no second end", { to: undefined }, "to", /is missing/],
  ["an end that is a name", { to: "leg" }, "to", /must be an object with keys, got "leg"/],
  ["an end on nothing", { to: { at: [0, 0, 0] } }, "to", /names neither a body nor a frame. Give body/],
  ["an unknown body", { to: { body: "lge" } }, "to.body", /no body has this name, got "lge". Did you mean "leg"\?/],
  ["a body that is no name", { to: { body: 1 } }, "to.body", /must be the name of a body, got 1/],
  ["a body of JavaScript's", { to: { body: "__proto__" } }, "to.body", /no body has this name/],
  ["a frame as body", { to: { body: "hand" } }, "to.body", /no body has this name, got "hand". It is a frame: write frame: hand/],
  ["an unknown frame", { from: { frame: "hnad" } }, "from.frame", /no frame has this name, got "hnad". Did you mean "hand"\?/],
  ["a body as frame", { to: { frame: "leg" } }, "to.frame", /no frame has this name.*It is a body: write body: leg/],
  ["a frame that is no name", { from: { frame: {} } }, "from.frame", /must be the name of a frame/],
  [
    "a frame that is moved",
    { from: { frame: "hand", at: [1, 0, 0] } },
    "from.at",
    /a named frame has its own placement.*Leave this out/,
  ],
  ["a frame that is turned", { from: { frame: "hand", rotation: { rpy: [0, 0, 0] } } }, "from.rotation", /has its own placement/],
  ["a frame and its body", { from: { frame: "hand", body: "arm" } }, "from.body", /has its own placement, got "arm"/],
  ["an unknown key of an end", { to: { body: "leg", att: [0, 0, 0] } }, "to.att", /Did you mean "at"\?/],
  ["NaN in an end", { to: { body: "leg", at: [0, Number.NaN, 0] } }, "to.at[1]", /finite number/],
  ["a bad rotation", { to: { body: "leg", rotation: {} } }, "to.rotation", /Give one of/],
  [
    "both ends on a body",
    { to: { body: "arm", at: [1, 0, 0] } },
    "to.body",
    /both ends are on the same body, got "arm". Attach one/,
  ],
  ["both ends on a body, one by a frame", { to: { frame: "hand" } }, "to.frame", /both ends are on the same body, got "hand"/],
  [
    "both ends on the world",
    { from: { body: "world" }, to: { body: "world" } },
    "to.body",
    /both ends are on the world, got "world"/,
  ],
];

describe("one mistake in a pin", () => {
  test.each(PIN)("%s", (_, fields, path, message) => {
    const error = problemsOf([{ name: "pin", kind: "revolute", ...ENDS, ...fields }]);
    expect(error.problems.map((p) => p.path)).toEqual([`loops[0].${path}`]);
    expect(describeProblem(error.problems[0]!)).toMatch(message);
  });
});

const COUPLING = { kind: "coupling", terms: [{ hinge: "arm", factor: 1 }] };
const term = (hinge: unknown, factor: unknown = 1): object => ({ ...COUPLING, terms: [{ hinge, factor }] });

/** [title, the loop without its name, path below the loop, text that the message must contain]. */
const OTHERS: Mistakes = [
  ["a rod without length", { kind: "distance", ...ENDS }, "length", /is missing/],
  ["a rod of no length", { kind: "distance", length: 0, ...ENDS }, "length", /must be positive, got 0.*use a spherical hinge/],
  ["a rod of negative length", { kind: "distance", length: -1, ...ENDS }, "length", /must be positive, got -1/],
  ["a rod of hardly any length", { kind: "distance", length: 1e-12, ...ENDS }, "length", /must be at least 1e-9 m, got 1e-12/],
  ["a rod of infinite length", { kind: "distance", length: 1 / 0, ...ENDS }, "length", /finite/],
  ["a rod with an axis", { kind: "distance", length: 1, axis: "x", ...ENDS }, "axis", /a distance loop has no axis/],
  ["a guide without ends", { kind: "point-on-line", from: ENDS.from }, "to", /is missing/],
  ["a guide with a zero axis", { kind: "point-on-line", axis: [0, 0, 0], ...ENDS }, "axis", /must not be zero/],
  ["a plane without normal", { kind: "point-on-plane", axis: null, ...ENDS }, "axis", /must be x, y, z or three numbers/],
  ["a coupling without terms", { kind: "coupling" }, "terms", /is missing/],
  ["a coupling of nothing", { kind: "coupling", terms: [] }, "terms", /needs at least one term/],
  ["terms that are no list", { kind: "coupling", terms: { hinge: "arm" } }, "terms", /must be a list of terms/],
  ["too many terms", { kind: "coupling", terms: new Array(1001).fill(0) }, "terms", /at most 1000 terms, this has 1001/],
  ["a term that is a name", { kind: "coupling", terms: ["arm"] }, "terms[0]", /must be an object/],
  ["a hole among the terms", { kind: "coupling", terms: new Array(1) }, "terms[0]", /is missing/],
  ["a term of no hinge", term(undefined), "terms[0].hinge", /is missing/],
  ["a term of a number", term(4), "terms[0].hinge", /must be the name of a hinge, got 4/],
  ["a term of an unknown hinge", term("kene"), "terms[0].hinge", /no hinge has this name, got "kene". Did you mean "knee"\?/],
  ["a body whose hinge has another name", term("leg"), "terms[0].hinge", /no hinge has this name/],
  ["a hinge of JavaScript's", term("constructor"), "terms[0].hinge", /no hinge has this name/],
  ["a term of a free hinge", term("hull"), "terms[0].hinge", /a free hinge has no single coordinate, got "hull"/],
  ["a position of a free hinge", term("hull.x"), "terms[0].hinge", /a free hinge has no single coordinate/],
  ["a term of a spherical hinge", term("ball.qw"), "terms[0].hinge", /a spherical hinge has no single coordinate/],
  ["a term of a fixed hinge", term("weld"), "terms[0].hinge", /a fixed hinge has no freedom/],
  ["a hinge of several freedoms", term("table"), "terms[0].hinge", /has several freedoms.*Name one of them: table.x, table.y/],
  ["a quaternion of a hinge", term("table.qx"), "terms[0].hinge", /is a component of a quaternion.*There are: table.x, table.y/],
  [
    "an unknown freedom of a hinge",
    term("table.z"),
    "terms[0].hinge",
    /no such freedom, got "table.z". Did you mean "table.x"\?/,
  ],
  ["a part of a hinge of one freedom", term("arm.rz"), "terms[0].hinge", /no such freedom, got "arm.rz".*arm/],
  ["no factor", { kind: "coupling", terms: [{ hinge: "arm" }] }, "terms[0].factor", /is missing/],
  ["a zero factor", term("arm", 0), "terms[0].factor", /must not be zero, got 0. Leave the term out/],
  ["text as factor", term("arm", "2"), "terms[0].factor", /must be a number/],
  [
    "an unknown key of a term",
    { kind: "coupling", terms: [{ hinge: "arm", factr: 1, factor: 1 }] },
    "terms[0].factr",
    /"factor"\?/,
  ],
  [
    "a coordinate twice",
    { kind: "coupling", terms: [...COUPLING.terms, { hinge: "knee", factor: 1 }, { hinge: "arm", factor: 2 }] },
    "terms[2].hinge",
    /the coordinate is listed twice, got "arm". It is already in loops\[0\].terms\[0\]; add the factors/,
  ],
  ["text as offset", { ...COUPLING, offset: "1" }, "offset", /must be a number/],
  ["ends of a coupling", { ...COUPLING, from: ENDS.from }, "from", /a coupling loop has no from.*it belongs to fixed, revolute/],
  ["a drive of nothing", { kind: "prescribed", motion: {} }, "hinge", /is missing/],
  ["a drive of an unknown hinge", { kind: "prescribed", hinge: "ar", motion: {} }, "hinge", /no hinge has this name/],
  [
    "a drive of a free hinge",
    { kind: "prescribed", hinge: "hull.x", motion: {} },
    "hinge",
    /a free hinge has no single coordinate/,
  ],
  ["a drive without motion", { kind: "prescribed", hinge: "arm" }, "motion", /is missing/],
  ["a motion that is a number", { kind: "prescribed", hinge: "arm", motion: 1 }, "motion", /must be an object/],
  [
    "an unknown part of a motion",
    { kind: "prescribed", hinge: "arm", motion: { rat: 1 } },
    "motion.rat",
    /Did you mean "rate"\?/,
  ],
  ["NaN as rate", { kind: "prescribed", hinge: "arm", motion: { rate: Number.NaN } }, "motion.rate", /finite/],
  ["an offset beside the motion", { kind: "prescribed", hinge: "arm", motion: {}, offset: 1 }, "offset", /belongs to coupling/],
];

describe("one mistake in another loop", () => {
  test.each(OTHERS)("%s", (_, loop, path, message) => {
    const error = problemsOf([{ name: "loop", ...loop }]);
    expect(error.problems.map((p) => p.path)).toEqual([`loops[0].${path}`]);
    expect(describeProblem(error.problems[0]!)).toMatch(message);
  });
});

const PINNED = { name: "pin", kind: "revolute", ...ENDS };
const DRIVEN = { name: "drive", kind: "prescribed", hinge: "arm", motion: {} };

describe("loops", () => {
  test.each<[string, unknown, string, RegExp]>([
    ["that are no list", { pin: PINNED }, "loops", /must be a list of loops/],
    ["that are null", null, "loops", /must be a list of loops/],
    ["with a hole", new Array(1), "loops[0]", /is missing/],
    ["that are a word", ["pin"], "loops[0]", /must be an object/],
    ["of one name", [PINNED, { ...DRIVEN, name: "pin" }], "loops[1].name", /the name is taken.*already used at loops\[0\].name/],
    ["too many", new Array(10_001).fill(PINNED), "loops", /at most 10000 loops, this has 10001/],
  ])("%s", (_, loops, path, message) => {
    const error = problemsOf(loops);
    expect(error.problems.map((p) => p.path)).toEqual([path]);
    expect(describeProblem(error.problems[0]!)).toMatch(message);
  });

  test("and bodies have all their problems reported at once", () => {
    const bodies = [
      { ...BODIES[0], mass: -1 },
      { ...BODIES[1], hinge: { kind: "wheel", name: "knee" } },
      { ...BODIES[2], parent: "ball" },
      { ...BODIES[3], parent: "hull" },
    ];
    const loops = [
      { name: "a.b", kind: "distance", from: { body: "arn" }, to: { frame: "hnd" } },
      { ...DRIVEN, hinge: "knee" },
      { ...DRIVEN, hinge: "ankle" },
      { ...PINNED, to: { body: "hull" } },
    ];
    const paths = problemsOf(loops, bodies).problems.map((p) => p.path);
    expect(paths.sort()).toEqual([
      "bodies[0].mass",
      "bodies[1].hinge.kind",
      "bodies[2].parent",
      "loops[0].from.body",
      "loops[0].length",
      "loops[0].name",
      "loops[0].to.frame",
      "loops[2].hinge",
      "loops[2].name",
    ]);
  });

  test("many loops with problems take little time", () => {
    const bodies = Array.from({ length: 2_000 }, (_, i) => ({ ...link, name: `some-long-name-of-a-body-${i}` }));
    const wrong = (i: number): object =>
      i % 2 === 0
        ? { ...PINNED, name: `l${i}`, from: { body: `nobody-of-that-name-${i}` }, to: { frame: `no-frame-of-that-name-${i}` } }
        : { ...DRIVEN, name: `l${i}`, hinge: `no-hinge-of-that-name-${i}` };
    const used = processorTime();
    const error = problemsOf(
      Array.from({ length: 10_000 }, (_, i) => wrong(i)),
      bodies,
    );
    expect(used()).toBeLessThan(5000);
    expect(error.problems).toHaveLength(15_000);
  });

  test("ten thousand are accepted", () => {
    const loops = Array.from({ length: 10_000 }, (_, i) => ({ ...PINNED, name: `l${i}` }));
    expect(createModel({ name: "m", bodies: BODIES, loops } as never).loops).toHaveLength(10_000);
  });
});
