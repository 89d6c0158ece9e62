/** Measurements of a clamped rod, and what the model of virtual links says about them. */
import { cube, square } from "../../math/elementary/power.ts";
import {
  beamRoot,
  gyration,
  type RodData,
  type RodFreedom,
  rodCompliance,
  rodFrequencies,
  type StaticKind,
  torsionRoot,
} from "./rod-model.ts";

export interface Measurement {
  readonly kind: "frequency" | StaticKind;
  /** The motion that was measured: bending about z, bending about y, or twist. Default "rz"; a twist by a torque is always "rx". */
  readonly freedom?: RodFreedom;
  /** Mode of a frequency, from 1. */
  readonly mode?: number;
  /** Hz, m/N, rad/N, rad/(N m). */
  readonly value: number;
  /** Mass on the tip while it was measured, kg, and its inertia about the axis of the freedom, kg m². */
  readonly tipMass?: number;
  readonly tipInertia?: number;
  /** w of eq. 1. */
  readonly weight?: number;
  /** Relative standard error; the weight is one over its square. */
  readonly error?: number;
}

export const freedomOf = ({ kind, freedom = "rz" }: Pick<Measurement, "kind" | "freedom">): RodFreedom =>
  kind === "twist-by-torque" ? "rx" : freedom;

export const weightOf = ({ weight, error }: Measurement): number => weight ?? (error === undefined ? 1 : 1 / (error * error));

/** Measurements with neither error nor weight, if others have an error: they have almost no influence then. */
export const measurementsWithoutWeight = (measurements: readonly Measurement[]): readonly string[] =>
  measurements.some((m) => m.error !== undefined)
    ? measurements.filter((m) => m.error === undefined && m.weight === undefined).map(measurementName)
    : [];

export function measurementName(measurement: Measurement): string {
  const { kind, mode = 1, tipMass = 0, tipInertia = 0 } = measurement;
  const freedom = freedomOf(measurement);
  return [
    kind === "frequency" ? `frequency ${mode}` : kind,
    ...(freedom === "rz" || kind === "twist-by-torque" ? [] : [freedom === "ry" ? "about y" : "of twist"]),
    ...(tipMass > 0 ? [`with ${tipMass} kg`] : tipInertia > 0 ? [`with ${tipInertia} kg m^2`] : []),
  ].join(" ");
}

/**
 * Model value of a measurement, for joints at given positions with stiffnesses of its freedom. `cuts`: where the mass is divided, if not at
 * the joints.
 */
export function modelValue(
  rod: RodData,
  at: readonly number[],
  k: readonly number[],
  measurement: Measurement,
  cuts: readonly number[] = at,
): number {
  const { kind, mode = 1, tipMass = 0, tipInertia = 0 } = measurement;
  if (kind !== "frequency") return rodCompliance(rod, at, k, kind);
  const frequencies = rodFrequencies(rod, at, k, { freedom: freedomOf(measurement), cuts, tipMass, tipInertia });
  return frequencies[mode - 1] ?? Number.NaN;
}

/** EI or GJ of the uniform clamped rod that has this value: the stiffness according to one measurement alone. */
export function impliedStiffness(rod: RodData, measurement: Measurement): number {
  const { length, mass } = rod;
  const { kind, mode = 1, value, tipMass = 0, tipInertia = 0 } = measurement;
  const omega = 2 * Math.PI * value;
  if (kind === "deflection-by-force") return cube(length) / (3 * value);
  if (kind === "slope-by-moment" || kind === "twist-by-torque") return length / value;
  if (kind !== "frequency") return square(length) / (2 * value);
  if (freedomOf(measurement) === "rx") {
    const inertia = mass * gyration(rod, "rx");
    return inertia * length * square(omega / torsionRoot(mode, tipInertia / inertia));
  }
  // The formula has a point mass on the tip.
  return tipInertia > 0 ? Number.NaN : mass * cube(length) * square(omega / square(beamRoot(mode, tipMass / mass)));
}

/** A measurement in the fit. */
export interface MeasurementRow {
  readonly measurement: Measurement;
  readonly model: number;
  readonly misfit: number;
  readonly sigmas: number;
}

export function measurementRow(measurement: Measurement, model: number): MeasurementRow {
  const misfit = model / measurement.value - 1;
  return { measurement, model, misfit, sigmas: measurement.error === undefined ? Number.NaN : misfit / measurement.error };
}

/** Deviations beyond this many standard errors are contradictions; without errors, beyond this relative misfit. */
const SIGMAS = 3;
const LARGEST_MISFIT = 0.1;

export function contradictionsOf(rod: RodData, rows: readonly MeasurementRow[]): readonly string[] {
  const contradicting = rows.filter(({ misfit, sigmas }) =>
    Number.isNaN(sigmas) ? Math.abs(misfit) > LARGEST_MISFIT : Math.abs(sigmas) > SIGMAS,
  );
  if (contradicting.length === 0) return [];
  const worst = contradicting
    .map(({ measurement, misfit, sigmas }) => {
      const amount = `${misfit > 0 ? "+" : ""}${(100 * misfit).toPrecision(3)} %`;
      return `${measurementName(measurement)} is off by ${amount}${Number.isNaN(sigmas) ? "" : `, ${Math.abs(sigmas).toPrecision(2)} standard errors`}`;
    })
    .join("; ");
  const impliedBy = (isTwist: boolean): string =>
    rows
      .filter(({ measurement }) => (freedomOf(measurement) === "rx") === isTwist)
      .map(({ measurement }) => ({ name: measurementName(measurement), value: impliedStiffness(rod, measurement) }))
      .filter(({ value }) => Number.isFinite(value))
      .map(({ name, value }) => `${name} ${+value.toPrecision(3)}`)
      .join(", ");
  const [bending, twist] = [impliedBy(false), impliedBy(true)];
  return [
    `the measurements contradict each other; in the best fit ${worst}`,
    ...(bending === "" ? [] : [`EI of a uniform rod, N m², by each of them alone: ${bending}`]),
    ...(twist === "" ? [] : [`GJ of a uniform rod, N m², by each of them alone: ${twist}`]),
  ];
}
