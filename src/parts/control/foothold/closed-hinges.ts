/**
 * Torques that accelerate hinges as demanded while loops of the model are engaged. With φ̈ the accelerations of the actuated hinges, every other speed
 * follows from them (see dynamics/free-flying/closed-robot.ts):
 *
 *   τ = H* φ̈ + C* - Kᵀ w,   K φ̈ = k
 *
 * Where loops bind actuated hinges to each other, φ̈ is as near to the demanded accelerations as they permit, weighted by the diagonal of H*, and the internal loads w give the least Σ τ².
 */
import { ClosedRobot } from "../../../dynamics/free-flying/closed-robot.ts";
import { type HierarchicalLeastSquares, hierarchicalLeastSquares } from "../../../math/optimise/hierarchical-least-squares.ts";
import type { Model } from "../../../model/model.ts";
import type { HeldLoops } from "../../../sim/state.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";
import { declaredLoops } from "../../../sim/system/loop-sets.ts";
import { modelWithLoops } from "./engaged-loops.ts";

interface EngagedSet {
  readonly robot: ClosedRobot;
  readonly found: Float64Array;
  /** Unknowns φ̈, and unknowns w. */
  readonly accelerations: HierarchicalLeastSquares;
  readonly loads: HierarchicalLeastSquares;
  readonly bindings: Float64Array;
}

export class ClosedHinges {
  readonly #model: Model;
  /** Indices into u of the actuated hinges. */
  readonly #speeds: readonly number[];
  readonly #sets = new Map<string, EngagedSet>();
  readonly #declared: HeldLoops;
  readonly #torque: Float64Array;
  readonly #weight: Float64Array;
  readonly #identity: Float64Array;
  readonly #wanted: Float64Array;
  #held: HeldLoops | undefined;
  #current: EngagedSet | undefined;

  constructor(model: Model, speeds: readonly number[]) {
    const n = speeds.length;
    this.#model = model;
    this.#speeds = speeds;
    this.#declared = declaredLoops(model);
    this.#torque = new Float64Array(n);
    this.#weight = new Float64Array(n);
    this.#wanted = new Float64Array(n);
    this.#identity = new Float64Array(n * n);
    for (let i = 0; i < n; i++) this.#identity[i * n + i] = 1;
  }

  /** True while a loop of the model is engaged. */
  isNeeded({ loops = this.#declared }: Snapshot): boolean {
    if (loops !== this.#held) this.#engage(loops);
    return this.#current !== undefined;
  }

  /** Writes the torques for demanded accelerations of all speeds, after `isNeeded`. @throws SingularError */
  writeTorques({ t, q, u }: Snapshot, demanded: Float64Array, command: Float64Array): void {
    const { robot, found, accelerations, loads, bindings } = this.#current!;
    const [torque, weight, wanted] = [this.#torque, this.#weight, this.#wanted];
    robot.evaluate(t, q, u, found);
    const { n, Hstar, Cstar, K, k, bound, loopRows } = robot;
    for (let i = 0; i < n; i++) {
      wanted[i] = -demanded[this.#speeds[i]!]!;
      weight[i] = Math.sqrt(Hstar[i * n + i]!);
    }
    accelerations.reset();
    accelerations.addLevel({ A: K, first: 0, count: bound }, k, undefined, 0);
    accelerations.minimise(this.#identity, wanted, n, weight);
    for (let i = 0; i < n; i++) {
      let sum = Cstar[i]!;
      for (let j = 0; j < n; j++) sum += Hstar[i * n + j]! * accelerations.x[j]!;
      torque[i] = sum;
      for (let b = 0; b < loopRows; b++) bindings[i * loopRows + b] = b < bound ? -K[b * n + i]! : 0;
    }
    loads.reset();
    for (let b = bound; b < loopRows; b++) loads.fixUnknown(b, 0);
    if (bound > 0) loads.minimise(bindings, torque, n);
    for (let i = 0; i < n; i++) {
      let sum = torque[i]!;
      for (let b = 0; b < bound; b++) sum += bindings[i * loopRows + b]! * loads.x[b]!;
      command[i] = sum;
    }
  }

  #engage(loops: HeldLoops): void {
    this.#held = loops;
    this.#current = undefined;
    if (loops.size === 0) return;
    const { model, found } = modelWithLoops(this.#model, loops);
    const key = model.loops.map(({ name, heldAsFound }) => `${name} ${heldAsFound === true}`).join("\n");
    const known = this.#sets.get(key);
    if (known) {
      known.found.set(found);
      this.#current = known;
      return;
    }
    const robot = new ClosedRobot(model, { speeds: this.#speeds });
    this.#current = {
      ...{ robot, found, bindings: new Float64Array(robot.n * robot.loopRows) },
      ...{ accelerations: hierarchicalLeastSquares(robot.n), loads: hierarchicalLeastSquares(robot.loopRows) },
    };
    this.#sets.set(key, this.#current);
  }
}
