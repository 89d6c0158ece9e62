/** Springs and dampers in hinges: τ = -k (q - rest) - d u + preload for each freedom separately. */

import type { Freedom } from "../../../declare/freedom.ts";
import { FREEDOM_UNITS } from "../../../declare/parameters.ts";
import { unitForFreedom } from "../../../declare/parse-parameters.ts";
import { mul, neg, type Scalar, square, sub, sum } from "../../../kernel/trace/scalar.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import type { TracedLoads, TracedMotion } from "../../../sim/system/force-element.ts";
import { forceKind } from "../kind.ts";

export const hingeSpring = forceKind({
  name: "hinge-spring",
  about:
    "Spring and damper in the freedoms of hinges: force = -stiffness (q - rest) - damping u + preload. " +
    "A ball hinge as a whole has an isotropic spring: torque -stiffness sin(angle) about the axis of its rotation, smooth everywhere.",
  acts: "between bodies",
  parameters: {
    hinge: { type: "freedoms", about: "Hinge, freedom of a hinge, or list of them." },
    stiffness: { type: "numbers", unit: FREEDOM_UNITS.stiffness, least: 0, default: 0, about: "Stiffness." },
    damping: { type: "numbers", unit: FREEDOM_UNITS.damping, least: 0, default: 0, about: "Damping." },
    rest: { type: "numbers", unit: FREEDOM_UNITS.coordinate, default: 0, about: "Coordinate of the relaxed spring." },
    preload: { type: "numbers", unit: FREEDOM_UNITS.force, default: 0, about: "Constant force added to that of the spring." },
  },
  examples: [
    { hinge: "elbow", stiffness: 12, damping: 0.8, rest: 0.3, preload: -1.5 },
    { hinge: ["shoulder", "slider"], stiffness: [40, 900], damping: [2, 15] },
    { hinge: "wrist", stiffness: 7, damping: [0.4, 0.5, 0.6] },
    { hinge: ["base.x", "base.z"], stiffness: 3, damping: 1 },
  ],
  element(_name, { hinge: freedoms, stiffness, damping, rest, preload }, note) {
    checkBalls(freedoms, stiffness, rest, preload, note);
    return {
      trace(s, out) {
        for (const [i, freedom] of freedoms.entries()) {
          const { ball, hinge, speedInHinge, name } = freedom;
          const u = s.hinge(hinge).u[speedInHinge]!;
          const resistance = mul(damping[i]!, u);
          out.hinge(hinge, speedInHinge, neg(resistance));
          out.dissipated(mul(damping[i]!, square(u)));
          if (ball?.axis === 0) ballSpring(s, out, freedom, stiffness[i]!);
          if (ball) continue;
          const force = linearSpring(s, out, freedom, { stiffness: stiffness[i]!, rest: rest[i]!, preload: preload[i]! });
          out.channel(name, unitForFreedom(FREEDOM_UNITS.force, freedom), sub(force, resistance));
        }
      },
    };
  },
});

/** Adds the spring with V = ½ k (q - rest)² - preload (q - rest). Returns its force. */
function linearSpring(
  s: TracedMotion,
  out: TracedLoads,
  { hinge, speedInHinge, coordinateInHinge }: Freedom,
  { stiffness, rest, preload }: { readonly stiffness: number; readonly rest: number; readonly preload: number },
): Scalar {
  const stretch = sub(s.hinge(hinge).q[coordinateInHinge!]!, rest);
  const force = sub(preload, mul(stiffness, stretch));
  out.hinge(hinge, speedInHinge, force);
  out.potential(sub(mul(stiffness / 2, square(stretch)), mul(preload, stretch)));
  return force;
}

/**
 * With the quaternion (c, s) = (cos θ/2, n sin θ/2) of the ball: V = 2 k s·s = k (1 - cos θ). As ṡ·s = ½ c ω·s, the torque in F
 * axes is -2 k c s = -k sin θ n: a linear spring near the rest position, without a jump at half a turn.
 */
function ballSpring(s: TracedMotion, out: TracedLoads, { hinge, speedInHinge, ball }: Freedom, stiffness: number): void {
  const [c, ...vector] = s.hinge(hinge).q.slice(ball!.quaternion, ball!.quaternion + 4);
  for (const [k, component] of vector.entries()) out.hinge(hinge, speedInHinge + k, neg(mul(2 * stiffness, mul(c!, component))));
  out.potential(mul(2 * stiffness, sum(vector.map(square))));
}

/** A single rotation of a ball hinge has no angle: only the whole ball can have a spring, with the same stiffness about all axes. */
function checkBalls(
  freedoms: readonly Freedom[],
  stiffness: readonly number[],
  rest: readonly number[],
  preload: readonly number[],
  note: NoteProblem,
): void {
  for (const hinge of new Set(freedoms.filter((f) => f.ball).map((f) => f.hinge))) {
    const turns = freedoms.flatMap((f, i) => (f.hinge === hinge && f.ball ? [i] : []));
    const k = turns.map((i) => stiffness[i]!);
    if (k.some((v) => v !== k[0])) note("stiffness", `the spring of the ball hinge ${hinge} must be the same about all axes`);
    if (turns.length < 3 && k.some((v) => v !== 0))
      note(
        "hinge",
        "a single rotation of a ball hinge has no angle for a spring",
        `Name the whole hinge, ${hinge}, or give only damping`,
      );
    if (turns.some((i) => rest[i] !== 0 || preload[i] !== 0))
      note("rest", `the spring of the ball hinge ${hinge} has neither rest nor preload`, "Turn the hinge frame instead");
  }
}
