import { describe, expect, it } from "vitest";
import { MAX_LOG_NUMBERS, RunLog } from "../../../studio/src/run/run-log.ts";

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

describe("logs from blocks", () => {
  it("contain the samples in order for every division into blocks", () => {
    const log = new RunLog(
      ["t", "x"].map((name) => ({ name, unit: "" })),
      2,
    );
    let at = 0;
    for (const count of [1, 3, 0, 7, 100]) {
      const samples = range(count).map((i) => at + i);
      log.append({ count, values: Float64Array.from([...samples, ...samples.map((i) => -i)]) });
      at += count;
    }
    expect([log.length, log.endTime]).toEqual([111, 110]);
    expect([...log.column("x")]).toEqual(range(111).map((i) => -i));
    expect(log.column("nothing").length).toBe(0);
    expect(log.has("nothing")).toBe(false);
  });

  it("have zeros for channels that are absent from a block", () => {
    const log = new RunLog(
      ["t", "x", "y"].map((name) => ({ name, unit: "" })),
      3,
    );
    log.append({ count: 2, present: Int32Array.of(0), values: Float64Array.of(0, 1) });
    expect([[...log.column("x")], log.recordedBlock(0, 2).values]).toEqual([[0, 0], Float64Array.of(0, 1, 0, 0, 0, 0)]);
    log.append({ count: 2, present: Int32Array.of(0, 2), values: Float64Array.of(2, 3, 7, 8) });
    log.append({ count: 3, present: Int32Array.of(0), values: Float64Array.of(4, 5, 6) });
    expect(log.recordedBlock(3, 6).values).toEqual(Float64Array.of(3, 4, 5, 0, 0, 0, 8, 0, 0));
    expect(["t", "x", "y"].map((name) => [...log.column(name)])).toEqual([
      [0, 1, 2, 3, 4, 5, 6],
      [0, 0, 0, 0, 0, 0, 0],
      [0, 0, 7, 8, 0, 0, 0],
    ]);
  });

  it("request channels that were not recorded on first use, those with the fewest samples first", () => {
    const log = new RunLog(
      ["t", "a", "b"].map((name) => ({ name, unit: "" })),
      4,
      ["t"],
    );
    let asked = 0;
    log.onRequest = () => asked++;
    log.append({ count: 5, values: Float64Array.of(0, 1, 2, 3, 4) });
    expect([log.has("a"), log.nextMissing(9), asked]).toEqual([true, undefined, 0]);
    expect([log.column("a").length, log.column("a").length, asked]).toEqual([0, 0, 1]);
    expect(log.nextMissing(3)).toEqual({ names: ["a"], first: 0, end: 3 });
    const { version } = log;
    log.appendComputed(["a"], { count: 3, values: Float64Array.of(10, 11, 12) });
    expect(log.version).toBeGreaterThan(version);
    expect(log.column("b").length).toBe(0);
    expect(log.nextMissing(9)).toEqual({ names: ["b"], first: 0, end: 3 });
    log.appendComputed(["b"], { count: 3, values: Float64Array.of(20, 21, 22) });
    expect(log.nextMissing(9)).toEqual({ names: ["a", "b"], first: 3, end: 5 });
    expect(log.recordedBlock(3, 5)).toEqual({ count: 2, values: Float64Array.of(3, 4) });
    log.appendComputed(["a", "b"], { count: 2, values: Float64Array.of(13, 14, 23, 24) });
    expect([[...log.column("a")], [...log.column("b")], log.nextMissing(9)]).toEqual([
      [10, 11, 12, 13, 14],
      [20, 21, 22, 23, 24],
      undefined,
    ]);
  });

  it("request no more than fits into memory", () => {
    const log = new RunLog(
      ["t", "a", "b"].map((name) => ({ name, unit: "" })),
      1,
      ["t"],
    );
    const count = MAX_LOG_NUMBERS / 2;
    log.append({ count, values: new Float64Array(count) });
    log.column("a");
    log.column("b");
    expect(log.nextMissing(9)!.names).toEqual(["a"]);
  });
});
