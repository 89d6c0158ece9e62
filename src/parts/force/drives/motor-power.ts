/**
 * Power and energy of motors. A motor with force f at speed v delivers f v. With regeneration a braking motor returns this power to its
 * supply. Without, the returned power becomes heat, and the motor draws max(0, f v). The energy is an internal state, so it is integrated
 * with the accuracy of the motion. What the motors draw is booked as supplied, so the energies of all motors are that of the ledger.
 */
import { add, max, type Scalar, sub } from "../../../kernel/trace/scalar.ts";
import type { TracedLoads, TracedMotion } from "../../../sim/system/force-element.ts";

/** Description of the parameter, for the kinds of motors. */
export const REGENERATION = {
  type: "boolean",
  optional: true,
  about:
    "Gives channels of power and energy. true: a braking motor returns its power to the supply, as negative power. false: returned power " +
    "becomes heat, and the motor draws max(0, torque × speed). Without it there are no such channels, and returned power counts as returned.",
} as const;

/** Power of a motor, W, with the name that its channels have behind `power` and `energy`; "" for the only motor of an element. */
export interface MotorPower {
  readonly name: string;
  readonly power: Scalar;
}

/** The energies of `count` motors at the start; none without `regeneration`. */
export const startEnergies = (regeneration: boolean | undefined, count: number): number[] =>
  new Array<number>(regeneration === undefined ? 0 : count).fill(0);

/** Books the powers of motors, and traces their channels. The energies are the internal states from `firstState` on. */
export function traceMotorPowers(
  motors: readonly MotorPower[],
  regeneration: boolean | undefined,
  firstState: number,
  s: TracedMotion,
  out: TracedLoads,
): void {
  let [totalPower, totalEnergy]: [Scalar, Scalar] = [0, 0];
  for (const [i, { name, power }] of motors.entries()) {
    const drawn = regeneration === false ? max(0, power) : power;
    out.supplied(drawn);
    if (regeneration === false) out.dissipated(sub(drawn, power));
    if (regeneration === undefined) continue;
    const energy = s.z[firstState + i]!;
    out.rate(firstState + i, drawn);
    out.channel(name === "" ? "power" : `power.${name}`, "W", drawn);
    out.channel(name === "" ? "energy" : `energy.${name}`, "J", energy);
    totalPower = add(totalPower, drawn);
    totalEnergy = add(totalEnergy, energy);
  }
  if (regeneration === undefined || motors[0]?.name === "") return;
  out.channel("power", "W", totalPower);
  out.channel("energy", "J", totalEnergy);
}
