/** The recorded channels of a rover's wheels, motors and body. */

import type { Log } from "../log/log.ts";
import { hypotenuse } from "../math/elementary/hypotenuse.ts";
import { square } from "../math/elementary/power.ts";
import { type Body, frameOf, type Model } from "../model/model.ts";
import type { ForceElement } from "../sim/system/force-element.ts";

/** Position of a free body over time. */
interface RecordedPosition {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
  /** Cosine of the tilt at sample k. */
  cosTilt(k: number): number;
}

/** Wheels turn above this rate, rad/s. */
export const TURNING_RATE = 0.02;

/** True if all columns were recorded. */
export const isComplete = (columns: readonly (Float64Array | undefined)[]): columns is Float64Array[] =>
  columns.every((column) => column !== undefined);

export class DriveLog {
  readonly elements: readonly ForceElement[];
  readonly wheels: readonly ForceElement[];
  /** Bodies of the wheels. */
  readonly bodies: readonly Body[];
  readonly t: Float64Array;
  /** Hinge rate, slip and load of each wheel; undefined where not recorded. */
  readonly rates: readonly (Float64Array | undefined)[];
  readonly slips: readonly (Float64Array | undefined)[];
  readonly loads: readonly (Float64Array | undefined)[];
  /** 1 at samples where a wheel turns, else 0. */
  readonly turns: Float64Array;
  /** Power of each motor that was recorded. */
  readonly powers: readonly Float64Array[];
  /** Position of the rover's body; undefined if it was not recorded. */
  readonly position: RecordedPosition | undefined;
  readonly #log: Log;
  readonly #recorded: ReadonlySet<string>;

  constructor(model: Model, elements: readonly ForceElement[], log: Log) {
    this.#log = log;
    this.#recorded = new Set(log.channels.map(({ name }) => name));
    this.elements = elements;
    this.wheels = wheelsAmong(elements);
    this.bodies = this.wheels.map((e) => model.bodies[frameOf(model, e.frames![0]!).body]!);
    const isEmpty = this.wheels.length === 0 || log.length === 0;
    this.t = isEmpty ? new Float64Array(0) : log.column("t");
    this.rates = this.bodies.map(({ hinge }) => this.column(`u.${hinge.name}`));
    this.slips = this.wheelColumns("slip");
    this.loads = this.wheelColumns("load");
    this.turns = this.t.map((_, k) => (this.rates.some((rate) => rate && Math.abs(rate[k]!) > TURNING_RATE) ? 1 : 0));
    this.powers = elements.flatMap((e) => this.column(`${e.name}.power`) ?? []);
    this.position = isEmpty ? undefined : this.#recordedPosition(rootOf(model, this.bodies[0]!));
  }

  /** A channel by its name; undefined if it was not recorded. */
  column(name: string): Float64Array | undefined {
    return this.#recorded.has(name) ? this.#log.column(name) : undefined;
  }

  /** A channel of every wheel. */
  wheelColumns(channel: string): (Float64Array | undefined)[] {
    return this.wheels.map((e) => this.column(`${e.name}.${channel}`));
  }

  /** ∫ f dt by the trapezium rule. */
  integral(f: (k: number) => number): number {
    const { t } = this;
    let sum = 0;
    for (let k = 1; k < t.length; k++) sum += ((f(k) + f(k - 1)) / 2) * (t[k]! - t[k - 1]!);
    return sum;
  }

  /** Mean absolute slip of the wheels at sample k. */
  meanSlipAt(k: number): number {
    return this.slips.reduce((sum, s) => sum + Math.abs(s![k]!), 0) / this.slips.length;
  }

  /** Length of the path of the rover's body, m. */
  distance(): number | undefined {
    if (!this.position) return undefined;
    const { x, y, z } = this.position;
    let sum = 0;
    for (let k = 1; k < x.length; k++) sum += hypotenuse(x[k]! - x[k - 1]!, y[k]! - y[k - 1]!, z[k]! - z[k - 1]!);
    return sum;
  }

  #recordedPosition({ hinge }: Body): RecordedPosition | undefined {
    const [x, y, z, qx, qy] = ["x", "y", "z", "qx", "qy"].map((part) => this.column(`q.${hinge.name}.${part}`));
    if (!x || !y || !z || !qx || !qy) return undefined;
    return { x, y, z, cosTilt: (k) => 1 - 2 * (square(qx[k]!) + square(qy[k]!)) };
  }
}

/** Wheels are the elements that report `load` and `slip`. */
export const wheelsAmong = (elements: readonly ForceElement[]): readonly ForceElement[] =>
  elements.filter((e) => hasChannel(e, "load") && hasChannel(e, "slip") && e.frames?.length === 1);

const hasChannel = (element: ForceElement, name: string): boolean => element.channels?.some((c) => c.name === name) ?? false;

/** The body on the world that carries this one. */
function rootOf(model: Model, body: Body): Body {
  let root = body;
  while (root.parent >= 0) root = model.bodies[root.parent]!;
  return root;
}
