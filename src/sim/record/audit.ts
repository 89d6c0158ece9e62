/**
 * The audit of a run: conserved quantities, checked at every sample. Energy: kinetic + potential + dissipated - supplied. Momentum of
 * free-floating machines: linear and angular, less the impulses from outside. Attitude: quaternion norms. Loops: residuals and their rates.
 * Drifts are relative to the largest energy or momentum that the run has exchanged, so that a machine at rest does not divide by zero.
 */
import { AuditError } from "../../errors.ts";
import { euclideanNorm, hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { square } from "../../math/elementary/power.ts";
import { quaternionStarts } from "../../model/model.ts";
import { takeSaved } from "../../saved-data.ts";
import { DISSIPATED, IMPULSE, SUPPLIED } from "../system/layout.ts";
import { isFreeFloating } from "../system/mass-centre/free-floating.ts";
import type { Observation } from "../system/observer.ts";
import type { Workspace } from "../system/workspace.ts";
import { characteristicLength } from "./characteristic-length.ts";

export type AuditChannel = "energy" | "linear momentum" | "angular momentum" | "quaternion norm" | "loop closure" | "loop speed";

export interface AuditRow {
  readonly channel: AuditChannel;
  /** Largest relative drift, and its time in s. */
  readonly worst: number;
  readonly at: number;
  /** The same drift, absolute, in `unit`. */
  readonly absolute: number;
  readonly unit: string;
  readonly tolerance: number;
}

export type AuditTolerances = Readonly<Partial<Record<AuditChannel, number>>>;

/** Wide limits: a run that exceeds them is wrong, not just inaccurate. Scenarios state tighter ones. */
export const DEFAULT_TOLERANCES: Readonly<Record<AuditChannel, number>> = {
  energy: 1e-3,
  "linear momentum": 1e-3,
  "angular momentum": 1e-3,
  "quaternion norm": 1e-9,
  "loop closure": 1e-8,
  "loop speed": 1e-6,
};

/** Number of open loops that a message names. */
const MAX_NAMED_LOOPS = 5;

const ADVICE: Readonly<Record<AuditChannel, string>> = {
  energy:
    "Try a smaller step or tolerance, or an implicit integrator if the machine is stiff; a custom force must account for its energy",
  "linear momentum": "Try a smaller step or tolerance; a custom force must act on both bodies",
  "angular momentum": "Try a smaller step or tolerance; a custom force must act along one line on both bodies",
  "quaternion norm": "Try a smaller step",
  "loop closure": "Try a smaller step; an integrator that does not project (gauss6) lets loops drift",
  "loop speed": "Try a smaller step; an integrator that does not project (gauss6) lets loops drift",
};

/**
 * Smallest scale of the energy drift, relative to the energies themselves. A machine at rest at a large height exchanges nothing, but its
 * energies have rounding errors: they are then a drift of about 1e-10. A larger scale would hide errors of a motion that is small in comparison.
 */
const SMALLEST_SCALE = 1e-6;

/**
 * A machine that moves by less than this part of its length per second is at rest, and drifts are compared to the energy of that motion. The
 * speeds of a machine that cannot move are rounding, 1e-17 per second and at most 1e-12: its energies of 1e-34 and less have no correct digit.
 */
const REST_RATE = 1e-9;

interface AuditedQuantity {
  readonly channel: AuditChannel;
  readonly unit: string;
  readonly tolerance: number;
  worst: number;
  absolute: number;
  at: number;
}

export class Audit {
  readonly #workspace: Workspace;
  readonly #quantities: readonly AuditedQuantity[];
  readonly #quaternions: readonly number[];
  #loopResiduals = { f: new Float64Array(0), rates: new Float64Array(0) };
  readonly #q: Float64Array;
  readonly #u: Float64Array;
  /** Drift and scale of the channel that was evaluated last. */
  readonly #driftAndScale = new Float64Array(2);
  /** Scales of the drifts at the present sample, and magnitudes of the momenta at the start. */
  readonly #scales = new Float64Array(4);
  /** Reference values from the first sample, and the largest energy that the run has exchanged. */
  readonly #start = { hasStarted: false, energy: 0, potential: 0, momentum: new Float64Array(6), exchanged: 0 };
  readonly #length: number;
  readonly #mass: number;
  readonly #gravity: number;
  /** Smallest energy to which drifts are compared. */
  readonly #energyAtRest: number;
  /** Rounding of the potential energy, J: terms of the size of weight times length may cancel each other. */
  readonly #rounding: number;

  constructor(workspace: Workspace, tolerances: AuditTolerances = {}) {
    this.#workspace = workspace;
    this.#q = new Float64Array(workspace.layout.nq);
    this.#u = new Float64Array(workspace.layout.nu);
    this.#quaternions = quaternionStarts(workspace.model);
    const channels: [AuditChannel, string][] = [["energy", "J"]];
    if (isFreeFloating(workspace.model)) channels.push(["linear momentum", "N s"], ["angular momentum", "N m s"]);
    if (this.#quaternions.length > 0) channels.push(["quaternion norm", ""]);
    if (workspace.model.loops.length + workspace.model.openLoops.length > 0)
      channels.push(["loop closure", "m, rad"], ["loop speed", "m/s, rad/s"]);
    this.#quantities = channels.map(([channel, unit]) => ({
      channel,
      unit,
      tolerance: tolerances[channel] ?? DEFAULT_TOLERANCES[channel],
      worst: 0,
      absolute: 0,
      at: 0,
    }));
    this.#length = characteristicLength(workspace);
    this.#mass = workspace.model.bodies.reduce((sum, b) => sum + b.mass, 0);
    this.#gravity = euclideanNorm(workspace.model.gravity);
    this.#energyAtRest = Math.max(this.#mass * square(REST_RATE * this.#length), Number.MIN_VALUE);
    this.#rounding = 64 * Number.EPSILON * this.#mass * this.#gravity * this.#length;
  }

  /** Energy that must stay constant, J. */
  balance(y: Float64Array, observation: Observation): number {
    const ledger = this.#ledger;
    return observation.kinetic + observation.potential + y[ledger + DISSIPATED]! - y[ledger + SUPPLIED]!;
  }

  get #ledger(): number {
    return this.#workspace.layout.ny - 8;
  }

  /** Checks one sample. @throws AuditError if a tolerance is exceeded or a state is not finite. */
  check(t: number, y: Float64Array, observation: Observation): void {
    let zero = 0;
    for (let i = 0; i < y.length; i++) zero += 0 * y[i]!; // NaN unless all are finite
    if (zero !== 0) {
      const i = y.findIndex((value) => !Number.isFinite(value));
      throw new AuditError(`state ${i} is ${y[i]} at t = ${t} s`);
    }
    this.checkFinite(t, y, observation);
  }

  /** The same for a state that is finite. */
  checkFinite(t: number, y: Float64Array, observation: Observation): void {
    const energy = this.balance(y, observation);
    const ledger = this.#ledger;
    const start = this.#start;
    const isFirst = !start.hasStarted;
    if (isFirst) {
      start.hasStarted = true;
      start.energy = energy;
      start.potential = observation.potential;
      for (let i = 0; i < 6; i++) start.momentum[i] = observation.momentum[i]! - y[ledger + IMPULSE + i]!;
      this.#setMomentumNorms();
    }
    start.exchanged = larger(
      larger(larger(start.exchanged, observation.kinetic), Math.abs(observation.potential - start.potential)),
      larger(y[ledger + DISSIPATED]!, Math.abs(y[ledger + SUPPLIED]!)),
    );
    const scales = this.#scales;
    // The whole mass moving with the largest kinetic energy; or the impulse of gravity, even if the ground has cancelled it.
    scales[EXCHANGED] = larger(start.exchanged, this.#energyAtRest);
    scales[MOMENTUM] = larger(Math.sqrt(2 * scales[EXCHANGED]! * this.#mass), this.#mass * this.#gravity * t);
    const quantities = this.#quantities;
    const driftAndScale = this.#driftAndScale;
    for (let k = 0; k < quantities.length; k++) {
      const quantity = quantities[k]!;
      this.#drift(quantity.channel, t, energy, y, observation);
      const absolute = driftAndScale[0]!;
      const scale = driftAndScale[1]!;
      if (absolute <= quantity.worst * scale * (1 - 4 * Number.EPSILON)) continue; // less than before, whatever the rounding of the ratio
      const isRounding = quantity.channel === "energy" && absolute <= this.#rounding && absolute > quantity.tolerance * scale;
      const relative = absolute === 0 || isRounding ? 0 : absolute / scale;
      if (!(relative <= quantity.worst)) {
        quantity.worst = relative;
        quantity.absolute = absolute;
        quantity.at = t;
      }
      if (relative <= quantity.tolerance) continue;
      if (isFirst && !(relative <= DEFAULT_TOLERANCES[quantity.channel])) this.#refuseOpenLoops(quantity.channel);
      throw new AuditError(
        `${quantity.channel} drifted by ${relative.toExponential(2)} of its scale (${absolute.toExponential(2)} ${quantity.unit}) at t = ${t} s, ` +
          `more than the tolerance ${quantity.tolerance}. ${ADVICE[quantity.channel]}`,
      );
    }
  }

  /** A start with open loops is no drift. @throws AuditError with the open loops, if the channel is one of loops */
  #refuseOpenLoops(channel: AuditChannel): void {
    const values = { "loop closure": this.#loopResiduals.f, "loop speed": this.#loopResiduals.rates }[channel as string];
    if (values === undefined) return;
    const byLoop = new Map<string, number>();
    for (const [i, { loop }] of this.#workspace.closed!.labels.entries())
      byLoop.set(loop, Math.max(byLoop.get(loop) ?? 0, Math.abs(values[i]!)));
    const open = [...byLoop].filter(([, size]) => !(size <= DEFAULT_TOLERANCES[channel])).sort(([, a], [, b]) => b - a);
    const unit = channel === "loop closure" ? "m or rad" : "m/s or rad/s";
    const list = open.slice(0, MAX_NAMED_LOOPS).map(([loop, size]) => `${loop} by ${Number(size.toPrecision(3))} ${unit}`);
    const more = open.length > MAX_NAMED_LOOPS ? ` and ${open.length - MAX_NAMED_LOOPS} more` : "";
    const what = channel === "loop closure" ? "the loops are open at the start" : "the speeds at the start open the loops";
    throw new AuditError(`${what}: ${list.join(", ")}${more}. Close them first: assemble(system, state) adjusts the state`);
  }

  get rows(): AuditRow[] {
    return this.#quantities.map((w) => ({ ...w }));
  }

  /** Reference values and largest drifts so far, as plain data: a copy. */
  save(): unknown {
    return structuredClone({ start: this.#start, drifts: this.#drifts() });
  }

  /** Continues a saved audit. @throws FormatError if it belongs to another system */
  restore(saved: unknown): void {
    const drifts = this.#drifts();
    takeSaved({ start: this.#start, drifts }, saved, "audit");
    for (const [i, drift] of drifts.entries()) Object.assign(this.#quantities[i]!, drift);
    this.#setMomentumNorms();
  }

  #setMomentumNorms(): void {
    this.#scales[ANGULAR_AT_START] = norm(this.#start.momentum, 0);
    this.#scales[LINEAR_AT_START] = norm(this.#start.momentum, 3);
  }

  #drifts() {
    return this.#quantities.map(({ worst, absolute, at }) => ({ worst, absolute, at }));
  }

  /** Computes the drift of a channel and its scale. */
  #drift(channel: AuditChannel, t: number, energy: number, y: Float64Array, observation: Observation): void {
    const scales = this.#scales;
    const result = this.#driftAndScale;
    result[1] = 1;
    switch (channel) {
      case "energy":
        result[0] = Math.abs(energy - this.#start.energy);
        result[1] = larger(scales[EXCHANGED]!, SMALLEST_SCALE * (observation.kinetic + Math.abs(observation.potential)));
        return;
      case "linear momentum":
        result[0] = this.#momentumDrift(3, y, observation);
        result[1] = larger(scales[MOMENTUM]!, scales[LINEAR_AT_START]!);
        return;
      case "angular momentum":
        result[0] = this.#momentumDrift(0, y, observation);
        result[1] = larger(scales[MOMENTUM]! * this.#length, scales[ANGULAR_AT_START]!);
        return;
      case "loop closure":
        this.#evaluateLoops(t, y);
        result[0] = largestMagnitude(this.#loopResiduals.f);
        return;
      case "loop speed":
        result[0] = largestMagnitude(this.#loopResiduals.rates);
        return;
      case "quaternion norm":
        result[0] = 0;
        for (const i of this.#quaternions) {
          const square = y[i]! * y[i]! + y[i + 1]! * y[i + 1]! + y[i + 2]! * y[i + 2]! + y[i + 3]! * y[i + 3]!;
          result[0] = Math.max(result[0], Math.abs(square - 1));
        }
        return;
    }
  }

  /** f and ḟ of the engaged loops. */
  #evaluateLoops(t: number, y: Float64Array): void {
    const { closed, layout } = this.#workspace;
    const { nq, nu } = layout;
    if (this.#loopResiduals.f.length !== (closed?.rows ?? 0))
      this.#loopResiduals = { f: new Float64Array(closed?.rows ?? 0), rates: new Float64Array(closed?.rows ?? 0) };
    for (let i = 0; i < nq; i++) this.#q[i] = y[i]!;
    for (let i = 0; i < nu; i++) this.#u[i] = y[nq + i]!;
    closed?.residual(t, this.#q, this.#u, this.#loopResiduals.f, this.#loopResiduals.rates);
  }

  #momentumDrift(first: 0 | 3, y: Float64Array, observation: Observation): number {
    const ledger = this.#ledger + IMPULSE;
    let sum = 0;
    for (let i = first; i < first + 3; i++) {
      const drift = observation.momentum[i]! - y[ledger + i]! - this.#start.momentum[i]!;
      sum += drift * drift;
    }
    return Math.sqrt(sum);
  }
}

/** Indices of `#scales`. */
const [EXCHANGED, MOMENTUM, LINEAR_AT_START, ANGULAR_AT_START] = [0, 1, 2, 3];

/** Math.max of two numbers, which V8 does not inline in large functions. NaN if one of them is. */
const larger = (a: number, b: number): number => (a >= b || Number.isNaN(a) ? a : b);

function largestMagnitude(values: Float64Array): number {
  let worst = 0;
  for (let i = 0; i < values.length; i++) worst = Math.max(worst, Math.abs(values[i]!));
  return worst;
}

const norm = (v: Float64Array, first: number): number => hypotenuse(v[first]!, v[first + 1]!, v[first + 2]!);
