/** The rocker rover at rest and in steady motion on Earth, Mars and the Moon: loads, sinkage and slip, without time integration. */

import { change, type LoadBuiltIn, type Validation, type ValidationRow, type ValidationTable } from "../validation.ts";
import { ROVER_STATICS, type RoverStatics } from "./data.ts";
import { steadyRover } from "./steady.ts";

const DEGREE = Math.PI / 180;
/** Height of the rocker axis when the wheels just touch the ground, m. */
const PIVOT = 0.29;
/** Ground stiffness, N/m. Results for this and twice this stiffness are extrapolated to rigid ground. */
const GROUND_STIFFNESS = 2e6;

function staticsTable(
  load: LoadBuiltIn,
  world: string,
  { g, load: weight, sinkage, slopes, steady }: RoverStatics,
): ValidationTable {
  const rest = steadyRover(load, { gravity: g, speed: "rest", height: PIVOT - 0.8 * sinkage });
  const onHard = (degrees: number, stiffness: number): readonly [number, number] => {
    const hard = (w: string) =>
      change(`forces.ground-${w}`, { kind: "wheel-on-ground", wheel: `wheel-${w}`, radius: 0.09, stiffness });
    const at = steadyRover(load, {
      gravity: g,
      slope: degrees * DEGREE,
      height: PIVOT - weight / stiffness,
      changes: ["fl", "fr", "rl", "rr"].map(hard),
    });
    return [at("ground-fl.load"), at("ground-rl.load")];
  };
  const rows: ValidationRow[] = [
    closedForm("load of a wheel at rest on level soil", "N", [weight], [rest("ground-fl.load")], 1e-6),
    closedForm("its sinkage", "m", [sinkage], [rest("ground-fl.sinkage")], 1e-9),
    ...slopes.map(([degrees, front, rear]) => {
      const [soft, hard] = [onHard(degrees, GROUND_STIFFNESS), onHard(degrees, 2 * GROUND_STIFFNESS)];
      const ours = hard.map((v, i) => 2 * v - soft[i]!);
      return closedForm(`loads of front and rear wheels, ${degrees} degrees up, hard ground`, "N", [front, rear], ours, 1e-6);
    }),
    ...steady.flatMap(([degrees, slip, front, rear, frontLoad, rearLoad]) => {
      const at = steadyRover(load, { gravity: g, slope: degrees * DEGREE, height: PIVOT - 1.25 * sinkage });
      const both = (channel: string): number[] => [at(`ground-fl.${channel}`), at(`ground-rl.${channel}`)];
      return [
        row(`steady slip, ${degrees} degrees up, soil`, "", [slip], [at("ground-fl.slip")], 1e-6),
        row("its sinkages, front and rear", "m", [front, rear], both("sinkage"), 1e-7),
        row("its loads", "N", [frontLoad, rearLoad], both("load"), 1e-4),
      ];
    }),
  ];
  return { title: `${world}, ${g} m/s²`, origin: "independent program", rows };
}

const row = (
  quantity: string,
  unit: string,
  expected: readonly number[],
  ours: readonly number[],
  tolerance: number,
): ValidationRow => ({ quantity, unit, expected, ours, tolerance });

const closedForm = (...args: Parameters<typeof row>): ValidationRow => ({ ...row(...args), origin: "closed form" });

export const roverStatics: Validation = {
  name: "rover-statics",
  title: "Rocker rover at rest and in steady motion: loads, sinkage, slip",
  source: "closed forms (Bekker, statics), and equilibria of two independent programs",
  scenario: "rover-flat",
  tables: async (load) => Object.entries(ROVER_STATICS).map(([world, statics]) => staticsTable(load, world, statics)),
};
