/** Playback speeds: a run of any duration plays in 5 to 15 s, and a user can type any speed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { automaticSpeed, parseSpeed, speedChoices } from "../../../studio/src/run/playback-speed.ts";

describe("the automatic speed", () => {
  it("plays a run of any duration in 5 to 15 s", () => {
    fc.assert(
      fc.property(fc.double({ min: -12, max: 12, noNaN: true }), (exponent) => {
        const duration = 10 ** exponent;
        const shown = duration / automaticSpeed(duration);
        expect(shown).toBeGreaterThanOrEqual(5);
        expect(shown).toBeLessThanOrEqual(15);
      }),
      { numRuns: 2000 },
    );
  });

  it("is real time where that does, and a round number otherwise", () => {
    expect([5, 9.3, 15].map(automaticSpeed)).toEqual([1, 1, 1]);
    expect([0.05, 4, 30, 14_400].map(automaticSpeed)).toEqual([0.005, 0.5, 5, 2000]);
    expect([0, -1, Number.NaN].map(automaticSpeed)).toEqual([1, 1, 1]);
  });

  it("is among its choices, with real time", () => {
    for (const speed of [0.005, 0.5, 1, 20, 2000]) {
      const choices = speedChoices(speed);
      expect(choices).toContain(speed);
      expect(choices).toContain(1);
      expect([...choices].sort((a, b) => a - b)).toEqual(choices);
      expect(choices.length).toBeLessThan(18);
    }
  });
});

it("reads a typed speed, and refuses what is none", () => {
  expect(["0.3", " 2x", "1/8", "5 ×", "1e3"].map(parseSpeed)).toEqual([0.3, 2, 0.125, 5, 1000]);
  expect(["", "-1", "0", "fast", "1/0", "1e99", "2 3"].map(parseSpeed)).toEqual(Array(7).fill(undefined));
});
