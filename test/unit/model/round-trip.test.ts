import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createModel } from "../../../src/model/build/create-model.ts";
import { describeModel } from "../../../src/model/build/describe-model.ts";
import { loopKinds } from "../../../src/model/loops/index.ts";
import { description } from "../../fixtures/models/arbitrary-model.ts";
import { expectSame } from "../../fixtures/models/same-model.ts";

describe("describeModel", () => {
  test("gives a description of the same model", () => {
    fc.assert(
      fc.property(description, (given) => expectSame(createModel(describeModel(createModel(given))), createModel(given))),
      {
        numRuns: 150,
      },
    );
  });

  test("the models have loops of every kind", () => {
    const models = fc.sample(description, { numRuns: 300, seed: 1 }).map(createModel);
    expect(new Set(models.flatMap(({ loops }) => loops.map(({ kind }) => kind)))).toEqual(new Set(Object.keys(loopKinds())));
  });

  test("leaves out defaults", () => {
    const given = { name: "m", bodies: [{ name: "a", mass: 1, inertia: [1, 2, 2], hinge: { kind: "free" } }] } as const;
    expect(describeModel(createModel(given))).toEqual(given);
  });
});
