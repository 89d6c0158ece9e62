/** Motion in the reaction null space: hinges follow their references as far as this does not turn the base. */
import { FREEDOM_UNITS } from "../../../declare/parameters.ts";
import { freeFlyer } from "../../../dynamics/free-flying/free-flyer.ts";
import { robotOf } from "../../../dynamics/free-flying/robot.ts";
import { SingularError } from "../../../errors.ts";
import { lazy } from "../../../kernel/run/lazy.ts";
import { quaternionFromMatrix, rotationVectorBetween } from "../../../math/elementary/rotation-vector.ts";
import { choleskySolver } from "../../../math/linear/cholesky.ts";
import { freedomsOf } from "../../../model/freedoms.ts";
import { takeFiniteSaved } from "../../../saved-data.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import { LoopRefusal } from "../foothold/engaged-loops.ts";
import { referenceTrajectories } from "../hinge/driven-hinges.ts";
import { controllerKind } from "../kind.ts";
import { COORDINATION_PARAMETERS } from "../tasks/coordination.ts";
import { fullyDrivenRobot } from "../tasks/fully-driven-robot.ts";

interface ReactionNullSpaceMemory {
  /** Attitude of the base at the start, and all coordinates then. */
  readonly attitude: Float64Array;
  readonly home: Float64Array;
  /** Errors at the last update, for the channels. */
  attitudeError: number;
  referenceError: number;
}

export const reactionNullSpace = controllerKind({
  name: "reaction-null-space",
  about:
    "Hinges of a free-flying robot follow references without turning its base, and without wheels. Each hinge demands the acceleration " +
    "a = reference + kd (speed error) + kp (position error). The law chooses the accelerations nearest to these, measured by kinetic " +
    "energy, that give the base the angular acceleration J_w φ̈ + bias = -kdBase ω - kpBase (attitude error). The hinges then follow " +
    "their references only approximately, because they have three freedoms less.",
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
          about: "Reference position: a constant, or rows [time, position] with quintics from rest to rest in between.",
        },
      },
      about: "Hinges that move; the others keep their positions.",
    },
    free: {
      type: "freedoms",
      optional: true,
      about: "Hinges whose position is free for compensation: they are only damped by kd.",
    },
    kp: { type: "number", unit: "1/s^2", least: 0, default: 1, about: "Gain of the position error." },
    kd: { type: "number", unit: "1/s", least: 0, default: 2, about: "Gain of the speed error." },
    kpBase: { type: "number", unit: "1/s^2", least: 0, default: 1, about: "Gain of the attitude error of the base." },
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
    const refusal = new LoopRefusal(name, model, robot, []);
    refusal.noteEngaged(note);
    const { speeds, names, base: body } = robot;
    const n = speeds.length;
    const flyer = lazy(() => freeFlyer(model, { base: body.name, frames: [body.name], outputs: ROBOT_OUTPUTS }));
    const coordinates = speeds.map((u) => freedomsOf(model)[u]!.q ?? -1);
    const drivenRobot = fullyDrivenRobot(robot, motors, hinges, note);
    if (n < 4) note("hinges", `${n} hinges leave no motion that keeps the attitude of the base`, "It takes four or more");
    const referenceIndex = speeds.map((u) => references.findIndex(({ hinge }) => hinge.u === u));
    for (const { hinge } of references)
      if (!speeds.includes(hinge.u)) note("references", `${hinge.name} is not a hinge of the robot with the base "${body.name}"`);
    const isFree = speeds.map((u) => values.free?.some((f) => f.u === u) ?? false);
    for (const [j, i] of referenceIndex.entries()) if (i >= 0 && isFree[j]) note("free", `${names[j]} has a reference`);
    const trajectories = referenceTrajectories(references);
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
    /** H* with free hinges scaled as if they were light, so that they do most of the compensation. */
    const weightedInertia = new Float64Array(n * n);

    return {
      name,
      period,
      commands: drivenRobot.commands,
      channels: [
        { name: "attitude", unit: "rad", about: "angle by which the base has turned" },
        { name: "off-reference", unit: "", about: "largest distance of a hinge from its reference" },
      ],
      start(_model, s) {
        const startAttitude = new Float64Array(4);
        flyer().evaluate(s.q, s.u);
        quaternionFromMatrix(flyer().values.pose, 0, startAttitude);
        return { attitude: startAttitude, home: s.q.slice(), attitudeError: 0, referenceError: 0 };
      },
      update(s, memory, command) {
        refusal.check(s);
        flyer().evaluate(s.q, s.u);
        const { Hstar, Jstar: J, bias, pose, velocity } = flyer().values;
        memory.referenceError = 0;
        for (let j = 0; j < n; j++) {
          const rate = s.u[speeds[j]!]!;
          const coordinate = coordinates[j]!;
          if (referenceIndex[j]! >= 0) {
            trajectories[referenceIndex[j]!]!.at(s.t, sample);
            memory.referenceError = Math.max(memory.referenceError, Math.abs(sample[0]! - s.q[coordinate]!));
            phidd[j] = sample[2]! + kd * (sample[1]! - rate) + kp * (sample[0]! - s.q[coordinate]!);
          } else if (isFree[j] || coordinate < 0) phidd[j] = -kd * rate;
          else phidd[j] = kp * (memory.home[coordinate]! - s.q[coordinate]!) - kd * rate;
        }
        // min (φ̈ - a)ᵀ M (φ̈ - a) with J_w φ̈ = b: φ̈ = a + M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ (b - J a).
        for (let i = 0; i < n; i++)
          for (let j = 0; j < n; j++)
            weightedInertia[i * n + j] =
              Hstar[i * n + j]! * (isFree[i] ? FREE_HINGE_SCALE : 1) * (isFree[j] ? FREE_HINGE_SCALE : 1);
        if (mass.factor(weightedInertia) >= 0)
          throw new SingularError(`${name}: the generalised inertia is singular at t = ${s.t} s`);
        quaternionFromMatrix(pose, 0, attitude);
        memory.attitudeError = rotationVectorBetween(attitude, memory.attitude, error); // in base axes
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
          throw new SingularError(
            `${name}: at t = ${s.t} s the hinges cannot turn the base about every axis, so they cannot hold it`,
          );
        small.solve(right);
        for (let r = 0; r < 3; r++) for (let j = 0; j < n; j++) phidd[j]! += columns[r]![j]! * right[r]!;
        drivenRobot.torques(flyer(), phidd, command);
        return memory;
      },
      report({ attitudeError, referenceError }, out) {
        out[0] = attitudeError;
        out[1] = referenceError;
      },
      decode: (data) => decodeMemory(data, model.nq, name),
    };
  },
});

const ROBOT_OUTPUTS = ["Hstar", "Cstar", "Jstar", "bias", "pose", "velocity"] as const;

function decodeMemory(data: unknown, nq: number, name: string): ReactionNullSpaceMemory {
  const memory = { attitude: new Float64Array(4), home: new Float64Array(nq), attitudeError: 0, referenceError: 0 };
  takeFiniteSaved(memory, data, name);
  return memory;
}

/** Factor of the inertia of a free hinge. */
const FREE_HINGE_SCALE = 0.01;

/** v := R v, with R by rows at the start of a pose. */
function rotateToWorld(R: Float64Array, v: Float64Array): void {
  const [x, y, z] = [v[0]!, v[1]!, v[2]!];
  for (let i = 0; i < 3; i++) v[i] = R[3 * i]! * x + R[3 * i + 1]! * y + R[3 * i + 2]! * z;
}
