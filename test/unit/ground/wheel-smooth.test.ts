/** Smoothness of the soil law at rest, in reversal and in straight running: no jumps, and no kinks where the law has none. */
import { describe, expect, it } from "vitest";
import { SOILS } from "../../../src/ground/soil.ts";
import { WheelOnSoil } from "../../../src/ground/wheel-soil.ts";

const SHAPE = { radius: 0.09, width: 0.11 };
const SINKAGE = 0.016;
const DIGGING = 6;

/** Speed ahead, speed to the left and speed of the rim, m/s. */
type Speeds = readonly [number, number, number];

const forcesOf = (soil: keyof typeof SOILS, grouser: number) => {
  const wheel = new WheelOnSoil(SOILS[soil], { ...SHAPE, grouser }, 9.81);
  const dug = grouser > 0 ? 0.002 : 0;
  return (at: Speeds, by: number, along: Speeds): number[] => {
    const [vx, vy, rim] = at.map((v, i) => v + by * along[i]!) as unknown as Speeds;
    const { fx, fy, fz, torque, mx, mz } = wheel.evaluate(SINKAGE, 0, vx, vy, rim, dug);
    // Moments as forces at the rim, N.
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

/** Largest jump of any force between both sides, N, and of its slope, N s/m. */
function worst(forces: ReturnType<typeof forcesOf>, at: Speeds, directions: readonly Speeds[], delta: number) {
  let [jump, kink] = [0, 0];
  for (const along of directions) {
    const [before, here, after] = [-delta, 0, delta].map((by) => forces(at, by, along)) as [number[], number[], number[]];
    for (const [i, f] of here.entries()) {
      jump = Math.max(jump, Math.abs(after[i]! - before[i]!));
      if (i === DIGGING) continue; // digging has a kink where slip begins
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
] as const)("%s, grousers of %s m", (soil, grouser) => {
  const forces = forcesOf(soil, grouser);

  it.each(STATES)("forces have no jump and no kink: %s", (_what, at) => {
    // Slopes are at most about 1e5 N s/m, and change over at least 1e-3 m/s.
    expect(worst(forces, at, DIRECTIONS, 1e-9).jump).toBeLessThan(1e-3);
    const [coarse, fine] = [1e-6, 1e-7].map((delta) => worst(forces, at, DIRECTIONS, delta).kink) as [number, number];
    expect(fine).toBeLessThan(Math.max(0.2 * coarse, 0.5));
  });

  it("steps of 1e-9 m/s change forces by less than 1e-3 N in any state", () => {
    let seed = 7;
    const random = (): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 32 - 0.5;
    };
    for (let k = 0; k < 300; k++) {
      const scale = 10 ** (-4 * Math.abs(random()) - 1);
      const at: Speeds = [scale * random(), scale * random(), scale * random()];
      // On the switching surfaces of the law: r ω = -v, r ω = v, r ω = ±v_d, v = 0, v_y = 0.
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
