/** Any file gives a model or a ModelError in a short time, and has no other effect. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { ModelError } from "../../src/errors.ts";
import { parseModel } from "../../src/formats/model-file.ts";
import { parseState } from "../../src/formats/state-file.ts";
import { description } from "../fixtures/models/arbitrary-model.ts";
import { anyValue, replaceSomewhere } from "../fixtures/models/mutations.ts";
import { processorTime } from "../fixtures/processor-time.ts";

const MODEL = readFileSync("scenarios/satellite-manipulator/model.yaml", "utf8");
const STATE = readFileSync("scenarios/satellite-manipulator/state.yaml", "utf8");
const LOOPED = readFileSync("docs/model-format.md", "utf8").match(/title="four-bar.yaml"\n([\s\S]*?)```/)![1]!;
const satellite = parseModel(MODEL);

/** Processor time limit of one case in milliseconds; a case takes a few. */
const SOON = 2000;

function attempt(parse: () => unknown): void {
  const used = processorTime();
  try {
    parse();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    expect(error.cause).toBeUndefined();
    expect(error.problems.length).toBeGreaterThan(0);
    expect(error.problems.every((p) => p.line === undefined || p.line > 0)).toBe(true);
  }
  expect(used()).toBeLessThan(SOON);
}

const readAnything = (text: string): void => {
  attempt(() => parseModel(text));
  attempt(() => parseState(text, satellite));
};

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

/** Fragments of YAML, so that texts are not refused at the first character. */
const piece = fc.constantFrom(
  ..."name: |bodies:|mass: |hinge: |kind: |inertia: |q: |u: |tau: |__proto__: |constructor: |loops: |from: |to: |body: |terms: |motion: |free|none|- |  |    |{|}|[|]|, |: |? |&a |*a|!t |!!map |!!float |<<: |\"|'|\\|#|%YAML 1.1\n|---\n|...\n|\n|\t|\r|\0|\ufeff|\u2028|1|-2.5e3|.nan|.inf|0x1F|5 kg|90 deg|null|~|true".split(
    "|",
  ),
  "|\n",
  ">\n",
);

/** One random change of a text: a piece is removed, repeated, inserted or replaced. */
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(12),
  what: fc.constantFrom("delete", "duplicate", "insert", "replace"),
  text: fc.oneof(piece, fc.string({ unit: "binary", maxLength: 4 })),
});

function edited(text: string, edits: readonly { at: number; length: number; what: string; text: string }[]): string {
  return edits.reduce((t, { at, length, what, text: piece }) => {
    const start = Math.floor(at * t.length);
    const removed = what === "delete" || what === "replace" ? length : 0;
    const inserted =
      what === "insert" || what === "replace" ? piece : what === "duplicate" ? t.slice(start, start + 4 * length) : "";
    return t.slice(0, start) + inserted + t.slice(start + removed);
  }, text);
}

const edits = fc.array(edit, { minLength: 1, maxLength: 5 });

describe("any file", () => {
  test("of any text", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.json()), readAnything), { numRuns: 300 });
  });

  test("of pieces of YAML", () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join("")),
        readAnything,
      ),
      { numRuns: 600 },
    );
  });

  test("from a valid model with random changes", () => {
    fc.assert(
      fc.property(edits, (changes) => attempt(() => parseModel(edited(MODEL, changes)))),
      { numRuns: 250 },
    );
  });

  test("from a valid model with loops, with random changes", () => {
    expect(parseModel(LOOPED).loops.length).toBeGreaterThan(1);
    fc.assert(
      fc.property(edits, (changes) => attempt(() => parseModel(edited(LOOPED, changes)))),
      { numRuns: 400 },
    );
  });

  test("from a valid state with random changes", () => {
    fc.assert(
      fc.property(edits, (changes) => attempt(() => parseState(edited(STATE, changes), satellite))),
      { numRuns: 300 },
    );
  });

  test("with any values in a model, as YAML and as JSON", () => {
    const property = fc.property(description, fc.nat(), anyValue, (given, place, replacement) => {
      const value = replaceSomewhere(given, place, replacement);
      const asText = (write: (v: unknown) => string | undefined): string | undefined => {
        try {
          return write(value);
        } catch {
          return undefined; // a bigint has no JSON, a key that is a symbol no YAML
        }
      };
      for (const text of [asText(JSON.stringify), asText(stringify)]) if (text !== undefined) readAnything(text);
    });
    fc.assert(property, { numRuns: 120 });
  });
});
