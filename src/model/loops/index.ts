/** Every kind of loop, by name: each hinge that blocks a direction, and the others. To add one, add its file and its line here. */
import type { LoopDescription } from "../description.ts";
import { hingeKinds } from "../hinges/index.ts";
import { coupling } from "./coupling.ts";
import { distance } from "./distance.ts";
import { canCloseLoop, hingeLoopKind } from "./hinge-loop-kind.ts";
import type { LoopKind } from "./loop-kind.ts";
import { pointOnLine } from "./point-on-line.ts";
import { pointOnPlane } from "./point-on-plane.ts";
import { prescribed } from "./prescribed.ts";

export type LoopKindName = LoopDescription["kind"];

const OTHER_LOOPS: Readonly<Record<string, LoopKind>> = {
  distance,
  "point-on-line": pointOnLine,
  "point-on-plane": pointOnPlane,
  coupling,
  prescribed,
};

let known: { readonly hinges: number; readonly kinds: Readonly<Record<string, LoopKind>> } | undefined;

/** All kinds by name. Every kind of hinge that blocks a direction is one, also those that were registered. */
export function loopKinds(): Readonly<Record<string, LoopKind>> {
  const hinges = Object.values(hingeKinds());
  if (known?.hinges !== hinges.length) {
    const ofHinges = hinges.filter(canCloseLoop).map((hinge) => [hinge.name, hingeLoopKind(hinge)] as const);
    known = { hinges: hinges.length, kinds: { ...Object.fromEntries(ofHinges), ...OTHER_LOOPS } };
  }
  return known.kinds;
}
