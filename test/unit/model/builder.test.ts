import { describe, expect, test } from "vitest";
import { createModel } from "../../../src/model/build/create-model.ts";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import type { BodyDescription } from "../../../src/model/description.ts";

const link: BodyDescription = { name: "link", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } };

describe("buildModel", () => {
  test("gives the same as createModel", () => {
    const built = buildModel("m")
      .frame("hand", "link", { at: [1, 0, 0] })
      .gravity([0, 0, -1])
      .body(link)
      .frame("eye", "link")
      .build();
    const frames = { hand: { at: [1, 0, 0] as const }, eye: {} };
    const created = createModel({ name: "m", gravity: [0, 0, -1], bodies: [{ ...link, frames }] });
    expect(JSON.stringify(built)).toBe(JSON.stringify(created));
  });

  test("builders can share their first steps", () => {
    const base = buildModel("m").body(link);
    expect(base.body({ ...link, name: "other" }).build().bodies).toHaveLength(2);
    expect(base.build().bodies).toHaveLength(1);
  });

  test.each([
    [
      "a frame on no body",
      buildModel("m").body(link).frame("hand", "lnk"),
      /frames.hand: no body has this name, got "lnk". Did you mean "link"\?/,
    ],
    ["a frame twice", buildModel("m").body(link).frame("hand", "link").frame("hand", "link"), /frames.hand: the name is taken/],
    [
      "a frame of a bad name",
      buildModel("m").body(link).frame("__proto__", "link"),
      /bodies\[0\].frames.__proto__: "__proto__" is reserved/,
    ],
    [
      "a bad body and a bad frame",
      buildModel("m")
        .body({ ...link, mass: -1 })
        .frame("a", "b"),
      /2 problems.*frames.a.*bodies\[0\].mass/s,
    ],
    [
      "an elastic body without the code of elastic bodies",
      buildModel("m").body({ name: "rod", elastic: { length: 1 }, hinge: { kind: "fixed" } } as never),
      /bodies\[0\].elastic: buildModel has no elastic bodies. Use buildElasticModel instead of buildModel/,
    ],
    [
      "a body that is nothing",
      buildModel("m")
        .body(null as never)
        .frame("a", "b"),
      /frames.a/,
    ],
  ])("%s", (_, builder, message) => {
    expect(() => builder.build()).toThrow(message);
  });
});
