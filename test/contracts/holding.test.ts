/** Friction that holds: below its limit a load that vibrates moves nothing away, at the limit the force is the limit. */
import { describe, expect, it } from "vitest";
import { buildModel } from "../../src/model/build/model-builder.ts";
import type { Model } from "../../src/model/model.ts";
import { readForce } from "../../src/parts/force/forces.ts";
import { customForce } from "../../src/parts/force/loads/custom.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import { simulate } from "../../src/sim/run/simulate.ts";
import type { ForceElement } from "../../src/sim/system/force-element.ts";

/** Force of 10 N at which each of them slips, and elastic deflection at that force. */
const LIMIT = 10;
/** Part of the 600 s that each of them holds. HOLD_PART=1 for all of it, which takes some minutes. */
const SHARE = Number(process.env.HOLD_PART ?? 0.02);
const G = 10;

interface Holder {
  readonly model: Model;
  readonly holds: ForceElement;
  /** Start of the coordinates. */
  readonly q: readonly number[];
  readonly coordinate: string;
  readonly bend: number;
  /** Inputs set at the start. */
  readonly inputs: Readonly<Record<string, number>>;
  readonly force: string;
}

const along = { kind: "general", freedoms: ["x", "z"] } as const;

function brake(damping = 40): Holder {
  const model = buildModel("slider")
    .body({ name: "block", mass: 0.5, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } })
    .build();
  const holds = readForce(
    "leg-actuator",
    "drive",
    { hinge: "block", stiffness: 0, damping, brake: LIMIT, brakeStiffness: 1e5 },
    model,
  );
  return { model, holds, q: [0], coordinate: "block", bend: LIMIT / 1e5, inputs: { "drive.brake": 1 }, force: "drive.block" };
}

function wheel(): Holder {
  const model = buildModel("parked")
    .gravity([0, 0, -G])
    .body({ name: "block", mass: 2, inertia: [1, 1, 1], hinge: along })
    .build();
  const holds = readForce(
    "wheel-on-ground",
    "ground",
    { wheel: "block", axle: "y", radius: 0.3, friction: 0.5, bristle: 2e5, bristleDamping: 100, stiffness: 1e5 },
    model,
  );
  return {
    model,
    holds,
    q: [0, 0.3 - (2 * G) / 1e5],
    coordinate: "block.x",
    bend: LIMIT / 2e5,
    inputs: {},
    force: "ground.pull",
  };
}

function contact(): Holder {
  const model = buildModel("block on a floor")
    .gravity([0, 0, -G])
    .body({ name: "block", mass: 2, inertia: [1, 1, 1], hinge: along })
    .build();
  const holds = readForce(
    "contact",
    "floor",
    {
      shapes: [{ kind: "sphere", on: "block", radius: 0.1 }],
      against: [{ kind: "plane" }],
      stiffness: 1e5,
      friction: 0.5,
      bristleBend: 5e-5,
      bristleTime: 1e-3,
    },
    model,
  );
  return { model, holds, q: [0, 0.1 - (2 * G) / 1e5], coordinate: "block.x", bend: 5e-5, inputs: {}, force: "floor.fx" };
}

/** A force along x on the block, of the given course. */
const push = (model: Model, course: (t: number) => number) =>
  customForce(
    {
      name: "push",
      apply(s, out) {
        const force = course(s.t);
        out.tau[0]! += force;
        out.supplied += force * s.u[0]!;
      },
    },
    model,
  );

const run = ({ model, holds, q, inputs }: Holder, course: (t: number) => number, duration: number, channels: string[], u = 0) => {
  const system = createSystem(model, [holds, push(model, course)]);
  const start = system.start({ q: [...q], u: model.nu === 1 ? [u] : [u, 0] });
  const plan = [{ name: "begin", at: 0, actions: { set: inputs } }];
  return simulate(system, start, { plan, duration, sample: duration / 2000, channels, settings: { relativeTolerance: 1e-7 } })
    .log;
};

const HOLDERS = { brake, wheel, contact };
const each = Object.entries(HOLDERS).map(([name, holder]) => ({ name, holder }));

describe.each(each)("a $name", ({ holder }) => {
  it.each([
    [0.1, Math.max(130, SHARE * 600)], // at least two periods
    [1, SHARE * 600],
    [10, SHARE * 600],
    [100, SHARE * 600],
  ])("holds 80 % ± 15 % of its limit at %d rad/s for %d s", { timeout: 600_000 }, (frequency, duration) => {
    const held = holder();
    // The load grows slowly at first: a sudden load would swing beyond the limit.
    const course = (t: number): number => LIMIT * Math.min(1, t) * (0.8 + 0.15 * Math.sin(frequency * t));
    const x = run(held, course, duration, [`q.${held.coordinate}`]).column(`q.${held.coordinate}`);
    const largest = Math.max(...x.map(Math.abs));
    expect(largest).toBeGreaterThan(0.75 * held.bend);
    expect(largest).toBeLessThan(2 * held.bend);
    // Nothing is left behind: late deflections are not larger than early ones.
    const half = x.length / 2;
    const late = Math.max(...x.slice(half).map(Math.abs));
    const early = Math.max(...x.slice(x.length / 20, half).map(Math.abs));
    expect(late).toBeLessThan(early + 0.02 * held.bend);
  });

  it("slips with exactly its limit", () => {
    const held = holder(0);
    const load = held.force.startsWith("drive") ? [] : [`${held.force.split(".")[0]}.load`];
    const log = run(held, () => 1.2 * LIMIT, 0.5, [`q.${held.coordinate}`, held.force, ...load], 1);
    const limit = load[0] ? 0.5 * log.column(load[0]).at(-1)! : LIMIT;
    expect(Math.abs(Math.abs(log.column(held.force).at(-1)!) / limit - 1)).toBeLessThan(1e-9);
  });
});

it("a block on a belt, held by a spring, is carried along until the spring wins, then swings about that place with the speed of the belt", () => {
  const [mass, stiffness, speed, mu] = [2, 200, 0.1, 0.5];
  const model = buildModel("belt")
    .gravity([0, 0, -G])
    .body({ name: "belt", mass: 1, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } })
    .body({ name: "block", mass, inertia: [1, 1, 1], hinge: along })
    .loop({ name: "motor", kind: "prescribed", hinge: "belt", motion: { rate: speed } })
    .build();
  const floor = readForce(
    "contact",
    "floor",
    {
      shapes: [{ kind: "sphere", on: "block", radius: 0.1 }],
      against: [{ kind: "plane", on: "belt", axis: "z" }],
      stiffness: 1e5,
      friction: mu,
      bristleBend: 1e-6,
    },
    model,
  );
  const spring = readForce("hinge-spring", "spring", { hinge: "block.x", stiffness }, model);
  const system = createSystem(model, [floor, spring]);
  const start = system.start({ q: [0, 0, 0.1 - (mass * G) / 1e5], u: [speed, speed, 0] });
  const duration = 2;
  const { log } = simulate(system, start, { duration, sample: 1e-3, channels: ["q.block.x", "u.block.x"] });
  const [x, v, t] = [log.column("q.block.x"), log.column("u.block.x"), log.column("t")];
  const place = (mu * mass * G) / stiffness; // where the spring has the limit of friction
  const omega = Math.sqrt(stiffness / mass);
  const breaks = place / speed;
  for (let i = 0; i < t.length; i++) {
    const since = t[i]! - breaks;
    const carried = since < 0;
    expect(x[i]).toBeCloseTo(carried ? speed * t[i]! : place + (speed / omega) * Math.sin(omega * since), 4);
    expect(v[i]).toBeCloseTo(carried ? speed : speed * Math.cos(omega * since), 3);
  }
});
