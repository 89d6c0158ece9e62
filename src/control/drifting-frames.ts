/** Frames that a robot does not carry: those of a target that drifts by itself, with nothing but its own motion and uniform gravity. */
import { accelerations } from "../dynamics/forward-dynamics.ts";
import { frameBias, frameJacobian, framePose, placeLinks } from "../dynamics/kinematics.ts";
import { machineOf } from "../dynamics/machine.ts";
import { compile, type Kernel } from "../kernel/kernel.ts";
import { trace } from "../kernel/program.ts";
import { add, mul, type Scalar } from "../kernel/scalar.ts";
import { frameOf, type Model } from "../model/model.ts";

/** Numbers of a frame: R_WE by rows and position (12), velocity (6), acceleration (6); angular first, world axes. */
export const PER_DRIFTING_FRAME = 24;

/** q, u → the motion of each frame in turn. What does not carry one of them is not computed. */
export function driftingFrames(model: Model, names: readonly string[]): Kernel {
  return compile(
    trace(`${model.name} drifting frames`, { q: model.nq, u: model.nu }, ({ q, u }) => {
      const machine = machineOf(model);
      const placed = placeLinks(machine, q);
      const udot = accelerations(model, [], q, u, new Array<Scalar>(model.nu).fill(0), []);
      const times = (row: readonly Scalar[], v: readonly Scalar[]): Scalar =>
        row.reduce<Scalar>((sum, value, j) => add(sum, mul(value, v[j]!)), 0);
      return {
        motion: names.flatMap((name) => {
          const frame = frameOf(model, name);
          const { R, p } = framePose(machine, placed, frame);
          const J = frameJacobian(machine, placed, frame);
          const bias = frameBias(machine, placed, q, u, frame);
          return [...R.flat(), ...p, ...J.map((row) => times(row, u)), ...J.map((row, i) => add(times(row, udot), bias[i]!))];
        }),
      };
    }),
  );
}
