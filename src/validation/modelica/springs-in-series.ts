/** Springs that meet in a point without mass: one to a body, the others to points of the world. The point is where their forces balance. */
import type { Model } from "../../model/model.ts";
import { customForce } from "../../parts/force/loads/custom.ts";
import type { ForceElement } from "../../sim/system/force-element.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";

interface Spring {
  readonly stiffness: number;
  /** Length without force. */
  readonly length: number;
}

export interface SpringsInSeries {
  readonly body: Spring & { readonly frame: string };
  readonly ends: readonly (Spring & { readonly at: NumericVec3 })[];
}

const MOST_ITERATIONS = 100;

export function springsInSeries(model: Model, { body, ends }: SpringsInSeries): ForceElement {
  return customForce(
    {
      name: "springs",
      frames: [body.frame],
      apply(s, out) {
        const tip: NumericVec3 = [s.frames[9]!, s.frames[10]!, s.frames[11]!];
        const springs = [...ends, { ...body, at: tip }];
        const node = balance(springs);
        const pull = tension(node, springs.at(-1)!);
        for (let i = 0; i < 3; i++) out.wrenches[3 + i]! -= pull[i]!;
        out.potential = springs.reduce(
          (sum, spring) => sum + (spring.stiffness * (distance(node, spring.at) - spring.length) ** 2) / 2,
          0,
        );
      },
    },
    model,
  );
}

type PlacedSpring = Spring & { readonly at: NumericVec3 };

const distance = (a: readonly number[], b: NumericVec3): number => Math.hypot(a[0]! - b[0], a[1]! - b[1], a[2]! - b[2]);

/** Force of a spring on the point where it meets the others. */
function tension(node: readonly number[], { at, stiffness, length }: PlacedSpring): number[] {
  const now = distance(node, at);
  return at.map((end, i) => (stiffness * (now - length) * (end - node[i]!)) / now);
}

/** Newton's method from the middle between the ends, with the secant stiffness of taut springs: their potential is convex. */
function balance(springs: readonly PlacedSpring[]): number[] {
  const total = springs.reduce((sum, { stiffness }) => sum + stiffness, 0);
  const node = [0, 1, 2].map((i) => springs.reduce((sum, { stiffness, at }) => sum + stiffness * at[i]!, 0) / total);
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    const force = [0, 1, 2].map((i) => springs.reduce((sum, spring) => sum + tension(node, spring)[i]!, 0));
    for (let i = 0; i < 3; i++) node[i]! += force[i]! / total;
    if (Math.hypot(...force) < 1e-14 * total) return node;
  }
  return node;
}
