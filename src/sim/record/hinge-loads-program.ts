/**
 * Loads from the reactions of hinges: the generalised force in every hinge by inverse dynamics, and the load that every body carries.
 *
 * The reaction (T, F) at M's origin follows from the motion and the external wrenches, not from the force elements in the hinges. Along the
 * partial velocities of the hinge it is the force of all drives, springs and friction in it, less what accelerates rotors:
 * τ_j = w_j·T + v_j·F + armature u̇_j.
 */
import { frameJacobian, framePose, placementsOfLinks } from "../../dynamics/tree/kinematics.ts";
import { linkTreeOf } from "../../dynamics/tree/link-tree.ts";
import { cachedPerOwner } from "../../kernel/run/program-cache.ts";
import { trace } from "../../kernel/trace/program.ts";
import { add, mul, type Scalar, sum } from "../../kernel/trace/scalar.ts";
import type { Frame, Model } from "../../model/model.ts";
import { cross, minus, plus, scale, type Vec3, ZERO3 } from "../../spatial/vec3.ts";

/** Loops between frames, engaged or not, in the order of their wrenches in the inputs. */
export const frameLoops = (model: Model) => [...model.loops, ...model.openLoops].filter((loop) => loop.type === "frames");

/**
 * Inputs: q, u̇, the reactions (6 for each body, see Equations.reactions) and the wrenches of the loops (6 for each of `frameLoops`). Outputs:
 * `efforts`, one for each speed; `carried`, torque and force about the origin of the world, then of each body, in world axes.
 */
export const hingeLoadsProgram = (model: Model) =>
  cachedPerOwner(model, "loads of hinges", () => {
    const loops = frameLoops(model);
    const inputs = { q: model.nq, udot: model.nu, reactions: 6 * model.bodies.length, loops: 6 * loops.length };
    return trace(`${model.name} loads of hinges`, inputs, ({ q, udot, reactions, loops: loopWrenches }) => {
      const tree = linkTreeOf(model);
      const placements = placementsOfLinks(tree, q);
      const wrenchOf = (of: readonly Scalar[], i: number) => ({
        torque: of.slice(6 * i, 6 * i + 3) as unknown as Vec3,
        force: of.slice(6 * i + 3, 6 * i + 6) as unknown as Vec3,
      });
      const origin = (body: number): Vec3 => (body < 0 ? ZERO3 : framePose(tree, placements, bodyFrame(model, body)).p);
      const sums = [-1, ...model.bodies.keys()].map(() => ({ torque: ZERO3 as Vec3, force: ZERO3 as Vec3 }));
      const addLoad = (body: number, sign: 1 | -1, { torque, force }: ReturnType<typeof wrenchOf>, position: Vec3): void => {
        const before = sums[body + 1]!;
        const moment = plus(torque, cross(minus(position, origin(body)), force));
        sums[body + 1] = { torque: plus(before.torque, scale(sign, moment)), force: plus(before.force, scale(sign, force)) };
      };
      const efforts = model.bodies.flatMap(({ name, index, parent, hinge }) => {
        const M: Frame = { name, body: index, placement: hinge.onBody };
        const reaction = wrenchOf(reactions, index);
        addLoad(parent, -1, reaction, framePose(tree, placements, M).p);
        const J = frameJacobian(tree, placements, M);
        const wrench = [...reaction.torque, ...reaction.force];
        const armatures = hinge.elements.flatMap((e) => new Array<number>(e.nu).fill(e.armature ?? 0));
        return armatures.map((armature, d) =>
          add(sum(wrench.map((S, k) => mul(J[k]![hinge.u + d]!, S))), mul(armature, udot[hinge.u + d]!)),
        );
      });
      for (const [i, loop] of loops.entries()) {
        const { body, placement } = loop.to;
        const position = body < 0 ? placement.p : framePose(tree, placements, { name: loop.name, body, placement }).p;
        const wrench = wrenchOf(loopWrenches, i);
        addLoad(body, 1, wrench, position);
        addLoad(loop.from.body, -1, wrench, position);
      }
      return { efforts, carried: sums.flatMap(({ torque, force }) => [...torque, ...force]) };
    });
  });

const bodyFrame = (model: Model, body: number): Frame => ({
  name: model.bodies[body]!.name,
  body,
  placement: {
    R: [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    p: [0, 0, 0],
  },
});
