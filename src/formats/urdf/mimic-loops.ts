/** Couplings of two joints as `mimic` of URDF. */
import type { Model } from "../../model/model.ts";
import type { ExportNotes } from "../export/export-notes.ts";

export interface Mimic {
  /** Index of the leader's speed in u. */
  readonly leader: number;
  readonly multiplier: number;
  readonly offset: number;
}

/** Mimics by the index of the follower's speed in u. A joint follows one other joint at most. */
export function mimicLoops({ loops, nu }: Model, notes: ExportNotes): ReadonlyMap<number, Mimic> {
  const mimics = new Map<number, Mimic>();
  for (const loop of loops) {
    if (loop.type !== "coordinates") continue;
    const { name, kind, terms, motion } = loop;
    const miss = (reason: string): void => notes.miss(`loop "${name}" (${kind})`, `${reason}: the loop is open in the file`);
    if (kind !== "coupling" || terms.length > 2) {
      miss(kind === "coupling" ? "URDF couples two joints" : "URDF has no prescribed motion");
      continue;
    }
    const follower = terms.find(({ u, factor }) => factor !== 0 && !mimics.has(u));
    const leader = terms.find((term) => term !== follower) ?? { u: follower?.u === 0 ? 1 : 0, factor: 0 };
    if (follower === undefined || leader.u >= nu) {
      miss("a joint of URDF follows one other joint");
      continue;
    }
    mimics.set(follower.u, {
      leader: leader.u,
      multiplier: -leader.factor / follower.factor,
      offset: motion.offset / follower.factor,
    });
  }
  return mimics;
}
