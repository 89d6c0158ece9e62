/** Every chain with coordinates in closed form. To add one, add its file and its line here. */
import type { ChainName, FrameLoop } from "../loop.ts";
import type { Model } from "../model.ts";
import { type Branch, branchOf } from "./branch.ts";
import type { Chain, ChainKind } from "./chain.ts";
import { planarRP, planarRR } from "./planar.ts";
import { r1r2r3 } from "./r1r2r3.ts";
import { r2c2r2 } from "./r2c2r2.ts";
import { r2p1r3 } from "./r2p1r3.ts";

export const CHAINS: Readonly<Record<ChainName, ChainKind>> = {
  R2P1R3: r2p1r3,
  R1R2R3: r1r2r3,
  R2C2R2: r2c2r2,
  RR: planarRR,
  RP: planarRP,
};

/** The chain of one kind that fits the branch to one of a loop's ends, or a sentence why the branch does not fit. */
export function fitChain(
  model: Pick<Model, "bodies">,
  loop: FrameLoop,
  carries: Branch["carries"],
  kind: ChainKind,
): Chain | string {
  if (!kind.closedBy.includes(loop.kind)) return `it is closed by ${kind.closedBy.join(" or ")}, not by ${loop.kind}`;
  const branch = branchOf(model, loop, carries);
  if (!branch) return "a hinge of the branch has other motions than single turns and slides";
  const motions = branch.joints.map((j) => (j.turns ? "R" : "P")).join("");
  if (!kind.motions.includes(motions)) return `its motions are ${kind.motions.join(" or ")}, not ${motions || "none"}`;
  return kind.fit(branch);
}

/** The chain in closed form of the branch to one of a loop's ends; undefined if there is none. */
export function chainOf(
  model: Pick<Model, "bodies">,
  loop: FrameLoop,
  carries: Branch["carries"],
): (Chain & { readonly kind: ChainName }) | undefined {
  for (const [name, kind] of Object.entries(CHAINS) as [ChainName, ChainKind][]) {
    const chain = fitChain(model, loop, carries, kind);
    if (typeof chain !== "string") return { ...chain, kind: name };
  }
  return undefined;
}
