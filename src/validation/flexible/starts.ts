/** Starts of runs: at rest under the loads, against statics in closed form; from a state; from a saved run. */
import type { Log } from "../../log/log.ts";
import { prepareScenario } from "../../scenario/prepare.ts";
import { runScenario } from "../../scenario/run.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { channelReader } from "../../sim/record/recorder.ts";
import { inWorkspace } from "../../sim/system/system.ts";
import { valuesAt } from "../samples.ts";
import { change, type LoadBuiltIn, type Validation, type ValidationTable } from "../validation.ts";
import { row } from "./rods.ts";

const [BOOM, ELASTICA] = ["boom-drops-load", "flexible-elastica"];
/** Gravity, m/s²; length of the boom, m; mass of its load, kg; time at which it lets go, s. */
const [G, LENGTH, LOAD, LET_GO] = [9.81, 2, 3, 0.5];
/** Bending stiffness, N m², and mass per length, kg/m, of the boom in the comparison with linear statics. */
const [EI, MU] = [1000, 0.5];

/** Values of channels in the position at which a scenario starts. */
function atStart(scenario: Scenario, channels: readonly string[]): readonly number[] {
  const { system, start } = prepareScenario(scenario);
  return inWorkspace(system, start, (workspace) => Array.from(channelReader(workspace, channels).read(start.t, start.y)));
}

/**
 * Height of the tip of a boom at rest in weak gravity, 1e-4 g, times 1e4. The boom bends by about 4e-6 of its length there, so that linear statics
 * holds to rounding.
 */
function weakSag(load: LoadBuiltIn, massPerLength: number): number {
  const elastic = { length: LENGTH, bendingStiffness: EI, massPerLength, freedoms: ["ry"] };
  const changes = [change("model.bodies.boom.elastic", elastic), change("model.gravity", [0, 0, -1e-4 * G])];
  return 1e4 * atStart(load(BOOM, changes), ["frame.tip.z"])[0]!;
}

function staticsTable(load: LoadBuiltIn): ValidationTable {
  const sag = (-LOAD * G * LENGTH ** 3) / (3 * EI);
  const sagWithBoom = sag - (MU * G * LENGTH ** 4) / (8 * EI);
  return {
    title: "A boom at rest with a load at its tip, linear statics",
    origin: "closed form",
    rows: [
      row("sag of a light boom, 4 joints: m g L³ / (3 EI)", "m", [sag], [weakSag(load, 1e-9)], 1e-9),
      row("sag with its own weight: + μ g L⁴ / (8 EI)", "m", [sagWithBoom], [weakSag(load, MU)], 1e-9),
    ],
  };
}

/** Largest distance of a channel from its first value, until the load is let go. */
function motionBefore(log: Log, channel: string): number {
  const [t, x] = [log.column("t"), log.column(channel)];
  return x.reduce((most, value, k) => (t[k]! < LET_GO ? Math.max(most, Math.abs(value - x[0]!)) : most), 0);
}

async function releaseTable(load: LoadBuiltIn): Promise<ValidationTable> {
  const { log } = (await runScenario(load(BOOM))).run;
  const times = [0.5, 1, 1.5];
  const height = (t: number): number => valuesAt(log, t, ["q.load.z"])[0]!;
  return {
    title: "The boom of boom-drops-load: at rest, then released",
    origin: "closed form",
    rows: [
      row("largest motion of the tip in the first 0.5 s", "m", [0], [motionBefore(log, "frame.tip.z")], 1e-9),
      row("force of the grip: m g", "N", [LOAD * G], valuesAt(log, 0, ["loop.grip.fz"]), 1e-9),
      row(
        "fall of the load 0.5, 1 and 1.5 s after it was let go: g t² / 2",
        "m",
        times.map((t) => (-G * t ** 2) / 2),
        times.map((t) => height(LET_GO + t) - height(LET_GO)),
        1e-8,
      ),
    ],
  };
}

/** The same motion from other starts: bent rods that settle, a run that was saved, a state that was read. */
async function otherStartsTable(load: LoadBuiltIn): Promise<ValidationTable> {
  const tip = ["frame.tip.x", "frame.tip.y"];
  const last = (log: Log, channels: readonly string[]): number[] => channels.map((name) => log.column(name).at(-1)!);
  const settled = (await runScenario(load(ELASTICA))).run.log;
  const atRest = atStart(load(ELASTICA, [change("state", { rest: true })]), tip);

  const swinging = load(BOOM, [change("duration", 1)]);
  const { log } = (await runScenario(swinging)).run;
  const { saved } = await runScenario(swinging, { until: 0.7, save: true });
  const continued = (await runScenario(swinging, { from: saved! })).run.log;
  const coordinates = log.channels.map(({ name }) => name).filter((name) => name.startsWith("q."));
  return {
    title: "The same motion from other starts",
    origin: "other method of Castor",
    rows: [
      row("tip of flexible-elastica at rest, and after 20 s of motion with damping", "m", last(settled, tip), atRest, 1e-9),
      row(
        "boom-drops-load at 1 s, saved at 0.7 s and continued",
        "m, rad",
        last(log, coordinates),
        last(continued, coordinates),
        0,
      ),
    ],
  };
}

export const starts: Validation = {
  name: "starts",
  title: "Starts of runs: at rest under the loads, and from a saved run",
  source: "closed forms: bending of a clamped beam, free fall; runs without a pause",
  scenario: BOOM,
  tables: async (load) => [staticsTable(load), await releaseTable(load), await otherStartsTable(load)],
};
