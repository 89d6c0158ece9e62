import { describe, expect, it } from "vitest";
import { RunLog } from "../../../studio/src/run/run-log.ts";
import { contactForceAt } from "../../../studio/src/view/motion/contact-forces.ts";

describe("contact forces in a log", () => {
  const names = ["t", "px", "py", "pz", "fx", "fy", "fz"];
  const channels = { name: "", point: ["px", "py", "pz"], force: ["fx", "fy", "fz"] } as const;
  const log = new RunLog(names.map((name) => ({ name, unit: "" })));
  const rows = [
    [0, 0, 0, 0, 0, 0, 0],
    [1, 5, 0, 0, 0, 0, 10],
    [2, 6, 0, 0, 0, 0, 20],
    [3, 0, 0, 0, 0, 0, 0],
  ];
  log.append({ count: 4, values: Float64Array.from(names.flatMap((_, c) => rows.map((row) => row[c]!))) });

  it("are interpolated only between samples with contact", () => {
    expect(contactForceAt(log, channels, 0.4)).toBeUndefined();
    expect(contactForceAt(log, channels, 0.6)?.point).toEqual([5, 0, 0]);
    expect(contactForceAt(log, channels, 1.5)).toEqual({ point: [5.5, 0, 0], force: [0, 0, 15] });
    expect(contactForceAt(log, channels, 2.4)?.force).toEqual([0, 0, 20]);
    expect(contactForceAt(log, channels, 9)).toBeUndefined();
  });
});
