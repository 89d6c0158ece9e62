/** Power and energy of the motors of cases (a) to (d), and the law of least power beside that of least torque. */
import type { Log } from "../../log/log.ts";
import { runScenario } from "../../scenario/run.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { integralOf } from "../samples.ts";
import type { LoadBuiltIn, ValidationRow, ValidationTable } from "../validation.ts";
import { change } from "../validation.ts";

/** Scenarios, with the name of the case, and the factor by which the case is slower than case (a). */
const RUNS = [
  { title: "case (a)", scenario: "multi-arm-stabilized", slowness: 1 },
  { title: "case (b)", scenario: "multi-arm-pseudo-inverse", slowness: 1 },
  { title: "case (c)", scenario: "multi-arm-bare", slowness: 1 },
  { title: "case (d)", scenario: "multi-arm-bare-slow", slowness: 10 },
  { title: "least power", scenario: "multi-arm-least-power", slowness: 1 },
] as const;

/** Differences of energies relative to the energy that all motors have exchanged. */
const ENERGY = 1e-9;
/** Excess of power relative to the largest power: rounding. */
const POWER = 1e-12;

export async function powerTables(load: LoadBuiltIn): Promise<readonly ValidationTable[]> {
  const energyRows: ValidationRow[] = [];
  for (const { title, scenario, slowness } of RUNS) {
    for (const regeneration of [true, false]) {
      const ofLaw = scenario === "multi-arm-least-power" ? [lawSetting(regeneration)] : [];
      const overrides = [...settings(regeneration, 0.01 * slowness), ...ofLaw];
      const log = await logOf(load(scenario, overrides));
      energyRows.push(...energyRowsOf(`${title}, ${regeneration ? "with" : "without"} regeneration`, regeneration, log));
    }
  }
  const comparison: ValidationRow[] = [];
  for (const regeneration of [true, false])
    for (const along of ["multi-arm-stabilized", "multi-arm-least-power"])
      comparison.push(await excessRow(load, regeneration, along));
  return [
    {
      title: "Energies of the motors at the end, differences relative to the exchanged energy",
      origin: "conservation law",
      rows: energyRows,
    },
    {
      title: "Power of least-power less that of least-torque in the same states, relative to the largest power",
      origin: "closed form",
      rows: comparison,
    },
  ];
}

const settings = (regeneration: boolean, sample: number) => [
  change("forces.motors.regeneration", regeneration),
  change("sample", sample),
  change("channels", ["q.*", "u.*", "motors.*", "energy.*"]),
  change("plots", []),
];

const lawSetting = (regeneration: boolean) => change("controllers.arms.regeneration", regeneration);

async function logOf(scenario: Scenario): Promise<Log> {
  const { run, failure } = await runScenario(scenario);
  if (failure) throw failure;
  return run.log;
}

function energyRowsOf(title: string, regeneration: boolean, log: Log): ValidationRow[] {
  const end = (channel: string): number => log.column(channel).at(-1)!;
  const power = log.column("motors.power");
  const exchanged = integralOf(
    log,
    power.map((p) => Math.abs(p)),
  );
  const energies = log.channels.filter(({ name }) => name.startsWith("motors.energy.")).map(({ name }) => end(name));
  const sum = energies.reduce((a, b) => a + b, 0);
  const row = (quantity: string, ours: number): ValidationRow => ({
    quantity: `${quantity}, ${title}`,
    unit: "",
    expected: [0],
    ours: [ours / exchanged],
    tolerance: ENERGY,
  });
  return [
    row("motor energies less supplied energy of the ledger", sum - end("energy.supplied")),
    row("motor energies less kinetic energy and heat", sum - end("energy.kinetic") - end("energy.dissipated")),
    // Without regeneration power has kinks inside of steps, and no quadrature of samples is as accurate as that.
    ...(regeneration ? [row("integral of recorded power less motor energies", integralOf(log, power) - sum)] : []),
  ];
}

/** The largest excess of the power of least-power over that of least-torque in the states of a run. */
async function excessRow(load: LoadBuiltIn, regeneration: boolean, along: string): Promise<ValidationRow> {
  const byTorque = load("multi-arm-stabilized", settings(regeneration, 0.05));
  const byPower = load("multi-arm-least-power", [...settings(regeneration, 0.05), lawSetting(regeneration)]);
  const log = await logOf(along === "multi-arm-stabilized" ? byTorque : byPower);
  const powersOf = ({ model, controllers, q, u }: Scenario): Float64Array => {
    const law = controllers[0]!;
    const names = log.channels.map(({ name }) => name);
    const columns = (kind: string): Float64Array[] =>
      names.filter((name) => name.startsWith(kind)).map((name) => log.column(name));
    const [qColumns, uColumns, t] = [columns("q."), columns("u."), log.column("t")];
    const speeds = law.commands.map((command) => log.column(command.replace("motors.", "u.")));
    const command = new Float64Array(law.commands.length);
    const none = new Float64Array(0);
    const memory = law.start(model, { model, t: 0, q, u, z: none, frames: none });
    return Float64Array.from(t, (time, i) => {
      const state = { q: Float64Array.from(qColumns, (c) => c[i]!), u: Float64Array.from(uColumns, (c) => c[i]!) };
      law.update({ model, t: time, ...state, z: none, frames: none }, memory, command);
      return command.reduce((sum, torque, k) => {
        const power = torque * speeds[k]![i]!;
        return sum + (regeneration ? power : Math.max(0, power));
      }, 0);
    });
  };
  const [torqueLaw, powerLaw] = [powersOf(byTorque), powersOf(byPower)];
  const largest = Math.max(...torqueLaw.map(Math.abs));
  const excess = Math.max(0, ...powerLaw.map((power, i) => power - torqueLaw[i]!));
  return {
    quantity: `largest excess of the power of least-power, ${regeneration ? "with" : "without"} regeneration, ${log.length} states of ${along}`,
    unit: "",
    expected: [0],
    ours: [excess / largest],
    tolerance: POWER,
  };
}
