import { describe, expect, it } from "vitest";
import { FormatError } from "../../src/errors.ts";
import {
  checkSavedFinite,
  checkSavedInteger,
  checkSavedPermutation,
  savedArray,
  savedEntries,
  takeFiniteSaved,
  takeSaved,
} from "../../src/saved-data.ts";

const memory = () => ({
  t: 0,
  known: false,
  method: "a",
  nothing: null,
  y: new Float64Array(2),
  inner: { counts: [0, 0], marks: new Int32Array(3) },
});
const saved = {
  t: Number.NaN,
  known: true,
  method: "b",
  nothing: null,
  y: Float64Array.of(1, -0),
  inner: { counts: [3, 4], marks: Int32Array.of(5, 6, 7) },
};

describe("takeSaved", () => {
  it("copies every entry and keeps the arrays of the target", () => {
    const target = memory();
    const { y, inner } = target;
    takeSaved(target, structuredClone(saved), "memory");
    expect(target).toEqual(saved);
    expect(target.y).toBe(y);
    expect(target.inner).toBe(inner);
    expect(y).not.toBe(saved.y);
  });

  it.each<[string, unknown, RegExp]>([
    ["nothing", undefined, /^memory: must be an object with keys, got undefined\. .*save it again$/],
    ["null", null, /^memory: must be an object/],
    ["a number", 3, /^memory: must be an object/],
    ["an array", [], /^memory: must be an object/],
    ["a typed array", new Float64Array(1), /^memory: .* got a Float64Array of length 1/],
    ["a missing key", { ...saved, t: undefined }, /^memory\.t: must be a number, got undefined/],
    ["no key", {}, /^memory: must have the key t/],
    ["an unknown key", { ...saved, more: 1 }, /^memory: must not have the key more/],
    ["an inherited key", Object.create(saved), /^memory: must have the key t/],
    ["text for a number", { ...saved, t: "1" }, /^memory\.t: must be a number, got "1"/],
    ["a number for a flag", { ...saved, known: 1 }, /^memory\.known: must be a boolean, got 1/],
    ["an object for null", { ...saved, nothing: {} }, /^memory\.nothing: must be null/],
    ["null for text", { ...saved, method: null }, /^memory\.method: must be a string, got null/],
    [
      "a wrong length",
      { ...saved, y: new Float64Array(3) },
      /^memory\.y: must be a Float64Array of length 2, got a Float64Array of/,
    ],
    ["a wrong kind", { ...saved, y: new Float32Array(2) }, /^memory\.y: must be a Float64Array/],
    ["a view of bytes", { ...saved, y: new DataView(new ArrayBuffer(16)) }, /^memory\.y: must be a Float64Array/],
    ["an array for a typed array", { ...saved, y: [1, 2] }, /^memory\.y: must be a Float64Array/],
    [
      "a short array",
      { ...saved, inner: { ...saved.inner, counts: [1] } },
      /^memory\.inner\.counts: must be an array of length 2/,
    ],
    ["a hole", { ...saved, inner: { ...saved.inner, counts: new Array(2) } }, /^memory\.inner\.counts\[0\]: must be a number/],
  ])("refuses %s and changes nothing", (_name, data, message) => {
    const target = memory();
    let error: unknown;
    try {
      takeSaved(target, data, "memory");
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(FormatError);
    expect((error as Error).message).toMatch(message);
    expect(target).toEqual(memory());
  });
});

describe("checks of saved numbers", () => {
  it("accept numbers in range only", () => {
    checkSavedInteger(2, 0, 2, "k");
    checkSavedFinite(Float64Array.of(0, 1), "y");
    checkSavedFinite(-1, "t");
    for (const wrong of [-1, 3, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => checkSavedInteger(wrong, 0, 2, "k")).toThrow(/^k: must be a whole number from 0 to 2, got /);
    expect(() => checkSavedFinite(Number.NaN, "t")).toThrow(FormatError);
    expect(() => checkSavedFinite(Float64Array.of(0, Number.NaN), "y")).toThrow(/^y\[1\]: must be finite, got NaN/);
  });
});

describe("checkSavedPermutation", () => {
  it("accepts every order of the first whole numbers", () => {
    for (const values of [[], [0], [2, 0, 1]]) checkSavedPermutation(Int32Array.from(values), "order");
  });

  it.each<[readonly number[], RegExp]>([
    [[0, 0], /^order\[1\]: must not occur twice, got 0/],
    [[1, 2], /^order\[1\]: must be a whole number from 0 to 1, got 2/],
    [[-1, 0], /^order\[0\]: must be a whole number from 0 to 1, got -1/],
  ])("refuses %j", (values, message) => {
    expect(() => checkSavedPermutation(Int32Array.from(values), "order")).toThrow(message);
  });
});

describe("savedEntries", () => {
  it("returns the entries, whatever they are", () => {
    expect(savedEntries({ a: 1, b: null }, ["a", "b"], "memory")).toEqual({ a: 1, b: null });
  });

  it.each<[unknown, RegExp]>([
    [null, /^memory: must be an object with keys/],
    [{ a: 1 }, /^memory: must have the key b/],
    [{ a: 1, b: 2, c: 3 }, /^memory: must not have the key c/],
    [Object.create({ a: 1, b: 2 }), /^memory: must have the key a/],
  ])("refuses %j", (saved, message) => {
    expect(() => savedEntries(saved, ["a", "b"], "memory")).toThrow(message);
    expect(() => savedEntries(saved, ["a", "b"], "memory")).toThrow(FormatError);
  });
});

describe("savedArray", () => {
  it("copies an array of the right kind and length", () => {
    const saved = Int8Array.of(1, -1);
    const copy = savedArray(saved, Int8Array, "sides", 2);
    expect(copy).toEqual(saved);
    expect(copy).not.toBe(saved);
    expect(savedArray(new Float64Array(0), Float64Array, "way")).toEqual(new Float64Array(0));
  });

  it.each<[string, unknown, RegExp]>([
    ["another kind", new Float32Array(2), /^sides: must be a Int8Array of length 2, got a Float32Array of length 2/],
    ["another length", new Int8Array(3), /^sides: must be a Int8Array of length 2, got a Int8Array of length 3/],
    ["a list", [1, 2], /^sides: must be a Int8Array/],
    ["nothing", undefined, /^sides: must be a Int8Array/],
  ])("refuses %s", (_name, data, message) => {
    expect(() => savedArray(data, Int8Array, "sides", 2)).toThrow(FormatError);
    expect(() => savedArray(data, Int8Array, "sides", 2)).toThrow(message);
  });
});

it("takeFiniteSaved refuses numbers that are not finite, and changes nothing", () => {
  const finite = { ...saved, t: 1 };
  const target = memory();
  takeFiniteSaved(target, structuredClone(finite), "memory");
  expect(target).toEqual(finite);
  for (const wrong of [saved, { ...finite, y: Float64Array.of(0, Number.POSITIVE_INFINITY) }]) {
    const fresh = memory();
    expect(() => takeFiniteSaved(fresh, wrong, "memory")).toThrow(/^memory\.(t|y\[1\]): must be finite/);
    expect(fresh).toEqual(memory());
  }
});
