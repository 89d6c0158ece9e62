/** Channels of loops, engaged or not: pose and velocity of M in F, and the wrench of an engaged loop. */
import { relativeMotion } from "../../dynamics/loops/rows/constraint-rows.ts";
import { linkTreeOf } from "../../dynamics/tree/link-tree.ts";
import { compile, type Kernel } from "../../kernel/run/kernel.ts";
import { trace } from "../../kernel/trace/program.ts";
import { arctangent } from "../../math/elementary/arctangent.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { type Loop, prescribedValue } from "../../model/loop.ts";
import { allLoops, loopWrenches, modelWithHeldLoops } from "../events/engagement.ts";
import type { HeldLoops } from "../state.ts";
import type { Layout } from "../system/layout.ts";
import type { LoopChannel, LoopChannels, Workspace } from "../system/workspace.ts";

/** Numbers per loop between frames: R by rows (9), position, angular and linear velocity (3 each); all of M in F, in F axes. */
const PER_LOOP = 18;
const XYZ = ["x", "y", "z"] as const;

export function loopChannels(layout: Layout): LoopChannels {
  const { model, nq, nu } = layout;
  const loops = allLoops(model);
  const frameLoops = loops.filter((loop) => loop.type === "frames");
  let motion: Kernel | undefined;
  const evaluator = new LoopLoadEvaluator();
  let held: ReadonlyMap<string, unknown> = new Map();
  let loads: ReadonlyMap<string, readonly number[]> = new Map();
  let sample = { t: 0, y: new Float64Array(layout.ny) as Float64Array };
  const channels: LoopChannel[] = [];
  const add = (name: string, unit: string, needs: LoopChannel["needs"], read: () => number): void => {
    channels.push({ name: `loop.${name}`, unit, needs, read });
  };
  for (const loop of loops) {
    const { name } = loop;
    add(`${name}.engaged`, "", "nothing", () => (held.has(name) ? 1 : 0));
    if (loop.type === "coordinates") {
      add(`${name}.miss`, "", "nothing", () => coordinateMiss(loop, sample.y, sample.t));
      add(`${name}.load`, "", "loads", () => loads.get(name)?.[0] ?? 0);
      continue;
    }
    const first = PER_LOOP * frameLoops.indexOf(loop);
    const v = (k: number): number => motion!.y[first + k]!;
    for (const [k, axis] of XYZ.entries()) add(`${name}.${axis}`, "m", "motion", () => v(9 + k));
    add(`${name}.distance`, "m", "motion", () => hypotenuse(v(9), v(10), v(11)));
    add(`${name}.angle`, "rad", "motion", () =>
      arctangent(hypotenuse(v(7) - v(5), v(2) - v(6), v(3) - v(1)), v(0) + v(4) + v(8) - 1),
    );
    for (const [k, axis] of XYZ.entries()) add(`${name}.w${axis}`, "rad/s", "motion", () => v(12 + k));
    for (const [k, axis] of XYZ.entries()) add(`${name}.v${axis}`, "m/s", "motion", () => v(15 + k));
    add(`${name}.rate`, "rad/s", "motion", () => hypotenuse(v(12), v(13), v(14)));
    add(`${name}.speed`, "m/s", "motion", () => hypotenuse(v(15), v(16), v(17)));
    for (const [k, axis] of XYZ.entries()) add(`${name}.t${axis}`, "N m", "loads", () => loads.get(name)?.[k] ?? 0);
    for (const [k, axis] of XYZ.entries()) add(`${name}.f${axis}`, "N", "loads", () => loads.get(name)?.[3 + k] ?? 0);
  }
  return {
    channels,
    see(workspace, t, y, needs) {
      held = workspace.loops.held;
      sample = { t, y };
      if (needs.motion) {
        motion ??= compile(
          trace(`${model.name} loop motion`, { q: nq, u: nu }, ({ q, u }) => {
            const linkTree = linkTreeOf(model);
            return {
              motion: frameLoops.flatMap((loop) => {
                const { R, p, w, v } = relativeMotion(linkTree, loop, q, u);
                return [...R.flat(), ...p, ...w, ...v];
              }),
            };
          }),
        );
        for (let i = 0; i < nq + nu; i++) motion.x[i] = y[i]!;
        motion.evaluate();
      }
      if (needs.loads) loads = evaluator.at(workspace, t, y);
    },
  };
}

/** Σ factor × coordinate - prescribed motion. */
function coordinateMiss(loop: Loop & { readonly type: "coordinates" }, y: Float64Array, t: number): number {
  return loop.terms.reduce((sum, { q, factor }) => sum + factor * y[q]!, 0) - (prescribedValue(loop.motion, t) as number);
}

/**
 * Loads of the engaged loops. Loop between frames: torque and force on M's body at M's origin, world axes. Loop of coordinates: its
 * multiplier, which acts along each coordinate times its factor. The kernel is compiled once per set of engaged loops.
 */
class LoopLoadEvaluator {
  #compiledFor: HeldLoops | undefined;
  #kernel: Kernel | undefined;
  /** Loops in the order of the kernel's output, and the count of their numbers there. */
  #sizes: readonly (readonly [name: string, size: number])[] = [];

  at(workspace: Workspace, t: number, y: Float64Array): ReadonlyMap<string, readonly number[]> {
    const { closed, loops, layout } = workspace;
    if (!closed) return new Map();
    const { nq, nu } = layout;
    const kernel = this.#kernelFor(workspace, closed.rows);
    const lambda = new Float64Array(closed.rows);
    const { tau, wrenches } = workspace.observe(t, y);
    loops.current.equations().loopForces(y.slice(0, nq), y.slice(nq, nq + nu), tau, wrenches, lambda, t);
    for (let i = 0; i < nq; i++) kernel.x[i] = y[i]!;
    kernel.x.set(lambda, nq);
    kernel.evaluate();
    let next = 0;
    return new Map(
      this.#sizes.map(([name, size]) => {
        next += size;
        return [name, [...kernel.y.subarray(next - size, next)]];
      }),
    );
  }

  #kernelFor({ loops, layout, model }: Workspace, rows: number): Kernel {
    if (this.#kernel && this.#compiledFor === loops.held) return this.#kernel;
    const heldModel = modelWithHeldLoops(loops.current.model, loops.held);
    this.#sizes = heldModel.loops.map((loop) => [loop.name, loop.type === "frames" ? 6 : 1]);
    const program = trace(`${model.name} loop loads`, { q: layout.nq, lambda: rows }, ({ q, lambda }) => ({
      wrenches: loopWrenches(heldModel, q, lambda).flatMap(({ wrench, rows }) => wrench ?? rows),
    }));
    this.#compiledFor = loops.held;
    this.#kernel = compile(program);
    return this.#kernel;
  }
}
