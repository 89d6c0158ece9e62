/** The cases of the docking study as Castor models, in the order of the study's variables: states, loads and hinge laws. */

import { createModel } from "../../model/build/create-model.ts";
import { coordinateNames, type Model } from "../../model/model.ts";
import { apply, fromQuaternion, type Mat3, type Quaternion } from "../../spatial/rotation.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { planarFourBar, planarPlatform } from "./linkages.ts";
import { describeMechanism, type Mechanism } from "./mechanism.ts";
import { CRANK, ringOnCranks, ringOnLegs, ringOnSpinningRods } from "./models.ts";
import { ringWithFourBar, ringWithInnerLoops, ringWithMutualLoops } from "./nested-loop-models.ts";

/** Springs and dampers in hinges: -stiffness (q - rest) - damping u + preload. */
export interface HingeLaw {
  readonly stiffness?: number;
  readonly damping?: number;
  readonly rest?: number;
  readonly preload?: number;
}

export interface DockingCase {
  readonly title: string;
  readonly mechanism: Mechanism;
  /** Hinge laws by name of the hinge. */
  readonly laws: Readonly<Record<string, HingeLaw>>;
  /** True if a force and moment act on the ring at its mass centre (states only, not motions). */
  readonly onRing?: true;
  /** True if its numbers are computed by the study's executable definitions instead of read from its files. */
  readonly own?: true;
  /** The virtual hinge of the ring, which transmits no load. */
  readonly virtual?: string;
}

const sixOf = (name: string, law: HingeLaw, legs = [1, 2, 3, 4, 5, 6]): Record<string, HingeLaw> =>
  Object.fromEntries(legs.map((i) => [`${name}${i}`, law]));
const LEG: HingeLaw = { stiffness: 1500, damping: 250 };
const CRANKS = sixOf("crank", { stiffness: 60, damping: 8, rest: CRANK.initial });
const onRing = { onRing: true, virtual: "ring'1" } as const;

export const CASES = {
  a: {
    title: "a: planar four-bar, one loop of two equations",
    mechanism: planarFourBar,
    laws: { crank: { damping: 0.2, preload: 1.5 }, rocker: { damping: 0.1 }, coupler: { damping: 0.05 } },
  },
  b3: {
    title: "b3: ring on three legs R2P1R3",
    mechanism: ringOnLegs({ legs: [0, 2, 4] }),
    laws: sixOf("rod", LEG, [1, 3, 5]),
    own: true,
    ...onRing,
  },
  b6: { title: "b6: ring on six legs R2P1R3", mechanism: ringOnLegs(), laws: sixOf("rod", LEG), ...onRing },
  b6f: {
    title: "b6f: the same on a free vehicle of 12 t",
    mechanism: ringOnLegs({ base: "floating" }),
    laws: sixOf("rod", LEG),
    ...onRing,
  },
  c6: { title: "c6: ring on six cranks and rods R1R2R3", mechanism: ringOnCranks(), laws: CRANKS, ...onRing },
  c6f: {
    title: "c6f: the same on a free vehicle, 0.15 kg m² of rotor at each crank",
    mechanism: ringOnCranks({ base: "floating", armature: 0.15 }),
    laws: CRANKS,
    own: true,
    ...onRing,
  },
  d1: {
    title: "d1: planar loops inside dependent legs, free vehicle",
    mechanism: ringWithInnerLoops({ base: "floating" }),
    laws: sixOf("rod", LEG),
    ...onRing,
  },
  d2: {
    title: "d2: a loop on the way to the closing body",
    mechanism: ringWithFourBar(),
    laws: sixOf("rod", LEG),
    own: true,
    ...onRing,
  },
  d3: {
    title: "d3: two loops that need each other, one block of five",
    mechanism: ringWithMutualLoops(),
    laws: sixOf("rod", LEG, [2, 3, 4, 5, 6]),
    ...onRing,
  },
  e: {
    title: "e: planar platform on RP, RR and RR",
    mechanism: planarPlatform(),
    laws: {
      rodA: { stiffness: 4000, damping: 60 },
      l1B: { damping: 2 },
      l2B: { damping: 1 },
      l1C: { damping: 2 },
      l2C: { damping: 1 },
    },
    virtual: "plat'1",
  },
  r2c2r2: {
    title: "ring on six legs R2C2R2, four dependents for each",
    mechanism: ringOnSpinningRods(),
    laws: Object.fromEntries([1, 2, 3, 4, 5, 6].map((i) => [`rod${i}'1`, LEG])),
    own: true,
    ...onRing,
  },
} as const satisfies Readonly<Record<string, DockingCase>>;

export type CaseName = keyof typeof CASES;

/** Force and moment on the ring in states, world axes: torque first. */
export const RING_LOAD = [5, -10, 8, -200, 50, 30] as const;

export const modelOf = ({ mechanism }: DockingCase): Model => createModel(describeMechanism(mechanism, "elementary"));

export const isFloating = (model: Model): boolean => model.bodies[0]!.hinge.kind === "free";

/** Converts coordinates and speeds of the study to those of Castor: a free hinge has its attitude first, and angular velocity in world axes. */
export function inOurOrder(
  model: Model,
  q: readonly number[],
): { readonly q: Float64Array; speeds(given: readonly number[]): Float64Array } {
  if (!isFloating(model)) return { q: Float64Array.from(q), speeds: (u) => Float64Array.from(u) };
  const R = fromQuaternion(q.slice(3, 7) as unknown as Quaternion<number>) as Mat3<number>;
  return {
    q: Float64Array.from([...q.slice(3, 7), ...q.slice(0, 3), ...q.slice(7)]),
    speeds: (u) =>
      Float64Array.from([...(apply(R, u.slice(3, 6) as unknown as NumericVec3) as NumericVec3), ...u.slice(0, 3), ...u.slice(6)]),
  };
}

/** Forces of the hinge laws at a state. */
export function hingeForces(model: Model, laws: DockingCase["laws"], q: Float64Array, u: Float64Array): Float64Array {
  const tau = new Float64Array(model.nu);
  const names = coordinateNames(model);
  for (const [name, { stiffness = 0, damping = 0, rest = 0, preload = 0 }] of Object.entries(laws)) {
    const [i, j] = [names.q.indexOf(name), names.u.indexOf(name)];
    tau[j] = preload - stiffness * (q[i]! - rest) - damping * u[j]!;
  }
  return tau;
}
