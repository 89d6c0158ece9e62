/** Navigation in full dynamics on small fields: around a rock to the goal, and all reasons to stop. All 20 seeds: bench traverse. */
import { describe, expect, it } from "vitest";
import { runScenario } from "../../../../src/scenario/run.ts";
import type { SimulationRun } from "../../../../src/sim/run/simulation.ts";
import { rover, wrongRover } from "../../../fixtures/models/rovers.ts";

const guided = async (terrain: string, ...sets: readonly string[]): Promise<SimulationRun> => {
  const field = ["x=-1.5", "y=-1.5", "length=5", "width=3", "goalX=2.2", "goalY=0", "speed=0.25", "clearance=0.25"];
  const { run } = await runScenario(
    rover(
      "rover-traverse",
      `terrain={${terrain}}`,
      "state.q.base=[1,0,0,0,0,0,0.2757]",
      "duration=30",
      "sample=0.1",
      ...field.map((set) => `controllers.guide.${set}`),
      ...sets,
    ),
  );
  return run;
};
const why = (run: SimulationRun): string | undefined => run.events.at(-1)?.name;

describe("a navigating rover", () => {
  it("drives around a rock on its way, and publishes its planned way", async () => {
    const rock = "rock: {kind: mound, height: 0.2, radius: 0.25, x: 1.2, y: 0.1}";
    const run = await guided(rock, "controllers.guide.width=5", "controllers.guide.y=-2.5", "controllers.guide.length=6");
    expect(why(run)).toBe("guide: arrived");
    const column = (name: string): Float64Array => run.log.column(name);
    const [x, y] = [column("q.base.x"), column("q.base.y")];
    const nearest = x.reduce((least, value, k) => Math.min(least, Math.hypot(value - 1.2, y[k]! - 0.1)), 9);
    expect(nearest).toBeGreaterThan(0.5);
    const beside = column("guide.beside");
    expect(Math.sqrt(beside.reduce((sum, b) => sum + b * b, 0) / beside.length)).toBeLessThan(0.1);
    expect(Math.max(...column("guide.tilt"))).toBeLessThan(0.1);
    expect(run.intents.length).toBeGreaterThan(0);
    for (const { controller, way } of run.intents) {
      expect(controller).toBe("guide");
      expect([...way.slice(-2)]).toEqual([2.2, 0]);
    }
    const seen = run.intents.flatMap(({ obstacles = new Float64Array(0) }) => [...obstacles]);
    expect(seen.length).toBeGreaterThan(8);
  });

  it("plans ways that keep the clearance from every obstacle seen so far: cell 0.2 m, clearance 0.6 m", async () => {
    const rock = "rock: {kind: mound, height: 0.2, radius: 0.25, x: 1.2, y: 0.1}";
    const field = ["width=8", "y=-4", "length=8", "x=-3", "goalX=3.2", "cell=0.2", "clearance=0.6"];
    const run = await guided(rock, ...field.map((set) => `controllers.guide.${set}`), "duration=6");
    const seen: number[] = [];
    let closest = Number.POSITIVE_INFINITY;
    for (const { way, obstacles = new Float64Array(0) } of run.intents) {
      seen.push(...obstacles);
      // The first piece starts where the rover is.
      for (let k = 4; k < way.length; k += 2)
        for (let share = 0; share <= 1; share += 0.1)
          for (let o = 0; o < seen.length; o += 2) {
            const x = way[k - 2]! + share * (way[k]! - way[k - 2]!);
            const y = way[k - 1]! + share * (way[k + 1]! - way[k - 1]!);
            closest = Math.min(closest, Math.hypot(x - seen[o]!, y - seen[o + 1]!));
          }
    }
    expect(closest).toBeGreaterThanOrEqual(0.6 - 1e-9);
    expect(closest).toBeLessThan(0.8);
  });

  it("reports that a wall leaves no way, and why, before it is near", async () => {
    const run = await guided("wall: {kind: ledge, height: 0.4, ramp: 0.3, x: 1.4}");
    expect(why(run)).toMatch(
      /^guide: all paths to the goal are blocked by observed obstacles: too steep \(\d+ deg, at most 20\)/,
    );
    expect(Math.max(...run.log.column("q.base.x"))).toBeLessThan(0.9);
    expect(run.log.column("guide.state").at(-1)).toBe(2);
  });

  it("reports that its goal is too steep, or too close to a rock", async () => {
    const hill = await guided("hill: {kind: mound, height: 0.6, radius: 1, x: 2.7}");
    expect(why(hill)).toMatch(/^guide: the goal is on ground that the rover cannot cross: too steep/);
    const rock = await guided("rock: {kind: mound, height: 0.2, radius: 0.2, x: 2.2, y: 0.6}");
    expect(why(rock)).toMatch(/^guide: the goal is (on|nearer than 0\.25 m to) ground that the rover cannot cross: too rough/);
  });

  it("detects that it is stuck, and that it is tilted too far", async () => {
    const steep = "slope: {kind: plane, slope: 32 deg}";
    const stuck = await guided(
      steep,
      "controllers.guide.slope=45 deg",
      "controllers.guide.mostTilt=1",
      "controllers.guide.patience=2",
    );
    expect(why(stuck)).toMatch(
      /^guide: stuck since t = \d+\.\d s: the wheels turn and the rover does not go, slip \d\.\d\d at a tilt of 3\d\.\d deg$/,
    );
    const tilted = await guided(steep, "controllers.guide.slope=45 deg");
    expect(why(tilted)).toMatch(/^guide: tilted by 3\d\.\d deg, more than 28\.6 deg$/);
    expect(tilted.t).toBeLessThan(1);
  });

  it("stops off its map, and reports it", async () => {
    const run = await guided("plain: {kind: plane}", "state.q.base=[1,0,0,0,-4,0,0.2757]");
    expect(why(run)).toBe("guide: at x = -4.00, y = 0.00 it is off its map");
  });
});

describe("refuses", () => {
  it.each([
    ["a goal outside", ["controllers.guide.goalX=40"], /guide\.goalX: the goal is outside of the field.*x from -1 to 10/s],
    ["a goal at the border", ["controllers.guide.goalY=10.4"], /guide\.goalY: the goal is at the border of the field/],
    ["wheels without size", ["controllers.guide.wheels[0].radius=0"], /wheels\[0\]\.radius: must be positive, got 0/],
    ["no wheels", ["controllers.guide.wheels=[]"], /guide\.wheels: a rover needs a wheel/],
    ["a motor that is not there", ["controllers.guide.wheels[0].drive=motor"], /motor\.speed/],
    ["slip of a standing rover", ["controllers.guide.slip=[[0,0],[0.3,1]]"], /guide\.slip: slip must be between -1 and 1/],
    [
      "a map of too many cells",
      ["controllers.guide.cell=0.011", "controllers.guide.length=100", "controllers.guide.width=100"],
      /more than 4000000 cells/,
    ],
    ["a wheel of no radius", ["forces.ground-fl.radius=0"], /ground-fl\.radius: must be positive, got 0/],
  ] as const)("%s", (_what, sets, message) => {
    expect(wrongRover("rover-traverse", ...sets)).toMatch(message);
  });
});
