/**
 * The equations of a system for each set of engaged loops. A set is compiled when it is first engaged, and kept. The parameters that loops
 * take from the state at engagement are inputs, so a set is compiled once, wherever it engages.
 */

import type { deriveArticulated } from "../../dynamics/articulated.ts";
import type { Equations, Formulation, FormulationName } from "../../dynamics/formulation.ts";
import type { ClosedLoops, closedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import type { Kernel, Target } from "../../kernel/run/kernel.ts";
import { cachedPerOwner } from "../../kernel/run/program-cache.ts";
import { engagedParameterCount, engagedParameterTotal, withEngagedLoops } from "../../model/loops/engaged-loop-parameters.ts";
import type { Model } from "../../model/model.ts";
import { refuseSaved } from "../../saved-data.ts";
import type { EngagedKinds, HeldLoops, SavedLoopSet } from "../state.ts";
import type { Layout } from "./layout.ts";
import type { equationMotion, loopMotion, loopMotionPair } from "./loop-motion.ts";

/** Code of loops that equations need. */
export interface LoopEquationMethods {
  readonly closedLoops: typeof closedLoops;
  readonly deriveArticulated: typeof deriveArticulated;
  readonly motion: typeof loopMotion;
  readonly motionPair: typeof loopMotionPair;
}

/**
 * How the equations of systems are derived. It is a value that whoever creates a system brings, so that a page that simulates a tree does not
 * contain the code of loops (see create-system.ts).
 */
export interface EquationMethods {
  readonly formulations: Readonly<Partial<Record<FormulationName, Pick<Formulation, "derive">>>>;
  /** Undefined if the systems have no loops. */
  readonly loops: LoopEquationMethods | undefined;
  /** Undefined if no formulation has accelerations as a program. */
  readonly equationMotion: typeof equationMotion | undefined;
}

/** The loops that hold at the start of a run. */
export const declaredLoops = (model: Model): HeldLoops => new Map(model.loops.map(({ name }) => [name, "declared"]));

export interface LoopSet {
  /** The model with exactly these loops engaged. */
  readonly model: Model;
  /** Undefined if no loop is engaged. */
  readonly closed: ClosedLoops | undefined;
  readonly equations: () => Equations;
  /**
   * The whole motion in one kernel (see loop-motion.ts); undefined if `articulated` has no pivot order for the loops, or
   * if the accelerations of the formulation are not one program.
   */
  readonly motion: () => Kernel | undefined;
}

export class LoopSets {
  readonly #layout: Layout;
  readonly #methods: EquationMethods;
  readonly #formulation: FormulationName;
  readonly #target: { readonly target: Target };
  readonly #sets = new Map<string, CompiledLoopSet>();
  #held: HeldLoops;
  #current: CompiledLoopSet;

  constructor(layout: Layout, methods: EquationMethods, formulation: FormulationName, target: { readonly target: Target }) {
    this.#layout = layout;
    this.#methods = methods;
    this.#formulation = formulation;
    this.#target = target;
    this.#held = declaredLoops(layout.model);
    this.#current = this.#engage(this.#held);
  }

  get held(): HeldLoops {
    return this.#held;
  }

  /** The set of the loops that are engaged now. */
  get current(): LoopSet {
    return this.#current;
  }

  /** Engages exactly these loops. */
  hold(loops: HeldLoops): void {
    this.#current = this.#engage(loops);
    this.#held = new Map(loops);
  }

  /** The set for these loops, without engaging them. */
  setFor(loops: HeldLoops): LoopSet {
    return this.#engage(loops);
  }

  /**
   * Engages exactly these loops, and drops everything that depends on earlier states. The equations continue from what `save` returned, if
   * it is given. @throws FormatError if the data do not belong to this system
   */
  enter(loops: HeldLoops, saved: readonly SavedLoopSet[] = []): void {
    if (!Array.isArray(saved)) refuseSaved("method.equations", "must be a list", saved);
    for (const set of this.#sets.values()) set.forget();
    for (const [i, data] of saved.entries()) {
      const set = this.#setOf(this.#checkedKinds(data, i));
      set.restore(data);
    }
    this.hold(loops);
  }

  /** What the equations of each set keep from earlier states: a copy. */
  save(): readonly SavedLoopSet[] {
    return [...this.#sets.values()].map((set) => set.save());
  }

  /** The set for these loops, with their parameters. */
  #engage(loops: HeldLoops): CompiledLoopSet {
    const set = this.#setOf(new Map([...loops].map(([name, kind]) => [name, kind === "declared" ? kind : "found"])));
    set.setParameters(loops);
    return set;
  }

  #setOf(kinds: EngagedKinds): CompiledLoopSet {
    const { model } = this.#layout;
    const isModel = model.loops.length === kinds.size && model.loops.every(({ name }) => kinds.get(name) === "declared");
    const engagedModel = isModel
      ? model
      : cachedPerOwner(model, `loops ${JSON.stringify([...kinds])}`, () => withEngagedLoops(model, kinds));
    const key = JSON.stringify(engagedModel.loops.map((loop) => [loop.name, loop.heldAsFound === true]));
    const known = this.#sets.get(key);
    if (known) return known;
    const set = new CompiledLoopSet(this.#layout, engagedModel, this.#methods, this.#formulation, this.#target);
    this.#sets.set(key, set);
    return set;
  }

  /** The loops of a saved set. @throws FormatError if the model has no such loops */
  #checkedKinds(data: unknown, i: number): EngagedKinds {
    const { model } = this.#layout;
    const kinds = (data as Partial<SavedLoopSet> | null)?.loops;
    const known = new Set([...model.loops, ...model.openLoops].map(({ name }) => name));
    const isKnown = ([name, kind]: readonly [unknown, unknown]): boolean =>
      known.has(name as string) && (kind === "declared" || kind === "found");
    if (!(kinds instanceof Map && [...kinds].every(isKnown)))
      return refuseSaved(`method.equations[${i}].loops`, "must name loops of the model", kinds);
    return kinds;
  }
}

class CompiledLoopSet implements LoopSet {
  readonly model: Model;
  readonly closed: ClosedLoops | undefined;
  readonly motion: () => Kernel | undefined;
  /** Parameters that loops took at their engagement. */
  readonly #parameters: Float64Array;
  readonly #derive: () => Equations;
  #equations: Equations | undefined;
  /** What the loops and the equations keep before their first state. */
  readonly #newLoops: unknown;
  #newEquations: unknown;

  constructor(
    layout: Layout,
    model: Model,
    { loops, formulations, equationMotion }: EquationMethods,
    formulation: FormulationName,
    target: { readonly target: Target },
  ) {
    const wrenches = layout.frames.map((f) => f.name);
    const engagedParameters = new Float64Array(engagedParameterTotal(model));
    const options = { ...target, engagedParameters };
    const closed = model.loops.length > 0 ? loops!.closedLoops(model, wrenches, options) : undefined;
    this.model = model;
    this.closed = closed;
    this.#newLoops = closed?.save();
    this.#parameters = engagedParameters;
    const isArticulated = formulation === "articulated" && closed !== undefined;
    this.motion = isArticulated
      ? loops!.motion(layout, model, closed, options)
      : (equationMotion?.(layout, () => this.equations(), target) ?? (() => undefined));
    this.#derive = () =>
      isArticulated
        ? loops!.deriveArticulated(model, { wrenches, ...options, closedLoops: closed })
        : formulations[formulation]!.derive(model, { wrenches, ...options });
  }

  readonly equations = (): Equations => {
    if (!this.#equations) {
      this.#equations = this.#derive();
      this.#newEquations = this.#equations.save();
    }
    return this.#equations;
  };

  /** Drops everything that depends on earlier states. */
  forget(): void {
    this.closed?.restore(this.#newLoops);
    this.#equations?.restore(this.#newEquations);
  }

  setParameters(loops: HeldLoops): void {
    let first = 0;
    for (const loop of this.model.loops) {
      const count = engagedParameterCount(loop);
      if (count > 0) this.#parameters.set(loops.get(loop.name) as readonly number[], first);
      first += count;
    }
  }

  /** What its equations keep from earlier states: a copy. */
  save(): SavedLoopSet {
    return {
      loops: new Map(this.model.loops.map((loop) => [loop.name, loop.heldAsFound ? "found" : "declared"])),
      ...(this.closed && { closed: this.closed.save() }),
      ...(this.#equations && { equations: this.#equations.save() }),
    };
  }

  restore({ closed, equations }: SavedLoopSet): void {
    if (closed !== undefined) this.closed?.restore(closed);
    if (equations !== undefined) this.equations().restore(equations);
  }
}
