/** Finds the intervals in which a rover was stuck: stalled motors, or wheels that spin without progress. */
import { arcCosine } from "../math/elementary/arctangent.ts";
import type { ForceElement } from "../sim/system/force-element.ts";
import { type DriveLog, TURNING_RATE } from "./drive-log.ts";

/** An interval in which the rover should move but did not. */
export interface StuckInterval {
  readonly since: number;
  /** Undefined if it was stuck to the end. */
  readonly until?: number;
  readonly why: string;
}

/** Wheels below this part of the commanded rate are stalled. */
const STALLED_SHARE = 0.2;
const DEGREE = Math.PI / 180;

/** @param slip mean slip above which wheels spin; @param patience shortest interval, s */
export function stuckIntervals(drive: DriveLog, slip: number, patience: number): StuckInterval[] {
  const { t, rates, turns } = drive;
  const commands = drive.elements.flatMap((e) => (hasInput(e, "speed") ? (drive.column(`held.${e.name}.speed`) ?? []) : []));
  const commandedRate = (k: number): number => commands.reduce((most, c) => Math.max(most, Math.abs(c[k]!)), 0);
  const rate = (k: number): number => rates.reduce((most, r) => Math.max(most, Math.abs(r![k]!)), 0);
  const isStalled = (k: number): boolean => commandedRate(k) > TURNING_RATE && rate(k) < STALLED_SHARE * commandedRate(k);
  const isSpinning = (k: number): boolean => turns[k] === 1 && drive.meanSlipAt(k) > slip;
  const intervals: StuckInterval[] = [];
  let from = -1;
  for (let k = 0; k <= t.length; k++) {
    const isStuck = k < t.length && (isStalled(k) || isSpinning(k));
    if (isStuck && from < 0) from = k;
    if (isStuck || from < 0) continue;
    if (t[k - 1]! - t[from]! >= patience)
      intervals.push({
        since: t[from]!,
        ...(k < t.length && { until: t[k]! }),
        why: isStalled(k - 1) ? describeStall(drive, k - 1) : describeSpin(drive, k - 1),
      });
    from = -1;
  }
  return intervals;
}

function describeStall(drive: DriveLog, k: number): string {
  const torque = drive.elements.reduce((most, e) => Math.max(most, Math.abs(drive.column(`${e.name}.torque`)?.[k] ?? 0)), 0);
  return `the motors do not turn the wheels${torque > 0 ? ` with ${torque.toPrecision(3)} N m` : ""}`;
}

function describeSpin(drive: DriveLog, k: number): string {
  const cosTilt = drive.position?.cosTilt(k);
  const tilt =
    cosTilt === undefined ? "" : `, the body is tilted by ${(arcCosine(Math.min(1, cosTilt)) / DEGREE).toFixed(0)} deg`;
  const unloaded = drive.bodies.filter((_, i) => drive.loads[i]?.[k] === 0).map((b) => b.name);
  const air = unloaded.length > 0 ? `, ${unloaded.join(", ")} in the air` : "";
  return `the wheels turn and the rover does not go: slip ${drive.meanSlipAt(k).toFixed(2)}${tilt}${air}`;
}

const hasInput = (element: ForceElement, input: string): boolean => element.held?.includes(input) ?? false;
