import { describe, expect, it } from "vitest";
import { Store } from "../../../studio/src/state/store.ts";

describe("the store", () => {
  it("calls each listener once per change of a watched key", () => {
    const store = new Store({ a: 1, b: 2, c: 3 });
    const told: string[] = [];
    const stop = store.watch(["a", "b"], ({ a, b }) => told.push(`${a} ${b}`));
    store.set({ a: 5, b: 6 });
    store.set({ c: 9 });
    store.set({ a: 5 });
    stop();
    store.set({ a: 7 });
    expect(told).toEqual(["1 2", "5 6"]);
  });
});
