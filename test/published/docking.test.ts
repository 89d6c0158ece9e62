/** Two spacecraft that dock: the right-hand side against another implementation of the same definitions, and short runs. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createSystem } from "../../src/sim/create-system.ts";
import { accelerationsOf, stateOf } from "../data/docking-states.ts";
import { builtIn } from "../fixtures/models/pendulum.ts";

interface Check {
  readonly t: number;
  readonly mode: 0 | 1;
  readonly latched: readonly number[];
  readonly state38: readonly number[];
  readonly udot_act6_pas6_ring6: readonly number[];
}
interface Data {
  readonly cases: Readonly<Record<string, { readonly icc: readonly number[]; readonly acceleration_checks: readonly Check[] }>>;
  readonly more_checks: readonly Check[];
}
const DATA = JSON.parse(readFileSync(new URL("../data/docking-scenario.json", import.meta.url), "utf8")) as Data;

const CHECKS: readonly (readonly [string, Check])[] = [
  ...Object.entries(DATA.cases).flatMap(([name, c]) =>
    c.acceleration_checks.map((check) => [`${name} t=${check.t}`, check] as const),
  ),
  ...DATA.more_checks.map((check, i) => [`latches pull ${i}`, check] as const),
];

describe("accelerations of the study", () => {
  const { model, forces } = builtIn("docking-soft-capture");
  // Kane's equations share nothing with the articulated ones.
  const systems = (["articulated", "kane"] as const).map((formulation) => createSystem(model, forces, { formulation }));
  it.each(CHECKS)("%s", (_name, { mode, latched, state38, udot_act6_pas6_ring6: expected }) => {
    const { q, u } = stateOf(model, state38);
    for (const system of systems) {
      const inputs = system.layout.elements.flatMap(({ name, held = [] }) =>
        held.map((input): [string, number] => {
          const ofLegs = { stiffness: 300, damping: mode === 1 ? 2000 : 300, position: 0 };
          const ofLatch = input === "armed" ? 1 : latched[Number(name.slice(-1)) - 1]!;
          return [`${name}.${input}`, name === "legs" ? ofLegs[input as keyof typeof ofLegs] : ofLatch];
        }),
      );
      const state = system.start({ q, u, inputs: Object.fromEntries(inputs) });
      const got = accelerationsOf(model, state38, system.accelerations(state));
      for (const [i, value] of expected.entries()) expect(Math.abs(got[i]! - value)).toBeLessThan(1e-9);
    }
  });
});
