/** Turns a floating base without wheels: arms move along a planned closed loop, all other hinges are held. */

import { FREEDOM_UNITS } from "../../../declare/parameters.ts";
import { freeFlyer } from "../../../dynamics/free-flying/free-flyer.ts";
import { robotOf } from "../../../dynamics/free-flying/robot.ts";
import { UnreachableError } from "../../../errors.ts";
import { lazy } from "../../../kernel/run/lazy.ts";
import { euclideanNorm } from "../../../math/elementary/hypotenuse.ts";
import {
  multiplyQuaternions,
  quaternionFromRotationVector,
  rotationVectorBetween,
} from "../../../math/elementary/rotation-vector.ts";
import { freedomsOf } from "../../../model/freedoms.ts";
import type { Model } from "../../../model/model.ts";
import { type LoopMotion, type Reorientation, type ReorientOptions, reorient, writeLoopMotion } from "../../../plan/reorient.ts";
import { checkSavedFinite, refuseSaved, savedArray, savedEntries, takeFiniteSaved } from "../../../saved-data.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import { LoopRefusal } from "../foothold/engaged-loops.ts";
import { controllerKind } from "../kind.ts";
import { COORDINATION_PARAMETERS } from "../tasks/coordination.ts";
import { fullyDrivenRobot } from "../tasks/fully-driven-robot.ts";

interface ReorientByArmsMemory {
  /** The loop of the moving hinges. */
  readonly loop: LoopMotion;
  /** Coordinates at the start, and quaternion of the final attitude of the base. */
  readonly home: Float64Array;
  readonly goal: Float64Array;
  /** Angle between the attitude of the base and its goal. */
  remainingAngle: number;
}

export const reorientByArms = controllerKind({
  name: "reorient-by-arms",
  about:
    "Turns the base of a free-flying robot by `rotation` without external forces. The moving hinges follow a closed loop, as often as " +
    "needed, and end where they began; the other hinges are held. The loop is planned at the start (see plan/reorient). Without " +
    "momentum the base turns at ω = J_w(φ) φ̇; the resulting rotation depends on the loop and not on its ends. Torques " +
    "tau = H* a + C* with a = reference + kd (speed error) + kp (position error).",
  parameters: {
    period: COORDINATION_PARAMETERS.period,
    base: { type: "frame", optional: true, about: "Floating body to turn; the first one if not given." },
    motors: COORDINATION_PARAMETERS.motors,
    hinges: { type: "freedoms", about: "Hinges that have motors; all hinges of the robot need one." },
    moving: {
      type: "list",
      of: {
        hinge: { type: "freedom", needs: "coordinate", about: "Hinge that moves." },
        reach: {
          type: "number",
          unit: FREEDOM_UNITS.coordinate,
          above: 0,
          about: "Largest displacement from the position at the start.",
        },
      },
      about: "Hinges that follow the loop, two or more; three for a rotation about any axis.",
    },
    rotation: { type: "vector", unit: "rad", about: "Rotation of the base: axis times angle, in its axes at the start." },
    duration: { type: "number", unit: "s", above: 0, about: "Time for all loops." },
    cycles: { type: "number", unit: "", least: 1, optional: true, about: "Number of loops; as few as possible if not given." },
    kp: { type: "number", unit: "1/s^2", least: 0, default: 1, about: "Gain of the position error." },
    kd: { type: "number", unit: "1/s", least: 0, default: 2, about: "Gain of the speed error." },
  },
  examples: [
    {
      motors: "motors",
      hinges: ["shoulder", "elbow", "slider", "wrist"],
      moving: [
        { hinge: "shoulder", reach: 1.5 },
        { hinge: "elbow", reach: 1.5 },
        { hinge: "slider", reach: 0.3 },
      ],
      rotation: [0, 0.01, 0],
      duration: 20,
    },
  ],
  controller(name, values, note, model): Controller<ReorientByArmsMemory> {
    const { period, motors, hinges, moving, rotation, kp, kd } = values;
    const base = values.base === undefined ? {} : { base: values.base };
    const robot = robotOf(model, values.base);
    const { speeds, base: body } = robot;
    const refusal = new LoopRefusal(name, model, robot, []);
    refusal.noteEngaged(note);
    const n = speeds.length;
    const flyer = lazy(() => freeFlyer(model, { ...base, outputs: ["Hstar", "Cstar"] }));
    const coordinates = speeds.map((u) => freedomsOf(model)[u]!.q ?? -1);
    const drivenRobot = fullyDrivenRobot(robot, motors, hinges, note);
    const movingIndices = moving.map(({ hinge }) => speeds.indexOf(hinge.u));
    if (movingIndices.length < 2) note("moving", "must list two hinges or more");
    for (const [i, j] of movingIndices.entries()) {
      if (j < 0) note("moving", `${moving[i]!.hinge.name} is not a hinge of the robot with the base "${body.name}"`);
      if (movingIndices.indexOf(j) < i) note("moving", `${moving[i]!.hinge.name} is listed twice`);
    }
    const angle = euclideanNorm(rotation);
    if (!(angle > 0 && angle <= Math.PI)) note("rotation", "must be an axis times an angle above 0 and at most π");
    if (values.cycles !== undefined && !Number.isInteger(values.cycles)) note("cycles", "must be a whole number");
    const [sample, phidd, errorVector] = [new Float64Array(3 * movingIndices.length), new Float64Array(n), new Float64Array(3)];
    return {
      name,
      period,
      commands: drivenRobot.commands,
      channels: [{ name: "left", unit: "rad", about: "angle between the attitude of the base and its goal" }],
      start(_model, s) {
        const { coefficients, cycles } = planLoop(name, model, {
          ...base,
          ...(values.cycles !== undefined && { cycles: values.cycles }),
          ...{ q0: s.q.slice(), rotation, duration: values.duration },
          hinges: moving.map(({ hinge }) => hinge.name),
          reach: moving.map(({ reach }) => reach),
        });
        const [turn, goal] = [new Float64Array(4), new Float64Array(4)];
        quaternionFromRotationVector(rotation, turn);
        multiplyQuaternions(s.q.subarray(body.hinge.q), turn, goal);
        const loopHome = Float64Array.from(moving, ({ hinge }) => s.q[hinge.q!]!);
        const loop = { home: loopHome, coefficients, cycles, duration: values.duration };
        return { loop, home: s.q.slice(), goal, remainingAngle: angle };
      },
      update(s, memory, command) {
        refusal.check(s);
        flyer().evaluate(s.q, s.u);
        for (let j = 0; j < n; j++) {
          const error = coordinates[j]! < 0 ? 0 : memory.home[coordinates[j]!]! - s.q[coordinates[j]!]!;
          phidd[j] = kp * error - kd * s.u[speeds[j]!]!;
        }
        writeLoopMotion(memory.loop, s.t, sample);
        const count = movingIndices.length;
        for (let i = 0; i < count; i++) {
          const j = movingIndices[i]!;
          phidd[j]! += sample[2 * count + i]! + kd * sample[count + i]! + kp * (sample[i]! - memory.home[coordinates[j]!]!);
        }
        drivenRobot.torques(flyer(), phidd, command);
        memory.remainingAngle = rotationVectorBetween(attitudeOf(s.q), memory.goal, errorVector);
        return memory;
      },
      report({ remainingAngle }, out) {
        out[0] = remainingAngle;
      },
      decode(data) {
        const { loop, ...rest } = savedEntries(data, ["loop", "home", "goal", "remainingAngle"], name);
        const memory = { home: new Float64Array(model.nq), goal: new Float64Array(4), remainingAngle: 0 };
        takeFiniteSaved(memory, rest, name);
        return { ...memory, loop: readLoop(loop, movingIndices.length, `${name}.loop`) };
      },
    };

    function attitudeOf(q: Float64Array): Float64Array {
      for (let i = 0; i < 4; i++) attitude[i] = q[body.hinge.q + i]!;
      return attitude;
    }
  },
});

const attitude = new Float64Array(4);

/** The plan of `reorient`, with the name of the controller in its error. @throws UnreachableError */
function planLoop(name: string, model: Model, options: ReorientOptions): Reorientation {
  try {
    return reorient(model, options);
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    throw new UnreachableError(`${name}: ${error.message}`, { cause: error });
  }
}

/** The loop of n hinges from saved data. @throws FormatError */
function readLoop(data: unknown, n: number, path: string): LoopMotion {
  const { coefficients: saved, ...rest } = savedEntries(data, ["coefficients", "home", "cycles", "duration"], path);
  const loop = { home: new Float64Array(n), cycles: 0, duration: 0 };
  takeFiniteSaved(loop, rest, path);
  const coefficients = savedArray(saved, Float64Array, `${path}.coefficients`);
  checkSavedFinite(coefficients, `${path}.coefficients`);
  if (coefficients.length === 0 || coefficients.length % (2 * n) !== 0)
    refuseSaved(`${path}.coefficients`, `must have a multiple of ${2 * n} numbers`, saved);
  return { ...loop, coefficients };
}
