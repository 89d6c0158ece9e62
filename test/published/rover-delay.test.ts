/**
 * Operator and guide over a delayed link, twice: both runs have the same bits. `DELAY_FIELDS=20` drives on 20 fields to the end, with all
 * delays of the study (`examples/compare-delay.ts`).
 */
import { describe, expect, it } from "vitest";
import { runScenario } from "../../src/scenario/run.ts";
import { rover } from "../fixtures/models/rovers.ts";

const FIELDS = Number(process.env.DELAY_FIELDS ?? 0);
const DRIVERS = { operator: "rover-delayed-operator", guide: "rover-traverse" } as const;
type Driver = keyof typeof DRIVERS;

function drive(driver: Driver, delay: number, field: number, duration: number) {
  const link = `{ commandDelay: ${delay}, telemetryDelay: ${delay}, loss: 0.2, seed: ${field}, period: 1 }`;
  const seeds = ["hills", "craters", "rocks"].map((layer) => `terrain.${layer}.seed=${field}`);
  return runScenario(
    rover(
      DRIVERS[driver],
      ...seeds,
      `controllers.${driver}.link=${link}`,
      `duration=${duration}`,
      "channels=[q.*,u.*]",
      "plots=[]",
    ),
  );
}

async function driveTwice(driver: Driver, delay: number, field: number, duration: number) {
  const [{ run }, { run: again }] = [await drive(driver, delay, field, duration), await drive(driver, delay, field, duration)];
  expect(again.t).toBe(run.t);
  for (const { name } of run.log.channels) expect(again.log.column(name), name).toEqual(run.log.column(name));
  return run;
}

describe("a rover over a link with delay and losses", () => {
  it.each(["operator", "guide"] as const)("repeats its run: %s, the first minute at 10 s", async (driver) => {
    const { log } = await driveTwice(driver, 10, 1, 60);
    const [x, y] = [log.column("q.base.x"), log.column("q.base.y")];
    const length = (k: number): number => Math.hypot(x[k]!, y[k]!);
    expect(length(log.column("t").findLastIndex((t) => t <= 20))).toBeLessThan(5e-3); // no order can have arrived; the rover settles
    expect(length(x.length - 1)).toBeGreaterThan(1);
  });

  const drives = Array.from({ length: FIELDS }, (_, i) =>
    [0, 2, 20].flatMap((delay) => (["operator", "guide"] as const).map((driver) => [driver, delay, i + 1] as const)),
  ).flat();
  if (drives.length > 0)
    it.each(drives)("%s arrives, delay %i s, field %i", { timeout: 120_000 }, async (driver, delay, field) => {
      const run = await driveTwice(driver, delay, field, 2000);
      expect(run.events.at(-1)?.name).toBe(`${driver}: arrived`);
    });
});
