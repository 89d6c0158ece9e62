/** Any text as a scenario file gives a scenario or a ModelError, in bounded time and without side effects. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { ModelError } from "../../src/errors.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import { type Override, parseOverride } from "../../src/scenario/override.ts";
import { prepareScenario } from "../../src/scenario/prepare.ts";
import { anyValue, replaceSomewhere } from "../fixtures/models/mutations.ts";
import { PENDULUM } from "../fixtures/models/pendulum.ts";
import { processorTime } from "../fixtures/processor-time.ts";

/** Maximum processor time of one case, ms; a normal case takes a few. */
const SOON = 2000;

function attempt(text: string, overrides: readonly Override[] = []): void {
  const used = processorTime();
  try {
    const scenario = loadScenario(text, "fuzz", { overrides });
    expect(Number.isFinite(scenario.duration / scenario.sample)).toBe(true);
    prepareScenario(scenario);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    expect(error.problems.length).toBeGreaterThan(0);
    expect(error.message.length).toBeLessThan(100_000);
  }
  expect(used()).toBeLessThan(SOON);
}

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

const PIECES =
  "model: |duration: |integrator: |forces: |controllers: |devices: |state: |channels: |plots: |stop: |audit: |kind: |hinge-spring|friction|name: |step: |q.rod < 0|q.*|*|1e300|-1|0|.nan|rod|motor|__proto__: |constructor|- |  |{|}|[|]|, |: |&a |*a|!!t |\"|'|#|---\n|\n|\t|\0|5 kg|90 deg|null|true".split(
    "|",
  );
const piece = fc.constantFrom(...PIECES);
const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), length: fc.nat(12), text: piece });

const edited = (text: string, edits: readonly { at: number; length: number; text: string }[]): string =>
  edits.reduce((t, { at, length, text: inserted }) => {
    const start = Math.floor(at * t.length);
    return t.slice(0, start) + inserted + t.slice(start + length);
  }, text);

describe("any scenario file", () => {
  test("made of pieces of scenarios", () => {
    const texts = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(fc.oneof(texts, fc.string({ unit: "binary" })), (text) => attempt(text)),
      { numRuns: 300 },
    );
  });

  test("made from a valid one by edits", () => {
    const edits = fc.array(edit, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(edits, (changes) => attempt(edited(PENDULUM, changes))),
      { numRuns: 250 },
    );
  });

  test("with any values, as JSON and as YAML", () => {
    const good = parse(PENDULUM) as unknown;
    const property = fc.property(fc.nat(), anyValue, (place, replacement) => {
      const value = replaceSomewhere(good, place, replacement);
      for (const write of [JSON.stringify, stringify]) {
        let text: string | undefined;
        try {
          text = write(value);
        } catch {
          continue; // a bigint has no JSON, a key that is a symbol no YAML
        }
        if (text !== undefined) attempt(text);
      }
    });
    fc.assert(property, { numRuns: 200 });
  });

  test("with any change from the command line", () => {
    const path = fc.array(fc.constantFrom(...PATHS), { minLength: 1, maxLength: 5 }).map((parts) => parts.join("."));
    const value = fc.oneof(piece, fc.json(), fc.string());
    const property = fc.property(path, value, (at, text) => {
      let override: Override;
      try {
        override = parseOverride(`${at}=${text}`);
      } catch (error) {
        expect(error).toBeInstanceOf(ModelError);
        return;
      }
      attempt(PENDULUM, [override]);
    });
    fc.assert(property, { numRuns: 300 });
  });

  test("of the repository, with any values", () => {
    const good = parse(readFileSync("scenarios/dumbbell-in-orbit/scenario.yaml", "utf8")) as Record<string, unknown>;
    const model = parse(readFileSync("scenarios/dumbbell-in-orbit/model.yaml", "utf8")) as Record<string, unknown>;
    delete model.castor;
    const property = fc.property(fc.nat(), anyValue, (place, replacement) => {
      const text = JSON.stringify(replaceSomewhere({ ...good, model }, place, replacement), (_, v) =>
        typeof v === "bigint" ? 1 : v,
      );
      attempt(text ?? "null");
    });
    fc.assert(property, { numRuns: 100 });
  });
});

const PATHS =
  "model,bodies,rod,0,hinge,mass,forces,damper,damping,controllers,hold,hinges,kp,integrator,name,step,duration,sample,state,q,plots,Angle,__proto__,constructor,x y,".split(
    ",",
  );
