/** The law of the soil through standing, reversal and straight running: no jump, and where the law allows it no kink. */
import { describe, expect, it } from "vitest";
import { SOILS } from "../../../src/ground/soil.ts";
import { WheelOnSoil } from "../../../src/ground/wheel-soil.ts";

const SHAPE = { radius: 0.09, width: 0.11 };
const SINKAGE = 0.016;
const DIGGING = 6;

/** Speeds ahead, to the left, and of the rim, m/s. */
type Speeds = readonly [number, number, number];

const forcesOf = (soil: keyof typeof SOILS, grouser: number) => {
  const wheel = new WheelOnSoil(SOILS[soil], { ...SHAPE, grouser }, 9.81);
  const dug = grouser > 0 ? 0.002 : 0;
  return (at: Speeds, by: number, along: Speeds): number[] => {
    const [vx, vy, rim] = at.map((v, i) => v + by * along[i]!) as unknown as Speeds;
    const { fx, fy, fz, torque, mx, mz } = wheel.evaluate(SINKAGE, 0, vx, vy, rim, dug);
    // Moments in newtons at the rim.
    return [fx, fy, fz, torque / 0.09, mx / 0.09, mz / 0.09, 1e3 * wheel.diggingRate(SINKAGE, vx, rim, dug)];
  };
};

const DIRECTIONS: readonly Speeds[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [1, 0, 1],
  [0.6, -0.5, 0.3],
  [-0.2, 0.7, 0.9],
];

/** Largest step of any force between both sides, N, and of its slope, N s/m. */
function worst(forces: ReturnType<typeof forcesOf>, at: Speeds, directions: readonly Speeds[], delta: number) {
  let [jump, kink] = [0, 0];
  for (const along of directions) {
    const [before, here, after] = [-delta, 0, delta].map((by) => forces(at, by, along)) as [number[], number[], number[]];
    for (const [i, f] of here.entries()) {
      jump = Math.max(jump, Math.abs(after[i]! - before[i]!));
      if (i === DIGGING) continue; // it begins where slip does, and takes as much of it as there is
      kink = Math.max(kink, Math.abs((after[i]! - 2 * f + before[i]!) / delta));
    }
  }
  return { jump, kink };
}

const STATES: readonly (readonly [string, Speeds])[] = [
  ["standing", [0, 0, 0]],
  ["standing and sliding aside", [0, 0.003, 0]],
  ["sliding aside, slowly", [0, -2e-4, 0]],
  ["turning back while it rolls on", [0.03, 0, -0.03]],
  ["the same, sliding aside", [-0.03, 0.01, 0.03]],
  ["creeping back while it turns slowly", [-0.004, -0.002, 0.004]],
  ["running straight", [0.04, 0, 0.05]],
  ["running straight backwards", [-0.05, 0, -0.04]],
  ["rolling without slip", [0.05, 0.01, 0.05]],
  ["spinning in place", [0, 0, 0.05]],
  ["locked", [0.05, 0.004, 0]],
];

describe.each([
  ["lunar-simulant", 0],
  ["dry-sand", 0],
  ["lunar-simulant", 0.01],
] as const)("%s, paddles of %s m", (soil, grouser) => {
  const forces = forcesOf(soil, grouser);

  it.each(STATES)("forces have no jump and no kink: %s", (_what, at) => {
    // Slopes are at most some 1e5 N s/m, and change over 1e-3 m/s at the quickest.
    expect(worst(forces, at, DIRECTIONS, 1e-9).jump).toBeLessThan(1e-3);
    const [coarse, fine] = [1e-6, 1e-7].map((delta) => worst(forces, at, DIRECTIONS, delta).kink) as [number, number];
    expect(fine).toBeLessThan(Math.max(0.2 * coarse, 0.5));
  });

  it("anywhere between: steps of 1e-9 m/s change forces by less than 1e-3 N", () => {
    let seed = 7;
    const random = (): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 32 - 0.5;
    };
    for (let k = 0; k < 300; k++) {
      const scale = 10 ** (-4 * Math.abs(random()) - 1);
      const at: Speeds = [scale * random(), scale * random(), scale * random()];
      // On the surfaces where the law decides: r ω = -v, r ω = v, r ω = ±v_d, v = 0, v_y = 0.
      const on: readonly Speeds[] = [
        at,
        [at[0], at[1], -at[0]],
        [at[0], at[1], at[0]],
        [at[0], at[1], 0.02],
        [at[0], at[1], -0.02],
        [0, at[1], at[2]],
        [at[0], 0, at[2]],
      ];
      for (const state of on) expect(worst(forces, state, DIRECTIONS, 1e-9).jump, `${soil} at ${state}`).toBeLessThan(1e-3);
    }
  });
});
