/**
 * How a rover drove, from the log of its run: distance, energy, slip, sinkage, loads, and where it was stuck and why. A rover is whatever
 * stands on elements that report `load` and `slip`; its motors are those that report `power`. What was not recorded is left out.
 */
import type { Log } from "../log/log.ts";
import { type Body, frameOf, type Model } from "../model/model.ts";
import type { ForceElement } from "../sim/system/force-element.ts";

/** A value, where and when. */
export interface WheelExtreme {
  readonly value: number;
  readonly wheel: string;
  readonly t: number;
}

/** A time in which the rover did not get on though it should. */
export interface StuckInterval {
  readonly since: number;
  /** Nothing if it was stuck to the end. */
  readonly until?: number;
  readonly why: string;
}

export interface Driving {
  /** Length of the way of its body, m, and the time in which wheels turned, s. */
  readonly distance?: number;
  readonly time?: number;
  /** Work that motors put in, and that they took back in braking, J; the largest power of all together, W. */
  readonly work?: number;
  readonly returned?: number;
  readonly peakPower?: number;
  /** Work per metre, J/m. */
  readonly perMetre?: number;
  /** Size of the slip while wheels turned: mean over wheels and time, and the largest. */
  readonly meanSlip?: number;
  readonly mostSlip?: WheelExtreme;
  readonly deepest?: WheelExtreme;
  readonly leastLoad?: WheelExtreme;
  readonly mostLoad?: WheelExtreme;
  readonly stuck: readonly StuckInterval[];
}

export interface DrivingOptions {
  /** Mean slip above which a rover is getting nowhere, and how long it must last, s. */
  readonly slip?: number;
  readonly patience?: number;
}

/** Wheels turn above this, rad/s. */
const TURNING_RATE = 0.02;
/** Wheels that turn at less than this part of what is commanded are held fast. */
const STALLED_SHARE = 0.2;
/** Shorter ways have no energy per metre worth telling, m. */
const SHORTEST_DISTANCE = 1e-3;
const DEGREE = Math.PI / 180;

/** Undefined where nothing of the model rolls, or too little was recorded to tell. */
export function drivingOf(
  model: Model,
  elements: readonly ForceElement[],
  log: Log,
  { slip: mostSlip = 0.8, patience = 5 }: DrivingOptions = {},
): Driving | undefined {
  const recorded = new Set(log.channels.map(({ name }) => name));
  const column = (name: string): Float64Array | undefined => (recorded.has(name) ? log.column(name) : undefined);
  const has = (e: ForceElement, name: string): boolean => e.channels?.some((c) => c.name === name) ?? false;
  const wheels = elements.filter((e) => has(e, "load") && has(e, "slip") && e.frames?.length === 1);
  if (wheels.length === 0 || log.length === 0) return undefined;
  const t = log.column("t");
  const bodies = wheels.map((e) => model.bodies[frameOf(model, e.frames![0]!).body]!);
  const of = (channel: string): (Float64Array | undefined)[] => wheels.map((e) => column(`${e.name}.${channel}`));
  const rates = bodies.map(({ hinge }) => column(`u.${hinge.name}`));
  const [slips, loads] = [of("slip"), of("load")];
  const turns = t.map((_, k) => (rates.some((rate) => rate && Math.abs(rate[k]!) > TURNING_RATE) ? 1 : 0));
  const whole = (columns: readonly (Float64Array | undefined)[]): columns is Float64Array[] =>
    columns.every((c) => c !== undefined);

  const extreme = (columns: readonly (Float64Array | undefined)[], worth: (x: number) => number): WheelExtreme | undefined => {
    if (!whole(columns)) return undefined;
    let found: WheelExtreme = { value: Number.NaN, wheel: "", t: 0 };
    for (const [i, values] of columns.entries())
      for (let k = 0; k < values.length; k++)
        if (!(worth(values[k]!) <= worth(found.value))) found = { value: values[k]!, wheel: bodies[i]!.name, t: t[k]! };
    return found;
  };
  /** ∫ f dt by the trapezium rule. */
  const integral = (f: (k: number) => number): number => {
    let sum = 0;
    for (let k = 1; k < t.length; k++) sum += ((f(k) + f(k - 1)) / 2) * (t[k]! - t[k - 1]!);
    return sum;
  };

  const place = recordedPosition(rootOf(model, bodies[0]!), column);
  const distance = place && travelledDistance(place);
  const time = whole(rates) ? integral((k) => turns[k]!) : undefined;
  const powers = elements.flatMap((e) => column(`${e.name}.power`) ?? []);
  const work = powers.length > 0 ? powers.reduce((sum, p) => sum + integral((k) => Math.max(0, p[k]!)), 0) : undefined;
  const returned = powers.length > 0 ? powers.reduce((sum, p) => sum + integral((k) => Math.max(0, -p[k]!)), 0) : undefined;
  const peakPower =
    powers.length > 0
      ? t.reduce(
          (most, _, k) =>
            Math.max(
              most,
              powers.reduce((sum, p) => sum + Math.max(0, p[k]!), 0),
            ),
          0,
        )
      : undefined;
  const slipAt = (k: number): number => slips.reduce((sum, s) => sum + Math.abs(s![k]!), 0) / slips.length;
  const rolling = slips.map((s) => s?.map((value, k) => (turns[k] === 0 ? 0 : value)));

  return {
    ...optionalField("distance", distance),
    ...optionalField("time", time),
    ...optionalField("work", work),
    ...optionalField("returned", returned),
    ...optionalField("peakPower", peakPower),
    ...optionalField(
      "perMetre",
      work !== undefined && distance !== undefined && distance > SHORTEST_DISTANCE ? work / distance : undefined,
    ),
    ...optionalField(
      "meanSlip",
      time !== undefined && time > 0 && whole(slips) ? integral((k) => turns[k]! * slipAt(k)) / time : undefined,
    ),
    ...optionalField("mostSlip", extreme(rolling, Math.abs)),
    ...optionalField(
      "deepest",
      extreme(of("sinkage"), (x) => x),
    ),
    ...optionalField(
      "leastLoad",
      extreme(loads, (x) => -x),
    ),
    ...optionalField(
      "mostLoad",
      extreme(loads, (x) => x),
    ),
    stuck: whole(slips) && whole(rates) ? stuckTimes() : [],
  };

  function stuckTimes(): StuckInterval[] {
    const commands = elements.flatMap((e) => (hasInput(e, "speed") ? (column(`held.${e.name}.speed`) ?? []) : []));
    const wanted = (k: number): number => commands.reduce((most, c) => Math.max(most, Math.abs(c[k]!)), 0);
    const rate = (k: number): number => rates.reduce((most, r) => Math.max(most, Math.abs(r![k]!)), 0);
    const isHeld = (k: number): boolean => wanted(k) > TURNING_RATE && rate(k) < STALLED_SHARE * wanted(k);
    const isSpinning = (k: number): boolean => turns[k] === 1 && slipAt(k) > mostSlip;
    const found: StuckInterval[] = [];
    let from = -1;
    for (let k = 0; k <= t.length; k++) {
      const stuckNow = k < t.length && (isHeld(k) || isSpinning(k));
      if (stuckNow && from < 0) from = k;
      if (stuckNow || from < 0) continue;
      if (t[k - 1]! - t[from]! >= patience)
        found.push({
          since: t[from]!,
          ...(k < t.length && { until: t[k]! }),
          why: isHeld(k - 1) ? held(k - 1) : spinning(k - 1),
        });
      from = -1;
    }
    return found;
  }

  function held(k: number): string {
    const torque = elements.reduce((most, e) => Math.max(most, Math.abs(column(`${e.name}.torque`)?.[k] ?? 0)), 0);
    return `the motors do not turn the wheels${torque > 0 ? ` with ${torque.toPrecision(3)} N m` : ""}`;
  }

  function spinning(k: number): string {
    const up = place?.up(k);
    const tilt = up === undefined ? "" : `, the body is tilted by ${(Math.acos(Math.min(1, up)) / DEGREE).toFixed(0)} deg`;
    const hanging = bodies.filter((_, i) => loads[i]?.[k] === 0).map((b) => b.name);
    const air = hanging.length > 0 ? `, ${hanging.join(", ")} in the air` : "";
    return `the wheels turn and the rover does not go: slip ${slipAt(k).toFixed(2)}${tilt}${air}`;
  }
}

const hasInput = (e: ForceElement, input: string): boolean => e.held?.includes(input) ?? false;

const optionalField = <K extends string, V>(key: K, value: V | undefined): { readonly [key in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [key in K]?: V };

/** The body on the world that carries this one. */
function rootOf(model: Model, body: Body): Body {
  let root = body;
  while (root.parent >= 0) root = model.bodies[root.parent]!;
  return root;
}

interface RecordedPosition {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
  /** Cosine of the tilt. */
  up(k: number): number;
}

/** Where a free body was, if that was recorded. */
function recordedPosition({ hinge }: Body, column: (name: string) => Float64Array | undefined): RecordedPosition | undefined {
  const [x, y, z, qx, qy] = ["x", "y", "z", "qx", "qy"].map((part) => column(`q.${hinge.name}.${part}`));
  if (!x || !y || !z || !qx || !qy) return undefined;
  return { x, y, z, up: (k) => 1 - 2 * (qx[k]! ** 2 + qy[k]! ** 2) };
}

function travelledDistance({ x, y, z }: RecordedPosition): number {
  let sum = 0;
  for (let k = 1; k < x.length; k++) sum += Math.hypot(x[k]! - x[k - 1]!, y[k]! - y[k - 1]!, z[k]! - z[k - 1]!);
  return sum;
}
