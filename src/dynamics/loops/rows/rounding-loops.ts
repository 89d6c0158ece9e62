/**
 * Loops whose equations are only rounding at a position: both of its ends move alike whatever the machine does, such as the second hinge of a door,
 * or a plane that a planar machine cannot leave. Such a loop constrains nothing. Rounding leaves entries of 1e-17 in its rows of J, which must not
 * be scaled up to equations.
 *
 * With angular and linear partial velocities ω_j, v_j of the speeds of a loop, and a wrench (y, x) of a row, an entry of its row is y·ω_j +
 * x·(v_j + ω_j × r), the difference of two such sums. So without cancellation the length of a row is
 *
 *   size² = y² Σ ω_j² + x² (Σ v_j² + reach² Σ ω_j²),
 *
 * where reach is the length of the chain of bodies from one end of the loop to the other.
 */
import { commonBody, pathTo } from "../../../model/chains/branch.ts";
import type { FrameLoop } from "../../../model/loop.ts";
import type { Model, Placement } from "../../../model/model.ts";
import { apply, compose, IDENTITY, type Mat3, transpose } from "../../../spatial/rotation.ts";
import { dot, minus, plus, type Vec3, ZERO3 } from "../../../spatial/vec3.ts";

/** A row shorter than this, relative to its size, is rounding. */
const ROUNDING = 1e-10;
/** A loop with an entry of J above this is not examined more closely. */
const LONG_ENTRY = 1e-6;

/**
 * True for each loop that is only rounding at q.
 * @param longestRows the length of the longest row of J of each loop
 */
export function roundingLoops(model: Model, q: Float64Array, longestRows: ArrayLike<number>): boolean[] {
  return model.loops.map(
    (loop, k) =>
      loop.type === "frames" && !(longestRows[k]! > LONG_ENTRY) && !(longestRows[k]! > ROUNDING * sizeOf(model, loop, q)),
  );
}

/** The length of the longest row of a loop without cancellation. */
function sizeOf(model: Model, { from, to, rows }: FrameLoop, q: Float64Array): number {
  const root = commonBody(model, from.body, to.body);
  const F = measuredBranch(model, root, from.body, q);
  const M = measuredBranch(model, root, to.body, q);
  const X_F = composed(F.pose, from.placement);
  const X_M = composed(M.pose, to.placement);
  const inF = transpose(X_F.R);
  const R = compose(inF, X_M.R);
  const p = apply(inF, minus(X_M.p, X_F.p));
  const angular = F.angular + M.angular;
  const reach = F.reach + M.reach + squared(from.placement.p) + squared(to.placement.p);
  const linear = F.linear + M.linear + angular * reach;
  let longest = 0;
  for (const row of rows) {
    const { torque, force } = row.wrench(R, p);
    longest = Math.max(longest, squared(torque) * angular + squared(force) * linear);
  }
  return Math.sqrt(longest);
}

/** Bodies from a root to a body: pose of the body in the root, squared lengths, and squared partial velocities. */
interface MeasuredBranch {
  readonly pose: Placement;
  readonly reach: number;
  readonly angular: number;
  readonly linear: number;
}

function measuredBranch(model: Model, root: number, body: number, q: Float64Array): MeasuredBranch {
  let pose: Placement = { R: IDENTITY, p: ZERO3 };
  let [reach, angular, linear] = [0, 0, 0];
  for (const { hinge } of pathTo(model, root, body)) {
    const { onParent, onBody, elements } = hinge;
    pose = composed(pose, onParent);
    reach += squared(onParent.p) + squared(onBody.p);
    let first = hinge.q;
    for (const element of elements) {
      const moved = element.pose(Array.from(q.subarray(first, first + element.nq))) as Placement;
      pose = composed(pose, moved);
      reach += squared(moved.p);
      first += element.nq;
      for (const partial of element.partials) {
        angular += squared(partial.angular);
        linear += squared(partial.linear);
      }
    }
    const R = transpose(onBody.R);
    pose = composed(pose, { R, p: minus(ZERO3, apply(R, onBody.p)) } as Placement);
  }
  return { pose, reach, angular, linear };
}

const composed = (X: Placement, Y: Placement): Placement =>
  ({ R: compose(X.R, Y.R) as Mat3<number>, p: plus(X.p, apply(X.R, Y.p)) }) as Placement;

const squared = (v: Vec3): number => dot(v, v) as number;
