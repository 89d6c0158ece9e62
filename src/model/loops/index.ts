/** Every kind of loop, by name: each hinge that blocks a direction, and the others. To add one, add its file and its line here. */
import type { HingeLoopKindName, LoopDescription } from "../description.ts";
import { HINGES } from "../hinges/index.ts";
import { coupling } from "./coupling.ts";
import { distance } from "./distance.ts";
import { canCloseLoop, hingeLoopKind } from "./hinge-loop-kind.ts";
import type { LoopKind } from "./loop-kind.ts";
import { pointOnLine } from "./point-on-line.ts";
import { pointOnPlane } from "./point-on-plane.ts";
import { prescribed } from "./prescribed.ts";

export type LoopKindName = LoopDescription["kind"];

const HINGE_LOOPS = Object.fromEntries(
  Object.values(HINGES)
    .filter(canCloseLoop)
    .map((hinge) => [hinge.name, hingeLoopKind(hinge)]),
) as Record<HingeLoopKindName, LoopKind>;

export const LOOPS: Readonly<Record<LoopKindName, LoopKind>> = {
  ...HINGE_LOOPS,
  distance,
  "point-on-line": pointOnLine,
  "point-on-plane": pointOnPlane,
  coupling,
  prescribed,
};
