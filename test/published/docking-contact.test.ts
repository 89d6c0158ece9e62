/** Contacts of docking rings, against an implementation of the same definitions in another language: test/data/docking-contact.json. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createModel } from "../../src/model/build/create-model.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import { ringContacts } from "../data/docking-contacts.ts";

interface Case {
  readonly source: string;
  readonly ring: { readonly q: readonly number[]; readonly u: readonly number[] };
  readonly passive: { readonly q: readonly number[]; readonly u: readonly number[] };
  readonly contacts: readonly {
    readonly kind: "LC" | "LL" | "FC";
    readonly depth: number;
    readonly point: readonly number[];
    readonly force: readonly number[];
    readonly load: number;
  }[];
}

const CASES = JSON.parse(readFileSync(new URL("../data/docking-contact.json", import.meta.url), "utf8")) as readonly Case[];

const MODEL = createModel({
  name: "rings",
  bodies: [
    { name: "ring", mass: 40, inertia: [14.4, 7.6, 7.6], hinge: { kind: "free" } },
    { name: "passive", mass: 120000, inertia: [2.5e6, 6e6, 7e6], hinge: { kind: "free" } },
  ],
});
const system = createSystem(MODEL, ringContacts(MODEL));
const KINDS = { LC: ["active", "passive"], LL: ["sides"], FC: ["face"] } as const;

/** Contacts of the elements at a case: what their pairs' channels say. */
function found({ ring, passive }: Case) {
  const seen = system.observe(system.start({ q: [...ring.q, ...passive.q], u: [...ring.u, ...passive.u] }));
  const value = new Map(system.channels.map(({ name }, i) => [name, seen.channels[i]!]));
  return system.layout.elements.flatMap(({ name: element, drawn }) =>
    drawn!.flatMap(({ name, point, force }) => {
      const of = (channel: string): number => value.get(`${element}.${channel}`)!;
      const depth = of(`${name}.depth`);
      const sign = element === "passive" ? -1 : 1; // its first shapes ride on the other body
      return depth > 0
        ? [{ element, depth, load: of(`${name}.load`), point: point.map(of), force: force.map((f) => sign * of(f)) }]
        : [];
    }),
  );
}

describe("contacts of docking rings", () => {
  it.each(CASES.map((c, i) => [i, c.source, c] as const))("%i: %s", (_i, _source, expected) => {
    const contacts = found(expected);
    expect(contacts.length).toBe(expected.contacts.length);
    for (const { kind, depth, point, force, load } of expected.contacts) {
      const away = (c: (typeof contacts)[number]): number =>
        Math.max(...c.point.map((x, i) => Math.abs(x - point[i]!)), ...c.force.map((x, i) => Math.abs(x - force[i]!) / 1e4));
      const nearest = contacts
        .filter((c) => (KINDS[kind] as readonly string[]).includes(c.element))
        .sort((a, b) => away(a) - away(b))[0]!;
      expect(Math.abs(nearest.depth - depth)).toBeLessThan(1e-13);
      expect(Math.abs(nearest.load - load)).toBeLessThan(1e-9);
      for (const [i, x] of point.entries()) expect(Math.abs(nearest.point[i]! - x)).toBeLessThan(1e-12);
      for (const [i, x] of force.entries()) expect(Math.abs(nearest.force[i]! - x)).toBeLessThan(1e-9);
    }
  });

  it("of all kinds are among them", () => {
    const kinds = CASES.flatMap((c) => c.contacts.map(({ kind }) => kind));
    for (const kind of ["LC", "LL", "FC"]) expect(kinds.filter((k) => k === kind).length).toBeGreaterThan(10);
  });
});
