import { afterAll, describe, expect, test } from "vitest";
import { ModelError } from "../../src/errors.ts";
import { parseModel } from "../../src/formats/model-file.ts";
import { ADVERSARIAL } from "../fixtures/adversarial-texts.ts";
import { processorTime } from "../fixtures/processor-time.ts";

const SIZE = 50_000;
/** Processor time in milliseconds. A linear parser needs a tenth of it; a quadratic one, or one that reads 15 MB to the end, ten times as much. */
const MOST = 3000;

function refusal(text: string): ModelError {
  const used = processorTime();
  try {
    parseModel(text);
  } catch (error) {
    expect(used()).toBeLessThan(MOST);
    expect(error).toBeInstanceOf(ModelError);
    return error as ModelError;
  }
  throw new Error("the text was accepted");
}

test.each(Object.entries(ADVERSARIAL))("%s are refused quickly, with a message of limited length", (_, make) => {
  const { message, problems } = refusal(make(SIZE));
  expect(message.length).toBeLessThan(20_000);
  expect(problems.every((p) => p.message.length < 300)).toBe(true);
});

describe("of any length", () => {
  test.each(["open brackets", "open braces", "dashes on a line", "closing brackets", "a staircase of keys"])(
    "%s are refused at once",
    (name) => {
      refusal(ADVERSARIAL[name]!(15e6).slice(0, 16e6));
    },
  );

  test("more than 16 MiB are not parsed", () => {
    const text = " ".repeat(16 * 2 ** 20 + 1);
    expect(() => parseModel(text, "big.yaml")).toThrow("big.yaml: 1 problem\n  is larger than 16 MiB");
  });
});

afterAll(() => expect(Object.keys(Object.prototype)).toEqual([]));
