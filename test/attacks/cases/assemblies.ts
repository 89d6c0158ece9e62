/**
 * Random closed machines in which some coordinates are given or held. A machine is built in a closed position that is known, so it can be
 * closed with any of its true coordinates held. Planar linkages of one or two rings, and plates on three to six legs in space.
 */
import { CastorError } from "../../../src/errors.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { BodyDescription, LoopDescription, ModelDescription } from "../../../src/model/description.ts";
import { homeOf } from "../../../src/model/model.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { assemble } from "../../../src/sim/system/assembly.ts";
import { uniform } from "../../fixtures/models/random-model.ts";
import { workspaceOf } from "../../fixtures/workspace.ts";
import type { AttackCase, Outcome } from "./case.ts";

/** Largest residual of a closed loop, m or rad. */
const CLOSED = 1e-9;

interface Machine {
  readonly model: ModelDescription;
  /** A position with closed loops, by hinge. */
  readonly closed: ReadonlyMap<string, readonly number[]>;
  /** Hinges that may be held together: they are independent. */
  readonly drives: readonly string[];
}

type Draw = (least: number, most: number) => number;
type Point = readonly [number, number];

const bar = (name: string, length: number, at: Point, parent: string | undefined): BodyDescription => ({
  name,
  ...(parent !== undefined && { parent }),
  mass: 0.5 + length,
  com: [length / 2, 0, 0],
  inertia: [0.01, 0.01 + length ** 2 / 12, 0.01 + length ** 2 / 12],
  hinge: { kind: "revolute", at: [at[0], at[1], 0] },
});

/** A ring of bars between the world's origin and another point: joints on a random convex-ish polygon, whose last side is the ground. */
function ring(prefix: string, draw: Draw, origin: Point) {
  const count = Math.floor(draw(3, 7));
  const joints = Array.from({ length: count + 1 }, (_, i): Point => {
    const angle = Math.PI - (i * Math.PI * draw(0.9, 1.1)) / count;
    const radius = draw(0.6, 1.4);
    return [origin[0] + radius * Math.cos(angle), origin[1] + radius * Math.sin(angle)];
  });
  const bodies: BodyDescription[] = [];
  const closed = new Map<string, readonly number[]>();
  let direction = 0;
  for (let i = 0; i < count; i++) {
    const [from, to] = [joints[i]!, joints[i + 1]!];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
    const name = `${prefix}${i}`;
    const before = bodies.at(-1);
    const at: Point = before === undefined ? from : [2 * before.com![0]!, 0];
    bodies.push(bar(name, length, at, before?.name));
    closed.set(name, [angle - direction]);
    direction = angle;
  }
  const last = bodies.at(-1)!;
  const end = joints.at(-1)!;
  const loop: LoopDescription = {
    name: `${prefix}pin`,
    kind: "general",
    freedoms: ["z", "rx", "ry", "rz"],
    from: { body: last.name, at: [2 * last.com![0]!, 0, 0] },
    to: { body: "world", at: [end[0], end[1], 0] },
  };
  return { bodies, loop, closed, drives: bodies.slice(0, Math.max(1, count - 2)).map(({ name }) => name) };
}

function rings(draw: Draw): Machine {
  const parts = Array.from({ length: draw(0, 1) < 0.7 ? 1 : 2 }, (_, i) => ring(`${"ab"[i]}`, draw, [4 * i, 0]));
  return {
    model: { name: "rings", bodies: parts.flatMap(({ bodies }) => bodies), loops: parts.map(({ loop }) => loop) },
    closed: new Map(parts.flatMap(({ closed }) => [...closed])),
    drives: parts.flatMap(({ drives }) => drives),
  };
}

/** A plate on legs: universal joint, slide, and a ball at the plate. */
function platform(draw: Draw): Machine {
  const count = Math.floor(draw(3, 7));
  const anchors = Array.from({ length: count }, (_, k): Point => {
    const angle = ((k + draw(-0.2, 0.2)) * 2 * Math.PI) / count;
    return [Math.cos(angle), Math.sin(angle)];
  });
  const bodies: BodyDescription[] = [{ name: "plate", mass: 2, inertia: [1, 1, 2], hinge: { kind: "free" } }];
  for (const [k, [x, y]] of anchors.entries())
    bodies.push(
      { name: `yoke${k}`, mass: 0.2, inertia: [0.02, 0.02, 0.02], hinge: { kind: "universal", at: [x, y, 0] } },
      { name: `slide${k}`, parent: `yoke${k}`, mass: 0.2, inertia: [0.02, 0.02, 0.02], hinge: { kind: "prismatic", axis: "z" } },
    );
  const axis = [draw(-1, 1), draw(-1, 1), draw(-1, 1)];
  const size = Math.hypot(...axis);
  const angle = draw(-0.5, 0.5);
  const quaternion = [Math.cos(angle / 2), ...axis.map((v) => (v / size) * Math.sin(angle / 2))];
  const pose = [...quaternion, draw(-0.3, 0.3), draw(-0.3, 0.3), draw(0.8, 1.6)];
  return {
    model: {
      name: "platform",
      bodies,
      loops: anchors.map(
        ([x, y], k): LoopDescription => ({
          name: `ball${k}`,
          kind: "spherical",
          from: { body: `slide${k}` },
          to: { body: "plate", at: [0.5 * x, 0.5 * y, 0] },
        }),
      ),
    },
    closed: new Map([["plate", pose]]),
    drives: ["plate"],
  };
}

export default function assemblies(seed: number): AttackCase {
  const next = uniform(seed ^ 0xa55e);
  const draw: Draw = (least, most) => least + (most - least) * next();
  const { model, closed, drives } = draw(0, 1) < 0.7 ? rings(draw) : platform(draw);
  const chosen = drives.filter(() => draw(0, 1) < 0.6);
  const hold = chosen.length > 0 ? chosen : drives.slice(0, 1);
  const mode = draw(0, 1) < 0.5 ? "hold" : "keep";
  const start = draw(0, 1);
  /** Others start at home, or some way from the closed position. */
  const offset = start < 0.4 ? undefined : draw(0, 0.6);
  return {
    description: `${model.name} of ${model.bodies.length} bodies, ${mode} ${hold.join(", ")}, others ${offset === undefined ? "at home" : `within ${offset.toFixed(2)}`}`,
    run(): Outcome {
      const built = createModel(model);
      const system = createSystem(built, []);
      const q = homeOf(built);
      for (const { hinge } of built.bodies) {
        const values = closed.get(hinge.name);
        if (values === undefined) continue;
        if (hold.includes(hinge.name)) q.set(values, hinge.q);
        else if (offset !== undefined && hinge.nq === 1) q[hinge.q] = values[0]! + draw(-offset, offset);
      }
      try {
        const options = mode === "hold" ? { hold } : { keep: { q: hold } };
        const { state, moved } = assemble(system, system.start({ q }), options);
        const workspace = workspaceOf(system, state);
        const f = new Float64Array(workspace.closed!.rows);
        workspace.closed!.residual(0, state.y.subarray(0, built.nq), new Float64Array(built.nu), f, f.slice());
        const worst = f.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
        if (!(worst <= CLOSED)) return { wrong: `a loop is open by ${worst}` };
        for (const { hinge } of built.bodies)
          for (let i = hinge.q; i < hinge.q + hinge.nq; i++) {
            const [from, to] = [q[i]!, state.y[i]!];
            if (hold.includes(hinge.name) && to !== from) return { wrong: `${hinge.name} was held at ${from} and is at ${to}` };
            if (Math.abs(to - from) > 1e-9 && !moved.some((m) => m.from === from && m.to === to))
              return { wrong: `${hinge.name} went from ${from} to ${to} without a report` };
          }
        return "right";
      } catch (error) {
        if (error instanceof CastorError) return { refused: error.message };
        throw error;
      }
    },
  };
}
