/** The methods by which the blocks of dependent coordinates are computed, in order: chains in closed form, or Newton. */
import { compile, type Kernel, type Target } from "../../kernel/run/kernel.ts";
import { trace } from "../../kernel/trace/program.ts";
import type { Scalar } from "../../kernel/trace/scalar.ts";
import { pathTo } from "../../model/chains/branch.ts";
import type { Chain } from "../../model/chains/chain.ts";
import { chainOf } from "../../model/chains/index.ts";
import type { Attachment, ChainName } from "../../model/loop.ts";
import type { Model, Placement } from "../../model/model.ts";
import { apply, compose, IDENTITY, type Mat3, transpose } from "../../spatial/rotation.ts";
import { minus, plus, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import { framePose, placementsOfLinks } from "../tree/kinematics.ts";
import { linkTreeOf } from "../tree/link-tree.ts";
import type { LoopEntry } from "./loop-table.ts";
import type { PartitionChoice } from "./partition-stages.ts";

/** The dependents of one block, and their method. */
export interface DependentStep {
  readonly method: ChainName | "Newton";
  readonly dependents: readonly number[];
  readonly chain?: ChainWithTarget;
}

/** A closed form, and the kernel of the target that it must reach. */
type ChainWithTarget = Chain & { readonly kind: ChainName; readonly speeds: readonly number[]; readonly target: Kernel };

/** Returns a function that lists the steps for a choice. Compiled chains are kept from one choice to the next. */
export function stepPlanner(model: Model, target: Target, method: "closed form" | "Newton") {
  const chains = new Map<number, ChainWithTarget | undefined>();
  const chainAt = (k: number, entry: LoopEntry): ChainWithTarget | undefined => {
    if (!chains.has(k)) chains.set(k, chainFor(model, k, entry, target));
    return chains.get(k);
  };
  return ({ table: { blocks, loops: entries }, stages }: PartitionChoice): readonly DependentStep[] => {
    const steps = blocks.flatMap((block): DependentStep[] => {
      const stagesOfBlock = stages.filter((s) => s.dependents.some((u) => block.candidates.includes(u)));
      const dependents = stagesOfBlock.flatMap((s) => s.dependents);
      if (dependents.length === 0) return [];
      const onlyLoop = block.loops.length === 1 ? block.loops[0]! : -1;
      const chain = method === "Newton" || onlyLoop < 0 ? undefined : chainAt(onlyLoop, entries[onlyLoop]!);
      const isChain = chain?.speeds.length === dependents.length && dependents.every((u) => chain.speeds.includes(u));
      return [isChain ? { method: chain!.kind, dependents, chain: chain! } : { method: "Newton", dependents }];
    });
    const remaining = stages.flatMap((s) => s.dependents).filter((u) => !steps.some((s) => s.dependents.includes(u)));
    return remaining.length > 0 ? [...steps, { method: "Newton", dependents: remaining }] : steps;
  };
}

/** The closed form of a loop, with the kernel of the target point and axes. */
function chainFor(model: Model, k: number, entry: LoopEntry, target: Target): ChainWithTarget | undefined {
  const loop = model.loops[k]!;
  if (loop.type !== "frames" || loop.heldAsFound) return undefined; // the model does not contain the pose of a loop engaged as found
  const isM = loop.to.body === entry.terminal;
  const chain = chainOf(model, loop, isM ? "M" : "F");
  if (!chain) return undefined;
  const closingEnd = isM ? loop.from : loop.to;
  const program = trace(`${model.name} ${loop.name} target`, { q: model.nq }, ({ q }) => {
    const tree = linkTreeOf(model);
    const placements = placementsOfLinks(tree, q);
    const poseOf = (body: number, placement: typeof closingEnd.placement) =>
      body < 0 ? placement : framePose(tree, placements, { name: loop.name, body, placement });
    const isTurningFreely = pathTo(model, -1, entry.root!).some(({ hinge }) =>
      hinge.elements.some((e) => e.quaternion !== undefined),
    );
    const root = isTurningFreely ? AT_REST : poseOf(entry.root!, AT_REST);
    const closingPose = isTurningFreely
      ? poseInRoot(model, entry.root!, closingEnd, q)
      : poseOf(closingEnd.body, closingEnd.placement);
    const inChain = (v: Vec3): Vec3 => apply(chain.axes, apply(transpose(root.R), v));
    const p = minus(inChain(minus(closingPose.p, root.p)), apply(chain.axes, chain.origin));
    const columns = [0, 1, 2].map((j) => inChain([closingPose.R[0][j]!, closingPose.R[1][j]!, closingPose.R[2][j]!]));
    return { y: [...p, ...[0, 1, 2].flatMap((i) => columns.map((column) => column[i]!))] };
  });
  return { ...chain, speeds: entry.candidates, target: compile(program, { target }) };
}

const AT_REST: Placement = { R: IDENTITY, p: ZERO3 };

/**
 * Pose of an end of a loop in the root of the loop, along the hinges between them. In the stages of a step the quaternions of a root that turns
 * freely have not exactly norm 1, so poses in the world differ from this by as much.
 */
function poseInRoot(
  model: Model,
  root: number,
  { body, placement }: Attachment,
  q: readonly Scalar[],
): { readonly R: Mat3; readonly p: Vec3 } {
  let [R, p]: [Mat3, Vec3] = [IDENTITY, ZERO3];
  const follow = (X: { readonly R: Mat3; readonly p: Vec3 }): void => {
    p = plus(p, apply(R, X.p));
    R = compose(R, X.R);
  };
  for (const { hinge } of pathTo(model, root, body)) {
    follow(hinge.onParent);
    let first = hinge.q;
    for (const element of hinge.elements) {
      follow(element.pose(q.slice(first, first + element.nq)));
      first += element.nq;
    }
    const toBody = transpose(hinge.onBody.R);
    follow({ R: toBody, p: minus(ZERO3, apply(toBody, hinge.onBody.p)) });
  }
  follow(placement);
  return { R, p };
}
