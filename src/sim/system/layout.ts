/**
 * Where everything of a system lies: y = [q, u, z, ledger]. The ledger is integrated with the motion, so that the audit knows what went in
 * and out: dissipated energy, supplied energy, angular impulse about the world origin (3) and linear impulse (3) from outside.
 */
import type { Scalar } from "../../kernel/trace/scalar.ts";
import { type Frame, frameOf, type Model } from "../../model/model.ts";
import type { ForceElement } from "./force-element.ts";
import { springElements } from "./spring-elements.ts";

export const LEDGER = 8;
export const DISSIPATED = 0;
export const SUPPLIED = 1;
export const IMPULSE = 2;

/** Where everything lies: offsets into y, held inputs and wrenches. */
export interface Layout {
  readonly model: Model;
  readonly elements: readonly ForceElement[];
  readonly nq: number;
  readonly nu: number;
  readonly nz: number;
  /** Size of y. */
  readonly ny: number;
  /** First internal state and first held input of each element. */
  readonly z: readonly number[];
  readonly held: readonly number[];
  readonly nheld: number;
  /** Frames that feel wrenches, each once. */
  readonly frames: readonly Frame[];
  /** Index into `frames` of each element's own frames. */
  readonly frameIndex: readonly (readonly number[])[];
  /** Some elements compute in numbers: tau and w are inputs. */
  readonly numeric: boolean;
  /** Tells what is traced of it from what is traced of other layouts of the model; undefined where that is not known. */
  readonly key: string | undefined;
}

/** The springs of the model itself come first, then the given elements. */
export function layoutOf(model: Model, given: readonly ForceElement[]): Layout {
  const elements = [...springElements(model), ...given];
  const frames: Frame[] = [];
  const frameIndex = elements.map((e) =>
    (e.frames ?? []).map((name) => {
      const at = frames.findIndex((f) => f.name === name);
      return at >= 0 ? at : frames.push(frameOf(model, name)) - 1;
    }),
  );
  const starts = (sizes: readonly number[], first: number): number[] =>
    sizes.map((_, i) => sizes.slice(0, i).reduce((a, b) => a + b, first));
  const nzs = elements.map((e) => e.z0?.length ?? 0);
  const helds = elements.map((e) => e.held?.length ?? 0);
  const nz = nzs.reduce((a, b) => a + b, 0);
  return {
    model,
    elements,
    nq: model.nq,
    nu: model.nu,
    nz,
    ny: model.nq + model.nu + nz + LEDGER,
    z: starts(nzs, 0),
    held: starts(helds, 0),
    nheld: helds.reduce((a, b) => a + b, 0),
    frames,
    frameIndex,
    key: given.every((e) => e.made !== undefined) ? given.map((e) => e.made).join("\n") : undefined,
    numeric: elements.some((e) => e.apply !== undefined || (e.friction?.length ?? 0) > 0),
  };
}

/** Inputs of the programs of a system. */
export const layoutInputs = (layout: Layout) => ({
  t: 1,
  y: layout.ny,
  held: layout.nheld,
  tau: layout.numeric ? layout.nu : 0,
  w: layout.numeric ? 6 * layout.frames.length : 0,
});

/**
 * Every root of the model floats, and no loop holds it to the world or may come to, by a frame there or by the coordinates of a root: total
 * momentum changes only by wrenches from outside.
 */
export const isFreeFloating = (model: Model<Scalar>): boolean => {
  const roots = model.bodies.filter((b) => b.parent < 0).map((b) => b.hinge);
  const ofRoot = (u: number): boolean => roots.some((hinge) => u >= hinge.u && u < hinge.u + hinge.nu);
  return (
    roots.every((hinge) => hinge.nu === 6) &&
    [...model.loops, ...model.openLoops].every((l) =>
      l.type === "frames" ? l.from.body >= 0 && l.to.body >= 0 : !l.terms.some((term) => ofRoot(term.u)),
    )
  );
};
