import { describe, expect, it } from "vitest";
import { createProgress } from "../../../src/cli/text/progress-bar.ts";
import { durationText } from "../../../src/report/numbers.ts";

describe("the progress of a run", () => {
  const shownAfter = (times: readonly (readonly [ms: number, part: number])[]): string[] => {
    const shown: string[] = [];
    let now = 0;
    const progress = createProgress({ width: 80, status: (text) => void shown.push(text) }, () => now);
    for (const [ms, part] of times) {
      now = ms;
      progress.show(part, "1.5 s");
    }
    progress.done();
    return shown;
  };

  it("is hidden for half a second, then shows a bar with the remaining time, at most ten times per second", () => {
    expect(
      shownAfter([
        [100, 0.1],
        [400, 0.4],
      ]),
    ).toEqual([""]);
    const shown = shownAfter([
      [500, 0.25],
      [550, 0.26],
      [600, 0.3],
      [1000, 0.5],
    ]);
    expect(shown).toHaveLength(4);
    expect(shown[0]).toBe("██████░░░░░░░░░░░░░░░░░░  25 %  1.5 s  1.5 s left");
    expect(shown[2]).toContain("50 %  1.5 s  1 s left");
    expect(shown.at(-1)).toBe("");
  });

  it.each([
    [0.0123, "12.3 ms"],
    [3.2, "3.2 s"],
    [252, "4 min 12 s"],
    [7500, "2 h 5 min"],
  ])("formats %d s as %s", (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});
