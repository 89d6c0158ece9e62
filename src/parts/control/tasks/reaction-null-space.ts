/** Hinges follow their references as far as that does not turn the base: motion in the reaction null space. */

import { FREEDOM_UNITS } from "../../../declare/parameters.ts";
import { type FreeFlyer, freeFlyer } from "../../../dynamics/free-flying/free-flyer.ts";
import { robotOf } from "../../../dynamics/free-flying/robot.ts";
import { SingularError } from "../../../errors.ts";
import { quaternionFromMatrix, rotationVectorBetween } from "../../../math/elementary/rotation-vector.ts";
import { choleskySolver } from "../../../math/linear/cholesky.ts";
import { freedomsOf } from "../../../model/freedoms.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import { referenceTrajectories } from "../hinge/driven-hinges.ts";
import { controllerKind } from "../kind.ts";
import { COORDINATION_PARAMETERS } from "./coordination.ts";
import { fullyDrivenRobot } from "./fully-driven-robot.ts";

/** The attitude of the base at the start, to be kept. */
type ReactionNullSpaceMemory = Float64Array;

export const reactionNullSpace = controllerKind({
  name: "reaction-null-space",
  about:
    "Hinges of a free-flying robot follow references without turning its base, and without wheels: of the accelerations a = reference + kd " +
    "(speed error) + kp (position error) that the hinges ask for, the nearest ones, by kinetic energy, that give the base the angular " +
    "acceleration J_w φ̈ + bias = -kdBase ω - kpBase (attitude error). What hinges follow is then not quite their reference: they have " +
    "three freedoms less.",
  parameters: {
    period: COORDINATION_PARAMETERS.period,
    base: COORDINATION_PARAMETERS.base,
    motors: COORDINATION_PARAMETERS.motors,
    hinges: { type: "freedoms", about: "Hinges that have motors; all hinges of the robot need one." },
    references: {
      type: "list",
      default: [],
      of: {
        hinge: { type: "freedom", needs: "coordinate", about: "Hinge to move." },
        reference: {
          type: "trajectory",
          unit: FREEDOM_UNITS.coordinate,
          about: "Where it shall be: a constant, or rows [time, position], from rest to rest by quintics in between.",
        },
      },
      about: "Hinges that shall move; the others shall stay where they are.",
    },
    free: {
      type: "freedoms",
      optional: true,
      about: "Hinges that may go wherever the base's rest takes them: they are only damped by kd.",
    },
    kp: { type: "number", unit: "1/s^2", least: 0, default: 1, about: "Gain of errors of position." },
    kd: { type: "number", unit: "1/s", least: 0, default: 2, about: "Gain of errors of speed." },
    kpBase: { type: "number", unit: "1/s^2", least: 0, default: 1, about: "Gain of the attitude of the base." },
    kdBase: { type: "number", unit: "1/s", least: 0, default: 2, about: "Gain of the angular velocity of the base." },
  },
  examples: [
    {
      motors: "motors",
      hinges: ["shoulder", "elbow", "slider", "wrist"],
      references: [
        {
          hinge: "elbow",
          reference: [
            [0, -0.4],
            [4, 0.6],
          ],
        },
      ],
      free: ["wrist", "shoulder"],
    },
  ],
  controller(name, values, note, model): Controller<ReactionNullSpaceMemory> {
    const { period, motors, hinges, references, kp, kd, kpBase, kdBase } = values;
    const robot = robotOf(model, values.base);
    const { speeds, names, base: body } = robot;
    const n = speeds.length;
    let flyer: FreeFlyer | undefined; // compiled when a run starts
    const places = speeds.map((u) => freedomsOf(model)[u]!.q ?? -1);
    const whole = fullyDrivenRobot(robot, motors, hinges, note);
    if (n < 4) note("hinges", `${n} hinges leave nothing to move when the base keeps its attitude`, "It takes four or more");
    const followed = speeds.map((u) => references.findIndex(({ hinge }) => hinge.u === u));
    for (const { hinge } of references)
      if (!speeds.includes(hinge.u)) note("references", `${hinge.name} is not a hinge of the robot with the base "${body.name}"`);
    const isFree = speeds.map((u) => values.free?.some((f) => f.u === u) ?? false);
    for (const [j, i] of followed.entries()) if (i >= 0 && isFree[j]) note("free", `${names[j]} has a reference`);
    const paths = referenceTrajectories(references);
    const [sample, phidd, attitude, error] = [3, n, 4, 3].map((size) => new Float64Array(size)) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    const mass = choleskySolver(n);
    const small = choleskySolver(3);
    const columns = [0, 1, 2].map(() => new Float64Array(n));
    const [gram, right] = [new Float64Array(9), new Float64Array(3)];
    let [miss, off] = [0, 0];
    /** H* of a hinge that may go anywhere counts as if it were light: it does the compensating. */
    const weighed = new Float64Array(n * n);

    return {
      name,
      period,
      commands: whole.commands,
      channels: [
        { name: "attitude", unit: "rad", about: "angle by which the base has turned" },
        { name: "off-reference", unit: "", about: "largest distance of a hinge from its reference" },
      ],
      start(_model, s) {
        const home = new Float64Array(4 + model.nq);
        flyer ??= freeFlyer(model, { base: body.name, frames: [body.name], outputs: ROBOT_OUTPUTS });
        flyer.evaluate(s.q, s.u);
        quaternionFromMatrix(flyer.values.pose, 0, home);
        home.set(s.q, 4);
        return home;
      },
      update(s, memory, command) {
        flyer!.evaluate(s.q, s.u);
        const { Hstar, Jstar: J, bias, pose, velocity } = flyer!.values;
        off = 0;
        for (let j = 0; j < n; j++) {
          const rate = s.u[speeds[j]!]!;
          const at = places[j]!;
          if (followed[j]! >= 0) {
            paths[followed[j]!]!.at(s.t, sample);
            off = Math.max(off, Math.abs(sample[0]! - s.q[at]!));
            phidd[j] = sample[2]! + kd * (sample[1]! - rate) + kp * (sample[0]! - s.q[at]!);
          } else if (isFree[j] || at < 0) phidd[j] = -kd * rate;
          else phidd[j] = kp * (memory[4 + at]! - s.q[at]!) - kd * rate;
        }
        // min (φ̈ - a)ᵀ M (φ̈ - a) with J_w φ̈ = b: φ̈ = a + M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ (b - J a).
        for (let i = 0; i < n; i++)
          for (let j = 0; j < n; j++)
            weighed[i * n + j] = Hstar[i * n + j]! * (isFree[i] ? FREE_HINGE_SCALE : 1) * (isFree[j] ? FREE_HINGE_SCALE : 1);
        if (mass.factor(weighed) >= 0) throw new SingularError(`${name}: the generalised inertia is singular at t = ${s.t} s`);
        quaternionFromMatrix(pose, 0, attitude);
        miss = rotationVectorBetween(attitude, memory, error); // in base axes, which are world axes of the error turned
        rotateToWorld(pose, error);
        for (let r = 0; r < 3; r++) {
          const column = columns[r]!;
          let sum = -kdBase * velocity[r]! + kpBase * error[r]! - bias[r]!;
          for (let j = 0; j < n; j++) {
            column[j] = J[r * n + j]!;
            sum -= J[r * n + j]! * phidd[j]!;
          }
          right[r] = sum;
          mass.solve(column);
        }
        for (let r = 0; r < 3; r++)
          for (let c = 0; c < 3; c++) {
            let sum = 0;
            for (let j = 0; j < n; j++) sum += J[r * n + j]! * columns[c]![j]!;
            gram[3 * r + c] = sum;
          }
        if (small.factor(gram) >= 0)
          throw new SingularError(`${name}: at t = ${s.t} s hinges cannot turn the base about every axis, so none can hold it`);
        small.solve(right);
        for (let r = 0; r < 3; r++) for (let j = 0; j < n; j++) phidd[j]! += columns[r]![j]! * right[r]!;
        whole.torques(flyer!, phidd, command);
        return memory;
      },
      report(_memory, out) {
        out[0] = miss;
        out[1] = off;
      },
    };
  },
});

const ROBOT_OUTPUTS = ["Hstar", "Cstar", "Jstar", "bias", "pose", "velocity"] as const;

/** What the inertia of a free hinge counts. */
const FREE_HINGE_SCALE = 0.01;

/** v := R v, R by rows at the start of a pose. */
function rotateToWorld(R: Float64Array, v: Float64Array): void {
  const [x, y, z] = [v[0]!, v[1]!, v[2]!];
  for (let i = 0; i < 3; i++) v[i] = R[3 * i]! * x + R[3 * i + 1]! * y + R[3 * i + 2]! * z;
}
