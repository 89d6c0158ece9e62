import { expect, test } from "vitest";
import { modelJsonSchema } from "../../src/formats/schema.ts";

test("the committed JSON Schema is up to date (vitest -u writes it)", async () => {
  await expect(modelJsonSchema()).toMatchFileSnapshot("../../schema/model.schema.json");
});
